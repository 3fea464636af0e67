"""Files that an editor, Git or another desk writes while a save of them is made."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.report.desk.desk import Live, make_desk
from analysis.report.desk.editing import ConflictError, Edit, open_part, save
from tests.report.desk.conftest import ANN, Office
from tests.report.desk.test_declaring import STUDY, declare
from tests.report.desk.test_saving import OBSERVATIONS, edit, git, opened

OUTSIDE = "Outside of the desk"


def meanwhile(
    live: Live, does: Callable[[], object], patch: pytest.MonkeyPatch
) -> None:
    """Let something be done once, while a page is made."""
    made, waiting = live.render, [does]

    def render(*given: object, **named: object) -> object:
        found = made(*given, **named)  # type: ignore[arg-type]
        if waiting:
            waiting.pop()()
        return found

    patch.setattr(live, "render", render)


def test_words_that_are_written_while_a_save_is_made_stay(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, path = office.client, office.texts / OBSERVATIONS
    client.sit()
    said = edit(opened(client), "Mine.")
    more = f"{path.read_text()}\nWritten in an editor.\n"
    live = office.desk.lives["small"]
    meanwhile(live, lambda: path.write_text(more), monkeypatch)
    assert client.post("e/small/save", **said)[0] == 200
    assert path.read_text() == "Mine.\n\nWritten in an editor.\n"
    names = git(office.texts, "log", "-2", "--format=%an", "review/small")
    assert names.splitlines() == [ANN.name, OUTSIDE]


def test_who_edits_what_somebody_writes_meanwhile_sees_it(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, path = office.client, office.texts / OBSERVATIONS
    client.sit()
    said = edit(opened(client), "Mine.")
    live = office.desk.lives["small"]
    meanwhile(live, lambda: path.write_text("Theirs.\n"), monkeypatch)
    status, answer = client.post("e/small/save", **said)
    assert (status, answer["now"]["words"]) == (409, "Theirs.")
    assert path.read_text() == "Theirs.\n"
    assert not list(office.desk.journal.folder.glob("*.json"))


@pytest.mark.parametrize("fails", [False, True])
def test_a_declaration_that_is_written_while_its_page_is_made_stays(
    office: Office, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    live, path = office.desk.lives["small"], office.texts / STUDY
    live.open()
    theirs = path.read_text() + "\n# Written in an editor.\n"
    forgets, times = live.forget, [theirs]

    def forget() -> None:
        if times:
            path.write_text(times.pop())
        forgets()
        live.stage.problem = "error: as it is" if fails else ""

    monkeypatch.setattr(live, "forget", forget)
    status, said = declare(office, STUDY, "title", "Newer than old")
    if fails:
        assert status == 422 and path.read_text() == theirs
        return
    assert status == 200, said  # the words go into what the file holds now
    assert path.read_text() == theirs.replace("New against old", "Newer than old")


def test_two_desks_of_one_folder_lose_nothing(office: Office, tmp_path: Path) -> None:
    path = office.texts / OBSERVATIONS
    path.write_text("One.\n\nTwo.\n")
    other = make_desk(
        {"small": office.project}, tmp_path / "other", tmp_path / "journal"
    )
    lives = [desk.lives["small"] for desk in (office.desk, other)]
    together = threading.Barrier(2)

    def work(nth: int) -> None:
        for count in range(5):
            together.wait(60)
            part = open_part(lives[nth], OBSERVATIONS, nth)
            words = f"{'One' if nth == 0 else 'Two'} [{'so ' * count}]{{.unchecked}}."
            save(lives[nth], Edit(OBSERVATIONS, nth, part["hash"], words), ANN)

    threads = [threading.Thread(target=work, args=(one,)) for one in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    last = f"[{'so ' * 4}]{{.unchecked}}."
    assert path.read_text() == f"One {last}\n\nTwo {last}\n"


def test_the_same_part_is_given_to_one_of_two_desks(
    office: Office, tmp_path: Path
) -> None:
    other = make_desk(
        {"small": office.project}, tmp_path / "other", tmp_path / "journal"
    )
    ours, theirs = (desk.lives["small"] for desk in (office.desk, other))
    hash = open_part(ours, OBSERVATIONS, 0)["hash"]
    open_part(theirs, OBSERVATIONS, 0)
    save(ours, Edit(OBSERVATIONS, 0, hash, "Ours."), ANN)
    with pytest.raises(ConflictError):
        save(theirs, Edit(OBSERVATIONS, 0, hash, "Theirs."), ANN)
    assert (office.texts / OBSERVATIONS).read_text() == "Ours.\n"


def test_a_branch_that_is_checked_out_elsewhere_is_left_alone(
    office: Office, tmp_path: Path
) -> None:
    client, there = office.client, tmp_path / "there"
    client.sit()
    assert client.post("e/small/save", **edit(opened(client), "First."))[0] == 200
    git(tmp_path, "worktree", "add", "-q", str(there), "review/small")
    status, said = client.post("e/small/save", **edit(opened(client), "Second."))
    assert status == 422 and str(there) in said["issues"][0]["what"]
    assert git(there, "status", "--porcelain") == ""
    assert (office.texts / OBSERVATIONS).read_text() == "Second.\n"
    git(there, "switch", "-q", "--detach")
    assert client.post("e/small/save", **edit(opened(client), "Third."))[0] == 200
    told = git(tmp_path, "log", "--format=%s", "main..review/small").splitlines()
    assert len(told) == 3
    assert git(there, "status", "--porcelain") == ""


@pytest.mark.parametrize("command", [("stash",), ("checkout", "-f", "main", "--", ".")])
def test_what_git_takes_off_the_page_is_told_with_the_way_back(
    office: Office, command: tuple[str, ...]
) -> None:
    client, path = office.client, office.texts / OBSERVATIONS
    live = office.desk.lives["small"]
    client.get("e/small/")
    client.sit()
    assert client.post("e/small/save", **edit(opened(client), "Mine."))[0] == 200
    git(office.texts, "config", "user.name", "O")
    git(office.texts, "config", "user.email", "o@example.org")
    git(office.texts.parents[1], *command)
    assert "Mine." not in path.read_text()
    live.take_up({path.absolute()})
    listed, history = client.get("")[1], client.get("e/small/history")[1]
    assert "restore --source=review/small" in listed and "restore" in history
    said = edit(opened(client), "Yours.")
    status, answer = client.post("e/small/save", **said)
    assert status == 422 and "restore --source=review/small" in str(answer)
    git(office.texts, "restore", "--source=review/small", "--", OBSERVATIONS)
    live.take_up({path.absolute()})
    assert path.read_text() == "Mine.\n" and not live.undone
    assert "restore" not in client.get("")[1]


def test_who_was_told_that_git_took_words_away_may_go_on_without(
    office: Office,
) -> None:
    client, path = office.client, office.texts / OBSERVATIONS
    client.get("e/small/")
    client.sit()
    assert client.post("e/small/save", **edit(opened(client), "Mine."))[0] == 200
    git(office.texts, "config", "user.name", "O")
    git(office.texts, "config", "user.email", "o@example.org")
    git(office.texts.parents[1], "stash")
    office.desk.lives["small"].take_up({path.absolute()})
    said = edit(opened(client), "Yours.")
    assert [client.post("e/small/save", **said)[0] for _ in range(2)] == [422, 200]
    assert path.read_text() == "Yours.\n"


def test_words_that_the_owner_committed_and_went_on_with_are_not_gone(
    office: Office,
) -> None:
    client, path = office.client, office.texts / OBSERVATIONS
    client.sit()
    assert client.post("e/small/save", **edit(opened(client), "Mine."))[0] == 200
    for name, value in (("name", "O"), ("email", "o@example.org")):
        git(office.texts, "config", f"user.{name}", value)
    git(office.texts, "commit", "-qam", "Theirs")
    path.write_text("Mine, and more.\n")
    git(office.texts, "commit", "-qam", "And more")
    live = office.desk.lives["small"]
    live.take_up({path.absolute()})
    assert live.undone == []


def test_new_files_of_remarks_are_gone_where_they_are_gone_alone(
    office: Office,
) -> None:
    client, live = office.client, office.desk.lives["small"]
    client.get("e/small/")
    client.sit()
    assert client.post("e/small/comment", about="speed", words="Why?")[0] == 200
    new = (office.texts / "studies/speed/comments.yaml").absolute()
    live.see_undone()
    assert live.undone == []  # it is none of Git's here, and as it was saved
    live.take_up({new})
    new.unlink()  # as by clean or stash -u
    live.take_up({new})
    assert "comments.yaml" in live.undoing
