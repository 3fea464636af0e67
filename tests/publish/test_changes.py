"""Each release says what it changed against the one before, on a page and in a feed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import etree, html

from analysis.report.pages.safe_page import check_policy
from tests.publish.made_build import build_id, fact, make_build

Publish = Callable[..., int]
ATOM = {"a": "http://www.w3.org/2005/Atom"}


def two(tmp_path: Path, publish: Publish) -> tuple[str, str]:
    """Two releases, of which the second has another value."""
    first = build_id(make_build(tmp_path / "builds/small"))
    assert publish() == 0
    moved = fact(60.0, "60 µs")
    second = build_id(make_build(tmp_path / "builds/small", facts=(moved,)))
    assert publish() == 0
    return first, second


def test_the_second_release_has_a_page_of_what_changed(
    tmp_path: Path, dest: Path, publish: Publish
) -> None:
    first, second = two(tmp_path, publish)
    assert not (dest / f"changes/small/{first}.html").exists()
    path = dest / f"changes/small/{second}.html"
    page = html.document_fromstring(path.read_bytes())
    assert "50 µs" in page.text_content()
    assert "60 µs" in page.text_content()
    assert list(check_policy(page)) == []
    for link in page.xpath("//p[@class='formats']/a/@href"):
        assert (path.parent / link).is_file()


def test_the_list_says_what_is_new_and_leads_to_the_page(
    tmp_path: Path, dest: Path, publish: Publish
) -> None:
    first, second = two(tmp_path, publish)
    release = dest / f"releases/small/{second}/release.json"
    assert json.loads(release.read_text())["news"] == "1 value and 1 figure changed"
    page = html.document_fromstring((dest / "index.html").read_bytes())
    said = page.find_class("news")[0]
    assert "New: 1 value and 1 figure changed." in said.text_content()
    assert said.xpath("a/@href") == [f"changes/small/{second}.html"]
    rows = page.xpath("//tbody/tr")
    assert "first release" in rows[1].text_content()
    assert first in rows[1].text_content()


def test_the_feed_has_each_release_newest_first(
    tmp_path: Path, dest: Path, publish: Publish
) -> None:
    ids = two(tmp_path, publish)
    feed = etree.parse(str(dest / "feed.xml")).getroot()
    links = feed.xpath("a:entry/a:link/@href", namespaces=ATOM)
    assert {link.split("/")[2] for link in links} == set(ids)
    assert all((dest / link).is_file() for link in links)
    assert len(set(feed.xpath("//a:id/text()", namespaces=ATOM))) == 3


def test_programs_are_told_where_the_values_of_each_edition_are(
    tmp_path: Path, dest: Path, publish: Publish
) -> None:
    _, second = two(tmp_path, publish)
    text = (dest / "llms.txt").read_text()
    assert text.startswith("# Performance reports\n\n> ")
    assert f"\n- [A small report](releases/small/{second}/index.html)" in text
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert f"releases/small/{second}/facts.json" in links
    assert all((dest / link).is_file() for link in links)


@pytest.mark.parametrize("name", ["feed.xml", "llms.txt"])
def test_a_foreign_feed_is_left_alone(
    tmp_path: Path, dest: Path, publish: Publish, name: str
) -> None:
    make_build(tmp_path / "builds/small")
    dest.mkdir()
    (dest / name).write_text("<feed/>")
    assert publish() == 2
    assert (dest / name).read_text() == "<feed/>"


def test_a_spoilt_release_before_stops_no_publication(
    tmp_path: Path, dest: Path, publish: Publish
) -> None:
    first = build_id(make_build(tmp_path / "builds/small"))
    assert publish() == 0
    (dest / f"releases/small/{first}/facts.json").write_text("{}")
    second = build_id(make_build(tmp_path / "builds/small", text="Other words."))
    assert publish() == 0
    assert (dest / f"releases/small/{second}/index.html").is_file()
    assert not (dest / f"changes/small/{second}.html").exists()


def test_the_page_of_a_release_that_goes_goes_too(
    tmp_path: Path, dest: Path, publish: Publish
) -> None:
    _, second = two(tmp_path, publish)
    make_build(tmp_path / "builds/small", text="Third.")
    assert publish("--keep", "1") == 0
    assert not (dest / f"changes/small/{second}.html").exists()
