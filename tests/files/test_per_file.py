"""What was computed of a file is kept as long as the file is the same."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.files import hashes
from analysis.files.hashes import hash_file, per_file


def texts(path: Path, cache: Path) -> str:
    return per_file([path], read, cache)[path]


def read(path: Path) -> str:
    return path.read_text()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.txt"
    path.write_text("one")
    return path


def test_two_edits_within_a_tick_of_the_clock_are_both_seen(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a coarse clock has it: all that a file's state tells is the same."""
    state = hashes.state_of(file)
    monkeypatch.setattr(hashes, "state_of", lambda path: state)
    assert texts(file, tmp_path / "cache") == "one"
    file.write_text("two")
    assert texts(file, tmp_path / "cache") == "two"


def test_a_file_that_has_settled_is_read_once(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hashes, "_TICK_NS", -(10**12))
    state = hashes.state_of(file)
    monkeypatch.setattr(hashes, "state_of", lambda path: state)
    assert texts(file, tmp_path / "cache") == "one"
    file.write_text("two")
    assert texts(file, tmp_path / "cache") == "one"


def test_a_pipe_and_a_device_do_not_hold_it_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for name, kind in (("pipe", "named pipe"), ("zero", "device")):
        with pytest.raises(UserError, match=f"this is a {kind}"):
            hash_file(tmp_path / name)


def test_a_file_of_holes_is_refused_unread(tmp_path: Path) -> None:
    with open(tmp_path / "huge", "wb") as file:
        file.truncate(2**40)
    with pytest.raises(UserError, match="INPUT_BYTES"):
        hash_file(tmp_path / "huge")


def test_a_file_that_may_not_be_read_is_told(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(hashes.os, "open", denied)
    with pytest.raises(UserError, match=r"a\.txt: cannot be read: Permission denied"):
        hash_file(file)


def test_a_cache_that_cannot_be_written_costs_time_alone(
    file: Path, tmp_path: Path
) -> None:
    (tmp_path / "cache").mkdir()
    assert texts(file, tmp_path / "cache") == "one"
    assert texts(file, file / "below-a-file") == "one"
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", "cache"}
