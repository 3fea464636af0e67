"""Write results so that a final name never holds half a result."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from analysis.ingest.tables import TABLES


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 text under a draft's name, then rename it."""
    draft = path.with_name(f".{path.name}.part")
    draft.write_text(text, encoding="utf-8")
    os.replace(draft, path)


def write_tables(tables: Mapping[str, pl.DataFrame], out: Path) -> None:
    """Write each table as ``<out>/<table>.parquet``; the folder appears as a whole."""
    draft = _fresh(out, "part")
    for name, frame in tables.items():
        frame.write_parquet(draft / f"{name}.parquet", compression="zstd")
    old = _fresh(out, "old")
    if out.exists():
        os.replace(out, old)
    os.replace(draft, out)
    shutil.rmtree(old, ignore_errors=True)


def _fresh(out: Path, kind: str) -> Path:
    """An empty folder beside ``out``; a killed run's remains are removed."""
    path = out.with_name(f".{out.name}.{kind}")
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def join_frames(name: str, frames: list[pl.DataFrame]) -> pl.DataFrame:
    """All frames of a table as one: its columns, its types, sorted by all of them."""
    schema = TABLES[name]
    whole = pl.concat(
        [pl.DataFrame(schema=schema), *frames], how="diagonal_relaxed"
    ).select(pl.col(c).cast(t) for c, t in schema.items())
    return whole.sort(list(schema), nulls_last=True)
