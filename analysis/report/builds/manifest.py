"""``manifest.json``: what a build is, what it was made from, the hash of every file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.errors import Issue, Place, raise_if
from analysis.files.atomic import files_below, link_file
from analysis.files.hashes import hash_file
from analysis.program import version
from analysis.report.document.compose import metadata
from analysis.report.document.document import Document
from analysis.report.material import Material
from analysis.report.output import files_of
from analysis.report.review.state import Reviews


@dataclass(frozen=True)
class HandedOn:
    """A table beside a report, which is never opened: its name there, its file, and
    the sha256 that derive told."""

    name: str
    path: Path
    sha256: str


def make_manifest(
    material: Material,
    states: Reviews,
    documents: Mapping[str, Document],
    rendered: Path,
    engine: Mapping[str, str],
    tables: Iterable[HandedOn] = (),
    headline: str = "",
) -> dict[str, Any]:
    """The manifest of a rendered edition.

    ``documents`` are what was rendered, by their folders, and ``rendered`` is the
    folder of the finished files; ``engine`` holds the engine's name and the versions of
    all that computed. ``tables`` lie beside those files when the report is in place,
    and ``headline`` is the first finding in plain words.
    """
    about = metadata(material, states)
    names = ("edition", "title", "subtitle", "date", "number", "status", "origins")
    versions = {k: v for k, v in engine.items() if k != "name"}
    runs = material.runs()  # one that serves two studies counts once
    report = documents.get("")
    labels = report.parts.labels if report else ()
    return {
        **{name: about[name] for name in names},
        "year": material.edition.year or material.edition.date.year,
        "headline": headline,
        "authors": about["author"],
        "banner": about.get("banner", ""),
        "sizes": about.get("sizes", ""),
        "product": material.edition.product,
        "build": next(iter(documents.values())).build,
        "formats": files_of(material.edition, material.id),
        "raw_files": material.edition.raw_files is True,
        "engine": engine["name"],
        "versions": {"program": version(), **versions},
        "facts_sha256": hash_file(rendered / "facts.json"),
        "counts": {
            "studies": len(material.studies),
            "figures": len(material.all_pictures()),
            "tables": sum(id.startswith("tbl-") for id in labels),
            "facts": len(material.facts.facts),
            "runs_used": sum(run.used for run in runs),
            "runs_excluded": sum(run.excluded for run in runs),
        },
        "review": {study: own.state for study, own in states.studies.items()},
        "files": {
            path.relative_to(rendered).as_posix(): hash_file(path)
            for path in files_below(rendered)
        }
        | {table.name: table.sha256 for table in tables},
    }


def manifest_text(manifest: Mapping[str, Any]) -> str:
    """The manifest as stable JSON."""
    return json.dumps(manifest, ensure_ascii=False, indent=2) + "\n"


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
