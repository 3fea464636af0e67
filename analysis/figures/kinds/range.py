"""The range chart: from the best change of each study to its worst, by metric."""

from __future__ import annotations

from typing import Any

import polars as pl
from plotnine import aes, geom_point, scale_shape_identity, scale_size_identity

from analysis.figures.ends import PREDICTED, changes_in, data_range, names_of
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
from analysis.figures.select import groups, number_text
from analysis.figures.setting import Setting
from analysis.figures.words import ENDS, direction, foot_line, spoken_name

_BAR = 0.8  # mm, half the height of a bar
# What the mark of a verdict is called, its shape and its size.
_LOOKS = {
    "improved": ("circle: better", "o", 1.9),
    "regressed": ("square: worse", "s", 1.9),
    "comparable": ("dot: comparable", "o", 1.2),
    "inconclusive": ("open square: inconclusive", "s", 1.9),
    PREDICTED: ("open circle: predicted", "o", 1.9),
}
_COLUMNS = (
    "study", "name", "metric", "end", "workload", "role", "configuration", "baseline",
    "value", "low", "high", "unit", "n", "verdict", "origin", "model", "key",
)  # fmt: skip


def words_range(frame: pl.DataFrame, setting: Setting) -> Words:
    """Finding, subtitle, foot line and alt text of a range chart."""
    finding = _finding(frame, setting)
    values = frame.height > changes_in(frame).height
    subtitle = [
        "From the best change to the worst, relative to the baseline.",
        "Shaded: too little to count." * shows_limit(frame),
        "Each metric has an axis of its own." * (frame["metric"].n_unique() > 1),
        "Equal steps on an axis are equal ratios." * has_ratios(changes_in(frame)),
        "Numbers without a bar: values of a study without a comparison." * values,
    ]
    changes = changes_in(frame)
    told = [_told(part, setting) for _, part in groups(changes, "metric")]
    drawn = {verdict or PREDICTED for verdict in changes["verdict"]}
    shapes = (name for verdict, (name, *_) in _LOOKS.items() if verdict in drawn)
    return Words(
        finding,
        " ".join(filter(None, subtitle)),
        foot_line(shapes, frame, ENDS),
        f"Range chart. {finding}. {' '.join(told)}",
    )


def plot_range(
    frame: pl.DataFrame, setting: Setting, words: Words, format: PageFormat
) -> Composed:
    """Rows of names, a column of marks a metric; on a phone a panel a metric."""
    spans = _spans(frame)
    heads = [_heading(part, setting) for _, part in groups(spans, "metric")]
    if not format.stacked:
        known = set(spans["name"])
        names = [name for name in names_of(setting).values() if name in known]
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


def _spans(frame: pl.DataFrame) -> pl.DataFrame:
    """A row for each name and metric: both ends of its bar, and what is printed."""
    found = []
    for _, part in groups(frame, "metric", "name"):
        if part["baseline"][0] is None:
            found.append(_values(part))
            continue
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


def _values(part: pl.DataFrame) -> dict[str, Any]:
    """A row without marks: the lowest and the highest value in words."""
    low, high = part.row(0, named=True), part.row(-1, named=True)
    told = f"{number_text(low)} to " * (part.height > 1) + high["printed"]
    drawn = ("value", "low", "high", "worst", "worst_verdict", "worst_model")
    return low | dict.fromkeys(drawn) | {"printed": told, "told": told, "fill": QUIET}


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
        change_ground(_marked(rows)),
        geom_origin(bar, bars, inherit_aes=False),
        geom_point(mark, ends, inherit_aes=False, stroke=0.5),
        scale_shape_identity(),
        scale_size_identity(),
    ]


def _marked(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows that have marks or nothing, and no words in their place."""
    return rows.filter(pl.col("told").is_null()) if "told" in rows.columns else rows


def _mark(verdict: str | None, model: str | None) -> dict[str, Any]:
    name, shape, size = _LOOKS[PREDICTED if model else verdict or PREDICTED]
    colour = _colour(verdict)
    ground = GROUND if name.startswith("open") else colour
    return {"colour": colour, "ground": ground, "shape": shape, "size": size}


def _heading(part: pl.DataFrame, setting: Setting) -> Heading:
    metric = setting.metrics[part["metric"][0]]
    return Heading(metric.label, direction(part["better"][0]))


def _finding(frame: pl.DataFrame, setting: Setting) -> str:
    """How many rows only gain, and how many lose."""
    changes = changes_in(frame)
    parts = [set(part["judged"][0]) for _, part in groups(changes, "name")]
    loses = sum("regressed" in verdicts for verdicts in parts)
    gains = sum("improved" in v and "regressed" not in v for v in parts)
    unseen = sum(verdicts == {PREDICTED} for verdicts in parts)
    one, many = ("study", "studies") if setting.studies else ("test", "tests")
    every = f"of {len(parts)} {one if len(parts) == 1 else many}"
    told = [
        f"{count} {{}}{verbs[count > 1]}"
        for count, verbs in (
            (gains, ("gains without a loss", "gain without a loss")),
            (loses, ("has losses", "have losses")),
            (unseen, ("is only predicted", "are only predicted")),
        )
        if count
    ] or ["No clear change in any {}"]
    return "; ".join([told[0].format(f"{every} "), *told[1:]]).format("").strip()


def _told(part: pl.DataFrame, setting: Setting) -> str:
    """Both ends of a metric with their rows."""
    name = spoken_name(setting.metrics[part["metric"][0]], None)
    sign = -1 if part["better"][0] == "lower" else 1
    ordered = sorted(part.to_dicts(), key=lambda row: sign * row["value"])
    ends = [f"{row['printed']} ({row['name']})" for row in (ordered[-1], ordered[0])]
    label = f"{name[0].upper()}{name[1:]}"
    return f"{label}: {' to '.join(dict.fromkeys(ends))}."


KIND = FigureKind(
    id="range",
    data=data_range,
    words=words_range,
    plot=plot_range,
    draws="the best and the worst change of each test, or of each study, by metric",
    answers="where are the gains, and where the losses?",
    caption="best and worst change, {pairs}",
    compares=True,
    columns=_COLUMNS,
)
