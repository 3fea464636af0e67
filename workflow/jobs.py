"""What the rules have in common: their shell, and one build at a time in a folder.

A build holds a file lock, which the system takes back however the build ends. So who
holds it knows that a lock of Snakemake's own is of a build that was killed. Jobs hold a
named pipe open, which shows when one of them has outlived its build.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import stat
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from analysis.errors import user_error
from analysis.progress import TOLD, at_terminal

STATE = Path(".snakemake")
JOBS, LOCK = STATE / "jobs", STATE / "build.lock"
SNAKEFILE = str(Path(__file__).with_name("Snakefile"))
CACHE = "data/build/cache"
ENVIRONMENT = str(Path("environment.yml").absolute())  # of jobs that conda runs
_PATIENCE = 2.0  # seconds that a build waits for another one to end


def any_of(names: Iterable[str]) -> str:
    """The pattern of a wildcard that stands for one of these names."""
    return "|".join(map(re.escape, names)) or "none"


def logged(command: str) -> str:
    """The shell of a module; what it prints is in the rule's log, too."""
    command = re.sub(r"--cache$", f"--cache {CACHE}", command)
    return f"python -m {command} 2>&1 | tee {{log:q}} >&2"


def shell_prefix() -> str:
    """How the shell of each job starts: ours the first ``python``, the pipe open."""
    here = str(Path(sys.executable).parent)
    os.environ["PATH"] = os.pathsep.join([here, os.environ.get("PATH", "")])
    os.environ[TOLD] = "1" if at_terminal() else "0"
    return f"set -euo pipefail; [ ! -p {JOBS} ] || exec 9<>{JOBS}; "


def only_build() -> IO[str]:
    """Make this process the only build of the current folder while the file is open.

    What a killed build left is cleared: it waits for its last job, and removes the
    locks of its Snakemake. A :class:`UserError` names the build that runs.
    """
    STATE.mkdir(exist_ok=True)
    file = LOCK.open("a+", encoding="utf-8")
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if time.monotonic() < deadline:
                time.sleep(0.1)
                continue
            holder = LOCK.read_text("utf-8").strip() or "of another machine"
            file.close()
            what = f"another build is running in this folder (process {holder})"
            mend = "wait until it ends, then run this again"
            raise user_error(what, mend=mend) from None
    file.truncate(0)
    file.write(f"{os.getpid()}\n")
    file.flush()
    _wait_for_jobs()
    shutil.rmtree(STATE / "locks", ignore_errors=True)
    return file


def _wait_for_jobs() -> None:
    """Return when no job of an earlier build is left: nobody holds the pipe open."""
    if not (JOBS.exists() and stat.S_ISFIFO(JOBS.stat().st_mode)):
        JOBS.unlink(missing_ok=True)
        os.mkfifo(JOBS)
        return
    pipe = os.open(JOBS, os.O_RDONLY | os.O_NONBLOCK)
    try:
        while _is_written(pipe):
            time.sleep(0.05)
    finally:
        os.close(pipe)


def _is_written(pipe: int) -> bool:
    try:
        return os.read(pipe, 1) != b""
    except BlockingIOError:
        return True
