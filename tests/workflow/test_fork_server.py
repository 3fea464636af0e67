"""Verbs that are forked from a process which has imported them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from analysis.fork_client import ADDRESS, KILLED
from tests.programs.test_child import ends

LOG = "raw/linux-veth/A/RR40(100B)/rep01/client.txt"
ROOT = Path(__file__).resolve().parents[2]
SERVER = "from workflow.fork_server import main; import sys; main(sys.argv[1:])"
WAITS = """\
import analysis.cli, os, time
def main():
    print(os.getpid(), flush=True)
    time.sleep(60)
analysis.cli.main = main
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where a server listens: relative paths keep it short enough for a socket."""
    return Path(os.path.relpath(tmp_path / "verbs", ROOT))


@contextmanager
def serving(place: Path, *modules: str, code: str = "") -> Iterator[subprocess.Popen]:
    """A server at ``place``; it ends with the block."""
    command = [sys.executable, "-c", code + SERVER, str(place), *modules]
    server = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE)
    while not (ROOT / place).exists():
        time.sleep(0.01)
    try:
        yield server
    finally:
        server.communicate(timeout=60)


def client(place: Path, *words: str, **more: str) -> subprocess.Popen[str]:
    """A verb's process, which asks the server at ``place``."""
    return subprocess.Popen(
        [sys.executable, "-m", "analysis", *words],
        cwd=ROOT,
        env={**os.environ, ADDRESS: str(place), **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_verb_says_the_same_wherever_it_runs(place: Path, tmp_path: Path) -> None:
    (tmp_path / "odd name é.txt").write_text("nothing that is known\n")
    calls = [["inspect", str(tmp_path / "odd name é.txt")], ["inspect"], ["no-verb"]]
    calls += [["inspect", LOG], ["--version"]]
    here = [client(Path("nowhere"), *call) for call in calls]
    with serving(place, "analysis.ingest.inspect_file", "no.such.module"):
        there = [client(place, *call) for call in calls]
        for one, other in zip(here, there, strict=True):
            assert other.communicate() == one.communicate()
            assert other.returncode == one.returncode
    assert [one.returncode for one in there] == [2, 2, 2, 0, 0]
    assert not (ROOT / place).exists()


def test_what_the_caller_has_in_its_environment_counts(place: Path) -> None:
    with serving(place):
        asked = client(place, "--help", NETPERF_REPORT_CALLED="netperf-report")
        assert asked.communicate()[0].startswith("usage: netperf-report VERB")


def test_the_server_imports_and_starts_no_pool_of_threads(place: Path) -> None:
    """Threads are lost in a fork, and with them what they hold."""
    modules = ["analysis.ingest.verb", "analysis.ingest.tables.load"]
    modules += ["analysis.derive.verb", "scipy.stats", "analysis.catalogue.verb"]
    modules += ["analysis.figures.verb", "analysis.report.verb"]
    with serving(place, ",".join(modules)) as server:
        client(place, "--version").communicate()
        maps = Path(f"/proc/{server.pid}/maps")
        if not maps.exists():
            pytest.skip("needs /proc")
        until = time.monotonic() + 60
        while "/pandas/" not in maps.read_text():  # of the last but one of the modules
            assert time.monotonic() < until
            time.sleep(0.1)
        tasks = Path(f"/proc/{server.pid}/task").glob("*/comm")
        names = {path.read_text().strip() for path in tasks}
    assert not [name for name in names if re.match(r"polars-\d|tokio|duckdb", name)]


def test_the_server_is_one_verb_ahead(place: Path) -> None:
    """Steps that are kept ask for no verb, and what they need is not imported."""
    with serving(place, "analysis.errors", "polars", "pandas") as server:
        client(place, "--version").communicate()
        maps = Path(f"/proc/{server.pid}/maps")
        until = time.monotonic() + 60
        while "polars" not in maps.read_text():
            assert time.monotonic() < until
            time.sleep(0.1)
        time.sleep(1)
        assert "/pandas/" not in maps.read_text()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_verb_ends_with_its_client(place: Path, number: signal.Signals) -> None:
    with serving(place, code=WAITS):
        asked = client(place, "derive")
        verb = int(asked.stdout.readline())
        asked.send_signal(number)
        asked.communicate()
        assert ends(verb)


def test_a_verb_that_is_killed_is_told(place: Path) -> None:
    with serving(place, code=WAITS):
        asked = client(place, "derive")
        os.kill(int(asked.stdout.readline()), signal.SIGKILL)
        assert "error: 'derive' was killed" in asked.communicate()[1]
        assert asked.returncode == KILLED


def test_an_interrupt_is_the_verbs(place: Path) -> None:
    """A terminal interrupts both; the client waits for what the verb says of it."""
    with serving(place, code=WAITS):
        asked = client(place, "derive")
        verb = int(asked.stdout.readline())
        asked.send_signal(signal.SIGINT)
        os.kill(verb, signal.SIGINT)
        assert asked.communicate()[1] == ""
        assert asked.returncode == 130


def test_the_server_waits_for_verbs_when_who_started_it_is_gone(place: Path) -> None:
    waits = WAITS.replace("sleep(60)", "sleep(1)\n    return 7")
    with serving(place, code=waits) as server:
        asked = client(place, "derive")
        asked.stdout.readline()
        server.stdin.close()
        server.stdin = None
        assert asked.wait() == 7
        assert server.wait(60) == 0


def test_nobody_else_may_ask(place: Path) -> None:
    with serving(place):
        assert (ROOT / place).stat().st_mode & 0o077 == 0


def test_a_verb_has_the_umask_of_the_build(place: Path) -> None:
    code = WAITS.replace("time.sleep(60)", "return os.umask(0)")
    with serving(place, code=f"import os\nos.umask(0o027)\n{code}"):
        asked = client(place, "derive")
        asked.communicate()
        assert asked.returncode == 0o027


def test_where_no_socket_can_be_nobody_listens(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SERVER, str(tmp_path / "no" / "folder")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    assert done.stderr == b""
