"""Commands on a host over ssh, each answered in time and in full."""

from __future__ import annotations

import os
import secrets
import select
import shlex
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from analysis.errors import user_error
from analysis.files import limits
from analysis.publish.destination import LOCK
from analysis.publish.refusal import nonsense, refusal, silence

REACH_SECONDS = 20  # to reach the host, and to wait for a byte from it
_OPTIONS = (
    "-o", "BatchMode=yes", "-o", f"ConnectTimeout={REACH_SECONDS}",
    "-o", f"ServerAliveInterval={REACH_SECONDS}", "-o", "ServerAliveCountMax=3",
)  # fmt: skip
_START = 'cd "$1" 2>/dev/null || exit 76; token=$2; shift 2; umask 022; '
_OWN = f'read -r held 2>/dev/null <{LOCK} && [ "$held" = "$token" ] || exit 78; '
_BEGIN, _END = b"publish-begin\n", b"publish-end\n"
# A sign of life is one character. The host frees the lock where none comes, as the
# connection of a machine that lost its power stays open for hours.
_LOCK = (
    '[ -d "$(dirname "$1")" ] || exit 76; umask 022; mkdir -p "$1" && cd "$1" && '
    'exec 9>>"$2" && { flock -w "$3" 9 || exit 75; } && echo "$5" >"$2" && '
    'echo locked && while [ "$(timeout "$4" head -c 1)" ]; do :; done'
)


@dataclass
class Connection:
    """``host:folder``; ``ssh`` is the program with the user's options.

    While the lock is held, ``control`` is a folder with the socket by which all
    commands share the connection of the lock, as each of their own would take a
    handshake, and ``token`` is what the lock file says until another one has it.
    """

    host: str
    folder: str
    ssh: tuple[str, ...]
    control: str = field(default="", init=False)
    token: str = field(default="", init=False)

    @property
    def name(self) -> str:
        """Host and folder."""
        return f"{self.host}:{self.folder}"

    def command(self) -> list[str]:
        """ssh with its options."""
        shared = ["-S", f"{self.control}/socket"] if self.control else []
        return [*self.ssh, *_OPTIONS, *shared]

    def run(self, script: str, *arguments: str, sent: bytes = b"") -> bytes:
        """What a script prints that runs in the folder.

        Once locked, nothing runs if someone else has taken the lock since.
        """
        own = _OWN if self.token else ""
        framed = f"echo publish-begin && {{ {script}; }} && echo publish-end"
        remote = _remote(_START + own + framed, self.folder, self.token, *arguments)
        found = self.call(
            [*self.command(), self.host, remote],
            next(iter(arguments), ""),
            "HOST_SECONDS",
            sent,
        )
        if not (found.startswith(_BEGIN) and found.endswith(_END)):
            raise nonsense(found, self.name)
        return found[len(_BEGIN) : -len(_END)]

    def call(
        self, command: Sequence[str], path: str, limit: str, sent: bytes = b""
    ) -> bytes:
        """What a program of this machine prints; ``limit`` names its time limit."""
        seconds = getattr(limits, limit)
        with _started(command) as process:
            try:
                answer, errors = process.communicate(sent, seconds)
            except subprocess.TimeoutExpired:
                raise silence(seconds, limit, self.name) from None
        if process.returncode:
            raise refusal(process.returncode, errors, self.name, path, 0)
        return answer

    @contextmanager
    def lock(self, wait: float) -> Iterator[None]:
        """Hold a lock file there for as long as this process shows signs of life."""
        with tempfile.TemporaryDirectory(
            prefix="publish-", ignore_cleanup_errors=True
        ) as self.control:
            token = secrets.token_hex(8)
            life = f"{limits.LOCK_SECONDS:g}"
            remote = _remote(_LOCK, self.folder, LOCK, f"{wait:g}", life, token)
            command = [*self.command(), "-M", self.host, remote]
            try:
                with _started(command) as process:
                    self._wait(process, wait)
                    self.token = token
                    with _beating(process):
                        yield
                    _end(process)
            finally:
                self.control = self.token = ""

    def _wait(self, process: subprocess.Popen[bytes], wait: float) -> None:
        """Return once the host says that it is locked."""
        seconds = wait + limits.HOST_SECONDS
        told = process.stdout.fileno() if process.stdout else -1
        if not select.select([told], [], [], seconds)[0]:
            raise silence(seconds, "HOST_SECONDS", self.name)
        answer = os.read(told, 80)
        if answer == b"locked\n":
            return
        _, errors = process.communicate() if not answer else (b"", b"")
        if answer or not process.returncode:
            raise nonsense(answer, self.name)
        raise refusal(process.returncode, errors, self.name, "", wait)


def _remote(script: str, *arguments: str) -> str:
    return shlex.join(["sh", "-c", f"export LC_ALL=C; {script}", "sh", *arguments])


@contextmanager
def _started(command: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A program, which ends with the block, and what it has started with it."""
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        absent = isinstance(error, FileNotFoundError)
        why = "is not installed here" if absent else f"does not start: {error.strerror}"
        mend = f"install {command[0]}, or mount the share"
        raise user_error(f"{command[0]} {why}", mend=mend) from None
    with process:
        try:
            yield process
        finally:
            _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Let a program end by itself, which frees the lock before the next command."""
    if process.stdin:
        process.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(REACH_SECONDS)


@contextmanager
def _beating(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Send signs of life until the block ends."""
    over = threading.Event()
    thread = threading.Thread(target=_beat, args=(process, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _beat(process: subprocess.Popen[bytes], over: threading.Event) -> None:
    while process.stdin and not over.wait(limits.LOCK_BEAT_SECONDS):
        try:
            process.stdin.write(b".")
            process.stdin.flush()
        except (OSError, ValueError):
            return
