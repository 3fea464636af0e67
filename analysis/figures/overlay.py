"""Published numbers over a chart: open diamonds, dashed lines, and a line of words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, Literal

import polars as pl

from analysis.declared.published import Published
from analysis.declared.stated import is_mix, parts_of, speaks_of
from analysis.declared.workload import parse_workload
from analysis.facts.units import format_percent, format_value
from analysis.figures.axis import Axis
from analysis.figures.marks import draw_diamond
from analysis.figures.palette import INK, SOFT
from analysis.figures.parts import GAP
from analysis.figures.select import PANEL, groups, only
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet
from analysis.figures.theme import POINT, text_width

_SAID = {"exact": "", "low end": "from", "high end": "to"}  # others as they are
_EACH = ("exact", "about", "low end", "high end")
_DIAMOND = 2.2  # mm
_BEFORE = 3.2  # mm that the diamond before the words takes


@dataclass(frozen=True)
class Spoken:
    """A published number, and of which rows of a panel it speaks.

    With ``each`` it is the value of each of them, otherwise a bound or an average over
    them all. ``text`` is the number with its qualifier and what it is restricted to. It
    is ``rivalled`` where another one gives the same row another value of its own: we
    cannot tell which is meant.
    """

    row: Published
    configuration: str
    workloads: tuple[str, ...]
    text: str
    rivalled: bool = False

    @property
    def each(self) -> bool:
        """Whether it is the value of each workload, not one over several."""
        return self.row.qualifier in _EACH

    @property
    def drawn(self) -> bool:
        """Whether it has a place on an axis; words such as "comparable" have none."""
        return self.row.qualifier != "comparable" and not self.rivalled

    def begins_in(self, row: dict[str, object]) -> bool:
        """Whether its dashed line begins in a row of the panel."""
        first = row["workload"] == self.workloads[0]
        return self.drawn and not self.each and first and self.is_of(row)

    def is_of(self, row: dict[str, object]) -> bool:
        """Whether it speaks of a row of the panel."""
        own = row["configuration"] == self.configuration
        return own and row["workload"] in self.workloads


def spoken_of(
    panel: pl.DataFrame, setting: Setting, kind: Literal["value", "delta"] = "delta"
) -> list[Spoken]:
    """What was published of a panel, in the order of the file, each number once."""
    named = setting.study.published
    if named is None:
        return []
    rows = [r for r in setting.published if (r.study, r.kind) == (named.study, kind)]
    found: dict[tuple[object, ...], Spoken] = {}
    for (configuration,), facts in groups(only(panel, "fact"), "configuration"):
        wanted = _Wanted.of(facts.row(0, named=True), setting, kind)
        workloads = facts["workload"].to_list()
        for row in filter(wanted.fits, rows):
            names = tuple(name for name in workloads if _speaks_of(row, name))
            spoken = Spoken(
                row, configuration, names, _text(row, setting, configuration)
            )
            if names:
                found.setdefault((configuration, names, row.value), spoken)
    return _without_rivals(list(found.values()))


def spoken_rows(
    frame: pl.DataFrame, setting: Setting, kinds: tuple[str, ...]
) -> list[dict[str, object]]:
    """The published numbers of a figure as rows of its data."""
    return [
        {
            "record": "published",
            "workload": spoken.row.workload,
            "role": panel["role"][0],
            "metric": spoken.row.metric,
            "configuration": spoken.configuration,
            "value": spoken.row.value,
            "unit": spoken.row.unit,
            "origin": "published",
            "qualifier": spoken.row.qualifier,
            "key": spoken.row.id,
        }
        for _, panel in groups(frame, *PANEL)
        for kind in ("value", "delta")
        if kind in kinds
        for spoken in spoken_of(panel, setting, kind)
    ]


def draw_said(
    sheet: Sheet,
    said: list[Spoken],
    heading: float,
    span: tuple[float, float] | None = None,
) -> None:
    """The published numbers of a panel in words; ``sheet.y`` moves below them.

    They stand at the right of the panel's heading, which ends at ``heading`` (mm), or
    in lines of their own where that has no room for them.
    """
    if not said:
        return
    size = sheet.format.small
    left, right = span or (0.0, sheet.format.width)
    text = "published: " + ", ".join(spoken.text for spoken in said)
    begin = right - text_width(text, size)
    begun = any(s.drawn and not s.each for s in said)
    if begin - _BEFORE - GAP > heading:
        middle = sheet.y - sheet.format.text * POINT * 0.72
        draw_diamond(sheet, (begin - _BEFORE + 1.3, middle), 2.0)
        sheet.text((begin, middle), text, size, SOFT)
        sheet.y += 2.4 if begun else 0.0
        return
    sheet.y += 0.8
    draw_diamond(sheet, (left + 1.3, sheet.y + size * POINT * 0.66), 2.0)
    sheet.paragraph(text, size, SOFT, span=(left + _BEFORE, right))
    sheet.y += 1.6 if begun else 0.2


def draw_spoken(
    sheet: Sheet,
    axis: Axis,
    said: list[Spoken],
    row: dict[str, object],
    y: tuple[float, float],
) -> None:
    """What was published of one row, between the heights ``y`` (mm).

    A value of its own is a diamond low in the row. A number over several rows is a
    dashed line through them all, with a diamond where it begins.
    """
    for spoken in (s for s in said if s.drawn and s.is_of(row)):
        x = axis.at(spoken.row.value)
        if spoken.each:
            draw_diamond(sheet, (x, y[1] - 1.15), _DIAMOND)
            continue
        sheet.line((x, y[0]), (x, y[1]), INK, 0.9, "dashed")
        if spoken.begins_in(row):
            # above the row, or in it where a label stands above it
            rise = 0.9 if sheet.format.stacked else -0.2
            draw_diamond(sheet, (x, y[0] + rise), _DIAMOND)


def _without_rivals(found: list[Spoken]) -> list[Spoken]:
    """Numbers with those marked that give the same row different values."""
    claimed = Counter(
        (spoken.configuration, workload)
        for spoken in found
        if spoken.each
        for workload in spoken.workloads
    )
    return [
        replace(
            spoken,
            rivalled=spoken.each
            and any(claimed[spoken.configuration, w] > 1 for w in spoken.workloads),
        )
        for spoken in found
    ]


@dataclass(frozen=True)
class _Wanted:
    """What a published number must be of, to be of one configuration in a panel."""

    metric: str
    unit: str
    roles: tuple[str | None, ...]
    test: str
    baseline: str | None

    @classmethod
    def of(cls, row: dict[str, Any], setting: Setting, kind: str) -> _Wanted:
        named = setting.study.published
        ids = named.configurations if named else {}
        test, baseline = row["configuration"], row["baseline"]
        return cls(
            row["metric"],
            "%" if kind == "delta" else row["unit"],
            (row["role"], "both") if row["role"] else (None,),
            ids.get(test, test),
            ids.get(baseline, baseline) if kind == "delta" else None,
        )

    def fits(self, row: Published) -> bool:
        own = (self.metric, self.unit, self.test, self.baseline)
        said = (row.metric, row.unit, row.test, row.baseline)
        return own == said and row.role in self.roles


def _speaks_of(row: Published, workload: str) -> bool:
    """Whether a row speaks of a workload; of one in a mix, where the study ran it."""
    if is_mix(row):
        return workload in parts_of(row)
    return speaks_of(row, parse_workload(workload))


def _text(row: Published, setting: Setting, configuration: str) -> str:
    if row.qualifier == "comparable":
        words = ["comparable"]
    else:
        number = (
            format_percent(row.value)
            if row.kind == "delta"
            else format_value(row.value, row.unit)
        )
        words = [_SAID.get(row.qualifier, row.qualifier), number]
    restricted = row.variant and "*" in row.workload
    several = len(setting.tests) > 1 or row.kind == "value"
    words += [f"({row.variant})"] if restricted else []
    words += [f"on {configuration}"] if several else []
    return " ".join(filter(None, words))
