"""The table of all changes, as it is without its script."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lxml import html
from lxml.html import HtmlElement

from analysis.report.pages.safe_page import check_policy


@pytest.fixture
def page(pages: Path) -> HtmlElement:
    return html.document_fromstring((pages / "explorer.html").read_bytes())


def rows_of(page: HtmlElement) -> list[list[str]]:
    return [
        [" ".join(cell.text_content().split()) for cell in row]
        for row in page.xpath("//table/tbody/tr")
    ]


def data_of(page: HtmlElement) -> dict[str, Any]:
    return dict(json.loads(page.get_element_by_id("rows").text))


def test_each_change_is_a_row_with_both_sides(page: HtmlElement) -> None:
    rows = rows_of(page)
    assert len(rows) == len(data_of(page)["rows"]) > 5
    row = next(r for r in rows if r[:2] == ["Latency", "RR1(1kB)"])
    assert row[2:] == [
        "New against old The new one relative to The old one", "1,000 → 1,370 µs",
        "−37%", "−39 to −35%", "✓ improved", "measured",
    ]  # fmt: skip
    assert not page.xpath("//tbody/tr[not(th[@scope='row'])]")


def test_what_is_inconclusive_says_from_where_on_it_would_show(page: HtmlElement):
    [row] = [row for row in rows_of(page) if row[6].startswith("?")]
    assert row[6] == "? inconclusive shows from 15% on"
    data = data_of(page)
    sizes = [row[data["heads"].index("detectable_percent")] for row in data["rows"]]
    assert sorted(filter(None, sizes)) == [15.2]


def test_data_are_at_full_precision_in_the_order_of_rows(page: HtmlElement) -> None:
    data = data_of(page)
    for row, shown in zip(data["rows"], rows_of(page), strict=True):
        assert row[data["heads"].index("workload")] == shown[1]
    changes = [row[data["heads"].index("change_percent")] for row in data["rows"]]
    assert -37.1999999 in changes


def test_filters_offer_what_the_table_has(page: HtmlElement) -> None:
    choices = page.xpath("//select[@id='by-verdict']/option/@value")
    assert choices[0] == ""
    assert set(choices[1:]) == {row[6].split()[1] for row in rows_of(page)}


def test_it_has_a_policy_and_a_way_back(page: HtmlElement) -> None:
    assert list(check_policy(page)) == []
    assert page.xpath("//header//a/@href")[0] == "index.html"
