"""A process that verbs are forked from, in trouble: each verb runs once, and well."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from analysis.fork_client import KILLED
from tests.workflow.test_fork_server import LOG, ROOT, SERVER, WAITS, client, serving

WELL = 0, True, ""
NO_FORK = """\
import os, errno
def fork():
    raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
os.fork = fork
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return Path(os.path.relpath(tmp_path / "verbs", ROOT))


def runs(place: Path) -> tuple[int | None, bool, str]:
    """How a verb ends, whether it says what it should, and what it complains of."""
    asked = client(place, "inspect", LOG)
    said, wrong = asked.communicate(timeout=60)
    return asked.returncode, "uperf" in said, wrong


def test_where_nothing_can_be_forked_verbs_run_where_they_are_asked_for(
    place: Path,
) -> None:
    with serving(place, code=NO_FORK):
        assert [runs(place), runs(place)] == [WELL, WELL]


def test_a_server_that_is_killed_before_it_hears_is_done_without(place: Path) -> None:
    with serving(place) as server:
        os.kill(server.pid, signal.SIGSTOP)  # it hears nobody, as while it imports
        asked = client(place, "inspect", LOG)
        while f"{place}" not in Path("/proc/net/unix").read_text():
            time.sleep(0.01)
        threading.Timer(1, server.kill).start()
        assert asked.communicate(timeout=60)[1] == ""
        assert asked.returncode == 0


def test_a_verb_outlives_the_server(place: Path) -> None:
    waits = WAITS.replace("sleep(60)", "sleep(1)\n    return 7")
    with serving(place, code=waits) as server:
        asked = client(place, "derive")
        asked.stdout.readline()
        server.kill()
        assert asked.wait(60) == 7


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n"])
def test_a_socket_of_somebody_else_is_done_without(place: Path, answer: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as foreign:
        foreign.bind(str(ROOT / place))
        foreign.listen()

        def hear() -> None:
            with foreign.accept()[0] as heard:
                heard.sendall(answer)

        threading.Thread(target=hear, daemon=True).start()
        assert runs(place) == WELL


def test_a_folder_in_the_place_of_the_socket_is_none(tmp_path: Path) -> None:
    (tmp_path / "verbs").mkdir()
    command = [sys.executable, "-c", SERVER, str(tmp_path / "verbs")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    assert done.stderr == b""


def test_a_verb_that_began_is_not_run_twice(place: Path) -> None:
    with serving(place, code=WAITS):
        asked = client(place, "inspect", LOG)
        os.kill(int(asked.stdout.readline()), signal.SIGKILL)
        assert asked.communicate(timeout=60)[0] == ""
        assert asked.returncode == KILLED
