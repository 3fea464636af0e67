"""The page of the documentation that lists the tables of the database, and who uses
each: looked up in the code, so that nobody has to keep a list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from analysis.ingest.tables.catalog import DECLARED

_ANALYSIS = Path(__file__).parents[1]
_USERS = {  # where a table is named, and who uses it then
    "facts": ("derive/**/*.py", r"(?:FROM|JOIN) {0}\b|\"{0}\""),
    "checks": ("ingest/joining/*.py", r"tables\[\"{0}\"\]|in_runs\(\"{0}\"\)"),
}
_HEAD = "| table | what is in it | columns | used by |\n|---|---|---|---|"


def tables_page() -> str:
    """All tables of the catalogue, each with its users."""
    rows = [
        f"| `{name}` | {table.comment} | {len(table.columns)} | "
        f"{', '.join(users_of(name)) or 'your questions'} |"
        for name, table in sorted(DECLARED.items())
    ]
    parts = [
        "# Tables",
        "<!-- Made by `python -m analysis schema`; the catalogue has the words. -->",
        "`data/build/perf.duckdb` has these tables of all campaigns, and `inspect FILE "
        "--rows` prints the rows of one file. *Facts* says that facts of reports rest "
        "on a table, *checks* that `ingest` holds it against what is declared, or "
        "makes the CPU time of runs of it. All others are read from SMF, RMF and Linux "
        "for *your questions*, in SQL or in a notebook. What each column holds, and in "
        "which unit, the database says itself:",
        "```sql\nSELECT table_name, column_name, comment FROM duckdb_columns();\n```",
        "\n".join([_HEAD, *rows]),
    ]
    return "\n\n".join(parts) + "\n"


def users_of(table: str) -> Iterator[str]:
    """Who uses a table, beside the database and ``inspect``, which have all."""
    for user, (files, pattern) in _USERS.items():
        named = re.compile(pattern.format(table))
        texts = (path.read_text("utf-8") for path in _ANALYSIS.glob(files))
        if any(map(named.search, texts)):
            yield user
