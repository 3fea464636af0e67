"""Work in children of this process: some side by side, each with limits of its own."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import resource
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

MEMORY = 4 * 2**30  # of addresses, beside its parent's: it may ask for all there is
Name = TypeVar("Name")


@dataclass(frozen=True)
class Ended:
    """How a trial ended: pytest's exit code, what the child wrote, or out of time."""

    code: int
    seconds: float
    said: dict[str, Any]
    timeout: bool = False


@dataclass
class Running:
    """A child at work."""

    pid: int
    folder: Path
    until: float
    begun: float = field(default_factory=time.monotonic)

    def kill(self) -> None:
        """End the child and all that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)

    def ended(self) -> Ended | None:
        """The end, if it has come; a child that is out of time is ended here."""
        late = time.monotonic() > self.until
        if late:
            self.kill()
        pid, status = os.waitpid(self.pid, 0 if late else os.WNOHANG)
        if pid == 0:
            return None
        self.kill()  # what the child left behind
        try:
            said = json.loads((self.folder / "said.json").read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            said = {}
        shutil.rmtree(self.folder, ignore_errors=True)
        code = os.waitstatus_to_exitcode(status)
        over = late or code in (-signal.SIGXCPU, -signal.SIGKILL)
        return Ended(code, time.monotonic() - self.begun, said, over)


def start(work: Callable[[], tuple[int, dict]], seconds: float) -> Running:
    """Run something in a child: what it returns is its exit code and what it says.

    ``seconds`` is of computing: how busy the machine is does not count.
    """
    folder = Path(tempfile.mkdtemp(prefix="child-"))
    pid = os.fork()
    if pid:
        with contextlib.suppress(OSError):  # both may be first
            os.setpgid(pid, pid)
        return Running(pid, folder, time.monotonic() + 60 + 20 * seconds)
    code = 3
    try:
        _alone(folder, seconds)
        code, said = work()
        (folder / "said.json").write_text(json.dumps(said), encoding="utf-8")
    finally:
        os._exit(code)


def _addresses() -> int:
    """Bytes of addresses that a child has from its parent, however long that worked."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    except OSError:  # no Linux
        return 0
    return pages * resource.getpagesize()


def _alone(folder: Path, seconds: float) -> None:
    """The child has its own group, files and limits, and says nothing aloud."""
    os.setpgid(0, 0)
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None
    quiet = os.open(folder / "output.txt", os.O_CREAT | os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    resource.setrlimit(resource.RLIMIT_CPU, (round(seconds) + 1, round(seconds) + 3))
    most = _addresses() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def side_by_side(
    work: Iterable[tuple[Name, Callable[[], Running]]], most: int
) -> Iterator[tuple[Name, Ended]]:
    """Run children, some at a time; yields each by its name when it ends.

    Names must differ.
    """
    waiting = iter(work)
    running: dict[Name, Running] = {}
    try:
        while True:
            for name, begin in itertools.islice(waiting, most - len(running)):
                running[name] = begin()
            if not running:
                return
            ends = {name: child.ended() for name, child in running.items()}
            for name, end in ends.items():
                if end:
                    del running[name]
                    yield name, end
            if not any(ends.values()):
                time.sleep(0.02)
    finally:  # a child ends with its parent
        for child in running.values():
            child.kill()
