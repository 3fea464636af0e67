"""What was declared and run, in tables and lines: systems, configurations."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.declared.campaign import System
from analysis.facts.evidence import SystemRole
from analysis.report.material import Sources, read_material
from analysis.report.tables.setup import (
    common_lines,
    configuration_parts,
    environment_lines,
    systems_table,
    usual_settings,
)
from tests.handed_over import change_evidence, hand_over
from tests.report.grouped import pair


def parts(project: Sources) -> str:
    material = read_material("small", project)
    return configuration_parts("speed", material.studies["speed"], material.campaigns)


def test_what_is_common_is_listed_once(project: Sources) -> None:
    text = parts(project)
    shared = "::: {.facts-list}\n- MTU: 1500\n:::\n\n"
    assert text.startswith(f"Both configurations have:\n\n{shared}")
    assert "| MTU" not in text


def test_a_few_configurations_stand_side_by_side(project: Sources) -> None:
    text = parts(project)
    assert "| Setting | The old one (baseline) | The new one (test) |" in text
    assert "| Name" not in text  # the head of the study has the names
    assert "| CPC | z16 | **z17** |" in text


def test_more_configurations_are_rows_beside_their_own_baseline(
    project: Sources,
) -> None:
    pair(project)
    text = parts(project)
    assert "All configurations have" not in text
    assert "| Configuration | Role | CPC | MTU |" in text
    assert "| The old one | baseline | z16 | 1500 |" in text
    assert "| The new one | test; baseline: The old one | **z17** | 1500 |" in text
    assert "| Another | test; baseline: Another | z16 | 9000 |" in text


def test_equal_configurations_differ_in_their_names_alone(project: Sources) -> None:
    pair(project)
    material = read_material("small", project)
    study = material.studies["speed"].model_copy(
        update={"baseline": "early", "tests": ("late",), "baselines": {}}
    )
    text = configuration_parts("speed", study, material.campaigns)
    assert "The declared settings are the same." in text


def test_what_most_configurations_have_is_said_once(project: Sources) -> None:
    material = read_material("small", project)
    study, campaigns = material.studies["speed"], material.campaigns
    usual = usual_settings([study, study], campaigns)
    assert usual == {"MTU": "1500"}  # one half has each of the CPCs
    assert usual_settings([study], campaigns) == {}
    text = configuration_parts("speed", study, campaigns, usual)
    assert "MTU" not in text and "| CPC | z16 | **z17** |" in text
    other = configuration_parts("speed", study, campaigns, {"MTU": "9000"})
    assert "- MTU: 1500" in other
    lacking = configuration_parts("speed", study, campaigns, {"Frames": "jumbo"})
    assert "- Frames: –" in lacking


ROLES = (
    SystemRole("new", "RR1(1kB)", "client", "SYSB"),
    SystemRole("new", "RR1(1kB)", "server", "SYSA"),
    SystemRole("new", "STR3(1B/20MB)", "sender", "SYSA"),
    SystemRole("new", "STR3(1B/20MB)", "receiver", "SYSB"),
    SystemRole("other", "RR1(1kB)", "client", "SYSA"),
    SystemRole("other", "RR1(1kB)", "server", "SYSC"),
)


def listed(project: Sources) -> str:
    material = read_material("small", project)
    return "\n".join(environment_lines(material.of_study("speed"), material.evidence))


def test_roles_are_those_of_the_runs_of_the_study(project: Sources) -> None:
    change_evidence(project.facts, "lab", roles=ROLES)
    words = (
        "Systems: SYSA as server and sender, 4 dedicated CPs; "
        "SYSB as client and receiver, 4 dedicated CPs"
    )
    assert words in listed(project)


@pytest.mark.parametrize(
    ("declared", "told"),
    [({}, "| 4 "), ({"dedicated": True}, "4 (dedicated)"),
     ({"dedicated": False}, "4 (shared)")],
)  # fmt: skip
def test_cps_are_called_dedicated_or_shared_where_that_is_declared(
    project: Sources, declared: dict[str, bool], told: str
) -> None:
    campaign = read_material("small", project).campaigns["lab"]
    systems = {"SYSA": System(role="server", cps=4, **declared)}
    text = systems_table("lab", campaign.model_copy(update={"systems": systems}))
    assert told in text
    assert ("shared" in text or "dedicated" in text) == bool(declared)


def test_without_runs_the_declared_roles_stand(project: Sources) -> None:
    assert "SYSA as server, 4 dedicated CPs; SYSB as client" in listed(project)


def test_a_system_with_a_source_of_its_own_says_so(project: Sources) -> None:
    path = project.raw / "lab/campaign.yaml"
    text = path.read_text("utf-8").replace(
        "role: client,", "role: client, cpu: procstat,"
    )
    path.write_text(text, encoding="utf-8")
    hand_over(project.raw, project.facts)
    assert "\nCPU time of SYSB: from /proc/stat" in listed(project)


def test_what_several_studies_have_in_common_is_told_apart(project: Sources) -> None:
    change_evidence(project.facts, "lab", roles=ROLES)
    material = read_material("small", project)
    speed = material.of_study("speed")
    study = speed.study.model_copy(update={"tests": (), "baseline": "other"})
    other = environment_lines(replace(speed, study=study), material.evidence)
    lines = environment_lines(speed, material.evidence)
    common = common_lines([lines, other])
    assert [line.split(":")[0] for line in common] == ["Campaign", "Set-up", "CPU time"]
    assert set(lines) - set(common) == {
        line for line in lines if line.startswith("Systems: ")
    }
    assert common_lines([lines]) == []


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ((), (), None),
        ((), ("1",), None),
        (("1",), ("1",), "all runs were made in one: what a restart changes is"),
        (("1", "2"), ("1", "2"), "2; in intervals and tests a session counts once"),
        (("1", "2"), ("3",), "3, but only one of The new one: what a restart"),
        (("1",), ("2",), "2, but only one of The new one and The old one: what"),
    ],
)
def test_sessions_and_what_they_leave_open_are_told_once(
    project: Sources, before: tuple[str, ...], after: tuple[str, ...], told: str | None
) -> None:
    speed = read_material("small", project).of_study("speed")
    sessions = dict(zip(("old", "new"), (before, after), strict=True))
    runs = tuple(
        replace(run, sessions=sessions[run.configuration]) for run in speed.facts.runs
    )
    results = replace(speed, facts=replace(speed.facts, runs=runs))
    lines = environment_lines(results, read_material("small", project).evidence)
    found = [line for line in lines if line.startswith("Sessions: ")]
    assert [line.startswith(f"Sessions: {told}") for line in found] == [True] * bool(
        told
    )
