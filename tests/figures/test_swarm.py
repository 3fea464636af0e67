from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from analysis.figures.kinds.distribution import stack
from analysis.figures.kinds.value import swarm

places = st.lists(st.floats(0, 60), max_size=30)


@given(places)
def test_no_dot_of_a_swarm_hides_another(xs: list[float]) -> None:
    offsets = swarm(xs, 1.5)

    dots = list(zip(xs, offsets, strict=True))
    for i, (x, y) in enumerate(dots):
        for a, b in dots[:i]:
            assert (x - a) ** 2 + (y - b) ** 2 >= 1.5**2 * 0.99


def test_dots_apart_stay_on_the_line() -> None:
    assert swarm([0, 5, 10], 1.5) == [0, 0, 0]


def test_three_equal_values_stand_symmetrically() -> None:
    assert sorted(swarm([4, 4, 4], 2.0)) == [-2.0, 0.0, 2.0]


def test_a_stack_keeps_every_value_and_starts_at_the_bottom() -> None:
    dots = stack([10.0, 10.4, 20.0], 2.0)

    assert dots == [(10.2, 0), (10.2, 1), (20.0, 0)]


@given(places)
def test_columns_of_one_chart_stand_apart_and_near_their_values(
    xs: list[float],
) -> None:
    dots = stack(xs, 2.0)

    columns = sorted({x for x, _ in dots})
    assert len(dots) == len(xs)
    assert all(b - a >= 1.999 for a, b in pairwise(columns))
    for (x, _), value in zip(dots, sorted(xs), strict=True):
        assert abs(x - value) <= 2.001
