"""The parts of one system: each with its own CPU time, and all together the whole."""

from __future__ import annotations

import pytest

from analysis.cli import main
from analysis.facts.fact import Fact
from tests.derive.conftest import Scenes, World, utc
from tests.derive.zos_lab import Lab, Usage

SCENES = Scenes()

PARTS = {"tcpip": ["TCPIP"], "application": ["FTPD1"]}
GATEWAY = {"gateway": ["CTGA"], "cics": ["CICSA"]}
SYSTEMS = {"cli": {"role": "client", "cps": 4}, "srv": {"role": "server", "cps": 2}}


def test_parts_are_worked_out_from_the_bytes_of_smf_and_add_up(tmp_path):
    """10 CPU s of four CPs in 10 s, 3 of TCPIP and 1 of FTPD1; 2 s of zIIPs, 0.5 of
    TCPIP; 1,000,000 transactions."""
    facts = Lab(tmp_path, {"A": Usage()}).derive(
        cpu={"source": "lpar_busy", "parts": PARTS}
    )

    def of(metric: str) -> dict[str, float]:
        roles = ("tcpip", "application", "rest")
        return {role: facts[f"A.{role}.{metric}"].value for role in roles}

    assert of("cpu_cost") == pytest.approx({"tcpip": 3, "application": 1, "rest": 6})
    busy = {"tcpip": 30, "application": 10, "rest": 60}  # % of one CP
    assert of("utilisation") == pytest.approx(busy)
    assert facts["A.server.utilisation"].value * 4 == pytest.approx(sum(busy.values()))
    assert of("offload") == pytest.approx({"tcpip": 5, "application": 0, "rest": 15})
    assert facts["A.server.offload"].value == pytest.approx(20)
    rules = {role: facts[f"A.{role}.utilisation"].lineage.rule for role in busy}
    assert rules["tcpip"].endswith("SMF type 30: job TCPIP")
    assert "LPAR busy of RMF" in rules["rest"]
    assert rules["rest"].endswith("job FTPD1, TCPIP")
    assert "online CPs ×" not in rules["tcpip"]
    assert len(facts["A.rest.utilisation"].lineage.files) == 2  # the log and the dump


def gateway(world: World, used: dict[str, tuple[float, float, float]], **cpu) -> None:
    """One run of 10 s with 10,000 transactions; of each job seconds of CPs, of zAAPs,
    and of CPs for what a zAAP could do. The CPs are busy for 16 s, the zAAP for 4 s."""
    world.campaign(systems=SYSTEMS, cpu={"source": "lpar_busy", "parts": GATEWAY} | cpu)
    world.run("r", workload="ECI100(4kB)", rate=1000.0)
    world.interval("srv", 0, 10, 80.0, online_cpus=2.0)
    world.interval("srv", 0, 10, 40.0, cpu_type="zAAP", online_cpus=1.0)
    for asid, (job, (cp, zaap, on_cp)) in enumerate(used.items(), 1):
        row = {
            "system": "srv", "job": job, "asid": asid, "start_utc": utc(0),
            "seconds": 10.0, "cp_seconds": cp, "zaap_seconds": zaap,
            "zaap_on_cp_seconds": on_cp, "source": world.file(job),
        }  # fmt: skip
        world.rows["address_space_interval"].append(row)
    world.study(tests=[])


def values(facts) -> dict[str, Fact]:
    return {f"{f.role}.{f.metric}": f for f in facts.facts}


@SCENES
def zaap(lab):
    gateway(lab, {"CTGA": (6.0, 4.0, 1.5), "CICSA": (8.0, 0.0, 0.0)})


def test_zaap_time_is_apart_and_eligible_time_on_cps_is_the_potential(scenes):
    facts = values(scenes["zaap"])
    found = {
        name: facts[f"gateway.{name}"].value
        for name in ("cpu_cost", "cpu_cost_zaap", "utilisation", "utilisation_zaap",
                     "offload", "offload_potential", "work_per_cpu")
    }  # fmt: skip
    assert found == pytest.approx(
        {
            "cpu_cost": 600,  # 6 s ÷ 10,000
            "cpu_cost_zaap": 400,  # 4 s ÷ 10,000
            "utilisation": 60,  # 6 s in 10 s
            "utilisation_zaap": 40,
            "offload": 40,
            "offload_potential": 55,  # 4 s and 1.5 s in 10 s
            "work_per_cpu": 10_000 / 6,
        }
    )
    assert facts["rest.utilisation"].value == pytest.approx(20)  # 16 − 6 − 8 s
    assert facts["rest.utilisation_zaap"].value == 0
    assert facts["server.utilisation_zaap"].value == pytest.approx(40)
    assert "gateway.cpu_cost_ziip" not in facts


@SCENES
def beyond(lab):
    parts = GATEWAY | {"rest": ["JES2"]}
    used = {"CTGA": (6.0, 4.0, 0.0), "CICSA": (8.0, 0.0, 0.0), "JES2": (0.5, 0.0, 0.0)}
    gateway(lab, used, parts=parts)


def test_parts_that_do_not_add_up_are_warned_of_beyond_the_tolerance(scenes):
    facts = values(scenes["beyond"])
    (told,) = [w for w in facts["cics.cpu_cost"].warnings if w.kind == "parts"]
    assert told.values["low"] == pytest.approx(18.5 / 20)
    assert facts["rest.utilisation"].value == pytest.approx(5)
    assert "parts" not in {w.kind for w in facts["server.cpu_cost"].warnings}


@SCENES
def within(lab):
    used = {"CTGA": (6.0, 4.0, 0.0), "CICSA": (10.5, 0.0, 0.0)}
    gateway(lab, used)


def test_parts_within_the_tolerance_need_no_word(scenes):
    facts = values(scenes["within"])
    assert "parts" not in {w.kind for w in facts["cics.cpu_cost"].warnings}
    assert facts["rest.utilisation"].value == 0  # not below


def test_parts_that_are_more_than_the_whole_stop_the_build_with_file_and_line(
    world, capsys
):
    gateway(world, {"CTGA": (6.0, 4.0, 0.0), "CICSA": (14.0, 0.0, 0.0)})
    world.write()
    assert main(world.arguments()) == 2
    told = capsys.readouterr().err
    line = (world.raw / "lab" / "campaign.yaml").read_text().splitlines()
    at = 1 + next(n for n, text in enumerate(line) if "parts:" in text)
    assert f"campaign.yaml:{at}" in told
    assert "used 120% of the CPU time of their system" in told
    assert "name each job or class in one part" in told


def test_a_name_in_two_parts_is_more_than_the_whole(world, capsys):
    gateway(world, {}, parts={"gateway": ["CTGA"], "cics": ["CTGA"]})
    world.write()
    assert main(world.arguments()) == 2
    assert "parts names CTGA twice" in capsys.readouterr().err


@SCENES
def lacking(lab):
    gateway(lab, {"CTGA": (6.0, 4.0, 1.0)})


def test_a_job_that_a_run_lacks_is_told_of_the_rest(scenes):
    facts = values(scenes["lacking"])
    assert "cics.cpu_cost" not in facts
    assert facts["rest.utilisation"].value == pytest.approx(100)
    (told,) = [w for w in facts["rest.utilisation"].warnings if w.kind == "absent"]
    assert told.values["parts"] == ("CICSA",)
