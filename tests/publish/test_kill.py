"""A publisher that is killed leaves the old release whole, and is no hindrance.

It is killed before every second to fifth operation, from the first on.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.publish.conftest import Publish, current, publish_three
from tests.publish.killing import check_destination, current_page, killed
from tests.publish.made_build import build_id, make_build

LINKS = pytest.mark.parametrize("links", [True, False])


@pytest.fixture(autouse=True)
def no_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a killed process wrote is there, whether or not a disk has it yet."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def three(tmp_path: Path, dest: Path, publish: Publish) -> list[str]:
    """Three releases at the destination, the last one current, and a build to come."""
    return publish_three(tmp_path, publish)


def each_kill(
    dest: Path, verb: Callable[[], int], links: bool = True, step: int = 1
) -> Iterator[int]:
    """Kill a verb before each of its operations, always from the same state."""
    kept = dest.with_name("kept")
    shutil.copytree(dest, kept, symlinks=True)
    points = 0
    while killed(dest, points, verb, links):
        yield points
        shutil.rmtree(dest)
        shutil.copytree(kept, dest, symlinks=True)
        points += step
    assert points > 15


def republished(dest: Path, tmp_path: Path, publish: Publish, links: bool) -> None:
    """Make the destination again as one without links has it."""
    if not links:
        (tmp_path / "publish.yaml").write_text("links: false\n")
        shutil.rmtree(dest)
        publish_three(tmp_path, publish)


@LINKS
def test_killed_before_an_operation_of_a_publication_with_keep(
    links: bool, tmp_path: Path, dest: Path, publish: Publish, three: list[str]
) -> None:
    republished(dest, tmp_path, publish, links)
    old = current_page(dest)
    new = (tmp_path / "builds/small/index.html").read_bytes()
    seen = set()
    step = 3 if links else 5
    for _ in each_kill(dest, lambda: publish("--keep", "2"), links, step):
        page = current_page(dest)
        assert page in (old, new)
        seen.add(page)
        assert b"</html>" in (dest / "index.html").read_bytes()
        assert publish("--keep", "2") == 0
        check_destination(dest)
        assert current_page(dest) == new
        assert len(os.listdir(dest / "releases/small")) == 3  # with current
    assert seen == {old, new}  # some kills came before the switch, some after
    check_destination(dest)


@LINKS
def test_a_first_publication_that_is_killed_is_done_by_the_next(
    links: bool, tmp_path: Path, dest: Path, publish: Publish, build: Path
) -> None:
    dest.mkdir()
    if not links:
        (tmp_path / "publish.yaml").write_text("links: false\n")
    for _ in each_kill(dest, publish, links, step=3):
        assert publish() == 0
        check_destination(dest)


@LINKS
def test_a_killed_second_publication_of_an_old_release_is_done_by_the_next(
    links: bool, tmp_path: Path, dest: Path, publish: Publish, three: list[str]
) -> None:
    republished(dest, tmp_path, publish, links)
    make_build(tmp_path / "builds/small", text="one")
    for _ in each_kill(dest, publish, links, step=2):
        assert publish() == 0
        check_destination(dest)
        assert current(dest) == three[0]
        assert publish("--rollback") == 0
        assert current(dest) == three[2]


@LINKS
def test_a_killed_rollback_is_finished_and_goes_back_once(
    links: bool, tmp_path: Path, dest: Path, publish: Publish, three: list[str]
) -> None:
    republished(dest, tmp_path, publish, links)
    wanted = (dest / f"releases/small/{three[1]}/index.html").read_bytes()
    for _ in each_kill(dest, lambda: publish("--rollback"), links, step=2):
        assert publish("--rollback") == 0
        check_destination(dest)
        assert current_page(dest) == wanted


def test_another_edition_clears_up_as_well(
    tmp_path: Path, dest: Path, publish: Publish, three: list[str]
) -> None:
    make_build(tmp_path / "builds/other", edition="other")
    declared = tmp_path / "report/other/edition.yaml"
    declared.parent.mkdir()
    declared.touch()

    def first() -> int:
        return publish("--edition", "small", "--keep", "1")

    for _ in each_kill(dest, first, step=5):
        assert publish("--edition", "other") == 0
        check_destination(dest)


@pytest.mark.parametrize("seconds", [0.15, 0.4, 0.6])
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
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    time.sleep(seconds)
    process.kill()
    process.wait()
    assert current_page(dest) in (old, (build / "index.html").read_bytes())
    assert publish("--wait", "0") == 0
    assert os.readlink(dest / "releases/small/current") == build_id(build)
    check_destination(dest)
