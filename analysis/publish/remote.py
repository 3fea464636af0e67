"""A destination that is a folder of a host over ssh; files go there with rsync.

The host needs a POSIX shell, rsync, flock, and sha256sum and mv of GNU.
"""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import cast

from analysis.errors import UserError, user_error
from analysis.publish.destination import Kind
from analysis.publish.local import LOCK

_BUSY, _NO_PARENT, _NO_LINKS, _UNREACHABLE = 75, 76, 77, 255
_SECONDS = 20  # to reach the host, and to wait for a byte from it
_OPTIONS = ("-o", "BatchMode=yes", "-o", f"ConnectTimeout={_SECONDS}")
_KIND = (
    'if [ -L "$1" ]; then echo link; elif [ -d "$1" ]; then echo folder; '
    'elif [ -e "$1" ]; then echo file; else echo nothing; fi'
)
_LOCK = (
    '[ -d "$(dirname "$1")" ] || exit 76; mkdir -p "$1" && cd "$1" && '
    'exec 9>>"$2" && { flock -w "$3" 9 || exit 75; } && echo locked && cat >/dev/null'
)
_WRITE = (
    'mkdir -p "$1" && cat > "$1/.$2.part" && chmod 644 "$1/.$2.part" && '
    'mv -T "$1/.$2.part" "$1/$2"'
)
_LINK = (
    'rm -f "$1/.$2.part" && { ln -s "$3" "$1/.$2.part" || exit 77; } && '
    'mv -T "$1/.$2.part" "$1/$2"'
)
_HASHES = (
    '[ -d "$1" ] || exit 0; cd "$1" && find . -type f -exec sha256sum {} + && '
    'find . ! -type f ! -type d -exec echo "a link" {} \\;'
)


@dataclass
class RemoteDestination:
    """``host:folder``; ``ssh`` is the program with the user's options.

    While the lock is held, ``control`` is a folder with the socket by which all
    connections share that of the lock, as each of their own would take a handshake.
    """

    host: str
    folder: str
    ssh: tuple[str, ...] = ("ssh",)
    control: str = field(default="", init=False)

    @property
    def name(self) -> str:
        """Host and folder."""
        return f"{self.host}:{self.folder}"

    @contextmanager
    def lock(self, wait: float) -> Iterator[None]:
        """Hold a lock file there for as long as one connection lives."""
        with tempfile.TemporaryDirectory(
            prefix="publish-", ignore_cleanup_errors=True
        ) as self.control:
            try:
                with self._held(wait):
                    yield
            finally:
                self.control = ""

    @contextmanager
    def _held(self, wait: float) -> Iterator[None]:
        remote = self._remote(_LOCK, self.folder, LOCK, f"{wait:g}")
        command = [*self._ssh(), "-M", self.host, remote]
        with subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            try:
                answer = process.stdout.readline() if process.stdout else b""
                if answer.strip() != b"locked":
                    _, errors = process.communicate()
                    raise self._refused(process.returncode, errors, self.folder, wait)
                yield
            finally:
                if process.stdin:
                    process.stdin.close()
                process.wait()

    def kind(self, path: str) -> Kind:
        """What stands there; a link is not followed."""
        return cast(Kind, self._run(_KIND, path).decode().strip())

    def names(self, path: str) -> list[str]:
        """Sorted names in a folder; none where there is no folder."""
        listing = self._run('[ ! -d "$1" ] || [ -L "$1" ] || ls -A "$1"', path)
        return sorted(listing.decode().splitlines())

    def read(self, path: str) -> bytes | None:
        """A file's bytes; None where there is none."""
        content = self._run('[ ! -f "$1" ] || { echo; cat "$1"; }', path)
        return content[1:] if content else None

    def target(self, path: str) -> str | None:
        """Where a symbolic link leads; None where there is none."""
        found = self._run('[ ! -L "$1" ] || readlink "$1"', path).decode().strip()
        return found or None

    def write(self, path: str, content: bytes) -> None:
        """Put a file in place in one step."""
        place = PurePosixPath(path)
        self._run(_WRITE, str(place.parent), place.name, sent=content)

    def link(self, path: str, target: str) -> bool:
        """Put a symbolic link in place in one step; False where there are none."""
        place = PurePosixPath(path)
        try:
            self._run(_LINK, str(place.parent), place.name, target)
        except NoLinksError:
            return False
        return True

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
        command = [
            "rsync", "--recursive", "--copy-links", "--chmod=D755,F644",
            "--protect-args", f"--timeout={_SECONDS}",
            "--rsh", shlex.join(self._ssh()),
            source, f"{self.host}:{self.folder}/{path}/",
        ]  # fmt: skip
        try:
            done = subprocess.run(command, capture_output=True, check=False)
        except FileNotFoundError:
            raise user_error(
                "rsync is not installed here", mend="install rsync, or mount the share"
            ) from None
        if done.returncode:
            raise self._refused(done.returncode, done.stderr, path)

    def hashes(self, path: str) -> dict[str, str]:
        """The sha256 of each file below a folder, read again from the destination."""
        lines = self._run(_HASHES, path).decode().splitlines()
        pairs = (line.split(" ./", 1) for line in lines)
        return {name: digest.strip() for digest, name in pairs}

    def rename(self, path: str, to: str) -> None:
        """Rename a folder in one step."""
        self._run('[ ! -e "$2" ] && mv -T "$1" "$2"', path, to)

    def remove(self, path: str) -> None:
        """Remove a folder, or the file or link itself."""
        self._run('rm -rf "$1"', path)

    def _run(self, script: str, *arguments: str, sent: bytes = b"") -> bytes:
        """What a script prints that runs in the destination's folder."""
        start = 'cd "$1" 2>/dev/null || exit 76; shift; umask 022; '
        command = [*self._ssh(), self.host]
        command.append(self._remote(start + script, self.folder, *arguments))
        try:
            done = subprocess.run(command, input=sent, capture_output=True, check=False)
        except FileNotFoundError:
            raise user_error("ssh is not installed here", mend="install it") from None
        if done.returncode:
            raise self._refused(done.returncode, done.stderr, next(iter(arguments), ""))
        return done.stdout

    def _ssh(self) -> list[str]:
        shared = ["-S", f"{self.control}/socket"] if self.control else []
        return [*self.ssh, *_OPTIONS, *shared]

    def _remote(self, script: str, *arguments: str) -> str:
        return shlex.join(["sh", "-c", script, "sh", *arguments])

    def _refused(
        self, code: int, errors: bytes, path: str = "", wait: float = 0
    ) -> UserError:
        lines = errors.decode(errors="replace").strip().splitlines()
        said = lines[-1] if lines else f"exit code {code}"
        where = self.name
        if code == _BUSY:
            return user_error(
                f"someone else publishes here now; waited {wait:g} s",
                where,
                mend="publish again when they are done, or wait longer: --wait",
            )
        if code == _NO_PARENT:
            return user_error(
                "there is no such folder on the host",
                where,
                mend="create it, and let this user write there",
            )
        if code == _NO_LINKS:
            return NoLinksError(user_error(said, where).issues)
        if code == _UNREACHABLE:
            mend = "see that 'ssh HOST true' works without a question"
            return user_error(f"the host cannot be reached: {said}", where, mend=mend)
        return user_error(
            f"the destination refuses: {said}",
            f"{where}/{path}" if path else where,
            mend="see that there is room and that this user may write there",
        )


class NoLinksError(UserError):
    """The destination has no symbolic links."""
