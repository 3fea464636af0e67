"""Join the tables of all campaigns in one DuckDB database.

A table of many bytes is not copied: it is a view over the Parquet files of the
campaigns, whose names count from the folder of the database. The database says of every
table and column what it holds and in which unit: SELECT * FROM duckdb_columns().
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb

from analysis.errors import Issue, Place, raise_if, user_error
from analysis.facts.evidence import check_digests
from analysis.files.atomic import remove_folder, whole_file
from analysis.files.limits import DATABASE_BYTES, MIB
from analysis.ingest.tables.catalog import COLUMNS, DECLARED, TABLES
from analysis.ingest.tables.store import file_name, is_empty

_TWICE = """
SELECT campaign || '/' || file FROM source GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL
"""
_ROWS = "(SELECT {columns} FROM read_parquet('{file}'))"
WITHIN = {"memory_limit": f"{DATABASE_BYTES}B"}  # what more is needed goes to files
CAMPAIGN = "campaign"  # a column of every table
VIEWED_BYTES = MIB  # of a table in a campaign, on average: from these on it is a view
_KEYS = {CAMPAIGN, "run", "source"}  # tables that are looked up all the time
_NAMES = [*map(file_name, TABLES)]
_COUNT = 'SELECT count(*) FROM "{table}"'
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
    counts = load(args.tables, args.out, args.raw, described=True)
    rows = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    print(f"{args.out}: {rows}")
    return 0


def load(
    folders: Sequence[Path],
    out: Path,
    raw: Path | None = None,
    described: bool = False,
) -> dict[str, int]:
    """Write the database under a draft's name, then rename it; rows by table.

    With ``raw``, tables of other files than those of its campaigns are refused. It is
    ``described`` for people who ask it, which takes as long as all else.
    """
    folders_of = sorted(set(folders))
    raise_if(_missing(folders_of))
    with whole_file(out) as draft:
        draft.with_name(f"{draft.name}.wal").unlink(missing_ok=True)
        try:
            return _write(draft, folders_of, raw, out, described)
        except (duckdb.IOException, duckdb.OutOfMemoryException) as error:
            mend = "see that the folder is yours and has room"
            what = f"cannot be written: {str(error).splitlines()[0]}"
            raise user_error(what, draft, mend=mend) from None


def _write(
    draft: Path, folders: Sequence[Path], raw: Path | None, out: Path, described: bool
) -> dict[str, int]:
    spilled = draft.with_name(f"{draft.name}.tmp")
    remove_folder(spilled)  # that of a killed build
    config: dict[str, Any] = {"temp_directory": str(spilled), **WITHIN}
    try:
        with duckdb.connect(str(draft), config=config) as con:
            find_files(con, out)
            counts = _fill(con, folders, out.parent, described)
            if raw is not None:
                digests = dict(con.table("campaign").fetchall())
                raise_if(check_digests(digests, raw, out))
    finally:
        remove_folder(spilled)
    return counts


def _fill(
    con: duckdb.DuckDBPyConnection,
    folders: Sequence[Path],
    place: Path,
    described: bool,
) -> dict[str, int]:
    """Make all tables of a database in ``place``, described or not; rows by table.

    A table is made in one statement, which takes a third of the time of several. One
    that is large is a view: to copy it takes longer than to look into its files.
    """
    con.begin()  # once: each of the 700 statements would wait for the disk
    campaigns = [_campaign(con, folder) for folder in folders]
    counts, comments = {}, []
    for name, schema in sorted(TABLES.items()):
        files = [folder / file_name(name) for folder in folders]
        filled = [file for file in files if not is_empty(name, file)] or files[:1]
        size = sum(file.stat().st_size for file in files)
        is_view = (
            name not in _KEYS and can_find(place) and size >= VIEWED_BYTES * len(files)
        )
        parts = {
            file: _selected(
                os.path.relpath(file, place) if is_view else str(file),
                [f'"{column}"' for column in schema]
                + ([] if CAMPAIGN in schema else [f"'{_quoted(of)}' AS {CAMPAIGN}"]),
            )
            for of, file in zip(campaigns, files, strict=True)
            if file in filled
        }
        rows = " UNION ALL ".join(parts.values())
        # Rows of one campaign are in order. A view would sort all when it is asked.
        order = " ORDER BY ALL" if len(parts) > 1 and not is_view else ""
        kind = "VIEW" if is_view else "TABLE"
        try:
            con.execute(f'CREATE {kind} "{name}" AS {rows}{order}')
            [(counts[name],)] = con.execute(_COUNT.format(table=name)).fetchall()
        except duckdb.Error:
            for file, part in parts.items():
                _rows(con, part, name, file)
            raise
        about = _quoted(DECLARED[name].comment)
        comments.append(f"COMMENT ON {kind} \"{name}\" IS '{about}'")
        for column in dict.fromkeys((*schema, CAMPAIGN)):
            about = _quoted(COLUMNS.get(f"{name}.{column}") or COLUMNS[column])
            comments.append(f'COMMENT ON COLUMN "{name}"."{column}" IS \'{about}\'')
    raise_if(_check_rows(con))
    if described:
        con.execute(";\n".join(comments))
    con.commit()
    return counts


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
    for (file,) in con.execute(_TWICE).fetchall():
        what = f"the file {file!r} is there twice"
        issues.append(Issue(what, mend="name each campaign's tables once"))
    for table in sorted(t for t, c in TABLES.items() if "run" in c and t != "run"):
        for (run,) in con.execute(_STRAY.format(table=table)).fetchall():
            what = f"the table {table} has rows of {run!r}, which is no run"
            issues.append(Issue(what, mend="ingest the campaign again"))
    return issues


def find_files(con: duckdb.DuckDBPyConnection, database: Path) -> None:
    """Let the views of a database find their files, whose names count from its folder,
    wherever the program was started."""
    if can_find(database.parent):
        folder = _quoted(str(database.parent.absolute()))
        con.execute(f"SET file_search_path = '{folder}'")


def can_find(folder: Path) -> bool:
    """Whether DuckDB can be told of a folder: a comma ends a path there."""
    return "," not in str(folder.absolute())


def _quoted(text: str) -> str:
    return text.replace("'", "''")
