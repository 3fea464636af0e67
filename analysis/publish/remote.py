"""A destination that is a folder of a host over ssh; files go there with rsync.

The host needs a POSIX shell, rsync, flock, and coreutils of GNU.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import secrets
import select
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast, get_args

from analysis.errors import user_error
from analysis.files import limits
from analysis.publish.destination import LOCK, NO_FILE, Kind, draft
from analysis.publish.refusal import (
    NoFolderError,
    NoLinksError,
    nonsense,
    refusal,
    silence,
)

_KIND = (
    'if [ -L "$1" ]; then echo link; elif [ -d "$1" ]; then echo folder; '
    'elif [ -e "$1" ]; then echo file; else echo nothing; fi'
)
_NAMES = (
    'if [ -d "$1" ] && [ ! -L "$1" ]; then for n in "$1"/* "$1"/.[!.]* "$1"/..?*; do '
    'if [ -e "$n" ] || [ -L "$n" ]; then printf "%s\\0" "${n##*/}"; fi; done; fi'
)
_READ = (
    'while IFS= read -r n; do if [ -f "$n" ] && [ ! -L "$n" ]; then '
    'head -c "$1" "$n" | base64 -w0 && echo; else echo -; fi; done'
)
_STAGE = 'mkdir -p "$(dirname "$1")" && cat >"$1" && chmod 644 "$1"'
_LINK = 'rm -f "$1" && { ln -s "$2" "$1" || exit 77; }'
_SWITCH = 'while [ $# -gt 0 ]; do mv -T "$1" "$2" || exit 1; shift 2; done'
# find ends with 1 where a file cannot be read, and is then not on the list.
_HASHES = (
    "sha256sum --version >/dev/null || exit 127; "
    'if [ -d "$1" ]; then cd "$1"; find . -type f -exec sha256sum -z {} + ; '
    'find . ! -type f ! -type d -exec printf "no file  %s\\0" {} + ; fi; true'
)
_HASHED = re.compile(rf"([0-9a-f]{{64}}|{NO_FILE})  \./(.+)", re.DOTALL)
REACH_SECONDS = 20  # to reach the host, and to wait for a byte from it
_OPTIONS = (
    "-o", "BatchMode=yes", "-o", f"ConnectTimeout={REACH_SECONDS}",
    "-o", f"ServerAliveInterval={REACH_SECONDS}", "-o", "ServerAliveCountMax=3",
)  # fmt: skip
_START = 'cd "$1" 2>/dev/null || exit 76; token=$2; shift 2; umask 022; '
_OWN = f'read -r held 2>/dev/null <{LOCK} && [ "$held" = "$token" ] || exit 78; '
_BEGIN, _END = b"publish-begin\n", b"publish-end\n"
# The lock is free when the connection ends, and after a time in any case: that of a
# machine that lost its power may stay open for hours.
_LOCK = (
    '[ -d "$(dirname "$1")" ] || exit 76; umask 022; mkdir -p "$1" && cd "$1" && '
    'exec 9>>"$2" && { flock -w "$3" 9 || exit 75; } && echo "$5" >"$2" && '
    'echo locked && exec timeout "$4" cat >/dev/null'
)


class RemoteDestination:
    """``host:folder``; ``ssh`` is the program with the user's options."""

    def __init__(self, host: str, folder: str, ssh: tuple[str, ...] = ("ssh",)) -> None:
        self.connection = Connection(host, folder, ssh)

    @property
    def name(self) -> str:
        """Host and folder."""
        return self.connection.name

    def lock(self, wait: float) -> AbstractContextManager[None]:
        """Hold a lock file there, at most for ``LOCK_SECONDS``."""
        return self.connection.lock(wait)

    def kind(self, path: str) -> Kind:
        """What stands there; a link is not followed."""
        found = self._run(_KIND, path)
        if found.decode(errors="replace").strip() not in get_args(Kind):
            raise nonsense(found, self.name)
        return cast(Kind, found.decode().strip())

    def names(self, path: str) -> list[str]:
        """Sorted names in a folder; none where there is no folder."""
        try:
            return sorted(_items(self._run(_NAMES, path)))
        except NoFolderError:
            return []

    def read(self, paths: Sequence[str]) -> dict[str, bytes]:
        """The bytes of those that are files, links apart."""
        most = str(limits.DOCUMENT_BYTES + 1)
        sent = "".join(f"{path}\n" for path in paths).encode()
        lines = self._run(_READ, most, sent=sent).splitlines()
        try:
            pairs = zip(paths, lines, strict=True)
            return {
                path: base64.b64decode(line, validate=True)
                for path, line in pairs
                if line != b"-"
            }
        except (ValueError, binascii.Error):
            raise nonsense(b"\n".join(lines), self.name) from None

    def target(self, path: str) -> str | None:
        """Where a symbolic link leads; None where there is none."""
        found = self._run('[ ! -L "$1" ] || readlink "$1"', path)
        return os.fsdecode(found).strip() or None

    def stage(self, path: str, content: bytes) -> None:
        """Write a file beside its place."""
        self._run(_STAGE, draft(path), sent=content)

    def stage_link(self, path: str, target: str) -> bool:
        """Make a symbolic link beside its place; False where there are none."""
        try:
            self._run(_LINK, draft(path), target)
        except NoLinksError:
            return False
        return True

    def switch(self, paths: Sequence[str]) -> None:
        """Put what was staged in place, one after the other, each in one step."""
        pairs = (name for path in paths for name in (draft(path), path))
        self._run(_SWITCH, *pairs)

    def upload(self, files: Mapping[str, Path], path: str) -> None:
        """Copy files into the new folder ``path``, readable by a web server."""
        self._run('mkdir -p "$1"', path)
        with tempfile.TemporaryDirectory() as name:
            for file, source in files.items():
                place = Path(name, file)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(source.resolve())
            self._rsync(f"{name}/", path)

    def _rsync(self, source: str, path: str) -> None:
        ssh, host = self.connection.command(), self.connection.host
        command = [
            "rsync", "--recursive", "--copy-links", "--chmod=D755,F644",
            "--protect-args", f"--timeout={REACH_SECONDS}", "--rsh", shlex.join(ssh),
            source, f"{host}:{self.connection.folder}/{path}/",
        ]  # fmt: skip
        self.connection.call(command, path, "UPLOAD_SECONDS")

    def hashes(self, path: str) -> dict[str, str]:
        """The sha256 of each file below a folder, read again from the destination."""
        found = {}
        for item in _items(self._run(_HASHES, path)):
            match = _HASHED.fullmatch(item)
            if not match:
                raise nonsense(os.fsencode(item), self.name)
            found[match[2]] = match[1]
        return found

    def rename(self, path: str, to: str) -> None:
        """Rename a folder in one step."""
        self._run('[ ! -e "$2" ] && mv -T "$1" "$2"', path, to)

    def remove(self, path: str) -> None:
        """Remove a folder, or the file or link itself."""
        self._run('rm -rf "$1"', path)

    def _run(self, script: str, *arguments: str, sent: bytes = b"") -> bytes:
        return self.connection.run(script, *arguments, sent=sent)


def _items(answer: bytes) -> Iterator[str]:
    """Parts of an answer, each ended by a zero byte."""
    return (os.fsdecode(item) for item in answer.split(b"\0") if item)


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
        """Hold a lock file there for as long as the connection stands."""
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
