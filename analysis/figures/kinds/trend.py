"""The trend chart: how a saving or a gain moves with payload or clients."""

from __future__ import annotations

import polars as pl

from analysis.declared.metrics import Metric
from analysis.facts.sentences import inside, listed
from analysis.facts.units import format_percent
from analysis.figures import page, words
from analysis.figures.grammar import curves
from analysis.figures.grammar.rows import Heading
from analysis.figures.kind import FigureKind
from analysis.figures.kinds.delta import data_delta, delta_foot
from analysis.figures.select import groups, only
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet


def words_trend(frame: pl.DataFrame, setting: Setting) -> page.Words:
    """Finding, subtitle, foot line and alt text of a trend chart."""
    lines = lines_of(frame, setting)
    *_, steps = curves.x_of(only(frame, "fact")["workload"].to_list())
    paths = [_path(line, setting) for _, line in groups(lines, "metric", "series")]
    text = "; ".join(paths)
    subtitle = (
        "Change of the median, up is better. "
        f"{curves.scale_words(curves.are_ratios(steps), log_y=False)}"
    )
    return page.Words(
        text[0].upper() + text[1:],
        subtitle.strip(),
        delta_foot(frame, setting, words.CURVES),
        f"Line chart. {text[0].upper()}{text[1:]}.",
    )


def plot_trend(frame: pl.DataFrame, setting: Setting, sheet: Sheet) -> None:
    """A panel a metric, a line a role and test; what is better goes up."""
    title, _, steps = curves.x_of(only(frame, "fact")["workload"].to_list())
    lines = lines_of(frame, setting)
    headings = [
        _heading(setting.metrics[m])
        for m in lines["metric"].unique(maintain_order=True)
    ]
    curves.draw_curves(
        curves.Curves(lines, headings, title, steps, percent=True), sheet
    )


def lines_of(frame: pl.DataFrame, setting: Setting) -> pl.DataFrame:
    """The changes as lines: ``y`` up where better; lines that are alike are one."""
    facts = only(frame, "fact")
    _, values, _ = curves.x_of(facts["workload"].to_list())
    several, parts = len(setting.tests) > 1, []
    for number, ((metric,), part) in enumerate(groups(facts, "metric"), 1):
        sign = -1 if setting.metrics[metric].better == "lower" else 1
        alike: dict[tuple[str, ...], list[pl.DataFrame]] = {}
        for _, line in groups(part, "role", "configuration"):
            alike.setdefault(tuple(line["printed"]), []).append(line)
        ends = ("low", "high") if sign > 0 else ("high", "low")
        low, high = (sign * pl.col(end) for end in ends)
        printed = [
            format_percent(sign * value, (resolution or 0) / 2)
            for value, resolution in facts.select("value", "resolution").iter_rows()
        ]
        print_of = dict(zip(facts["key"], printed, strict=True))
        for i, same in enumerate(alike.values()):
            rows = [line.row(0, named=True) for line in same]
            names = [
                ", ".join(filter(None, [r["role"], r["name"] * several])) for r in rows
            ]
            parts.append(
                same[0].with_columns(
                    panel=pl.lit(number),
                    x=pl.col("workload").replace_strict(
                        values, return_dtype=pl.Float64
                    ),
                    y=sign * pl.col("value"),
                    low=low,
                    high=high,
                    stated=sign * pl.col("stated"),
                    series=pl.lit(listed(filter(None, names)) or rows[0]["name"]),
                    printed=pl.col("key").replace_strict(print_of),
                    colour=pl.lit(page.TESTS[i % len(page.TESTS)]),
                )
            )
    return pl.concat(parts)


def _heading(metric: Metric) -> Heading:
    return Heading(f"{_way(metric)} of {inside(metric.label)}", "higher is better")


def _way(metric: Metric) -> str:
    return "Saving" if metric.better == "lower" else "Gain"


def _path(line: pl.DataFrame, setting: Setting) -> str:
    """``saving of CPU cost grows from 25% at 4 kB to 50% at 32 kB (client)``."""
    _, values, steps = curves.x_of(line["workload"].to_list())
    ordered = sorted(line.to_dicts(), key=lambda row: values[row["workload"]])
    metric = setting.metrics[line["metric"][0]]
    of = f"{_way(metric).lower()} of {inside(metric.label)}"
    whose = f" ({line['series'][0]})"
    first, last = ordered[0], ordered[-1]
    at = [
        f"{r['printed'].removeprefix('+')} at {steps[values[r['workload']]]}"
        for r in (first, last)
    ]
    if len(ordered) == 1:
        return f"{of} {at[0]}{whose}"
    verb = "grows" if last["y"] > first["y"] else "shrinks"
    return f"{of} {verb} from {at[0]} to {at[1]}{whose}"


KIND = FigureKind(
    id="trend",
    data=data_delta,
    words=words_trend,
    plot=plot_trend,
    draws="savings or gains over payload or clients, what is better going up",
    answers="does a gain grow with the payload?",
    caption="{gain} by {x}, {pairs}",
    reads="What is better goes up: a line that rises gains more with each step.",
    key=(
        ("line", "change of each load, turned so that up is better"),
        ("interval", "interval, where longer than its mark"),
    ),
    compares=True,
    better="Higher is better.",
    overlays=("delta",),
)
