"""What is put in place, in a folder of this machine."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.publish.destination import LocalDestination, _started


def test_a_file_is_on_the_disk_before_it_is_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr("analysis.publish.destination.os.fsync", synced.append)
    (tmp_path / "source").write_text("x")
    dest = LocalDestination(tmp_path)
    dest.upload({"b": tmp_path / "source"}, "a")
    dest.move([("a/b", "c/d")])
    assert len(synced) == 1
    placed = tmp_path / "c/d"
    assert placed.read_bytes() == b"x" and not list((tmp_path / "a").iterdir())
    assert oct(placed.stat().st_mode)[-3:] == "644"
    assert oct(placed.parent.stat().st_mode)[-3:] == "755"


def test_a_folder_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    for name in ("a/x", "b/y"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).touch()
    with pytest.raises(UserError, match="directory not empty"):
        LocalDestination(tmp_path).move([("a", "b")])
    assert (tmp_path / "b/y").exists()


def test_a_program_ends_with_its_block() -> None:
    begun = time.monotonic()
    with pytest.raises(KeyError), _started(["sleep", "30"]) as process:
        raise KeyError
    assert process.returncode and time.monotonic() - begun < 20
    with _started(["cat"]) as ended:
        pass
    assert ended.returncode == 0


@pytest.mark.parametrize("wait", [0.0, 0.2])
def test_one_waits_as_long_as_was_asked_for_who_publishes(
    tmp_path: Path, wait: float
) -> None:
    begun = time.monotonic()
    one, other = LocalDestination(tmp_path), LocalDestination(tmp_path)
    with one.lock(0), pytest.raises(UserError) as caught, other.lock(wait):
        pytest.fail("two publish at once")
    assert f"waited {wait:g} s" in str(caught.value)
    assert time.monotonic() - begun >= wait
    with LocalDestination(tmp_path).lock(0):
        pass
