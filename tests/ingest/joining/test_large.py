"""Large tables, made piece by piece, are what they are when made as a whole."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.errors import as_user_error
from analysis.ingest.capture import classes_beside, with_capture
from analysis.ingest.joining import large
from analysis.ingest.joining.assign import FileRows, Rows, assign
from analysis.ingest.joining.once import OnceCounter
from analysis.ingest.reading import Reading
from analysis.ingest.tables.catalog import TABLES

FILES = {"day.smf": "d", "week.smf": "w", "cpu.xml": "x"}
READINGS = {
    "day.smf": Reading("smf"),
    "week.smf": Reading("smf"),
    "cpu.xml": Reading("rmf_xml"),
}
ORDER = ["smf", "rmf_xml"]
NAMES = ("class_interval", "device_interval", "tcp_connection")
NAMES = (*NAMES, "address_space_interval", "partition_interval")


def some_rows(name: str, count: int, pick: random.Random) -> pl.DataFrame:
    """Rows of few values, so that much is equal, overlaps, or differs a little."""
    return pl.DataFrame(
        [{c: value(c, t, pick) for c, t in TABLES[name].items()} for _ in range(count)],
        TABLES[name],
    )


def value(column: str, kind: pl.DataType, pick: random.Random) -> Any:
    if column in ("start_utc", "end_utc"):
        minute = pick.choice([0, 5, 15, 30])
        time = f"2026-03-02T1{pick.randrange(4)}:{minute:02d}:00.000000Z"
        return pick.choice([time, time, time, None])
    if column == "seconds":
        return pick.choice([900.0, 899.6, 300.0])
    if column in ("source", "position"):
        return pick.randrange(99) if column == "position" else None
    if column == "class_kind":
        return pick.choice(["service", "service", "report"])
    if kind == pl.String:
        return pick.choice(["A", "B", None]) if column != "system" else "SYSA"
    return pick.choice([None, 1]) if kind == pl.Boolean else pick.choice([1, 1, 2])


def gathered(seed: int) -> Rows:
    pick = random.Random(seed)  # noqa: S311 - rows, not secrets
    found: dict[str, list[FileRows]] = {}
    of = ("_run", "_machine", "_system", "_role", "_server", "_client")
    for name in NAMES:
        rows = some_rows(name, 150, pick)
        found[name] = [
            (rows.sample(90, seed=seed + nth), {"_source": sha256, **dict.fromkeys(of)})
            for nth, sha256 in enumerate(FILES.values())
        ]
    return found


@pytest.mark.parametrize("seed", range(2))
def test_pieces_give_the_rows_order_and_problems_of_the_whole(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = gathered(seed)
    once, of_pieces = (OnceCounter(READINGS, FILES, ORDER) for _ in range(2))
    whole = {name: once.rows(name, rows) for name, rows in assign(found, {}).items()}
    monkeypatch.setattr(large, "LARGE", 0)
    monkeypatch.setattr(large, "ROWS", 16)
    made = large.write_large(found, of_pieces, tmp_path)
    assert sorted(made) == sorted(NAMES)
    assert not any(rows.height for rows in assign(found, {}, made).values())
    assert of_pieces.problems() == once.problems()
    kinds = {problem.remark.kind for _, problem in once.problems()}
    assert {"repeated", "intervals_differ"} <= kinds
    for name in NAMES:
        rows = pl.read_parquet(tmp_path / f"{name}.parquet")
        assert rows.schema == TABLES[name]
        assert rows.equals(whole[name]), name
    assert {path.suffix for path in tmp_path.iterdir()} == {".parquet"}


def test_a_full_disk_is_told_with_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError("No space left on device (os error 28)")  # as polars tells it

    monkeypatch.setattr(large, "LARGE", 0)
    monkeypatch.setattr(large, "_sorted", full)
    with pytest.raises(OSError, match="No space left") as error:
        once = OnceCounter(READINGS, FILES, ORDER)
        large.write_large(gathered(1), once, tmp_path)
    issue = as_user_error(error.value).issues[0]
    assert issue.where and issue.where.file == str(tmp_path)
    assert "no space left on device" in issue.what


def test_the_capture_ratio_needs_few_of_the_classes(tmp_path: Path) -> None:
    tables = assign(gathered(7), {})
    times = ["2026-03-02T10:00:00.000000Z", "2026-03-02T12:15:00.400000Z"]
    cpu = pl.DataFrame({"start_utc": times}).with_columns(
        system=pl.lit("SYSA"),
        cpu_type=pl.lit("CP"),
        seconds=900.0,
        busy_seconds=50.0,
        source=pl.lit("d"),
    )
    empty = tables["cpu_interval"]
    tables["cpu_interval"] = pl.concat([empty, cpu], how="diagonal_relaxed")
    path = tmp_path / "classes.parquet"
    tables["class_interval"].write_parquet(path)
    few = classes_beside(tables["cpu_interval"], pl.scan_parquet(path))
    assert 0 < few.height < tables["class_interval"].height
    intervals, classes = tables["cpu_interval"], tables["class_interval"]
    whole, problems = with_capture(intervals, classes, READINGS, FILES)
    found, same = with_capture(intervals, few, READINGS, FILES)
    assert whole["capture_pct"].null_count() < cpu.height
    assert found.equals(whole)
    assert same == problems
    assert classes_beside(empty, pl.scan_parquet(path)).is_empty()


@given(
    st.lists(
        st.tuples(
            st.sampled_from([None, "", "a", "z", "é"]), st.none() | st.integers(0, 3)
        ),
        min_size=1,
        max_size=60,
    ),
    st.integers(1, 9),
)
def test_rows_of_a_key_are_in_one_piece(rows: list[tuple], most: int) -> None:
    table = pl.DataFrame(rows, {"a": pl.String, "b": pl.Int64}, orient="row")
    table = table.sort("a", "b", nulls_last=True)
    found = list(large._whole_keys(table.iter_slices(most), ["a", "b"]))
    assert pl.concat(found).equals(table)
    keys = [key for some in found for key in set(some.iter_rows())]
    assert len(keys) == len(set(keys))
