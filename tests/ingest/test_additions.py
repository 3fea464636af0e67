"""What is derived after an addition is what is derived from nothing."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import duckdb
import pytest

from analysis.cli import main
from analysis.ingest import read_all
from analysis.ingest.joining import large
from analysis.ingest.tables import load
from analysis.ingest.tables.load import find_files
from benchmarks import campaigns as made

ROOT = Path(__file__).parents[2]
RUNS = 120  # of more files than one part has here
LOGS, DUMPS = "logs", "dumps"  # what joins runs keeps other things of each


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An edition of two campaigns, of which large tables come and views: one of many
    logs, and one of some logs and a dump."""
    made.write_edition(tmp_path, [LOGS, DUMPS])
    made.write_logs(tmp_path / "raw" / LOGS, RUNS)
    made.write_dumps(tmp_path / "raw" / DUMPS, 10)
    monkeypatch.setattr(read_all, "split", partial(read_all.split, most=100))
    monkeypatch.setattr(read_all, "KEPT_BYTES", 0)
    monkeypatch.setattr(large, "LARGE", 110)
    monkeypatch.setattr(load, "VIEWED_BYTES", 8_000)
    return tmp_path


def run(verb: str, **options: str | Path) -> None:
    words = [f"--{name}={value}" for name, value in options.items()]
    assert main([verb, *words]) == 0


def ingest(project: Path, out: Path, cache: Path) -> list[Path]:
    """The tables of both campaigns; made in a folder."""
    tables = [out / name for name in (LOGS, DUMPS)]
    for table in tables:
        run("ingest", campaign=project / "raw" / table.name, out=table, cache=cache)
    return tables


def results(project: Path, out: Path, cache: Path) -> dict[str, object]:
    """Rows of all tables, facts and evidence; made in a folder."""
    tables = ingest(project, out, cache)
    database, facts = out / "perf.duckdb", out / "derived/facts.json"
    assert main(["load", "--tables", *map(str, tables), f"--out={database}"]) == 0
    declared = {name: project / name for name in ("report", "raw")}
    data = {
        "metrics": ROOT / "data/metrics.yaml",
        "published": ROOT / "data/published.csv",
    }
    run("derive", database=database, **declared, **data, out=facts)
    found: dict[str, object] = {p.name: p.read_bytes() for p in facts.parent.glob("*")}
    with duckdb.connect(str(database), read_only=True) as con:
        find_files(con, database)
        for (table,) in con.execute("SHOW TABLES").fetchall():
            found[table] = con.table(table).fetchall()
    return found


def test_a_log_more_gives_what_a_first_reading_gives(project: Path) -> None:
    """What is kept of parts, and what follows, is of the reading before."""
    kept = project / "kept"
    ingest(project, project / "before", kept)
    assert len([*kept.glob("parts/*")]) > 2
    for campaign in (LOGS, DUMPS):
        made.more_log(project / "raw" / campaign)
    after = results(project, project / "after", kept)
    anew = results(project, project / "anew", project / "none")
    assert len(after["run"]) == RUNS + made.FEW_RUNS + 2
    assert after.keys() == anew.keys()
    assert [name for name in after if after[name] != anew[name]] == []
