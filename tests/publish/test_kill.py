"""A publisher that is killed leaves the old release whole, and is no hindrance."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.publish.local import LocalDestination
from tests.conftest import ROOT
from tests.publish.conftest import Publish
from tests.publish.made_build import build_id, make_build

OPERATIONS = ("kind", "names", "write", "link", "upload", "hashes", "rename", "remove")


class Killed(LocalDestination):
    """A folder at which the process is killed before its nth operation.

    Within an upload every file counts, and each is left half written.
    """

    def __init__(self, root: Path, after: int) -> None:
        super().__init__(root)
        object.__setattr__(self, "left", [after])

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        return self._counted(name, found) if name in OPERATIONS else found

    def _counted(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **more: Any) -> Any:
            if name == "upload":
                return self._upload(*args)
            self._count()
            return call(*args, **more)

        return counted

    def _upload(self, files: dict[str, Path], path: str) -> None:
        for name, source in files.items():
            place = self.root / path / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(source.read_bytes()[:10])
            self._count()
            place.write_bytes(source.read_bytes())

    def _count(self) -> None:
        left: list[int] = object.__getattribute__(self, "left")
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)


def current_page(dest: Path) -> bytes:
    """The current release's page, after all its files were found to be whole."""
    folder = (dest / "releases/small/current").resolve()
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ", 1)
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    return (folder / "index.html").read_bytes()


def killed(dest: Path, after: int, publish: Publish) -> bool:
    """Publish in a child that dies after so many operations; whether it did."""
    child = os.fork()
    if child == 0:
        import analysis.publish.verb as verb

        verb.choose_destination = lambda _: Killed(dest, after)  # type: ignore
        os._exit(publish())
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def test_killed_before_any_operation_the_old_release_is_whole(
    tmp_path: Path, dest: Path, publish: Publish
) -> None:
    make_build(tmp_path / "builds/small", text="old")
    assert publish() == 0
    old = current_page(dest)
    make_build(tmp_path / "builds/small", text="new")
    new = (tmp_path / "builds/small/index.html").read_bytes()
    kept = tmp_path / "kept"
    shutil.copytree(dest, kept, symlinks=True)
    points, seen = 0, set()
    while killed(dest, points, publish):
        page = current_page(dest)
        assert page in (old, new)
        seen.add(page)
        assert b"</html>" in (dest / "index.html").read_bytes()
        shutil.rmtree(dest)
        shutil.copytree(kept, dest, symlinks=True)
        points += 1
    assert points > 30
    assert seen == {old, new}  # some kills came before the switch, some after
    assert current_page(dest) == new
    make_build(tmp_path / "builds/small", text="newer")
    assert killed(dest, 12, publish)
    assert publish() == 0
    left = [p.name for p in dest.rglob("*") if p.name.endswith(".part")]
    assert not left


@pytest.mark.parametrize("seconds", [0.15, 0.3, 0.4, 0.5, 0.6])
def test_killed_by_the_clock_the_old_release_is_whole(
    seconds: float, tmp_path: Path, dest: Path, publish: Publish
) -> None:
    make_build(tmp_path / "builds/small", text="old")
    assert publish() == 0
    old = current_page(dest)
    big = {f"data/{i}.csv": os.urandom(200_000) for i in range(40)}
    build = make_build(tmp_path / "builds/small", text="new", files=big)
    process = subprocess.Popen(
        [sys.executable, "-m", "analysis", "publish", "--to", str(dest),
         "--builds", str(tmp_path / "builds"), "--report", str(tmp_path / "report")],
        cwd=ROOT, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    time.sleep(seconds)
    process.kill()
    process.wait()
    assert current_page(dest) in (old, (build / "index.html").read_bytes())
    assert publish("--wait", "0") == 0
    assert os.readlink(dest / "releases/small/current") == build_id(build)
