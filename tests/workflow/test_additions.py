"""What is built after an addition is what a build from nothing gives."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from analysis.ingest.tables.views import find_files
from benchmarks import growth_projects as made
from tests.workflow.projects import Project, end

RUNS = 450  # of more files than one part has
LARGE = "data/build/parts/lab/large/*/*.parquet"
FACTS = ("data/build/facts.json", "data/build/evidence.json")


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """An edition of a campaign that is yet to be made; nothing is built."""
    folder = made.project(tmp_path / "project")
    made.write_edition(folder, 0, ["lab"])
    project = Project(folder)
    yield project
    end(project)


def results(project: Project) -> dict[str, object]:
    """All that readers get: facts, evidence, files of reports, rows of tables."""
    report = project / "report/build"
    pages = (path for path in report.rglob("*") if path.is_file())
    found: dict[str, object] = {
        **{name: (project / name).read_bytes() for name in FACTS},
        **{path.relative_to(report).as_posix(): path.read_bytes() for path in pages},
    }
    database = project / "data/build/perf.duckdb"
    with duckdb.connect(str(database), read_only=True) as con:
        find_files(con, database)
        for (table,) in con.execute("SHOW TABLES").fetchall():
            found[table] = con.table(table).fetchall()
    return found


@pytest.fixture
def lab(project: Project) -> Project:
    """A campaign of many logs."""
    made.write_logs(project / "raw/lab", RUNS)
    return project


@pytest.fixture
def dumps(project: Project) -> Project:
    """A campaign of some logs and a dump, of which large tables come and views."""
    made.write_dumps(project / "raw/lab", 10)
    for module, old, new in (
        ("joining/large.py", "LARGE = ROWS >> 2", "LARGE = 300"),
        ("tables/load.py", "VIEWED_BYTES = MIB", "VIEWED_BYTES = 16_000"),
    ):
        path = project / "analysis/ingest" / module
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")
    return project


def add_log(lab: Project, runs: int) -> None:
    """Build with a log more than so many."""
    made.more_log(lab / "raw/lab", runs)
    code, said, ran = lab.build()
    assert (code, ran) == (0, ["ingest", "load", "derive", "figures", "report"])
    assert f"{runs + 1} runs" in said


def check_as_from_nothing(lab: Project, runs: int) -> None:
    after = results(lab)
    shutil.rmtree(lab / "data/build")
    shutil.rmtree(lab / "report/build")
    assert lab.build()[0] == 0
    anew = results(lab)
    assert len(after["run"]) == runs
    assert after.keys() == anew.keys()
    assert [name for name in after if after[name] != anew[name]] == []


def test_two_logs_more_in_turn_give_what_a_build_from_nothing_gives(lab):
    assert lab.build()[0] == 0
    add_log(lab, RUNS)
    add_log(lab, RUNS + 1)
    check_as_from_nothing(lab, RUNS + 2)


def kept_tables(lab: Project) -> dict[Path, int]:
    return {path: path.stat().st_ino for path in lab.folder.glob(LARGE)}


def test_logs_beside_a_dump_give_it_too_and_large_tables_are_kept(dumps):
    assert dumps.build()[0] == 0
    tables = kept_tables(dumps)
    assert len(tables) == 5
    add_log(dumps, made.DUMP_RUNS)
    add_log(dumps, made.DUMP_RUNS + 1)
    assert kept_tables(dumps) == tables
    check_as_from_nothing(dumps, made.DUMP_RUNS + 2)
