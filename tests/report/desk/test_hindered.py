"""Saves that are killed, and repositories that will not have them."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.report.desk import store
from analysis.report.desk.editing import Edit, save
from analysis.report.desk.parts import parts_in
from analysis.report.desk.reviews import SeenReview, approve_at_desk
from analysis.report.desk.store import Save
from analysis.report.review.state import review
from tests.report.desk.conftest import ANN, Office
from tests.report.desk.test_saving import OBSERVATIONS, edit, git, opened

AFTER = "After the crash.\n"
STEPS = 7  # the two files, and the processes of Git


def killed_at(step: int, save: Callable[[], object]) -> bool:
    """Whether a process was killed before a step of a save, or saved."""
    child = os.fork()
    if child == 0:
        left = [step]

        def counted(do: Callable[..., Any]) -> Callable[..., Any]:
            def call(*given: Any, **named: Any) -> Any:
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                left[0] -= 1
                return do(*given, **named)

            return call

        store.write_text = counted(store.write_text)
        store.subprocess.run = counted(store.subprocess.run)
        try:
            save()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


@pytest.mark.parametrize("step", range(STEPS))
def test_a_save_that_is_killed_anywhere_is_done_or_was_never_begun(
    office: Office, step: int
) -> None:
    path, kept = office.texts / OBSERVATIONS, office.desk.journal
    before = path.read_text()
    said = (before, AFTER, ANN.name, ANN.email, "edit")
    entry = Save("small", f"small/{OBSERVATIONS}", *said)
    assert killed_at(step, lambda: kept.save(entry))
    assert path.read_text() in (before, AFTER)
    assert list(kept.recover()) == []
    assert not list(kept.folder.glob("*"))
    if step == 0:  # not even the journal had it
        assert path.read_text() == before
        return
    assert path.read_text() == AFTER
    shown = git(office.texts, "log", "--format=%an", "main..review/small")
    assert shown == ANN.name
    assert git(office.texts, "show", f"review/small:./{OBSERVATIONS}") == AFTER.strip()
    git(office.texts, "fsck", "--strict")


class Killed(BaseException):
    """The end of a process, which nothing catches."""


def _killed(*_: object) -> None:
    raise Killed


@pytest.mark.parametrize("step", [0, 1])  # before the journal has it, and behind
def test_an_approval_that_is_killed_is_whole_or_was_never_begun(
    office: Office, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    desk, record = office.desk, office.texts / "studies/speed/review.yaml"
    live = desk.lives["small"]
    live.open()
    stamp = review(live.maker.checked_texts(), "speed").now.stamp
    writes = iter([store.write_text, store.write_text][:step])
    monkeypatch.setattr(store, "write_text", lambda *g: next(writes, _killed)(*g))
    with pytest.raises(Killed):
        approve_at_desk(live, SeenReview("speed", stamp), ANN)
    monkeypatch.undo()
    assert not record.exists()
    assert list(desk.journal.recover()) == []
    assert record.exists() == bool(step)
    if step:
        shown = git(office.texts, "log", "--format=%an: %s", "main..review/small")
        assert shown == f"{ANN.name}: study speed: approved"


def test_a_title_that_is_killed_while_its_page_is_made_is_committed_by_its_author(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, file = office.desk.lives["small"], "studies/speed/study.yaml"
    live.open()
    title = parts_in(live.checked, file)[0]
    monkeypatch.setattr(live.maker, "forget", _killed)
    with pytest.raises(Killed):
        save(live, Edit(file, 0, title.hash, "Newer than old"), ANN)
    monkeypatch.undo()
    assert list(office.desk.journal.recover()) == []
    shown = git(office.texts, "log", "--format=%an", "main..review/small")
    assert shown == ANN.name
    assert "Newer than old" in git(office.texts, "show", f"review/small:./{file}")


def test_every_step_of_a_save_was_killed(office: Office) -> None:
    entry = Save("small", f"small/{OBSERVATIONS}", "", AFTER, "A", "a@b", "e")
    assert not killed_at(STEPS, lambda: office.desk.journal.save(entry))


@pytest.mark.parametrize(
    ("lock", "checked_out"),
    [("refs/heads/review/small.lock", "main"), ("index.lock", "review/small")],
)
def test_what_a_locked_repository_refuses_is_committed_with_the_next_save(
    office: Office, tmp_path: Path, lock: str, checked_out: str
) -> None:
    if checked_out != "main":
        git(tmp_path, "checkout", "-qb", checked_out)
    held = tmp_path / ".git" / lock
    held.parent.mkdir(exist_ok=True)
    held.write_text("")
    client = office.client
    client.sit()
    status, said = client.post("e/small/save", **edit(opened(client), "First."))
    assert status == 422
    [issue] = said["issues"]
    assert "not committed yet" in issue["what"] and ".lock" in issue["mend"]
    assert (office.texts / OBSERVATIONS).read_text() == "First.\n"
    assert "First." in client.get("e/small/")[1]
    assert "Git has no commit yet" in client.get("")[1]
    held.unlink()
    rob = office.chair[0] = ANN.__class__("Rob", "rob@example.org", "reviewer")
    client.sit()
    assert client.post("e/small/save", **edit(opened(client), "Second."))[0] == 200
    names = git(tmp_path, "log", "--reverse", "--format=%an", "main..review/small")
    assert names.splitlines() == [ANN.name, rob.name]
    assert "no commit yet" not in client.get("")[1]
    assert not list(office.desk.journal.folder.glob("*.json*"))
    if checked_out != "main":
        assert git(tmp_path, "status", "--porcelain", "report") == ""


def test_a_detached_head_stays_where_it_is(office: Office, tmp_path: Path) -> None:
    git(tmp_path, "checkout", "-q", "--detach")
    head, client = git(tmp_path, "rev-parse", "HEAD"), office.client
    client.sit()
    for words in ("First.", "Second."):
        assert client.post("e/small/save", **edit(opened(client), words))[0] == 200
    assert git(tmp_path, "rev-parse", "HEAD") == head
    assert git(tmp_path, "rev-list", "--count", "HEAD..review/small") == "2"


@pytest.mark.parametrize(
    ("code", "cure"), [(errno.ENOSPC, "make room"), (errno.EROFS, "to be written")]
)
@pytest.mark.parametrize("file", ["journal", OBSERVATIONS])
def test_a_disk_that_takes_nothing_keeps_the_text_that_was_there(
    office: Office, monkeypatch: pytest.MonkeyPatch, code: int, cure: str, file: str
) -> None:
    write, before = store.write_text, (office.texts / OBSERVATIONS).read_bytes()

    def full(path: Path, text: str) -> None:
        if path.is_relative_to(office.desk.journal.folder) == (file == "journal"):
            raise OSError(code, os.strerror(code), str(path))
        write(path, text)

    monkeypatch.setattr(store, "write_text", full)
    client = office.client
    client.sit()
    status, said = client.post("e/small/save", **edit(opened(client), "Kept."))
    assert status == 422 and cure in said["issues"][0]["mend"]
    assert os.strerror(code).lower() in said["issues"][0]["what"]
    assert (office.texts / OBSERVATIONS).read_bytes() == before
    assert "Kept." not in client.get("e/small/")[1]
    folder = office.desk.journal.folder
    assert not list(folder.glob("*.json*")) and not list(folder.glob(".*.part"))
