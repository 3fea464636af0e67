"""From the bytes of SMF to facts, where systems change their roles from run to run."""

from __future__ import annotations

import datetime as dt
import io
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from analysis.facts.fact import Fact
from analysis.facts.kinds import KINDS
from tests.derive.zos_lab import SECONDS, Lab, Usage, derive_labs

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


LOCAL, FORWARDED = "RR20(4kB)", "RR20(1kB)"
SERVER = {"server": "SYSA"}
BOTH = {"server": "SYSA", "client": "GONE"}
LABS: dict[str, tuple[list[Line], dict[str, Any]]] = {
    "turned": (
        [
            Line("A", {"client": "SYSB", "server": "SYSA"}),
            Line("B", {"client": "SYSA", "server": "SYSB"}),
        ],
        {},
    ),
    "no-role": (
        [Line("A", SERVER), Line("B", {"client": "SYSA", "router": "SYSB"})],
        {},
    ),
    "declared": (
        [Line("A", {}), Line("B", {})],
        {"systems": {"SYSA": {"cps": 4, "role": "router"}, "SYSB": {"cps": 4}}},
    ),
    "both-serve": ([Line("A", SERVER), Line("B", {"server": "SYSB"})], {}),
    "two-loads": (
        [
            Line("A", {"client": "SYSA", "router": "SYSB"}, LOCAL, 1_000_000, 0.2),
            Line("A", {"router": "SYSB"}, FORWARDED, 250_000, 0.8),
            Line("B", {"router": "SYSB"}, LOCAL, 1_000_000, 0.2),
        ],
        {},
    ),
    "same-system": (
        [Line("A", SERVER), Line("A", {"client": "SYSA"}, "RR1(1B)")],
        {},
    ),
    "linux": (
        [
            Line(
                "A",
                {"client": "LINUX", "server": "SYSA"},
                cpu="day.smf;LINUX=before;LINUX=after",
            ),
            Line("B", SERVER),
        ],
        {"systems": {**SYSTEMS, "LINUX": {"cps": 1, "cpu": "procstat"}}},
    ),
    "unmet": (
        [Line("A", BOTH), Line("A", BOTH, late=3600), Line("B", SERVER)],
        {"systems": {**SYSTEMS, "GONE": {"cps": 1}}},
    ),
    "next-day": (
        [Line("A", SERVER, late=86400), Line("B", SERVER, late=86400)],
        {
            "measured": {
                "by": "us", "from": "2026-03-02", "to": "2026-03-03", "how": "so"
            }
        },
    ),
}  # fmt: skip
Values = dict[str, Fact]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Values], str]:
    """The value facts of each lab by ``<configuration>.<workload>.<role>.<metric>``,
    and what was warned of as they were derived."""
    root = tmp_path_factory.mktemp("labs")
    used = {"A": Usage(), "B": Usage(busy=5.0)}
    labs = {
        name: RoleLab(root, used, lines=lines, name=name)
        for name, (lines, _) in LABS.items()
    }
    for name, (_, changes) in LABS.items():
        folder = root / "raw" / name
        folder.mkdir(parents=True)
        for file, busy in (("before", 0), ("after", 300)):
            ticks = f"{busy} 0 0 {7 * busy // 3} 0 0 0 0"
            (folder / file).write_text(f"cpu  {ticks}\ncpu0 {ticks}\n")
        labs[name].ingest({"systems": SYSTEMS} | changes)
    with redirect_stderr(io.StringIO()) as said:
        facts = derive_labs(root, labs.values())
    found = {
        name: {
            f"{f.configuration}.{f.workload}.{f.role}.{f.metric}": f
            for f in facts.of(name).facts
            if f.kind == "value"
        }
        for name in labs
    }
    return found, said.getvalue()


@pytest.fixture(scope="module")
def facts_of(made: tuple[dict[str, Values], str]) -> dict[str, Values]:
    return made[0]


def gates(fact: Fact) -> set[str]:
    return {KINDS[warning.kind].name for warning in fact.warnings}


def test_an_lpar_is_server_in_one_run_and_client_in_another(facts_of):
    facts = facts_of["turned"]
    cost = {key: f.value for key, f in facts.items() if key.endswith("cpu_cost")}
    assert cost == {
        "A.RR10(100B).server.cpu_cost": pytest.approx(10),
        "A.RR10(100B).client.cpu_cost": pytest.approx(20),
        "B.RR10(100B).client.cpu_cost": pytest.approx(5),
        "B.RR10(100B).server.cpu_cost": pytest.approx(20),
    }
    assert facts["B.RR10(100B).client.utilisation"].value == pytest.approx(12.5)


def test_a_system_without_a_role_in_a_run_has_no_cost_in_it(facts_of):
    assert {key for key in facts_of["no-role"] if key.endswith(".cpu_cost")} == {
        "A.RR10(100B).server.cpu_cost",
        "B.RR10(100B).client.cpu_cost",
        "B.RR10(100B).router.cpu_cost",
    }


def test_runs_that_name_no_system_have_the_declared_roles(facts_of):
    facts = facts_of["declared"]
    assert facts["A.RR10(100B).router.cpu_cost"].value == pytest.approx(10)
    assert "A.RR10(100B).client.cpu_cost" not in facts


def test_ziip_time_follows_the_system_not_the_role(facts_of):
    """SYSB never used a zIIP, although the role that it has once did elsewhere."""
    facts = facts_of["both-serve"]
    assert "A.RR10(100B).server.cpu_cost_ziip" in facts
    assert "B.RR10(100B).server.cpu_cost_ziip" not in facts


def test_the_time_of_an_lpar_with_two_loads_is_told_once(facts_of):
    facts = facts_of["two-loads"]
    shared = facts[f"A.{FORWARDED}.router.cpu_cost"]
    assert shared.value == pytest.approx(20 / 1.25)
    assert f"A.{LOCAL}.router.cpu_cost" not in facts
    assert "side by side" in gates(shared)
    told = "the CPU time of SYSB is divided by the transactions of all"
    assert told in "".join(map(str, shared.warnings))
    for key, fact in facts.items():
        assert "utilisation law" not in gates(fact), key
    assert "side by side" not in gates(facts[f"A.{LOCAL}.client.cpu_cost"])
    assert "side by side" not in gates(facts[f"A.{LOCAL}.None.rate"])
    assert "side by side" not in gates(facts[f"B.{LOCAL}.router.cpu_cost"])


def test_changed_cps_are_held_against_the_same_system(facts_of):
    """Two systems that take turns in a role may have other numbers of CPs."""
    assert facts_of["same-system"]
    for fact in facts_of["same-system"].values():
        assert "not comparable" not in gates(fact)


def test_a_linux_client_beside_lpars_names_its_own_source(facts_of):
    facts = facts_of["linux"]
    client = facts["A.RR10(100B).client.cpu_cost"]
    server = facts["A.RR10(100B).server.cpu_cost"]
    assert client.value == pytest.approx(3)  # 300 ticks of 10 ms ÷ 1,000,000
    assert server.value == pytest.approx(10)
    assert "/proc/stat" in client.lineage.rule
    assert "LPAR busy" not in client.lineage.rule
    assert "LPAR busy" in server.lineage.rule
    assert facts["A.RR10(100B).client.utilisation"].value == pytest.approx(30)
    assert "utilisation law" not in gates(client) | gates(server)


def test_a_run_that_no_interval_meets_is_said(facts_of, made):
    cost = facts_of["unmet"]["A.RR10(100B).server.cpu_cost"]
    assert cost.lineage.runs == ("run-0",)
    said = made[1]
    assert "run unmet/run-1: no CPU time of SYSA is known in it" in said
    assert "no CPU time of GONE is known in any run, from LPAR busy" in said
    assert said.count("GONE") == 1


def test_intervals_of_another_day_than_the_runs_are_said_with_the_cure(made):
    told = "no CPU time of SYSA is known in any run"
    [said] = [line for line in made[1].splitlines() if told in line]
    assert "; its intervals are of 2026-03-02 " in said
    assert "the runs of 2026-03-03 " in said
    assert "see to 'zone' in campaign.yaml, and to start and end in runs.csv" in said
