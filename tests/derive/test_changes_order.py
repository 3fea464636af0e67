"""What is said of the order of the runs, and what it does to a change."""

import numpy as np
import pytest

from analysis.cli import main
from analysis.derive.samples import Sample
from analysis.derive.study import Pair, change_in_order, honour_neighbours
from analysis.facts.fact import Fact, Lineage
from analysis.facts.remark import Remark
from analysis.statistics.median_change import measure_change
from analysis.statistics.neighbours import Likeness

RATES = np.array([97.0, 103, 99, 100, 104, 98, 101, 96])
NONE, SOME = Likeness(), Likeness(0.5, 4.0)


def sample(values: np.ndarray, started: tuple[float, ...]) -> Sample:
    return Sample(values, (), (), ("measured",), (), started=started)


def compared(first: tuple[float, ...], second: tuple[float, ...], alike=NONE):
    """Some more: what is left of it, and what is said of the order."""
    sides = sample(RATES, first), sample(1.05 * RATES[::-1], second)
    change = measure_change(sides[0].values, sides[1].values)
    return change, *change_in_order(Pair(*sides, ("old", "new")), alike)


EARLY, LATE = tuple(map(float, range(8))), tuple(map(float, range(8, 16)))
EVEN, ODD = tuple(np.arange(0.0, 16, 2)), tuple(np.arange(1.0, 16, 2))


def test_shuffled_runs_are_left_alone():
    plain, held, told = compared(EVEN, ODD, SOME)
    assert (held, told) == (plain, ())


@pytest.mark.parametrize(
    ("first", "second", "order"),
    [
        (EARLY, LATE, "8 of old, then 8 of new"),
        (LATE, EARLY, "8 of new, then 8 of old"),
        ((*EARLY[:4], *LATE[4:]), (*EARLY[4:], *LATE[:4]), "4 of old, then 8 of new"),
    ],
)
def test_blocks_say_which_configuration_came_first(first, second, order):
    plain, held, (told,) = compared(first, second)
    assert order in str(told)
    assert told.kind == "in_blocks"
    assert held.low <= plain.low < plain.high <= held.high
    assert held.high - held.low > plain.high - plain.low or "then 8" in order
    assert held.p_value >= plain.p_value


def test_many_blocks_are_not_all_named():
    seen = {"sides": ("old", "new") * 3, "lengths": (4, 4, 4, 4, 4, 4)}
    told = "4 of old, then 4 of new, then 4 of old, then 4 of new, and so on"
    assert Remark("in_blocks", values=seen).words.endswith(told)


def test_alike_runs_in_blocks_count_for_fewer():
    _, blocks, _ = compared(EARLY, LATE)
    plain, held, (told,) = compared(EARLY, LATE, SOME)
    assert told.kind == "alike"
    assert "correlate by 0.50: 3.0 runs count as one" in str(told)
    assert held.high - held.low > plain.high - plain.low
    assert held.p_value >= blocks.p_value


@pytest.mark.parametrize(("first", "second"), [((), LATE), (EARLY, (1.0,) * 8)])
def test_an_order_that_is_not_known_is_said(first, second):
    plain, held, (told,) = compared(first, second)
    assert (held, told.kind) == (plain, "order_unknown")
    plain, held, _ = compared(first, second, SOME)
    assert held.p_value > plain.p_value
    assert held.low < plain.low


def test_too_few_runs_are_not_held_against_their_order():
    change = measure_change(RATES[:3], RATES[3:6])
    pair = Pair(sample(RATES[:3], ()), sample(RATES[3:6], ()), ("old", "new"))
    assert change_in_order(pair, SOME) == (change, ())


def value(low: float | None, high: float | None) -> Fact:
    return Fact(
        "key", "e", "s", "RR1(1kB)", None, "rate", "value", "A", None, 100.0, "1/s",
        "higher", 10, low, high, 0.95, "measured", "100", lineage=Lineage(""),
    )  # fmt: skip


def test_the_interval_of_a_value_widens_where_neighbours_are_surely_alike():
    held = honour_neighbours(value(80.0, 125.0), SOME)
    assert held.low == pytest.approx(100 * 0.8**3**0.5)
    assert held.high == pytest.approx(100 * 1.25**3**0.5)
    assert [w.kind for w in held.warnings] == ["neighbours"]


@pytest.mark.parametrize("alike", [NONE, Likeness(0.5, 1.0)])
def test_it_stays_where_that_is_not_sure(alike):
    assert honour_neighbours(value(80.0, 125.0), alike) == value(80.0, 125.0)
    assert honour_neighbours(value(None, None), SOME) == value(None, None)
    assert honour_neighbours(value(0.0, 125.0), SOME) == value(0.0, 125.0)


def test_a_drift_is_said_of_the_value_and_of_the_change(world, capsys):
    rates = [100.0 + n for n in range(10)]
    for n, rate in enumerate(rates):
        world.run(f"A{n}", "A", rate=rate, window=(40.0 * n, 40.0 * n + 10))
        world.run(
            f"B{n}", "B", rate=99.0 + n % 3, window=(40.0 * n + 20, 40.0 * n + 30)
        )
    world.study(metrics=["rate"])
    world.write()
    assert main(world.arguments()) == 0
    text = (world.root / "facts.json").read_text()
    assert text.count('"kind": "drift"') == 2
    assert '"percent": 8.6' in text  # 9 of 104.5
