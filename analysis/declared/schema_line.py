"""The line of a written file by which an editor finds the schema to check it by."""

from __future__ import annotations

import os
from pathlib import Path

SCHEMAS = Path("docs/reference")


def schema_file(id: str) -> Path:
    """Where the schema of a kind of file lies, below the project's folder."""
    return SCHEMAS / f"{id}.schema.json"


def schema_line(id: str, path: Path) -> str:
    """The first line of the file of that kind that is written to ``path``."""
    way = os.path.relpath(schema_file(id), path.parent)
    return f"# yaml-language-server: $schema={Path(way).as_posix()}\n"
