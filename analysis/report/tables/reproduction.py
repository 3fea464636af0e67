"""Published numbers against derived ones: which facts a row speaks of, whether they
agree, and the appendix that says so.

A row that says ``up to`` is held against the largest change of its workloads, one
that says ``average`` or names several workloads against their mean, ``low end`` and
``high end`` against the least and the largest value. It agrees within
half a unit of the last digit that is printed, which is half a point for most changes.

Values of which the source does not tell the workload are a set: theirs and ours are
sorted, and compared in that order, if there are as many.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, Literal

from analysis.declared.edition import Group, study_id
from analysis.declared.published import (
    ALL,
    NAMES,
    Published,
    is_of_a_set,
    set_of,
    speaks_of,
)
from analysis.declared.study import Published as Names
from analysis.declared.study import Study
from analysis.declared.workload import matches, parse_workload
from analysis.facts.fact import Fact
from analysis.facts.sentences import listed
from analysis.facts.units import MINUS, format_number, format_percent, format_unit
from analysis.report.bound import Bound, Number, bound
from analysis.report.material import Material
from analysis.report.table import NONE, Cell, Column, Notes, escape, table
from analysis.report.tables.cells import PREDICTED

Outcome = Literal["reproduced", "differs", "predicted", "not derived"]
OUTCOMES: tuple[Outcome, ...] = ("reproduced", "differs", "predicted", "not derived")
GLYPHS = {
    "reproduced": ("✓", "improved"),
    "differs": ("≠", "regressed"),
    "predicted": (PREDICTED, "predicted"),
}
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


def matches_of(material: Material) -> list[Match]:
    """Every published row that speaks of a study of the edition."""
    facts = material.facts.facts
    return match_rows(material.published, material.studies, facts)


def match_rows(
    rows: Iterable[Published], studies: Mapping[str, Study], facts: Iterable[Fact]
) -> list[Match]:
    """Every row that speaks of one of the studies, in the order of studies and rows.

    A row of which several studies tell, as of two protocols by short and by lasting
    connections, stands where it is derived.
    """
    rows, facts = list(rows), list(facts)
    found = [
        match
        for id, study in studies.items()
        for names in [study.published or Names(study=id)]
        for match in _StudyRows(
            id,
            study,
            names,
            [row for row in rows if row.study == names.study],
            [fact for fact in facts if fact.study == id],
        ).matches()
    ]
    best: dict[str, Match] = {}
    for match in sorted(found, key=lambda match: not match.facts):
        best.setdefault(match.row.id, match)
    return [m for m in found if m.facts or best[m.row.id] is m]


@dataclass(frozen=True)
class _StudyRows:
    """The published rows of a study, what they call it, and its facts."""

    id: str
    study: Study
    names: Names
    rows: list[Published]
    facts: list[Fact]

    def matches(self) -> Iterator[Match]:
        for row in self.rows:
            match = self._match(row)
            yield self._paired(match) if is_of_a_set(row) and match.facts else match

    def _match(self, row: Published) -> Match:
        configuration = self._configuration(row)
        if configuration is None:
            if between := self._between(row):
                return between
            against = f" with {row.baseline}" if row.baseline else ""
            return self._none(row, f"the study does not compare {row.test}{against}")
        facts = [fact for fact in self.facts if _is_metric(row, fact)]
        if not facts:
            metric = row.metric.replace("_", " ")
            return self._none(row, f"the study derives no {metric}")
        fitting = tuple(
            fact
            for fact in facts
            if fact.kind == ("value" if row.kind == "value" else "delta")
            and fact.configuration == configuration
            and _is_role(row, fact)
            and _speaks_of(row, fact.workload)
            and self._fits(row, fact.workload)
        )
        if not fitting:
            return self._none(row, "no workload of the study is what the row is of")
        return self._compared(row, fitting)

    def _none(self, row: Published, reason: str) -> Match:
        return Match(row, self.id, reason=reason)

    def _configuration(self, row: Published) -> str | None:
        """Our id of the row's test, or of its configuration without a baseline."""
        study, name_of = self.study, self.names.name_of
        if row.id in self.names.rows:
            return self.names.rows[row.id].test
        for id in study.configurations if row.kind == "value" else study.tests:
            baseline = name_of(study.baseline_of(id))
            if name_of(id) == row.test and row.baseline in (None, baseline):
                return id
        return None

    def _fits(self, row: Published, workload: str) -> bool:
        named = self.names.rows.get(row.id)
        return named is None or matches(workload, named.workloads)

    def _between(self, row: Published) -> Match | None:
        """A change between two configurations that the study compares with a third."""
        sides: dict[str, dict[tuple[str | None, str], Fact]] = {}
        for fact in self.facts:
            if (
                (fact.kind, fact.metric) == ("value", row.metric)
                and _is_role(row, fact)
                and speaks_of(row, parse_workload(fact.workload))
            ):
                side = sides.setdefault(self.names.name_of(fact.configuration), {})
                side[fact.role, fact.workload] = fact
        before, after = (sides.get(s or "", {}) for s in (row.baseline, row.test))
        pairs = [(before[place], after[place]) for place in before if place in after]
        if row.kind == "value" or not pairs:
            return None
        changes = tuple(
            replace(new, value=100 * (new.value / old.value - 1), verdict=None)
            for old, new in pairs
        )
        match = self._compared(row, changes)
        reason = "from the values of both: the study compares each with another one"
        both = tuple(fact for pair in pairs for fact in pair)
        reasons = "; ".join(filter(None, [match.reason, reason]))
        return replace(match, facts=both, reason=reasons)

    def _paired(self, match: Match) -> Match:
        """The match with the one fact that has the row's place among sorted ones."""
        row, published = match.row, set_of(match.row, self.rows)
        if len(published) != len(match.facts):
            many = f"{len(published)} values are published, and {len(match.facts)} "
            return self._none(row, f"{many}derived, so sorting pairs none of them")
        values = zip(_in_unit(row, match.facts), match.facts, strict=True)
        ordered = sorted(values, key=lambda pair: (pair[0], pair[1].key))
        fact = ordered[published.index(row)][1]
        return replace(self._compared(row, (fact,)), paired=True)

    def _compared(self, row: Published, facts: tuple[Fact, ...]) -> Match:
        derived, chosen = _grouped(row, list(_in_unit(row, facts)), facts)
        floor = self.study.noise.floor
        tolerance = floor if row.qualifier in _WORDS else row.last_digit
        rungs = dict.fromkeys(f.estimate.rung for f in chosen if f.estimate)
        agrees = _agrees(row, derived, tolerance, chosen)
        outcome: Outcome = "reproduced" if agrees else "differs"
        if rungs:
            outcome = "predicted"
        reason = "; ".join(f"it rests on: {rung}" for rung in rungs)
        return Match(row, self.id, chosen, derived, tolerance, outcome, reason)


def _is_metric(row: Published, fact: Fact) -> bool:
    """Whether a fact is of a row's metric. Sources call the throughput of bulk work a
    rate where they give changes over all kinds of work."""
    if row.metric in (ALL, fact.metric):
        return True
    mixed = row.metric == "rate" and row.kind == "delta" and " + " in row.workload
    return mixed and fact.metric == "throughput"


def _is_role(row: Published, fact: Fact) -> bool:
    return row.role in ((fact.role, "both") if fact.role else (None,))


def _speaks_of(row: Published, name: str) -> bool:
    work = parse_workload(name)
    if row.variant.endswith(_TO_SERVER) and work.request_bytes <= work.response_bytes:
        return False
    return speaks_of(row, work)


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
    if row.qualifier == "direction":  # one goes that way clearly, and none another
        ways = [f.value * row.value for f in facts if abs(f.value) >= tolerance]
        return bool(ways) and min(ways) > 0
    if row.qualifier == "over":
        return abs(derived) >= abs(row.value) - tolerance
    return abs(derived - row.value) <= tolerance + _ROUNDING


def reproduction(material: Material, cited: Collection[str]) -> dict[str, Any] | None:
    """What the appendix prints; None where nothing was published of the studies.

    ``cited`` are the keys of the edition's bibliography.
    """
    compared = matches_of(material)
    if not compared:
        return None
    tables = (
        _table(material, [m for m in compared if m.study in ids], title, id, cited)
        for id, title, ids in parts_of(material)
    )
    return {
        **counts_of(compared),
        "tables": [text for text in tables if text],
        "others": _others(material, {match.row.edition for match in compared}),
    }


def counts_of(found: Sequence[Match]) -> dict[str, Any]:
    """How many rows there are, and have each outcome: ``80 are reproduced``."""

    def tally(outcome: Outcome, n: int) -> str:
        if outcome == "differs":
            return f"{n} {'differ' if n > 1 else 'differs'}"
        return f"{n} {'are' if n > 1 else 'is'} {outcome}"

    counts = {o: sum(match.outcome == o for match in found) for o in OUTCOMES}
    return {
        "count": len(found),
        "tally": listed(tally(outcome, n) for outcome, n in counts.items() if n),
        "predicted": counts["predicted"],
        "paired": any(match.paired for match in found),
    }


def parts_of(material: Material) -> list[tuple[str, str, Sequence[str]]]:
    """The studies that share a table: those of a group, or one alone."""
    parts: list[tuple[str, str, Sequence[str]]] = []
    for entry in material.edition.studies:
        if isinstance(entry, Group):
            parts.append((entry.id, entry.title, [*map(study_id, entry.studies)]))
        else:
            id = study_id(entry)
            parts.append((id, material.studies[id].title, (id,)))
    return parts


def _table(
    material: Material,
    compared: list[Match],
    title: str,
    id: str,
    cited: Collection[str],
) -> Bound:
    if not compared:
        return Bound()
    notes = Notes()

    def what(row: Match | str) -> str:
        if isinstance(row, Match):
            return escape(statement(row, material))
        return f"[{escape(material.studies[row].title)}](#sec-{row})"

    def where(match: Match) -> str:
        citation = match.row.citation
        source = f" [@{citation}]" if citation in cited else ""
        return escape(match.row.place) + source

    def published(match: Match) -> str:
        return published_words(match.row) + notes.mark(remarks(material, match))

    def verdict(match: Match) -> str:
        glyph, look = GLYPHS.get(match.outcome, ("", ""))
        words: str = match.outcome
        if glyph:
            words = f"[{glyph} {words}]{{.verdict .{look}}}"
        reason = [match.reason[:1].upper() + match.reason[1:]] * bool(match.reason)
        return words + ", sorted" * match.paired + notes.mark(reason)

    def of_match(cell: Callable[[Match], Cell]) -> Callable[[Match | str], Cell]:
        return lambda row: cell(row) if isinstance(row, Match) else ""

    columns: list[Column[Match | str]] = [
        Column("What was published", 54, what),
        Column("Where", 27, of_match(where)),
        Column("Published", 21, of_match(published), number=True),
        Column("Derived", 14, of_match(_derived), number=True),
        Column("Tolerance", 12, of_match(tolerance_words), number=True),
        Column("Verdict", 22, of_match(verdict)),
    ]
    by_study: dict[str, list[Match | str]] = {}
    for match in compared:
        by_study.setdefault(match.study, []).append(match)
    several = len(by_study) > 1  # else the caption names it
    rows = [r for id, own in by_study.items() for r in ([id] * several + own)]
    caption = f"{escape(title)}. Published numbers and what this edition derives."
    return table(columns, rows, caption, f"{id}-reproduction", notes)


def _derived(match: Match) -> Cell:
    if match.derived is None:
        return NONE
    text = number_words(match.row, match.derived)
    if len(match.facts) == 1:
        return bound(Number(text, match.facts, ends=()))
    return bound(Number(text, match.facts, is_average=True, ends=()))


def _others(material: Material, editions: set[str]) -> list[str]:
    """Inconsistencies of the same sources that are of no number."""
    return [
        f"{escape(issue.place[:1].upper() + issue.place[1:])}: {escape(issue.text)}"
        for issue in material.issues
        if editions.intersection(issue.editions) and not issue.rows
    ]


def statement(match: Match, material: Material) -> str:
    """Of what a row is: metric, role, workload and what is compared."""
    row, results = match.row, material.of_study(match.study)
    named = results.study.published
    ids = {own: id for id, own in (named.configurations if named else {}).items()}
    sides = (id or "" for id in (row.test, row.baseline))
    test, base = (results.name(ids.get(id, id)) for id in sides)
    metric = material.metrics.get(row.metric)
    label = "All metrics" if row.metric == ALL else metric.label if metric else ""
    role = {"both": "both sides", None: ""}.get(row.role, row.role)
    against = f"{test} relative to {base}" if base else test
    counted = row.workload in NAMES and row.clients  # a name of ours has its clients
    clients = f"clients {row.clients}" if counted else ""
    parts = [label, role, row.workload, clients, row.variant, against]
    return ", ".join(part for part in parts if part)


def published_words(row: Published) -> str:
    """The number as it was published: ``up to −60%``."""
    if row.qualifier == "comparable":
        return "comparable"
    if row.qualifier == "direction":
        return "higher" if row.value > 0 else "lower"
    before = "" if row.qualifier == "exact" else f"{row.qualifier} "
    number = f"{row.value:+,.10g}" if row.kind == "delta" else f"{row.value:,.10g}"
    unit = {"%": "%", "x": "×", "1": ""}.get(row.unit, f"\u00a0{format_unit(row.unit)}")
    return f"{before}{number.replace('-', MINUS)}{unit}"


def number_words(row: Published, value: float) -> str:
    """A derived number in the form of the row, with all of its decimals: those that
    make it agree or differ."""
    change = row.kind in ("delta", "direction")
    text = format_percent(value).removesuffix("%") if change else format_number(value)
    decimals = max(len(text.partition(".")[2]), row.decimals)
    sign = "+" if change and text[:1] in f"+{MINUS}" else ""
    text = f"{value:{sign},.{decimals}f}".replace("-", MINUS)
    return text + ("%" if change else "" if row.kind == "value" else "×")


def tolerance_words(match: Match) -> str:
    """By how much the two may differ; a dash where nothing is derived."""
    if match.tolerance is None:
        return NONE
    unit = {"%": "\u00a0pp", "": "\u00a0pp"}.get(match.row.unit, "")
    return f"±{match.tolerance:.2g}{unit}"


def remarks(material: Material, match: Match) -> list[str]:
    """What is to be said of the row: its note, and the inconsistencies that name it."""
    notes = [match.row.note] if match.row.note else []
    return notes + [i.text for i in material.issues if match.row.id in i.rows]
