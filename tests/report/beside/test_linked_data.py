"""What catalogues read of a report in its page."""

from __future__ import annotations

import json
from pathlib import Path

from lxml import html

from analysis.report.pages.safe_page import check_policy


def test_a_page_tells_the_report_and_its_data_in_the_words_of_schema_org(
    pages: Path,
) -> None:
    page = html.document_fromstring((pages / "index.html").read_bytes())
    (element,) = page.xpath("//head/script[@type='application/ld+json']")
    about = json.loads(element.text)
    assert (about["@context"], about["@type"]) == ("https://schema.org", "Report")
    assert about["name"] and about["datePublished"] and about["author"]
    [campaign] = about["isBasedOn"]
    assert campaign["@type"] == "Dataset" and campaign["creator"]["name"]
    assert about["hasPart"]["distribution"]["contentUrl"] == "facts.json"
    assert list(check_policy(page)) == []
