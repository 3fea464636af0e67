"""Join the tables of all campaigns in one DuckDB database.

A table of many bytes is not copied: it is a view over the Parquet files of the
campaigns, whose names count from the folder of the database. The database says of every
table and column what it holds and in which unit: SELECT * FROM duckdb_columns().
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from analysis.errors import Issue, Place, raise_if, user_error
from analysis.facts.freshness import check_digests
from analysis.files.atomic import remove_folder, whole_file
from analysis.files.limits import DATABASE_BYTES, MIB
from analysis.ingest.tables.catalog import TABLES
from analysis.ingest.tables.comments import COLUMNS, TABLE_COMMENTS
from analysis.ingest.tables.store import is_empty
from analysis.ingest.tables.views import can_find, find_files

_TWICE = """
SELECT {key}, string_agg(DISTINCT campaign, ' and ' ORDER BY campaign)
FROM {table} WHERE {key} IN (
    SELECT {key} FROM {table} GROUP BY ALL HAVING count(*) > 1
) GROUP BY ALL ORDER BY ALL
"""
_ROWS = "(SELECT {columns} FROM read_parquet('{file}'))"
WITHIN = {"memory_limit": f"{DATABASE_BYTES}B"}  # what more is needed goes to files
CAMPAIGN = "campaign"  # a column of every table
VIEWED_BYTES = MIB  # of a table in a campaign, on average: from these on it is a view
_KEYS = {CAMPAIGN, "run", "source"}  # tables that are looked up all the time
_STRAY = """
SELECT DISTINCT run FROM {table}
WHERE run IS NOT NULL AND run NOT IN (SELECT run FROM run) ORDER BY run
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The folders that ingest wrote, and the database."""
    parser.add_argument(
        "--tables", type=Path, nargs="+", required=True, help="data/build/ingest/…"
    )
    parser.add_argument("--out", type=Path, default=Path("data/build/perf.duckdb"))
    parser.add_argument("--raw", type=Path, help="compare the tables with the files")


def run(args: argparse.Namespace) -> int:
    """Write the database and print one line."""
    counts = load(args.tables, args.out, args.raw)
    rows = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    print(f"{args.out}: {rows}")
    return 0


def load(folders: Sequence[Path], out: Path, raw: Path | None = None) -> dict[str, int]:
    """Write the database under a draft's name, then rename it; rows by table.

    With ``raw``, tables of other files than those of its campaigns are refused.
    """
    raise_if(_check_folders(folders))
    with whole_file(out) as draft:
        draft.with_name(f"{draft.name}.wal").unlink(missing_ok=True)
        try:
            return _write(draft, folders, raw, out)
        except (duckdb.IOException, duckdb.OutOfMemoryException) as error:
            mend = "see that the folder is yours and has room"
            what = f"cannot be written: {str(error).splitlines()[0]}"
            raise user_error(what, draft, mend=mend) from None


def _write(
    draft: Path, folders: Sequence[Path], raw: Path | None, out: Path
) -> dict[str, int]:
    spilled = draft.with_name(f"{draft.name}.tmp")
    remove_folder(spilled)  # that of a killed build
    config: dict[str, Any] = {"temp_directory": str(spilled), **WITHIN}
    try:
        with duckdb.connect(str(draft), config=config) as con:
            find_files(con, out)
            counts = _fill(con, folders, out.parent)
            if raw is not None:
                told = dict(con.table("campaign").fetchall())
                raise_if(check_digests(told, raw, out))
    finally:
        remove_folder(spilled)
    return counts


def _fill(
    con: duckdb.DuckDBPyConnection, folders: Sequence[Path], place: Path
) -> dict[str, int]:
    """Make and describe all tables of a database in ``place``; rows by table."""
    con.begin()  # once: each of the 700 statements would wait for the disk
    found = sorted(set(folders))
    campaigns = {folder: _campaign(con, folder) for folder in found}
    viewed = TABLES.keys() - _KEYS if can_find(place) else ()
    views = {name for name in viewed if _is_large(name, found)}
    counts = {
        name: _load_table(con, name, campaigns, place if name in views else None)
        for name in sorted(TABLES)
    }
    raise_if(_check_rows(con))
    con.execute(";\n".join(_comments(views)))
    con.commit()
    return counts


def _is_large(name: str, folders: Sequence[Path]) -> bool:
    """Whether to copy a table takes longer than to look into each of its files."""
    files = [folder / f"{name}.parquet" for folder in folders]
    return sum(file.stat().st_size for file in files) >= VIEWED_BYTES * len(files)


def _load_table(
    con: duckdb.DuckDBPyConnection,
    name: str,
    campaigns: Mapping[Path, str],
    place: Path | None,
) -> int:
    """Make a table in one statement, which takes a third of the time of several, or a
    view of a database in ``place``; how many rows it has."""
    filled = [of for of in campaigns if not is_empty(name, of / f"{name}.parquet")]
    folders = {of: campaigns[of] for of in filled or [*campaigns][:1]}
    near = {of: Path(os.path.relpath(of, place)) if place else of for of in folders}
    parts = [_part(name, near[of], campaign) for of, campaign in folders.items()]
    rows = " UNION ALL ".join(parts)
    # Rows of one campaign are in order. A view would sort all each time it is asked.
    order = " ORDER BY ALL" if len(parts) > 1 and not place else ""
    kind = "VIEW" if place else "TABLE"
    try:
        counted = con.execute(f'CREATE {kind} "{name}" AS {rows}{order}').fetchall()
        if place:
            counted = con.table(name).count("*").fetchall()
    except duckdb.Error:
        for part, folder in zip(parts, folders, strict=True):
            _rows(con, part, name, folder)
        raise
    return int(counted[0][0]) if counted else 0


def _part(name: str, folder: Path, campaign: str) -> str:
    """The rows of one campaign, which say of which one they are: a file may be of
    two, and names of runs are only unique within one."""
    columns = [f'"{column}"' for column in TABLES[name]]
    if CAMPAIGN not in TABLES[name]:
        columns.append(f"'{_quoted(campaign)}' AS {CAMPAIGN}")
    return _selected(name, folder, columns)


def _campaign(con: duckdb.DuckDBPyConnection, folder: Path) -> str:
    of = _selected(CAMPAIGN, folder, [CAMPAIGN])
    rows = _rows(con, of, CAMPAIGN, folder)
    return str(rows[0][0]) if rows else folder.name


def _selected(name: str, folder: Path, columns: Sequence[str]) -> str:
    file = _quoted(str(folder / f"{name}.parquet"))
    return _ROWS.format(columns=", ".join(columns), file=file)


def _rows(
    con: duckdb.DuckDBPyConnection, query: str, name: str, folder: Path
) -> list[Any]:
    try:
        return con.execute(query).fetchmany(1)
    except duckdb.Error as error:
        file, mend = folder / f"{name}.parquet", "ingest its campaign again"
        raise user_error(f"not the table {name!r}: {error}", file, mend=mend) from None


def _check_folders(folders: Sequence[Path]) -> list[Issue]:
    missing = [
        folder / f"{name}.parquet"
        for folder in folders
        for name in TABLES
        if not (folder / f"{name}.parquet").is_file()
    ]
    mend = "run 'make report', which reads the campaign first"
    return [Issue("this table is missing", Place(str(p)), mend) for p in missing]


def _check_rows(con: duckdb.DuckDBPyConnection) -> list[Issue]:
    """Keys that are not unique, and rows of runs that nobody declared."""
    issues = []
    for run, campaigns in con.sql(_TWICE.format(table="run", key="run")).fetchall():
        what = f"the run {run!r} is there twice: {campaigns}"
        issues.append(Issue(what, mend="give it another id in one runs.csv"))
    for file, of in con.sql(
        _TWICE.format(table="source", key="campaign || '/' || file")
    ).fetchall():
        what = f"the file {file!r} is there twice: {of}"
        issues.append(Issue(what, mend="name each campaign's tables once"))
    for table in sorted(t for t, c in TABLES.items() if "run" in c and t != "run"):
        for (run,) in con.sql(_STRAY.format(table=table)).fetchall():
            what = f"the table {table} has rows of {run!r}, which is no run"
            issues.append(Issue(what, mend="ingest the campaign again"))
    return issues


def _comments(views: Collection[str]) -> list[str]:
    tables = [
        f'COMMENT ON {"VIEW" if table in views else "TABLE"} "{table}"'
        f" IS '{_quoted(TABLE_COMMENTS[table])}'"
        for table in sorted(TABLES)
    ]
    columns = [
        f'COMMENT ON COLUMN "{table}"."{column}" IS '
        f"'{_quoted(COLUMNS.get(f'{table}.{column}') or COLUMNS[column])}'"
        for table, schema in sorted(TABLES.items())
        for column in dict.fromkeys((*schema, CAMPAIGN))
    ]
    return tables + columns


def _quoted(text: str) -> str:
    return text.replace("'", "''")
