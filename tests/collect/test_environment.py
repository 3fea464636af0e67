"""The settings of a host, as the script tells them and as they come by ssh."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from analysis.cli import main
from analysis.declared.snapshots import read_snapshot
from tests.conftest import ROOT

SCRIPT = ROOT / "analysis/collect/environment.sh"
DECLARED = """servers: {client: {kind: ssh, address: lab1}}
files: [{from: client, environment: true, to: environment/client.txt}]
"""


def test_the_script_tells_kernel_processor_and_network(tmp_path: Path) -> None:
    done = subprocess.run(["sh", SCRIPT], capture_output=True, text=True, check=True)
    (tmp_path / "a.txt").write_text(done.stdout)
    values = read_snapshot(tmp_path / "a.txt")
    assert {"Kernel", "Machine", "CPUs online"} <= values.keys()
    assert values["Kernel"].endswith(os.uname().release)
    names = {"net.core.rmem_max", "net.ipv4.tcp_congestion_control"}
    readable = {n for n in names if Path("/proc/sys", n.replace(".", "/")).exists()}
    assert readable <= values.keys()


def test_a_host_is_asked_by_ssh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    # As sshd does: the last word is a command of the shell there.
    (programs / "ssh").write_text(
        '#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n'
    )
    (programs / "ssh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    folder = tmp_path / "raw/lab"
    folder.mkdir(parents=True)
    (folder / "collect.yaml").write_text(DECLARED)
    assert main(["collect", str(folder)]) == 0
    assert "environment/client.txt: " in capsys.readouterr().out
    assert "Kernel" in read_snapshot(folder / "environment/client.txt")
    assert "environment/client.txt" in (folder / "SHA256SUMS").read_text()
