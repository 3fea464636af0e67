"""``manifest.json``: what a build is, what it was made from, the hash of every file."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from analysis.files.atomic import MANIFEST, files_below
from analysis.files.hashes import hash_file
from analysis.report.builds.handed_on import HandedOn
from analysis.report.document.compose import metadata
from analysis.report.document.document import Document
from analysis.report.material import Material
from analysis.report.output import files_of
from analysis.report.review.state import Reviews

_PROJECT = Path(__file__).resolve().parents[3] / "pyproject.toml"


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
    return {
        **{name: about[name] for name in names},
        "headline": headline,
        "banner": about.get("banner", ""),
        "build": next(iter(documents.values())).build,
        "formats": files_of(material.edition, material.id),
        "raw_files": material.edition.raw_files,
        "engine": engine["name"],
        "versions": {"program": program_version(), **versions},
        "facts_sha256": hash_file(rendered / "facts.json"),
        "counts": counts(material, documents.get("")),
        "review": {study: own.state for study, own in states.studies.items()},
        "files": _hashes(rendered) | {table.name: table.sha256 for table in tables},
    }


def _hashes(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hash_file(path)
        for path in files_below(folder)
    }


def counts(material: Material, report: Document | None) -> dict[str, int]:
    """How much there is of what; a run that serves two studies counts once."""
    runs, labels = material.runs(), report.parts.labels if report else ()
    return {
        "studies": len(material.studies),
        "figures": len(material.all_pictures()),
        "tables": sum(id.startswith("tbl-") for id in labels),
        "facts": len(material.facts.facts),
        "runs_used": sum(run.used for run in runs),
        "runs_excluded": sum(run.excluded for run in runs),
    }


def program_version() -> str:
    """The version of this program, from its ``pyproject.toml``."""
    data = tomllib.loads(_PROJECT.read_text(encoding="utf-8"))
    return str(data["project"]["version"])


def main_file(folder: Path) -> str:
    """The name of the file that a reader of a finished report opens first."""
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    return str(next(iter(manifest["formats"].values())))


def engine_of(folder: Path) -> str:
    """The engine of a finished report, with its version."""
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    name = str(manifest["engine"])
    return f"{name} {manifest['versions'][name]}"


def manifest_text(manifest: Mapping[str, Any]) -> str:
    """The manifest as stable JSON."""
    return json.dumps(manifest, ensure_ascii=False, indent=2) + "\n"
