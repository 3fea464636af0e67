"""Digests of what a build is made from: by names and bytes, never by dates."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from analysis.files.file_cache import hash_file, per_file

CACHE = Path("data/build/digests")
_DIGITS = 16


def digest_of(hashes: Mapping[str, str]) -> str:
    """One hash over names, each with the hash of what it stands for; 16 hex digits."""
    lines = sorted(f"{len(name)} {name} {value}" for name, value in hashes.items())
    text = "\n".join(lines).encode("utf-8", "surrogateescape")
    return hashlib.sha256(text).hexdigest()[:_DIGITS]


def file_hashes(
    paths: Iterable[Path], name: str, cache: Path = CACHE
) -> dict[str, str]:
    """The sha256 of each file by path; ``name`` is that of the cache's own file."""
    found = per_file(paths, hash_file, cache / f"{name}.json")
    return {path.as_posix(): value for path, value in found.items()}
