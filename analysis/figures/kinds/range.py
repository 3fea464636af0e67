"""The range chart: from the best change of each study to its worst, by metric.

Of a study of values it prints the lowest and the highest.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import plotnine as p9
import polars as pl

from analysis.facts.fact import Fact, Facts, without_parts
from analysis.figures import page, words
from analysis.figures.grammar import marks
from analysis.figures.grammar.rows import GAP, Heading, RowTable, WordColumn
from analysis.figures.grammar.theme import axis_height, plot_of
from analysis.figures.kind import FigureKind
from analysis.figures.select import SCHEMA, fact_row, groups, number_text
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet, TextCell
from analysis.figures.svg import Panel

PREDICTED = "predicted"  # in place of a verdict
_NAMED = 0.29  # of the width of a page, for the names of rows
_STEP = 11.0  # mm between two labels of an axis
_LEADING = 1.15  # of the size of the text
_ROW = 4.7  # mm, of a row of one line
_AROUND = 1.7  # mm above and below the words of a row
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


def data_range(facts: Facts, setting: Setting) -> pl.DataFrame:
    """The best and the worst change of each study and metric, a row each.

    ``end`` says which it is; an only change is the best. A figure of one study has the
    ends of each test, and a study of values those of its values, from the lowest.
    ``judged`` are the verdicts of all changes of its row, of those too that are not
    drawn.
    """
    parts: dict[tuple[str, str], list[Fact]] = {}
    judged: dict[str, set[str]] = {}
    for fact in facts.facts:
        if _is_drawn(fact, setting):
            id = _row_of(fact, setting)
            parts.setdefault((id, fact.metric), []).append(fact)
            judged.setdefault(id, set()).add(fact.verdict or PREDICTED)
    rows = [
        fact_row(fact)
        | {"study": fact.study, "name": name, "end": end, "judged": sorted(judged[id])}
        for metric in setting.figure.metrics
        for id, name in names_of(setting).items()
        if (id, metric) in parts
        for end, fact in _ends(parts[id, metric])
    ]
    more = dict.fromkeys(("study", "name", "end"), pl.String())
    schema = SCHEMA | more | {"judged": pl.List(pl.String())}
    return pl.DataFrame([{k: r.get(k) for k in schema} for r in rows], schema=schema)


def names_of(setting: Setting) -> dict[str, str]:
    """What rows are called: studies by their titles, tests as people call them."""
    if setting.studies:
        return {id: study.title for id, study in setting.studies.items()}
    return {test: setting.labels.get(test) or test for test in setting.tests}


def changes_in(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of changes, without those of values."""
    return frame.filter(pl.col("baseline").is_not_null())


def _is_drawn(fact: Fact, setting: Setting) -> bool:
    """Whether it is a change or a value of a row, of whichever metric."""
    if _row_of(fact, setting) not in (setting.studies or setting.tests):
        return False
    if setting.studies and setting.studies[fact.study].of_values:
        return fact.kind == "value"
    if fact.kind != "delta" or fact.better == "none":
        return False
    return bool(fact.verdict or fact.estimate)


def _row_of(fact: Fact, setting: Setting) -> str:
    return fact.study if setting.studies else fact.configuration


def _ends(facts: list[Fact]) -> list[tuple[str, Fact]]:
    sign = -1 if facts[0].better == "lower" else 1
    value = facts[0].kind == "value"
    shown = without_parts(facts) if value else facts
    ordered = sorted(shown, key=lambda fact: (1 if value else sign) * fact.value)
    first, last = ordered[0], ordered[-1]
    if value:
        return [("lowest", first)] + [("highest", last)] * (len(shown) > 1)
    return [("best", last)] + [("worst", first)] * (len(facts) > 1)


def words_range(frame: pl.DataFrame, setting: Setting) -> page.Words:
    """Finding, subtitle, foot line and alt text of a range chart."""
    finding = _finding(frame, setting)
    values = frame.height > changes_in(frame).height
    subtitle = [
        "From the best change to the worst, relative to the baseline.",
        "Shaded: too little to count." * marks.shows_limit(frame),
        "Each metric has an axis of its own." * (frame["metric"].n_unique() > 1),
        "Equal steps on an axis are equal ratios."
        * marks.has_ratios(changes_in(frame)),
        "Numbers without a bar: values of a study without a comparison." * values,
    ]
    changes = changes_in(frame)
    sentences = [_told(part, setting) for _, part in groups(changes, "metric")]
    drawn = {verdict or PREDICTED for verdict in changes["verdict"]}
    shapes = (name for verdict, (name, *_) in _LOOKS.items() if verdict in drawn)
    return page.Words(
        finding,
        " ".join(filter(None, subtitle)),
        words.foot_line(shapes, frame, words.ENDS),
        f"Range chart. {finding}. {' '.join(sentences)}",
    )


def plot_range(frame: pl.DataFrame, setting: Setting, sheet: Sheet) -> None:
    """Rows of names, a column of marks a metric; on a phone a panel a metric."""
    spans, format = _spans(frame), sheet.format
    if not format.stacked:
        _draw_columns(spans, setting, sheet)
        return
    columns = [
        WordColumn(lambda row: _short(row["name"], format), "left", gap=1.2),
        WordColumn("printed", ha="right", line=2, gap=1.2),
    ]
    heading = partial(_heading, setting)
    table = RowTable(sheet, spans, columns, ["metric"], heading)
    axes = marks.axis_numbers(table.panels, apart=True)
    scale = marks.change_axis(frame, table.room)
    table.draw(_marks(table.frame, axes), scale, axes)


def _draw_columns(spans: pl.DataFrame, setting: Setting, sheet: Sheet) -> None:
    """A row for each name beside a column of marks for each metric."""
    format, left = sheet.format, sheet.format.width * _NAMED
    parts = [part for _, part in groups(spans, "metric")]
    heads = [_heading(setting, part) for part in parts]
    width = (format.width - left - 1.0) / len(heads)
    line = format.text * page.POINT * _LEADING
    ends = [(left + n * width, left + (n + 1) * width) for n in range(len(heads))]
    inner = [(start, end - GAP) for start, end in ends]
    pairs = list(zip(heads, inner, strict=True))
    sheet.row(
        [TextCell(head.name, x, page.INK, page.BOLD) for head, x in pairs],
        line,
        down=True,
    )
    sheet.row([TextCell(head.aside, x, page.SOFT) for head, x in pairs], line)
    sheet.y += 1.0
    sheet.rule(format.width, page.RULE, 0.6)
    below, rows = sheet.y, list[pl.DataFrame]()
    sheet.y += 0.6
    known = set(spans["name"])
    for name in (name for name in names_of(setting).values() if name in known):
        top = below - sheet.y
        drawn = [part.filter(name=name) for part in parts]
        cells = [TextCell(name, (0.0, left - 1.0))]
        cells += [
            TextCell(row["in_words"][0] or "", x, page.SOFT)
            for row, x in zip(drawn, inner, strict=True)
            if row.height
        ]
        sheet.row(cells, line, _AROUND, _ROW)
        ymin = below - sheet.y
        rows += [
            pl.DataFrame({"panel": panel, "ymin": ymin, "ymax": top, "name": name})
            .with_columns(y=pl.lit((ymin + top) / 2))
            .join(row, on="name", how="left")
            for panel, row in enumerate(drawn, 1)
        ]
    sheet.y += 0.6
    high = below - sheet.y
    sheet.panels += [Panel(x, (below, sheet.y), True, (high, 0.0)) for x in ends]
    scale, axes = marks.change_axis(spans, width, _STEP), list(range(1, len(heads) + 1))
    placed = pl.concat(rows)
    sheet.plot = plot_of([*_marks(placed, axes), scale], format)
    sheet.y += axis_height(format)


def _spans(frame: pl.DataFrame) -> pl.DataFrame:
    """A row for each name and metric: both ends of its bar, and what is printed."""
    spans = []
    for _, part in groups(frame, "metric", "name"):
        if part["baseline"][0] is None:
            spans.append(_values(part))
            continue
        best, worst = part.row(0, named=True), part.row(-1, named=True)
        looks = {best["look"], worst["look"]}
        verdicts = {best["verdict"], worst["verdict"]}
        ends = {
            "in_words": None,
            "worst": worst["value"],
            "worst_verdict": worst["verdict"],
            "worst_model": worst["model"],
            "printed": " to ".join(dict.fromkeys(part["printed"])),
            "look": looks.pop() if len(looks) == 1 else "modelled",
            "fill": marks.verdict_colour(
                verdicts.pop() if len(verdicts) == 1 else None
            ),
        }
        spans.append(best | ends)
    return pl.DataFrame(spans, infer_schema_length=None)


def _values(part: pl.DataFrame) -> dict[str, Any]:
    """A row without marks: the lowest and the highest value in words."""
    low, high = part.row(0, named=True), part.row(-1, named=True)
    text = f"{number_text(low)} to " * (part.height > 1) + high["printed"]
    drawn = ("value", "low", "high", "worst", "worst_verdict", "worst_model")
    return (
        low
        | dict.fromkeys(drawn)
        | {"printed": text, "in_words": text, "fill": page.QUIET}
    )


def _short(name: str, format: page.PageFormat) -> str:
    """``Ciphers`` of "Ciphers: AES-CBC against AES-GCM", on one line of a phone."""
    first, *more = page.wrap(name.partition(": ")[0], format.width - 4, format.text)
    return f"{first} …" if more else first


def _marks(rows: pl.DataFrame, axes: list[int]) -> list[Any]:
    """The layers of a panel: limits, a bar from end to end, a mark at each end."""
    drawn = rows.filter(pl.col("value").is_not_null())
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
    )
    mark = p9.aes("x", "y", color="colour", fill="ground", shape="shape", size="size")
    marked = rows.filter(pl.col("in_words").is_null())
    reach = marks.change_ends(rows.drop("low", "high"), axes)
    return [
        *marks.change_ground(marked, reach),
        marks.bars(drawn, "value", "worst", "fill", 0.8),
        p9.geom_point(mark, ends, stroke=0.5),
        p9.scale_shape_identity(),
        p9.scale_size_identity(),
    ]


def _mark(verdict: str | None, model: str | None) -> dict[str, Any]:
    name, shape, size = _LOOKS[PREDICTED if model else verdict or PREDICTED]
    colour = marks.verdict_colour(verdict)
    ground = page.GROUND if name.startswith("open") else colour
    return {"colour": colour, "ground": ground, "shape": shape, "size": size}


def _heading(setting: Setting, part: pl.DataFrame) -> Heading:
    metric = setting.metrics[part["metric"][0]]
    return Heading(metric.label, words.direction(part["better"][0]))


def _finding(frame: pl.DataFrame, setting: Setting) -> str:
    """How many rows only gain, and how many lose."""
    changes = changes_in(frame)
    parts = [set(part["judged"][0]) for _, part in groups(changes, "name")]
    loses = sum("regressed" in verdicts for verdicts in parts)
    gains = sum("improved" in v and "regressed" not in v for v in parts)
    unseen = sum(verdicts == {PREDICTED} for verdicts in parts)
    one, many = ("study", "studies") if setting.studies else ("test", "tests")
    every = f"of {len(parts)} {one if len(parts) == 1 else many}"
    counts = [
        f"{count} {{}}{verbs[count > 1]}"
        for count, verbs in (
            (gains, ("gains without a loss", "gain without a loss")),
            (loses, ("has losses", "have losses")),
            (unseen, ("is only predicted", "are only predicted")),
        )
        if count
    ] or ["No clear change in any {}"]
    return "; ".join([counts[0].format(f"{every} "), *counts[1:]]).format("").strip()


def _told(part: pl.DataFrame, setting: Setting) -> str:
    """Both ends of a metric with their rows."""
    name = words.spoken_name(setting.metrics[part["metric"][0]], None)
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
