from __future__ import annotations

from analysis.report.campaign_tables import environment_list
from analysis.report.material import Sources, read_material
from analysis.report.systems import read_parts

RUNS = """\
run,configuration,workload,client,server,sender,receiver
a,new,RR1(1kB),SYSB,SYSA,,
b,new,STR3(1B/20MB),,,SYSA,SYSB
c,other,RR1(1kB),SYSA,SYSC,,
"""


def listed(project: Sources) -> str:
    material = read_material("small", project)
    study = material.studies["speed"]
    return environment_list(study, material.campaigns, material.parts)


def test_roles_are_those_of_the_runs_of_the_study(project: Sources) -> None:
    (project.raw / "lab/runs.csv").write_text(RUNS, encoding="utf-8")
    words = (
        "Systems: SYSA as server and sender, 4 dedicated CPs; "
        "SYSB as client and receiver, 4 dedicated CPs"
    )
    assert words in listed(project)


def test_without_runs_the_declared_roles_stand(project: Sources) -> None:
    assert read_parts(project.raw / "lab") == frozenset()
    assert "SYSA as server, 4 dedicated CPs; SYSB as client" in listed(project)


def test_a_system_with_a_source_of_its_own_says_so(project: Sources) -> None:
    path = project.raw / "lab/campaign.yaml"
    text = path.read_text("utf-8").replace(
        "role: client,", "role: client, cpu: procstat,"
    )
    path.write_text(text, encoding="utf-8")
    assert "; of SYSB from /proc/stat" in listed(project)
