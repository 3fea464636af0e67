"""Values and changes of answers made by hand: ends, origins, words, back-tests."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.declared.metrics import read_metrics
from analysis.declared.workload import parse_workload
from analysis.derive.fallback import estimates
from analysis.derive.fallback.estimates import (
    estimate_of,
    make_facts,
    origin_of,
)
from analysis.derive.fallback.knowledge import Known, payload
from analysis.derive.fallback.question import (
    Accuracy,
    Answer,
    ends,
    halves,
    rank,
)
from analysis.derive.samples import Cell
from analysis.facts.remark import refusal
from models.prediction import Prediction
from tests.derive.fallback.conftest import knowledge, sample, study

NAME = "RR10(1kB)"
BASE, TEST = Cell("A", NAME, "rate", None), Cell("B", NAME, "rate", None)
PREDICTED = Prediction(200.0, 100.0, 300.0, "1/s", "a model", "2", "published")
KNOWN = Known(50.0, 0.1, ("published", "measured"), ("r2", "r1"), ("g", "f"))


def answer(rung: Any = "generation", **changes: Any) -> Answer:
    told = {"reason": "so", "inputs": (KNOWN,)} | changes
    return Answer(rung, told.pop("prediction", PREDICTED), **told)


def scope(*cells: Cell) -> Any:
    return SimpleNamespace(
        edition="e", id="s", study=study(), metrics=read_metrics(),
        cells=lambda: iter(cells),
        key=lambda cell, delta=False: f"{cell.configuration}{'.delta' * delta}",
        about=lambda cell: cell._asdict() | {
            "edition": "e", "study": "s", "better": "higher"},
    )  # fmt: skip


def made(answers: dict, samples: dict | None = None) -> tuple[list, list]:
    return make_facts(scope(BASE, TEST), answers, knowledge(study(), samples or {}))


def test_logs_of_both_halves_add_up_like_independent_errors() -> None:
    below, above = halves(PREDICTED)
    assert (below, above) == pytest.approx((math.log(2), math.log(1.5)))
    low, high = ends(10.0, (0.3, 0.5), (0.4, 1.2))
    assert low == pytest.approx(10 / math.exp(0.5))
    assert high == pytest.approx(10 * math.exp(1.3))


@pytest.mark.parametrize(
    ("rung", "place"),
    [(None, -1), ("interpolation", 0), ("generation", 1)],
)  # fmt: skip
def test_a_rung_is_as_weak_as_its_place(rung, place: int) -> None:
    assert rank(answer(rung)) == place
    assert rank(None) == -1


def test_bytes_of_a_transaction() -> None:
    stream, ping = parse_workload("STR3(1B/20MB)"), parse_workload("RR1(1kB/4kB)")
    assert (payload(ping), payload(stream)) == (5 * 1024, 20 * 2**20 + 1)


@pytest.mark.parametrize(
    ("rung", "origins", "found"),
    [
        (None, ("measured",), "measured"),
        (None, ("published", "measured"), "published"),
        ("generation", ("measured",), "modelled"),
        ("generation", ("synthetic",), "synthetic"),
    ],
)
def test_a_prediction_is_modelled_or_weaker(rung, origins, found) -> None:
    inputs = (KNOWN, replace(KNOWN, origins=origins))
    if rung is None:
        inputs = inputs[1:]
    assert origin_of(answer(rung, inputs=inputs)) == found


@pytest.mark.parametrize("kind", ["left out", "measured", "published"])
def test_the_error_behind_a_range_goes_with_the_value(kind) -> None:
    p = replace(PREDICTED, notes=("n",))
    plain = estimate_of(answer(prediction=p))
    assert (plain.rung, plain.model, plain.version) == ("generation", "a model", "2")
    assert (plain.reason, plain.basis, plain.notes) == ("so", "published", ("n",))
    assert (plain.backtest_error, plain.backtest_n) == (None, 0)
    told = estimate_of(answer(None, prediction=p, tested=Accuracy(2.0, 9, kind)))
    assert (told.backtest_error, told.backtest_n, told.backtest_of) == (2.0, 9, kind)
    assert (told.rung, told.notes) == ("interpolation", ("n",))


def test_an_answer_is_a_value_and_a_refusal_a_gap() -> None:
    facts, gaps = made({BASE: answer(), TEST: refusal("not_told", "not told")})
    (found,) = facts
    assert (found.value, found.low, found.high, found.n) == (200.0, 100.0, 300.0, 0)
    assert (found.confidence, found.kind, found.baseline) == (0.9, "value", None)
    assert found.lineage.runs == ("r2", "r1")
    assert found.lineage.files == ("f", "g")
    assert [w.kind for w in found.warnings] == ["predicted"]
    (gap,) = gaps
    assert (gap.configuration, gap.metric, gap.baseline) == ("B", "rate", None)


def test_a_change_against_a_measured_side_has_the_errors_of_both() -> None:
    sigma = knowledge(study(), {BASE: sample(100.0)}).measured("A", NAME, "rate").sigma
    facts, gaps = made({TEST: answer()}, {BASE: sample(100.0)})
    change = facts[1]
    reach = 1.6448536269514722 * sigma
    low, high = ends(2.0, halves(PREDICTED), (reach, reach))
    assert (change.key, change.kind, change.baseline) == ("B.delta", "delta", "A")
    assert change.value == pytest.approx(100)
    assert (change.low, change.high) == pytest.approx(
        (100 * low - 100, 100 * high - 100)
    )
    assert (change.unit, change.printed) == ("%", "+100%")
    assert change.lineage.runs == ("r1", "r2", "r3", "r4")
    assert change.lineage.files == ("f", "g", "sha")
    assert (change.origin, gaps) == ("modelled", [])


def test_a_side_that_a_prediction_was_made_from_counts_once() -> None:
    measured = sample(100.0)
    own = knowledge(study(), {BASE: measured}).measured("A", NAME, "rate")
    facts, _ = made({TEST: answer(inputs=(own,))}, {BASE: measured})
    assert (facts[1].low, facts[1].high) == pytest.approx((0.0, 200.0))


def test_of_two_predictions_the_weaker_rung_names_the_change() -> None:
    weak, strong = answer("generation"), answer("interpolation")
    for sides in ((weak, strong), (strong, weak)):
        facts, _ = made(dict(zip((BASE, TEST), sides, strict=True)))
        assert facts[2].estimate.rung == "generation"
        below, above = halves(PREDICTED)
        total = math.hypot(below, above)
        assert facts[2].low == pytest.approx(100 * math.exp(-total) - 100)
        assert facts[2].high == pytest.approx(100 * math.exp(total) - 100)


def test_a_measured_side_is_never_compared_with_a_synthetic_one() -> None:
    synthetic = replace(KNOWN, origins=("synthetic",))
    facts, gaps = made({TEST: answer(inputs=(synthetic,))}, {BASE: sample(100.0)})
    assert [f.kind for f in facts] == ["value"]
    assert (gaps[0].why, gaps[0].baseline) == (estimates.MIXED, "A")


@pytest.mark.parametrize("samples", [{}, {BASE: 1, TEST: 2}])
def test_a_change_needs_both_sides_and_a_prediction(samples: dict) -> None:
    known = {cell: sample(100.0 * n) for cell, n in samples.items()}
    assert made({}, known) == ([], [])
    if not samples:
        facts, gaps = made({TEST: answer()})
        assert ([f.kind for f in facts], gaps) == (["value"], [])
