from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.figures.axis import (
    change_axis,
    change_tick,
    plain_tick,
    ratio_axis,
    scale_axis,
    value_axis,
)

SPAN = (40.0, 120.0)
changes = st.lists(st.floats(-95, 2000), min_size=1, max_size=8)


@given(changes)
def test_every_change_and_zero_lie_on_the_axis_in_order(values: list[float]) -> None:
    axis = change_axis(values, SPAN, 14.0)

    places = [axis.at(value) for value in sorted([0.0, *values])]

    assert places == sorted(places)
    assert places[0] > SPAN[0]
    assert places[-1] < SPAN[1]


@given(changes)
def test_ticks_of_changes_lie_inside_and_name_zero(values: list[float]) -> None:
    axis = change_axis(values, SPAN, 14.0)

    assert (0.0, "0") in axis.ticks
    assert all(axis.low <= value <= axis.high for value, _ in axis.ticks)
    assert len({label for _, label in axis.ticks}) == len(axis.ticks)


def test_a_huge_gain_beside_a_loss_makes_a_ratio_axis() -> None:
    axis = change_axis([-78, 1953], SPAN, 14.0)

    assert axis.ratio
    halved, doubled = axis.at(0) - axis.at(-50), axis.at(100) - axis.at(0)
    assert halved == pytest.approx(doubled)


def test_a_ratio_axis_survives_a_loss_of_everything() -> None:
    axis = change_axis([-100, 900], SPAN, 14.0)

    assert SPAN[0] <= axis.at(-100) < axis.at(0)


def test_a_large_difference_is_drawn_from_zero() -> None:
    axis = value_axis([1980, 3159], SPAN, 16.0)

    assert axis.low == 0
    assert axis.at(1980) - SPAN[0] == pytest.approx(
        (axis.at(3159) - SPAN[0]) * 1980 / 3159
    )


def test_a_small_scatter_is_not_blown_up() -> None:
    axis = value_axis([210_000, 212_000], SPAN, 16.0, least=0.25)

    assert axis.high - axis.low == pytest.approx(0.25 * 211_000)


def test_equal_values_have_an_axis() -> None:
    assert value_axis([5.0, 5.0], SPAN, 16.0).at(5.0) == pytest.approx(80)
    assert value_axis([0.0], SPAN, 16.0).at(0.0) == pytest.approx(80)


@pytest.mark.parametrize(
    ("value", "step", "text"),
    [(12000, 2000, "12,000"), (0.5, 0.25, "0.50"), (2.5, 2.5, "2.5"), (-3, 1, "−3")],
)
def test_plain_ticks_have_the_decimals_of_their_step(
    value: float, step: float, text: str
) -> None:
    assert plain_tick(value, step) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (20, "+20%"), (-1500, "−1,500%")]
)
def test_change_ticks_are_signed(value: float, text: str) -> None:
    assert change_tick(value, 10) == text


def test_values_of_one_magnitude_begin_at_zero() -> None:
    axis = scale_axis([100.0, 1000.0], SPAN, 14.0)

    assert not axis.log
    assert axis.at(0) == SPAN[0]


@given(st.lists(st.floats(0.01, 1e6), min_size=2, max_size=6))
def test_values_lie_on_a_scale_in_order(values: list[float]) -> None:
    axis = scale_axis(values, SPAN, 14.0)

    places = [axis.at(value) for value in sorted(values)]
    assert places == sorted(places)
    assert axis.log == (max(values) > 12 * min(values))
    assert all(axis.low <= value <= axis.high for value, _ in axis.ticks)


def test_equal_ratios_are_equal_steps_on_a_logarithmic_scale() -> None:
    axis = scale_axis([10.0, 1000.0], SPAN, 14.0)

    assert axis.at(100) - axis.at(10) == pytest.approx(axis.at(1000) - axis.at(100))
    assert {"10", "100", "1,000"} <= {label for _, label in axis.ticks}


def test_ratios_are_named_as_factors() -> None:
    axis = ratio_axis([-79.0, 1953.0], SPAN, 9.0)

    labels = [label for _, label in axis.ticks]
    assert {"×1", "×4", "×10"} <= set(labels)
    assert axis.at(-50) < axis.at(0) < axis.at(100)
    assert axis.at(0) - axis.at(-50) == pytest.approx(axis.at(100) - axis.at(0))
