"""Where figures stand is decided from the pages that were laid out."""

from __future__ import annotations

import pytest

from analysis.report.engines.typst_program import (
    Mark,
    in_others,
    within_lists,
    without_room,
)

HEIGHT = 300.0


def marks(*figures: tuple[str, int, float, int]) -> tuple[list[Mark], list[Mark]]:
    """What is told of figures: name, page of the text, room, page of the figure."""
    shown = [
        {"id": i, "page": page, "room": room, "height": HEIGHT}
        for i, page, room, _ in figures
    ]
    return shown, [{"id": i, "page": page} for i, _, _, page in figures]


@pytest.mark.parametrize(
    ("before", "figures", "floats"),
    [
        ([], [("a", 3, 10.0, 3)], []),
        ([], [("a", 3, -10.0, 4)], ["a"]),
        (["a"], [("a", 3, -10.0, 4)], ["a"]),
        # It fits where it floats to above its text, so it fits below that as well.
        (["a"], [("a", 3, -10.0, 3)], []),
        # The second has room, and would stand before the first.
        ([], [("a", 3, -300.0, 4), ("b", 3, 10.0, 3)], ["a", "b"]),
        ([], [("a", 3, -300.0, 4), ("b", 4, 10.0, 4)], ["a"]),
    ],
)
def test_figures_without_room_float(
    before: list[str], figures: list[tuple[str, int, float, int]], floats: list[str]
) -> None:
    assert without_room(before, [], *marks(*figures)) == floats


def test_a_figure_after_one_at_the_foot_of_its_page_floats() -> None:
    told = marks(("a", 3, -10.0, 4), ("b", 4, 10.0, 4), ("c", 5, 10.0, 5))
    assert without_room(["a"], ["a"], *told) == ["a", "b"]
    assert without_room(["a"], [], *told) == ["a"]


def lists(*spans: tuple[int, int]) -> list[Mark]:
    parts = [("begin", first) for first, _ in spans] + [
        ("end", last) for _, last in reversed(spans)
    ]
    return [{"part": part, "page": page} for part, page in parts]


def test_no_figure_stands_at_the_foot_of_a_page_where_another_study_begins() -> None:
    _, stands = marks(("a", 3, -10.0, 4), ("b", 5, -10.0, 6), ("c", 6, -10.0, 6))
    begun: list[Mark] = [{"part": "study", "page": page} for page in (3, 6)]
    assert in_others(["a", "b"], stands, begun) == {"b"}


@pytest.mark.parametrize(
    ("spans", "feet"),
    [
        ([(3, 3)], []),
        ([(3, 4)], ["a", "b"]),
        ([(4, 4)], []),
        ([(4, 5)], []),
        ([(2, 5), (3, 3)], ["a", "b"]),  # a list in a list
    ],
)
def test_a_figure_parts_no_list_that_goes_on(
    spans: list[tuple[int, int]], feet: list[str]
) -> None:
    told = marks(("a", 3, -10.0, 4), ("b", 4, -10.0, 4), ("c", 5, -10.0, 6))
    assert within_lists(["a", "b", "c"], *told, lists(*spans)) == feet
