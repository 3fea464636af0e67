"""A finished build, or a release of one: a folder with ``manifest.json``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.errors import Issue, Place, raise_if, user_error
from analysis.file_cache import hash_file

MANIFEST, PROVENANCE, FACTS = "manifest.json", "provenance.json", "facts.json"
_ID = re.compile(r"[a-z0-9][a-z0-9.-]*")
_BUILD = re.compile(r"[0-9a-f]{6,64}")
_HASH = re.compile(r"[0-9a-f]{64}")
_UNSAFE = re.compile(r'[\x00-\x1f\x7f\\:*?"<>|]')
_REBUILD = "build the edition again: make report"


@dataclass(frozen=True)
class Build:
    """One build: its folder, and what its manifest and provenance say.

    ``files`` maps each file, the manifest apart, to its sha256.
    """

    folder: Path
    edition: str
    id: str
    files: Mapping[str, str]
    manifest: Mapping[str, Any]
    provenance: Mapping[str, Any]

    @property
    def draft(self) -> bool:
        """Whether the edition calls itself a draft."""
        return bool(self.manifest.get("status") != "final")


def read_build(folder: Path) -> Build:
    """The build in ``folder``; a :class:`UserError` where it is none, or not safe.

    Names of files must stay below the folder and be fit for every web server.
    """
    path = folder / MANIFEST
    manifest = _read(path)
    edition, id = str(manifest.get("edition", "")), str(manifest.get("build", ""))
    files = manifest.get("files")
    if not isinstance(files, dict) or not files:
        raise user_error("the manifest names no files", path, mend=_REBUILD)
    issues = [
        Issue(f"not a safe name for a file: {name!r}", Place(str(path)), _REBUILD)
        for name in files
        if not safe_name(name)
    ]
    for what, value, pattern in (("edition", edition, _ID), ("build", id, _BUILD)):
        if not pattern.fullmatch(value) or ".." in value:
            issues.append(
                Issue(f"not a safe {what}: {value!r}", Place(str(path)), _REBUILD)
            )
    for name, digest in files.items():
        if not _HASH.fullmatch(str(digest)):
            issues.append(Issue(f"no sha256 of {name!r}", Place(str(path)), _REBUILD))
    raise_if(issues)
    beside = folder / PROVENANCE
    provenance = _read(beside) if PROVENANCE in files else {}
    return Build(folder, edition, id, dict(files), manifest, provenance)


def safe_name(name: str) -> bool:
    """Whether a relative path stays below its folder and suits every web server."""
    parts = name.split("/")
    return not _UNSAFE.search(name) and all(
        part and part == part.strip() and not part.startswith(".") for part in parts
    )


def check_files(
    folder: Path, files: Mapping[str, str], names: Iterable[str] = ()
) -> list[Issue]:
    """Files that are absent, changed, or links to elsewhere; all unless ``names``."""
    issues = []
    for name in names or files:
        path, where = folder / name, Place(str(folder / name))
        if not path.exists():
            issues.append(Issue("this file is missing", where, _REBUILD))
        elif not path.resolve().is_relative_to(folder.resolve()):
            issues.append(Issue("a link to outside of the build", where, _REBUILD))
        elif hash_file(path) != files[name]:
            issues.append(Issue("not the file that was built", where, _REBUILD))
    return issues


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        mend = "run 'make report' first; a build has index.html and manifest.json"
        raise user_error("there is no finished build here", path, mend=mend) from None
    except (OSError, ValueError) as error:
        raise user_error(f"cannot be read: {error}", path, mend=_REBUILD) from None
    if not isinstance(found, dict):
        raise user_error("not the file that was built", path, mend=_REBUILD)
    return found
