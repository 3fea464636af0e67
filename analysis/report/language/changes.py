"""Claims about changes: which way they go, by how much, with which verdict, and which
of them before others. Each class has the words of its form and what facts say of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, get_args

from analysis.facts.fact import Fact, Verdict
from analysis.facts.units import format_percent
from analysis.report.language.claim import (
    ClaimFacts,
    Evidence,
    Form,
    Unit,
    named_fact,
    narrowest,
    printed_for,
    reaches,
    spread,
)
from analysis.report.language.printed import average_change, interval
from analysis.report.language.reading import ClaimWords, Subject, Workloads
from analysis.report.language.scope import UnknownError

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
# The ratio that each word names: with a tenth of tolerance, and the least.
_RATIOS = {
    "halves": (-1, (45, 55), 50),
    "doubles": (1, (80, 120), 100),
    "triples": (1, (170, 230), 200),
}
_WAYS = {"falls": -1, "rises": 1}
_AMOUNTS = ("about", "at least", "at most", "more than", "less than", "up to")


@dataclass(frozen=True)
class Amount:
    """How large a change must be: percent without sign. ``peak``: the largest alone.

    ``about``: it is said of medians, and not of what lies within their intervals.
    """

    low: float
    high: float = math.inf
    peak: bool = False
    about: bool = False

    @classmethod
    def read(cls, words: ClaimWords) -> Amount:
        """``20% to 40%``, ``at least 20%``, ``about 20%``; percent without sign."""
        kind = words.accept(*_AMOUNTS)
        value, half = words.rounded_percent()
        if kind in ("at least", "more than"):
            return cls(value)
        if kind in ("at most", "less than"):
            return cls(0, value)
        if kind == "about":
            return cls(value * 0.9, value * 1.1, about=True)
        if not kind and words.accept("to"):
            high = words.percent()
            if value > high:
                raise UnknownError(
                    f"{value:g}% is more than {high:g}%", "put the smaller one first"
                )
            return cls(value, high)
        return cls(value - half, value + half, peak=kind == "up to", about=True)

    def demand(self, sign: int) -> str:
        """``between −40% and −20%``, ``below 0%``."""
        near, far = sign * self.low, sign * self.high
        if math.isinf(self.high):
            return f"{_sense(sign)} {format_percent(near)}"
        low, high = sorted((near, far))
        if self.high - self.low <= 1 and round(self.low) != self.low:
            return f"rounded {format_percent((low + high) / 2)}"
        return f"between {format_percent(low)} and {format_percent(high)}"


@dataclass(frozen=True)
class Moves(Form):
    """``falls by 20% to 40% on average``, ``halves``; ``sign`` is −1 or +1."""

    verbs: ClassVar = (*_WAYS, *_RATIOS, *(f"at least {ratio}" for ratio in _RATIOS))
    qualifiers: ClassVar = ("on average", "beyond noise")

    sign: int
    amount: Amount = Amount(0)
    average: bool = False
    beyond_noise: bool = False

    @classmethod
    def read(cls, words: ClaimWords) -> Form:
        """``falls``, then by how much, or before which others."""
        verb, ratio = words.verb, words.verb.removeprefix("at least ")
        if verb not in _WAYS:
            sign, about, least = _RATIOS[ratio]
            amount = Amount(least) if verb != ratio else Amount(*about, about=True)
            return cls(sign, amount)
        if degree := words.accept(*Ranks.degrees):
            return Ranks.of_changes(degree, words)
        by = words.accept("by")
        return cls(_WAYS[verb], Amount.read(words) if by else Amount(0))

    def qualified(self, words: ClaimWords) -> Form:
        """``on average``, ``beyond noise``."""
        if words.verb == "on average":
            return replace(self, average=True)
        return replace(self, beyond_noise=True)

    def check(self) -> None:
        """An average is not beyond noise."""
        if self.average and self.beyond_noise:
            raise UnknownError(
                "an average over workloads has no interval",
                "leave out 'on average' or 'beyond noise'",
            )

    def weigh(self, sources: ClaimFacts) -> list[Evidence]:
        """Each change, their average, or the largest and none clearly the other way."""
        facts = sources.select("delta")
        if self.average:
            return [self._average(facts)]
        if not self.amount.peak:
            return [self._move(fact) for fact in facts]
        peak = max(facts, key=lambda fact: self.sign * fact.value)
        return [self._move(peak), *map(self._no_way_back, facts)]

    def _average(self, facts: tuple[Fact, ...]) -> Evidence:
        mean = average_change(facts)
        left = f"{format_percent(mean)} on average over {len(facts)} workloads"
        if any(fact.predicted or is_clear(fact) for fact in facts):
            return self._by_amount(mean, left, facts)
        left += ", none of them beyond noise"
        return Evidence(False, left, "a change beyond noise", facts=facts)

    def _move(self, fact: Fact) -> Evidence:
        """One change: its direction, its amount, and that noise does not explain it."""
        evidence = [self._by_amount(fact.value, printed_for(fact), (fact,))]
        if self.beyond_noise:
            evidence.append(_beyond(self.sign, fact))
        elif not fact.predicted and not is_clear(fact):
            evidence.append(replace(_beyond(self.sign, fact), left=_in_noise(fact)))
        weak = _unsure(fact) or self._end_too_far(fact)
        return replace(narrowest(evidence), weak=weak)

    def _by_amount(self, change: float, left: str, facts: tuple[Fact, ...]) -> Evidence:
        amount, size = self.amount, self.sign * change
        margin = min(size, size - amount.low, amount.high - size)
        holds = size > 0 and margin >= 0
        return Evidence(holds, left, amount.demand(self.sign), margin, facts=facts)

    def _end_too_far(self, fact: Fact) -> str:
        """Why a change that is large, or small, enough may not be so: the nearer end of
        its interval is less than the least size, or the farther one more than the
        largest."""
        amount, sign = self.amount, self.sign
        if fact.low is None or fact.high is None or amount.about:
            return ""
        near, far = sorted((sign * fact.low, sign * fact.high))
        if amount.low > 0 and near < amount.low:
            return reaches(fact, format_percent(sign * near))
        return reaches(fact, format_percent(sign * far)) if far > amount.high else ""

    def _no_way_back(self, fact: Fact) -> Evidence:
        """Beside the largest change, no other goes the other way beyond noise."""
        holds = not (is_clear(fact) and self.sign * fact.value < 0)
        right = f"not clearly {_sense(-self.sign)} 0%"
        return Evidence(holds, printed_for(fact), right, facts=(fact,))


@dataclass(frozen=True)
class Is(Form):
    """``is comparable``, ``improves``, ``worsens``: every change has this verdict."""

    verbs: ClassVar = ("improves", "worsens")
    states: ClassVar = VERDICTS

    verdict: Verdict

    @classmethod
    def read(cls, words: ClaimWords) -> Form:
        """The verdict."""
        named = {"improves": "improved", "worsens": "regressed"}
        return cls(_verdict(named.get(words.verb, words.verb)))

    def weigh(self, sources: ClaimFacts) -> list[Evidence]:
        """The verdict of each change; its 90% interval against the study's limit."""
        facts, scope = sources.select("delta"), sources.scope
        limit = scope.studies[scope.study_named(None)].noise.floor
        if self.verdict in ("improved", "regressed"):
            return list(map(self._better, facts))
        return [self._within(fact, limit) for fact in facts]

    def _better(self, fact: Fact) -> Evidence:
        up = (self.verdict == "improved") == (fact.better == "higher")
        evidence = _beyond(+1 if up else -1, fact)
        right = f"{self.verdict}: {evidence.right}"
        return replace(evidence, holds=fact.verdict == self.verdict, right=right)

    def _within(self, fact: Fact, limit: float) -> Evidence:
        holds, right = fact.verdict == self.verdict, str(self.verdict)
        margin: float | None = None
        judged = fact.at_90
        if judged.low is not None and judged.high is not None:
            margin = min(limit - judged.high, limit + judged.low)
            right = f"90% interval within ±{limit:g}%"
            if self.verdict == "inconclusive":
                margin, right = -margin, f"90% interval reaches beyond ±{limit:g}%"
            if (margin >= 0) != holds:  # another rule than the limit decides
                margin = 0.0 if holds else None
        left = f"{printed_for(fact)}, {spread(judged)}: {fact.verdict or 'changed'}"
        return Evidence(holds, left, right, margin, facts=(fact,))


@dataclass(frozen=True)
class ShareIs(Form):
    """``no comparison is improved or regressed``, ``every comparison is …``."""

    starts: ClassVar = {"no comparison": False, "every comparison": True}

    every: bool
    verdicts: tuple[Verdict, ...]

    @classmethod
    def read(cls, words: ClaimWords) -> Form:
        """The verdicts of which no, or every, comparison has one."""
        every = cls.starts[words.verb]
        verdicts = [_verdict(words.expect(*VERDICTS))]
        while words.accept("or"):
            verdicts.append(_verdict(words.expect(*VERDICTS)))
        return cls(every, tuple(verdicts))

    def weigh(self, sources: ClaimFacts) -> list[Evidence]:
        """One evidence; where it is wrong, it names those that are against it."""
        facts, verdicts = sources.comparisons(), " or ".join(self.verdicts)
        against = [f for f in facts if (f.verdict in self.verdicts) != self.every]
        right = f"{'every one' if self.every else 'none'} {verdicts}"
        if not against:
            left = f"{len(facts) if self.every else 'none'} of {len(facts)} comparisons"
            return [Evidence(True, left, right)]
        left = ", ".join(f"{named_fact(f)} {f.printed} ({f.verdict})" for f in against)
        return [Evidence(False, left, right, facts=tuple(against))]


@dataclass(frozen=True)
class Ranks(Form):
    """Values, falls, rises or intervals that are larger than those of others.

    ``more`` is False where they are smaller. ``most``: than of all other workloads of
    the study; else ``than`` has the workloads, or ``other`` the subject, that follow.
    """

    verbs: ClassVar = ("scatters more",)
    states: ClassVar = ("highest", "lowest", "higher", "lower")
    qualifiers: ClassVar = ("than for",)
    degrees: ClassVar = ("more", "most", "less", "least")

    measure: Literal["value", "fall", "rise", "interval"]
    more: bool
    most: bool = False
    than: Workloads | None = None
    other: Subject | None = None

    @classmethod
    def read(cls, words: ClaimWords) -> Form:
        """``scatters more``, ``is highest``, ``is lower``."""
        if words.verb == "scatters more":
            return cls("interval", True)
        high, most = words.verb.startswith("high"), words.verb.endswith("est")
        return cls("value", high, most=most)

    @classmethod
    def of_changes(cls, degree: str, words: ClaimWords) -> Form:
        """``falls most``, ``rises more than cpu_cost of sender``."""
        measure: Literal["fall", "rise"] = "fall" if words.verb == "falls" else "rise"
        more, most = degree in ("more", "most"), degree in ("most", "least")
        other: Subject | None = None
        ahead = words.all[words.position : words.position + 2]
        if ahead[:1] == ["than"] and ahead[1:] != ["for"] and not most:
            words.expect("than")
            other = words.subject()
        return cls(measure, more, most, other=other)

    def qualified(self, words: ClaimWords) -> Form:
        """``than for RR10(100B)``."""
        if self.most:
            raise UnknownError("'most' and 'least' are of all others", "write: more")
        return replace(self, than=words.workloads())

    def check(self) -> None:
        """It says what is compared."""
        if not (self.most or self.than or self.other):
            what = "more than what?" if self.measure == "interval" else "than what?"
            raise UnknownError(what, "add: than for RR10(100B)")

    def weigh(self, sources: ClaimFacts) -> list[Evidence]:
        """Whether every one is beyond every one of the others.

        Workloads that are compared with all others are not compared with themselves.
        Changes have to be beyond noise to be set before others.
        """
        kind: Literal["value", "delta"]
        kind = "value" if self.measure == "value" else "delta"
        own = sources.select(kind)
        if self.other is not None:
            others = sources.select(kind, self.other)
            both = [(a, b) for a in own for b in others if a.workload == b.workload]
        else:
            names = {fact.workload for fact in own}
            others = sources.select(kind, workloads=self.than or Workloads())
            both = [(a, b) for a in own for b in others if b.workload not in names]
        if not both:
            raise UnknownError(
                "there is nothing else to compare with", "name other workloads"
            )
        compare = _wider if self.measure == "interval" else self._compare
        return [compare(one, other) for one, other in both]

    def _compare(self, own: Fact, other: Fact) -> Evidence:
        sign = (1 if self.more else -1) * (-1 if self.measure == "fall" else 1)
        gap, leads = sign * (own.value - other.value), own if self.more else other
        left = f"{_of_role(own)} and {_of_role(other)}"
        holds = gap > 0
        if self.measure != "value" and not leads.predicted and not is_clear(leads):
            left += f", and {leads.printed} is within noise"
            holds = False
        unit: Unit = "%" if own.kind == "value" else "points"
        percent = own.kind == "value" and other.value
        margin = gap / abs(other.value) * 100 if percent else gap
        margin = margin if holds == (margin > 0) else 0.0
        right = f"the {'larger' if self.more else 'smaller'} {self.measure} first"
        return Evidence(holds, left, right, margin, unit, (own, other))


def noise_between(facts: Iterable[Fact]) -> list[Evidence]:
    """Evidence against an order of medians that noise explains."""
    return [
        Evidence(False, _in_noise(f), "a change beyond noise", 0.0, facts=(f,))
        for f in facts
        if not f.predicted and not is_clear(f)
    ]


def changes_between(
    sources: ClaimFacts, left: Sequence[Fact], right: Sequence[Fact]
) -> list[Fact]:
    """The changes between the configurations of two sides, where a study has them."""
    sides = {(a.configuration, b.configuration) for a in left for b in right}
    about = {(f.metric, f.role, f.workload) for f in left}
    return [
        f
        for f in sources.scope.facts.facts
        if f.kind == "delta"
        and f.study == left[0].study
        and (f.metric, f.role, f.workload) in about
        and {(f.configuration, f.baseline), (f.baseline, f.configuration)} & sides
    ]


def is_clear(fact: Fact) -> bool:
    """Whether a change is more than noise explains.

    Its verdict says so; a metric without a better direction then has none.
    """
    if fact.better == "none":
        return fact.verdict is None and fact.p_adjusted is not None
    return fact.verdict in ("improved", "regressed")


def _beyond(sign: int, fact: Fact) -> Evidence:
    """Beyond noise: direction, interval and limit agree, and so does the test."""
    size, limit = sign * fact.value, fact.threshold or 0.0
    near = (fact.low or 0.0) if sign > 0 else -(fact.high or 0.0)
    margin, holds = min(size, near, size - limit), is_clear(fact) and size > 0
    if not holds:
        margin = min(margin, 0.0)  # only the rank test may be against it
    p = fact.p_adjusted
    chance = "" if p is None else f", p {'<0.001' if p < 0.001 else f'{p:.3f}'}"
    return Evidence(
        holds,
        f"{printed_for(fact)}, {spread(fact)}{chance}",
        f"{_sense(sign)} {format_percent(sign * limit)},"
        " interval without 0, p at most 0.05",
        margin,
        facts=(fact,),
    )


def _verdict(word: str) -> Verdict:
    return next(verdict for verdict in VERDICTS if verdict == word)


def _unsure(fact: Fact) -> str:
    """Why even the direction of a prediction is not sure, if it is not."""
    if fact.estimate is None:
        return ""
    sure = fact.low is not None and fact.high is not None and fact.low * fact.high > 0
    return "" if sure else f"the range predicted for {fact.workload} has both signs"


def _wider(wide: Fact, narrow: Fact) -> Evidence:
    left, right = _width(wide), _width(narrow)
    return Evidence(
        left > right,
        f"{interval(wide)} for {wide.workload}",
        f"wider than {interval(narrow)} for {narrow.workload}",
        left - right,
        facts=(wide, narrow),
    )


def _width(fact: Fact) -> float:
    if fact.low is None or fact.high is None:
        raise UnknownError(
            f"{fact.workload} has no interval ({fact.n} runs)", "leave it out"
        )
    return fact.high - fact.low


def _sense(sign: int) -> str:
    return "above" if sign > 0 else "below"


def _in_noise(fact: Fact) -> str:
    verdict = f" ({fact.verdict})" if fact.verdict else ""
    return f"{printed_for(fact)} is within noise{verdict}"


def _of_role(fact: Fact) -> str:
    role = f" of {fact.role}" if fact.role else ""
    return f"{fact.printed}{role} for {fact.workload}"
