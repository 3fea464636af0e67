"""Large tables that are kept are those that would be made anew."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from analysis.errors import UserError
from analysis.files.checksums import SUMS_FILE, checksums_text
from analysis.ingest import judge, verb
from analysis.ingest.files import hash_files, list_files
from analysis.ingest.joining import apart, large, slices
from analysis.ingest.joining.assign import Frames, facts_of
from analysis.ingest.joining.choose import CountedOnce
from analysis.ingest.parts import split, store
from analysis.ingest.parts.kept import KeptParts
from analysis.ingest.read_all import read_all
from analysis.ingest.tables.catalog import TABLES
from analysis.ingest.tables.store import table_files
from benchmarks import growth_projects as made
from benchmarks.smf_made import make

NAMES = {"class_interval", "device_interval", "tcp_connection"}
NAMES |= {"address_space_interval", "channel_interval"}
Read = tuple[Path, Frames]


class Lab:
    """A campaign with two dumps that overlap, and which tables were made of them;
    ``tables`` are all, as they were read before what is kept was copied."""

    def __init__(
        self, folder: Path, patch: pytest.MonkeyPatch, tables: Frames | None = None
    ) -> None:
        self.folder, self.raw, self.tables = folder, folder / "lab", tables or {}
        self.written: list[str] = []
        write = large._written

        def note_and_write(name: str, *of: object) -> CountedOnce:
            self.written.append(name)
            return write(name, *of)

        patch.setattr(large, "_written", note_and_write)

    def sign(self) -> None:
        hashes = hash_files(self.raw, list_files(self.raw))
        (self.raw / SUMS_FILE).write_text(checksums_text(hashes), "utf-8")

    def edit(self, file: str, old: str, new: str) -> None:
        text = (self.raw / file).read_text("utf-8")
        assert old in text
        (self.raw / file).write_text(text.replace(old, new), "utf-8")

    def read(self, code: str = "code") -> Frames:
        """All tables; those that are large are not empty here."""
        self.written = []
        parts = KeptParts(self.folder / "parts", code, self.folder / "digests")
        with parts.room() as name:
            return whole(verb.ingest(self.raw, parts, Path(name)), Path(name))

    def anew(self) -> Frames:
        room = self.folder / "room"
        room.mkdir(exist_ok=True)
        tables = whole(verb.ingest(self.raw, None, room), room)
        self.written = []
        return tables

    def forget(self) -> None:
        shutil.rmtree(self.folder / "parts")

    @property
    def kept(self) -> list[Path]:
        return sorted((self.folder / "parts/large").glob("*/"))


def whole(tables: Frames, room: Path) -> Frames:
    found = {
        name: pl.concat(map(pl.read_parquet, files)).sort(
            [*TABLES[name]], nulls_last=True
        )
        for name, files in table_files(room).items()
    }
    return tables | found


def assert_same(one: Frames, other: Frames) -> None:
    assert one.keys() == other.keys()
    assert [name for name, rows in one.items() if not rows.equals(other[name])] == []


def small(patch: pytest.MonkeyPatch) -> None:
    """Tables of hundreds of rows are large, and made in several slices."""
    of_rows = [(module, "ROWS", 1_000) for module in (large, slices, store)]
    of_large = [(large, "LARGE", 300), (large, "_RUN", 100)]
    for module, name, value in (*of_rows, *of_large, (split, "ALONE", 1_000_000)):
        patch.setattr(module, name, value)


@pytest.fixture(scope="module")
def read_lab(tmp_path_factory: pytest.TempPathFactory) -> Read:
    """A campaign that was read once, beside what is kept of it; and its tables."""
    folder = tmp_path_factory.mktemp("made")
    made.write_dumps(folder / "lab", 3)
    with pytest.MonkeyPatch.context() as patch:
        small(patch)
        lab = Lab(folder, patch)
        records = (lab.raw / "dump-0.smf").read_bytes()
        (lab.raw / "week.smf").write_bytes(records + bytes(8))  # in other bytes
        lab.edit("runs.csv", "dump-0.smf", "dump-0.smf;week.smf")
        lab.sign()
        return folder, lab.read()


@pytest.fixture
def lab(read_lab: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """A copy of the campaign and of what is kept of it."""
    small(monkeypatch)
    folder, tables = read_lab
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    return Lab(tmp_path, monkeypatch, tables)


def test_a_log_more_makes_no_large_table_anew(lab: Lab) -> None:
    assert_same(lab.tables, lab.anew())
    assert {path.name.partition("-")[0] for path in lab.kept} == NAMES
    made.more_log(lab.raw, made.DUMP_RUNS)
    tables = lab.read()
    assert lab.written == []
    assert tables["run"].height == made.DUMP_RUNS + 1
    told = tables["source"].filter(file="week.smf")["problems"].item()
    assert "tcp_connection" in told  # what was dropped of it is still said
    assert_same(tables, lab.anew())


def test_a_dump_more_makes_no_rows_of_the_others_anew(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked, look = list[int](), apart.stretches

    def note_and_look(name: str, rows: pl.DataFrame) -> dict:
        looked.append(rows.height)
        return look(name, rows)

    monkeypatch.setattr(apart, "stretches", note_and_look)
    before = lab.kept
    make(lab.raw / "next.smf", 3, False, first=1)  # the quarter behind the others'
    lab.edit("runs.csv", "week.smf", "week.smf;next.smf")
    lab.sign()
    tables = lab.read()
    assert set(lab.written) == NAMES and len(lab.written) == len(NAMES)
    assert len(looked) == len(NAMES)
    assert {*before} < {*lab.kept} and len(lab.kept) == 2 * len(before)
    assert tables["tcp_connection"].height > lab.tables["tcp_connection"].height
    assert_same(tables, lab.anew())
    (lab.raw / "next.smf").unlink()
    lab.edit("runs.csv", ";next.smf", "")
    lab.sign()
    assert_same(lab.read(), lab.tables)
    assert lab.written == [] and lab.kept == before


def test_of_what_is_kept_of_a_dump_large_tables_are_made_as_it_lies_there(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, make = list[int](), large.sorted_runs

    def count_and_make(*of: object) -> list[pl.DataFrame]:
        runs = make(*of)
        made.append(len(runs))
        return runs

    monkeypatch.setattr(large, "sorted_runs", count_and_make)
    lab.forget()
    tables = lab.read()
    # The last piece of a dump has few rows, which are sorted together.
    assert len(made) == len(NAMES) and max(made) <= 1
    whole = lab.anew()
    assert max(made) > 1
    assert_same(tables, whole)


def renamed(lab: Lab) -> None:
    (lab.raw / "week.smf").rename(lab.raw / "a-week.smf")
    lab.edit("runs.csv", "week.smf", "a-week.smf")


def left_out(lab: Lab) -> None:
    lab.edit("runs.csv", ";week.smf", "")


def shorter(lab: Lab) -> None:
    path = lab.raw / "week.smf"
    path.write_bytes(path.read_bytes()[:-8])


def other_zone(lab: Lab) -> None:
    lab.edit("campaign.yaml", "zone: UTC", "zone: Europe/Berlin")


@pytest.mark.parametrize("change", [renamed, left_out, shorter, other_zone])
def test_what_is_made_of_something_else_is_made_anew(
    lab: Lab, change: Callable[[Lab], None]
) -> None:
    before = lab.kept
    change(lab)
    lab.sign()
    tables = lab.read()
    assert set(lab.written) == NAMES
    assert_same(tables, lab.anew())
    assert len(lab.kept) == len(before) and not {*lab.kept} & {*before}


def test_what_runs_say_counts_where_it_is_in_the_rows(lab: Lab) -> None:
    first, one, *rest = (lab.raw / "runs.csv").read_text("utf-8").splitlines(True)
    cells = one.split(",")
    cells[4:6] = "", ""  # the log tells its time, which is not that of the dump
    alone = [line.replace(";week.smf", "") for line in rest]
    (lab.raw / "runs.csv").write_text("".join([first, ",".join(cells), *alone]))
    lab.sign()
    of_runs = {name for name in TABLES if "_run" in facts_of(name)}
    assert "process_interval" in of_runs and not NAMES & of_runs
    tables = lab.read()
    assert lab.written == []
    assert_same(tables, lab.anew())


def test_other_code_makes_all_anew(lab: Lab) -> None:
    lab.read("other code")
    assert set(lab.written) == NAMES
    assert len(lab.kept) == len(NAMES)


@pytest.mark.parametrize("name", ["rows.parquet", "told.txt"])
def test_a_table_that_is_edited_or_damaged_is_made_anew(lab: Lab, name: str) -> None:
    place = next(path for path in lab.kept if path.name.startswith("tcp_connection"))
    data = (place / name).read_bytes()
    for left in (b"", data[:-20], data[: len(data) // 2] + data[len(data) // 2 + 1 :]):
        (place / name).write_bytes(left)
        assert_same(lab.read(), lab.tables)
        assert lab.written == ["tcp_connection"]
        lab.read()
        assert lab.written == []


def test_what_is_known_of_files_is_not_taken_from_who_edited_it(lab: Lab) -> None:
    path = lab.folder / "parts/large/known.txt"
    text = path.read_text("utf-8")
    for edited in (text.replace("SYS0", "SYS9"), text[:-9], "", "[" * 100_000):
        path.write_text(edited, "utf-8")
        assert_same(lab.read(), lab.tables)
        assert path.read_text("utf-8") == text


def test_what_was_said_is_not_taken_from_who_edited_it(lab: Lab) -> None:
    edited = ("1", "[]", '[{"x": 1}, []]', '"x"', "[" * 100_000)
    for place, said in zip(lab.kept, edited, strict=True):
        text = (place / "told.txt").read_text("utf-8")
        head, _, _ = text.partition('"said": ')
        (place / "told.txt").write_text(f'{head}"said": {said}}}', "utf-8")
    assert_same(lab.read(), lab.tables)
    assert set(lab.written) == NAMES


def test_tables_of_files_that_changed_meanwhile_are_not_kept(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change_and_read(folder: Path, files: list[str], *clock: str) -> dict:
        (folder / "week.smf").touch()
        return read_all(folder, files, *clock)

    with monkeypatch.context() as patch:
        patch.setattr(judge, "read_all", change_and_read)
        lab.forget()
        with pytest.raises(UserError, match="changed while they were read"):
            lab.read()
    assert not (lab.folder / "parts/large").exists()


def test_tables_are_copied_where_no_file_has_two_names(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", refuse)
    lab.forget()
    assert_same(lab.read(), lab.tables)
    assert_same(lab.read(), lab.tables)
    assert lab.written == []
