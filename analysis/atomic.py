"""Write results so that a final name never holds half a result."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 text under a draft's name, then rename it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.part")
    draft.write_text(text, encoding="utf-8")
    os.replace(draft, path)


@contextmanager
def whole_folder(out: Path) -> Iterator[Path]:
    """An empty draft beside ``out``, which takes its place when the block ends well."""
    draft = _fresh(out, "part")
    yield draft
    old = _fresh(out, "old")
    if out.exists():
        os.replace(out, old)
    os.replace(draft, out)
    shutil.rmtree(old, ignore_errors=True)


def _fresh(out: Path, kind: str) -> Path:
    """An empty folder beside ``out``; what a killed run left there is removed."""
    path = out.with_name(f".{out.name}.{kind}")
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path
