"""A destination that is a folder of a host over ssh.

The host needs a POSIX shell, tar, flock, and GNU's findutils and coreutils.
"""

from __future__ import annotations

import io
import os
import re
import select
import shlex
import subprocess
import tarfile
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from analysis.errors import UserError, user_error
from analysis.files import limits
from analysis.publish.destination import (
    LOCK,
    NO_FILE,
    SITE,
    SiteEntry,
    busy_error,
    full_error,
)

# Exit codes: of flock, without a folder, of a shell without a program, and of ssh.
_BUSY, _NO_FOLDER, _MISSING, _UNREACHABLE = 75, 76, 127, 255
_IN_FOLDER = f'cd "$1" 2>/dev/null || exit {_NO_FOLDER}; shift; '
_LOCK = f'mkdir "$1" 2>/dev/null; {_IN_FOLDER}exec flock -E {_BUSY} -w "$1" {LOCK} cat'
_ENTRIES = (
    'find "$1" -regextype posix-extended -regex "$2" -printf "%y %P\\0%l\\0" -o -prune'
)
_READ = (
    'xargs -0r sh -c \'find "$@" -maxdepth 0 -type f -size "-$0c" -print0\' "$2" '
    "2>/dev/null | tar -cf - --null -T -"
)
_UPLOAD = 'mkdir -p "$1" && tar -xomf - -C "$1"'
# find ends with 1 where a file cannot be read, which is then not on the list.
_HASHES = (
    "sha256sum --version >/dev/null || exit 127; "
    'cd "$1" 2>/dev/null || exit 0; find . -type f -exec sha256sum -z {} + ; '
    f'find . ! -type f ! -type d -printf "{NO_FILE}  %p\\0"; true'
)
_HASHED = re.compile(rf"([0-9a-f]{{64}}|{NO_FILE})  \./(.+)", re.DOTALL)
_LINK = 'mkdir -p "$(dirname "$1")" && ln -s "$2" "$1"; readlink "$1"; true'
_MOVE = (
    'while [ $# -gt 0 ]; do mkdir -p "$(dirname "$2")" && mv -T "$1" "$2" || exit 1; '
    "shift 2; done"
)
_KINDS = {"d": "folder", "f": "file", "l": "link"}
_REACH = 20  # seconds to reach the host, and to wait for a sign of life from it
_OPTIONS = (
    "-o", "BatchMode=yes", "-o", f"ConnectTimeout={_REACH}",
    "-o", f"ServerAliveInterval={_REACH}", "-o", "ServerAliveCountMax=3",
)  # fmt: skip
_LOCKED = b"locked\n"
_ROOM = ("No space left on device", "Disk quota exceeded")
_WORKS = "see that 'ssh HOST true' works without a question"


class NoFolderError(UserError):
    """The destination's folder is not there."""


class RemoteDestination:
    """``host:folder``; ``ssh`` is the program with the user's options."""

    def __init__(self, host: str, folder: str, ssh: tuple[str, ...] = ("ssh",)) -> None:
        self.host, self.folder = host, folder
        self.name = f"{host}:{folder}"
        self.ssh = [*ssh, *_OPTIONS]

    @contextmanager
    def lock(self, wait: float) -> Iterator[None]:
        """Hold a lock file there for as long as the connection stands.

        All commands take this connection and no other one, so that none comes from a
        publisher that has lost its lock.
        """
        alone = self.ssh
        with tempfile.TemporaryDirectory(
            prefix="publish-", ignore_cleanup_errors=True
        ) as control:
            shared = [*alone, "-S", f"{control}/socket"]
            remote = self._script(_LOCK, self.folder, f"{wait:g}")
            with _started([*shared, "-M", self.host, remote]) as process:
                self._wait(process, wait)
                self.ssh = [*shared, "-o", "ProxyCommand=false"]
                try:
                    yield
                finally:
                    self.ssh = alone

    def _wait(self, process: subprocess.Popen[bytes], wait: float) -> None:
        """Return once the host sends back what it is sent: then it is locked."""
        assert process.stdin and process.stdout and process.stderr  # noqa: S101 - pipes
        with suppress(BrokenPipeError):
            process.stdin.write(_LOCKED)
            process.stdin.flush()
        seconds = wait + limits.HOST_SECONDS
        if not select.select([process.stdout], [], [], seconds)[0]:
            raise self._silence(seconds, "HOST_SECONDS")
        answer = os.read(process.stdout.fileno(), 80)
        if answer == _LOCKED:
            return
        if answer or not process.wait():
            raise self._nonsense(answer)
        errors = process.stderr.read()
        raise self._refusal(process.returncode, errors, self.name, wait)

    def entries(self) -> dict[str, SiteEntry]:
        """What stands at the places of a site, by path; links are not followed."""
        try:
            answer = self._run(_ENTRIES, ".", rf"\.(/({SITE}))?")
        except NoFolderError:
            return {}
        places = _items(answer)
        if places[:2] != ["d ", ""] or len(places) % 2:
            raise self._nonsense(answer)
        return {
            place[2:]: SiteEntry(_KINDS.get(place[0], "other"), target)
            for place, target in zip(places[2::2], places[3::2], strict=True)
        }

    def read(self, paths: Sequence[str]) -> dict[str, bytes]:
        """The bytes of those that are files, and no longer than a document may be."""
        names = "".join(f"{path}\0" for path in paths)
        most = str(limits.DOCUMENT_BYTES + 1)
        answer = self._run(
            _READ, ".", most, sent=names.encode(errors="surrogateescape")
        )
        found = {}
        try:
            with tarfile.open(fileobj=io.BytesIO(answer), mode="r:") as archive:
                for member in archive:
                    if content := archive.extractfile(member):
                        found[member.name] = content.read()
        except (tarfile.TarError, KeyError):
            raise self._nonsense(answer) from None
        return found

    def upload(self, files: Mapping[str, Path], folder: str) -> None:
        """Copy files below a folder, readable by a web server."""
        reading, writing = os.pipe()
        packing = threading.Thread(target=_pack, args=(files, writing))
        packing.start()
        try:
            with open(reading, "rb") as packed:
                self._run(_UPLOAD, folder, sent=packed, limit="UPLOAD_SECONDS")
        finally:
            packing.join()

    def hashes(self, folder: str) -> dict[str, str]:
        """The sha256 of each file below a folder, read again by the host."""
        found = {}
        for item in _items(self._run(_HASHES, folder)):
            match = _HASHED.fullmatch(item)
            if not match:
                raise self._nonsense(os.fsencode(item))
            found[match[2]] = match[1]
        return found

    def link(self, path: str, target: str) -> bool:
        """Make a symbolic link where nothing is; False where there are none."""
        return os.fsdecode(self._run(_LINK, path, target)).strip() == target

    def move(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Rename one after the other, each in one step."""
        self._run(_MOVE, *(path for pair in pairs for path in pair))

    def remove(self, path: str) -> None:
        """Remove a folder, or the file or link itself, if it is there."""
        self._run('rm -rf "$1"', path)

    def _run(
        self,
        script: str,
        path: str,
        *more: str,
        sent: bytes | IO[bytes] = b"",
        limit: str = "HOST_SECONDS",
    ) -> bytes:
        """What a script prints that runs in the folder; ``limit`` is on its time."""
        remote = self._script(_IN_FOLDER + script, self.folder, path, *more)
        seconds = getattr(limits, limit)
        try:
            done = subprocess.run(
                [*self.ssh, self.host, remote],
                input=sent if isinstance(sent, bytes) else None,
                stdin=None if isinstance(sent, bytes) else sent,
                capture_output=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise self._silence(seconds, limit) from None
        except OSError as error:
            raise _no_program(self.ssh[0], error) from None
        if done.returncode:
            where = self.name if path == "." else f"{self.name}/{path}"
            raise self._refusal(done.returncode, done.stderr, where)
        return done.stdout

    def _script(self, script: str, *arguments: str) -> str:
        plain = f"export LC_ALL=C; umask 022; {script}"
        return shlex.join(["sh", "-c", plain, "sh", *arguments])

    def _refusal(
        self, code: int, errors: bytes, where: str, wait: float = 0
    ) -> UserError:
        """The error for the exit code of ssh and what was written to its errors."""
        lines = errors.decode(errors="replace").strip().splitlines()
        room = [line for line in lines if any(word in line for word in _ROOM)]
        last = (room or lines or [f"exit code {code}"])[-1]
        what = f"the destination refuses: {last}"
        if code == _BUSY:
            return busy_error(wait, self.name)
        if code == _NO_FOLDER:
            what = "there is no such folder on the host"
            mend = "create it, and let this user write there"
            return NoFolderError(user_error(what, self.name, mend=mend).issues)
        if code == _UNREACHABLE:
            what = f"the host cannot be reached: {last}"
            return user_error(what, self.name, mend=_WORKS)
        if room:
            return full_error(what, where)
        mend = "see that there is room and that this user may write there"
        if code == _MISSING:
            mend = "install on the host what is missing: tar, flock, GNU coreutils"
        return user_error(what, where, mend=mend)

    def _silence(self, seconds: float, limit: str) -> UserError:
        """The error for a host that did not answer in time."""
        what = f"the host does not answer; waited {seconds:g} s ({limit})"
        return user_error(what, self.name, mend=_WORKS)

    def _nonsense(self, answer: bytes) -> UserError:
        """The error for an answer that is none."""
        shown = answer[:60].decode(errors="replace")
        what = f"the host answers what it was not asked: {shown!r}"
        mend = "see that 'ssh HOST true' prints nothing"
        return user_error(what, self.name, mend=mend)


@contextmanager
def _started(command: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A program that ends with the block, by the end of what it reads if it can."""
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
    except OSError as error:
        raise _no_program(command[0], error) from None
    with process:
        wait = 0
        try:
            yield process
            wait = _REACH
        finally:
            with suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=wait)
            process.kill()


def _no_program(program: str, error: OSError) -> UserError:
    absent = isinstance(error, FileNotFoundError)
    why = "is not installed here" if absent else f"does not start: {error.strerror}"
    return user_error(f"{program} {why}", mend=f"install {program}, or mount the share")


def _items(answer: bytes) -> list[str]:
    """Parts of an answer, each ended by a zero byte."""
    return [os.fsdecode(item) for item in answer.split(b"\0")[:-1]]


def _pack(files: Mapping[str, Path], writing: int) -> None:
    """Write an archive to a pipe; one that is cut short is noticed by who reads it."""
    with (
        suppress(OSError),
        open(writing, "wb") as stream,
        tarfile.open(fileobj=stream, mode="w|", dereference=True) as archive,
    ):
        for name, path in files.items():
            archive.add(path, name, recursive=False, filter=_plain)


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """A file of nobody in particular, for all to read."""
    member.mode, member.uid, member.gid = 0o644, 0, 0
    member.uname = member.gname = ""
    return member
