"""Folders of tests are in memory only where there is room for them."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import in_memory


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a system with just enough tells of its memory."""
    free = SimpleNamespace(free=in_memory.ROOM)
    monkeypatch.setattr("shutil.disk_usage", lambda _: free)
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_flag=0))
    path = tmp_path / "meminfo"
    path.write_text(f"MemFree: 1 kB\nMemAvailable: {in_memory.ROOM // 1024} kB\n")
    return path


def test_memory_with_room_is_taken(told: Path, tmp_path: Path) -> None:
    assert in_memory.place(tmp_path, told) == tmp_path


def test_it_is_left_where_memory_is_short(told: Path, tmp_path: Path) -> None:
    told.write_text(f"MemAvailable: {in_memory.ROOM // 1024 - 1} kB\n")
    assert in_memory.place(tmp_path, told) is None


def test_it_is_left_where_the_place_is_small(
    told: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = SimpleNamespace(free=in_memory.ROOM - 1)
    monkeypatch.setattr("shutil.disk_usage", lambda _: free)
    assert in_memory.place(tmp_path, told) is None


def test_it_is_left_where_no_program_may_run(
    told: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flags = SimpleNamespace(f_flag=os.ST_NOEXEC)
    monkeypatch.setattr(os, "statvfs", lambda _: flags)
    assert in_memory.place(tmp_path, told) is None


def test_it_is_left_where_there_is_none(told: Path, tmp_path: Path) -> None:
    assert in_memory.place(tmp_path / "absent", told) is None
    assert in_memory.place(tmp_path, tmp_path / "absent") is None


def test_a_place_that_was_asked_for_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_memory, "place", lambda: Path("/memory"))
    monkeypatch.setenv(in_memory.NAME, str(tmp_path))
    in_memory.prefer()
    assert os.environ[in_memory.NAME] == str(tmp_path)
    monkeypatch.delenv(in_memory.NAME)
    in_memory.prefer()
    assert os.environ[in_memory.NAME] == "/memory"
