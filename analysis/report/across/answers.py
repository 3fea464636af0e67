"""What each edition answers to a question: its changes, row by row and side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from analysis.declared.questions import NamedArm, SharedQuestion
from analysis.declared.workload import parse_workload
from analysis.facts.fact import Fact
from analysis.facts.sentences import (
    comparisons_sentence,
    listed,
    origin_text,
    tally,
)
from analysis.facts.units import format_percent, format_percent_interval
from analysis.report.across.library import Library
from analysis.statistics.median_change import measure_change

_LEAST = 1.5  # per cent of the axis: what is narrower is not seen
_AXIS = 5.0  # per cent of change that an axis has at least: noise stays small
Name = tuple[str, str, str]  # metric, role, workload


@dataclass(frozen=True)
class AnswerSide:
    """A test of a study of an edition: who says it, and where it is declared.

    For readers: the edition's ``name``, the ``pair`` of configurations in words, and
    the address of the ``page`` that has it, and how the study's ``answer`` begins,
    empty where no page was built.
    """

    edition: str
    study: str
    test: str
    name: str
    pair: str
    page: str
    answer: str = ""

    @property
    def place(self) -> str:
        """The file in which the study is declared."""
        return f"report/{self.edition}/studies/{self.study}/study.yaml"


@dataclass(frozen=True)
class OmittedAnswer:
    """A study that is not shown: whose it is, its title, page and verdicts, and why."""

    name: str
    title: str
    page: str
    verdicts: str
    why: str


@dataclass(frozen=True)
class AnswerRow:
    """A metric of a workload, and the change on each side; None for nothing.

    ``metric`` is its label, and ``label`` that with role and workload.
    """

    metric: str
    label: str
    facts: tuple[Fact | None, ...]


@dataclass(frozen=True)
class Continued:
    """One configuration in two editions: what differs, and the values of both."""

    arms: tuple[NamedArm, NamedArm]
    labels: tuple[str, str]
    names: tuple[str, str]
    differs: tuple[str, ...]
    rows: tuple[tuple[str, Fact, Fact], ...]  # label, earlier, later

    @property
    def origins(self) -> tuple[str, str]:
        """What the values of both rest on."""
        return _origins(f for _, f, _ in self.rows), _origins(f for *_, f in self.rows)

    @property
    def reason(self) -> str:
        """Why the later values are no change against the earlier ones; empty where the
        systems allow a comparison."""
        if self.differs:
            names = listed(words.partition(":")[0] for words in self.differs)
            return f"the systems differ in {names}"
        first, second = self.origins
        return f"values are {first}, then {second}" if first != second else ""

    @property
    def changes(self) -> list[str]:
        """Of each row the change with its interval; nothing where there is a reason."""
        if self.reason:
            return []
        return [change_text(earlier, later) for _, earlier, later in self.rows]


@dataclass(frozen=True)
class Reach:
    """The changes of a metric on one side, the lowest and the highest of them printed.

    ``start``, ``width`` and ``zero`` are per cent of the axis of the metric, and
    ``verdict`` is that of all of them, empty where they differ.
    """

    printed: str
    verdicts: str
    verdict: str
    start: float
    width: float
    zero: float


@dataclass(frozen=True)
class SharedAnswer:
    """All of a question, in its order; ``absent`` are editions without facts."""

    question: SharedQuestion
    sides: tuple[AnswerSide, ...]
    rows: tuple[AnswerRow, ...]
    same: tuple[Continued, ...] = ()
    absent: tuple[str, ...] = ()
    omitted: tuple[OmittedAnswer, ...] = ()

    @property
    def reaches(self) -> dict[str, list[Reach | None]]:
        """How far the changes of each metric reach on each side."""
        metrics = dict.fromkeys(row.metric for row in self.rows)
        return {metric: list(self._reaches(metric)) for metric in metrics}

    @property
    def axes(self) -> dict[str, str]:
        """The ends of the axis of each metric, in words."""
        ends = {row.metric: self._axis(row.metric) for row in self.rows}
        return {
            metric: " to ".join(map(format_percent, both))
            for metric, both in ends.items()
        }

    @property
    def findings(self) -> dict[AnswerSide, str]:
        """What each edition answers in words, by the first of its sides: how its
        studies begin their answers, or its comparisons counted."""
        firsts = {side.edition: side for side in reversed(self.sides)}
        sides = list(zip(self.sides, *(row.facts for row in self.rows), strict=True))
        found = {}
        for edition, first in reversed(firsts.items()):
            own = [one for one in sides if one[0].edition == edition]
            changes = [fact for _, *facts in own for fact in facts if fact]
            told = dict.fromkeys(side.answer for side, *_ in own if side.answer)
            found[first] = " ".join(told) or comparisons_sentence(changes)
        return found

    def _axis(self, metric: str) -> tuple[float, float]:
        rows = (row.facts for row in self.rows if row.metric == metric)
        values = [fact.value for facts in rows for fact in facts if fact]
        return min(-_AXIS, *values), max(_AXIS, *values)

    def _reaches(self, metric: str) -> Iterator[Reach | None]:
        rows = [row.facts for row in self.rows if row.metric == metric]
        low, high = self._axis(metric)
        for side in zip(*rows, strict=True):
            facts = sorted(filter(None, side), key=lambda fact: fact.value)
            if not facts:
                yield None
                continue
            first, last, length = facts[0], facts[-1], high - low
            width = max(100 * (last.value - first.value) / length, _LEAST)
            verdicts = {fact.verdict for fact in facts}
            yield Reach(
                " to ".join(dict.fromkeys((first.printed, last.printed))),
                tally(fact.verdict for fact in facts),
                (facts[0].verdict or "") if len(verdicts) == 1 else "",
                min(100 * (first.value - low) / length, 100 - width),
                width,
                100 * -low / length,
            )

    @property
    def origins(self) -> list[str]:
        """Of each side where its values come from, and who chose the sizes."""
        sides = zip(*(row.facts for row in self.rows), strict=True)
        return [_origins(filter(None, side)) for side in sides]

    @property
    def shared_rows(self) -> list[AnswerRow]:
        """The metrics of workloads of which two editions or more have a change."""
        return [row for row in self.rows if len(self._editions(row)) > 1]

    @property
    def shared_sides(self) -> list[int]:
        """The sides that have a change in one of these rows."""
        sides = range(len(self.sides))
        return [n for n in sides if any(row.facts[n] for row in self.shared_rows)]

    def _editions(self, row: AnswerRow) -> set[str]:
        sides = zip(self.sides, row.facts, strict=True)
        return {side.edition for side, fact in sides if fact}


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
            _continued(library, question, pair)
            for pair in question.same
            if all(arm.edition in wanted & library.built for arm in pair)
        ),
        tuple(sorted({a.edition for a in asked} - library.built)),
        tuple(
            OmittedAnswer(
                library.name(one.edition),
                library.studies[one.edition, one.study].title,
                library.page(one.edition, one.study),
                tally(
                    f.verdict
                    for f in library.facts.of(one.edition, one.study).facts
                    if f.kind == "delta"
                ),
                one.why,
            )
            for one in question.omitted
            if one.edition in wanted & library.built
        ),
    )


def _side(library: Library, edition: str, id: str, test: str) -> AnswerSide:
    baseline = library.studies[edition, id].baseline_of(test)
    labels = (
        library.label(NamedArm(edition=edition, study=id, configuration=one))
        for one in (test, baseline)
    )
    pair, page = " relative to ".join(labels), library.page(edition, id)
    words = library.answer(edition, id)
    return AnswerSide(edition, id, test, library.name(edition), pair, page, words)


def _rows(
    library: Library, question: SharedQuestion, sides: tuple[AnswerSide, ...]
) -> Iterator[AnswerRow]:
    changes: dict[Name, dict[AnswerSide, Fact]] = {}
    places = {(s.edition, s.study, s.test): s for s in sides}
    for fact in library.facts.facts:
        side = places.get((fact.edition, fact.study, fact.configuration))
        if side and fact.kind == "delta" and fact.metric in question.metrics:
            changes.setdefault(_name(fact), {})[side] = fact

    def order(name: Name) -> tuple[object, ...]:
        metric, role, workload = name
        return question.metrics.index(metric), role, parse_workload(workload).order

    for name in sorted(changes, key=order):
        facts = tuple(changes[name].get(side) for side in sides)
        yield AnswerRow(library.metrics[name[0]].label, _label(library, name), facts)


def _continued(
    library: Library, question: SharedQuestion, pair: tuple[NamedArm, NamedArm]
) -> Continued:
    earlier, later = (_values(library, question, arm) for arm in pair)
    before, after = map(library.details, pair)
    (one, other), (first, second) = map(library.label, pair), (a.edition for a in pair)
    return Continued(
        pair,
        (one, other),
        (library.name(first), library.name(second)),
        tuple(
            f"{key}: {before.get(key, 'not told')} → {after.get(key, 'not told')}"
            for key in {**before, **after}
            if before.get(key) != after.get(key)
        ),
        tuple(
            (_label(library, name), earlier[name], later[name])
            for name in sorted(earlier.keys() & later.keys())
        ),
    )


def _values(
    library: Library, question: SharedQuestion, arm: NamedArm
) -> dict[Name, Fact]:
    return {
        _name(fact): fact
        for fact in library.facts.of(arm.edition, arm.study).facts
        if fact.kind == "value"
        and fact.configuration == arm.configuration
        and fact.metric in question.metrics
    }


def _name(fact: Fact) -> Name:
    return fact.metric, fact.role or "", fact.workload


def _label(library: Library, name: Name) -> str:
    metric, role, workload = name
    return ", ".join(filter(None, (library.metrics[metric].label, role, workload)))


def _origins(facts: Iterable[Fact]) -> str:
    """What values rest on, each way once."""
    return "; ".join(dict.fromkeys(map(origin_text, facts)))


def change_text(earlier: Fact, later: Fact) -> str:
    """By how much the later value differs, with an interval of 95% where the runs of
    both allow one: ``−27% (−29 to −24%)``.

    A value that a source tells in coarse steps has none, nor has one without runs.
    """
    runs = [np.asarray(fact.samples, float) for fact in (earlier, later)]
    known = None
    if earlier.resolution is None and later.resolution is None:
        known = measure_change(runs[0], runs[1])
    if known and known.interval:
        between = format_percent_interval(*known.interval)
        return f"{format_percent(known.value)} ({between})"
    return format_percent((later.value / earlier.value - 1) * 100)
