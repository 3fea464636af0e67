"""A reading that is killed or fails goes on where it was: no row twice, none lost."""

from __future__ import annotations

import errno
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from analysis.errors import UserError, as_user_error
from analysis.ingest import read_all, store
from analysis.ingest.joining.assign import Frames
from analysis.ingest.read_all import PartCache, read_file, split
from analysis.ingest.reading import Reading
from tests.ingest.conftest import FILES_PER_RUN, RUNS, CampaignFolder

KILLED = """
import os, signal, sys
from pathlib import Path
import polars
from analysis.ingest import read_all, store
campaign, parts, after = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
read_all.KEPT_BYTES, split = 0, read_all.split
read_all.split = lambda sizes, _: split(sizes, most=len(sizes) // 3)
writes, write = iter(range(1000)), polars.DataFrame.write_ipc
def die_or_write(*of, **by):
    if next(writes) == after:
        os.kill(os.getpid(), signal.SIGKILL)
    return write(*of, **by)
polars.DataFrame.write_ipc = die_or_write
store.ingest(campaign, read_all.PartCache(parts, "code", parts.parent / "digests"))
"""
PARTS = 4


@pytest.fixture(autouse=True)
def four_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_all, "KEPT_BYTES", 0)
    monkeypatch.setattr(read_all, "split", lambda s, _: split(s, most=len(s) // 3))


class Campaign:
    """Reads a campaign with its parts, and counts the files that it reads anew."""

    def __init__(self, campaign: Path, parts: Path, patch: pytest.MonkeyPatch) -> None:
        self.campaign, self.cache, self.patch = campaign, parts, patch
        self.before: Callable[[Path], object] = lambda _: None

    def read(self) -> tuple[Frames, int]:
        files: list[Path] = []

        def note_and_read(path: Path, *zone: str, **more: str) -> Reading:
            self.before(path)
            files.append(path)
            return read_file(path, *zone, **more)

        self.patch.setattr(read_all, "read_file", note_and_read)
        by = PartCache(self.cache, "code", self.cache.parent / "digests")
        return store.ingest(self.campaign, by), len(files)

    def check_resumed(self, at_most: int) -> None:
        """What is read now is what a reading without parts gives."""
        whole, every = store.ingest(self.campaign), len(RUNS) * FILES_PER_RUN
        found, again = self.read()
        assert 0 < again <= at_most < every
        assert found["source"].height == found["source"]["file"].n_unique() == every
        assert found["run"].height == len(RUNS)
        assert {name: rows.height for name, rows in found.items()} == {
            name: rows.height for name, rows in whole.items()
        }
        assert all(found[name].equals(rows) for name, rows in whole.items())
        assert len([*self.cache.glob("parts/[!.]*")]) == PARTS  # no draft is left
        assert self.read()[1] == 0


@pytest.fixture
def reader(
    folder: CampaignFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Campaign:
    return Campaign(folder.path, tmp_path / "parts", monkeypatch)


def test_one_killed_in_the_middle_of_a_part_goes_on(reader: Campaign) -> None:
    after = "7"  # tables, in the middle of the second part or of the third
    command = [sys.executable, "-c", KILLED, reader.campaign, reader.cache, after]
    done = subprocess.run(command, check=False)
    assert done.returncode == -signal.SIGKILL
    whole = [*reader.cache.glob("parts/[!.]*")]
    halves = [*reader.cache.glob("parts/.*.part")]
    assert 0 < len(whole) < PARTS
    assert len(halves) == 1
    reader.check_resumed(at_most=16)


def test_a_full_disk_costs_time_alone_and_what_was_kept_before_stays(
    reader: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes, write = iter(range(1000)), pl.DataFrame.write_ipc

    def write_till_full(*of: object, **by: object) -> None:
        if next(writes) >= 7:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(*of, **by)

    with monkeypatch.context() as full:
        full.setattr(pl.DataFrame, "write_ipc", write_till_full)
        assert reader.read()[0]["run"].height == len(RUNS)
    assert not [*reader.cache.glob("parts/.*")]  # a draft would take the room
    reader.check_resumed(at_most=16)


def test_a_file_that_vanishes_is_told_and_its_part_is_read_again(
    reader: Campaign, folder: CampaignFolder
) -> None:
    away = folder.path.parent / "away"
    gone: list[Path] = []

    def take_away(path: Path) -> None:
        if len([*reader.cache.glob("parts/[!.]*")]) == 1 and not gone:
            gone.append(path)
            path.rename(away)

    reader.before = take_away
    with pytest.raises(OSError, match="No such file") as error:
        reader.read()
    assert str(gone[0]) in str(as_user_error(error.value))
    assert len([*reader.cache.glob("parts/[!.]*")]) >= 1
    with pytest.raises(UserError, match="does not exist"):
        reader.read()
    away.rename(gone[0])
    reader.check_resumed(at_most=16)
