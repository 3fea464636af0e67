"""A campaign's files read in parts: what is kept equals what is read anew."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.files.hashes import campaign_state
from analysis.ingest import read_all as module
from analysis.ingest import store
from analysis.ingest.detect import read_file
from analysis.ingest.read_all import (
    ALONE,
    FileReader,
    KeptParts,
    PartCache,
    read_all,
    read_part,
    split,
    write_part,
)
from analysis.ingest.reading import Reading
from analysis.ingest.tables.store import stack
from tests.ingest.conftest import FILES_PER_RUN, CampaignFolder

Readings = dict[str, Reading]
MAPPING = """\
table: device_interval
start: {{column: When}}
seconds: 60
columns:
  system: srv
  device: {{column: Disk}}
  rate: {{column: Rate, factor: {factor}}}
"""
GOLDEN = Path(__file__).parents[1] / "golden"


def readings_of(paths: list[Path]) -> dict[str, Reading]:
    found = {}
    for path in paths:
        try:
            found[str(path)] = read_file(path, "UTC")
        except UserError:
            continue
    return found


def assert_same(kept: Reading, read: Reading, file: str) -> None:
    bare = {"results": [], "tables": {}, "details": {}}
    assert replace(kept, **bare) == replace(read, **bare), file
    assert kept.results == read.results, file
    assert kept.tables.keys() == read.tables.keys(), file
    for name, rows in read.tables.items():
        assert kept.tables[name].equals(stack(name, [rows])), (file, name)


def test_what_is_kept_of_every_format_is_what_was_read(tmp_path: Path) -> None:
    read = readings_of(sorted(p for p in GOLDEN.rglob("*") if p.is_file()))
    assert len({reading.format for reading in read.values()}) > 30
    assert {"truncated", "failed"} <= {reading.status for reading in read.values()}
    write_part(read, tmp_path)
    kept = read_part(tmp_path)
    assert kept is not None
    assert kept.keys() == read.keys()
    for file, reading in read.items():
        assert_same(kept[file], reading, file)


def test_rows_and_results_in_pieces_come_back_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ROWS", 3)
    for path in sorted(p for p in GOLDEN.glob("*/*") if p.is_file()):
        read = readings_of([path])
        for file, reading in read.items():
            place = Path(tempfile.mkdtemp(dir=tmp_path))
            write_part(read, place)
            kept = (read_part(place) or {})[file]
            assert kept.results == reading.results
            for name, rows in reading.tables.items():
                assert kept.tables[name].equals(stack(name, [rows]))


def test_a_damaged_part_is_none(tmp_path: Path) -> None:
    read = readings_of(sorted((GOLDEN / "mpstat").iterdir()))
    for damage in ("files.jsonl", "cpu_interval.0.arrow"):
        place = Path(tempfile.mkdtemp(dir=tmp_path))
        write_part(read, place)
        path = place / damage
        data = path.read_bytes()
        for left in (b"", data[: len(data) // 2], data.replace(b'"kinds"', b'"minds"')):
            path.write_bytes(left)
            assert left == data or read_part(place) is None, damage
    assert read_part(tmp_path / "absent") is None


def test_a_file_more_changes_one_part() -> None:
    sizes = {f"logs/{nth}.txt": 100 for nth in range(1000)}
    before, after = split(sizes), split(sizes | {"logs/new.txt": 100})
    assert len(before) == len(after) == 4
    changed = [a for a, b in zip(after, before, strict=True) if a != b]
    assert len(changed) == 1
    assert sorted(f for part in after for f in part.sizes) == sorted(
        [*sizes, "logs/new.txt"]
    )
    assert max(len(part.sizes) for part in after) < 350


def test_a_dump_is_a_part_by_itself() -> None:
    parts = split({"a": 1, "b": ALONE, "c": 2, "d": ALONE + 1})
    assert sorted(map(list, [part.sizes for part in parts])) == [
        ["a", "c"],
        ["b"],
        ["d"],
    ]


def test_files_of_many_bytes_are_several_parts() -> None:
    sizes = {f"{nth}.txt": ALONE // 2 for nth in range(40)}
    assert 10 < len(split(sizes)) <= 32


def kept_in(folder: Path) -> PartCache:
    return PartCache(folder / "cache", "code", folder / "digests")


class Watched:
    """The parts of a campaign, several of them, and which files were read."""

    def __init__(self, campaign: Path, folder: Path) -> None:
        self.campaign = campaign
        self.folder = folder
        self.told: list[str] = []

    def read(
        self, files: Mapping[str, str], dates: str | None = None, code: str = "code"
    ) -> dict[str, Reading]:
        self.told = []
        cache, state = PartCache(self.folder, code), campaign_state(self.campaign)
        reader = FileReader(self.campaign, "UTC", dates)
        return read_all(reader, files, kept=KeptParts(cache, state, files))


@pytest.fixture
def watched(
    folder: CampaignFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Watched:
    campaign = Watched(folder.path, tmp_path / "parts")

    def note_and_read(path: Path, *zone: str, **more: str) -> Reading:
        campaign.told.append(path.relative_to(folder.path).as_posix())
        return read_file(path, *zone, **more)

    monkeypatch.setattr(module, "read_file", note_and_read)
    monkeypatch.setattr(module, "split", partial(split, most=FILES_PER_RUN + 1))
    return campaign


def hashes(folder: CampaignFolder) -> dict[str, str]:
    lines = (folder.path / "SHA256SUMS").read_text().splitlines()
    return {line[66:]: line[:64] for line in lines}


def test_only_parts_that_changed_are_read(
    folder: CampaignFolder, watched: Watched
) -> None:
    files = hashes(folder)
    whole = watched.read(files)
    assert sorted(watched.told) == sorted(files)
    again = watched.read(files)
    assert watched.told == []
    assert again.keys() == whole.keys()
    for file in files:
        assert_same(again[file], whole[file], file)
    changed = next(file for file in files if file.endswith("client.txt"))
    (folder.path / changed).write_text("nothing that is known")
    told = watched.read(files | {changed: "0" * 64})
    assert changed in watched.told
    assert len(watched.told) < len(files)
    assert told[changed].status == "failed"


@pytest.mark.parametrize(("dates", "code"), [(None, "other"), ("dmy", "code")])
def test_all_is_read_anew_by_other_code_or_another_clock(
    folder: CampaignFolder, watched: Watched, dates: str | None, code: str
) -> None:
    watched.read(hashes(folder))
    watched.read(hashes(folder), dates, code)
    assert sorted(watched.told) == sorted(hashes(folder))


def test_what_changed_while_it_was_read_is_not_kept(
    folder: CampaignFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change_and_read(path: Path, *zone: str, **more: str) -> Reading:
        path.touch()
        return read_file(path, *zone, **more)

    monkeypatch.setattr(module, "read_file", change_and_read)
    monkeypatch.setattr(module, "KEPT_BYTES", 0)
    with pytest.raises(UserError, match="changed while they were read"):
        store.ingest(folder.path, kept_in(tmp_path))
    assert list((tmp_path / "cache").glob("parts/*")) == []


def test_a_small_campaign_keeps_nothing(folder: CampaignFolder, tmp_path: Path) -> None:
    store.ingest(folder.path, kept_in(tmp_path))
    assert not (tmp_path / "cache").exists()


def test_tables_of_parts_are_those_of_the_whole(
    folder: CampaignFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEPT_BYTES", 0)
    whole = store.ingest(folder.path)
    for _ in range(2):
        tables = store.ingest(folder.path, kept_in(tmp_path))
        assert tables.keys() == whole.keys()
        assert all(rows.equals(whole[name]) for name, rows in tables.items())


def test_what_is_read_by_a_mapping_is_read_anew_by_another_one(
    folder: CampaignFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEPT_BYTES", 0)
    logs = folder.path / "runs.csv"
    named, first, *rest = logs.read_text("utf-8").splitlines()
    place = first.rpartition(",")[2].partition("/meta.json")[0]
    table = folder.path / place / "disks.csv"
    table.write_text("When,Disk,Rate\n2026-03-02 10:00:00,0A00,5\n", "utf-8")
    told = [named, f"{first};{place}/disks.csv", *rest, ""]
    logs.write_text("\n".join(told), "utf-8")
    for beside in ("disks.csv.mapping.yaml", "csv.mapping.yaml"):
        for factor in (1, 60):
            mapping = MAPPING.format(factor=factor)
            (table.parent / beside).write_text(mapping, "utf-8")
            folder.sign()
            tables = store.ingest(folder.path, kept_in(tmp_path))
            assert tables["device_interval"]["rate"].to_list() == [5.0 * factor]
        (table.parent / beside).unlink()
