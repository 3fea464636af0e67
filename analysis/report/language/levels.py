"""Claims about values: beside others or a limit, in each run, and as they grow with
payload or clients. Each class has the words of its form and what facts say of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import ClassVar, Literal

from analysis.declared.workload import parse_workload
from analysis.facts.fact import Fact
from analysis.facts.units import format_percent, format_value
from analysis.report.language.changes import changes_between, noise_between
from analysis.report.language.claim import (
    ClaimFacts,
    Evidence,
    Form,
    excess,
    pairs,
    printed_for,
    printed_on,
    ratio_ends,
    reaches,
)
from analysis.report.language.reading import ClaimWords, Derived, Subject, payload
from analysis.report.language.scope import UnknownError, one_of

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_USUAL = 1.0  # percent that do not count as growth, where a claim says nothing
_AXIS_MEND = "write a number of clients such as 300, or a size such as 4kB"


@dataclass(frozen=True)
class Limit:
    """A number with its unit."""

    value: float
    unit: str


@dataclass(frozen=True)
class Order(Form):
    """``is below latency of A``, ``is above 60% of rate of B``, ``is below 100 µs``.

    ``runs``: how many may differ, or None to compare medians.
    """

    states: ClassVar = ("below", "above")
    qualifiers: ClassVar = ("in every run", "in all runs but")

    above: bool
    right: Subject | Limit
    percent: float = 100.0
    runs: int | None = None

    @classmethod
    def read(cls, words: ClaimWords) -> Form:
        """What it is below or above."""
        above = words.verb == "above"
        if words.next in words.metrics:
            return cls(above, words.subject())
        if words.next.endswith("%"):
            percent = words.percent()
            if words.accept("of"):
                return cls(above, words.subject(), percent)
            return cls(above, Limit(percent, "%"))
        number = words.take()
        if not re.fullmatch(r"[0-9]{1,12}(?:\.[0-9]{1,9})?", number):
            raise UnknownError(
                f"{number!r} is neither a number nor a metric",
                f"write 100 µs, or one of: {', '.join(words.metrics)}",
            )
        return cls(above, Limit(float(number), words.take()))

    def qualified(self, words: ClaimWords) -> Form:
        """``in every run``, ``in all runs but one``."""
        if words.verb == "in every run":
            return replace(self, runs=0)
        word = words.take()
        if word in _COUNTS:
            return replace(self, runs=_COUNTS.index(word))
        if re.fullmatch(r"[0-9]{1,4}", word):
            return replace(self, runs=int(word))
        raise UnknownError(f"{word!r} is not a small number", "write: but one, but 2")

    def check(self) -> None:
        """Runs have only runs to be compared with."""
        whole = isinstance(self.right, Subject) and self.percent == 100.0
        if self.runs is not None and not whole:
            raise UnknownError("runs are compared with runs", "write: above rate of B")

    def weigh(self, sources: ClaimFacts) -> list[Evidence]:
        """Each left value beside the limit, or the right one of the same workload."""
        left = sources.select("value")
        if isinstance(self.right, Limit):
            return [self._beside_limit(fact, self.right) for fact in left]
        if self.right.metric != left[0].metric:
            raise UnknownError(
                f"{left[0].metric} and {self.right.metric} are unlike",
                f"compare it with {left[0].metric} of another configuration",
            )
        right = sources.select("value", self.right)
        compare = self._medians if self.runs is None else self._runs
        evidence = [compare(one, other) for one, other in pairs(left, right)]
        if self.runs is None and self.percent == 100.0:
            evidence += noise_between(changes_between(sources, left, right))
        return evidence

    def _beside_limit(self, fact: Fact, limit: Limit) -> Evidence:
        """A size: it holds by the nearer end of the interval, or is fragile."""
        units = {"1/s": ("1/s", "trans/s")}.get(fact.unit, (fact.unit,))
        if limit.unit not in units:
            raise UnknownError(
                f"{fact.metric} is not in {limit.unit!r}", f"its unit is {units[-1]}"
            )
        evidence = self._beside(fact, limit.value, format_value(limit.value, fact.unit))
        near = fact.low if self.above else fact.high
        if near is None or (near > limit.value if self.above else near < limit.value):
            return evidence
        return replace(evidence, weak=reaches(fact, format_value(near, fact.unit)))

    def _medians(self, fact: Fact, other: Fact) -> Evidence:
        if self.percent == 100.0:
            return self._beside(fact, other.value, printed_on(other), other)
        share = self.percent / 100
        value = share * other.value
        part = f"{format_value(value, other.unit)} ({share:.0%} of {printed_on(other)})"
        evidence, ends = self._beside(fact, value, part, other), ratio_ends(fact, other)
        near = ends and ends[0 if self.above else 1]
        if near is None or (near > share if self.above else near < share):
            return evidence
        return replace(evidence, weak=reaches(fact, f"{near:.1%} of that"))

    def _beside(self, fact: Fact, value: float, words: str, *more: Fact) -> Evidence:
        holds = fact.value > value if self.above else fact.value < value
        margin = excess(self.above, fact.value, value)
        right = f"{self._sense} {words}"
        return Evidence(holds, printed_on(fact), right, margin, "%", (fact, *more))

    def _runs(self, left: Fact, right: Fact) -> Evidence:
        """Whether all left runs but so many lie beyond every right run.

        The count must be met exactly: 'all but one' is wrong where none is out of line.
        """
        for fact in (left, right):
            if not fact.samples:
                raise UnknownError(
                    f"{fact.workload} on {fact.configuration} has no runs to compare",
                    "compare the values: leave out 'in …'",
                )
        sign = 1 if self.above else -1
        edge = max(sign * sample for sample in right.samples)
        runs = sorted(sign * sample for sample in left.samples)
        out, allowed = sum(run <= edge for run in runs), self.runs or 0
        near = min(runs, key=lambda run: abs(run - edge))
        margin = abs(near - edge) / abs(edge) * 100 if edge else 0.0
        holds, count = out == allowed, len(runs)
        return Evidence(
            holds,
            f"{count - out} of {count} runs on {left.configuration} are {self._sense} "
            f"every run on {right.configuration} for {left.workload}",
            f"{count - allowed} of {count}",
            margin if holds else -margin,
            "%",
            (left, right),
        )

    @property
    def _sense(self) -> str:
        return "above" if self.above else "below"


@dataclass(frozen=True)
class Modes(Form):
    """``is bimodal``, ``is not bimodal``."""

    states: ClassVar = ("bimodal", "not bimodal")

    two: bool

    @classmethod
    def read(cls, words: ClaimWords) -> Form:
        """Whether there are two groups."""
        return cls(words.verb == "bimodal")

    def weigh(self, sources: ClaimFacts) -> list[Evidence]:
        """Whether the runs fall into two groups, as the gate on samples found."""
        right = f"{'two groups' if self.two else 'one group'} of runs"
        evidence = []
        for fact in sources.select("value"):
            groups = [w.words for w in fact.warnings if w.kind == "bimodal"]
            left = f"{groups[0] if groups else 'one group'} for {fact.workload}"
            holds = bool(groups) == self.two
            evidence.append(Evidence(holds, left, right, facts=(fact,)))
        return evidence


@dataclass(frozen=True)
class Axis:
    """What grows: payload in bytes, or clients."""

    name: Literal["payload", "clients"]

    @classmethod
    def read(cls, words: ClaimWords) -> Axis:
        """``payload`` or ``clients``."""
        name = one_of("axis", words.take(), ("payload", "clients"))
        return cls("payload" if name == "payload" else "clients")

    def place(self, words: ClaimWords) -> int:
        """A number of clients, which the word may follow, or a size."""
        if self.name == "clients" and re.fullmatch(r"[0-9]{1,9}", words.next):
            clients = int(words.take())
            words.accept("clients", "sessions")
            return clients
        return words.size(_AXIS_MEND)

    def of(self, fact: Fact) -> int:
        """Where a fact stands."""
        workload = parse_workload(fact.workload)
        return payload(workload) if self.name == "payload" else workload.clients

    def series(self, facts: Iterable[Fact]) -> Iterator[list[Fact]]:
        """Facts that differ in this alone, in its order."""

        def alike(fact: Fact) -> tuple[str, int, int]:
            load = parse_workload(fact.workload)
            if self.name == "payload":
                return load.shape, load.clients, 0
            return load.shape, load.request_bytes, load.response_bytes

        ordered = sorted(facts, key=lambda fact: (alike(fact), self.of(fact)))
        for _, group in groupby(ordered, alike):
            yield list(group)

    def compared(
        self,
        facts: Sequence[Fact],
        compare: Callable[[list[Fact]], Iterable[Evidence]],
    ) -> list[Evidence]:
        """What is compared in each series; :class:`UnknownError` if that is nothing."""
        evidence = [one for series in self.series(facts) for one in compare(series)]
        if not evidence:
            raise UnknownError(
                f"nothing to compare: {len(facts)} workloads, none alike but for "
                f"{self.name}",
                "choose workloads of one shape, such as RR60(4kB..32kB)",
            )
        return evidence


@dataclass(frozen=True)
class Grows(Form):
    """``grows with payload``; ``sign`` is −1 where it shrinks."""

    verbs: ClassVar = ("grows with", "shrinks with")

    axis: Axis
    sign: int

    @classmethod
    def read(cls, words: ClaimWords) -> Form:
        """With what."""
        sign = 1 if words.verb.startswith("grows") else -1
        return cls(Axis.read(words), sign)

    def weigh(self, sources: ClaimFacts) -> list[Evidence]:
        """Whether a value, a saving or a gain grows at every step."""
        derived = sources.subject.derived if sources.subject else None
        facts = sources.select("delta" if derived else "value")

        def steps(series: list[Fact]) -> Iterator[Evidence]:
            return (self._step(*both, derived) for both in pairwise(series))

        return self.axis.compared(facts, steps)

    def _step(self, first: Fact, second: Fact, derived: Derived | None) -> Evidence:
        way = -1 if derived == "saving" else 1
        growth = self.sign * way * (second.value - first.value)

        def words(fact: Fact) -> str:
            if derived is None:
                return printed_for(fact)
            change = format_percent(way * fact.value).lstrip("+")
            return f"{change} {derived} for {fact.workload}"

        more = "more" if self.sign > 0 else "less"
        rises = self.sign > 0
        return Evidence(
            growth > 0,
            words(second),
            f"{more} than {words(first)}",
            growth if derived else excess(rises, second.value, first.value),
            "points" if derived else "%",
            (second, first),
        )


@dataclass(frozen=True)
class Proportion(Form):
    """``is in proportion to clients up to 300 within 3%``; ``within`` in percent."""

    states: ClassVar = ("in proportion to",)

    axis: Axis
    within: float
    most: float = float("inf")

    @classmethod
    def read(cls, words: ClaimWords) -> Form:
        """To what, up to where, and how closely."""
        axis = Axis.read(words)
        most = axis.place(words) if words.accept("up to") else float("inf")
        words.expect("within")
        return cls(axis, words.percent(), most)

    def weigh(self, sources: ClaimFacts) -> list[Evidence]:
        """Whether each value is as many times that of the fewest clients as there are
        times the clients."""
        return self.axis.compared(sources.select("value"), self._of_series)

    def _of_series(self, series: list[Fact]) -> Iterator[Evidence]:
        near = [fact for fact in series if self.axis.of(fact) <= self.most]
        for first, fact in ((near[0], fact) for fact in near[1:]):
            each = first.value / self.axis.of(first)
            if not each:
                raise UnknownError(
                    f"{printed_for(first)} has no multiples", "leave it out"
                )
            times = self.axis.of(fact) / self.axis.of(first)
            off = abs(fact.value / self.axis.of(fact) / each - 1) * 100
            margin = self.within - off
            ends = ratio_ends(fact, first) or ()
            most = max((abs(end / times - 1) * 100 for end in ends), default=0.0)
            yield Evidence(
                margin >= 0,
                f"{printed_for(fact)} is {off:.1f}% off proportion",
                f"within {self.within:g}% of {printed_for(first)}, times",
                margin,
                "%",
                (fact, first),
                reaches(fact, f"{most:.1f}% off") if most > self.within else "",
            )


@dataclass(frozen=True)
class Stops(Form):
    """``stops growing from 500 clients on within 1%``."""

    verbs: ClassVar = ("stops growing from",)

    axis: Axis
    start: int
    within: float

    @classmethod
    def read(cls, words: ClaimWords) -> Form:
        """From where, and what is no growth."""
        axis = Axis("clients" if re.fullmatch(r"[0-9]{1,9}", words.next) else "payload")
        start = axis.place(words)
        words.expect("on")
        return cls(axis, start, words.percent() if words.accept("within") else _USUAL)

    def weigh(self, sources: ClaimFacts) -> list[Evidence]:
        """Whether each step up to there grows by more than the tolerance, and no value
        beyond it is above the one there by more than that."""
        return self.axis.compared(sources.select("value"), self._of_series)

    def _of_series(self, series: list[Fact]) -> Iterator[Evidence]:
        places = [self.axis.of(fact) for fact in series]
        if self.start not in places[:-1]:
            raise UnknownError(
                f"no {self.axis.name} of {self.start} with more of them after it",
                f"there are {', '.join(map(str, places))}",
            )
        turn = places.index(self.start)
        for before, after in pairwise(series[: turn + 1]):
            yield self._grown(before, after, True)
        for later in series[turn + 1 :]:
            yield self._grown(series[turn], later, False)

    def _grown(self, before: Fact, after: Fact, more: bool) -> Evidence:
        growth = (after.value / before.value - 1) * 100
        margin = growth - self.within if more else self.within - growth
        sense, weak = "more than" if more else "at most", ""
        if ends := ratio_ends(after, before):
            end = (ends[0 if more else 1] - 1) * 100
            beyond = end <= self.within if more else end > self.within
            weak = reaches(after, format_percent(end)) if beyond else ""
        return Evidence(
            margin > 0 if more else margin >= 0,
            f"{printed_for(after)}, {format_percent(growth)}",
            f"{sense} {self.within:g}% above {printed_for(before)}",
            margin,
            facts=(after, before),
            weak=weak,
        )


@dataclass(frozen=True)
class InOrder(Form):
    """``grows in the order A, B, C``, of configurations; −1 where it shrinks."""

    verbs: ClassVar = ("grows in the order", "shrinks in the order")

    names: tuple[str, ...]
    sign: int

    @classmethod
    def read(cls, words: ClaimWords) -> Form:
        """The configurations."""
        sign = 1 if words.verb.startswith("grows") else -1
        names = (words.take(), *words.names(", and", ",", "and"))
        if len(names) < 2:
            raise UnknownError(
                "an order has two configurations or more",
                "write: grows in the order A, B, C",
            )
        return cls(names, sign)

    def weigh(self, sources: ClaimFacts) -> list[Evidence]:
        """Whether each configuration's value is beyond the one before, by workload."""
        sides = [(name, sources.of(name)) for name in self.names]
        rises, sense = self.sign > 0, "more" if self.sign > 0 else "less"
        return [
            Evidence(
                self.sign * (second.value - first.value) > 0,
                printed_on(second),
                f"{sense} than {first.printed} on {one}",
                excess(rises, second.value, first.value),
                "%",
                (second, first),
            )
            for (one, before), (_, after) in pairwise(sides)
            for second, first in pairs(after, before)
        ]


@dataclass(frozen=True)
class Differs(Form):
    """``differs by at most 5%`` over workloads, or between two configurations."""

    verbs: ClassVar = ("differs by at most", "differs by less than")

    most: float
    names: tuple[str, ...] = ()

    @classmethod
    def read(cls, words: ClaimWords) -> Form:
        """By how much, and between which."""
        most = words.percent()
        if not words.accept("between"):
            return cls(most)
        one = words.take()
        words.expect("and")
        return cls(most, (one, words.take()))

    def weigh(self, sources: ClaimFacts) -> list[Evidence]:
        """Whether values of all workloads, or of two configurations, are so close."""
        if self.names:
            one, other = map(sources.of, self.names)
            return [self._close(a, b) for a, b in pairs(one, other)]
        ordered = sorted(sources.select("value"), key=lambda fact: fact.value)
        if len(ordered) < 2:
            raise UnknownError("one value differs from none", "name several workloads")
        return [self._close(ordered[-1], ordered[0])]

    def _close(self, one: Fact, other: Fact) -> Evidence:
        low, high = sorted((one.value, other.value))
        off = (high / low - 1) * 100 if low > 0 else float("inf")
        ends = ratio_ends(one, other) or ()
        far = max((math.expm1(abs(math.log(end))) * 100 for end in ends), default=0.0)
        return Evidence(
            off <= self.most,
            f"{printed_on(one)} and {printed_on(other)} differ by {off:.1f}%",
            f"at most {self.most:g}%",
            self.most - off,
            facts=(one, other),
            weak=reaches(one, f"{far:.1f}%") if far > self.most else "",
        )
