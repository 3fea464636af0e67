"""Claims that no sentence uses, and findings that no sentence tells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from analysis.declared.metrics import Metric
from analysis.errors import Issue, Place
from analysis.facts.fact import Fact
from analysis.report.claims import claim as c
from analysis.report.claims.changes import counts
from analysis.report.claims.checked import Checked
from analysis.report.claims.outcome import Outcome
from analysis.report.lint.words.prints import Prints
from analysis.report.text.paragraphs import Paragraph
from analysis.report.text.texts import OBSERVATIONS, STUDY_TEXTS, study_text

_SHOWN = 4


def check_unused(checked: Checked) -> list[Issue]:
    """Claims that no paragraph of their study's observations uses."""
    issues = []
    for study in checked.material.edition.own_studies:
        outcomes = checked.outcomes[study]
        text = checked.texts[study_text(study, OBSERVATIONS)]
        found = text.paragraphs if outcomes else ()
        for outcome in outcomes:
            metrics = checked.material.metrics
            if not any(uses(paragraph, outcome, metrics) for paragraph in found):
                what = f"no sentence uses this claim: {outcome.claim.text}"
                mend = "say it in the observations, or delete it"
                place = Place(str(text.path), outcome.claim.line)
                issues.append(Issue(what, place, mend))
    return issues


def uses(paragraph: Paragraph, outcome: Outcome, metrics: Mapping[str, Metric]) -> bool:
    """Whether a paragraph speaks of what a claim is about.

    It prints one of the claim's facts, or names its metric and one of its workloads.
    """
    if isinstance(outcome.claim.predicate, c.ShareIs):
        return any("verdicts(" in p.expression for p in paragraph.printed)
    printed = {_about(key) for key in paragraph.keys}
    if printed & {_about(fact.key) for fact in outcome.facts}:
        return True
    if not any(_names_metric(paragraph, f, metrics) for f in outcome.facts):
        return False
    workloads = {fact.workload for fact in outcome.facts}
    everywhere = not outcome.claim.workloads.text
    return everywhere or any(name in paragraph.source for name in workloads)


def check_untold(checked: Checked, prints: Prints) -> list[Issue]:
    """One issue for each study with changes beyond noise that its texts leave out.

    A change is told by a claim over it, or by a value of it; a metric that repeats
    another is told with that one, and a rate with its latency. A size that somebody
    chose for a generator is no finding.
    """
    issues = []
    for study in checked.material.edition.own_studies:
        told = _told(checked, study, prints)
        untold = [
            fact
            for fact in checked.material.facts.facts
            if fact.study == study
            and fact.kind == "delta"
            and fact.verdict in ("improved", "regressed")
            and counts(fact)
            and fact.chosen is None
            and _place(fact, checked.material.metrics) not in told
        ]
        if untold:
            path = checked.texts[study_text(study, OBSERVATIONS)].path
            issues.append(_untold(study, untold, path))
    return issues


def _told(checked: Checked, study: str, prints: Prints) -> set[tuple[str, ...]]:
    metrics = checked.material.metrics
    facts = [f for outcome in checked.outcomes[study] for f in outcome.facts]
    for part in STUDY_TEXTS:
        for found in prints.of(checked.texts[study_text(study, part)]):
            facts += found.facts
    return {_place(fact, metrics) for fact in facts}


def _place(fact: Fact, metrics: Mapping[str, Metric]) -> tuple[str, ...]:
    metric = metrics[fact.metric]
    name = metric.repeats or fact.metric
    if metric.evidence == "benchmark":  # clients that wait: rate and latency are one
        name = metric.evidence
    return (name, fact.role or "", fact.workload, fact.configuration)


def _untold(study: str, facts: Iterable[Fact], path: Path) -> Issue:
    found = sorted(facts, key=lambda fact: -abs(fact.value))
    shown = ", ".join(_said(fact) for fact in found[:_SHOWN])
    more = f", and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    what = f"study {study} has findings that no sentence tells: {shown}{more}"
    mend = f"print them, or claim them; python -m analysis facts {study} lists all"
    return Issue(what, Place(str(path), 1), mend)


def _said(fact: Fact) -> str:
    role = f" of {fact.role}" if fact.role else ""
    return f"{fact.metric}{role} {fact.printed} for {fact.workload}"


def _about(key: str) -> tuple[str, ...]:
    """Study, workload, role and metric of a fact's key."""
    study, _, rest = key.partition(".")
    tail = rest.removesuffix(".delta").split(".")
    return (study, *tail[:-1])


def _names_metric(
    paragraph: Paragraph, fact: Fact, metrics: Mapping[str, Metric]
) -> bool:
    label = metrics[fact.metric].label.partition(" per ")[0].lower()
    words = paragraph.source.lower()
    return label in words or fact.metric in words or label.split()[-1] in words
