"""A destination that is a folder of a host over ssh; files go there with rsync.

The host needs a POSIX shell, rsync, flock, and coreutils of GNU.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import shlex
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import cast, get_args

from analysis.files import limits
from analysis.publish.connection import REACH_SECONDS, Connection
from analysis.publish.destination import NO_FILE, Kind, draft
from analysis.publish.refusal import NoFolderError, NoLinksError, nonsense

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


class RemoteDestination:
    """``host:folder``; ``ssh`` is the program with the user's options."""

    def __init__(self, host: str, folder: str, ssh: tuple[str, ...] = ("ssh",)) -> None:
        self.connection = Connection(host, folder, ssh)

    @property
    def name(self) -> str:
        """Host and folder."""
        return self.connection.name

    def lock(self, wait: float) -> AbstractContextManager[None]:
        """Hold a lock file there for as long as this process shows signs of life."""
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
