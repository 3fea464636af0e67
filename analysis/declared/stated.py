"""Which workloads a published number speaks of: names, patterns and payload classes."""

from __future__ import annotations

from collections.abc import Callable

from analysis.declared.published import Published
from analysis.declared.workload import Workload, matches

KB = 1024
# How we read the payload classes of the sources, which give bytes for 32 kB alone.
# Bytes are those of the larger direction.
CLASSES: dict[str, Callable[[int], bool]] = {
    "small": lambda size: size <= 2 * KB,
    "medium": lambda size: 2 * KB < size < 16 * KB,
    "large": lambda size: size >= 16 * KB,
    "small and medium": lambda size: size < 16 * KB,
    "1 kB and 4 kB": lambda size: KB <= size <= 4 * KB,
    "32 kB": lambda size: size == 32 * KB,
}


def parts_of(row: Published) -> list[str]:
    """The workload names or patterns of a row."""
    return row.workload.split(" + ")


def is_mix(row: Published) -> bool:
    """Whether a row is for workloads that ran at once, none of which ran alone."""
    parts = parts_of(row)
    return len(parts) > 1 and not all(part.endswith("*") for part in parts)


def speaks_of(row: Published, work: Workload) -> bool:
    """Whether a row's names or patterns and its payload class hold for a workload."""
    if not any(matches(work.name, part) for part in parts_of(row)):
        return False
    fits = CLASSES.get(row.variant)
    return fits is None or fits(max(work.request_bytes, work.response_bytes))
