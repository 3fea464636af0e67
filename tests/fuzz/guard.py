"""What must not happen while an input is read, whatever is in it."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType

from analysis.programs import guard

SECONDS = 10.0  # of computing, for one input
_RUNS = (
    "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty",
    "subprocess.Popen", "socket.connect", "pickle.find_class", "ctypes.dlopen",
)  # fmt: skip
_HARMS = (
    "os.remove", "os.rename", "os.rmdir", "os.link", "os.symlink", "os.chmod",
    "shutil.rmtree",
)  # fmt: skip
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_findings: list[FoundError] = []  # of the input under trial
_watched: list[Path] = []  # the folder of the input under trial; none between trials
_programs: list[Sequence[str]] = []  # that may be run; no word is the input's


class FoundError(AssertionError):
    """An input did what no input may do."""


class TooLong(BaseException):
    """Not an ``Exception``, so that nobody takes it for a mistake in the input."""


def _found(what: str) -> FoundError:
    """A finding, kept as well: who reads the input may take it for a mistake in it."""
    _findings.append(FoundError(what))
    return _findings[-1]


def _watch(event: str, args: tuple) -> None:
    if not _watched:
        return
    if event in _RUNS and not _is_known(event, args):
        raise _found(f"something was run: {event} {args!r:.200}")
    path = args[0] if args else None
    writes = event in _HARMS or (event == "open" and args[2] & _WRITES)
    if writes and isinstance(path, str | bytes | os.PathLike):
        whole = Path(os.fsdecode(path)).absolute()
        # A folder is opened so for a file without a name, which goes by itself.
        nameless = event == "open" and whole.is_dir()
        inside = whole.is_relative_to(_watched[0]) or whole == Path(os.devnull)
        if not inside and not nameless:
            raise _found(f"something was written: {event} {whole}")


def _is_known(event: str, args: tuple) -> bool:
    """Whether a child is started that may be, as the program starts all of its own."""
    if event != "subprocess.Popen":
        return False
    program, command, folder, environment = args
    own = [sys.executable, "-ISE", guard.__file__]
    return (
        program == sys.executable
        and command[:3] == own
        and all(number.isdecimal() for number in command[3:5])
        and command[5:] in _programs
        and Path(folder) == Path.cwd()
        and environment is None
    )


def _late(_: int, __: FrameType | None) -> None:
    raise TooLong


@contextlib.contextmanager
def guarded(folder: Path, *programs: Sequence[str]) -> Iterator[None]:
    """Nothing is run, written outside the folder, or computed for long.

    Except ``programs``: whole commands, which get what they read through a pipe.

    Raises:
        FoundError: Something was.
    """
    if _watch not in _installed:
        sys.addaudithook(_watch)
        _installed.append(_watch)
    before = signal.signal(signal.SIGPROF, _late)
    bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    tempfile.gettempdir()  # it looks for one once, by writing
    _findings.clear()
    _programs[:] = programs
    _watched.append(folder)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    except TooLong:
        raise FoundError(f"not read within {SECONDS:g} seconds of computing") from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        _watched.clear()
        sys.dont_write_bytecode = bytecode
        signal.signal(signal.SIGPROF, before)
    if _findings:
        raise _findings[0]


_installed: list[object] = []


def scratch() -> Path:
    """A new folder for inputs, in memory where there is such a place."""
    shm = Path("/dev/shm")  # noqa: S108 - only where it is there
    memory = shm if os.access(shm, os.W_OK) else None
    return Path(tempfile.mkdtemp(prefix="fuzz-", dir=memory))
