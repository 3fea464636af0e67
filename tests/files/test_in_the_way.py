"""A file where a folder belongs, and the other way round: among drafts and told."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

import pytest

from analysis.errors import as_user_error
from analysis.files.atomic import name_file, remove_folder, whole_file, whole_folder


def test_a_folder_takes_the_place_of_a_file_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with whole_folder(tmp_path / "out") as draft:
        (draft / "a").write_text("a")
    assert [path.name for path in tmp_path.rglob("*")] == ["out", "a"]


@pytest.mark.parametrize("name", [".out.part", ".out.old"])
def test_a_file_by_the_name_of_a_draft_is_removed(name: str, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / name).write_text("a file")
    with whole_folder(tmp_path / "out") as draft:
        (draft / "a").write_text("a")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_folder_by_the_name_of_a_draft_is_removed(tmp_path: Path) -> None:
    (tmp_path / ".out.part/within").mkdir(parents=True)
    with whole_file(tmp_path / "out") as draft:
        draft.write_text("a")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_links_are_removed_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("kept")
    for name, to in (("one", "kept"), ("other", "nowhere"), ("circle", "circle")):
        (tmp_path / name).symlink_to(to)
        remove_folder(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_a_file_where_a_folder_belongs_is_named(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("a file")
    with pytest.raises(OSError) as reading:
        (tmp_path / "kept/a/b.json").read_text()
    with pytest.raises(OSError) as making:
        (tmp_path / "kept").mkdir()
    for caught in (reading, making):
        assert str(as_user_error(caught.value)) == (
            f"{tmp_path}/kept: is a file, where a folder belongs\n"
            "  mend: move it away, or name another place"
        )


def test_a_folder_where_a_file_belongs_is_named(tmp_path: Path) -> None:
    (tmp_path / "facts.json").mkdir()
    with pytest.raises(OSError) as caught, whole_file(tmp_path / "facts.json") as draft:
        draft.write_text("a")
    assert "/facts.json: is a folder, where a file belongs" in str(
        as_user_error(caught.value)
    )


@pytest.mark.parametrize(
    ("number", "mend"),
    [(errno.EMFILE, "ulimit -n"), (errno.ENOSPC, "make room"), (errno.EROFS, "mount")],
)
def test_what_is_short_is_named(number: int, mend: str) -> None:
    assert (
        mend
        in str(as_user_error(OSError(number, "Failed", "a.json"))).split("mend: ")[1]
    )


def test_an_error_of_a_library_has_its_mend() -> None:
    error = OSError("No space left on device (os error 28)")
    name_file(error, Path("rows.arrow"))
    assert str(as_user_error(error)) == (
        "rows.arrow: no space left on device (os error 28)\n"
        "  mend: make room on the disk that holds it"
    )


def test_of_many_files_that_cannot_be_copied_the_first_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "from").mkdir()
    for name in ("a", "b"):
        (tmp_path / "from" / name).write_text(name)

    def full(_: str, target: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", target)

    with pytest.raises(shutil.Error) as caught:
        shutil.copytree(tmp_path / "from", tmp_path / "to", copy_function=full)
    assert str(as_user_error(caught.value)) in [
        f"{tmp_path}/to/{name}: no space left on device\n"
        "  mend: make room on the disk that holds it"
        for name in ("a", "b")
    ]
