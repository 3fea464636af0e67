"""The scaling chart: values over clients or payload, a line a configuration.

It looks for where lines turn: they cross, or they level off.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from analysis.declared.workload import parse_workload
from analysis.errors import Issue
from analysis.facts.fact import Facts
from analysis.facts.sentences import inside, listed
from analysis.figures import page, words
from analysis.figures.chart import charts_of_lines
from analysis.figures.findings import levels_of
from analysis.figures.grammar import curves, marks
from analysis.figures.kind import FigureKind
from analysis.figures.published import foot_of_published, with_stated
from analysis.figures.select import PANEL, fact_frame, groups, only
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet

# A panel of lines; ``family`` is what its workloads have in common.
PANEL_OF_LINES = (*PANEL, "family")
_CLEAR = 0.03  # of the ratio of two lines, from which on one is above the other
_GROWN = 0.97  # of the most, from which on a load no longer grows


def data_scaling(facts: Facts, setting: Setting) -> pl.DataFrame:
    """Every configuration's medians, with what was published of them."""
    frame = fact_frame(facts, setting, "value")
    medians = only(with_stated(frame, setting, "value"), "fact")
    return medians.with_columns(family=families_of(medians["workload"].to_list()))


def words_scaling(frame: pl.DataFrame, setting: Setting) -> page.Words:
    """Finding, subtitle, foot line and alt text of a scaling chart."""
    title, _, steps = curves.x_of(frame["workload"].to_list())
    turns = [cross.said for cross in crossings(frame, setting)] + [
        f"{inside(setting.metrics[m].label)} grows no more from {steps[x]} {title} on"
        + f" ({setting.label_list(ids)})" * (frame["configuration"].n_unique() > 1)
        for _, m, ids, x in knees(frame)
    ]
    text = "; ".join(turns) or levels_of(frame, setting) or _moves(frame, setting)
    logs = _logs(frame, steps)
    parts = [words.interval_words(frame, words.CURVES)]
    parts += foot_of_published(frame, setting, "value")
    return page.Words(
        text[0].upper() + text[1:],
        curves.scale_words(*logs),
        words.foot_line(parts, frame, words.CURVES),
        f"Line chart. {words.told_medians(frame, setting)}",
    )


def plot_scaling(frame: pl.DataFrame, setting: Setting, sheet: Sheet) -> None:
    """A panel a metric and role over one axis; marks where lines cross or level off."""
    title, values, steps = curves.x_of(frame["workload"].to_list())
    panels = [part for _, part in groups(frame, *PANEL_OF_LINES)]
    placed = pl.concat(
        part.with_columns(panel=pl.lit(number)) for number, part in enumerate(panels, 1)
    ).with_columns(
        x=pl.col("workload").replace_strict(values),
        y=pl.col("value"),
        # runs and predictions make one line, and marks tell them apart
        series=pl.when(pl.col("look").n_unique().over("configuration") > 1)
        .then(pl.col("configuration").map_elements(setting.label, pl.String))
        .otherwise(pl.col("name")),
    )
    turns = [_mark_of(cross, steps) for cross in crossings(frame, setting)]
    turns += [
        curves.Mark(panel, x, f"no growth beyond {steps[x]}")
        for panel, _, _, x in knees(frame)
    ]
    by = "family" * (frame["family"].n_unique() > 1)
    headings = [marks.value_heading(setting, panel, by) for panel in panels]
    # on two even axes, a line through zero is what grows in proportion
    zero = not curves.are_ratios(steps)
    drawn = marks.coloured(placed, setting)
    curves.draw_curves(
        curves.Curves(drawn, headings, title, steps, marks=turns, zero=zero), sheet
    )


def check_loads(frame: pl.DataFrame, setting: Setting) -> list[Issue]:
    """An issue where there is one load alone, which makes no line."""
    names = frame["workload"].unique().to_list()
    if len(names) > 1:
        return []
    what = f"figure {setting.figure.id}: {names[0]} alone makes no line"
    return [Issue(what, setting.place, "choose more workloads, or draw kind: value")]


def families_of(workloads: list[str]) -> pl.Series:
    """What each workload is without the number on the axis: ``RR (100B)``, ``STR3``."""
    title, _, _ = curves.x_of(workloads)
    works = map(parse_workload, workloads)
    if title == curves.PAYLOAD:
        names = [f"{w.shape}{w.clients}" for w in works]
    else:
        names = [f"{w.shape} {w.name[w.name.index('(') :]}" for w in works]
    return pl.Series(names, dtype=pl.String)


def _moves(frame: pl.DataFrame, setting: Setting) -> str:
    """Where neither line is ahead throughout, and none crosses another."""
    names = frame["metric"].unique(maintain_order=True)
    labels = listed(inside(setting.metrics[id].label) for id in names)
    return f"no configuration is ahead in {labels} throughout"


def _mark_of(cross: Crossing, steps: dict[float, str]) -> curves.Mark:
    """The place where two lines cross, with ``lines cross between 4 and 32 kB``."""
    before, after = (steps[end] for end in cross.ends)
    label = f"lines cross between {_first(before, after)} and {after}"
    return curves.Mark(cross.panel, cross.at[0], label, cross.at[1])


def _first(before: str, after: str) -> str:
    """The first of two sizes, without a unit that both have: ``4`` of ``4 kB``."""
    number, _, unit = before.partition(" ")
    return number if unit == after.partition(" ")[2] else before


@dataclass(frozen=True)
class Crossing:
    """Between which values of x two lines of a panel cross, where they do as they are
    drawn, and a sentence."""

    panel: int
    ends: tuple[float, float]
    at: tuple[float, float]
    said: str


def crossings(frame: pl.DataFrame, setting: Setting) -> list[Crossing]:
    """Where a test's line crosses that of its baseline."""
    _, values, steps = curves.x_of(frame["workload"].to_list())
    log_x, log_y = _logs(frame, steps)
    crossed = []
    for panel, ((metric, role, _), part) in enumerate(
        groups(frame, *PANEL_OF_LINES), 1
    ):
        lines = {
            id: {values[w]: v for w, v in line.select("workload", "value").iter_rows()}
            for (id,), line in groups(part, "configuration")
        }
        of = words.spoken_name(setting.metrics[metric], role)
        guessed = set(part.filter(pl.col("model").is_not_null())["configuration"])
        for test in (t for t in setting.tests if t in lines):
            base = setting.study.baseline_of(test)
            for ends, way in _meetings(lines[test], lines.get(base, {})):
                said = (
                    f"{setting.label(test)} has the {way} {of} from {steps[ends[1]]} on"
                    + " (predicted)" * bool(guessed & {test, base})
                )
                at = _where(lines[test], lines[base], ends, (log_x, log_y))
                crossed.append(Crossing(panel, ends, at, said))
    return crossed


def _meetings(
    test: dict[float, float], base: dict[float, float]
) -> Iterator[tuple[tuple[float, float], str]]:
    """Between which values of x two lines cross, and which way the first goes."""
    both = sorted(set(test) & set(base))
    ratios = [math.log(test[x] / base[x]) for x in both]
    for (x0, r0), (x1, r1) in itertools.pairwise(zip(both, ratios, strict=True)):
        if min(r0, r1) < -_CLEAR and max(r0, r1) > _CLEAR:
            yield (x0, x1), "lower" if r1 < 0 else "higher"


def _logs(frame: pl.DataFrame, steps: dict[float, str]) -> tuple[bool, bool]:
    """Which axes show ratios, that of x and those of y."""
    panels = (panel["value"] for _, panel in groups(frame, *PANEL_OF_LINES))
    log = curves.are_ratios(steps)
    return log, log and any(map(curves.is_wide, panels))


def _where(
    test: dict[float, float],
    base: dict[float, float],
    ends: tuple[float, float],
    logs: tuple[bool, bool],
) -> tuple[float, float]:
    """Where two lines meet between two values of x, straight as they are drawn."""
    log_x, log_y = logs
    x0, x1 = (curves.scaled(x, log_x) for x in ends)
    first, last = (
        [curves.scaled(line[x], log_y) for line in (test, base)] for x in ends
    )
    gap, after = first[0] - first[1], last[0] - last[1]
    share = gap / (gap - after)
    at = x0 + share * (x1 - x0), first[0] + share * (last[0] - first[0])
    x, y = (10**v if log else v for v, log in zip(at, logs, strict=True))
    return float(x), float(y)


def knees(frame: pl.DataFrame) -> list[tuple[int, str, list[str], float]]:
    """Where values grow no more with clients: panel, metric, configurations and x."""
    title, values, _ = curves.x_of(frame["workload"].to_list())
    ids_of: dict[tuple[int, str, float], list[str]] = {}
    for panel, ((metric, _, _), part) in enumerate(groups(frame, *PANEL_OF_LINES), 1):
        if title == curves.PAYLOAD or part["better"][0] != "higher":
            continue
        for (id,), values_of in groups(part, "configuration"):
            line = sorted(
                (values[row["workload"]], row["value"]) for row in values_of.to_dicts()
            )
            most = max(value for _, value in line)
            first = next(x for x, value in line if value >= _GROWN * most)
            if first < line[-1][0]:
                ids_of.setdefault((panel, metric, first), []).append(id)
    return [(panel, metric, ids, x) for (panel, metric, x), ids in ids_of.items()]


KIND = FigureKind(
    id="scaling",
    data=data_scaling,
    words=words_scaling,
    plot=plot_scaling,
    chart=charts_of_lines,
    draws="values over payload or clients, with crossings and ends of growth",
    answers="how far does it scale, and from where on is one ahead?",
    caption="{all}, by {x}",
    reads=(
        "A line is one configuration, from load to load. Where two cross, the other "
        "one is ahead from there on."
    ),
    key=(
        ("line", "median of each load"),
        ("dashed line", "predicted, where nothing ran"),
        ("crossing", "two lines cross"),
    ),
    check_data=check_loads,
    overlays=("value",),
)
