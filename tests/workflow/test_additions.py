"""What is built after an addition is what a build from nothing gives."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from analysis.ingest.tables.load import find_files
from benchmarks import campaigns as made
from tests.workflow.known_code import note_code
from tests.workflow.projects import RULES, Project, end

RUNS = 120  # of more files than one part has here
LOGS, DUMPS = "logs", "dumps"  # what joins runs keeps other things of each
FONTS = "data/build/fonts"
FACTS = "data/build/facts"


@pytest.fixture
def project(tmp_path: Path, fonts: Path) -> Iterator[Project]:
    """An edition of two campaigns, of which large tables come and views: one of many
    logs, and one of some logs and a dump. Nothing is built but fonts."""
    folder = made.project(tmp_path / "project")
    made.write_edition(folder, [LOGS, DUMPS])
    made.write_logs(folder / "raw" / LOGS, RUNS)
    made.write_dumps(folder / "raw" / DUMPS, 10)
    for module, old, new in (
        ("read_all.py", "FILES = 400 ", "FILES = 100 "),
        ("joining/large.py", "LARGE = 1 << 16", "LARGE = 110"),
        ("tables/load.py", "VIEWED_BYTES = MIB", "VIEWED_BYTES = 8_000"),
    ):
        path = folder / "analysis/ingest" / module
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")
    note_code(folder)
    project = Project(folder)
    lend(project, fonts)
    yield project
    end(project)


def lend(project: Project, fonts: Path) -> None:
    """Fonts are of no campaign, and take long to make."""
    (project / FONTS).parent.mkdir(parents=True, exist_ok=True)
    (project / FONTS).symlink_to(fonts)


def results(project: Project) -> dict[str, object]:
    """All that readers get: facts, evidence, files of reports, rows of tables."""
    report = project / "report/build"
    pages = (path for path in report.rglob("*") if path.is_file())
    found: dict[str, object] = {
        **{p.name: p.read_bytes() for p in (project / FACTS).glob("*/*")},
        **{path.relative_to(report).as_posix(): path.read_bytes() for path in pages},
    }
    database = project / "data/build/perf.duckdb"
    with duckdb.connect(str(database), read_only=True) as con:
        find_files(con, database)
        for (table,) in con.execute("SHOW TABLES").fetchall():
            found[table] = con.table(table).fetchall()
    return found


def add_log(project: Project) -> None:
    """Build with a log more in each campaign."""
    for campaign in (LOGS, DUMPS):
        made.more_log(project / "raw" / campaign)
    code, said, ran = project.build()
    assert (code, ran) == (0, [rule for rule in RULES if rule != "backtest"])
    assert f"{LOGS}: {RUNS + 1} runs" in said
    assert f"{DUMPS}: {made.FEW_RUNS + 1} runs" in said


def check_as_from_nothing(project: Project, runs: int) -> None:
    after, fonts = results(project), (project / FONTS).readlink()
    shutil.rmtree(project / "data/build")
    shutil.rmtree(project / "report/build")
    lend(project, fonts)
    assert project.build()[0] == 0
    anew = results(project)
    assert len(after["run"]) == runs
    assert after.keys() == anew.keys()
    assert [name for name in after if after[name] != anew[name]] == []


def test_a_log_more_gives_what_a_build_from_nothing_gives(project):
    """Three builds, as what is kept of parts, and what follows, is of the first one."""
    assert project.build()[0] == 0
    add_log(project)
    check_as_from_nothing(project, RUNS + made.FEW_RUNS + 2)
