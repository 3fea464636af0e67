"""The verdict of facts on a claim."""

from __future__ import annotations

from dataclasses import replace

from analysis.facts.fact import Fact
from analysis.report.claims import changes, growth, ranks, values
from analysis.report.claims import claim as c
from analysis.report.claims.outcome import Evidence, Outcome, narrowest, weakness
from analysis.report.claims.select import between, comparisons, select
from analysis.report.language.lookup import Kind, Scope, UnknownError

Found = tuple[list[Evidence], tuple[Fact, ...]]


def evaluate(claim: c.Claim, scope: Scope, least_margin: float) -> Outcome:
    """What the facts of the scope's study say about a claim.

    A claim that holds by less than ``least_margin`` (percent or percentage points) is
    fragile. :class:`UnknownError` where it names what does not exist, or where its
    words do not fit the origin of its facts.
    """
    evidence, facts = _test(claim, scope)
    _check_words(claim, facts)
    deciding = narrowest(evidence)
    fragile = weakness(evidence, least_margin) if deciding.holds else ""
    return Outcome(claim, deciding, facts, fragile)


def _test(claim: c.Claim, scope: Scope) -> Found:
    predicate, subject = claim.predicate, claim.subject
    if isinstance(predicate, c.ShareIs):
        facts = comparisons(scope, claim)
        return changes.weigh_share(predicate, facts), facts
    if subject is None:
        raise TypeError(claim)
    if isinstance(predicate, c.Order):
        return _order(predicate, subject, claim, scope)
    if isinstance(predicate, c.Scatters):
        wide = select(scope, subject, claim.workloads, "delta")
        narrow = select(scope, subject, predicate.than, "delta")
        return values.weigh_scatter(wide, narrow), wide + narrow
    if isinstance(predicate, c.Ranks):
        return ranks.weigh_rank(predicate, subject, claim.workloads, scope)
    if isinstance(predicate, c.Modes):
        facts = select(scope, subject, claim.workloads, "value")
        return values.weigh_modes(predicate, facts), facts
    if isinstance(predicate, c.Growth):
        return _growth(predicate, subject, claim, scope)
    facts = select(scope, subject, claim.workloads, "delta")
    return _changes(predicate, facts, scope), facts


def _changes(
    predicate: c.Moves | c.Gets | c.Is, facts: tuple[Fact, ...], scope: Scope
) -> list[Evidence]:
    if isinstance(predicate, c.Moves):
        return changes.weigh_moves(predicate, facts)
    if isinstance(predicate, c.Gets):
        return changes.weigh_gets(predicate, facts)
    floor = scope.studies[scope.study_named(None)].noise.floor
    return changes.weigh_verdicts(predicate, facts, floor)


def _growth(
    predicate: c.Growth, subject: c.Subject, claim: c.Claim, scope: Scope
) -> Found:
    def of(*names: str) -> tuple[Fact, ...]:
        own = replace(subject, names=(*subject.names, *names))
        return select(scope, own, claim.workloads, "value")

    if isinstance(predicate, c.InOrder | c.Differs):
        sides = {name: of(name) for name in predicate.names} or {"": of()}
        both = tuple(fact for side in sides.values() for fact in side)
        if isinstance(predicate, c.InOrder):
            return growth.weigh_in_order(predicate, sides), both
        return growth.weigh_difference(predicate, sides), both
    if isinstance(predicate, c.Crosses):
        _check_alike(subject, predicate.other)
        left, right = of(), select(scope, predicate.other, claim.workloads, "value")
        return growth.weigh_crossing(predicate, left, right), left + right
    if isinstance(predicate, c.Grows):
        kind: Kind = "delta" if subject.derived else "value"
        facts = select(scope, subject, claim.workloads, kind)
        return growth.weigh_growth(predicate, facts, subject.derived), facts
    facts = of()
    if isinstance(predicate, c.Stops):
        return growth.weigh_stop(predicate, facts), facts
    return growth.weigh_proportion(predicate, facts), facts


def _check_alike(one: c.Subject, other: c.Subject) -> None:
    if other.metric != one.metric:
        raise UnknownError(
            f"{one.metric} and {other.metric} are unlike",
            f"compare it with {one.metric} of another configuration",
        )


def _order(order: c.Order, subject: c.Subject, claim: c.Claim, scope: Scope) -> Found:
    left = select(scope, subject, claim.workloads, "value")
    limit, share = order.right, 1.0
    if isinstance(limit, c.Quantity):
        return values.weigh_limit(order, left), left
    if isinstance(limit, c.Share):
        share, limit = limit.percent / 100, limit.of
    _check_alike(subject, limit)
    right = select(scope, limit, claim.workloads, "value")
    found = values.weigh_order(order, left, right, share)
    if order.runs is None and share == 1.0:
        found += changes.weigh_noise(between(scope, left, right))
    return found, left + right


def _check_words(claim: c.Claim, facts: tuple[Fact, ...]) -> None:
    predicted = [fact for fact in facts if fact.predicted]
    if predicted and not claim.predicted:
        raise UnknownError(
            f"the claim rests on predicted values ({predicted[0].key}) and does not "
            "say so",
            "write 'is predicted to', as in: latency is predicted to fall",
        )
    if claim.predicted and not predicted:
        raise UnknownError(
            f"the claim predicts what is {facts[0].origin}",
            "say it plainly, as in: latency falls",
        )
