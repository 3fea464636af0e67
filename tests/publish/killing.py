"""A destination at which a publisher dies, and what must be whole after it."""

from __future__ import annotations

import hashlib
import os
import re
import signal
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from analysis.publish.destination import LocalDestination

OPERATIONS = ("entries", "read", "hashes", "link")


class Killed(LocalDestination):
    """A folder at which the process is killed before its nth operation.

    Within an upload and a removal every file counts; uploaded ones are left half
    written. Of what is renamed one after the other, each counts.
    """

    def __init__(self, root: Path, after: int, links: bool = True) -> None:
        super().__init__(root, links)
        object.__setattr__(self, "left", [after])

    def __getattribute__(self, name: str) -> Any:
        if name in OPERATIONS:
            object.__getattribute__(self, "_count")()
        return super().__getattribute__(name)

    def upload(self, files: Any, folder: str) -> None:
        for name, source in files.items():
            place = self.root / folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            content = source.read_bytes()
            with place.open("wb", buffering=0) as stream:
                stream.write(content[:10])
                self._count()
                stream.write(content[10:])

    def remove(self, path: str) -> None:
        for place in sorted((self.root / path).rglob("*")):
            if place.is_file():
                self._count()
                place.unlink()
        self._count()
        super().remove(path)

    def move(self, pairs: Sequence[tuple[str, str]]) -> None:
        for pair in pairs:
            self._count()
            super().move([pair])

    def _count(self) -> None:
        left: list[int] = object.__getattribute__(self, "left")
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)


def killed(dest: Path, after: int, verb: Callable[[], int], links: bool = True) -> bool:
    """Run a verb in a child that dies after so many operations; whether it did."""
    child = os.fork()
    if child == 0:
        import analysis.publish.verb as module

        tempfile.tempdir = str(dest.parent)  # where what the dead leave is cleared up
        module.choose_destination = lambda *_: Killed(dest, after, links)  # type: ignore
        os._exit(verb())
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        assert os.waitstatus_to_exitcode(status) == 0
    return os.WIFSIGNALED(status)


def current_page(dest: Path) -> bytes:
    """The current release's page, after all its files were found to be whole."""
    folder = dest / "releases/small/current"
    page = (folder / "index.html").read_bytes()
    if found := re.search(rb"url=\.\./(\w+)/", page):
        folder = folder.with_name(found[1].decode())
    check_whole(folder.resolve())
    return (folder / "index.html").read_bytes()


def check_whole(folder: Path) -> None:
    """Fail where a release is not complete."""
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ", 1)
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest


def check_destination(dest: Path) -> None:
    """Fail where anything is left over, half there, or told otherwise by the list."""
    assert not list((dest / ".publish").glob("*"))
    ids = {p.name for p in (dest / "releases/small").iterdir()} - {"current"}
    for id in ids:
        check_whole(dest / "releases/small" / id)
    page = (dest / "index.html").read_text()
    assert set(re.findall(r"releases/small/(\w{12})/index.html", page)) == ids
    told = re.findall(r'<meta name="current" content="small/(\w+)">', page)
    whole = (dest / f"releases/small/{told[0]}/index.html").read_bytes()
    assert whole == current_page(dest)
