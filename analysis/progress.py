"""How far long work has come: a line every few seconds, to who sits at a terminal."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

SECONDS = 3.0  # between two lines, and before the first
# A build sets it for its steps, whose own output goes through a pipe to its terminal.
TOLD = "NETPERF_PROGRESS"
Item = TypeVar("Item")


def at_terminal() -> bool:
    """Whether somebody looks on: at this program, or at the build that started it."""
    return sys.stderr.isatty() or os.environ.get(TOLD) == "1"


@dataclass
class WorkDone:
    """Counts what is done of ``total`` ``unit``s of a work, and of its bytes."""

    work: str
    total: int
    unit: str
    size: int = 0
    done: int = field(default=0, init=False)
    so_far: int = field(default=0, init=False)
    shown: float = field(default_factory=time.monotonic, init=False)

    def step(self, size: int = 0, count: int = 1) -> None:
        """So many more are done."""
        self.done += count
        self.so_far += size
        now = time.monotonic()
        if now - self.shown >= SECONDS and self.done < self.total and at_terminal():
            self.shown = now
            print(self.line(), file=sys.stderr, flush=True)

    def line(self) -> str:
        """``lab: 120 of 756 files, 3.1 of 20.0 MB``."""
        share = f"{self.work}: {self.done:,} of {self.total:,} {self.unit}"
        if not self.size:
            return share
        return f"{share}, {self.so_far / 1e6:,.1f} of {self.size / 1e6:,.1f} MB"


def counted(
    items: Iterable[Item], progress: WorkDone, sizes: Iterable[int] = ()
) -> Iterator[Item]:
    """The same items; each is done when the next one is asked for."""
    size = iter(sizes)
    for item in items:
        yield item
        progress.step(next(size, 0))
