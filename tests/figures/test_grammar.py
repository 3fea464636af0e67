"""The parts of the grammar that are ours: geoms, facets, scales, places of rows."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
import polars as pl
import pytest
from matplotlib.collections import LineCollection, PolyCollection
from plotnine import aes, ggplot, scale_color_identity, scale_fill_identity, theme_void

from analysis.figures.grammar.facets import facet_panels
from analysis.figures.grammar.geoms import (
    geom_ground,
    geom_interval,
    geom_origin,
    geom_rule,
    geom_words,
)
from analysis.figures.grammar.rows import lay_out
from analysis.figures.grammar.scales import (
    change_labels,
    linear_breaks,
    ratio_trans,
    scale_change,
    value_ends,
    value_labels,
)
from analysis.figures.page import NARROW, WIDE
from analysis.figures.select import as_frame

ROWS = pd.DataFrame(
    {
        "panel": [1, 1, 2],
        "y": [-3.0, -8.0, -3.0],
        "ymin": [-5.0, -10.0, -5.0],
        "ymax": [-1.0, -6.0, -1.0],
        "zero": [0.0, 0.0, 0.0],
        "value": [-40.0, 20.0, 5.0],
        "low": [-45.0, None, 4.0],
        "high": [-35.0, None, 6.0],
        "capped": [False, False, True],
        "look": ["measured", "synthetic", "modelled"],
        "fill": ["#009e73", "#d55e00", "#6f6f6f"],
    }
)


def axes_with(*parts: object):
    """The axes of two panels with some layers."""
    plot = ggplot(ROWS) + facet_panels([10.0, 5.0], [1, 1]) + theme_void()
    for part in (*parts, scale_color_identity(), scale_fill_identity()):
        plot += part
    figure = plot.draw()
    plt.close(figure)
    return figure.axes


def test_words_stand_at_shares_of_the_panel_and_keep_their_links() -> None:
    cells = ROWS.assign(label=["a", "b", ""], place=[0.0, 1.0, 0.5], url=["#x", "", ""])
    axes = axes_with(
        geom_words(aes(y="y", label="label", place="place", url="url"), cells)
    )

    texts = axes[0].texts
    assert [(t.get_text(), t.get_position()[0]) for t in texts] == [("a", 0), ("b", 1)]
    assert [t.get_url() for t in texts] == ["#x", None]
    assert not axes[1].texts


def test_an_interval_has_a_small_mark_and_a_prediction_has_ends() -> None:
    places = aes(x="value", xmin="low", xmax="high", y="y", capped="capped")
    measured, predicted = axes_with(geom_interval(places))

    (thick,) = (c for c in measured.collections if isinstance(c, LineCollection))
    (thin,) = (c for c in predicted.collections if isinstance(c, LineCollection))
    assert len(thick.get_segments()) == 1  # the other row has no interval
    assert len(thin.get_segments()) == 3
    assert thick.get_linewidth()[0] > thin.get_linewidth()[0]


def test_bars_of_each_origin_are_named_for_their_patterns() -> None:
    places = aes(
        xmin="zero", xmax="value", ymin="ymin", ymax="ymax", fill="fill", look="look"
    )
    axes = axes_with(geom_origin(places))

    names = [c.get_gid() for a in axes for c in a.collections]
    assert names == ["origin-measured", "origin-synthetic", "origin-modelled"]


def test_the_ground_shades_the_limit_and_draws_zero_in_every_row() -> None:
    limits = ROWS.assign(x=-5.0, xend=5.0, least=-10.0, most=10.0)
    places = aes(ymin="ymin", ymax="ymax", x="x", xend="xend", xintercept="zero",
                 xmin="least", xmax="most")  # fmt: skip
    first, _ = axes_with(geom_ground(places, limits))

    (shade,) = (c for c in first.collections if isinstance(c, PolyCollection))
    corners = {x for path in shade.get_paths() for x, _ in path.vertices}
    assert corners == {-5.0, 5.0}
    assert first.get_xlim()[0] <= -10.0


def test_a_rule_reaches_beyond_its_panel() -> None:
    rules = pd.DataFrame({"panel": [1, 2], "y": [-1.0, -1.0]})
    first, _ = axes_with(geom_rule(aes(y="y"), rules, before=0.5, after=0.2))

    (rule,) = first.collections
    assert [x for x, _ in rule.get_segments()[0]] == [-0.5, 1.2]


def test_panels_share_axes_by_group() -> None:
    data = pd.DataFrame({"panel": [1, 2, 3], "x": [1.0, 50.0, 900.0], "y": [0.0] * 3})
    plot = ggplot(data, aes("x", "y")) + facet_panels([1, 1, 1], [1, 1, 2])
    figure = plot.draw()
    plt.close(figure)

    first, second, third = (axes.get_xlim() for axes in figure.axes)
    assert first == second != third
    shown = [a.xaxis.get_tick_params()["labelbottom"] for a in figure.axes]
    assert shown == [False, True, True]


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
    wide = lay_out(frame, WIDE, ("metric", "role"), "workload")
    phone = lay_out(frame, NARROW, ("metric", "role"), "workload", lines=2)

    assert wide.frame["panel"].to_list() == [1, 1, 2, 2]
    assert (wide.frame["line_1"] == wide.frame["y"]).all()
    assert (phone.frame["line_1"] > phone.frame["line_2"]).all()
    assert (phone.frame["line_2"] > phone.frame["ymax"]).all()
    assert wide.frame.filter(pl.col("panel") == 1)["y"].is_sorted(descending=True)
