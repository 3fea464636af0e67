"""Tables of a database that are views over Parquet files: where these lie."""

from __future__ import annotations

from pathlib import Path

import duckdb


def find_files(con: duckdb.DuckDBPyConnection, database: Path) -> None:
    """Let the views of a database find their files, whose names count from its folder,
    wherever the program was started."""
    if can_find(database.parent):
        folder = str(database.parent.absolute()).replace("'", "''")
        con.execute(f"SET file_search_path = '{folder}'")


def can_find(folder: Path) -> bool:
    """Whether DuckDB can be told of a folder: a comma ends a path there."""
    return "," not in str(folder.absolute())
