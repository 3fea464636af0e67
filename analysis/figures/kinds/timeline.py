"""The timeline: what happens inside runs, with what is left out of their values.

It marks where derive warns that a run warms up or changes its level, and finds nothing
by rules of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotnine as p9
import polars as pl

from analysis.errors import Issue
from analysis.facts.fact import Facts
from analysis.facts.sentences import listed
from analysis.facts.series import RunSeries
from analysis.facts.units import format_number, how_many
from analysis.figures import page, words
from analysis.figures.grammar import marks
from analysis.figures.grammar.curves import draw_heading
from analysis.figures.grammar.scales import linear_breaks, value_ends, value_labels
from analysis.figures.grammar.theme import axis_height, plot_of
from analysis.figures.kind import FigureKind
from analysis.figures.select import PANEL, SCHEMA, fact_frame, groups, only
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet, legend_lines, widest
from analysis.figures.svg import AXIS, Panel

_INSIDE = ("start", "seconds", "warm_up", "changes_at", "changes_to")
COLUMNS = (
    "workload", "metric", "configuration", "record", "run", "start", "seconds",
    "value", "unit", "kept", "warm_up", "changes_at", "changes_to", "origin", "key",
)  # fmt: skip
_OF_LINES = (*PANEL, "workload")
_PANEL, _LINE = 36.0, 4.6  # mm: a panel, a line of words
_PALE = 0.45  # of white in the colour of a run's line
_STEADY = 3.0  # percent that a median may move inside a run and hold its level
_ENDS = 0.03  # of the axis of x, free at its ends for half a label


def data_timeline(facts: Facts, setting: Setting) -> pl.DataFrame:
    """Each configuration's median, followed by the intervals of its runs in order."""
    frame = fact_frame(facts, setting, "value").filter(pl.col("role").is_null())
    of: dict[tuple[str, str, str], list[RunSeries]] = {}
    for one in setting.series:
        of.setdefault((one.metric, one.workload, one.configuration), []).append(one)
    none = dict.fromkeys((*_INSIDE, "kept"))
    rows = list[dict[str, Any]]()
    for row in frame.iter_rows(named=True):
        rows.append(row | none)
        known = of.get((row["metric"], row["workload"], row["configuration"]), [])
        rows += [made for one in known for made in _intervals(row, one)]
    numbers = dict.fromkeys(_INSIDE, pl.Float64())
    return pl.DataFrame(rows, schema={**SCHEMA, **numbers, "kept": pl.Boolean()})


def _intervals(fact: dict[str, Any], one: RunSeries) -> list[dict[str, Any]]:
    """A row for each interval of a run; the fact of its configuration has the rest."""
    nothing = dict.fromkeys(("low", "high", "n", "verdict", "printed", "confidence"))
    about = {
        "record": "interval", "run": one.run, "origin": one.origin,
        "warm_up": one.warm_up, "changes_at": one.changes_at,
        "changes_to": one.changes_to,
    }  # fmt: skip
    return [
        fact | nothing | about
        | {"start": start, "seconds": seconds, "value": value, "kept": kept}
        for start, seconds, value, kept in zip(
            one.starts, one.seconds, one.values, one.kept, strict=True
        )
    ]  # fmt: skip


def check_intervals(frame: pl.DataFrame, setting: Setting) -> list[Issue]:
    """An issue for each metric that no log tells by interval."""
    told = set(_lines(frame)["metric"])
    mend = (
        "draw rate or throughput of runs whose logs have intervals, as of iperf3, "
        "uperf -i 1 or netperf -D, or kind: value"
    )
    return [
        Issue(f"figure {setting.figure.id}: no log tells {id} by interval",
              setting.place, mend)
        for id in setting.figure.metrics
        if id not in told
    ]  # fmt: skip


def _lines(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.filter(pl.col("record") == "interval")


def medians_of(lines: pl.DataFrame) -> list[tuple[float, float, float]]:
    """The start, end and value of each step of the median of some runs.

    Its steps are as long as the median interval. A step has the median of what the
    runs have in its middle, where at least half of them have something there.
    """
    runs = [
        run.sort("start").select("start", "seconds", "value").to_numpy()
        for _, run in groups(lines, "run")
    ]
    if not runs:
        return []
    step = float(np.median(np.concatenate([run[:, 1] for run in runs])))
    first = min(float(run[0, 0]) for run in runs)
    end = max(float(run[-1, :2].sum()) for run in runs)
    steps = []
    for nth in range(round((end - first) / step)):
        start = first + nth * step
        there = [v for run in runs if (v := _at(run, start + step / 2)) is not None]
        if 2 * len(there) >= len(runs):
            steps.append((start, start + step, float(np.median(there))))
    return steps


def _at(run: Any, time: float) -> float | None:
    """The value of a run at a time; None where no interval has it."""
    nth = int(np.searchsorted(run[:, 0], time, side="right")) - 1
    if nth < 0 or time > run[nth, 0] + run[nth, 1]:
        return None
    return float(run[nth, 2])


def words_timeline(frame: pl.DataFrame, setting: Setting) -> page.Words:
    """Finding, subtitle, foot line and alt text of a timeline."""
    lines = _lines(frame)
    runs, drawn = lines.unique(["metric", "run"]), set(lines["run"])
    parts = ["thin line: a run, thick line: their median"]
    wanted = sum(only(frame, "fact").unique("configuration")["n"].fill_null(0))
    if lacking := max(wanted - len(drawn), 0) * (lines["workload"].n_unique() == 1):
        parts.append(f"{how_many(lacking, 'run')} without intervals not drawn")
    if not lines["kept"].all():
        parts.append("shaded: left out of the value of each run")
    if _warm_ups(lines):
        parts.append("dashed: a warm-up seems to end, which is in the value")
    if runs["changes_at"].count():
        parts.append("ring: the level of a run changes")
    return page.Words(
        _finding(lines, setting),
        "Each step is the mean of an interval that the log of a run tells.",
        words.foot_line(parts, frame),
        f"Line chart over the seconds of a run. {_told(lines, setting)}",
    )


def _warm_ups(lines: pl.DataFrame) -> list[tuple[str, str, float]]:
    """Metric, configuration and median end of each warm-up that is proposed."""
    runs = lines.unique(["metric", "workload", "run"], maintain_order=True)
    known = runs.drop_nulls("warm_up")
    return [
        (metric, id, float(part["warm_up"].median()))  # type: ignore[arg-type]
        for (metric, id), part in groups(known, "metric", "configuration")
    ]


def _finding(lines: pl.DataFrame, setting: Setting) -> str:
    """What is warned of; else how far medians move inside a run, where most."""
    ends: dict[str, list[str]] = {}
    for _, id, at in _warm_ups(lines):
        ends.setdefault(f"{at:.3g} s", []).append(setting.label(id))
    said = [
        f"{listed(dict.fromkeys(names))} seem{'s' * (len(set(names)) == 1)} to warm up "
        f"for {at}"
        for at, names in ends.items()
    ]
    runs = lines.unique(["workload", "run"], maintain_order=True)
    if changed := runs["changes_at"].count():
        said.append(f"the level changes inside {changed} of {runs.height} runs")
    if said:
        text = "; ".join(said)
        return text[0].upper() + text[1:]
    moves = [
        (f"{setting.metrics[metric].label} of {workload}", _moves(part))
        for (metric, _, workload), part in groups(lines.filter("kept"), *_OF_LINES)
    ]
    what, changes = max(moves, key=lambda each: max(map(abs, each[1]), default=0.0))
    return f"{what} {_way(changes)} from the first interval of a run to the last"


def _moves(part: pl.DataFrame) -> list[float]:
    """The change of each configuration's median inside a run, in percent."""
    medians = (medians_of(of) for _, of in groups(part, "configuration"))
    ends = [(of[0][2], of[-1][2]) for of in medians if of and of[0][2] > 0]
    return [100 * (last / first - 1) for first, last in ends]


def _way(changes: Sequence[float]) -> str:
    """``falls by 30 to 31%``; what moves little holds its level."""
    sizes = [f"{size:.0f}" for size in sorted(map(abs, changes))]
    if not changes or max(map(abs, changes)) < _STEADY:
        return "holds its level"
    size = " to ".join(dict.fromkeys((sizes[0], sizes[-1])))
    if min(changes) < 0 < max(changes):
        return f"moves by up to {sizes[-1]}%"
    return f"{'falls' if changes[0] < 0 else 'rises'} by {size}%"


def _told(lines: pl.DataFrame, setting: Setting) -> str:
    """Sentences on each line, for readers who cannot see them."""
    told = []
    for (metric, _, workload), panel in groups(lines, *_OF_LINES):
        head = (
            f"{setting.metrics[metric].label} of {workload} in {words.unit_of(panel)}"
        )
        sides = []
        for (id,), part in groups(panel, "configuration"):
            values = [value for *_, value in medians_of(part)]
            first, last = (format_number(values[at]) for at in (0, -1))
            low, high = format_number(min(values)), format_number(max(values))
            runs = how_many(part["run"].n_unique(), "run")
            sides.append(
                f"{setting.label(id)}, {runs}, median {first} in the first interval "
                f"and {last} in the last, between {low} and {high}"
            )
        told.append(f"{head}: {'; '.join(sides)}.")
    return " ".join(told)


def plot_timeline(frame: pl.DataFrame, setting: Setting, sheet: Sheet) -> None:
    """A panel a metric and workload; runs as pale steps, their medians above them."""
    format, lines = sheet.format, _lines(frame)
    panels = [part for _, part in groups(lines, *_OF_LINES)]
    ends = [value_ends(part["value"].to_list()) for part in panels]
    breaks = [linear_breaks(each, 4) for each in ends]
    labels = [text for each in breaks for text in value_labels(each)]
    x = (widest(labels, format.small) + AXIS + 0.4, format.width)
    named = [(setting.colours[id], setting.label(id)) for id in setting.configurations]
    legend = legend_lines(named, x[1] - x[0], format)
    sheet.y = sheet.legend((x[0], sheet.y), legend, _LINE) + 1.0
    layers = list[Any]()
    first = min(lines["start"])
    last = max(lines["start"] + lines["seconds"])
    for number, (part, span) in enumerate(zip(panels, ends, strict=True), 1):
        heading = marks.value_heading(setting, part, "workload")
        draw_heading(sheet, heading, x[0])
        y = (sheet.y, sheet.y + _PANEL)
        sheet.panels.append(Panel(x, y, number == len(panels), span))
        layers += _layers(part.with_columns(panel=pl.lit(number)), setting, span)
        keys = " ".join(part["key"].unique(maintain_order=True))
        sheet.hit(x, y, keys, part["workload"][0])
        sheet.y = y[1] + 2.4
    sheet.y += axis_height(format, lines=2) - 1.4
    at = (sum(x) / 2, sheet.y - format.small * page.POINT / 2)
    sheet.text(at, "seconds of a run", format.small, page.SOFT, align="center")
    steps = [b for b in linear_breaks((first, last), 8) if first <= b <= last]
    layers += [
        p9.scale_x_continuous(
            breaks=steps, labels=value_labels(steps), limits=(first, last),
            expand=(_ENDS, 0),
        ),
        p9.scale_y_continuous(
            breaks=lambda limits: linear_breaks(limits, 4), labels=value_labels
        ),
    ]  # fmt: skip
    sheet.plot = plot_of(layers, format, axes="free_y")


def _layers(part: pl.DataFrame, setting: Setting, span: tuple[float, float]) -> Any:
    """What is left out, runs, warm-ups and medians of one panel, from back to front."""
    number, (foot, top) = part["panel"][0], span
    reach = _frame([(number, min(part["start"]), y) for y in span], ("panel", "x", "y"))
    yield p9.geom_blank(p9.aes("x", "y"), reach)
    out = _left_out(part).with_columns(panel=pl.lit(number), foot=foot, top=top)
    if out.height:
        box = p9.aes(xmin="start", xmax="end", ymin="foot", ymax="top")
        yield p9.geom_rect(box, out, fill=page.BAND)
    line = p9.aes("x", "y", color="colour", group="line")
    runs, strong, rings, dashes = [], [], [], []
    for (id,), of in groups(part, "configuration"):
        colour = setting.colours[id]
        for (run,), steps in groups(of, "run"):
            places = _corners(steps.select("start", "seconds", "value").rows())
            pale = _pale(colour)
            runs += [(number, x, y, pale, f"{id} {run}") for x, y in places]
            row = steps.row(0, named=True)
            if (at := row["changes_at"]) is not None:
                y = _at(steps.select("start", "seconds", "value").to_numpy(), at)
                rings.append((number, at, y, colour, id))
        median = [(a, b - a, value) for a, b, value in medians_of(of)]
        strong += [(number, x, y, colour, id) for x, y in _corners(median)]
        dashes += [(number, at, colour, foot, top) for _, _, at in _warm_ups(of)]
    names = ("panel", "x", "y", "colour", "line")
    yield p9.geom_path(line, _frame(runs, names), size=0.35)
    if dashes:
        upright = p9.aes(x="x", xend="x", y="foot", yend="top", color="colour")
        told = _frame(dashes, ("panel", "x", "colour", "foot", "top"))
        yield p9.geom_segment(upright, told, linetype="dashed", size=0.5)
    yield p9.geom_path(line, _frame(strong, names), size=1.1)
    if rings:
        look: dict[str, Any] = {"shape": "o", "size": 2.4, "stroke": 0.6}
        dots = p9.aes("x", "y", color="colour")
        yield p9.geom_point(dots, _frame(rings, names), fill="none", **look)


def _frame(rows: Sequence[tuple[Any, ...]], names: Sequence[str]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=list(names), orient="row")


def _left_out(part: pl.DataFrame) -> pl.DataFrame:
    """From when to when the intervals at either end are not in the value of a run: the
    latest begin and the earliest end over all runs that have some in it."""
    kept = part.filter("kept").group_by("run").agg(
        first=pl.col("start").min(), last=(pl.col("start") + pl.col("seconds")).max()
    )  # fmt: skip
    if kept.is_empty() or part["kept"].all():
        return pl.DataFrame(schema={"start": pl.Float64, "end": pl.Float64})
    begin, end = min(part["start"]), max(part["start"] + part["seconds"])
    spans = [(begin, kept["first"].median()), (kept["last"].median(), end)]
    return pl.DataFrame(
        [span for span in spans if span[1] - span[0] > 0.02 * (end - begin)],
        schema={"start": pl.Float64, "end": pl.Float64}, orient="row",
    )  # fmt: skip


def _corners(steps: Sequence[tuple[float, float, float]]) -> list[tuple[float, float]]:
    """The corners of a line of steps of these starts, lengths and values."""
    return [
        place
        for start, seconds, value in steps
        for place in ((start, value), (start + seconds, value))
    ]


def _pale(colour: str) -> str:
    """A colour mixed with white."""
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    mixed = (round(part + (255 - part) * _PALE) for part in parts)
    return "#" + "".join(f"{part:02x}" for part in mixed)


KIND = FigureKind(
    id="timeline",
    data=data_timeline,
    words=words_timeline,
    plot=plot_timeline,
    draws="rate or throughput over the seconds of runs, and what of these is left out",
    answers="do runs warm up, or change inside?",
    caption="what happens inside runs, {all}",
    reads="A thin line is one run, a thick one the median of the runs at each time.",
    key=(
        ("steps", "median of the runs in each interval"),
        ("dashed limit", "a warm-up seems to end"),
        ("ring", "the level of a run changes"),
    ),
    check_data=check_intervals,
    columns=COLUMNS,
)
