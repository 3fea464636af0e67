"""What is declared against what the files tell, entry by entry."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.declared.base import parse_yaml
from analysis.declared.campaign import CAMPAIGN_FILE, check_campaign
from analysis.declared.workload import parse_workload
from analysis.errors import Issue
from analysis.ingest.campaign.runs import RunLine, parse_cpu
from analysis.ingest.clock import parse_time
from analysis.ingest.joining.observed import check_observed
from analysis.ingest.joining.observed_gateways import check_gateways
from analysis.ingest.joining.observed_runs import check_runs
from analysis.ingest.reading import Circumstances, Reading
from analysis.ingest.tables.catalog import TABLES, frame

CAMPAIGN = """\
title: A laboratory
origin: measured
measured: {by: us, from: 2026-01-12, to: 2026-01-12, how: with care}
zone: UTC
systems:
  SYSA: {role: server, cps: 4, dedicated: true}
  SYSB: {role: client, cps: 4}
configurations:
  osd:
    label: OSA-Express
    details:
      z/OS release: "3.2"
      Interface: OSA-Express7S 25GbE, CHPID type OSD
      MTU: 1500 (regular frames)
cpu: {source: lpar_busy}
software: {Kernel: 6.1.0-9}
"""
START, END = "2026-01-12T10:00:00Z", "2026-01-12T10:01:00Z"
SHA = "ab" * 32
DUMP = "smf/dump.bin"


def interval(system: str, **more: Any) -> dict[str, Any]:
    told = {"system": system, "cpu_type": "CP", "start_utc": START, "seconds": 60.0,
            "online_cpus": 4.0, "dedicated": True, "release": "ZV030200",
            "source": SHA}  # fmt: skip
    return told | more


def network(**more: Any) -> dict[str, Any]:
    told = {"system": "SYSB", "interface": "OSD1", "kind": "IPAQENET", "mtu": 1500,
            "start_utc": START, "seconds": 60.0, "bytes_in": 10**9, "bytes_out": 5,
            "source": SHA}  # fmt: skip
    return told | more


def line(run: str = "osd-1", number: int = 2, **more: Any) -> RunLine:
    told = {
        "line": number,
        "run": run,
        "configuration": "osd",
        "workload": parse_workload("RR1(1kB)"),
        "repetition": 1,
        "start": parse_time(START),
        "end": parse_time(END),
        "roles": {"client": "SYSB", "server": "SYSA"},
        "log": f"{run}.txt",
        "cpu": parse_cpu(DUMP),
    }
    return RunLine(**(told | more))


def reading(tool: str | None = "uperf", **circumstances: Any) -> Reading:
    return Reading("uperf", tool, circumstances=Circumstances(**circumstances))


class Lab:
    """A campaign in a folder, with what its files tell."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.text = folder, CAMPAIGN
        self.lines = [line()]
        self.results: list[dict[str, Any]] = []
        self.readings = {DUMP: reading(None), "osd-1.txt": reading()}
        self.rows: dict[str, list[dict[str, Any]]] = {
            "cpu_interval": [interval("SYSA"), interval("SYSB")],
            "interface_interval": [network()],
        }

    def found(self, check: Any) -> list[Issue]:
        path = self.folder / CAMPAIGN_FILE
        path.write_text(self.text, encoding="utf-8")
        data, node = parse_yaml(self.text, path)
        checked = SimpleNamespace(
            folder=self.folder,
            name="lab",
            campaign=check_campaign(data, node, path),
            runs=tuple(self.lines),
            files={DUMP: SHA},
        )
        evidence = SimpleNamespace(
            checked=checked,
            readings=self.readings,
            results={one.run: self.results for one in self.lines},
        )
        tables = {name: frame(name, self.rows.get(name, [])) for name in TABLES}
        return list(check(tables, evidence))

    def told(self, check: Any = check_observed) -> str:
        [issue] = self.found(check)
        assert issue.mend
        return str(issue)


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


def test_what_agrees_is_left_alone(lab: Lab) -> None:
    assert lab.found(check_observed) == []
    assert lab.found(check_runs) == []


@pytest.mark.parametrize(
    ("old", "new", "number", "what"),
    [
        ("SYSA: {role: server, cps: 4", "SYSA: {role: server, cps: 8", 6,
         f"cps is 8, but {DUMP} tells of 4 CPs of SYSA"),
        ("dedicated: true", "dedicated: false", 6,
         f"dedicated is false, but {DUMP} tells of dedicated CPs of SYSA"),
        ('release: "3.2"', "release: V2R5", 12,
         f"z/OS release is V2R5, but {DUMP} tells of 3.2 in runs of osd"),
        ("MTU: 1500", "MTU: 8 KB", 14,
         f"MTU is 8 KB (regular frames), but {DUMP} tells of OSD1 with 1500 in runs"),
    ],
)  # fmt: skip
def test_a_declaration_that_a_file_contradicts_is_an_error(
    lab: Lab, old: str, new: str, number: int, what: str
) -> None:
    assert old in lab.text
    lab.text = lab.text.replace(old, new)
    assert lab.told().startswith(f"{lab.folder / CAMPAIGN_FILE}:{number}: {what}")


def test_the_campaign_s_release_counts_where_a_configuration_tells_none(
    lab: Lab,
) -> None:
    lab.text = lab.text.replace('      z/OS release: "3.2"\n', "")
    lab.text = lab.text.replace("{Kernel:", '{z/OS: "3.1", Kernel:')
    assert "z/OS is 3.1, but" in lab.told()


def test_hipersockets_are_no_adapter(lab: Lab) -> None:
    lab.rows["interface_interval"] = [network(kind="IPAQIDIO", interface="HS1")]
    assert "Interface is OSA-Express7S" in lab.told()
    assert "tells of HS1, HiperSockets, in runs of osd" in lab.told()


def test_the_interface_that_carried_the_load_counts(lab: Lab) -> None:
    idle = network(interface="OSD2", mtu=9000, bytes_in=9)
    loopback = network(interface="LOOPBACK", mtu=65535, bytes_in=10**12)
    lab.rows["interface_interval"] += [idle, loopback]
    assert lab.found(check_observed) == []


def test_intervals_of_other_times_say_nothing_of_a_configuration(lab: Lab) -> None:
    later = "2026-01-12T11:00:00Z"
    lab.rows["interface_interval"] = [network(mtu=9000, start_utc=later)]
    old = interval("SYSB", release="ZV020500", start_utc=later)
    lab.rows["cpu_interval"].append(old)
    assert lab.found(check_observed) == []


def test_a_side_of_a_machine_may_have_fewer_processors(lab: Lab) -> None:
    lab.text = lab.text.replace("cps: 4}", "cps: 2, host: SYSB}")
    assert lab.found(check_observed) == []
    lab.text = lab.text.replace("cps: 2, host", "cps: 8, host")
    assert "cps is 8, but" in lab.told()


def test_processors_that_were_varied_may_be_any_between(lab: Lab) -> None:
    lab.rows["cpu_interval"] += [interval("SYSA", online_cpus=5.5)]
    lab.text = lab.text.replace("server, cps: 4", "server, cps: 6")
    assert lab.found(check_observed) == []


def test_snapshots_of_clock_ticks_tell_the_processors(lab: Lab) -> None:
    lab.rows["cpu_interval"] = []
    ticks = {"busy_ticks": 1, "idle_ticks": 1, "steal_ticks": 0, "source": SHA}
    cpus = ("all", "0", "1")
    lab.rows["cpu_counter"] = [
        {"system": "SYSB", "cpu": cpu, "position": 1} | ticks for cpu in cpus
    ]
    assert f"cps is 4, but {DUMP} tells of 2 CPs of SYSB" in lab.told()


def test_a_kernel_of_another_release_is_told(lab: Lab) -> None:
    lab.readings[DUMP] = reading(None, release="6.1.0-9-amd64")
    assert lab.found(check_observed) == []
    lab.readings[DUMP] = reading(None, release="5.10.0")
    assert f"Kernel is 6.1.0-9, but {DUMP} tells of 5.10.0" in lab.told()


@pytest.mark.parametrize(
    ("start", "end", "wrong"),
    [
        ("2026-01-12T10:00:00Z", "2026-01-12T10:01:00Z", False),
        ("2026-01-12T09:59:59.500Z", "2026-01-12T10:01:00.500Z", False),
        ("2026-01-12T10:00:10Z", "2026-01-12T10:00:50Z", False),
        ("2026-01-12T10:00:00Z", "2026-01-12T10:05:00Z", True),
        ("2026-01-12T09:50:00Z", "2026-01-12T10:01:00Z", True),
        ("2026-01-12T12:00:00Z", "2026-01-12T12:01:00Z", True),
    ],
)
def test_a_run_is_not_longer_than_its_files_tell(
    lab: Lab, start: str, end: str, wrong: bool
) -> None:
    lab.readings[DUMP] = reading(None, start_utc=START, end_utc=END)
    lab.lines = [line(start=parse_time(start), end=parse_time(end))]
    found = lab.found(check_runs)
    assert bool(found) is wrong
    if wrong:
        assert f"{DUMP} tells of a run from {START} to {END}" in found[0].what
        assert found[0].where is not None and found[0].where.line == 2


def test_cpu_files_of_another_time_tell_of_the_zone(lab: Lab) -> None:
    lab.rows["cpu_interval"] = [
        interval("SYSA", run="osd-1", start_utc="2026-01-12T11:00:00Z")
    ]
    told = lab.told(check_runs)
    assert f"{DUMP} begins at 2026-01-12T11:00:00Z, outside of the run" in told
    assert "the zone that campaign.yaml tells: UTC" in told


def test_logs_of_different_tools_are_no_repetitions(lab: Lab) -> None:
    lab.lines += [line("osd-2", 3), line("osd-3", 4)]
    lab.readings |= {"osd-2.txt": reading("uperf 1.0"), "osd-3.txt": reading("wrk")}
    told = lab.told(check_runs)
    assert "runs.csv:4: osd-3.txt is a log of wrk, but osd-1.txt (line 2) one" in told
    lab.readings["osd-3.txt"] = reading(None)
    assert lab.found(check_runs) == []


@pytest.mark.parametrize(
    ("columns", "what"),
    [
        ({"transactions": 1050}, ""),
        ({"transactions": 1051}, "it counts 1,051 requests, and osd-1.txt 1,000"),
        ({"start_utc": "2026-01-12T09:59:59Z"}, ""),
        ({"start_utc": "2026-01-12T09:55:00Z"},
         "it counts from 2026-01-12T09:55:00Z, and the run began at 2026-01-12T10:00"),
        ({"transactions": 9999, "run": None}, ""),  # of no run
    ],
)  # fmt: skip
def test_statistics_of_a_gateway_that_was_not_reset_are_an_error(
    lab: Lab, columns: dict[str, Any], what: str
) -> None:
    row = {"run": "osd-1", "transactions": 900, "position": 7, "source": SHA}
    lab.rows["gateway_interval"] = [row | columns]
    lab.results = [{"transactions": 1000, "start_utc": None, "seconds": None}]
    if not what:
        assert lab.found(check_gateways) == []
        return
    told = lab.told(check_gateways)
    assert f"{DUMP}:7: {what}" in told
    assert "were not reset before run osd-1 (line 2 of runs.csv)" in told
    assert "reset the statistics of the gateway before each run" in told
