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
    "id": "generation", "data": "published", "model": "generation transfer",
    "question": "a ratio", "n": 9, "refused": 0, "mean_error": 0.0615,
    "worst_error": -0.1734, "bias": 0.0513, "coverage": 0.889, "points": [],
}  # fmt: skip
POINTS = [{"actual": 5, "low": low, "high": 6} for low in (4, 4, 5, 5.1)]
NONE = dict.fromkeys(("mean_error", "worst_error", "bias", "coverage"))
MEASURED = [
    TEST | {"data": "measured", "refused": 2, "points": POINTS, "n": 4},
    TEST | NONE | {"data": "measured", "refused": 3, "n": 0},
]


def material(project: Sources, path: Path) -> Material:
    found = read_material("small", replace(project, backtest=path))
    first, *others = found.facts.facts
    facts = (replace(first, estimate=ESTIMATE), *others)
    return replace(found, facts=replace(found.facts, facts=facts))


def write(path: Path, schema: int = 2) -> Path:
    tests = [TEST, *MEASURED]
    path.write_text(json.dumps({"schema": schema, "backtests": tests}))
    return path


def test_each_back_test_says_how_far_off_it_was(
    project: Sources, tmp_path: Path
) -> None:
    made = backtest(material(project, write(tmp_path / "backtest.json")))
    assert made is not None
    assert (made["predicted"], made["rungs"]) == (
        1, ["generation (generation transfer)"],
    )  # fmt: skip
    row = "| published | a ratio | 9 | 0 | 89% | 6.2% | −17.3% | +5.1% |"
    assert f"| generation transfer {row}" in str(made["table"])
    assert "measured | a ratio | 0 | 3 | – | – | – | – |" in str(made["table"])


def test_measured_numbers_in_range_and_refused_are_counted(
    project: Sources, tmp_path: Path
) -> None:
    made = backtest(material(project, write(tmp_path / "backtest.json")))
    assert made is not None
    assert made["held"] == {"n": 4, "in_range": 3, "refused": 5}


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
