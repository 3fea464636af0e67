"""What is put in place and taken away, in a folder of this machine."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from analysis.errors import UserError
from analysis.publish import publication
from analysis.publish.bundle import Bundle
from analysis.publish.local import LocalDestination
from analysis.publish.place import place_release, remove_left
from analysis.publish.release import Release, Shelf
from analysis.publish.remote import _started
from tests.publish.test_bundle import sha


def test_what_was_left_half_done_goes_and_nothing_else(tmp_path: Path) -> None:
    left = [
        ".index.html.part", ".feed.xml.part", "releases/small/.1a2b3c.part",
        "releases/small/.current.part", "releases/small/current/.index.html.part",
        "changes/small/.1a2b3c.html.part",
    ]  # fmt: skip
    kept = [
        ".publish.lock", ".other.part", "releases/small/1a2b3c", "changes/small/x.html",
        "releases/.odd/.1a2b3c.part", "releases/small/.1a.part",
    ]  # fmt: skip
    for name in (*left, *kept):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    remove_left(LocalDestination(tmp_path))
    assert [name for name in left if (tmp_path / name).exists()] == []
    assert [name for name in kept if not (tmp_path / name).exists()] == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda path: None, "what arrived is not what was sent"),
        (lambda path: path.write_text("new"), "the build changed while it was"),
        (lambda path: path.unlink(), "the build changed while it was"),
    ],
)
def test_a_failed_copy_is_removed_and_says_whose_fault_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Any, said: str
) -> None:
    source = tmp_path / "page"
    source.write_text("page")
    bundle = Bundle("small", "1a2b3c", {"a": source}, {"a": sha("page")}, {})
    shelf = LocalDestination(tmp_path / "www")
    upload = LocalDestination.upload

    def damaged(self: Any, files: Any, path: str) -> None:
        upload(self, files, path)
        (shelf.root / path / "a").write_text("other")
        change(source)

    monkeypatch.setattr(LocalDestination, "upload", damaged)
    shelf.root.mkdir()
    with pytest.raises(UserError, match=said):
        place_release(shelf, bundle, {})
    assert os.listdir(shelf.root / "releases/small") == []
    monkeypatch.undo()
    source.write_text("page")
    place_release(shelf, bundle, {"x": 1})
    place = shelf.root / "releases/small/1a2b3c"
    assert (place / "a").read_text() == "page"
    assert (place / "release.json").read_text() == '{\n "x": 1\n}'


def test_a_file_is_on_the_disk_before_it_is_in_place(
    tmp_path: Path, monkeypatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr("analysis.publish.local.os.fsync", synced.append)
    LocalDestination(tmp_path).stage("a/b", b"x")
    assert len(synced) == 1
    staged = tmp_path / "a/.b.part"
    assert staged.read_bytes() == b"x"
    assert oct(staged.stat().st_mode)[-3:] == "644"
    assert oct(staged.parent.stat().st_mode)[-3:] == "755"


@pytest.mark.parametrize("current", [True, False])
def test_a_shelf_is_shown_with_a_pointer_to_the_current_one(
    tmp_path, monkeypatch, current
) -> None:
    told: list[Any] = []
    release = Release("small", "1a", {"files": {}})
    made = release if current else None
    monkeypatch.setattr(publication, "show", lambda *given: told.extend(given))
    monkeypatch.setattr(publication, "font_css", lambda: "")
    monkeypatch.setattr(publication, "list_page", lambda *_: b"list")
    monkeypatch.setattr(publication, "feed", lambda *_: b"feed")
    monkeypatch.setattr(publication, "pointer_page", lambda to, _: to.id.encode())
    monkeypatch.setattr(publication, "_sections", lambda *_: {})
    shelf, dest = Shelf((), {}), LocalDestination(tmp_path)
    publication.show_shelf(dest, shelf, Path(), made)
    assert told == [dest, b"list", made, b"1a" if current else b"", b"feed"]


def test_a_program_ends_with_its_block() -> None:
    begun = time.monotonic()
    with _started(["sleep", "30"]) as process:
        pass
    assert process.returncode and time.monotonic() - begun < 20
    with _started(["true"]) as ended:
        ended.wait()
    assert ended.returncode == 0


@pytest.mark.parametrize("wait", [0.0, 0.2])
def test_one_waits_as_long_as_was_asked_for_who_publishes(tmp_path, wait) -> None:
    begun = time.monotonic()
    one, other = LocalDestination(tmp_path), LocalDestination(tmp_path)
    with one.lock(0), pytest.raises(UserError) as caught, other.lock(wait):
        pytest.fail("two publish at once")
    assert f"waited {wait:g} s" in str(caught.value)
    assert time.monotonic() - begun >= wait
    with LocalDestination(tmp_path).lock(0):
        assert (tmp_path / ".publish.lock").read_bytes() == b""
