"""What the order of the runs leaves of a change: each end, reckoned anew."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.derive.samples import Cell, Sample
from analysis.derive.study import (
    Pair,
    change_in_order,
    honour_neighbours,
    measure_order,
)
from analysis.facts.fact import Fact, Lineage
from analysis.statistics.drift import without_drift
from analysis.statistics.log_ratio import LogRatio
from analysis.statistics.median_change import measure_change
from analysis.statistics.neighbours import Likeness, likeness

OLD = np.array([97.0, 103, 99, 100, 104, 98, 101, 96])
NEW = np.array([104.0, 107, 103, 105, 109, 108, 102, 106])
SOME, NONE, AGAINST = Likeness(0.5, 4.0), Likeness(), Likeness(-0.4, -3.0)
EARLY, LATE = tuple(map(float, range(8))), tuple(map(float, range(8, 16)))


def sample(values: np.ndarray, started: tuple[float, ...] = ()) -> Sample:
    return Sample(values, (), (), ("measured",), (), started=started)


def pair(first: tuple[float, ...], second: tuple[float, ...]) -> Pair:
    return Pair(sample(OLD, first), sample(NEW, second), ("old", "new"))


def drift(first: tuple[float, ...], second: tuple[float, ...]) -> LogRatio:
    """Of starts that are the places in the order of all."""
    found = without_drift(OLD, NEW, (np.array(first), np.array(second)))
    assert found is not None
    return found


@pytest.mark.parametrize("alike", [SOME, NONE, AGAINST])
@pytest.mark.parametrize("turned", [False, True])
def test_blocks_leave_what_alike_runs_and_a_drift_leave(alike, turned) -> None:
    starts = (LATE, EARLY) if turned else (EARLY, LATE)
    held, (told,) = change_in_order(pair(*starts), alike)
    as_one = 3.0 if alike is SOME else 1.0
    assert held == measure_change(OLD, NEW, as_one, [drift(*starts)])
    assert told.kind == ("alike" if alike is SOME else "in_blocks")
    assert dict(told.values) == {
        "correlation": 0.5 if alike is SOME else 0.0,
        "runs_as_one": as_one,
        "sides": ("new", "old") if turned else ("old", "new"),
        "lengths": (8, 8),
    }


def test_places_count_and_not_the_time_between_them() -> None:
    apart = tuple(start**2 for start in LATE[::-1])
    held, _ = change_in_order(pair(EARLY, apart), NONE)
    assert held == measure_change(OLD, NEW, 1.0, [drift(EARLY, LATE[::-1])])


@pytest.mark.parametrize("runs", [5, 12])
def test_sides_may_have_unequal_runs(runs: int) -> None:
    new = np.resize(NEW, runs) + np.arange(runs)
    late = tuple(np.arange(8.0, 8 + runs))
    sides = Pair(sample(OLD, EARLY), sample(new, late), ("old", "new"))
    held = without_drift(OLD, new, (np.array(EARLY), np.array(late)))
    change, _ = change_in_order(sides, NONE)
    assert change == measure_change(OLD, new, 1.0, [held])


@pytest.mark.parametrize("alike", [SOME, NONE])
@pytest.mark.parametrize("started", [((), LATE), (EARLY, ()), (EARLY, (1.0,) * 8)])
def test_an_unknown_order_leaves_what_alike_runs_leave(alike, started) -> None:
    held, (told,) = change_in_order(pair(*started), alike)
    as_one = 3.0 if alike is SOME else 1.0
    assert held == measure_change(OLD, NEW, as_one)
    assert told.kind == "order_unknown"
    assert told.values["runs_as_one"] == as_one


def test_sides_that_have_no_ratio_have_no_drift() -> None:
    low = Pair(sample(OLD, EARLY), sample(NEW - 102, LATE), ("old", "new"))
    assert change_in_order(low, NONE)[0] == measure_change(OLD, NEW - 102)


def value(**ends: float | None) -> Fact:
    told = {"low": 80.0, "high": 125.0} | ends
    return Fact(
        "key", "e", "s", "RR1(1kB)", None, "rate", "value", "A", None, 100.0, "1/s",
        "higher", 10, told["low"], told["high"], 0.95, "measured", "100",
        lineage=Lineage(""),
    )  # fmt: skip


@pytest.mark.parametrize(
    "ends", [{"low": None}, {"high": None}, {"low": 0.0}, {"low": -0.5}]
)
def test_an_end_that_is_no_ratio_stays(ends: dict) -> None:
    assert honour_neighbours(value(**ends), SOME) == value(**ends)


def test_an_end_that_is_just_above_zero_moves() -> None:
    held = honour_neighbours(value(low=0.5), SOME)
    assert held.low == pytest.approx(100 * 0.005**3**0.5)
    (told,) = held.warnings
    assert told.values == {"correlation": 0.5, "runs_as_one": 3.0}


def test_runs_of_a_metric_and_role_are_measured_together_in_order() -> None:
    cells = [Cell(c, "RR1(1kB)", m, r) for c, m, r in (
        ("old", "rate", None), ("new", "rate", None), ("old", "cpu_cost", "client"),
        ("old", "cpu_cost", "server"),
    )]  # fmt: skip
    turned = sample(OLD, tuple(range(7, -1, -1)))
    found = measure_order(dict(zip(cells, (turned, *[sample(NEW)] * 3), strict=True)))
    assert found == {
        ("rate", None): likeness([OLD[::-1], NEW]),
        ("cpu_cost", "client"): likeness([NEW]),
        ("cpu_cost", "server"): likeness([NEW]),
    }
    tied = sample(OLD, (2.0, 1.0) * 4)
    assert list(tied.in_order) == [*OLD[1::2], *OLD[::2]]
