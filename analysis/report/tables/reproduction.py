"""Published numbers against derived ones: which facts a row speaks of, and whether
they agree.

A row that says ``up to`` is held against the largest change of its workloads, one
that says ``average`` or names several workloads against their mean. It agrees within
half a unit of the last digit that is printed, which is half a point for most changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from analysis.declared.published import ALL, Published
from analysis.declared.stated import speaks_of
from analysis.declared.study import Published as Names
from analysis.declared.study import Study
from analysis.declared.workload import matches, parse_workload
from analysis.facts.fact import Fact

Outcome = Literal["reproduced", "differs", "predicted", "not derived"]
OUTCOMES: tuple[Outcome, ...] = ("reproduced", "differs", "predicted", "not derived")
_ROUNDING = 1e-9
_TO_SERVER = "client to server"
_WORDS = ("comparable", "direction")  # without a size


@dataclass(frozen=True)
class Match:
    """A published row, the facts that it speaks of, and how they agree.

    ``derived`` and ``tolerance`` are in the row's unit, None where no fact fits, and
    ``reason`` says why. A match that rests on a prediction proves nothing, as the
    prediction may rest on the row.
    """

    row: Published
    study: str
    facts: tuple[Fact, ...] = ()
    derived: float | None = None
    tolerance: float | None = None
    outcome: Outcome = "not derived"
    reason: str = ""


def match_rows(
    rows: Iterable[Published], studies: Mapping[str, Study], facts: Iterable[Fact]
) -> list[Match]:
    """Every row that speaks of one of the studies, in the order of studies and rows."""
    rows, facts = list(rows), list(facts)
    found = []
    for id, study in studies.items():
        names = study.published or Names(study=id)
        own = [fact for fact in facts if fact.study == id]
        found += [
            _match(row, id, study, names, own)
            for row in rows
            if row.study == names.study
        ]
    return found


def _match(
    row: Published, id: str, study: Study, names: Names, facts: list[Fact]
) -> Match:
    configuration = _configuration(row, study, names)
    if configuration is None:
        against = f" with {row.baseline}" if row.baseline else ""
        return Match(row, id, reason=f"the study does not compare {row.test}{against}")
    known = {fact.metric for fact in facts}
    if row.metric != ALL and row.metric not in known:
        return Match(row, id, reason=f"the study derives no {row.metric}")
    wanted = tuple(
        fact
        for fact in facts
        if fact.kind == ("value" if row.kind == "value" else "delta")
        and fact.configuration == configuration
        and row.metric in (ALL, fact.metric)
        and row.role in ((fact.role, "both") if fact.role else (None,))
        and _speaks_of(row, fact.workload)
        and _row_fits(row, names, fact.workload)
    )
    if not wanted:
        return Match(row, id, reason="no workload of the study is what the row is of")
    return _compared(row, id, study, wanted)


def _configuration(row: Published, study: Study, names: Names) -> str | None:
    """Our id of the row's test, or of its configuration where it has no baseline."""
    if row.id in names.rows:
        return names.rows[row.id].test
    for id in study.configurations if row.kind == "value" else study.tests:
        baseline = names.name_of(study.baseline_of(id))
        if names.name_of(id) == row.test and row.baseline in (None, baseline):
            return id
    return None


def _row_fits(row: Published, names: Names, workload: str) -> bool:
    return row.id not in names.rows or matches(workload, names.rows[row.id].workloads)


def _speaks_of(row: Published, name: str) -> bool:
    work = parse_workload(name)
    if row.clients and row.clients != str(work.clients):
        return False
    if row.variant.endswith(_TO_SERVER) and work.request_bytes <= work.response_bytes:
        return False
    return speaks_of(row, work)


def _compared(row: Published, id: str, study: Study, facts: tuple[Fact, ...]) -> Match:
    values = list(_in_unit(row, facts))
    derived, chosen = _grouped(row, values, facts)
    tolerance = study.noise.floor if row.qualifier in _WORDS else row.last_digit
    predicted = [fact for fact in chosen if fact.estimate]
    outcome: Outcome = "differs"
    if predicted:
        outcome = "predicted"
    elif _agrees(row, derived, tolerance, chosen):
        outcome = "reproduced"
    reason = "; ".join(
        dict.fromkeys(f"it rests on: {f.estimate.rung}" for f in chosen if f.estimate)
    )
    return Match(row, id, chosen, derived, tolerance, outcome, reason)


def _in_unit(row: Published, facts: tuple[Fact, ...]) -> Iterator[float]:
    """The facts' values as the row states it: a change, a factor, a reduction."""
    for fact in facts:
        ratio = 1 + fact.value / 100
        kinds = {"factor": ratio, "reduction": 1 / ratio if ratio else float("inf")}
        yield kinds.get(row.kind, fact.value)


def _grouped(
    row: Published, values: list[float], facts: tuple[Fact, ...]
) -> tuple[float, tuple[Fact, ...]]:
    """What the row's qualifier makes of several values, and the facts behind it."""
    sign = -1 if row.value < 0 else 1
    if row.qualifier == "direction":
        return sign * max(sign * value for value in values), facts
    keys = {
        "up to": lambda v: sign * v,
        "over": lambda v: sign * v,
        "high end": lambda v: sign * v,
        "low end": lambda v: -sign * v,
        "comparable": abs,
    }
    if row.qualifier not in keys:
        return fmean(values), facts
    key = keys[row.qualifier]
    at = max(range(len(values)), key=lambda index: key(values[index]))
    return values[at], (facts[at],)


def _agrees(
    row: Published, derived: float, tolerance: float, facts: tuple[Fact, ...]
) -> bool:
    if row.qualifier == "comparable":
        verdicts = {fact.verdict for fact in facts}
        return verdicts == {"comparable"} or abs(derived) <= tolerance
    if row.qualifier == "direction":
        return _goes(row, tolerance, facts)
    if row.qualifier == "over":
        return abs(derived) >= abs(row.value) - tolerance
    return abs(derived - row.value) <= tolerance + _ROUNDING


def _goes(row: Published, tolerance: float, facts: tuple[Fact, ...]) -> bool:
    """Whether changes go a published way: one clearly, and none clearly another."""
    ways = [fact.value * row.value for fact in facts if abs(fact.value) >= tolerance]
    return bool(ways) and min(ways) > 0
