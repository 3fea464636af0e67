"""Destinations of every kind, with what is there already."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.files import limits
from analysis.publish.destination import LocalDestination
from tests.publish.conftest import Publish, publish_three
from tests.publish.killing import check_destination, current_page
from tests.publish.made_build import make_build

Said = pytest.CaptureFixture[str]


@pytest.mark.parametrize("verb", [(), ("--list",), ("--rollback",)])
@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.write_text("a file"),
        lambda path: path.symlink_to(path.name),
        lambda path: os.mkfifo(path),
        lambda path: path.symlink_to("/nonesuch/deeper"),
    ],
    ids=["a file", "a loop", "a pipe", "a dangling link"],
)
def test_a_destination_that_is_no_folder_is_told(
    make: Callable[[Path], None],
    verb: tuple[str, ...],
    build: Path,
    dest: Path,
    publish: Publish,
    capsys: Said,
) -> None:
    make(dest)
    code = publish(*verb)
    err = capsys.readouterr().err
    if verb == ("--list",):
        assert code in (0, 2) and "Traceback" not in err
    else:
        assert code == 2 and err.startswith("error: ") and "\n  mend: " in err
    assert not dest.is_dir()


def test_a_destination_behind_a_link_is_one(
    tmp_path: Path, build: Path, dest: Path, publish: Publish
) -> None:
    (tmp_path / "behind").mkdir()
    dest.symlink_to("behind")
    assert publish() == 0
    check_destination(tmp_path / "behind")


def test_a_build_that_changes_while_it_is_published_is_told(
    tmp_path: Path,
    dest: Path,
    publish: Publish,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Said,
) -> None:
    publish_three(tmp_path, publish)
    page = current_page(dest)
    for change in (
        lambda path: path.write_text("the next build"),
        lambda path: path.unlink(),
    ):
        make_build(tmp_path / "builds/small", text="four")

        class Changing(LocalDestination):
            def upload(self, files: Any, folder: str) -> None:
                change(tmp_path / "builds/small/index.html")  # noqa: B023
                super().upload(files, folder)

        monkeypatch.setattr(
            "analysis.publish.verb.choose_destination", lambda *_, c=Changing: c(dest)
        )
        assert publish() == 2
        assert "the build changed while it was published" in capsys.readouterr().err
        assert current_page(dest) == page
        check_destination(dest)


def test_nothing_is_made_where_there_is_nothing_to_roll_back(
    dest: Path, build: Path, publish: Publish, capsys: Said
) -> None:
    assert publish("--rollback") == 2
    assert publish("--rollback", "--dry-run") == 2
    assert publish("--list") == 0
    assert not dest.exists()


def test_a_rollback_leaves_foreign_pages_alone(
    tmp_path: Path, dest: Path, publish: Publish, capsys: Said
) -> None:
    publish_three(tmp_path, publish)
    (dest / "index.html").write_text("the home page of another team")
    assert publish("--rollback") == 2
    assert "a page that is not ours" in capsys.readouterr().err
    assert (dest / "index.html").read_text() == "the home page of another team"


def test_foreign_files_among_the_releases_stay(
    tmp_path: Path, dest: Path, publish: Publish
) -> None:
    publish_three(tmp_path, publish)
    kept = [
        dest / "releases/small/notes.txt", dest / "releases/small/.hidden.part",
        dest / ".mine.part", dest / "releases/Other Team/x", dest / "releases/a.txt",
    ]  # fmt: skip
    for path in kept:
        path.parent.mkdir(exist_ok=True)
        path.write_text("ours")
    assert publish("--keep", "1") == publish("--list") == 0
    assert all(path.read_text() == "ours" for path in kept)


def test_a_release_that_became_a_link_is_damaged(
    tmp_path: Path, dest: Path, publish: Publish, capsys: Said
) -> None:
    ids = publish_three(tmp_path, publish)
    folder = dest / "releases/small" / ids[0]
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert publish("--rollback", ids[0]) == 2
    assert "this release is damaged: it is no folder" in capsys.readouterr().err
    assert publish("--list") == 1


def test_very_many_releases(
    tmp_path: Path, dest: Path, publish: Publish, capsys: Said
) -> None:
    ids = publish_three(tmp_path, publish)
    source = dest / "releases/small" / ids[0]
    for number in range(100):
        copy = source.with_name(f"{number:012x}")
        shutil.copytree(source, copy)
        about = json.loads((copy / "release.json").read_text())
        about |= {"build": copy.name, "sequence": 10 + number}
        (copy / "release.json").write_text(json.dumps(about))
    assert publish("--keep", "5") == 0
    left = set(os.listdir(dest / "releases/small")) - {"current"}
    assert left == {ids[3], *(f"{n:012x}" for n in range(96, 100))}
    check_destination(dest)


def test_a_document_that_is_too_long_is_not_read(
    tmp_path: Path, dest: Path, publish: Publish, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = publish_three(tmp_path, publish)
    monkeypatch.setattr(limits, "DOCUMENT_BYTES", 100)
    path = f"releases/small/{ids[0]}/index.html"
    assert LocalDestination(dest).read([path]) == {}
