"""What each edition answers to a question: its changes, row by row and side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from analysis.declared.questions import NamedArm, SharedQuestion
from analysis.declared.workload import parse_workload
from analysis.facts.fact import Fact, Verdict
from analysis.facts.sentences import origin_text
from analysis.facts.units import format_percent
from analysis.report.across.library import Library
from analysis.report.expressions.bound import interval

Name = tuple[str, str, str]  # metric, role, workload


@dataclass(frozen=True)
class AnswerSide:
    """A test of a study of an edition: who says it, and where it is declared.

    For readers: the edition's ``name``, the ``pair`` of configurations in words, and
    the address of the ``page`` that has it.
    """

    edition: str
    study: str
    test: str
    baseline: str
    name: str
    pair: str
    page: str

    @property
    def place(self) -> str:
        """The file in which the study is declared."""
        return f"report/{self.edition}/studies/{self.study}/study.yaml"


@dataclass(frozen=True)
class AnswerCell:
    """A number as the report prints it, with what it rests on."""

    printed: str
    interval: str
    verdict: Verdict | None
    origin: str
    value: float

    @property
    def judged(self) -> str:
        """The verdict in a word; what was not measured has none."""
        return self.verdict or "predicted"


@dataclass(frozen=True)
class AnswerRow:
    """A metric of a workload, and what each side says of it; None for nothing."""

    name: Name
    label: str
    cells: tuple[AnswerCell | None, ...]


@dataclass(frozen=True)
class Continued:
    """One configuration in two editions: what differs, the values of both, and what
    those rest on."""

    arms: tuple[NamedArm, NamedArm]
    labels: tuple[str, str]
    names: tuple[str, str]
    differs: tuple[str, ...]
    rows: tuple[tuple[str, str, str, str], ...]  # label, earlier, later, change
    origins: tuple[str, str]


@dataclass(frozen=True)
class SharedAnswer:
    """All of a question, in its order; ``absent`` are editions without facts."""

    question: SharedQuestion
    sides: tuple[AnswerSide, ...]
    rows: tuple[AnswerRow, ...]
    same: tuple[Continued, ...]
    absent: tuple[str, ...]


def answer(
    library: Library, question: SharedQuestion, only: Iterable[str] = ()
) -> SharedAnswer:
    """What editions say, all or ``only`` some of them."""
    wanted = set(only) or set(library.editions)
    asked = [one for one in question.of if one.edition in wanted]
    sides = tuple(
        _side(library, one.edition, one.study, test)
        for one in asked
        if one.edition in library.built
        for test in one.tests or library.studies[one.edition, one.study].tests
    )
    return SharedAnswer(
        question,
        sides,
        tuple(_rows(library, question, sides)),
        tuple(
            _same(library, question, pair)
            for pair in question.same
            if all(arm.edition in wanted & library.built for arm in pair)
        ),
        tuple(sorted({a.edition for a in asked} - library.built)),
    )


def _side(library: Library, edition: str, id: str, test: str) -> AnswerSide:
    study = library.studies[edition, id]
    baseline = study.baseline_of(test)
    words = [
        library.label(NamedArm(edition=edition, study=id, configuration=one))
        for one in (test, baseline)
    ]
    pair = " relative to ".join(words)
    page = library.page(edition, id)
    return AnswerSide(edition, id, test, baseline, library.name(edition), pair, page)


def _rows(
    library: Library, question: SharedQuestion, sides: tuple[AnswerSide, ...]
) -> Iterable[AnswerRow]:
    found: dict[Name, dict[AnswerSide, Fact]] = {}
    places = {(s.edition, s.study, s.test): s for s in sides}
    for fact in library.facts.facts:
        side = places.get((fact.edition, fact.study, fact.configuration))
        if side and fact.kind == "delta" and fact.metric in question.metrics:
            name = (fact.metric, fact.role or "", fact.workload)
            found.setdefault(name, {})[side] = fact
    for name in sorted(found, key=lambda n: _order(question, n)):
        cells = tuple(_cell(found[name].get(side)) for side in sides)
        yield AnswerRow(name, _label(library, name), cells)


def _order(question: SharedQuestion, name: Name) -> tuple[object, ...]:
    metric, role, workload = name
    return question.metrics.index(metric), role, parse_workload(workload).order


def _label(library: Library, name: Name) -> str:
    metric, role, workload = name
    return ", ".join(filter(None, (library.metrics[metric].label, role, workload)))


def _cell(fact: Fact | None) -> AnswerCell | None:
    if fact is None:
        return None
    low = interval(fact) if fact.low is not None else ""
    return AnswerCell(fact.printed, low, fact.verdict, origin_text(fact), fact.value)


def _same(
    library: Library, question: SharedQuestion, pair: tuple[NamedArm, NamedArm]
) -> Continued:
    values = [_values(library, question, arm) for arm in pair]
    details = [library.details(arm) for arm in pair]
    names = sorted(values[0].keys() & values[1].keys())
    both = [(name, values[0][name], values[1][name]) for name in names]
    rows = [
        (_label(library, name), earlier.printed, later.printed, _change(earlier, later))
        for name, earlier, later in both
    ]
    rests = (_origins(earlier for _, earlier, _ in both), _origins(f for *_, f in both))
    differs = [
        f"{key}: {details[0].get(key, 'not told')} → {details[1].get(key, 'not told')}"
        for key in dict.fromkeys([*details[0], *details[1]])
        if details[0].get(key) != details[1].get(key)
    ]
    (one, other), (first, second) = map(library.label, pair), (a.edition for a in pair)
    told = library.name(first), library.name(second)
    return Continued(pair, (one, other), told, tuple(differs), tuple(rows), rests)


def _origins(facts: Iterable[Fact]) -> str:
    """What values rest on, each way once."""
    return "; ".join(dict.fromkeys(map(origin_text, facts)))


def _values(
    library: Library, question: SharedQuestion, arm: NamedArm
) -> dict[Name, Fact]:
    return {
        (fact.metric, fact.role or "", fact.workload): fact
        for fact in library.facts.of(arm.edition, arm.study).facts
        if fact.kind == "value"
        and fact.configuration == arm.configuration
        and fact.metric in question.metrics
    }


def _change(earlier: Fact, later: Fact) -> str:
    return format_percent((later.value / earlier.value - 1) * 100)
