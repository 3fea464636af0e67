"""What is declared against what the files say, comparison by comparison."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from analysis.declared.base import parse_yaml
from analysis.declared.campaign import CAMPAIGN_FILE, check_campaign
from analysis.declared.workload import parse_workload
from analysis.errors import Issue
from analysis.ingest.campaign.check import CheckedCampaign
from analysis.ingest.campaign.runs import RunLine, parse_cpu
from analysis.ingest.clock import parse_time, utc_text
from analysis.ingest.joining.assign import CampaignReading
from analysis.ingest.joining.comparisons import COMPARISONS, compare, mtu_of
from analysis.ingest.reading import Circumstances, Problems, Reading
from analysis.ingest.tables.catalog import TABLES, frame, result_row

CAMPAIGN = """\
title: A laboratory
origin: measured
measured: {by: us, from: 2026-01-12, to: 2026-01-12, how: with uperf and care}
zone: UTC
systems:
  SYSA: {role: server, cps: 4, dedicated: true}
  SYSB: {role: client, cps: 4}
configurations:
  osd:
    label: OSA-Express
    details:
      CPC: z17
      CPs of each LPAR: 4, dedicated
      z/OS release: "3.2"
      Interface: OSA-Express7S 25GbE, CHPID type OSD
      MTU: 1500 (regular frames)
cpu: {source: lpar_busy}
software: {Kernel: 6.1.0-9}
"""
ROOT = Path(__file__).parents[3]
START, END = "2026-01-12T10:00:00Z", "2026-01-12T10:01:00Z"
SHA = "ab" * 32
DUMP = "smf/dump.bin"


def interval(system: str, **more: Any) -> dict[str, Any]:
    told = {"system": system, "cpu_type": "CP", "start_utc": START, "seconds": 60.0,
            "online_cpus": 4.0, "dedicated": True, "release": "ZV030200",
            "machine_type": "9175", "source": SHA, "position": 7}  # fmt: skip
    return told | more


def network(**more: Any) -> dict[str, Any]:
    told = {"system": "SYSB", "interface": "OSD1", "kind": "IPAQENET", "mtu": 1500,
            "start_utc": START, "seconds": 60.0, "bytes_in": 10**9, "bytes_out": 5,
            "source": SHA, "position": 8}  # fmt: skip
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


def result(**cells: Any) -> dict[str, Any]:
    return result_row({"position": 5} | cells)


class Lab:
    """A campaign in a folder, with what its files tell."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.text = folder, CAMPAIGN
        self.lines = [line()]
        self.digests: dict[str, str] = {}
        self.results: list[dict[str, Any]] = []
        self.readings = {DUMP: reading(None), "osd-1.txt": reading()}
        self.rows: dict[str, list[dict[str, Any]]] = {
            "cpu_interval": [interval("SYSA"), interval("SYSB")],
            "interface_interval": [network()],
        }

    def compared(self) -> tuple[list[Issue], Problems]:
        path = self.folder / CAMPAIGN_FILE
        path.write_text(self.text, encoding="utf-8")
        data, node = parse_yaml(self.text, path)
        checked = CheckedCampaign(
            self.folder,
            check_campaign(data, node, path),
            tuple(self.lines),
            {DUMP: SHA} | self.digests,
            "",
        )
        results = {one.run: self.readings[one.log].results or self.results
                   for one in self.lines}  # fmt: skip
        tables = {name: frame(name, self.rows.get(name, [])) for name in TABLES}
        return compare(tables, CampaignReading(checked, self.readings, results))

    def edit(self, old: str, new: str) -> None:
        assert old in self.text
        self.text = self.text.replace(old, new)

    def error(self) -> str:
        """The only contradiction, without the folder's path."""
        ([issue], hints) = self.compared()
        assert issue.mend
        assert not hints
        return str(issue).replace(f"{self.folder}/", "").splitlines()[0]

    def hint(self) -> str:
        """The only hint, as ``file:line: words``."""
        (issues, [(file, problem)]) = self.compared()
        assert not issues
        return f"{file}:{problem.line}: {problem.message}"


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


def test_what_agrees_is_left_alone(lab: Lab) -> None:
    assert lab.compared() == ([], [])


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("SYSA: {role: server, cps: 4", "SYSA: {role: server, cps: 8",
         f"campaign.yaml:6: cps is 8, but {DUMP}:7 tells of 4 CPUs of SYSA"),
        ("dedicated: true", "dedicated: false",
         "campaign.yaml:6: dedicated is false, but "
         f"{DUMP}:7 tells of dedicated processors of SYSA"),
        ("CPC: z17", "CPC: z16",
         f"campaign.yaml:12: CPC is z16, but {DUMP}:7 tells of a 9175 in runs of osd"),
        ("CPC: z17", "Machine type and model: 3931-A01",
         "campaign.yaml:12: Machine type and model is 3931-A01, but "
         f"{DUMP}:7 tells of a 9175 in runs of osd"),
        ("LPAR: 4, dedicated", "LPAR: 8, dedicated",
         "campaign.yaml:13: CPs of each LPAR is 8, dedicated, but "
         f"{DUMP}:7 tells of 4 CPUs in runs of osd"),
        ('release: "3.2"', "release: V2R5",
         "campaign.yaml:14: z/OS release is V2R5, but "
         f"{DUMP}:7 tells of 3.2 in runs of osd"),
        ("MTU: 1500", "MTU: 8 KB",
         "campaign.yaml:16: MTU is 8 KB (regular frames), but "
         f"{DUMP}:8 tells of OSD1 with 1500 in runs of osd"),
        ("from: 2026-01-12, to: 2026-01-12", "from: 2026-01-13, to: 2026-01-14",
         "campaign.yaml:3: measured from 2026-01-13 to 2026-01-14, but "
         "runs.csv:2 tells of a run on 2026-01-12"),
        ("with uperf", "with iperf",
         "campaign.yaml:3: how it was measured names iperf, but "
         "osd-1.txt:1 is a log of uperf"),
        ("software: {", 'software: {iperf3: "3.12", ',
         "campaign.yaml:18: software has iperf3, but osd-1.txt:1 is a log of uperf"),
        ("software: {", "hardware: {CPUs: 8}\nsoftware: {",
         f"campaign.yaml:18: CPUs is 8, but {DUMP}:7 tells of 4 CPUs"),
    ],
)  # fmt: skip
def test_a_declaration_that_a_file_contradicts_is_an_error(
    lab: Lab, old: str, new: str, what: str
) -> None:
    lab.edit(old, new)
    assert lab.error() == what


def connection(shift: float, of: int, **more: Any) -> dict[str, Any]:
    """A connection of SYSA, of which a run of a minute lies inside, so many s later."""
    start = parse_time(START) + dt.timedelta(minutes=3 * of, seconds=shift)
    told = {"system": "SYSA", "role": "server", "source": SHA, "position": 9 + of,
            "start_utc": utc_text(start - dt.timedelta(seconds=0.2)),
            "end_utc": utc_text(start + dt.timedelta(seconds=60.4)),
            "bytes_in": 6_000_000 * (of + 1), "bytes_out": 1}  # fmt: skip
    return told | more


@pytest.mark.parametrize(
    ("shift", "told"),
    [
        (18000.0, "18000.0 s ahead of that of the logs, the 5 h of a zone"),
        (-20.0, "19.9 s behind that of the logs"),
        (1.0, ""),
        (None, ""),  # of connections that carried other bytes nothing is known
    ],
)
def test_a_clock_that_differs_from_the_logs_is_told_with_the_remedy(
    lab: Lab, shift: float | None, told: str
) -> None:
    lab.lines = [
        line(f"osd-{of}", of + 2, log="osd-1.txt", start=start, repetition=of + 1,
             end=start + dt.timedelta(minutes=1))
        for of in range(4)
        for start in [parse_time(START) + dt.timedelta(minutes=3 * of)]
    ]  # fmt: skip
    lab.rows["tcp_connection"] = [
        connection(shift or 20.0, of, **({} if shift else {"bytes_in": 7}))
        for of in range(4)
    ]
    lab.rows["benchmark"] = [
        {"run": f"osd-{of}", "clients": 1, "seconds": 60.0,
         "bytes_per_second": 1e5 * (of + 1)} for of in range(4)
    ]  # fmt: skip
    issues, _ = lab.compared()
    clock = [str(one) for one in issues if "clock" in str(one)]
    assert len(clock) == bool(told)
    if told:
        assert f"clock_ahead is 0, but {lab.folder}/{DUMP}:9 tells that" in clock[0]
        assert f"the clock of SYSA was {told}, by 4 of 4 connections" in clock[0]
        right = "18000" if shift == 18000 else "-19.9"
        assert f"clock_ahead: {right}\n  mend: write this" in clock[0]


def test_the_role_of_connections_is_held_against_the_declared_one(lab: Lab) -> None:
    lab.rows["tcp_connection"] = [connection(0, 0, role="client")] * 2
    assert lab.error() == (
        "campaign.yaml:6: SYSA is the server in its runs, but "
        f"{DUMP}:9 tells that SYSA was the client of connections"
    )
    lab.rows["tcp_connection"].append(connection(0, 0))
    assert lab.compared() == ([], [])  # of both sides nothing is known


def test_every_comparison_is_in_the_guide() -> None:
    guide = (ROOT / "docs/campaigns.md").read_text(encoding="utf-8")
    table = guide.split("### What files say counts")[1].split("###")[0]
    assert [one.name for one in COMPARISONS if f"`{one.name}`" not in table] == []


def test_the_campaign_s_release_counts_where_a_configuration_tells_none(
    lab: Lab,
) -> None:
    lab.edit('      z/OS release: "3.2"\n', "")
    lab.edit("{Kernel:", '{z/OS: "3.1", Kernel:')
    assert "z/OS is 3.1, but" in lab.error()


@pytest.mark.parametrize(
    ("how", "tool", "agrees"),
    [
        ("with iperf", "iperf3", True),  # people leave the number out
        ("with iperf3", "iperf", False),
        ("with uperf and netperf", "netperf", True),
        ("with uperf", "a-driver", True),  # which may have started uperf
        ("with openssl and curl", "uperf", True),  # no benchmark of its own
    ],
)
def test_tools_of_logs_are_those_that_are_named(
    lab: Lab, how: str, tool: str, agrees: bool
) -> None:
    lab.edit("with uperf", how)
    lab.readings["osd-1.txt"] = reading(tool)
    assert (lab.compared()[0] == []) is agrees


def test_a_day_may_be_that_of_the_zone(lab: Lab) -> None:
    lab.edit("2026-01-12, to: 2026-01-12", "2026-01-13, to: 2026-01-13")
    lab.edit("zone: UTC", "zone: Pacific/Auckland")
    lab.lines = [
        line(
            start=parse_time("2026-01-12T12:00:00Z"),
            end=parse_time("2026-01-12T12:01:00Z"),
        )
    ]
    assert lab.compared()[0] == []


def test_a_clock_of_another_zone_is_a_hint(lab: Lab) -> None:
    lab.readings[DUMP] = reading(None, utc_offset=-5.0)
    assert lab.hint().endswith(
        "campaign.yaml:4: zone is UTC, but this file has a clock that is -5 h off UTC"
    )
    lab.edit("zone: UTC", "zone: America/New_York")
    assert lab.compared() == ([], [])


def test_hipersockets_are_no_adapter(lab: Lab) -> None:
    lab.rows["interface_interval"] = [network(kind="IPAQIDIO", interface="HS1")]
    error = lab.error()
    assert "Interface is OSA-Express7S" in error
    assert "tells of HS1, HiperSockets, in runs of osd" in error


def test_the_interface_that_carried_the_load_counts(lab: Lab) -> None:
    idle = network(interface="OSD2", mtu=9000, bytes_in=9)
    loopback = network(interface="LOOPBACK", mtu=65535, bytes_in=10**12)
    lab.rows["interface_interval"] += [idle, loopback]
    assert lab.compared() == ([], [])


@pytest.mark.parametrize(
    ("declared", "mss", "said"),
    [
        ("1400", 8948, "error"),
        ("1500", 1448, ""),
        ("1500", 1460, ""),  # without times of TCP
        ("1500", 1428, ""),  # IPv6, with times
        ("1500", 1461, "error"),
        ("9000 (jumbo frames)", 8948, ""),
        ("9000", 1448, "hint"),
        ("1500 and 9000", 8948, ""),
        ("65536", 32741, ""),  # half of a window, on loopback
    ],
)
def test_segments_tell_the_mtu(lab: Lab, declared: str, mss: int, said: str) -> None:
    lab.rows["interface_interval"] = []
    lab.edit("MTU: 1500 (regular frames)", f"MTU: {declared}")
    lab.readings["osd-1.txt"] = reading(mss=mss)
    lab.results = [result()]
    match said:
        case "error":
            needs = (
                f"tells of an MSS of {mss}, which needs an MTU of {mss + 40} or more"
            )
            assert lab.error().endswith(f"MTU is {declared}, but osd-1.txt:5 {needs}")
        case "hint":
            where = f"osd-1.txt:5: campaign.yaml:16: MTU is {declared}"
            assert lab.hint().startswith(
                f"{where}, but this file tells of an MSS of {mss}"
            )
        case _:
            assert lab.compared() == ([], [])


def test_the_mtu_of_segments_is_a_common_one() -> None:
    known = {8948: 9000, 1448: 1500, 1460: 1500, 1428: 1500, 1440: 1500, 32741: None}
    assert {mss: mtu_of(mss) for mss in known} == known


def test_intervals_of_other_times_say_nothing_of_a_configuration(lab: Lab) -> None:
    later = "2026-01-12T11:00:00Z"
    lab.rows["interface_interval"] = [network(mtu=9000, start_utc=later)]
    old = interval("SYSB", release="ZV020500", start_utc=later)
    lab.rows["cpu_interval"].append(old)
    assert lab.compared() == ([], [])


def test_systems_of_one_host_may_divide_its_processors(lab: Lab) -> None:
    """Bound to some of them; a file does not say so, hence a hint."""
    lab.edit("SYSA: {role: server, cps: 4, dedicated: true}",
             "SYSA: {role: server, cps: 2, host: vm}")  # fmt: skip
    lab.edit("cps: 4}", "cps: 2, host: vm}")
    lab.rows["cpu_interval"] = [interval("vm", scope="system", dedicated=None)]
    issues, hints = lab.compared()
    assert issues == []
    assert [problem.message for _, problem in hints] == [
        f"campaign.yaml:{number}: cps is 2, but this file tells of 4 CPUs of vm"
        for number in (6, 7)
    ]
    lab.edit("client, cps: 2", "client, cps: 3")  # with the other more than there are
    assert len(lab.compared()[0]) == 2


def test_processes_on_more_processors_than_declared_are_an_error(lab: Lab) -> None:
    lab.readings[DUMP] = reading(None, role_cpus={"client": 5, "server": 2})
    (lab.folder / "smf").mkdir()
    (lab.folder / DUMP).write_text('{"rc": 0,\n"cpuacct_client_percpu_s": [1]}')
    assert lab.error().endswith(f"cps is 4, but {DUMP}:2 tells that SYSB ran on 5 CPUs")


def test_an_lpar_has_the_processors_that_it_tells(lab: Lab) -> None:
    lab.edit("cps: 4}", "cps: 2, host: SYSB}")
    assert f"cps is 2, but {DUMP}:7 tells of 4 CPUs of SYSB" in lab.error()


def test_processors_that_were_varied_may_be_any_between(lab: Lab) -> None:
    lab.rows["cpu_interval"] += [interval("SYSA", online_cpus=5.5)]
    lab.edit("server, cps: 4", "server, cps: 6")
    assert lab.compared() == ([], [])


def test_snapshots_of_clock_ticks_tell_the_processors(lab: Lab) -> None:
    lab.rows["cpu_interval"] = []
    ticks = {"busy_ticks": 1, "idle_ticks": 1, "steal_ticks": 0, "source": SHA}
    cpus = ("all", "0", "1")
    lab.rows["cpu_counter"] = [
        {"system": "SYSB", "cpu": cpu, "position": 1} | ticks for cpu in cpus
    ]
    assert f"cps is 4, but {DUMP}:1 tells of 2 CPUs of SYSB" in lab.error()


def test_a_kernel_of_another_release_is_told_with_its_line(lab: Lab) -> None:
    (lab.folder / "smf").mkdir()
    (lab.folder / DUMP).write_text('{"sysstat":\n{"release": "5.10.0"}}')
    lab.readings[DUMP] = reading(None, release="6.1.0-9-amd64")
    assert lab.compared() == ([], [])
    lab.readings[DUMP] = reading(None, release="5.10.0")
    assert f"Kernel is 6.1.0-9, but {DUMP}:2 tells of 5.10.0" in lab.error()


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
    (lab.folder / "smf").mkdir()
    (lab.folder / DUMP).write_text('{"t_start": 1}')
    lab.lines = [line(start=parse_time(start), end=parse_time(end))]
    issues, _ = lab.compared()
    assert bool(issues) is wrong
    if wrong:
        assert f"{DUMP}:1 tells of one from {START} to {END}" in issues[0].what
        assert issues[0].where is not None
        assert issues[0].where.line == 2


@pytest.mark.parametrize(
    ("started", "seconds", "wrong"),
    [
        ("2026-01-12T10:00:30Z", 10.0, False),
        ("2026-01-12T09:59:50Z", None, True),
        ("2026-01-12T09:59:59Z", None, False),  # a start that was cut to its second
        ("2026-01-12T10:01:00.5Z", None, False),
        ("2026-01-12T10:05:00Z", 10.0, True),
    ],
)
def test_a_log_is_of_the_time_of_its_run(
    lab: Lab, started: str, seconds: float | None, wrong: bool
) -> None:
    lab.results = [result(start_utc=started, seconds=seconds)]
    issues, _ = lab.compared()
    assert bool(issues) is wrong
    if wrong:
        assert f"osd-1.txt:5 was written at {started}" in issues[0].what


def test_cpu_files_of_another_time_tell_of_the_zone(lab: Lab) -> None:
    lab.rows["cpu_interval"] = [
        interval("SYSA", run="osd-1", start_utc="2026-01-12T11:00:00Z")
    ]
    ([issue], _) = lab.compared()
    assert f"{DUMP}:7 begins at 2026-01-12T11:00:00Z, outside of it" in issue.what
    assert "its clock is in the zone that campaign.yaml declares" in issue.mend


@pytest.mark.parametrize(
    ("cells", "what"),
    [
        ({"clients": 1, "request_bytes": 1024, "shape": "RR"}, ""),
        ({"clients": 8}, "says clients 8"),
        ({"shape": "CRR"}, "says shape CRR"),
        ({"request_bytes": 64}, "says request bytes 64"),
        ({"response_bytes": 64}, "says response bytes 64"),
    ],
)
def test_a_log_of_another_workload_is_an_error(
    lab: Lab, cells: dict[str, Any], what: str
) -> None:
    lab.results = [result(**cells)]
    if what:
        declared = "runs.csv:2: the workload is RR1(1kB)"
        assert lab.error() == f"{declared}, but osd-1.txt:5 {what}"
    else:
        assert lab.compared() == ([], [])


def test_logs_of_different_tools_are_no_repetitions(lab: Lab) -> None:
    lab.lines += [line("osd-2", 3), line("osd-3", 4)]
    lab.readings |= {"osd-2.txt": reading("uperf 1.0"), "osd-3.txt": reading("wrk")}
    assert lab.error() == (
        "runs.csv:2: the runs of RR1(1kB) on osd are repetitions, but "
        "osd-3.txt:1 (line 4) is a log of wrk, and line 2 has uperf"
    )
    lab.readings["osd-3.txt"] = reading(None)
    assert lab.compared() == ([], [])


@pytest.mark.parametrize(
    ("columns", "what"),
    [
        ({"transactions": 1050}, ""),
        ({"transactions": 1051},
         "counts 1,051 requests, and the log of the run 1,000"),
        ({"start_utc": "2026-01-12T09:59:59Z"}, ""),
        ({"start_utc": "2026-01-12T09:55:00Z"},
         "counts from 2026-01-12T09:55:00Z, and the run began at 2026-01-12T10:00"),
        ({"transactions": 9999, "run": None}, ""),  # of no run
    ],
)  # fmt: skip
def test_statistics_of_a_gateway_that_was_not_reset_are_an_error(
    lab: Lab, columns: dict[str, Any], what: str
) -> None:
    row = {"run": "osd-1", "transactions": 900, "position": 7, "source": SHA}
    lab.rows["gateway_interval"] = [row | columns]
    lab.results = [result(transactions=1000)]
    if not what:
        assert lab.compared() == ([], [])
        return
    ([issue], _) = lab.compared()
    assert f"{DUMP}:7 {what}" in issue.what
    assert "reset the statistics of the gateway before each run" in issue.mend


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        ({"configuration": "osd", "workload": "RR1(1024B)"}, ""),
        ({"configuration": "baseline", "workload": "nightly"}, ""),  # its own names
        ({"configuration": "rocE"}, "says configuration rocE"),
        ({"workload": "RR10(1kB)"}, "says workload RR10(1kB)"),
    ],
)
def test_files_that_their_driver_says_are_of_another_run_are_an_error(
    lab: Lab, labels: dict[str, str], told: str
) -> None:
    lab.edit("cpu: {source", "  rocE: {label: RoCE}\ncpu: {source")
    (lab.folder / "smf").mkdir()
    (lab.folder / DUMP).write_text('{"note": "of the driver"}')
    lab.readings[DUMP] = reading(None, labels=labels)
    if told:
        declared = "runs.csv:2: the run is of RR1(1kB) on osd"
        assert lab.error() == f"{declared}, but {DUMP}:1 {told}"
    else:
        assert lab.compared() == ([], [])


def test_a_driver_that_names_another_session_is_an_error(lab: Lab) -> None:
    lab.lines = [line(session="1"), line("osd-2", 3, session="2", repetition=2)]
    lab.readings["osd-2.txt"] = reading()
    (lab.folder / "smf").mkdir()
    (lab.folder / DUMP).write_text('{"note": "of the driver"}')
    lab.readings[DUMP] = reading(None, labels={"session": "2"})
    declared = "runs.csv:2: the run is of RR1(1kB) on osd"
    assert lab.error() == f"{declared}, but {DUMP}:1 says session 2"
    lab.readings[DUMP] = reading(None, labels={"session": "of the lab"})
    assert lab.compared() == ([], [])


def test_a_restart_within_a_session_is_a_hint(lab: Lab) -> None:
    boots = ["2026-01-12T08:00:00Z", "2026-01-12T08:00:01Z", "2026-01-12T09:00:00Z"]
    lab.lines = []
    for number, boot in enumerate(boots, 2):
        file, run = f"stat-{number}", f"osd-{number}"
        cpu = parse_cpu(f"SYSA={file}")
        lab.lines.append(line(run, number, session="1", repetition=number, cpu=cpu))
        lab.readings |= {f"{run}.txt": reading(), file: reading(None, boot_utc=boot)}
        lab.digests[file] = f"{number}" * 64
        (lab.folder / file).write_text("cpu\nbtime 1\n")
    told = "runs.csv:2: the runs of session 1 have no restart between them"
    assert lab.hint() == (
        f"stat-4:2: {told}, but this file (run osd-4) tells of another start of SYSA"
    )
    lab.lines[2] = line("osd-4", 4, session="2", repetition=4, cpu=lab.lines[2].cpu)
    assert lab.compared() == ([], [])


def test_a_command_that_calls_another_server_is_a_hint(lab: Lab) -> None:
    (lab.folder / "smf").mkdir()
    (lab.folder / DUMP).write_text('{"client_cmd": "h=10.0.0.9"}')
    lab.edit("role: server,", "role: server, description: 'SYSA, 10.0.0.2',")
    lab.readings[DUMP] = reading(None, command="uperf h=10.0.0.9")
    assert "address 10.0.0.2, but this file calls 10.0.0.9" in lab.hint()
    lab.readings[DUMP] = reading(None, command="uperf h=10.0.0.2")
    assert lab.compared() == ([], [])


def _twice_measured(lab: Lab, digest: str, transactions: int) -> None:
    lab.lines = [line(), line("osd-2", 3, repetition=2)]
    lab.digests = {"osd-1.txt": "11", "osd-2.txt": digest}
    for name, count in (("osd-1.txt", 2_123_456), ("osd-2.txt", transactions)):
        cells = {"transactions": count, "seconds": 2.0013, "rate": count / 2.0013}
        lab.readings[name] = reading()
        lab.readings[name].results = [result(**cells)]


def test_one_log_of_two_runs_is_an_error_and_its_figures_again_are_a_hint(
    lab: Lab,
) -> None:
    first = "osd-1.txt is a file of run osd-1, but"
    _twice_measured(lab, "22", 2_123_457)
    assert lab.compared() == ([], [])
    _twice_measured(lab, "22", 2_123_456)
    again = "(line 3) has the same figures to the last digit"
    assert f"{first} this file {again}" in lab.hint()
    _twice_measured(lab, "11", 2_123_456)
    ([issue], _) = lab.compared()
    assert f"{first} {lab.folder}/osd-2.txt (line 3) has the same bytes" in issue.what


def test_a_capture_that_is_there_for_two_runs_is_a_hint(lab: Lab) -> None:
    _twice_measured(lab, "22", 2_123_457)
    lab.lines[1] = line("osd-2", 3, repetition=2, cpu=parse_cpu("copy.bin"))
    lab.digests |= {"copy.bin": SHA}
    for name in (DUMP, "copy.bin"):
        lab.readings[name] = reading(None)
        table = frame("cpu_interval", [interval("SYSA")])
        lab.readings[name].tables = {"cpu_interval": table}
    assert f"{DUMP} is a file of run osd-1, but this file (line 3) has" in lab.hint()
