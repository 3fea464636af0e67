"""When the runs of a campaign are made."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

Run = TypeVar("Run")


def weekdays(first: dt.datetime) -> Iterator[dt.datetime]:
    """The same time of each weekday, in UTC, from a first day on."""
    day = first
    while True:
        if day.weekday() < 5:
            yield day.astimezone(dt.UTC)
        day += dt.timedelta(days=1)


def counted(
    runs: Iterable[Run], arm: Callable[[Run], Hashable]
) -> Iterator[tuple[Run, int]]:
    """The runs with their repetitions in their arm, counted in the order of time."""
    seen: dict[Hashable, int] = {}
    for run in runs:
        key = arm(run)
        seen[key] = seen.get(key, 0) + 1
        yield run, seen[key]
