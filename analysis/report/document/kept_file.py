"""Rendered bodies of a document on disk, from build to build."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from analysis.files.atomic import whole_file

Known = Mapping[str, str]  # rendered bodies by their keys


def kept_file(document: Path, option: str) -> Path:
    """Where a document folder's bodies are kept, for a ``--to`` option of an engine."""
    return document.with_name(f".{document.name}.kept") / option.removeprefix("--to=")


def read_kept(file: Path) -> dict[str, str]:
    """The rendered bodies by their keys; none where the file is absent or not as
    :func:`write_kept` left it."""
    try:
        digest, kept = file.read_bytes().split(b"\n", 1)
    except (OSError, ValueError):
        return {}
    if digest.decode("ascii", "replace") != hashlib.sha256(kept).hexdigest():
        return {}
    found: dict[str, str] = json.loads(kept)
    return found


def write_kept(file: Path, kept: Known) -> None:
    """In one step, below its digest; a preview may write the same file meanwhile."""
    content = json.dumps(dict(kept)).encode("ascii")
    digest = hashlib.sha256(content).hexdigest().encode("ascii")
    with whole_file(file, rivals=True) as draft:
        draft.write_bytes(digest + b"\n" + content)
