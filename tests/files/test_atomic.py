"""Files and folders that take the place of others in one step."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from analysis.files import atomic
from analysis.files.atomic import (
    fresh_folder,
    put_folder,
    remove_folder,
    whole_file,
    whole_folder,
)

NAMES = ("a.txt", "b/c.txt", "manifest.json")


def fill(folder: Path, text: str) -> None:
    for name in NAMES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def texts(folder: Path) -> set[str]:
    return {(folder / name).read_text() for name in NAMES}


@pytest.fixture(params=["exchange", "two renames"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "two renames":
        monkeypatch.setattr(atomic, "_exchange", lambda *_: False)
    return str(request.param)


def test_a_folder_takes_the_place_of_another(way: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for text in ("one", "two"):
        with whole_folder(out) as draft:
            fill(draft, text)
        assert texts(out) == {text}
    assert os.listdir(tmp_path) == ["out"]


def test_a_block_that_fails_leaves_the_old_folder(way: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    fill(out, "old")
    with pytest.raises(OSError), whole_folder(out) as draft:
        fill(draft, "new")
        raise OSError(errno.ENOSPC, "No space left on device")
    assert texts(out) == {"old"}


def test_after_a_kill_between_two_renames_the_old_folder_comes_back(
    tmp_path: Path,
) -> None:
    out = tmp_path / "out"
    fill(tmp_path / ".out.old", "old")
    fill(tmp_path / ".out.part", "new")
    draft = fresh_folder(out)
    assert texts(out) == {"old"}
    assert os.listdir(draft) == []


def test_a_reader_meets_one_folder_or_the_other_whole(tmp_path: Path) -> None:
    out, stop = tmp_path / "out", threading.Event()
    fill(out, "0")
    seen: list[set[str]] = []

    def read() -> None:
        while not stop.is_set():
            folder = os.open(out, os.O_RDONLY)  # as one look at it
            seen.append({open_at(folder, name) for name in NAMES})
            os.close(folder)

    def open_at(folder: int, name: str) -> str:
        try:
            file = os.open(name, os.O_RDONLY, dir_fd=folder)
        except FileNotFoundError:
            return "gone"  # the old folder is removed while it is read
        try:
            return os.read(file, 9).decode()
        finally:
            os.close(file)

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(1, 60):
        with whole_folder(out) as draft:
            fill(draft, str(number))
        assert texts(out) == {str(number)}
    stop.set()
    reader.join()
    assert all(len(found - {"gone"}) <= 1 for found in seen)


KILLED = """
import os, signal, sys
from pathlib import Path
from analysis.files import atomic
calls = iter(range(int(sys.argv[2]) + 1))
def stop_at(event, args):
    if event in ("os.rename", "os.mkdir", "shutil.rmtree", "os.remove", "os.rmdir"):
        if next(calls, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(stop_at)
if sys.argv[3] == "two renames":
    atomic._exchange = lambda *_: False
from tests.files.test_atomic import fill
with atomic.whole_folder(Path(sys.argv[1])) as draft:
    fill(draft, "new")
"""


@pytest.mark.parametrize("after", [0, 2, 4, 6])
@pytest.mark.parametrize("how", ["exchange", "two renames"])
def test_a_kill_leaves_the_old_folder_or_the_new(
    tmp_path: Path, after: int, how: str, root: Path
) -> None:
    out = tmp_path / "out"
    fill(out, "old")
    command = [sys.executable, "-c", KILLED, str(out), str(after), how]
    subprocess.run(command, cwd=root, check=False, timeout=60)
    if how == "two renames":
        remove_folder(fresh_folder(out))
    assert texts(out) in ({"old"}, {"new"})


def test_where_nothing_was_it_is_put(tmp_path: Path) -> None:
    draft = fresh_folder(tmp_path / "deep" / "out")
    fill(draft, "new")
    put_folder(draft, tmp_path / "deep" / "out")
    assert texts(tmp_path / "deep" / "out") == {"new"}


def test_an_error_of_the_exchange_is_told(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(OSError, match="No such file"):
        put_folder(tmp_path / "absent", tmp_path / "out")


def test_a_file_whose_block_fails_stays_as_it_was(tmp_path):
    path = tmp_path / "facts.json"
    path.write_text("before")
    with pytest.raises(ValueError), whole_file(path) as draft:
        draft.write_text("half")
        raise ValueError
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_killed_run_s_draft_is_written_over(tmp_path):
    path = tmp_path / "facts.json"
    with whole_file(path) as draft:
        draft.write_text("first")
    draft.write_text("half")
    with whole_file(path) as draft:
        assert not draft.exists()
        draft.write_text("second")
    assert path.read_text() == "second"
    assert list(tmp_path.iterdir()) == [path]


def test_rivals_have_drafts_of_their_own(tmp_path):
    path = tmp_path / "kept"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: write(path, number), range(200)))
    assert path.read_text() in {str(number) * 1000 for number in range(200)}
    assert list(tmp_path.iterdir()) == [path]


def write(path, number):
    with whole_file(path, rivals=True) as draft:
        draft.write_text(str(number) * 1000)
