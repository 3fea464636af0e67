"""The walks over what people write and deliver."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.files.inputs import campaign_files, text_files

WALKS: list[Callable[[Path], object]] = [campaign_files, text_files]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "project" / "lab"
    (place / "a").mkdir(parents=True)
    (place / "a" / "one.txt").write_text("1")
    (place / ".hidden").write_text("1")
    monkeypatch.chdir(place.parent)
    return place


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(path.parent)  # a path that is longer than a socket's name may be
        server.bind(path.name)
        os.chdir(here)


def a_link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


@pytest.mark.parametrize("walk", WALKS)
@pytest.mark.parametrize(
    ("make", "what"),
    [
        (a_pipe, "is a named pipe, no file"),
        (a_socket, "is a socket, no file"),
        (a_link("/dev/zero"), "leads out of"),
        (a_link("/proc/kmsg"), "leads out of"),
        (a_link("nowhere"), "leads nowhere"),
        (a_link("it"), "leads nowhere"),
        (a_link("/etc/passwd"), "leads out of"),
        (a_link("../../.."), "leads out of"),
    ],
)
def test_what_is_no_file_is_refused_by_name(
    folder: Path, walk: Callable[[Path], object], make: Callable, what: str
) -> None:
    make(folder / "a" / "it")
    with pytest.raises(UserError) as caught:
        walk(folder)
    [issue] = caught.value.issues
    assert str(issue.where).endswith("lab/a/it")
    assert what in issue.what
    assert issue.mend


@pytest.mark.parametrize("walk", WALKS)
def test_a_circle_of_links_is_refused(folder: Path, walk: Callable) -> None:
    (folder / "a" / "up").symlink_to("..")
    with pytest.raises(UserError, match="leads in a circle"):
        walk(folder)


def test_links_within_the_project_are_followed(folder: Path) -> None:
    shared = folder.parent / "shared"
    shared.mkdir()
    (shared / "b.md").write_text("1")
    (folder / "b.md").symlink_to("../shared/b.md")
    (folder / "c").symlink_to("../shared")
    names = [p.relative_to(folder).as_posix() for p in text_files(folder)]
    assert names == ["a/one.txt", "b.md", "c/b.md"]


def test_evidence_may_have_any_name_that_is_text(folder: Path) -> None:
    names = {"a b;c.txt", "it's", 'a"b', "{x}", "-rf", "$(touch P)", "a\nb", "é", "~"}
    for name in names:
        (folder / name).write_text("1")
    assert campaign_files(folder) == dict.fromkeys({*names, "a/one.txt"}, False)


@pytest.mark.parametrize("walk", WALKS)
def test_a_name_that_is_no_text_is_refused(folder: Path, walk: Callable) -> None:
    (folder / os.fsdecode(b"\xff.txt")).write_text("1")
    with pytest.raises(UserError, match="not UTF-8"):
        walk(folder)


def test_a_folder_that_may_not_be_read_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(path: object) -> object:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("analysis.files.inputs.os.scandir", denied)
    with pytest.raises(UserError, match="cannot be read: Permission denied"):
        text_files(folder)


def test_an_editor_s_drafts_are_left_out_and_one_folder(folder: Path) -> None:
    for name in ("a.md~", ".a.md.swp", "~a.md"):
        (folder / name).write_text("1")
    (folder / "build").mkdir()
    os.mkfifo(folder / "build" / "pipe")
    assert [p.name for p in text_files(folder, "build")] == ["one.txt"]
