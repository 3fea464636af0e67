"""What the page holds of each bound number, for the card behind it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from analysis.report.beside.cards import script_json
from tests.report.beside.conftest import LOOSE

CHANGE = "speed.rr1-1kb.-.latency.new.delta"


@pytest.fixture
def found(pages: Path) -> dict[str, Any]:
    page = html.document_fromstring((pages / "index.html").read_bytes())
    (data,) = page.xpath("//script[@type='application/json' and @id='cards']")
    return dict(json.loads(data.text))


def test_a_change_tells_both_sides_its_formula_and_runs(found: dict[str, Any]) -> None:
    card = found["facts"][CHANGE]
    assert card["sides"] == "1,000 → 1,370 µs"
    assert card["between"] == "old → new"
    assert card["printed"] == "−37%"
    assert card["exact"] == "−37.1999999 %"
    assert card["interval"] == "−39 to −35% at 95%"
    assert (card["rule"], card["runs"]) == ("median of runs", "r(1)-01 to 02")


def test_raw_files_have_names_where_they_are_known(found: dict[str, Any]) -> None:
    names = found["files"][found["facts"][CHANGE]["files"]]
    assert names == [LOOSE[:16], "lab/run/a.log"]


def test_the_page_has_the_cards_of_its_own_numbers_alone(
    found: dict[str, Any], pages: Path
) -> None:
    page = html.document_fromstring((pages / "index.html").read_bytes())
    bound = {k for keys in page.xpath("//a/@data-keys") for k in keys.split()}
    assert set(found["facts"]) == bound
    assert found["about"]["title"] == 'A "small" report'


def test_data_cannot_end_their_element() -> None:
    text = script_json({"a": "</script><!--"})
    assert "<" not in text
    assert json.loads(text) == {"a": "</script><!--"}
