"""What is wrong with a dump, with byte offsets, gathered while it is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sized
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from analysis.facts.remark import Remark, remark
from analysis.ingest.reading import Problem

Ints = NDArray[np.int64]


class ByteClaim(Protocol):
    """Which bytes a triplet says are sections, in the records ``row`` of a batch."""

    @property
    def records(self) -> Sized:
        """The batch."""

    @property
    def row(self) -> Ints:
        """The records of the batch that have sections, by index."""

    @property
    def offset(self) -> Ints:
        """Where the sections of each begin, in bytes from the record's start."""

    @property
    def length(self) -> Ints:
        """How many bytes one section has."""

    @property
    def count(self) -> Ints:
        """How many sections there are."""


@dataclass
class Trouble:
    """Problems, the first of each kind in full and the others counted.

    ``damaged`` says that some bytes could not be used and ``first`` why, ``cut`` that
    the file ends before its last record does. ``spoilt`` has the byte offsets of
    records of which nothing may be used, ``excused`` of those that need not give
    rows. ``claims`` are those of the triplets of the batch at hand, by name of their
    sections.
    """

    limit: int = 10
    problems: list[Problem] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    damaged: bool = False
    first: Remark | None = None
    cut: Remark | None = None
    spoilt: set[int] = field(default_factory=set)
    excused: set[int] = field(default_factory=set)
    claims: dict[str, ByteClaim] = field(default_factory=dict)

    def tell(self, what: Remark, offset: int | None = None, kind: str = "") -> None:
        """Note a problem; of one kind no more than ``limit`` are kept in full."""
        if kind:
            self.counts[kind] += 1
            if self.counts[kind] > self.limit:
                return
        self.problems.append(Problem(what, offset=offset))

    def damage(self, what: Remark, offset: int, kind: str = "") -> None:
        """Note a problem that cost some data."""
        self.damaged = True
        self.first = self.first or what
        self.tell(what, offset, kind)

    def spoil(
        self, offsets: Iterable[int], what: Callable[[int], Remark], kind: str
    ) -> None:
        """Note that nothing of the records at these byte offsets may be used.

        ``what`` says of the nth of them what is wrong with it. A record is told of
        once, however much of it is damaged.
        """
        for nth, offset in enumerate(offsets):
            if offset in self.spoilt:
                continue
            self.spoilt.add(offset)
            told = self.counts[kind] < self.limit
            of = what(nth) if told else None
            self.damage(remark("nothing_used", what=of), offset, kind)

    def excuse(self, offsets: Iterable[int]) -> None:
        """Note that the records at these byte offsets rightly give no rows."""
        self.excused.update(offsets)

    def all(self) -> list[Problem]:
        """All problems by offset, then how many of each kind were not told."""
        more = [
            Problem(remark("more_alike", more=count - self.limit, alike=kind))
            for kind, count in sorted(self.counts.items())
            if count > self.limit
        ]
        known = sorted(self.problems, key=lambda p: (p.offset is None, p.offset or 0))
        return known + more
