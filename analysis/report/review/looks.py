"""What gives pages their words beside texts and facts, or hides them: their look.

A template can add words to a page, a style sheet can hide a number or write another one
before it, a script can change both. So an approval keeps the hash of each such file.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from analysis.files.hashes import state_of
from analysis.files.inputs import text_files

_DIGITS = 8
# No reader sees what these make.
_OTHERS = {"desk", "preview.js", "new", "ci"}


def looks(templates: Path) -> dict[str, str]:
    """The hash of each template, style, script and filter of pages, by its name."""
    found = {
        path.relative_to(templates).as_posix(): path for path in text_files(templates)
    }
    return {
        f"templates/{name}": _digest(path, tuple(state_of(path)))
        for name, path in found.items()
        if name.partition("/")[0] not in _OTHERS
    }


@lru_cache(1024)
def _digest(path: Path, _: tuple[int, ...]) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:_DIGITS]
