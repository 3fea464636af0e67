"""The basis of what was generated goes with the fact, to words and to numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.facts.fact import Facts, read_facts, write_facts
from analysis.facts.sentences import origin_text
from analysis.report.expressions.bound import span
from tests.report.conftest import fact

VALUE = fact(origin="synthetic", basis="free")
CHANGE = replace(VALUE, kind="delta", baseline="old", unit="%", basis="assumed")


@pytest.mark.parametrize(
    ("basis", "chosen"),
    [("published", None), ("assumed", "assumed"), ("free", "free"), (None, None)],
)
def test_a_change_whose_size_nobody_published_was_chosen(basis, chosen):
    told = replace(CHANGE, basis=basis)
    assert told.chosen == chosen
    of_value = "assumed" if basis == "assumed" else None
    assert replace(told, kind="value").chosen == of_value
    mark = f' basis="{chosen}"}}' if chosen else 'origin="synthetic"}'
    assert span("−1%", told).endswith(mark)


def test_cards_and_tables_tell_it_with_the_origin():
    assert origin_text(VALUE) == "synthetic, free"
    assert origin_text(CHANGE) == "synthetic, assumed"
    assert origin_text(replace(VALUE, basis=None)) == "synthetic"


def test_it_is_written_and_read_and_older_facts_have_none(tmp_path):
    path = tmp_path / "facts.json"
    write_facts(Facts((CHANGE,)), path)
    assert read_facts(path).facts == (CHANGE,)
    path.write_text(path.read_text().replace(', "basis": "assumed"', ""))
    assert read_facts(path).facts == (replace(CHANGE, basis=None),)
