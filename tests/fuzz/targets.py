"""All targets by name."""

from __future__ import annotations

from functools import cache

from tests.fuzz import raw_files, texts
from tests.fuzz.target import Target

NAMES = (*(target.name for target in raw_files.TARGETS), *texts.NAMES)


@cache
def targets() -> dict[str, Target]:
    """Raw files by family, texts together, each declaration by itself."""
    return {t.name: t for t in (*raw_files.TARGETS, *texts.targets())}
