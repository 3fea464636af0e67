"""Files that have nothing in common give files of a table, which are together what the
table is as a whole."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from analysis.ingest.joining import apart, large
from analysis.ingest.joining.assign import Gathered, assign
from analysis.ingest.joining.choose import count_once
from analysis.ingest.reading import Reading
from analysis.ingest.tables.catalog import TABLES
from analysis.ingest.tables.store import table_files
from tests.ingest.joining.test_large import ORDER, evidence_of, some_rows

DAYS = ("mon", "tue", "wed", "thu")
FILES = {f"{day}.smf": day for day in DAYS} | {"cpu.xml": "xml"}
NAMES = ("class_interval", "device_interval", "tcp_connection")
NAMES = (*NAMES, "address_space_interval", "partition_interval", "tcpip_profile")
UNTOLD = dict.fromkeys(("_run", "_machine", "_system", "_role", "_server", "_client"))
TIMES = ("start_utc", "end_utc")


def of_day(rows: pl.DataFrame, day: int) -> pl.DataFrame:
    moved = pl.col(pl.String).str.replace("2026-03-02", f"2026-03-{day + 2:02d}")
    return rows.with_columns(moved)


def days(seed: int, system: Callable[[int], str], timed: bool = True) -> Gathered:
    """Rows of four days, and of one day in another file, too; some of a day are in the
    next one's file as well where the seed is odd."""
    pick = random.Random(seed)  # noqa: S311 - rows, not secrets
    parts: dict[str, list[pl.DataFrame]] = {}
    for name in NAMES:
        found = list[pl.DataFrame]()
        for day in range(len(DAYS)):
            rows = some_rows(name, 60, pick)
            if timed:
                rows = rows.drop_nulls([c for c in TIMES if c in rows.columns])
            rows = of_day(rows, day).with_columns(system=pl.lit(system(day)))
            before = found[-1:] if seed % 2 and day == 2 else []
            found.append(pl.concat([rows, *(of[:9] for of in before)]))
        parts[name] = [*found, found[1][5:40]]
    facts = {
        name: [{"_source": of, **UNTOLD} for of in FILES.values()] for name in NAMES
    }
    return Gathered(parts, facts, [])


def written(
    found: Gathered, room: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, list[pl.DataFrame]]:
    """The files of each table, which are compared with the table as a whole."""
    readings = {f: Reading("smf" if f.endswith("smf") else "rmf_xml") for f in FILES}
    evidence = evidence_of(FILES, readings)
    whole, problems = count_once(assign(found, {}), readings, FILES, ORDER)
    monkeypatch.setattr(large, "LARGE", 0)
    monkeypatch.setattr(large, "_RUN", 2)
    monkeypatch.setattr(apart, "_PIECE", 50)
    made = large.write_large(found, evidence, room)
    dropped = large.told_of(made)
    tables = assign(found, {}, made)
    assert count_once(tables, readings, FILES, ORDER, dropped) == (tables, problems)
    assert {problem.remark.kind for _, problem in problems} >= {"repeated"}
    files = {n: [pl.read_parquet(p) for p in of] for n, of in table_files(room).items()}
    assert sorted(files) == sorted(NAMES)
    for name, of in files.items():
        assert all(rows.schema == TABLES[name] for rows in of)
        together = pl.concat(of).sort([*TABLES[name]], nulls_last=True)
        assert together.equals(whole[name]), name
        assert made[name].rows().collect().equals(pl.concat(of))
    return files


@pytest.mark.parametrize("seed", range(6))
def test_days_are_files_of_their_own(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = written(days(seed, lambda _: "SYSA"), tmp_path, monkeypatch)
    for name, of in files.items():
        # Tuesday is told by two files, and told on Wednesday, too, by odd seeds.
        sources = [set(rows["source"]) for rows in of]
        tuesday = {"tue", "wed"} if seed % 2 else {"tue"}
        assert any(tuesday <= some <= {*tuesday, "xml"} for some in sources), name
        assert {"mon"} in sources and {"thu"} in sources, name
        first = [min(rows["start_utc"].to_list()) for rows in of]
        assert first == sorted(first)


@pytest.mark.parametrize("seed", [2, 3])
def test_systems_have_files_of_their_own_though_of_one_time(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = days(seed, lambda day: f"SYS{day}")
    one_day = pl.col(pl.String).str.replace(r"2026-03-0\d", "2026-03-02")
    back = {
        n: [rows.with_columns(one_day) for rows in of] for n, of in found.parts.items()
    }
    files = written(Gathered(back, found.facts, []), tmp_path, monkeypatch)
    assert all({"thu"} in [set(rows["source"]) for rows in of] for of in files.values())


def test_rows_that_tell_no_time_keep_all_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = days(4, lambda _: "SYSA", timed=False)
    files = written(found, tmp_path, monkeypatch)
    assert {name: len(of) for name, of in files.items()} == dict.fromkeys(NAMES, 1)


def connections(*ends: str, first_port: int = 1) -> pl.DataFrame:
    told = [
        {"system": "SYSA", "end_utc": f"2026-03-02T{end}Z", "local_port": port}
        for port, end in enumerate(ends, first_port)
    ]
    shaped = pl.DataFrame(schema=TABLES["tcp_connection"])
    return pl.concat([shaped, pl.DataFrame(told)], how="diagonal_relaxed")


@pytest.mark.parametrize(
    ("second", "groups"),
    [
        (connections("12:00:00", "13:00:00", first_port=7), [[0], [1]]),
        (connections("12:00:00", "13:00:00", first_port=2), [[0, 1]]),
        (connections("12:00:01", "13:00:00", first_port=2), [[0], [1]]),
        (connections("10:00:00", "11:00:00", first_port=2), [[1], [0]]),
    ],
)
def test_of_dumps_that_meet_in_a_moment_rows_of_it_are_looked_at(
    second: pl.DataFrame, groups: list[list[int]]
) -> None:
    parts = [connections("11:30:00", "12:00:00"), second]
    assert apart.in_groups("tcp_connection", parts, 1) == groups


def test_intervals_of_one_time_are_together_and_those_that_adjoin_are_not() -> None:
    def devices(*minutes: int) -> pl.DataFrame:
        told = {"system": "SYSA", "seconds": 900.0, "device": "0A00"}
        rows = [told | {"start_utc": f"2026-03-02T10:{m:02d}:00Z"} for m in minutes]
        shaped = pl.DataFrame(schema=TABLES["device_interval"])
        return pl.concat([shaped, pl.DataFrame(rows)], how="diagonal_relaxed")

    parts = [devices(0, 15), devices(30), devices(44)]
    found = apart.in_groups("device_interval", parts, 1)
    assert found == [[0], [1, 2]]


def test_of_two_tellings_of_an_interval_one_is_chosen_so_they_are_together() -> None:
    def space(job: str, cpu: float) -> pl.DataFrame:
        told = {"system": "SYSA", "seconds": 900.0, "job": job, "cp_seconds": cpu}
        row = told | {"start_utc": "2026-03-02T10:00:00Z"}
        shaped = pl.DataFrame(schema=TABLES["address_space_interval"])
        return pl.concat([shaped, pl.DataFrame([row])], how="diagonal_relaxed")

    parts = [space("CICS1", 1.0), space("CICS1", 2.0), space("CICS2", 1.0)]
    found = apart.in_groups("address_space_interval", parts, 1)
    assert found == [[0, 1], [2]]


def test_few_rows_are_put_together_from_the_first_on() -> None:
    hours = [connections(f"{hour}:00:00") for hour in range(10, 17)]
    found = apart.in_groups("tcp_connection", hours, 3)
    assert found == [[0, 1, 2], [3, 4, 5], [6]]


def test_files_without_rows_are_in_no_file_of_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also behind rows without times, which come first and may be enough for a file."""
    untold = connections("10:00:00").with_columns(end_utc=pl.lit(None, pl.String))
    parts = [untold, untold[:0], connections("11:00:00"), untold[:0]]
    assert apart.in_groups("tcp_connection", parts, 1) == [[0], [2]]
    assert apart.in_groups("tcp_connection", parts[:2], 1) == [[0]]
    facts = [{"_source": of, **UNTOLD} for of in ("mon", "tue")]
    name = "tcp_connection"
    evidence = evidence_of(FILES, {})
    monkeypatch.setattr(large, "LARGE", 0)
    found = Gathered({name: parts[:2]}, {name: facts}, [])
    (path,) = large.write_large(found, evidence, tmp_path)[name].paths
    assert pl.read_parquet(path)["source"].to_list() == ["mon"]


def test_many_files_of_one_time_are_not_looked_at_in_pairs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    same = [connections("10:00:00", first_port=nth) for nth in range(30)]
    asked = list[str]()
    look = apart.have_common

    def note(name: str, *of: Any) -> bool:
        asked.append(name)
        return look(name, *of)

    monkeypatch.setattr(apart, "have_common", note)
    assert apart.in_groups("tcp_connection", same, 1) == [[*range(30)]]
    assert len(asked) < 100
