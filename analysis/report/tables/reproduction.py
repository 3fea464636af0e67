"""Published numbers against derived ones: which facts a row speaks of, and whether
they agree.

A row that says ``up to`` is held against the largest change of its workloads, one
that says ``average`` or names several workloads against their mean, ``low end`` and
``high end`` against the least and the largest value. It agrees within
half a unit of the last digit that is printed, which is half a point for most changes.

Values of which the source does not tell the workload are a set: theirs and ours are
sorted, and compared in that order, if there are as many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Literal

from analysis.declared.published import ALL, Published, is_of_a_set, set_of, speaks_of
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
    prediction may rest on the row. ``paired`` where the fact was found by its place
    among sorted values.
    """

    row: Published
    study: str
    facts: tuple[Fact, ...] = ()
    derived: float | None = None
    tolerance: float | None = None
    outcome: Outcome = "not derived"
    reason: str = ""
    paired: bool = False


def match_rows(
    rows: Iterable[Published], studies: Mapping[str, Study], facts: Iterable[Fact]
) -> list[Match]:
    """Every row that speaks of one of the studies, in the order of studies and rows.

    A row of which several studies tell, as of two protocols by short and by lasting
    connections, stands where it is derived.
    """
    rows, facts = list(rows), list(facts)
    found = []
    for id, study in studies.items():
        names = study.published or Names(study=id)
        own = [fact for fact in facts if fact.study == id]
        of = [row for row in rows if row.study == names.study]
        for row in of:
            match = _match(row, id, study, names, own)
            found.append(_paired(match, of, study) if is_of_a_set(row) else match)
    best: dict[str, Match] = {}
    for match in sorted(found, key=lambda match: not match.facts):
        best.setdefault(match.row.id, match)
    return [m for m in found if m.facts or best[m.row.id] is m]


def _match(
    row: Published, id: str, study: Study, names: Names, facts: list[Fact]
) -> Match:
    configuration = _configuration(row, study, names)
    if configuration is None and (between := _between(row, id, study, names, facts)):
        return between
    if configuration is None:
        against = f" with {row.baseline}" if row.baseline else ""
        return Match(row, id, reason=f"the study does not compare {row.test}{against}")
    if not any(_is_metric(row, fact) for fact in facts):
        return Match(
            row, id, reason=f"the study derives no {row.metric.replace('_', ' ')}"
        )
    wanted = tuple(
        fact
        for fact in facts
        if fact.kind == ("value" if row.kind == "value" else "delta")
        and fact.configuration == configuration
        and _is_metric(row, fact)
        and row.role in ((fact.role, "both") if fact.role else (None,))
        and _speaks_of(row, fact.workload)
        and _row_fits(row, names, fact.workload)
    )
    if not wanted:
        return Match(row, id, reason="no workload of the study is what the row is of")
    return _compared(row, id, study, wanted)


def _between(
    row: Published, id: str, study: Study, names: Names, facts: list[Fact]
) -> Match | None:
    """A change between two configurations that the study compares with a third."""
    sides: dict[str, dict[tuple[str | None, str], Fact]] = {}
    for fact in facts:
        if (
            (fact.kind, fact.metric) == ("value", row.metric)
            and row.role in ((fact.role, "both") if fact.role else (None,))
            and speaks_of(row, parse_workload(fact.workload))
        ):
            arm = sides.setdefault(names.name_of(fact.configuration), {})
            arm[fact.role, fact.workload] = fact
    before, after = (sides.get(side or "", {}) for side in (row.baseline, row.test))
    pairs = [(before[place], after[place]) for place in before if place in after]
    if row.kind == "value" or not pairs:
        return None
    changes = tuple(
        replace(new, value=100 * (new.value / old.value - 1), verdict=None)
        for old, new in pairs
    )
    match = _compared(row, id, study, changes)
    reason = "from the values of both: the study compares each with another one"
    both = tuple(fact for pair in pairs for fact in pair)
    return replace(
        match, facts=both, reason="; ".join(filter(None, [match.reason, reason]))
    )


def _is_metric(row: Published, fact: Fact) -> bool:
    """Whether a fact is of a row's metric. Sources call the throughput of bulk work a
    rate where they give changes over all kinds of work."""
    if row.metric in (ALL, fact.metric):
        return True
    mixed = row.metric == "rate" and row.kind == "delta" and " + " in row.workload
    return mixed and fact.metric == "throughput"


def _paired(match: Match, rows: list[Published], study: Study) -> Match:
    """The match with the one fact that has the row's place, where all are sorted."""
    if not match.facts:
        return match
    row, published = match.row, set_of(match.row, rows)
    if len(published) != len(match.facts):
        many = f"{len(published)} values are published, and {len(match.facts)} derived"
        return Match(row, match.study, reason=f"{many}, so sorting pairs none of them")
    values = zip(_in_unit(row, match.facts), match.facts, strict=True)
    ordered = sorted(values, key=lambda pair: (pair[0], pair[1].key))
    fact = ordered[published.index(row)][1]
    return replace(_compared(row, match.study, study, (fact,)), paired=True)


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
        "high end": lambda v: v,
        "low end": lambda v: -v,
        "comparable": abs,
    }
    if row.qualifier not in keys:
        return _mean(row, values, facts), facts
    key = keys[row.qualifier]
    at = max(range(len(values)), key=lambda index: key(values[index]))
    return values[at], (facts[at],)


def _mean(row: Published, values: list[float], facts: tuple[Fact, ...]) -> float:
    """The mean over the workloads; over several patterns, of the means of each."""
    patterns = [name for name in row.workload.split(" + ") if name.endswith("*")]
    groups = [
        [v for v, f in zip(values, facts, strict=True) if matches(f.workload, pattern)]
        for pattern in patterns
    ]
    return fmean(map(fmean, filter(None, groups))) if groups else fmean(values)


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
