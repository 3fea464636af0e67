"""The tables that lie beside a report: handed on by name and hash, never opened."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import Issue, Place, raise_if
from analysis.files.atomic import link_file
from analysis.report.material import Material


@dataclass(frozen=True)
class HandedOn:
    """A table: its name in a report, its file, and the sha256 that derive told."""

    name: str
    path: Path
    sha256: str


def tables_of(material: Material) -> list[HandedOn]:
    """The tables of a report's campaigns; those that are gone are left out.

    One of another size than derive told is a :class:`analysis.errors.UserError`.
    """
    found: list[HandedOn] = []
    issues: list[Issue] = []
    for campaign, evidence in material.evidence.items():
        for name, state in evidence.tables.items():
            path = material.ingest / campaign / name
            if not path.is_file():
                continue
            if path.stat().st_size != state.bytes:
                what = "not the table that the facts were derived from"
                issues.append(Issue(what, Place(str(path)), "run 'make report'"))
            found.append(HandedOn(f"tables/{campaign}/{name}", path, state.sha256))
    raise_if(issues)
    return found


def place_tables(tables: Iterable[HandedOn], folder: Path) -> None:
    """Put the tables into a report's folder: as links, copied where none can be."""
    for table in tables:
        target = folder / table.name
        target.parent.mkdir(parents=True, exist_ok=True)
        link_file(table.path, target)
