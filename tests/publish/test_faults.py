"""Destinations that refuse or vanish at any step, and Ctrl-C."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.publish.destination import LocalDestination, as_user_errors
from tests.conftest import ROOT
from tests.publish.conftest import Publish, publish_three
from tests.publish.killing import check_destination, current_page

Said = pytest.CaptureFixture[str]
STEPS = ("entries", "read", "upload", "hashes", "link", "move", "remove")


class Faulty(LocalDestination):
    """A folder whose nth operation fails as ``fail`` does."""

    def __init__(self, root: Path, after: int, fail: Callable[[Path], None]) -> None:
        super().__init__(root)
        object.__setattr__(self, "state", [after, fail])

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        if name not in STEPS:
            return found
        state = object.__getattribute__(self, "state")
        state[0] -= 1
        if state[0] == -1:
            with as_user_errors(self.root):
                state[1](self.root)
        return found


def refuse(code: int) -> Callable[[Path], None]:
    """What fails with an error of the system."""

    def fail(_: Path) -> None:
        raise OSError(code, os.strerror(code))

    return fail


def interrupt(_: Path) -> None:
    """Ctrl-C."""
    raise KeyboardInterrupt


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch, dest: Path) -> Callable[..., Faulty]:
    """Let the next verbs meet a faulty destination."""

    def make(after: int, fail: Callable[[Path], None]) -> Faulty:
        made = Faulty(dest, after, fail)
        monkeypatch.setattr("analysis.publish.verb.choose_destination", lambda *_: made)
        return made

    return make


@pytest.mark.parametrize(
    ("fail", "code", "words"),
    [
        (refuse(errno.EIO), 2, "the destination refuses: input/output error"),
        (refuse(errno.EROFS), 2, "mend: mount it for writing"),
        (refuse(errno.EACCES), 2, "mend: let this user write there"),
        (refuse(errno.ESTALE), 2, "the destination refuses: stale file handle"),
        (interrupt, 130, "interrupted\n"),
    ],
)
@pytest.mark.parametrize("verb", [("--keep", "2"), ("--rollback",)])
def test_a_fault_at_any_step_leaves_one_release_whole(
    verb: tuple[str, ...],
    fail: Callable[[Path], None],
    code: int,
    words: str,
    tmp_path: Path,
    dest: Path,
    publish: Publish,
    faulty: Callable[..., Faulty],
    capsys: Said,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ids = publish_three(tmp_path, publish)
    pages = {(dest / f"releases/small/{id}/index.html").read_bytes() for id in ids[1:3]}
    pages.add((tmp_path / "builds/small/index.html").read_bytes())
    for after in range(14):
        with monkeypatch.context():
            made = faulty(after, fail)
            capsys.readouterr()
            done = publish(*verb)
        said = capsys.readouterr().err
        if object.__getattribute__(made, "state")[0] >= 0:
            break  # done in fewer steps
        assert done in (code, 0) and (not done or words in said)  # 0 while clearing up
        assert current_page(dest) in pages
    monkeypatch.undo()
    assert publish("--keep", "2") == 0
    check_destination(dest)


# A job in the background ignores Ctrl-C, and so does what it starts.
INTERRUPTED = """
import os, signal, sys, time
from analysis.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
time.sleep = lambda _: os.kill(os.getpid(), signal.SIGINT)
sys.exit(main(sys.argv[1:]))
"""


def test_ctrl_c_of_a_process_is_one_line_and_130(
    tmp_path: Path, dest: Path, build: Path, publish: Publish
) -> None:
    with LocalDestination(dest).lock(0):  # for which the other one waits and sleeps
        done = subprocess.run(
            [sys.executable, "-c", INTERRUPTED, "publish", "--to", str(dest),
             "--builds", str(build.parent), "--report", str(tmp_path / "report")],
            cwd=ROOT, capture_output=True, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (130, b"interrupted\n")
    assert publish() == 0
    check_destination(dest)


@pytest.mark.parametrize("after", range(0, 12, 2))
def test_a_destination_that_vanishes_is_told(
    after: int,
    tmp_path: Path,
    dest: Path,
    publish: Publish,
    faulty: Callable[..., Faulty],
    capsys: Said,
) -> None:
    publish_three(tmp_path, publish)
    faulty(after, lambda root: shutil.rmtree(root))
    capsys.readouterr()
    code = publish("--keep", "2")
    said = capsys.readouterr().err
    assert code == 0 or (said.startswith("error: ") and "\n  mend: " in said)
