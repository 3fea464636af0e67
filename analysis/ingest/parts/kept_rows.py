"""The rows of the runs of each part, kept: of all parts together, a file a table.

A part's rows are known by a key of all that they came from. They lie in Arrow's form
with the name of their part in a column, since a file for each part takes long.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from analysis.files.atomic import whole_folder

PART = "_part"
_LIST = "parts.json"
Rows = dict[str, pl.DataFrame]  # by table


def read_rows(folder: Path, wanted: Mapping[str, str]) -> tuple[dict[str, str], Rows]:
    """Of the parts that are ``wanted``, each with its key, those that are kept with the
    same one, and their rows; :data:`PART` is the column with the name of each part."""
    try:
        told = json.loads((folder / _LIST).read_text("utf-8"))
        found = {name: pl.read_ipc(folder / f"{name}.arrow") for name in told["rows"]}
        if told["rows"] != {name: rows.height for name, rows in found.items()}:
            return {}, {}
        keys = told["keys"].items()
        same = {name: key for name, key in keys if wanted.get(name) == key}
    except (OSError, ValueError, LookupError, TypeError, pl.exceptions.PolarsError):
        return {}, {}  # absent or damaged: all parts are judged anew
    if len(same) < len(keys):
        ours = pl.col(PART).is_in(list(same))
        found = {name: rows.filter(ours) for name, rows in found.items()}
    return same, found


def write_rows(folder: Path, keys: Mapping[str, str], tables: Rows) -> None:
    """Keep the rows of parts with these keys, and of no others."""
    told = {"keys": keys, "rows": {name: of.height for name, of in tables.items()}}
    with whole_folder(folder) as draft:
        (draft / _LIST).write_text(json.dumps(told), "utf-8")
        for name, rows in tables.items():
            rows.write_ipc(draft / f"{name}.arrow", compression="uncompressed")
