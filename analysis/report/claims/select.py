"""The facts that a claim is about."""

from __future__ import annotations

from analysis.facts.fact import Fact
from analysis.report.claims.claim import Claim, Subject, Workloads
from analysis.report.language.lookup import (
    Kind,
    Scope,
    UnknownError,
    Wanted,
    one_of,
)


def select(
    scope: Scope, subject: Subject, workloads: Workloads, kind: Kind
) -> tuple[Fact, ...]:
    """The facts of a subject on its workloads, in the order of workloads.

    :class:`UnknownError` where the subject leaves out a role or configuration that is
    needed, where it names one that does not exist, and where no fact fits.
    """
    role, configuration = _who(scope, subject, kind)
    named = workloads.text or "*"
    wanted = (kind, subject.metric, named, role, configuration, None, workloads.fits)
    return scope.find(Wanted(*wanted))


def comparisons(scope: Scope, claim: Claim) -> tuple[Fact, ...]:
    """All changes of the study on the claim's workloads that have a verdict."""
    found = [f for f in scope.deltas() if claim.workloads.fits(f.workload)]
    if not found:
        raise UnknownError("the study has no such comparison", "change the workloads")
    return tuple(found)


def between(
    scope: Scope, left: tuple[Fact, ...], right: tuple[Fact, ...]
) -> list[Fact]:
    """The changes between the configurations of two sides, where a study has them."""
    pairs = {(a.configuration, b.configuration) for a in left for b in right}
    wanted = {(f.metric, f.role, f.workload) for f in left}
    return [
        f
        for f in scope.facts.facts
        if f.kind == "delta"
        and f.study == left[0].study
        and (f.metric, f.role, f.workload) in wanted
        and {(f.configuration, f.baseline), (f.baseline, f.configuration)} & pairs
    ]


def _who(scope: Scope, subject: Subject, kind: Kind) -> tuple[str | None, str | None]:
    """Role and configuration that the names of a subject mean, as far as they do."""
    study = scope.studies[scope.study_named(None)]
    own = (f.role for f in scope.facts.facts if f.metric == subject.metric and f.role)
    roles = sorted(set(own)) if scope.metrics[subject.metric].roles else []
    known = study.tests if kind == "delta" else study.configurations
    found: dict[str, str] = {}
    for name in subject.names:
        one_of("role or configuration", name, [*roles, *known])
        part = "role" if name in roles and "role" not in found else "configuration"
        if part in found or (part == "configuration" and name not in known):
            raise UnknownError(
                f"{subject.metric} of {' of '.join(subject.names)} is too much",
                "name one role and one configuration at most",
            )
        found[part] = name
    return found.get("role"), found.get("configuration")
