"""From the bytes of SMF to facts, where systems change their roles from run to run."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from analysis.facts.fact import Fact, read_facts
from analysis.facts.kinds import KINDS
from tests.derive.zos_lab import SECONDS, Lab, Usage

SYSTEMS = {"SYSA": {"cps": 4}, "SYSB": {"cps": 4}}
LOG = (
    "benchmark_contract,tool,workload,start,seconds,transactions,latency_mean_ms,"
    "errors\n1,AWM,{workload},{start},{seconds},{transactions},{latency},0\n"
)


@dataclass
class Line:
    """One run, in the interval of its configuration."""

    configuration: str
    roles: dict[str, str]
    workload: str = "RR10(100B)"
    transactions: int = 1_000_000
    latency_ms: float = 0.1
    cpu: str = "day.smf"
    late: int = 0  # seconds after the configuration's start


@dataclass
class RoleLab(Lab):
    """A lab whose runs are given one by one."""

    lines: list[Line] = field(default_factory=list)

    def _runs(self, folder: Path) -> None:
        columns = ["client", "server", "router"]
        head = "run,configuration,workload,repetition,start,end,log,cpu"
        rows = [",".join([head, *columns])]
        for number, line in enumerate(self.lines):
            start = self.start(line.configuration)
            start += dt.timedelta(seconds=line.late)
            end = start + dt.timedelta(seconds=SECONDS)
            told = {
                "workload": line.workload, "seconds": SECONDS,
                "start": f"{start:%Y-%m-%dT%H:%M:%SZ}", "latency": line.latency_ms,
                "transactions": line.transactions,
            }  # fmt: skip
            (folder / f"{number}.csv").write_text(LOG.format(**told))
            cells = [
                f"run-{number}", line.configuration, line.workload, number + 1,
                told["start"], f"{end:%Y-%m-%dT%H:%M:%SZ}", f"{number}.csv", line.cpu,
                *(line.roles.get(role, "") for role in columns),
            ]  # fmt: skip
            rows.append(",".join(map(str, cells)))
        (folder / "runs.csv").write_text("\n".join(rows) + "\n")

    def facts(self, **changes) -> dict[str, Fact]:
        """Value facts by ``<configuration>.<workload>.<role>.<metric>``."""
        self.derive(**{"systems": SYSTEMS} | changes)
        return {
            f"{f.configuration}.{f.workload}.{f.role}.{f.metric}": f
            for f in read_facts(self.root / "facts.json").facts
            if f.kind == "value"
        }


@pytest.fixture
def lab(tmp_path: Path):
    def make(*lines: Line, **configurations: Usage) -> RoleLab:
        used = configurations or {"A": Usage(), "B": Usage(busy=5.0)}
        return RoleLab(tmp_path, used, lines=list(lines))

    return make


def gates(fact: Fact) -> set[str]:
    return {KINDS[warning.kind].name for warning in fact.warnings}


def test_an_lpar_is_server_in_one_run_and_client_in_another(lab):
    facts = lab(
        Line("A", {"client": "SYSB", "server": "SYSA"}),
        Line("B", {"client": "SYSA", "server": "SYSB"}),
    ).facts()
    cost = {key: f.value for key, f in facts.items() if key.endswith("cpu_cost")}
    assert cost == {
        "A.RR10(100B).server.cpu_cost": pytest.approx(10),
        "A.RR10(100B).client.cpu_cost": pytest.approx(20),
        "B.RR10(100B).client.cpu_cost": pytest.approx(5),
        "B.RR10(100B).server.cpu_cost": pytest.approx(20),
    }
    assert facts["B.RR10(100B).client.utilisation"].value == pytest.approx(12.5)


def test_a_system_without_a_role_in_a_run_has_no_cost_in_it(lab):
    facts = lab(
        Line("A", {"server": "SYSA"}), Line("B", {"client": "SYSA", "router": "SYSB"})
    ).facts()
    assert {key for key in facts if key.endswith(".cpu_cost")} == {
        "A.RR10(100B).server.cpu_cost",
        "B.RR10(100B).client.cpu_cost",
        "B.RR10(100B).router.cpu_cost",
    }


def test_runs_that_name_no_system_have_the_declared_roles(lab):
    made = lab(Line("A", {}), Line("B", {}))
    declared = {"SYSA": {"cps": 4, "role": "router"}, "SYSB": {"cps": 4}}
    facts = made.facts(systems=declared)
    assert facts["A.RR10(100B).router.cpu_cost"].value == pytest.approx(10)
    assert "A.RR10(100B).client.cpu_cost" not in facts


def test_ziip_time_follows_the_system_not_the_role(lab):
    """SYSB never used a zIIP, although the role that it has once did elsewhere."""
    facts = lab(Line("A", {"server": "SYSA"}), Line("B", {"server": "SYSB"})).facts()
    assert "A.RR10(100B).server.cpu_cost_ziip" in facts
    assert "B.RR10(100B).server.cpu_cost_ziip" not in facts


def test_the_time_of_an_lpar_with_two_loads_is_told_once(lab):
    local, forwarded = "RR20(4kB)", "RR20(1kB)"
    facts = lab(
        Line("A", {"client": "SYSA", "router": "SYSB"}, local, 1_000_000, 0.2),
        Line("A", {"router": "SYSB"}, forwarded, 250_000, 0.8),
        Line("B", {"router": "SYSB"}, local, 1_000_000, 0.2),
    ).facts()
    shared = facts[f"A.{forwarded}.router.cpu_cost"]
    assert shared.value == pytest.approx(20 / 1.25)
    assert f"A.{local}.router.cpu_cost" not in facts
    assert "side by side" in gates(shared)
    told = "the CPU time of SYSB is divided by the transactions of all"
    assert told in "".join(map(str, shared.warnings))
    for key, fact in facts.items():
        assert "utilisation law" not in gates(fact), key
    assert "side by side" not in gates(facts[f"A.{local}.client.cpu_cost"])
    assert "side by side" not in gates(facts[f"A.{local}.None.rate"])
    assert "side by side" not in gates(facts[f"B.{local}.router.cpu_cost"])


def test_changed_cps_are_held_against_the_same_system(lab):
    """Two systems that take turns in a role may have other numbers of CPs."""
    made = lab(Line("A", {"server": "SYSA"}), Line("A", {"client": "SYSA"}, "RR1(1B)"))
    for fact in made.facts().values():
        assert "not comparable" not in gates(fact)


def test_a_linux_client_beside_lpars_names_its_own_source(lab):
    made = lab(
        Line("A", {"client": "LINUX", "server": "SYSA"},
             cpu="day.smf;LINUX=before;LINUX=after"),
        Line("B", {"server": "SYSA"}),
    )  # fmt: skip
    folder = made.root / "raw" / "lab"
    folder.mkdir(parents=True)
    (folder / "before").write_text("cpu  0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0\n")
    (folder / "after").write_text(
        "cpu  300 0 0 700 0 0 0 0\ncpu0 300 0 0 700 0 0 0 0\n"
    )
    linux = {"cps": 1, "cpu": "procstat"}
    facts = made.facts(systems={**SYSTEMS, "LINUX": linux})
    client = facts["A.RR10(100B).client.cpu_cost"]
    server = facts["A.RR10(100B).server.cpu_cost"]
    assert client.value == pytest.approx(3)  # 300 ticks of 10 ms ÷ 1,000,000
    assert server.value == pytest.approx(10)
    assert "/proc/stat" in client.lineage.rule
    assert "LPAR busy" not in client.lineage.rule
    assert "LPAR busy" in server.lineage.rule
    assert facts["A.RR10(100B).client.utilisation"].value == pytest.approx(30)
    assert "utilisation law" not in gates(client) | gates(server)


def test_a_run_that_no_interval_meets_is_said(lab, capsys):
    both = {"server": "SYSA", "client": "GONE"}
    facts = lab(
        Line("A", both), Line("A", both, late=3600), Line("B", {"server": "SYSA"})
    ).facts(systems={**SYSTEMS, "GONE": {"cps": 1}})
    assert facts["A.RR10(100B).server.cpu_cost"].lineage.runs == ("run-0",)
    said = capsys.readouterr().err
    assert "run lab/run-1: no CPU time of SYSA is known in it" in said
    assert "no CPU time of GONE is known in any run, from LPAR busy" in said
    assert said.count("GONE") == 1


def test_intervals_of_another_day_than_the_runs_are_said_with_the_cure(lab, capsys):
    server = {"server": "SYSA"}
    measured = {"by": "us", "from": "2026-03-02", "to": "2026-03-03", "how": "so"}
    lab(Line("A", server, late=86400), Line("B", server, late=86400)).facts(
        systems=SYSTEMS, measured=measured
    )
    said = capsys.readouterr().err
    assert "no CPU time of SYSA is known in any run" in said
    assert "; its intervals are of 2026-03-02 " in said
    assert "the runs of 2026-03-03 " in said
    assert "see to 'zone' in campaign.yaml, and to start and end in runs.csv" in said
