"""Published numbers beside the facts of a figure, each where it belongs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import polars as pl

from analysis.declared.published import (
    NAMES,
    Published,
    is_mix,
    is_of_a_set,
    parts_of,
    speaks_of,
)
from analysis.declared.workload import parse_workload
from analysis.facts.sentences import inside
from analysis.facts.units import MINUS, format_value
from analysis.figures.select import PANEL, as_frame, groups, only
from analysis.figures.setting import Setting

_SAID = {"exact": "", "low end": "from", "high end": "to"}  # others as they are
Kind = Literal["value", "delta"]
_ENDS = ("low end", "high end")
_EACH = ("exact", "about", *_ENDS)


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
    name: str
    workloads: tuple[str, ...]
    text: str
    rivalled: bool = False

    @property
    def each(self) -> bool:
        """Whether it is the value of each workload, not one over several."""
        return self.row.qualifier in _EACH

    def over_roles(self, role: str | None) -> bool:
        """Whether it is an average over both roles, and so of neither of them."""
        both = role is not None and self.row.role == "both"
        return both and self.row.qualifier == "average"

    @property
    def drawn(self) -> bool:
        """Whether it has a place on an axis; words such as "comparable" have none."""
        return self.row.qualifier != "comparable" and not self.rivalled

    def is_of(self, row: dict[str, object]) -> bool:
        """Whether it speaks of a row of the panel."""
        same = row["configuration"] == self.configuration
        return same and row["workload"] in self.workloads


def spoken_of(
    panel: pl.DataFrame, setting: Setting, kind: Kind = "delta"
) -> list[Spoken]:
    """What was published of a panel, in the order of the file, each number once."""
    named = setting.study.published
    if named is None:
        return []
    wanted = (named.study, kind)
    rows = [r for r in setting.published if (r.study, r.kind) == wanted]
    rows = [r for r in rows if not is_of_a_set(r)]
    spoken_by: dict[tuple[object, ...], Spoken] = {}
    for (configuration,), facts in groups(only(panel, "fact"), "configuration"):
        fact, ids = facts.row(0, named=True), named.configurations
        workloads = facts["workload"].to_list()
        for row in (r for r in rows if _is_of_panel(r, fact, ids, kind)):
            names = tuple(
                name
                for name in workloads
                if _speaks_of(row, name) and named.lets(row.id, configuration, name)
            )
            name = setting.label(configuration)
            spoken = Spoken(row, configuration, name, names, _text(row))
            if names:
                spoken_by.setdefault((configuration, names, spoken.text), spoken)
    return _without_rivals(list(spoken_by.values()))


def with_stated(
    frame: pl.DataFrame, setting: Setting, kind: Kind = "delta"
) -> pl.DataFrame:
    """The facts of a figure with what was published of them.

    A number that is the value of a row is ``stated`` in it. One over several rows of a
    panel is a row of its own after them, whose record is ``stated``.
    """
    rows: list[dict[str, Any]] = []
    for _, panel in groups(frame, *PANEL):
        said = [s for s in spoken_of(panel, setting, kind) if s.drawn]
        for row in panel.to_dicts():
            values = [s.row.value for s in said if s.each and s.is_of(row)]
            rows.append(row | {"stated": values[0] if values else None})
        of = {name: panel[name][0] for name in (*PANEL, "unit", "better", "threshold")}
        rows += [
            of | _stated(spoken)
            for spoken in said
            if not spoken.each and not spoken.over_roles(of["role"])
        ]
    return as_frame(rows)


def _stated(spoken: Spoken) -> dict[str, Any]:
    return {
        "record": "stated",
        "workload": "published",
        "configuration": spoken.configuration,
        "name": spoken.name,
        "look": "published",
        "stated": spoken.row.value,
        "says": spoken.text + ", both roles" * (spoken.row.role == "both"),
        "mark": "",
    }


def foot_of_published(
    frame: pl.DataFrame, setting: Setting, kind: Kind = "delta"
) -> list[str]:
    """Of the foot, how published numbers are drawn, and those that no row prints."""
    said: dict[tuple[str, str], list[Spoken]] = {}
    drawn = setting.tests if kind == "delta" else setting.configurations
    for (metric, role), panel in groups(only(frame, "fact"), *PANEL):
        name = setting.metrics[metric].label
        for spoken in spoken_of(panel, setting, kind):
            if spoken.drawn and not spoken.each and not spoken.over_roles(role):
                continue
            whose = "both roles" if spoken.row.role == "both" else role
            of = (
                f"{name} of {'' if whose == 'both roles' else 'the '}{whose}"
                if whose
                else name
            )
            whose_test = f" with {spoken.name}" * (len(drawn) > 1)
            said.setdefault((inside(of), whose_test), []).append(spoken)
    phrases = [
        f"{of} {', '.join(_in_pairs(every))}{test}"
        for (of, test), every in said.items()
    ]
    drawn_as = "open diamond: published" * bool(frame["stated"].drop_nulls().len())
    return [drawn_as, f"published: {', '.join(phrases)}" if phrases else ""]


def _in_pairs(every: Sequence[Spoken]) -> list[str]:
    """What was published of one metric, ``−2.3 to +10.8% (single session)`` where both
    ends were."""
    ends: dict[tuple[object, ...], dict[str, Spoken]] = {}
    for n, spoken in enumerate(every):
        row = spoken.row
        whose = (row.variant, row.workload, "" if row.qualifier in _ENDS else n)
        ends.setdefault(whose, {}).setdefault(row.qualifier, spoken)
    texts = dict[str, None]()
    for found in ends.values():
        low, high = (found.get(end) for end in _ENDS)
        if low and high:
            number, unit = _number(low.row), _number(high.row).lstrip("0123456789.,+−")
            pair = f"{number.removesuffix(unit)} to {_number(high.row)}"
            texts[f"{pair}{_restricted(high.row)}"] = None
        else:
            texts |= dict.fromkeys(spoken.text for spoken in found.values())
    return [*texts]


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


def _without_rivals(every: list[Spoken]) -> list[Spoken]:
    """Numbers with those marked that give the same row different values."""
    claimed = Counter(
        (spoken.configuration, workload)
        for spoken in every
        if spoken.each
        for workload in spoken.workloads
    )
    return [
        replace(
            spoken,
            rivalled=spoken.each
            and any(claimed[spoken.configuration, w] > 1 for w in spoken.workloads),
        )
        for spoken in every
    ]


def _is_of_panel(
    row: Published, fact: dict[str, Any], ids: Mapping[str, str], kind: Kind
) -> bool:
    """Whether a number is of the metric, role and configurations of a fact, which
    published ones call by their ``ids``."""
    test, baseline = fact["configuration"], fact["baseline"]
    sides = (fact["metric"], fact["unit"], ids.get(test, test), None)
    if kind == "delta":
        sides = (fact["metric"], "%", ids.get(test, test), ids.get(baseline, baseline))
    roles = (fact["role"], "both") if fact["role"] else (None,)
    return sides == (row.metric, row.unit, row.test, row.baseline) and row.role in roles


def _speaks_of(row: Published, workload: str) -> bool:
    """Whether a row speaks of a workload; of one in a mix, where the study ran it."""
    if is_mix(row):
        return workload in parts_of(row)
    return speaks_of(row, parse_workload(workload))


def _text(row: Published) -> str:
    if row.qualifier == "comparable":
        return f"comparable{_restricted(row)}"
    said = _SAID.get(row.qualifier, row.qualifier)
    return f"{said} {_number(row)}{_restricted(row)}".lstrip()


def _number(row: Published) -> str:
    """A change as it was printed, or a value."""
    if row.kind == "delta":
        return f"{row.value:+,.10g}%".replace("-", MINUS)
    return format_value(row.value, row.unit)


def _restricted(row: Published) -> str:
    """What of several workloads a number is restricted to, after a space."""
    some = row.variant and ("*" in row.workload or row.workload in NAMES)
    return f" ({row.variant})" if some else ""
