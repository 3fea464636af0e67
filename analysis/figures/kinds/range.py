"""The range chart: from the best change of each comparison to its worst, by metric.

Of a study of values it prints the lowest and the highest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import plotnine as p9
import polars as pl

from analysis.facts.fact import Fact, Facts, without_parts
from analysis.figures import page, words
from analysis.figures.findings import size_words
from analysis.figures.grammar import marks
from analysis.figures.grammar.rows import GAP, Heading
from analysis.figures.grammar.scales import (
    Limits,
    change_breaks,
    change_labels,
    change_scale,
    ratio_trans,
)
from analysis.figures.grammar.theme import axis_height, plot_of
from analysis.figures.kind import FigureKind
from analysis.figures.select import SCHEMA, fact_row, groups, number_text
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet, TextCell
from analysis.figures.svg import Panel, Span

PREDICTED = "predicted"  # in place of a verdict
_NAMED = 0.29  # of the width of a page, for the names of rows
_LEADING = 1.15  # of the size of the text
_ROW = 4.7  # mm, of a row of one line
_LANE = 4.2  # mm, of the marks of a row that stand below its name
_AROUND = 1.7  # mm above and below the words of a row
_APART = 0.8  # mm between two studies on a phone
_INDENT = 2.4  # mm, of a comparison below its study
_BESIDE = 1.5  # mm from a mark to its value
_EDGE = 1.2  # mm from the edge of a panel to marks
_STEP = 6.0  # mm between two labels of an axis, at least
_FINER = (1, 2, 4, 8)  # times as many labels, until two have room: one is no scale
_TRIES = 12  # in which values find their room
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
_ROW_OF = ("study", "configuration")
Row = tuple[str, str]  # a study and its test, or the one configuration of its values


def data_range(facts: Facts, setting: Setting) -> pl.DataFrame:
    """The best and the worst change of each comparison and metric, a row each.

    ``end`` says which it is; an only change is the best. A study of values has its
    lowest and its highest. ``judged`` are the verdicts of all changes of its row, of
    those too that are not drawn.
    """
    parts: dict[tuple[str, str, str], list[Fact]] = {}
    judged: dict[Row, set[str]] = {}
    for fact in facts.facts:
        if _is_drawn(fact, setting):
            row = (fact.study, fact.configuration)
            parts.setdefault((fact.metric, *row), []).append(fact)
            judged.setdefault(row, set()).add(fact.verdict or PREDICTED)
    titles = {id: study.title for id, study in setting.studies.items()}
    rows = [
        fact_row(fact)
        | {"study": study, "end": end, "judged": sorted(judged[study, configuration])}
        | {"name": titles.get(study) or setting.label(configuration)}
        for metric in setting.figure.metrics
        for study, configuration in _rows(setting)
        for end, fact in _ends(parts.get((metric, study, configuration), []))
    ]
    more = dict.fromkeys(("study", "name", "end"), pl.String())
    schema = SCHEMA | more | {"judged": pl.List(pl.String())}
    return pl.DataFrame([{k: r.get(k) for k in schema} for r in rows], schema=schema)


def _rows(setting: Setting) -> list[Row]:
    """Study and test of each row; of a study of values, its one configuration."""
    studies = setting.studies or {setting.study_id: setting.study}
    return [
        (id, test)
        for id, study in studies.items()
        for test in study.tests or (study.baseline,)
        if setting.studies or test in setting.tests
    ]


def changes_in(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of changes, without those of values."""
    return frame.filter(pl.col("baseline").is_not_null())


def _is_drawn(fact: Fact, setting: Setting) -> bool:
    """Whether it is a change or a value of a row, of whichever metric."""
    if (fact.study, fact.configuration) not in _rows(setting):
        return False
    if setting.studies and setting.studies[fact.study].of_values:
        return fact.kind == "value"
    if fact.kind != "delta" or fact.better == "none":
        return False
    return bool(fact.verdict or fact.estimate)


def _ends(facts: list[Fact]) -> list[tuple[str, Fact]]:
    if not facts:
        return []
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
    changes = changes_in(frame)
    subtitle = [
        "The best and the worst change of each row, relative to its baseline.",
        "Shaded: too little to count." * marks.shows_limit(frame),
        "Each metric has an axis of its own." * (frame["metric"].n_unique() > 1),
        "Equal steps on an axis are equal ratios." * marks.has_ratios(changes),
        "Numbers without a mark: values of a study without a comparison."
        * (frame.height > changes.height),
    ]
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
    format = sheet.format
    spans = _spans(frame)
    panels = [part for _, part in groups(spans, "metric")]
    numbers = range(1, len(panels) + 1)
    spans = pl.concat(
        p.with_columns(panel=n) for n, p in zip(numbers, panels, strict=True)
    )
    left = 0.0 if format.stacked else format.width * _NAMED
    step = (format.width - left) / (1 if format.stacked else len(panels))
    width = step - (0.0 if format.stacked else GAP)
    axes = _axes(spans, width, format)
    beside = [[n] for n in numbers] if format.stacked else [list(numbers)]
    rows = []
    for together in beside:
        starts = {n: left + i * step for i, n in enumerate(together)}
        spans_of = {n: (x, x + width) for n, x in starts.items()}
        rows += _draw_rows(sheet, setting, spans, axes, spans_of)
    drawn = pl.concat(rows)
    reach = {n: axis.ends for n, axis in enumerate(axes, 1)}
    scale = change_scale(axes[0].ratio)
    sheet.plot = plot_of([*_marks(drawn, reach), scale], format)


class _Axis(NamedTuple):
    """The axis of a panel: it goes between its ``ends``, from one place to another [mm
    from the left of the panel], so that values beside marks have room."""

    ends: Limits
    mm: Span
    ratio: bool

    def place(self, change: float) -> float:
        """Where a change lies."""
        low, high = map(self._scaled, self.ends)
        share = (self._scaled(change) - low) / (high - low)
        return self.mm[0] + share * (self.mm[1] - self.mm[0])

    def _scaled(self, change: float) -> float:
        return float(ratio_trans.transform(change)) if self.ratio else change

    def breaks(self, finer: int) -> list[float]:
        """The changes that may have a label; more of them where steps are ``finer``."""
        room = (self.mm[1] - self.mm[0]) * finer
        return change_breaks(self.ratio, self.ends, room, _STEP)


def _axes(spans: pl.DataFrame, width: float, format: page.PageFormat) -> list[_Axis]:
    """The axis of each panel, ``width`` mm wide with the values beside its marks."""
    drawn = spans.drop("low", "high").filter(pl.col("value").is_not_null())
    numbers = sorted(set(spans["panel"]))
    ends, ratio = marks.change_ends(drawn, numbers), marks.has_ratios(spans)
    axes = []
    for n in numbers:
        axis = _Axis(ends.get(n, (-1.0, 1.0)), (_EDGE, width - _EDGE), ratio)
        labels = [
            at for row in drawn.filter(panel=n).to_dicts() for at in _values_at(row)
        ]
        for _ in range(_TRIES):  # each makes the axis shorter and moves all marks
            left = right = 0.0
            for value, text, side in labels:
                x = axis.place(value)
                long = page.text_width(text, format.text) + _BESIDE
                left = max(left, (long - x) * (side < 0))
                right = max(right, (x + long - width) * (side > 0))
            axis = axis._replace(mm=(axis.mm[0] + left, axis.mm[1] - right))
        axes.append(axis)
    return axes


def _values_at(row: dict[str, Any]) -> list[tuple[float, str, int]]:
    """The ends of a row, what stands there, and at which side of its mark."""
    if row["value"] is None:
        return []
    ends = {row["value"]: row["printed"], row["worst"]: row["worst_printed"]}
    (first, low), *others = sorted(ends.items())
    if not others or low == others[0][1]:
        return [(max(ends), low, 1)]
    return [(first, low, -1), (*others[0], 1)]


def _draw_rows(
    sheet: Sheet,
    setting: Setting,
    spans: pl.DataFrame,
    axes: Sequence[_Axis],
    ends: Mapping[int, Span],
) -> list[pl.DataFrame]:
    """Rows with their names, and panels by number between their ``ends`` [mm]: heads,
    values beside marks, and the labels of axes. The rows with their places."""
    format, line = sheet.format, sheet.format.text * page.POINT * _LEADING
    parts = {n: spans.filter(panel=n) for n in ends}
    heads = [(_heading(setting, parts[n]), x) for n, x in ends.items()]
    bold = [TextCell(head.name, x, page.INK, page.BOLD) for head, x in heads]
    sheet.row(bold, line, down=True)
    sheet.row([TextCell(head.aside, x, page.SOFT) for head, x in heads], line)
    sheet.y += 1.0
    sheet.rule(format.width, page.RULE, 0.6)
    below, placed = sheet.y, list[pl.DataFrame]()
    sheet.y += 0.6
    known = {row for part in parts.values() for row in part.select(_ROW_OF).rows()}
    names = format.width if format.stacked else format.width * _NAMED - 1.0
    for name, row, indent in _lines(setting, known):
        here = {
            n: own
            for n, part in parts.items()
            if row and (own := part.filter(study=row[0], configuration=row[1])).height
        }
        beside = [
            TextCell(part["in_words"][0] or "", ends[n], page.SOFT)
            for n, part in here.items()
        ]
        cells = [TextCell(name, (indent, names), page.SOFT if indent else page.INK)]
        sheet.y += _APART * (format.stacked and not indent)
        top = sheet.y
        if format.stacked:
            sheet.row(cells, line)
            top = sheet.y
            if row:
                sheet.row(beside, line, 0.0, _LANE)
        else:
            sheet.row([*cells, *beside], line, _AROUND, _ROW)
        low, high = below - sheet.y, below - top
        for n, part in here.items():
            span = part.row(0, named=True)
            sheet.hit(ends[n], (top, sheet.y), span["keys"])
            for value, text, side in _values_at(span):
                x = ends[n][0] + axes[n - 1].place(value) + side * _BESIDE
                sheet.label((x, below - (low + high) / 2), text, side)
            place = {"y": (low + high) / 2, "ymin": low, "ymax": high}
            placed.append(part.with_columns(**{k: pl.lit(v) for k, v in place.items()}))
    sheet.y += 0.6
    for n, (left, right) in ends.items():
        axis = axes[n - 1]
        inner = (left + axis.mm[0], left + axis.mm[1])
        sheet.panels.append(
            Panel(inner, (below, sheet.y), False, (below - sheet.y, 0.0))
        )
        _label_axis(sheet, axis, left, right)
    sheet.y += axis_height(format) + (2.4 if format.stacked else 0.0)
    return placed


def _label_axis(sheet: Sheet, axis: _Axis, left: float, right: float) -> None:
    """Labels below a panel that lies between two places [mm], the nearest to zero
    first; none runs into another or leaves the panel, and none stands alone."""
    size, y = sheet.format.small, sheet.y + axis_height(sheet.format) / 2
    for finer in _FINER:
        breaks, taken = axis.breaks(finer), dict[float, Span]()
        labels = dict(zip(breaks, change_labels(breaks), strict=True))
        for change in sorted(labels, key=abs):
            x = left + axis.place(change)
            half = page.text_width(labels[change], size) / 2
            free = all(x + half + 1 < a or b + 1 < x - half for a, b in taken.values())
            if free and left <= x - half and x + half <= right:
                taken[change] = (x - half, x + half)
        if len(taken) > 1:
            break
    for change, (start, end) in taken.items():
        at = ((start + end) / 2, y)
        sheet.text(at, labels[change], size, page.SOFT, align="center")


def _lines(
    setting: Setting, known: set[Row]
) -> Iterator[tuple[str, Row | None, float]]:
    """Names and rows from top to bottom, and how far each name is indented: a study,
    and below it its comparisons where it has several."""
    for id, rows in groupby(_rows(setting), key=lambda row: row[0]):
        shown = [row for row in rows if row in known]
        study = setting.studies.get(id)
        if study is None:
            yield from ((setting.label(test), (id, test), 0.0) for _, test in shown)
        elif shown and len(study.tests) < 2:
            yield study.title, shown[0], 0.0
        elif shown:
            names = setting.labels_of.get(id, {})
            yield study.title, None, 0.0
            for _, test in shown:
                base = study.baseline_of(test)
                name = f"{names.get(test, test)} against {names.get(base, base)}"
                yield name, (id, test), _INDENT


def _spans(frame: pl.DataFrame) -> pl.DataFrame:
    """A row for each row and metric: both ends of its bar, and what is printed."""
    spans = []
    for _, part in groups(frame, "metric", *_ROW_OF):
        best, worst = part.row(0, named=True), part.row(-1, named=True)
        if best["baseline"] is None:
            spans.append(_values(best, worst))
            continue
        looks = {best["look"], worst["look"]}
        verdicts = {best["verdict"], worst["verdict"]}
        ends = {
            "in_words": None,
            "keys": " ".join(dict.fromkeys((best["key"], worst["key"]))),
            "worst": worst["value"],
            "worst_printed": worst["printed"],
            "worst_verdict": worst["verdict"],
            "worst_model": worst["model"],
            "look": looks.pop() if len(looks) == 1 else "modelled",
            "fill": marks.verdict_colour(
                verdicts.pop() if len(verdicts) == 1 else None
            ),
        }
        spans.append(best | ends)
    return pl.DataFrame(spans, infer_schema_length=None)


def _values(low: dict[str, Any], high: dict[str, Any]) -> dict[str, Any]:
    """A row without marks: the lowest and the highest value in words."""
    apart = low["key"] != high["key"]
    text = f"{number_text(low)} to " * apart + high["printed"]
    drawn = ("value", "low", "high", "worst", "worst_printed", "worst_verdict",
             "worst_model")  # fmt: skip
    keys = " ".join(dict.fromkeys((low["key"], high["key"])))
    told = {"in_words": text, "keys": keys, "fill": page.QUIET}
    return low | dict.fromkeys(drawn) | told


def _marks(rows: pl.DataFrame, reach: marks.Ends) -> list[Any]:
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
    return [
        *marks.change_ground(drawn, reach),
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
    """The largest gain and the largest loss, and that there is none of the other."""
    changes, verdicts = changes_in(frame), set(frame["judged"].explode())
    ends = {
        "gain": changes.filter(verdict="improved"),
        "loss": changes.filter(verdict="regressed"),
    }
    phrases = [
        f"largest {name}: {_largest(part, setting)}"
        for name, part in ends.items() if part.height
    ]  # fmt: skip
    if not verdicts & {"improved", "regressed"}:
        only = verdicts == {PREDICTED}
        return "All changes are predicted" if only else "No clear change"
    if phrases and "regressed" not in verdicts:
        phrases.append("no loss")
    text = "; ".join(phrases) or "Clear changes lie between the ends"
    return text[0].upper() + text[1:]


def _largest(part: pl.DataFrame, setting: Setting) -> str:
    """``60% lower latency (OSH against OSD)``: the one with the largest ratio."""
    row = max(
        part.to_dicts(), key=lambda r: abs(math.log1p(max(r["value"], -99) / 100))
    )
    size, way = size_words([row["value"]], setting.metrics[row["metric"]])
    return f"{size} {way} ({row['name']})"


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
    draws="the best and the worst change of each comparison, by metric",
    answers="where are the gains, and where the losses?",
    caption="best and worst change, {pairs}",
    reads=(
        "Each row is one comparison, from its best change to its worst over all "
        "workloads."
    ),
    key=(
        ("span", "from the best change (circle: better) to the worst (square: worse)"),
        ("band", "changes too small to count"),
    ),
    compares=True,
    columns=_COLUMNS,
)
