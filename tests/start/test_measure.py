"""The script that measures leaves runs that a campaign is made of."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from analysis.cli import main
from analysis.declared.campaign import read_campaign
from analysis.ingest.campaign.runs import read_rows
from tests.conftest import ROOT

LOG = ROOT / "tests/golden/sockperf/pp-udp.txt"


def measure(folder: Path, *words: str, **settings: str) -> subprocess.CompletedProcess:
    """Run it with tools and hosts that are stand-ins on its path."""
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    for name, text in (
        ("ssh", 'shift; exec "$@"'),
        ("sockperf", f'[ "$1" = server ] || {{ cat {LOG}; exit $FAIL; }}\n'
         "echo $$ >> servers; exec sleep 30"),
        ("mpstat", "exit 1"), ("pkill", ""), ("apply", 'echo "$1" >> set.txt'),
    ):  # fmt: skip
        (programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (programs / name).chmod(0o755)
    given = {
        "TOOL": "sockperf", "SETTINGS": "before after", "ROUNDS": "2", "FAIL": "0",
        "SET": "apply", "PATH": f"{programs}:{os.environ['PATH']}",
    }  # fmt: skip
    command = ["sh", ROOT / "templates/project/measure.sh", *words]
    return subprocess.run(
        command, cwd=folder, env=given | settings, capture_output=True, text=True
    )


@pytest.mark.skipif(not Path("/proc/stat").exists(), reason="needs Linux")
def test_runs_in_rounds_become_a_campaign_with_cpu_time(tmp_path: Path) -> None:
    done = measure(tmp_path, "lab", "3")
    assert done.returncode == 0, done.stderr
    order = (tmp_path / "set.txt").read_text().split()
    assert {*order[:2]} == {*order[2:]} == {"before", "after"}  # whole rounds
    assert main(["campaign", "init", str(tmp_path / "lab")]) == 0
    rows, issues = read_rows(tmp_path / "lab/runs.csv")
    assert not issues
    assert {(r["configuration"], r["session"]) for r in rows} == {
        ("before", "session3"), ("after", "session3"),
    }  # fmt: skip
    assert len(rows) == 4 and all(len(row["cpu"]) >= 4 for row in rows)
    assert read_campaign(tmp_path / "lab").cpu.source == "procstat"


def test_a_run_that_fails_is_kept_with_its_exit_code(tmp_path: Path) -> None:
    done = measure(tmp_path, "lab", ROUNDS="1", SETTINGS="before", FAIL="7")
    assert done.returncode == 0 and "exit code 7" in done.stdout
    meta = json.loads((tmp_path / "lab/before/rr/session1-rep01/meta.json").read_text())
    assert meta["rc"] == 7


@pytest.mark.parametrize(
    ("words", "settings", "said"),
    [
        (["lab; rm"], {}, "lab; rm: use letters"),
        (["lab"], {"TOOL": "nothing"}, "rr of nothing is not known here"),
    ],
)
def test_what_it_cannot_measure_is_told(tmp_path, words, settings, said) -> None:
    done = measure(tmp_path, *words, **settings)
    assert done.returncode == 2 and said in done.stderr


def test_no_server_is_left_to_hold_the_port_of_the_next_run(tmp_path: Path) -> None:
    measure(tmp_path, "lab", SETTINGS="before")
    servers = (tmp_path / "servers").read_text().split()
    assert len(servers) == 2
    assert not [number for number in servers if Path(f"/proc/{number}").exists()]


def test_no_run_is_overwritten(tmp_path: Path) -> None:
    measure(tmp_path, "lab", ROUNDS="1", SETTINGS="before")
    again = measure(tmp_path, "lab", ROUNDS="1", SETTINGS="before")
    assert again.returncode == 2 and "choose another session" in again.stderr
