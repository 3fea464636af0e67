"""Join the tables of all campaigns in one DuckDB database.

A table of many bytes is not copied: it is a view over the Parquet files of the
campaigns, whose names count from the folder of the database. The database says of every
table and column what it holds and in which unit: SELECT * FROM duckdb_columns().
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import duckdb

from analysis.errors import Issue, Place, raise_if, user_error
from analysis.facts.evidence import check_digests
from analysis.files.atomic import remove_folder, whole_file
from analysis.files.limits import DATABASE_BYTES, MIB
from analysis.ingest.tables.catalog import COLUMNS, DECLARED, TABLES
from analysis.ingest.tables.store import file_name, is_empty
from analysis.ingest.tables.views import can_find, find_files

_TWICE = """
SELECT campaign || '/' || file FROM source GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL
"""
_ROWS = "(SELECT {columns} FROM read_parquet('{file}'))"
WITHIN = {"memory_limit": f"{DATABASE_BYTES}B"}  # what more is needed goes to files
CAMPAIGN = "campaign"  # a column of every table
VIEWED_BYTES = MIB  # of a table in a campaign, on average: from these on it is a view
_KEYS = {CAMPAIGN, "run", "source"}  # tables that are looked up all the time
_NAMES = [*map(file_name, TABLES)]
_STRAY = """
SELECT DISTINCT campaign || '/' || run FROM {table} ANTI JOIN run USING (campaign, run)
WHERE run IS NOT NULL ORDER BY ALL
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
    found = sorted(set(folders))
    raise_if(_missing(found))
    with whole_file(out) as draft:
        draft.with_name(f"{draft.name}.wal").unlink(missing_ok=True)
        try:
            return _write(draft, found, raw, out)
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
    campaigns = {at: _campaign(con, at) for at in folders}
    viewed = TABLES.keys() - _KEYS if can_find(place) else ()
    views = {name for name in viewed if _is_large(_files(name, folders))}
    counts = {}
    for table in sorted(TABLES):
        files = zip(campaigns.values(), _files(table, folders), strict=True)
        counts[table] = _load_table(
            con, table, [*files], place if table in views else None
        )
    raise_if(_check_rows(con))
    con.execute(";\n".join(_comments(views)))
    con.commit()
    return counts


def _files(table: str, folders: Sequence[Path]) -> list[Path]:
    return [folder / file_name(table) for folder in folders]


def _is_large(files: Sequence[Path]) -> bool:
    """Whether to copy a table takes longer than to look into each of its files."""
    return sum(file.stat().st_size for file in files) >= VIEWED_BYTES * len(files)


def _load_table(
    con: duckdb.DuckDBPyConnection,
    name: str,
    campaigns: Sequence[tuple[str, Path]],
    place: Path | None,
) -> int:
    """Make a table in one statement, which takes a third of the time of several, or a
    view of a database in ``place``, of the file of each campaign; its rows."""
    filled = [one for one in campaigns if not is_empty(name, one[1])] or campaigns[:1]
    parts = [_part(name, campaign, file, place) for campaign, file in filled]
    rows = " UNION ALL ".join(parts)
    # Rows of one campaign are in order. A view would sort all each time it is asked.
    order = " ORDER BY ALL" if len(parts) > 1 and not place else ""
    kind = "VIEW" if place else "TABLE"
    try:
        counted = con.execute(f'CREATE {kind} "{name}" AS {rows}{order}').fetchall()
        if place:
            counted = con.table(name).count("*").fetchall()
    except duckdb.Error:
        for part, (_, file) in zip(parts, filled, strict=True):
            _rows(con, part, name, file)
        raise
    return int(counted[0][0]) if counted else 0


def _part(name: str, campaign: str, file: Path, place: Path | None) -> str:
    """The rows of one campaign, which say of which one they are: a file may be of
    two, and names of runs are only unique within one."""
    columns = [f'"{column}"' for column in TABLES[name]]
    if CAMPAIGN not in TABLES[name]:
        columns.append(f"'{_quoted(campaign)}' AS {CAMPAIGN}")
    return _selected(os.path.relpath(file, place) if place else str(file), columns)


def _campaign(con: duckdb.DuckDBPyConnection, folder: Path) -> str:
    file = folder / file_name(CAMPAIGN)
    rows = _rows(con, _selected(str(file), [CAMPAIGN]), CAMPAIGN, file)
    return str(rows[0][0]) if rows else folder.name


def _selected(file: str, columns: Sequence[str]) -> str:
    return _ROWS.format(columns=", ".join(columns), file=_quoted(file))


def _rows(
    con: duckdb.DuckDBPyConnection, query: str, name: str, file: Path
) -> list[Any]:
    try:
        return con.execute(query).fetchmany(1)
    except duckdb.Error as error:
        what, mend = f"not the table {name!r}: {error}", "ingest its campaign again"
        raise user_error(what, file, mend=mend) from None


def _missing(folders: Sequence[Path]) -> list[Issue]:
    files = (file for folder in folders for file in map(folder.joinpath, _NAMES))
    mend = "run 'make report', which reads the campaign first"
    return [
        Issue("this table is missing", Place(str(file)), mend)
        for file in files
        if not file.is_file()
    ]


def _check_rows(con: duckdb.DuckDBPyConnection) -> list[Issue]:
    """Campaigns that are there twice, and rows of runs that nobody declared."""
    issues = []
    for (file,) in con.sql(_TWICE).fetchall():
        what = f"the file {file!r} is there twice"
        issues.append(Issue(what, mend="name each campaign's tables once"))
    for table in sorted(t for t, c in TABLES.items() if "run" in c and t != "run"):
        for (run,) in con.sql(_STRAY.format(table=table)).fetchall():
            what = f"the table {table} has rows of {run!r}, which is no run"
            issues.append(Issue(what, mend="ingest the campaign again"))
    return issues


def _comments(views: Collection[str]) -> list[str]:
    tables = [
        f'COMMENT ON {"VIEW" if table in views else "TABLE"} "{table}"'
        f" IS '{_quoted(DECLARED[table].comment)}'"
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
