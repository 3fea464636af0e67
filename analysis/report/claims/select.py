"""The facts that a claim is about."""

from __future__ import annotations

from analysis.facts.fact import Fact
from analysis.report.claims.claim import Claim, Subject, Workloads
from analysis.report.expressions.lookup import (
    Kind,
    Scope,
    UnknownError,
    nearest,
    one_of,
    workload_order,
)


def select(
    scope: Scope, subject: Subject, workloads: Workloads, kind: Kind
) -> tuple[Fact, ...]:
    """The facts of a subject on its workloads, in the order of workloads.

    :class:`UnknownError` where the subject leaves out a role or configuration that is
    needed, where it names one that does not exist, and where no fact fits.
    """
    study = scope.study_named(None)
    role, configuration = _who(scope, subject, kind)
    near = [
        f
        for f in scope.facts.facts
        if (f.study, f.kind, f.metric) == (study, kind, subject.metric)
        and (f.role, f.configuration) == (role, configuration)
    ]
    found = [f for f in near if workloads.fits(f.workload)]
    if not found:
        names = sorted({f.workload for f in near}, key=workload_order)
        raise UnknownError(
            f"study {study} has no {subject.metric}"
            + (f" for {workloads.text}" if names else ""),
            nearest(workloads.text, names),
        )
    return tuple(sorted(found, key=lambda f: workload_order(f.workload)))


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


def _who(scope: Scope, subject: Subject, kind: Kind) -> tuple[str | None, str]:
    """Role and configuration that the names of a subject mean."""
    study = scope.studies[scope.study_named(None)]
    roles = _roles(scope, subject.metric)
    known = study.tests if kind == "delta" else study.configurations
    if not known:
        raise UnknownError(
            "the study compares nothing, so it has no change",
            "claim something of a value, such as 'is below 3 ms'",
        )
    role: str | None = None
    configuration: str | None = None
    for name in subject.names:
        one_of("role or configuration", name, [*roles, *known])
        if name in roles and role is None:
            role = name
        elif name in known and configuration is None:
            configuration = name
        else:
            raise UnknownError(
                f"{subject.metric} of {' of '.join(subject.names)} is too much",
                "name one role and one configuration at most",
            )
    if role is None and roles:
        raise _lacking(subject, "role", roles)
    if configuration is None and len(known) > 1:
        raise _lacking(subject, "configuration", known)
    return role, configuration or known[0]


def _roles(scope: Scope, metric: str) -> list[str]:
    if not scope.metrics[metric].roles:
        return []
    return sorted({f.role for f in scope.facts.facts if f.metric == metric and f.role})


def _lacking(
    subject: Subject, word: str, known: list[str] | tuple[str, ...]
) -> UnknownError:
    choice = " or ".join(f"{subject.metric} of {name}" for name in known)
    return UnknownError(f"{subject.metric} of which {word}?", f"write {choice}")
