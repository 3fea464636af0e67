"""Lines over the number in which workloads differ: panels over one axis of x.

Each panel has an axis of y of its own. Names of lines stand at their ends, and what
matters on the axis of x has its words above the values.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import plotnine as p9
import polars as pl
from mizani.breaks import breaks_log

from analysis.declared.workload import SHAPES, format_size, parse_workload
from analysis.facts.units import format_unit
from analysis.figures import page
from analysis.figures.grammar.rows import Heading
from analysis.figures.grammar.scales import change_labels, linear_breaks, value_labels
from analysis.figures.grammar.theme import DIAMOND, axis_height, plot_of
from analysis.figures.sheet import Sheet, widest
from analysis.figures.svg import AXIS, Panel, Span

PAYLOAD = "payload of a transaction"
_WIDE = 12.0  # highest to lowest, beyond which an axis is logarithmic
_VALUES = 34.0  # mm, the height of the values of a panel
_LINE = 4.2  # mm, a line of words
_GAP = 1.6  # mm between a mark and its words
_OFF = 2.7  # mm from the middle of a mark to that of its value
_POINTED = 2.2  # mm round a mark, where it answers
_NEAR = 1.2  # mm, within which two marks are as good as one
_WHOLE = 100.0  # percent
_FINE = 24  # places on a line between two of its values, which nothing may cover
_NAMES = 0.4  # of the width, the most that the names of lines take
_BEFORE, _AFTER = 0.06, 0.04  # of the steps, free at both ends of the axis of x
_BELOW, _OVER = 0.06, 0.04  # of the values, free below and above them
_LOOKS = {"modelled": "dashed", "published": "dotted"}  # other lines are solid


@dataclass(frozen=True)
class Mark:
    """What matters on the axis of x of a panel, and what is said there; at ``y`` stands
    a ring."""

    panel: int
    x: float
    label: str
    y: float | None = None


@dataclass(frozen=True)
class Curves:
    """Lines to draw: ``frame`` has ``panel``, ``x``, ``y``, ``series`` and ``colour``.

    ``low`` and ``high`` are intervals, ``stated`` published values, ``look`` the
    origin. ``title`` names x, ``steps`` are its labels. Axes of y may begin at
    ``zero``; those in ``percent`` do so.
    """

    frame: pl.DataFrame
    headings: Sequence[Heading]
    title: str
    steps: dict[float, str]
    percent: bool = False
    zero: bool = False
    marks: Sequence[Mark] = ()

    @property
    def from_zero(self) -> bool:
        """Whether axes of y reach to zero."""
        return self.zero or self.percent

    @property
    def log_x(self) -> bool:
        """Whether equal steps to the right are equal ratios."""
        return are_ratios(self.steps)

    @property
    def log_y(self) -> bool:
        """Whether equal steps upwards are equal ratios."""
        panels = (panel["y"] for panel in self.frame.partition_by("panel"))
        return self.log_x and not self.percent and any(map(is_wide, panels))


@dataclass(frozen=True)
class _Axis:
    """An axis in its place: it goes between its ``ends``, as scaled, from one place on
    the sheet to another [mm]."""

    ends: Span
    mm: Span
    log: bool

    def place(self, value: float) -> float:
        """Where a value lies [mm]."""
        (low, high), (first, last) = self.ends, self.mm
        return first + (scaled(value, self.log) - low) / (high - low) * (last - first)

    def value(self, place: float) -> float:
        """The value that lies at a place."""
        (low, high), (first, last) = self.ends, self.mm
        at = low + (place - first) / (last - first) * (high - low)
        return float(10**at) if self.log else at


def draw_curves(curves: Curves, sheet: Sheet) -> None:
    """The panels below one another, over the axis that they share."""
    format, frame, log_y = sheet.format, curves.frame, curves.log_y
    panels = frame.partition_by("panel", maintain_order=True)
    extents = [_extent(curves, panel) for panel in panels]
    labels = [text for e in extents for text in _labels(curves, _breaks(curves, e))]
    last = frame.filter(pl.col("x") == pl.col("x").max().over("panel", "series"))
    names = [line for row in last.to_dicts() for line in _name(row, format)]
    room = widest(names, format.text) + _GAP + 0.4
    x = (widest(labels, format.small) + AXIS + 0.4, format.width - room)
    steps = [scaled(step, curves.log_x) for step in curves.steps]
    span = max(steps) - min(steps) or 1.0
    ends = (min(steps) - _BEFORE * span, max(steps) + _AFTER * span)
    across = _Axis(ends, x, curves.log_x)
    most = max(Counter(mark.panel for mark in curves.marks).values(), default=0)
    high = max(most, int(curves.percent)) * _LINE + _VALUES
    layers: list[Any] = []
    for panel, heading, extent in zip(panels, curves.headings, extents, strict=True):
        number = panel["panel"][0]
        draw_heading(sheet, heading, x[0])
        low, top = (scaled(end, log_y) for end in extent)
        span = top - low or 1.0
        foot = low - _BELOW * span
        ends = (foot, foot + span * (1 + _BELOW + _OVER) * high / _VALUES)
        y = (sheet.y, sheet.y + high)
        up = _Axis(ends, (y[1], y[0]), log_y)
        sheet.panels.append(Panel(x, y, number == len(panels), ends))
        layers += _marks(sheet, curves, number, across, up)
        _name_lines(sheet, last.filter(pl.col("panel") == number), across, up)
        _print_values(sheet, panel, across, up)
        for row in panel.to_dicts():
            x_of_mark, y_of_mark = across.place(row["x"]), up.place(row["y"])
            sheet.hit(
                (x_of_mark - _POINTED, x_of_mark + _POINTED),
                (y_of_mark - _POINTED, y_of_mark + _POINTED),
                row["key"],
                row["workload"],
                row["series"],
            )
        sheet.y = y[1] + (2.4 if number < len(panels) else 0.0)
    sheet.y += axis_height(format, lines=2) + 0.6
    title = (sum(x) / 2, sheet.y - format.small * page.POINT / 2)
    sheet.text(title, curves.title, format.small, page.SOFT, align="center")
    kept = with_room(curves.steps, curves.log_x, (x[1] - x[0]) * 0.9, format)
    tops = [(p["panel"][0], top) for p, (_, top) in zip(panels, extents, strict=True)]
    layers += [*_series(curves, tops), *_scales(curves, kept)]
    sheet.plot = plot_of(layers, format, axes="free_y")


def draw_heading(sheet: Sheet, heading: Heading, left: float) -> None:
    """The name of a panel, and beside it, or below, what goes with it."""
    size = sheet.format.text
    sheet.text((left, sheet.y + _LINE / 2), heading.name, weight=page.BOLD)
    beside = left + page.text_width(heading.name, size, page.BOLD) + 3.0
    if beside + page.text_width(heading.aside, size) > sheet.format.width:
        beside, sheet.y = left, sheet.y + _LINE
    sheet.text((beside, sheet.y + _LINE / 2), heading.aside, color=page.SOFT)
    sheet.y += _LINE + 1.6


def _name(row: dict[str, Any], format: page.PageFormat) -> list[str]:
    """The name of a line and its last value, in lines."""
    name = f"{row['series']} {_value_text(row)}"
    return page.wrap(name, format.width * _NAMES, format.text)


def _value_text(row: dict[str, Any]) -> str:
    """A value without its unit, which the heading has."""
    text = str(row["printed"])
    unit = format_unit(row["unit"])
    return text if unit == "%" else text.removesuffix(unit).rstrip()


def _name_lines(sheet: Sheet, last: pl.DataFrame, across: _Axis, up: _Axis) -> None:
    """The name of each line at its end; names that are near are moved apart."""
    ends = last.sort("y", maintain_order=True).to_dicts()
    names = [_name(row, sheet.format) for row in ends]
    places: list[float] = []
    for row, name, below in zip(ends, names, names[:1] + names, strict=False):
        apart = _LINE * (len(name) + len(below)) / 2
        free = places[-1] - apart if places else math.inf
        places.append(min(up.place(row["y"]), free))
    # a stack of names stands beside the ends of its lines, not above them or the panel
    down = max((up.place(ends[-1]["y"]) - places[-1]) / 2, 0.0)
    down = min(down, max(up.mm[0] - places[0] - _LINE / 2, 0.0))
    down = max(down, up.mm[1] + _LINE * len(names[-1]) / 2 - places[-1])
    for row, name, place in zip(ends, names, places, strict=True):
        at = (across.place(row["x"]) + _GAP, place + down - _LINE * len(name) / 2)
        sheet.lines(at, name, _LINE, color=row["colour"])


def _print_values(sheet: Sheet, part: pl.DataFrame, across: _Axis, up: _Axis) -> None:
    """Above each value or below it what it is, where no line and no other value is in
    the way; the name of a line has its last."""
    format, half = sheet.format, sheet.format.small * page.POINT * 0.36
    lines = [
        [(across.place(r["x"]), up.place(r["y"])) for r in line.sort("x").to_dicts()]
        for line in part.partition_by("series", maintain_order=True)
    ]
    taken = [_box(x, y, 1.0, 1.0) for line in lines for x, y in line]
    # a line is a row of places that lie near one another
    taken += [
        _box(x + (x1 - x) * n / _FINE, y + (y1 - y) * n / _FINE, 0.2, 0.2)
        for line in lines
        for (x, y), (x1, y1) in pairwise(line)
        for n in range(1, _FINE)
    ]
    taken += [
        (across.place(r["x"]) - 0.4, across.place(r["x"]) + 0.4,
         up.place(r["high"]), up.place(r["low"]))
        for r in part.drop_nulls(["low", "high"]).to_dicts()
    ]  # fmt: skip
    for row in part.filter(pl.col("x") < pl.col("x").max().over("series")).to_dicts():
        text = _value_text(row)
        x, y = across.place(row["x"]), up.place(row["y"])
        near = [b for line in lines for a, b in line if a == x and abs(b - y) < _NEAR]
        if len(near) > 1:  # nobody could tell whose value it is
            continue
        width = page.text_width(text, format.small) / 2
        ends = [row["y"], *(row[e] for e in ("low", "high") if row[e] is not None)]
        beside = x + width + _GAP
        for at in (
            (x, up.place(max(ends)) - _OFF),
            (x, up.place(min(ends)) + _OFF),
            (beside, y - _OFF),
            (beside, y + _OFF),
        ):
            box = left, right, top, foot = _box(*at, width, half)
            inside = up.mm[1] <= top and foot <= up.mm[0] and right <= across.mm[1]
            if inside and left >= across.mm[0] - AXIS and not _hits(box, taken):
                taken.append(box)
                sheet.text(at, text, format.small, page.SOFT, align="center")
                break


def _box(x: float, y: float, wide: float, high: float) -> tuple[float, ...]:
    return x - wide, x + wide, y - high, y + high


def _hits(box: tuple[float, ...], taken: list[tuple[float, ...]]) -> bool:
    left, right, top, bottom = box
    return any(
        left < b and a < right and top < d and c < bottom for a, b, c, d in taken
    )


def _marks(
    sheet: Sheet, curves: Curves, panel: int, across: _Axis, up: _Axis
) -> Iterator[p9.geom_point | p9.geom_segment]:
    """Dashed lines at places that matter, with their words above the values; one that
    has a value begins at a ring there."""
    size = sheet.format.small
    # of several, words reach to the left above the lines that stand there
    marks = sorted((m for m in curves.marks if m.panel == panel), key=lambda m: -m.x)
    for n, mark in enumerate(marks):
        left, top = across.place(mark.x), up.mm[1] + n * _LINE
        place: dict[str, Any] = {"panel": [panel], "x": [mark.x]}
        foot = up.value(up.mm[0]) if mark.y is None else mark.y
        end = up.value(top) if n else math.inf
        data = pl.DataFrame(place | {"foot": [foot], "top": [end]})
        line = p9.aes(x="x", xend="x", y="foot", yend="top")
        yield p9.geom_segment(line, data, linetype="dashed", color=page.SOFT, size=0.4)
        if mark.y is not None:
            ring = {"shape": "o", "size": 3.4, "stroke": 0.7, "color": page.INK}
            yield p9.geom_point(p9.aes("x", "foot"), data, fill="none", **ring)
        long = page.text_width(mark.label, size) + _GAP
        at, align = left - _GAP, "right"
        if left < long or (left < sum(across.mm) / 2 and left + long < across.mm[1]):
            at, align = left + _GAP, "left"
        look: dict[str, Any] = {"size": size, "color": page.SOFT, "align": align}
        sheet.text((at, top + _LINE / 2), mark.label, **look)


def _series(curves: Curves, tops: Sequence[tuple[int, float]]) -> list[Any]:
    """Lines, intervals, values, what was published, and the line of no change; the axis
    of each panel reaches to its top."""
    frame = curves.frame
    solid = pl.col("look").is_in(["measured", "synthetic"])
    points = frame.with_columns(
        inside=pl.when(solid).then(pl.col("colour")).otherwise(pl.lit(page.GROUND)),
        line=pl.when(pl.col("look").n_unique().over("panel", "series") > 1)
        .then(pl.lit("dashed"))
        .otherwise(pl.col("look").replace_strict(_LOOKS, default="solid")),
    )
    stated = frame.filter(pl.col("stated").is_not_null())
    known = points.drop_nulls(["low"])
    lines = p9.aes("x", "y", color="colour", group="series", linetype="line")
    upright = p9.aes(x="x", ymin="low", ymax="high", color="colour")
    dots = p9.aes("x", "y", color="colour", fill="inside")
    layers: list[Any] = [p9.geom_line(lines, points, size=0.6)]
    layers += [p9.geom_linerange(upright, known, size=1.0)] if known.height else []
    layers += [p9.geom_point(dots, points, size=1.7, stroke=0.5)]
    if stated.height:
        places = p9.aes("x", "stated")
        layers.append(p9.geom_point(places, stated, size=1.9, **DIAMOND))
    ends = pl.DataFrame(tops, ["panel", "y"], orient="row")
    ends = ends.with_columns(x=pl.lit(float(frame["x"][0])))
    layers.append(p9.geom_blank(p9.aes("x", "y"), ends))
    layers += [p9.expand_limits(y=0)] if curves.from_zero else []
    layers += (
        [p9.geom_hline(yintercept=0, color=page.INK, size=0.5)]
        if curves.percent
        else []
    )
    return layers


def _extent(curves: Curves, panel: pl.DataFrame) -> Span:
    """The lowest and the highest value of a panel."""
    known = [v for c in ("y", "low", "high", "stated") for v in panel[c].drop_nulls()]
    known += [0.0] if curves.from_zero else []
    most = max(known)
    if panel["unit"][0] == "%" and curves.zero and _WHOLE / 2 < most < _WHOLE:
        most = _WHOLE  # what is nearly all is seen against all of it
    return min(known), most


def _breaks(curves: Curves, ends: Span) -> Sequence[float]:
    """The values on an axis of y that have a label."""
    return list(breaks_log()(ends)) if curves.log_y else linear_breaks(ends, 5)


def _labels(curves: Curves, breaks: Sequence[float]) -> list[str]:
    return (change_labels if curves.percent else value_labels)(breaks)


def _scales(curves: Curves, steps: Sequence[float]) -> list[Any]:
    """The axes, that of x with labels at some of its steps."""
    scale_x = p9.scale_x_log10 if curves.log_x else p9.scale_x_continuous
    scale_y = p9.scale_y_log10 if curves.log_y else p9.scale_y_continuous
    names, room = [curves.steps[x] for x in steps], (_BEFORE, 0, _AFTER, 0)
    return [
        scale_x(breaks=steps, labels=names, expand=room),
        scale_y(breaks=partial(_breaks, curves), labels=partial(_labels, curves)),
        p9.scale_linetype_identity(),
    ]


def x_of(workloads: Sequence[str]) -> tuple[str, dict[str, float], dict[float, str]]:
    """The number that workloads differ in: its title, its values, and their labels.

    It is the number of clients where that differs, or of sessions, otherwise the
    payload.
    """
    works = {name: parse_workload(name) for name in workloads}
    if len({work.clients for work in works.values()}) > 1:
        values = {name: float(work.clients) for name, work in works.items()}
        words = {SHAPES[work.shape].client for work in works.values()}
        title = f"{words.pop() if len(words) == 1 else 'client'}s"
        return title, values, {x: f"{x:,.0f}" for x in values.values()}
    values = {
        name: float(max(work.request_bytes, work.response_bytes))
        for name, work in works.items()
    }
    sizes = {x: format_size(int(x)) for x in values.values()}
    digits = {x: size.rstrip("BkMG") for x, size in sizes.items()}
    return PAYLOAD, values, {x: f"{n} {sizes[x][len(n) :]}" for x, n in digits.items()}


def with_room(
    steps: dict[float, str], log: bool, room: float, format: page.PageFormat
) -> list[float]:
    """The steps whose labels do not run into each other, both ends among them.

    ``room`` is how far the last step lies from the first [mm].
    """
    first, *others = sorted(steps)
    low, high = (scaled(x, log) for x in (first, max(steps)))
    kept: dict[float, float] = {}
    for x in dict.fromkeys((*others[-1:], first, *reversed(others))):
        at = (scaled(x, log) - low) / (high - low or 1.0) * room
        half = page.text_width(steps[x], format.small) / 2
        if all(
            abs(at - place) >= half + page.text_width(steps[k], format.small) / 2 + 2.0
            for k, place in kept.items()
        ):
            kept[x] = at
    return sorted(kept)


def are_ratios(steps: Iterable[float]) -> bool:
    """Whether steps stand more evenly on a logarithmic axis than on a linear one."""
    known = np.array(sorted(steps))
    if len(known) < 2 or known[0] <= 0:
        return False
    linear, log = (np.diff(x).min() / np.ptp(x) for x in (known, np.log(known)))
    return bool(log > linear)


def scale_words(log_x: bool, log_y: bool) -> str:
    """Which axes of lines show ratios; nothing where none does."""
    if log_x and log_y:
        return "Equal steps on both axes are equal ratios."
    way = "to the right" * log_x + "upwards" * log_y
    return f"Equal steps {way} are equal ratios." if way else ""


def is_wide(values: pl.Series) -> bool:
    """Whether values are so unlike that their axis is logarithmic."""
    low, high = values.min(), values.max()
    return bool(low > 0 and high > _WIDE * low)  # type: ignore[operator]


def scaled(value: float, log: bool) -> float:
    """A value as it lies on a linear or logarithmic axis."""
    return float(np.log10(value)) if log else float(value)
