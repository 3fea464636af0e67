from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.facts.fact import Estimate
from analysis.report.material import Material, Sources, read_material
from analysis.report.tables.backtest import backtest

ESTIMATE = Estimate("generation", "generation transfer", "1", "so", "published", 6.2, 9)
TEST = {
    "id": "generation", "model": "generation transfer", "question": "a ratio", "n": 9,
    "mean_error": 0.0615, "worst_error": -0.1734, "bias": 0.0513, "coverage": None,
}  # fmt: skip


def material(project: Sources, path: Path) -> Material:
    found = read_material("small", replace(project, backtest=path))
    first, *others = found.facts.facts
    facts = (replace(first, estimate=ESTIMATE), *others)
    return replace(found, facts=replace(found.facts, facts=facts))


def write(path: Path, schema: int = 1) -> Path:
    path.write_text(json.dumps({"schema": schema, "backtests": [TEST]}))
    return path


def test_each_back_test_says_how_far_off_it_was(
    project: Sources, tmp_path: Path
) -> None:
    made = backtest(material(project, write(tmp_path / "backtest.json")))
    assert made is not None
    assert (made["predicted"], made["rungs"]) == (
        1, ["generation (generation transfer)"],
    )  # fmt: skip
    row = "| generation transfer | a ratio | 9 | 6.2% | −17.3% | +5.1% | – |"
    assert row in str(made["table"])


def test_an_edition_without_predictions_needs_none(
    project: Sources, tmp_path: Path
) -> None:
    absent = replace(project, backtest=tmp_path / "absent.json")
    assert backtest(read_material("small", absent)) is None


def test_predictions_without_back_tests_are_a_mistake(
    project: Sources, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match="there are no back-tests"):
        backtest(material(project, tmp_path / "absent.json"))


@pytest.mark.parametrize(
    ("text", "what"), [("{", "not JSON"), ('{"schema": 9}', "another")]
)
def test_a_broken_file_is_named(
    project: Sources, tmp_path: Path, text: str, what: str
) -> None:
    path = tmp_path / "backtest.json"
    path.write_text(text)
    with pytest.raises(UserError, match=what):
        backtest(material(project, path))
