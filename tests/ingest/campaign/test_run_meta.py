"""meta.json of a run: its window, its CPU seconds, and files that are damaged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.ingest.campaign import run_meta
from tests.fresh import write_fresh

GOLDEN = Path(__file__).parents[2] / "golden" / "run_meta"


def read(tmp_path: Path, data: bytes):
    path = tmp_path / "meta.json"
    write_fresh(path, data)
    return run_meta.read(path)


def changed(**entries) -> bytes:
    whole = json.loads((GOLDEN / "rr.json").read_bytes()) | entries
    kept = {name: value for name, value in whole.items() if value is not None}
    return json.dumps(kept).encode()


def test_both_sides_of_a_real_file_have_their_cpu_time():
    reading = run_meta.read(GOLDEN / "rr.json")
    rows = reading.tables["run_cpu"].to_dicts()
    assert reading.status == "ok"
    assert [(r["role"], r["cpu_seconds"], r["position"]) for r in rows] == [
        ("client", 2.0249, 12),
        ("server", 1.9621, 13),
    ]
    assert {(r["method"], r["coverage"], r["cpu_type"]) for r in rows} == {
        ("cgroup", 1.0, "CP")
    }
    assert reading.details == {"name": "A/RR10(100B)/rep01"}
    assert reading.circumstances.known() == {
        "start_utc": "2026-11-21T04:26:29.982797Z",
        "end_utc": "2026-11-21T04:26:34.213434Z",
        "idle_before": 1.0,
        "tick_coverage": 1.002,
        "role_cpus": {"client": 2, "server": 2},
        "command": "h=10.99.0.2 nthr=10 dur=2s req=100 rsp=100 timeout 20 uperf -m "
        "profiles/rr.xml -a -i 1 -R",
        "labels": {"configuration": "A", "workload": "RR10(100B)"},
    }


def test_a_client_that_failed_leaves_its_file_sound():
    reading = run_meta.read(GOLDEN / "reset.json")
    assert (reading.status, reading.circumstances.exit_status) == ("ok", 1)
    assert "exit status 1" in reading.problems[0].message


@pytest.mark.parametrize(
    ("entries", "status", "rows"),
    [
        ({"cpuacct_server_s": None}, "degraded", 1),
        ({"cpuacct_server_s": -1.0}, "degraded", 1),
        ({"cpuacct_server_s": 0.0}, "degraded", 1),  # no process was in the group
        ({"cpuacct_server_s": 0.0, "cpuacct_client_s": 0.0}, "degraded", 0),
        ({"cpuacct_client_s": "2.0"}, "degraded", 1),
        ({"cpuacct_client_s": True}, "degraded", 1),
        ({"t_end": None}, "degraded", 2),
        ({"t_end": 1.0}, "degraded", 2),
        ({"t_start": 1e40, "t_end": 1e41}, "degraded", 2),
    ],
)
def test_entries_that_are_missing_or_wrong(tmp_path, entries, status, rows):
    reading = read(tmp_path, changed(**entries))
    assert (reading.status, reading.tables["run_cpu"].height) == (status, rows)
    assert reading.reason


def test_times_alone_are_sound_where_other_files_tell_cpu_time(tmp_path):
    document = json.loads(changed())
    times = {k: v for k, v in document.items() if not k.startswith("cpuacct_")}
    reading = read(tmp_path, json.dumps(times))
    assert (reading.status, reading.tables["run_cpu"].height) == ("ok", 0)
    assert reading.circumstances.window


def test_list_instead_of_an_object(tmp_path):
    assert read(tmp_path, b'["t_start", "client_cmd"]').status == "failed"


@given(st.integers(0, 2000))
def test_cut_anywhere_is_truncated(tmp_path, at):
    data = (GOLDEN / "rr.json").read_bytes().rstrip()
    reading = read(tmp_path, data[: at % len(data)])
    assert (reading.status, reading.tables["run_cpu"].height) == ("truncated", 0)


@given(st.integers(0, 2000), st.integers(0, 255))
def test_a_flipped_byte_never_crashes(tmp_path, at, byte):
    data = bytearray((GOLDEN / "rr.json").read_bytes())
    data[at % len(data)] = byte
    assert read(tmp_path, bytes(data)).format == "run_meta"


@pytest.mark.parametrize(
    ("entries", "told", "roles"),
    [
        ({"cpuacct_client_s": 0.2}, "cpuacct_client_s is 0.2, but 2.0249", ["server"]),
        ({"cpuacct_server_percpu_s": [0.1, 0.2]}, "_server_s is 1.9621, but 0.3",
         ["client"]),
        ({"elapsed_s": 42.3}, "elapsed_s is 42.3, but 4.23064 by t_start and t_end",
         ["client", "server"]),
        ({"procstat_coverage": 0.2}, "but 1.002", ["client", "server"]),
        ({"client_cmd": "h=srv dur=20s"}, "called for 20 s, but the run took 4.231",
         ["client", "server"]),
    ],
)  # fmt: skip
def test_entries_that_others_deny_are_told(tmp_path, entries, told, roles):
    reading = read(tmp_path, changed(**entries))
    assert (reading.status, told in reading.reason) == ("degraded", True)
    assert [r["role"] for r in reading.tables["run_cpu"].to_dicts()] == roles
    assert reading.problems[0].line is not None
