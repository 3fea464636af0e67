"""What a build rests on, as names with texts that can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.facts.fact import Facts
from analysis.publish.build import Build


def runs_of(facts: Facts) -> dict[str, str]:
    """How many runs of what were used, left out and are missing."""
    return {
        f"{run.study}: {run.workload} on {run.configuration}": ", ".join(
            [
                f"{run.used} used",
                f"{run.excluded} excluded",
                *(f"lacks {name}" for name in run.missing),
            ]
        )
        for run in facts.runs
    }


def origins_of(provenance: Mapping[str, Any]) -> dict[str, str]:
    """The origin of each campaign, and the evidence that its runs leave out."""
    found = {}
    for name, about in provenance.get("campaigns", {}).items():
        found[f"{name}, origin"] = str(about.get("origin"))
        left = about.get("left_out") or ()
        found[f"{name}, files with evidence that no run names"] = str(len(left))
    return found


def raw_of(provenance: Mapping[str, Any]) -> dict[str, str]:
    """The sha256 of each raw file."""
    return {
        f"raw/{campaign}/{name}": digest
        for campaign, about in provenance.get("campaigns", {}).items()
        for name, digest in about["files"].items()
    }


def code_of(build: Build) -> dict[str, str]:
    """The fingerprints of the stages, and the versions of all that computed."""
    engine = build.manifest.get("versions", {})
    stages = {f"stage {n}": h for n, h in build.provenance.get("code", {}).items()}
    libraries = build.provenance.get("libraries") or {}
    programs = {**libraries, **engine}
    return {**stages, **{name: str(version) for name, version in programs.items()}}
