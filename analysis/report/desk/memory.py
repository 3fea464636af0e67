"""How much memory the C library keeps for later: a desk runs for days.

A page is some megabytes, made and sent by many threads. glibc has a heap for each, and
keeps in it what was freed among what is in use; told so, it has two, and takes large
blocks from the system and gives them back.
"""

from __future__ import annotations

import ctypes

from analysis.files.limits import KIB

_MMAP_THRESHOLD, _ARENA_MAX = -3, -8  # as <malloc.h> numbers them
_LARGE = 128 * KIB  # bytes; once told, it stays
_HEAPS = 2


def keep_little() -> None:
    """Let this process give back what it frees; other C libraries do as they do."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_ARENA_MAX, _HEAPS)
        mallopt(_MMAP_THRESHOLD, _LARGE)
