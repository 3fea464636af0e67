"""Sequence diagrams: the messages of a workload in the order of time."""

from __future__ import annotations

import pytest

from analysis.facts.fact import Facts
from analysis.figures.kinds.sequence import check_sequence
from tests.figures.drawn import FORMATS, check_texts, draw, make_setting

SHAPES = ("RR40(100B)", "CRR9(64B/8kB)", "STR3(1B/20MB)")
OPENS, CLOSES = "opens a connection", "closes the connection"


@pytest.mark.parametrize("format", list(FORMATS))
@pytest.mark.parametrize("workload", SHAPES)
def test_nothing_is_cut_off_or_on_something_else(workload: str, format: str) -> None:
    setting = make_setting("sequence", (), workload, "s")
    drawn = draw(Facts(()), setting, FORMATS[format])
    assert check_texts(drawn, format) == []


@pytest.mark.parametrize("workload", SHAPES)
def test_the_two_sides_have_an_outline_as_strong_as_an_arrow(workload: str) -> None:
    drawn = draw(Facts(()), make_setting("sequence", (), workload, "s"))
    paths = [*drawn.root.iter("{http://www.w3.org/2000/svg}path")]
    solid = [path for path in paths if not path.get("stroke-dasharray")]
    boxes = [
        path.get("stroke-width") for path in solid if path.get("d").count("L") == 4
    ]
    tips = {path.get("stroke-width") for path in solid if path.get("d").count("L") == 2}
    assert len(boxes) == 2
    assert {*boxes} == tips


@pytest.mark.parametrize(
    ("workload", "again"),
    [("RR40(100B)", ["request, 100B", "response, 100B"]),
     ("STR3(1B/20MB)", ["request, 1B", "response, 20MB"]),
     ("CRR9(64B/8kB)", [OPENS, "request, 64B", "response, 8kB", CLOSES])],
)  # fmt: skip
def test_what_a_transaction_is_comes_again(workload: str, again: list[str]) -> None:
    alt = draw(Facts(()), make_setting("sequence", (), workload, "s")).words.alt
    told = alt.removesuffix(".").split(". ")[1].split("; ")
    repeated = [one.split(": ")[1] for one in told if one.endswith(" (again)")]
    assert [one.removesuffix(" (again)") for one in repeated] == again


@pytest.mark.parametrize(
    ("workload", "what"), [("LOG3(200B)", "no sequence"), ("x", "not a w")]
)
def test_a_workload_without_a_sequence_is_told(workload: str, what: str) -> None:
    (issue,) = check_sequence(make_setting("sequence", (), workload, "s"))
    assert what in issue.what
