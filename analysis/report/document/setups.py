"""The set-up of studies: what all have, what most have, and what is one study's own."""

from __future__ import annotations

from typing import Any

from analysis.declared.base import line_of, load_yaml
from analysis.declared.edition import ORDERS
from analysis.errors import Issue, Place
from analysis.report.material import Material
from analysis.report.tables.setup import (
    common_lines,
    configuration_parts,
    environment_lines,
    usual_settings,
)

HARDWARE = "hardware"  # the section that says what studies have in common
_TOLD = ("background", "configuration")  # with the environment, or by another study


def study_setup(material: Material, id: str) -> dict[str, Any]:
    """What templates say of a study's set-up, and the parts of its section in order."""
    study, common = material.studies[id], environment(material)
    lines = environment_lines(study, material.evidence)
    parts = configuration_parts(id, study, material.campaigns, usual(material))
    order = ORDERS[material.edition.order]
    return {
        "setup_of": study.setup_of,
        "order": [part for part in order if not (study.setup_of and part in _TOLD)],
        "environment": [line for line in lines if line not in common],
        "configuration": parts,
    }


def environment(material: Material) -> list[str]:
    """What the section on hardware says of all studies; none where there is none."""
    if not any(s.id == HARDWARE for s in material.edition.front):
        return []
    studies, evidence = material.studies.values(), material.evidence
    return material.once("environment", lambda: common_lines(studies, evidence))


def usual(material: Material) -> dict[str, str]:
    """The settings that the section on hardware tells of most configurations."""
    if not any(s.id == HARDWARE for s in material.edition.front):
        return {}
    studies, campaigns = material.studies.values(), material.campaigns
    return material.once("usual", lambda: usual_settings(studies, campaigns))


def check_setups(material: Material) -> list[Issue]:
    """Studies that refer to the set-up of another one, which is not theirs."""
    return [
        Issue(what, Place(str(path), line_of(node, ("setup-of",))), mend)
        for id, study in material.studies.items()
        if study.setup_of and id not in material.edition.borrowed
        for path in [material.folder / "studies" / id / "study.yaml"]
        for what, mend in _no_setup(material, id, study.setup_of)
        for node in [load_yaml(path)[1]]
    ]


def _no_setup(material: Material, id: str, other: str) -> list[tuple[str, str]]:
    there = material.studies.get(other)
    if there is None or other == id or there.setup_of:
        known = [i for i, s in material.studies.items() if i != id and not s.setup_of]
        what = (
            f"setup-of: {other!r} is no study of this edition with a set-up of its own"
        )
        return [(what, f"name one of: {', '.join(known)}")]
    ran = {run.configuration for run in material.scope(id).runs(id, None, "*")}
    return [
        (
            f"setup-of: {foreign} has runs here, and is no configuration of {other}",
            f"take it out of this study, or leave out setup-of: {other}",
        )
        for foreign in sorted(ran - set(there.configurations))
    ]
