"""Charts for office programs: the same numbers, names and colours as the drawings."""

from __future__ import annotations

import pytest

from analysis.figures.kind import KINDS, Chart
from analysis.figures.page import VERDICT_COLOURS
from tests.figures.drawn import make_drawing
from tests.figures.test_layout import CASES


def charts(case: str) -> tuple[list[Chart], list[float]]:
    """The charts of a case, and the values of its facts."""
    drawing = make_drawing(*CASES[case]())
    assert drawing.kind.chart
    facts = drawing.frame.filter(record="fact")
    return drawing.kind.chart(drawing.frame, drawing.setting), facts["value"].to_list()


@pytest.mark.parametrize("kind", ["delta", "compare", "value", "scaling", "stacked"])
def test_a_chart_has_each_number_of_its_figure_once(kind: str) -> None:
    made, values = charts(f"plain-{kind}")
    shown = [n for c in made for s in c.series for n in s.values if n is not None]
    assert len(shown) > 1
    if kind == "stacked":
        assert sum(shown) == pytest.approx(sum(values))
    else:
        assert sorted(shown) == sorted(values)


def test_a_change_has_the_colour_and_the_word_of_its_verdict() -> None:
    made, _ = charts("plain-delta")
    [names] = {chart.categories for chart in made[:1]}
    colours = made[0].series[0].colours
    for name, colour in zip(names, colours, strict=True):
        if name.endswith("worse"):
            assert colour == VERDICT_COLOURS["regressed"]


def test_axes_of_one_metric_reach_equally_far() -> None:
    made, _ = charts("plain-delta")
    roles = [chart for chart in made if chart.title.startswith("CPU")]
    assert len({chart.axis for chart in roles}) <= 1


def test_kinds_that_office_programs_do_not_know_stay_pictures() -> None:
    known = {id for id, kind in KINDS.items() if kind.chart}
    assert known == {"compare", "delta", "scaling", "stacked", "value"}
