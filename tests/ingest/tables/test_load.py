"""The verb that joins the tables of all campaigns."""

from __future__ import annotations

import shutil

import duckdb
import polars as pl
import pytest

from analysis.cli import main
from analysis.derive.runs import open_database
from analysis.ingest.smf.columns import SECONDS, by_name, table
from analysis.ingest.store import ingest
from analysis.ingest.tables import load as load_verb
from analysis.ingest.tables.catalog import TABLES
from analysis.ingest.tables.store import write_tables
from tests.conftest import ROOT

TABLES_WITHOUT_COMMENT = """
SELECT table_name FROM duckdb_tables() WHERE comment IS NULL AND NOT internal
"""
COLUMNS_WITHOUT_COMMENT = """
SELECT table_name, column_name FROM duckdb_columns()
WHERE comment IS NULL AND NOT internal
"""


def test_a_table_is_declared_once():
    once = table("t", "…", SECONDS)
    assert by_name([once, once]) == {"t": once}
    with pytest.raises(ValueError, match="the table t is declared twice"):
        by_name([once, table("t", "another", SECONDS)])


@pytest.fixture(scope="session")
def ingested(small_campaign, tmp_path_factory):
    out = tmp_path_factory.mktemp("ingest") / "small"
    write_tables(ingest(small_campaign), out)
    return out


@pytest.fixture
def tables(ingested, tmp_path):
    return shutil.copytree(ingested, tmp_path / "ingest" / "small")


@pytest.fixture(scope="module")
def loaded(ingested, tmp_path_factory):
    """A database of one campaign, to be read alone."""
    out = tmp_path_factory.mktemp("loaded") / "build" / "perf.duckdb"
    assert load(out, ingested) == 0
    return out


def load(out, *folders) -> int:
    return main(["load", "--tables", *map(str, folders), "--out", str(out)])


def change(folder, name: str, **columns) -> None:
    path = folder / f"{name}.parquet"
    pl.read_parquet(path).with_columns(**columns).write_parquet(path)


def other(tables, campaign: str = "other"):
    """A second campaign with runs of its own."""
    folder = shutil.copytree(tables, tables.parent / campaign)
    for name in TABLES:
        frame = pl.read_parquet(folder / f"{name}.parquet")
        if "campaign" in frame.columns:
            change(folder, name, campaign=pl.lit(campaign))
        if "run" in frame.columns:
            change(folder, name, run=pl.col("run") + f"-{campaign}")
    return folder


def query(out, sql: str) -> list[tuple]:
    with duckdb.connect(str(out), read_only=True) as con:
        return con.sql(sql).fetchall()


def rows_of(out) -> dict[str, list[tuple]]:
    with duckdb.connect(str(out), read_only=True) as con:
        return {table: con.table(table).fetchall() for table in TABLES}


def test_a_database_has_all_tables(loaded):
    names = query(loaded, "SELECT table_name FROM duckdb_tables() ORDER BY ALL")
    assert [name for (name,) in names] == sorted(TABLES)
    assert [path.name for path in loaded.parent.iterdir()] == ["perf.duckdb"]


def test_two_folders_of_one_layout_may_be_started_alike(tmp_path, capsys):
    tables = []
    for name in ("lab", "lab-may"):
        shutil.copytree(ROOT / "raw/linux-veth/A/RR10(100B)", tmp_path / name / "on")
        assert main(["campaign", "init", str(tmp_path / name)]) == 0
        tables.append(tmp_path / "tables" / name)
        ingested = ["--campaign", str(tmp_path / name), "--out", str(tables[-1])]
        assert main(["ingest", *ingested]) == 0
    out = tmp_path / "perf.duckdb"
    assert load(out, *tables) == 0
    each = "SELECT count(*), count(DISTINCT run), count(DISTINCT campaign) FROM run"
    assert query(out, each) == [(20, 10, 2)]


def test_campaigns_are_joined_in_whatever_order(tables, tmp_path, capsys):
    folders = [tables, other(tables)]
    for name, order in (("a", folders), ("b", folders[::-1])):
        assert load(tmp_path / name, *order) == 0
    assert "8 run," in capsys.readouterr().out
    counts = "SELECT campaign, count(*) FROM run GROUP BY ALL ORDER BY ALL"
    assert query(tmp_path / "a", counts) == [("other", 4), ("small", 4)]
    assert rows_of(tmp_path / "a") == rows_of(tmp_path / "b")


def test_every_table_and_column_says_what_it_holds(loaded):
    for catalogue in (TABLES_WITHOUT_COMMENT, COLUMNS_WITHOUT_COMMENT):
        assert query(loaded, catalogue) == []
    rate = "SELECT comment FROM duckdb_columns() WHERE column_name = 'rate'"
    assert "[1/s]" in query(loaded, rate)[0][0]


def test_a_comment_is_that_of_the_own_table(loaded):
    out = loaded
    told = "SELECT comment FROM duckdb_columns() WHERE column_name = 'scope' AND "
    own = query(out, told + "table_name = 'cpu_interval'")
    others = query(out, told + "table_name = 'xcf_interval'")
    assert "cgroup" in own[0][0]
    assert others[0][0].startswith("what the rows are by")


def test_a_run_of_one_campaign_is_none_of_another(tables, tmp_path, capsys):
    folder = other(tables)
    change(folder, "run_cpu", run=pl.col("run").str.strip_suffix("-other"))
    assert load(tmp_path / "perf.duckdb", tables, folder) == 2
    err = capsys.readouterr().err
    assert "the table run_cpu has rows of 'other/A-RR10(100B)-01', which is no" in err
    assert not (tmp_path / "perf.duckdb").exists()


def test_a_campaign_given_twice_is_named(tables, tmp_path, capsys):
    folder = shutil.copytree(tables, tmp_path / "again")
    assert load(tmp_path / "perf.duckdb", tables, folder) == 2
    assert "small/A/RR10(100B)/rep01/client.txt' is there twice" in (
        capsys.readouterr().err
    )


def test_rows_of_no_run_are_named(tables, tmp_path, capsys):
    change(tables, "run_cpu", run=pl.lit("nobody"))
    assert load(tmp_path / "perf.duckdb", tables) == 2
    err = capsys.readouterr().err
    assert "the table run_cpu has rows of 'small/nobody', which is no run" in err


def test_a_missing_table_is_named(tables, tmp_path, capsys):
    (tables / "run.parquet").unlink()
    assert load(tmp_path / "perf.duckdb", tables) == 2
    assert "run.parquet: this table is missing" in capsys.readouterr().err


@pytest.mark.parametrize("damage", ["cut", "column"])
@pytest.mark.parametrize(("name", "column"), [("run", "workload"), ("campaign",) * 2])
def test_a_table_that_is_none_is_named(tables, tmp_path, capsys, name, column, damage):
    path = tables / f"{name}.parquet"
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:100])
    else:
        pl.read_parquet(path).drop(column).write_parquet(path)
    assert load(tmp_path / "perf.duckdb", tables) == 2
    err = capsys.readouterr().err
    assert f"{path}: not the table '{name}': " in err


def test_a_mistake_leaves_the_earlier_database_alone(tables, tmp_path):
    out = tmp_path / "perf.duckdb"
    load(out, tables)
    before = out.read_bytes()
    sound = other(tables)
    change(tables, "run_cpu", run=pl.lit("nobody"))
    assert load(out, tables) == 2
    assert out.read_bytes() == before
    assert load(out, sound) == 0
    assert out.read_bytes() != before


def test_tables_of_other_files_are_refused(
    tables, small_campaign, tmp_path, capsys, monkeypatch
):
    raw = tmp_path / "raw"
    shutil.copytree(small_campaign, raw / small_campaign.name)
    out = tmp_path / "perf.duckdb"
    command = ["load", "--tables", str(tables), "--raw", str(raw), "--out", str(out)]
    monkeypatch.chdir(tmp_path)
    assert main(command) == 0
    (raw / small_campaign.name / "notes.txt").write_text("more")
    assert main(command) == 2
    assert "not made from the files of" in capsys.readouterr().err


def test_equal_tables_give_equal_rows_in_equal_order(tables, loaded, tmp_path):
    """DuckDB's own bytes differ: it draws an id for each file and leaves gaps as is."""
    assert load(tmp_path / "again", tables) == 0
    assert rows_of(tmp_path / "again") == rows_of(loaded)


VIEWS = "SELECT view_name FROM duckdb_views() WHERE NOT internal AND NOT temporary"


def read(out) -> dict[str, list[tuple]]:
    with open_database(out) as con:
        return {
            table: sorted(con.table(table).fetchall(), key=repr) for table in TABLES
        }


@pytest.fixture
def viewed(monkeypatch):
    """Every table is a large one."""
    monkeypatch.setattr(load_verb, "VIEWED_BYTES", 1)


def test_large_tables_are_views_with_the_same_rows(
    tables, tmp_path, monkeypatch, capsys
):
    folders, copied = (tables, other(tables)), tmp_path / "copied.duckdb"
    assert load(copied, *folders) == 0
    monkeypatch.setattr(load_verb, "VIEWED_BYTES", 1)
    out = tmp_path / "viewed.duckdb"
    assert load(out, *folders) == 0
    told, told_too = capsys.readouterr().out.splitlines()
    assert told.partition(": ")[2] == told_too.partition(": ")[2]
    assert query(copied, VIEWS) == []
    assert {name for (name,) in query(out, VIEWS)} == (
        TABLES.keys() - {"campaign", "run", "source"}
    )
    assert read(out) == read(copied)
    assert query(out, COLUMNS_WITHOUT_COMMENT) == []
    assert query(out, TABLES_WITHOUT_COMMENT.replace("table", "view")) == []


def test_views_find_their_files_from_anywhere_and_after_a_move(
    tables, tmp_path, monkeypatch, viewed
):
    assert load(tmp_path / "perf.duckdb", tables) == 0
    rows = read(tmp_path / "perf.duckdb")
    moved = tmp_path.with_name(f"{tmp_path.name} it's moved")
    tmp_path.rename(moved)
    monkeypatch.chdir("/")
    assert read(moved / "perf.duckdb") == rows
    moved.rename(tmp_path)


def test_in_a_folder_that_duckdb_cannot_be_told_of_rows_are_copied(
    tables, tmp_path, viewed
):
    out = tmp_path / "a, b" / "perf.duckdb"
    assert load(out, tables) == 0
    assert query(out, VIEWS) == []


def test_a_view_over_what_is_no_table_is_refused(tables, tmp_path, capsys, viewed):
    (tables / "benchmark.parquet").write_bytes(b"none")
    assert load(tmp_path / "out", tables) == 2
    said = capsys.readouterr().err
    assert "benchmark.parquet: not the table 'benchmark'" in said
    assert "Traceback" not in said


def test_rows_of_no_run_are_named_in_a_view(tables, tmp_path, capsys, viewed):
    change(tables, "benchmark", run=pl.lit("ghost"))
    assert load(tmp_path / "out", tables) == 2
    assert "benchmark has rows of 'small/ghost'" in capsys.readouterr().err


def test_a_full_disk_is_told(tables, tmp_path, capsys, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise duckdb.IOException("IO Error: No space left on device\nmore")

    monkeypatch.setattr(duckdb, "connect", full)
    assert load(tmp_path / "out", tables) == 2
    said = capsys.readouterr().err
    assert "cannot be written: IO Error: No space left on device" in said
    assert not (tmp_path / "out").exists()


def test_numbers_are_added_in_one_order(loaded):
    """By one thread: several add in the order in which they come, never the same."""
    with open_database(loaded) as con:
        told = con.sql("SELECT current_setting('threads')").fetchall()
    assert told == [(1,)]
