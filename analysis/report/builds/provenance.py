"""``provenance.json``: what a build rests on, for those who publish or compare it.

Its schema: ``engine`` (name, versions), ``code`` (fingerprint by stage), ``libraries``
(version by name, Python's among them), ``campaigns`` (title, origin, licence, digest,
the sha256 of each raw file, and what no run names), ``names`` (of metrics and
configurations), ``checks`` (findings of the lint, claims and review),
``looks`` (the hash of each template, style and script), ``look`` (the review of these),
``reviewers`` (those with a key),
``texts`` (each text as it reads), ``studies`` (title, review state, claims with
verdict, printed values).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analysis.facts.evidence import CampaignEvidence
from analysis.files.hashes import file_hashes
from analysis.program import LOCKS
from analysis.programs.fingerprint import code_of
from analysis.report.checks.claims import Checked
from analysis.report.finding import Finding
from analysis.report.language.claim import Outcome
from analysis.report.material import Material
from analysis.report.review.snapshot import page_look
from analysis.report.review.state import Review, Reviews
from analysis.report.review.trust import Trust

PROVENANCE = "provenance.json"
SCHEMA = 1
STAGES = ("ingest", "derive", "figures", "report")


@dataclass(frozen=True)
class MadeBy:
    """What made a report: the fingerprint of stages, the versions of libraries."""

    code: Mapping[str, str] = field(default_factory=dict)
    libraries: Mapping[str, str] = field(default_factory=dict)


def provenance_text(
    checked: Checked,
    states: Reviews,
    findings: Sequence[Finding],
    engine: Mapping[str, str],
    made_by: MadeBy,
) -> str:
    """The file's text; equal inputs give equal text."""
    material = checked.material
    content = {
        "schema": SCHEMA,
        "edition": material.id,
        "engine": dict(engine),
        "code": dict(made_by.code),
        "libraries": dict(made_by.libraries),
        "campaigns": {
            id: _campaign(found, dict(material.facts.digests).get(id, ""))
            for id, found in material.evidence.items()
        },
        "names": _names(material),
        "checks": [_finding(found) for found in findings],
        "reviewers": [
            {"name": one.name, "key": one.key}
            for one in material.edition.reviewers
            if one.key
        ],
        "texts": {n: t.plain() for n, t in checked.texts.items()},
        "studies": {id: _study(checked, own) for id, own in states.studies.items()},
        "matter": {"asked": states.matter.asked, **_review(states.matter)},
        "look": _review(states.look) if states.look else None,
        "looks": page_look(material.templates),
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def made_by() -> MadeBy:
    """The code and libraries of this program as it is, with the lock they come from."""
    code = code_of(STAGES)
    libraries = {
        name: of for stage in code.values() for name, of in stage.libraries.items()
    }
    lock = file_hashes(filter(Path.is_file, LOCKS), "lock")
    libraries = dict(sorted(libraries.items()))
    libraries |= {name: sha256[:16] for name, sha256 in lock.items()}
    return MadeBy({name: of.fingerprint for name, of in code.items()}, libraries)


def _campaign(evidence: CampaignEvidence, digest: str) -> dict[str, Any]:
    campaign = evidence.declared
    return {
        "title": campaign.title,
        "origin": campaign.origin,
        "licence": campaign.licence,
        "digest": digest,
        "measured": campaign.measured.model_dump(mode="json", by_alias=True),
        "files": {name: of.sha256 for name, of in sorted(evidence.files.items())},
        "left_out": sorted(evidence.unnamed),
    }


def _names(material: Material) -> dict[str, dict[str, str]]:
    """What readers know metrics and configurations by, for who compares builds."""
    return {
        "metrics": {
            id: metric.label
            for id, metric in material.metrics.items()
            if id in {fact.metric for fact in material.facts.facts}
        },
        "configurations": {
            id: configuration.label
            for campaign in material.campaigns.values()
            for id, configuration in campaign.configurations.items()
        },
    }


def _finding(found: Finding) -> dict[str, str]:
    issue = found.issue
    return {
        "severity": found.severity,
        "check": found.check,
        "where": str(issue.where or ""),
        "what": issue.what,
        "mend": issue.mend,
    }


def _study(checked: Checked, review: Review) -> dict[str, Any]:
    return {
        "title": checked.material.studies[review.id].title,
        **_review(review),
        "claims": [_claim(found) for found in checked.outcomes[review.id]],
        "values": review.now.values,
    }


def _review(review: Review) -> dict[str, Any]:
    record = review.record
    return {
        "state": review.state,
        "approved": {"by": record.by, "on": str(record.date)} if record else None,
        "approvals": [_approval(found) for found in review.trust],
        "moved": list(review.moved),
    }


def _approval(trust: Trust) -> dict[str, str]:
    approval = trust.approval
    about = {"by": approval.by, "on": str(approval.date), "known": trust.level}
    if trust.commit:
        about["commit"] = trust.commit
    return about | ({"why": trust.why} if trust.why else {})


def _claim(found: Outcome) -> dict[str, Any]:
    decided = found.deciding
    return {
        "claim": found.claim.text,
        "state": found.state,
        "data": decided.left,
        "demand": decided.right,
        "margin": None if decided.margin is None else round(decided.margin, 6),
        "unit": decided.unit,
    }
