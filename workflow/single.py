"""One build at a time in a folder, and no trace of one that was killed.

A build holds a file lock, which the system takes back however the build ends, and a
file that tells other machines which share the folder that it lives. Its
jobs hold a named pipe open, which shows when one of them has outlived its build.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import signal
import socket
import stat
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

from analysis.files.owner import Owner, is_open_elsewhere, leave, own
from analysis.progress import TOLD, at_terminal

STATE = Path(".snakemake")
JOBS = STATE / "jobs"
LOCK = STATE / "build.lock"  # its date is when the build that holds it began
WAIT = "wait until it ends, then run this again"
OWNER = STATE / "build.owner"
_held: IO[str] | None = None
_elsewhere: Owner | None = None  # who builds on another machine


def hold(patience: float = 0.0) -> bool:
    """Make this process the only build of the current folder, for its lifetime.

    Waits ``patience`` seconds for another build to end; False if it goes on. Once it
    is the only one, it waits for the last jobs of a killed build.
    """
    global _held
    if _held is None:
        STATE.mkdir(exist_ok=True)
        _held = _alone(_lock(LOCK, patience))
        if _held is not None:
            _wait_for_jobs()
    return _held is not None


def shell_prefix() -> str:
    """How the shell of every job starts: ours the first ``python``, the pipe open."""
    here = str(Path(sys.executable).parent)
    os.environ["PATH"] = os.pathsep.join([here, os.environ.get("PATH", "")])
    os.environ[TOLD] = "1" if at_terminal() else "0"
    return f"set -euo pipefail; exec 9<>{JOBS}; "


def only() -> None:
    """Let Snakemake, which asks before its first job, refuse to be a second build."""
    if _held is None:
        from snakemake.exceptions import WorkflowError

        raise WorkflowError(f"{busy()}\n  mend: {WAIT}")


def busy() -> str:
    """That another build holds the lock, and which process it is."""
    return f"another build is running in this folder ({holder()})"


def holder() -> str:
    """The process that builds, as it wrote it down, and its host if that is another."""
    if _elsewhere:
        return str(_elsewhere)
    words = ["unknown"]
    with suppress(OSError):
        words = LOCK.read_text(encoding="utf-8").split() or words
    host = "".join(words[1:2])
    away = f" on {host}" if host and host != socket.gethostname() else ""
    return f"process {words[0]}{away}"


def release() -> None:
    """Say at the end of a build that it ends; a killed one is found out."""
    if _held is not None:
        leave(OWNER)


def _alone(file: IO[str] | None) -> IO[str] | None:
    """The lock, unless a build of another machine lives that the lock does not know."""
    global _elsewhere
    if file is None:
        return None
    _elsewhere = own(OWNER, _lost)
    if _elsewhere:
        file.close()
        return None
    atexit.register(release)
    file.truncate(0)  # only now: its date is that of the build that lives
    file.write(f"{os.getpid()} {socket.gethostname()}\n")
    file.flush()
    return file


def _lost(to: Owner) -> None:
    """End this build: it stood still so long that another machine took its place."""
    print(f"error: {to} builds in this folder now", file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGINT)


def _lock(path: Path, patience: float) -> IO[str] | None:
    file = path.open("a+", encoding="utf-8")
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                file.close()
                return None
            time.sleep(0.1)
        else:
            break
    return file


def _wait_for_jobs() -> None:
    """Return when no job of an earlier build is left: nobody holds the pipe open."""
    if not (JOBS.exists() and stat.S_ISFIFO(JOBS.stat().st_mode)):
        JOBS.unlink(missing_ok=True)
        os.mkfifo(JOBS)
        return
    pipe = os.open(JOBS, os.O_RDONLY | os.O_NONBLOCK)
    try:
        while is_open_elsewhere(pipe):
            time.sleep(0.05)
    finally:
        os.close(pipe)
