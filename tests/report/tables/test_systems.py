from __future__ import annotations

from analysis.facts.evidence import SystemRole
from analysis.report.material import Sources, read_material
from analysis.report.tables.setup import common_lines, environment_lines
from tests.handed_over import change_evidence, hand_over

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
    study = material.studies["speed"]
    return "\n".join(environment_lines(study, material.evidence))


def test_roles_are_those_of_the_runs_of_the_study(project: Sources) -> None:
    change_evidence(project.facts, "lab", roles=ROLES)
    words = (
        "Systems: SYSA as server and sender, 4 dedicated CPs; "
        "SYSB as client and receiver, 4 dedicated CPs"
    )
    assert words in listed(project)


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
    study = material.studies["speed"]
    other = study.model_copy(update={"tests": (), "baseline": "other"})
    lines = environment_lines(study, material.evidence)
    common = common_lines([study, other], material.evidence)
    assert [line.split(":")[0] for line in common] == ["Campaign", "Set-up", "CPU time"]
    assert set(lines) - set(common) == {
        line for line in lines if line.startswith("Systems: ")
    }
    assert common_lines([study], material.evidence) == []
