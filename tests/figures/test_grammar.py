"""The parts of the grammar that are ours: geoms, facets, scales, places of rows."""

from __future__ import annotations

import matplotlib.pyplot as plt
import polars as pl
import pytest
from plotnine import geom_blank

from analysis.figures.grammar.marks import bars, change_ends, change_ground, intervals
from analysis.figures.grammar.rows import Heading, RowTable, WordColumn
from analysis.figures.grammar.scales import (
    _apart,
    change_labels,
    linear_breaks,
    ratio_trans,
    scale_change,
    value_ends,
    value_labels,
)
from analysis.figures.grammar.theme import plot_of
from analysis.figures.page import NARROW, WIDE
from analysis.figures.select import as_frame
from analysis.figures.sheet import Sheet
from analysis.figures.svg import Panel

ROWS = pl.DataFrame(
    {
        "panel": [1, 1, 2],
        "y": [-3.0, -8.0, -3.0],
        "ymin": [-5.0, -10.0, -5.0],
        "ymax": [-1.0, -6.0, -1.0],
        "zero": [0.0, 0.0, 0.0],
        "value": [-40.0, 20.0, 5.0],
        "low": [-45.0, None, 4.0],
        "high": [-35.0, None, 6.0],
        "threshold": [5.0, 5.0, 5.0],
        "model": [None, None, "generation"],
        "look": ["measured", "synthetic", "modelled"],
        "fill": ["#009e73", "#da1e28", "#6f6f6f"],
    }
)


SIDES = ("left", "right")


def axes_with(*layers: object):
    """The axes of two panels with some layers."""
    figure = plot_of(layers, WIDE).draw()
    plt.close(figure)
    return figure.axes


def test_an_interval_has_a_small_mark_and_a_prediction_has_ends() -> None:
    measured, predicted, marks = intervals(ROWS)

    assert measured.data["low"].to_list() == [-45.0]  # one row has no interval
    assert type(predicted).__name__ == "geom_errorbarh"
    assert predicted.data["low"].to_list() == [4.0]
    assert measured.aes_params["size"] > predicted.aes_params["size"]
    assert marks.data.height == 3


def test_bars_of_each_origin_are_named_for_their_patterns() -> None:
    axes = axes_with(bars(ROWS, "zero", "value", "fill", 1.0))

    names = [c.get_gid() for a in axes for c in a.collections]
    assert names == ["origin-measured", "origin-synthetic", "origin-modelled"]


def test_the_ground_shades_the_limit_and_draws_zero_in_every_row() -> None:
    scale = scale_change(ratio=False, room=60.0)
    ends = change_ends(ROWS, [1, 1])
    first, _ = axes_with(*change_ground(ROWS, ends), scale)

    shade, grid, zero = first.collections
    assert {x for path in shade.get_paths() for x, _ in path.vertices} == {-5.0, 5.0}
    assert len({line[0][0] for line in grid.get_segments()}) == len(first.get_xticks())
    assert first.get_xlim()[0] <= -10.0
    lines = zero.get_segments()
    assert [[x for x, _ in line] for line in lines] == [[0.0, 0.0]] * 2


def test_panels_of_one_axis_reach_equally_far() -> None:
    same, own = change_ends(ROWS, axes=[1, 1]), change_ends(ROWS, axes=[1, 2])

    assert same == {1: (-45.0, 20.0), 2: (-45.0, 20.0)}
    assert own == {1: (-45.0, 20.0), 2: (-10.0, 10.0)}


def test_a_panel_lies_where_its_sheet_has_it() -> None:
    sheet = Sheet(WIDE)
    sheet.y = 50.8
    sheet.panels = [Panel((25.4, 50.8), (12.7, 38.1), True, (-25.4, 0.0))]
    rows = pl.DataFrame({"panel": 1, "x": [0.0, 1.0], "zero": 0.0, "low": -25.4})
    bar = rows.with_columns(y=-12.7, look=pl.lit("measured"), fill=pl.lit("#161616"))
    scale = scale_change(ratio=False, room=25.4)
    layers = [bars(bar, "zero", "x", "fill", 12.7), geom_blank(), scale]
    sheet.plot = plot_of(layers, WIDE)

    svg = sheet.svg("x").decode()

    assert 'viewBox="0 0 481.89 144"' in svg
    assert "108L" in svg and " 36L" in svg  # from 38.1 mm up to 12.7 mm, in points


@pytest.mark.parametrize("change", [-98.0, -50.0, 0.0, 100.0, 1953.0])
def test_a_change_survives_the_scale_of_ratios(change: float) -> None:
    assert ratio_trans.inverse(ratio_trans.transform(change)) == pytest.approx(change)


def test_halving_and_doubling_are_equally_far_from_zero() -> None:
    half, double = ratio_trans.transform([-50.0, 100.0])

    assert half == pytest.approx(-double)
    labels = scale_change(ratio=True, room=60.0).labels([-50.0, 0.0, 300.0])
    assert labels == ["−50%", "0", "+300%"]


@pytest.mark.parametrize(
    ("limits", "count", "breaks"),
    [
        ((-60.0, 3.0), 4, [-60.0, -40.0, -20.0, 0.0]),
        ((0.0, 3000.0), 3, [0.0, 1000.0, 2000.0, 3000.0]),
        ((0.3, 0.3), 3, []),
    ],
)
def test_breaks_are_round(limits, count: int, breaks: list[float]) -> None:
    assert linear_breaks(limits, count) == breaks


def test_breaks_lie_within_the_limits_and_stand_apart() -> None:
    wanted = [0.0, 5.0, 10.0, 11.0, -1.0, 6.0]
    assert _apart(wanted, (0, 10), float, 100, 20, beyond=True) == [0, 5, 10]


def test_an_axis_has_more_than_one_label() -> None:
    short = scale_change(ratio=False, room=30.0, gap=11.0)
    assert short.breaks((-49.2, 39.9)) == [-25.0, 0.0, 25.0]
    assert short.breaks((-27.3, 27.3)) == [-20.0, 0.0, 20.0], "as far apart as may be"


def test_labels_have_the_decimals_of_their_steps() -> None:
    assert change_labels([-2.5, 0.0, 2.5]) == ["−2.5%", "0", "+2.5%"]
    assert value_labels([0.5, 1800.0]) == ["0.5", "1,800"]


def test_an_axis_of_values_begins_at_zero_where_they_are_unlike() -> None:
    assert value_ends([10.0, 40.0])[0] == 0.0
    low, high = value_ends([99.0, 101.0], least=0.25)
    assert (high - low) / 100 == pytest.approx(0.25)


def test_rows_stand_below_each_other_and_words_above_marks_on_a_phone() -> None:
    frame = as_frame(
        {"record": "fact", "metric": "latency", "role": role, "workload": name}
        for role in ("client", "server")
        for name in ("RR1(1kB)", "RR2(1kB)")
    )
    columns = [WordColumn(lambda row: row["workload"] * 5, side) for side in SIDES]
    by = (("metric", "role"), lambda _: Heading("h"), "workload")
    wide = RowTable(Sheet(WIDE), frame, columns[:1], *by)
    phone = RowTable(Sheet(NARROW), frame, columns, *by)

    assert wide.frame["panel"].to_list() == [1, 1, 2, 2]
    assert (wide.frame["line_1"] == -wide.frame["y"]).all()
    assert (phone.frame["line_1"] < phone.frame["line_2"]).all()
    assert (phone.frame["line_2"] < -phone.frame["ymax"]).all()
    assert wide.frame.filter(pl.col("panel") == 1)["y"].is_sorted(descending=True)
