"""The range chart: from the best change of each study to its worst, by metric."""

from __future__ import annotations

from typing import Any

import polars as pl
from plotnine import aes, geom_point, scale_shape_identity, scale_size_identity

from analysis.facts.fact import Fact, Facts
from analysis.facts.units import format_percent
from analysis.figures.grammar.changes import (
    change_ground,
    change_scale,
    has_ratios,
    shows_limit,
)
from analysis.figures.grammar.columns import Heading, RowTable, WordColumn, fitting
from analysis.figures.grammar.compose import Composed, compose
from analysis.figures.grammar.geoms import geom_origin
from analysis.figures.grammar.matrix import compose_matrix
from analysis.figures.grammar.rows import lay_out
from analysis.figures.kind import FigureKind
from analysis.figures.page import PageFormat, Words, wrap
from analysis.figures.palette import GROUND, QUIET, VERDICT_COLOURS
from analysis.figures.select import SCHEMA, fact_row, groups
from analysis.figures.setting import Setting
from analysis.figures.words import ENDS, direction, foot_line, spoken_name

_PREDICTED = "predicted"  # in place of a verdict
_ASSUMED = "assumed parameters"  # an estimate that rests on nothing published
_BAR = 0.8  # mm, half the height of a bar
# What the mark of a verdict is called, its shape and its size.
_LOOKS = {
    "improved": ("circle: better", "o", 1.9),
    "regressed": ("square: worse", "s", 1.9),
    "comparable": ("dot: comparable", "o", 1.2),
    "inconclusive": ("open square: inconclusive", "s", 1.9),
    _PREDICTED: ("open circle: predicted", "o", 1.9),
}
_COLUMNS = (
    "study", "name", "metric", "end", "workload", "role", "configuration", "baseline",
    "value", "low", "high", "unit", "n", "verdict", "origin", "model", "key",
)  # fmt: skip


def data_range(facts: Facts, setting: Setting) -> pl.DataFrame:
    """The best and the worst change of each study and metric, a row each.

    ``end`` says which it is; an only change is the best. A figure of one study has the
    ends of each test. ``judged`` are the verdicts of all changes of its row, of those
    too that are not drawn. Estimates from assumed parameters are left out.
    """
    parts: dict[tuple[str, str], list[Fact]] = {}
    judged: dict[str, set[str]] = {}
    for fact in facts.facts:
        if _is_change(fact, setting):
            id = _row_of(fact, setting)
            parts.setdefault((id, fact.metric), []).append(fact)
            judged.setdefault(id, set()).add(fact.verdict or _PREDICTED)
    rows = [
        fact_row(fact)
        | {"study": fact.study, "name": name, "end": end, "judged": sorted(judged[id])}
        for metric in setting.figure.metrics
        for id, name in _names(setting).items()
        if (id, metric) in parts
        for end, fact in _ends(parts[id, metric])
    ]
    more = dict.fromkeys(("study", "name", "end"), pl.String())
    schema = SCHEMA | more | {"judged": pl.List(pl.String())}
    return pl.DataFrame([{k: r.get(k) for k in schema} for r in rows], schema=schema)


def words_range(frame: pl.DataFrame, setting: Setting) -> Words:
    """Finding, subtitle, foot line and alt text of a range chart."""
    finding = _finding(frame, setting)
    subtitle = [
        "From the best change to the worst, in percent of the baseline.",
        "Shaded: too little to count." * shows_limit(frame),
        "Each metric has an axis of its own." * (frame["metric"].n_unique() > 1),
        "Equal steps on an axis are equal ratios." * has_ratios(frame),
    ]
    told = [_told(part, setting) for _, part in groups(frame, "metric")]
    drawn = {verdict or _PREDICTED for verdict in frame["verdict"]}
    shapes = (name for verdict, (name, *_) in _LOOKS.items() if verdict in drawn)
    return Words(
        finding,
        " ".join(filter(None, subtitle)),
        foot_line(shapes, frame, ENDS),
        f"Range chart of the best and the worst changes. {finding}. {' '.join(told)}",
    )


def plot_range(
    frame: pl.DataFrame, setting: Setting, words: Words, format: PageFormat
) -> Composed:
    """Rows of names, a column of marks a metric; on a phone a panel a metric."""
    spans = _spans(frame)
    heads = [_heading(part, setting) for _, part in groups(spans, "metric")]
    if not format.stacked:
        known = set(spans["name"])
        names = [name for name in _names(setting).values() if name in known]
        return compose_matrix(spans, names, heads, words, format, _marks)
    columns = [
        WordColumn(lambda row: _short(row["name"], format), "left", tight=True),
        WordColumn(lambda row: row["printed"], ha="right", line=2, tight=True),
    ]
    format, lines = fitting(spans, columns, format)
    rows = lay_out(spans, format, ["metric"], lines=lines)
    axes = list(range(1, len(heads) + 1))
    table = RowTable(rows, columns, heads, words, format, axes)
    return compose(table, _marks(rows.frame), change_scale(frame, table.room))


def _is_change(fact: Fact, setting: Setting) -> bool:
    """Whether it is a judged or a predicted change of a row, of whichever metric."""
    if fact.kind != "delta" or fact.better == "none":
        return False
    if _row_of(fact, setting) not in (setting.studies or setting.tests):
        return False
    assumed = fact.estimate is not None and fact.estimate.rung == _ASSUMED
    return not assumed and bool(fact.verdict or fact.estimate)


def _row_of(fact: Fact, setting: Setting) -> str:
    return fact.study if setting.studies else fact.configuration


def _names(setting: Setting) -> dict[str, str]:
    """What rows are called: studies by their titles, tests as people call them."""
    if setting.studies:
        return {id: study.title for id, study in setting.studies.items()}
    return {test: setting.labels.get(test) or test for test in setting.tests}


def _ends(facts: list[Fact]) -> list[tuple[str, Fact]]:
    sign = -1 if facts[0].better == "lower" else 1
    ordered = sorted(facts, key=lambda fact: sign * fact.value)
    worst, best = ordered[0], ordered[-1]
    return [("best", best)] + [("worst", worst)] * (len(facts) > 1)


def _spans(frame: pl.DataFrame) -> pl.DataFrame:
    """A row for each name and metric: both ends of its bar, and what is printed."""
    found = []
    for _, part in groups(frame, "metric", "name"):
        best, worst = part.row(0, named=True), part.row(-1, named=True)
        looks = {best["look"], worst["look"]}
        verdicts = {best["verdict"], worst["verdict"]}
        own = {
            "worst": worst["value"],
            "worst_verdict": worst["verdict"],
            "worst_model": worst["model"],
            "printed": " to ".join(dict.fromkeys(part["printed"])),
            "look": looks.pop() if len(looks) == 1 else "modelled",
            "fill": _colour(verdicts.pop() if len(verdicts) == 1 else None),
        }
        found.append(best | own)
    return pl.DataFrame(found, infer_schema_length=None)


def _short(name: str, format: PageFormat) -> str:
    """``Ciphers`` of "Ciphers: AES-CBC against AES-GCM", on one line of a phone."""
    first, *more = wrap(name.partition(": ")[0], format.width - 4, format.text)
    return f"{first} …" if more else first


def _colour(verdict: str | None) -> str:
    return VERDICT_COLOURS.get(verdict, QUIET)  # type: ignore[call-overload]


def _marks(rows: pl.DataFrame) -> list[Any]:
    """The layers of a panel: limits, a bar from end to end, a mark at each end."""
    y = pl.col("y")
    drawn = rows.filter(pl.col("value").is_not_null())
    bars = drawn.with_columns(bottom=y - _BAR, top=y + _BAR).to_pandas()
    ends = pl.DataFrame(
        [
            {"panel": row["panel"], "x": value, "y": row["y"], **_mark(verdict, model)}
            for row in drawn.to_dicts()
            for value, verdict, model in (
                (row["worst"], row["worst_verdict"], row["worst_model"]),
                (row["value"], row["verdict"], row["model"]),
            )
        ],
        infer_schema_length=None,
    ).to_pandas()
    bar = aes(xmin="value", xmax="worst", ymin="bottom", ymax="top", fill="fill",
              look="look")  # fmt: skip
    mark = aes("x", "y", color="colour", fill="ground", shape="shape", size="size")
    return [
        change_ground(rows),
        geom_origin(bar, bars, inherit_aes=False),
        geom_point(mark, ends, inherit_aes=False, stroke=0.5),
        scale_shape_identity(),
        scale_size_identity(),
    ]


def _mark(verdict: str | None, model: str | None) -> dict[str, Any]:
    name, shape, size = _LOOKS[_PREDICTED if model else verdict or _PREDICTED]
    colour = _colour(verdict)
    ground = GROUND if name.startswith("open") else colour
    return {"colour": colour, "ground": ground, "shape": shape, "size": size}


def _heading(part: pl.DataFrame, setting: Setting) -> Heading:
    metric = setting.metrics[part["metric"][0]]
    return Heading(metric.label, direction(part["better"][0]))


def _finding(frame: pl.DataFrame, setting: Setting) -> str:
    """In how many rows something improved and nothing regressed; in how many it did."""
    parts = [set(part["judged"][0]) for _, part in groups(frame, "name")]
    loses = sum("regressed" in verdicts for verdicts in parts)
    gains = sum("improved" in v and "regressed" not in v for v in parts)
    unseen = sum(verdicts == {_PREDICTED} for verdicts in parts)
    one, many = ("study", "studies") if setting.studies else ("test", "tests")
    every = f"of {len(parts)} {one if len(parts) == 1 else many}"
    better = f"{gains} {every}" if gains else f"no {one}"
    worse = f"{loses} {'' if gains else every}".strip() if loses else "none"
    told = f"Improvements without regressions in {better}; regressions in {worse}"
    return told + f"; {unseen} only predicted" * bool(unseen)


def _told(part: pl.DataFrame, setting: Setting) -> str:
    """Both ends of a metric with their rows."""
    name = spoken_name(setting.metrics[part["metric"][0]], None)
    sign = -1 if part["better"][0] == "lower" else 1
    ordered = sorted(part.to_dicts(), key=lambda row: sign * row["value"])
    ends = [
        f"{format_percent(row['value'])} ({row['name']})"
        for row in (ordered[-1], ordered[0])
    ]
    label = f"{name[0].upper()}{name[1:]}"
    return f"{label}: {' to '.join(dict.fromkeys(ends))}."


KIND = FigureKind(
    id="range",
    data=data_range,
    words=words_range,
    plot=plot_range,
    draws="the best and the worst change of each test, or of each study, by metric",
    answers="where are the gains, and where the losses?",
    caption="best and worst changes of {pairs}",
    shows="the best and the worst changes of {pairs}",
    columns=_COLUMNS,
)
