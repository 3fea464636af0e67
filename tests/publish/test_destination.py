"""Destinations that refuse, fill up, vanish, or are interrupted in the middle."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis import limits
from analysis.publish.local import LocalDestination, told
from tests.conftest import ROOT
from tests.publish.conftest import Publish
from tests.publish.killing import check_destination, current_page
from tests.publish.made_build import build_id, make_build

Said = pytest.CaptureFixture[str]
STEPS = ("kind", "names", "read", "target", "stage", "stage_link", "switch", "upload",
         "hashes", "rename", "remove")  # fmt: skip


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
            with told(self.root):
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
        monkeypatch.setattr("analysis.publish.verb.choose_destination", lambda _: made)
        return made

    return make


def three(tmp_path: Path, publish: Publish) -> list[str]:
    """Three releases, and a build to come."""
    ids = []
    for text in ("one", "two", "three", "four"):
        ids.append(build_id(make_build(tmp_path / "builds/small", text=text)))
        if text != "four":
            assert publish() == 0
    return ids


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
    ids = three(tmp_path, publish)
    pages = {(dest / f"releases/small/{id}/index.html").read_bytes() for id in ids[1:3]}
    pages.add((tmp_path / "builds/small/index.html").read_bytes())
    for after in (0, 3, 9, 12, 15, 17, 20, 22, 24):
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


def test_ctrl_c_of_a_process_is_one_line_and_130(
    tmp_path: Path, dest: Path, build: Path, publish: Publish
) -> None:
    with LocalDestination(dest).lock(0):
        process = subprocess.Popen(
            [sys.executable, "-c",
             "import sys; from analysis.cli import main; import analysis.publish.verb; "
             "print('ready', flush=True); sys.exit(main(sys.argv[1:]))",
             "publish", "--to", str(dest), "--builds", str(tmp_path / "builds"),
             "--report", str(tmp_path / "report")],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout and process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (130, b"interrupted\n")
    assert publish() == 0
    check_destination(dest)


@pytest.mark.parametrize("after", range(0, 24, 3))
def test_a_destination_that_vanishes_is_told(
    after: int,
    tmp_path: Path,
    dest: Path,
    publish: Publish,
    faulty: Callable[..., Faulty],
    capsys: Said,
) -> None:
    three(tmp_path, publish)
    faulty(after, lambda root: shutil.rmtree(root))
    capsys.readouterr()
    code = publish("--keep", "2")
    said = capsys.readouterr().err
    assert code == 0 or (said.startswith("error: ") and "\n  mend: " in said)


class Small(LocalDestination):
    """A folder that has room for two releases."""

    def upload(self, files: Any, path: str) -> None:
        """Copy all, or one file and then fail as a full disk does."""
        if len(os.listdir(self.root / "releases/small")) < 4:  # with current
            return super().upload(files, path)
        super().upload(dict(list(files.items())[:1]), path)
        with told(self.root):
            raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_destination_is_pruned_before_the_next_attempt(
    tmp_path: Path,
    dest: Path,
    publish: Publish,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Said,
) -> None:
    ids = three(tmp_path, publish)
    monkeypatch.setattr(
        "analysis.publish.verb.choose_destination", lambda _: Small(dest)
    )
    assert publish() == 2  # without --keep nothing may go
    assert (
        "make room there, or publish with a smaller --keep" in capsys.readouterr().err
    )
    check_destination(dest)
    assert publish("--rollback", ids[0]) == 0
    assert publish("--keep", "3") == 2  # the only surplus one is the current one
    assert (
        current_page(dest)
        == (dest / f"releases/small/{ids[0]}/index.html").read_bytes()
    )
    assert publish("--rollback", ids[2]) == 0
    capsys.readouterr()
    assert publish("--keep", "3") == 0
    assert f"small {ids[0]}: removed to make room" in capsys.readouterr().out
    assert set(os.listdir(dest / "releases/small")) == {*ids[1:], "current"}
    check_destination(dest)


def test_no_room_for_the_list_page_is_made_by_pruning_too(
    tmp_path: Path,
    dest: Path,
    publish: Publish,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Said,
) -> None:
    ids = three(tmp_path, publish)

    class Tight(LocalDestination):
        def stage(self, path: str, content: bytes) -> None:
            """Fail once the new release is there, until an old one is gone."""
            folder = self.root / "releases/small"
            if (folder / ids[3]).exists() and (folder / ids[0]).exists():
                with told(self.root):
                    raise OSError(errno.EDQUOT, "Disk quota exceeded")
            super().stage(path, content)

    monkeypatch.setattr(
        "analysis.publish.verb.choose_destination", lambda _: Tight(dest)
    )
    assert publish() == 2
    assert "disk quota exceeded" in capsys.readouterr().err
    assert publish("--keep", "2") == 0
    assert set(os.listdir(dest / "releases/small")) == {*ids[2:], "current"}
    check_destination(dest)


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
    three(tmp_path, publish)
    page = current_page(dest)
    for change in (
        lambda path: path.write_text("the next build"),
        lambda path: path.unlink(),
    ):
        make_build(tmp_path / "builds/small", text="four")

        class Changing(LocalDestination):
            def upload(self, files: Any, path: str) -> None:
                change(tmp_path / "builds/small/index.html")  # noqa: B023
                super().upload(files, path)

        monkeypatch.setattr(
            "analysis.publish.verb.choose_destination", lambda _, c=Changing: c(dest)
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
    three(tmp_path, publish)
    (dest / "index.html").write_text("the home page of another team")
    assert publish("--rollback") == 2
    assert "a page that is not ours" in capsys.readouterr().err
    assert (dest / "index.html").read_text() == "the home page of another team"


def test_foreign_files_among_the_releases_stay(
    tmp_path: Path, dest: Path, publish: Publish
) -> None:
    three(tmp_path, publish)
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
    ids = three(tmp_path, publish)
    folder = dest / "releases/small" / ids[0]
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert publish("--rollback", ids[0]) == 2
    assert "this release is damaged: it is no folder" in capsys.readouterr().err
    assert publish("--list") == 1


def test_very_many_releases(
    tmp_path: Path, dest: Path, publish: Publish, capsys: Said
) -> None:
    import json

    ids = three(tmp_path, publish)
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


def test_a_document_of_any_length_is_not_read_whole(
    tmp_path: Path, dest: Path, publish: Publish, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = three(tmp_path, publish)
    monkeypatch.setattr(limits, "DOCUMENT_BYTES", 100)
    path = f"releases/small/{ids[0]}/index.html"
    assert len(LocalDestination(dest).read([path])[path]) == 101
