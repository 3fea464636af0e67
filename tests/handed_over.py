"""Evidence as derive hands it over, of campaigns that were declared and not read."""

from __future__ import annotations

from pathlib import Path

from analysis.declared.campaign import (
    GENERATED,
    campaign_folder,
    find_campaigns,
    read_campaign,
)
from analysis.facts.evidence import CampaignEvidence, read_evidence, write_evidence
from analysis.facts.fact import evidence_of, read_facts


def hand_over(raw: Path, facts: Path) -> None:
    """Write the evidence of all campaigns of a project beside facts, which it fits."""
    folders = [raw, raw.parent / GENERATED]
    names = {n for folder in folders if folder.is_dir() for n in find_campaigns(folder)}
    digests = dict(read_facts(facts).digests)
    found = {
        name: CampaignEvidence(
            digest=digests.get(name, ""),
            declared=read_campaign(campaign_folder(raw, name)),
        )
        for name in sorted(names)
    }
    write_evidence(found, evidence_of(facts))


def change_evidence(facts: Path, campaign: str, **changes: object) -> None:
    """Change what evidence that lies beside facts says of one campaign."""
    told = read_evidence(evidence_of(facts), [campaign])
    changed = told[campaign].model_copy(update=changes)
    write_evidence(told | {campaign: changed}, evidence_of(facts))
