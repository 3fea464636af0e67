"""What is built after an addition is what a build from nothing gives."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from benchmarks import growth_projects as made
from tests.workflow.projects import Project, end

RUNS = 450  # of more files than one part has
FACTS = ("data/build/facts.json", "data/build/evidence.json")


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Project]:
    """A campaign of many logs, and an edition of it; nothing is built."""
    folder = made.project(tmp_path / "project")
    made.write_logs(folder / "raw/lab", RUNS)
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
    with duckdb.connect(str(project / "data/build/perf.duckdb"), read_only=True) as con:
        for (table,) in con.execute("SHOW TABLES").fetchall():
            found[table] = con.table(table).fetchall()
    return found


def test_two_logs_more_in_turn_give_what_a_build_from_nothing_gives(lab):
    assert lab.build()[0] == 0
    for more in range(2):
        made.more_log(lab / "raw/lab", RUNS + more)
        code, said, ran = lab.build()
        assert (code, ran) == (0, ["ingest", "load", "derive", "figures", "report"])
        assert f"{RUNS + more + 1} runs" in said
    after = results(lab)
    shutil.rmtree(lab / "data/build")
    shutil.rmtree(lab / "report/build")
    assert lab.build()[0] == 0
    anew = results(lab)
    assert len(after["run"]) == RUNS + 2
    assert after.keys() == anew.keys()
    assert [name for name in after if after[name] != anew[name]] == []
