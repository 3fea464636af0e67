"""Repetitions of a workload, counted from 1: which of them there are no runs of.

A run that was measured and is left out changes a result, so that a gap must be seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def gaps(numbers: Iterable[int]) -> Iterator[str]:
    """What is missing from 1 up to the largest number, such as ``2`` and ``4 to 6``."""
    before = 0
    for number in sorted(numbers):
        first, last = before + 1, number - 1
        if first <= last:
            yield str(first) if first == last else f"{first} to {last}"
        before = number
