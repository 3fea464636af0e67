"""What is wrong with a dump, with byte offsets, gathered while it is read."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from analysis.ingest.reading import Problem


@dataclass
class Trouble:
    """Problems, the first of each kind in full and the others counted.

    ``damaged`` says that some bytes could not be used, ``cut`` that the file ends
    before its last record does.
    """

    limit: int = 10
    problems: list[Problem] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    damaged: bool = False
    cut: str = ""

    def tell(self, message: str, offset: int | None = None, kind: str = "") -> None:
        """Note a problem; of one kind no more than ``limit`` are kept in full."""
        if kind:
            self.counts[kind] += 1
            if self.counts[kind] > self.limit:
                return
        self.problems.append(Problem(message, offset=offset))

    def damage(self, message: str, offset: int, kind: str = "") -> None:
        """Note a problem that cost some data."""
        self.damaged = True
        self.tell(message, offset, kind)

    def lost(self, name: str, count: int) -> None:
        """Count sections that could not be used, of which some were told of."""
        if count:
            self.damaged = True
            self.counts[f"triplets of {name} sections that point nowhere"] += count

    def all(self) -> list[Problem]:
        """All problems by offset, then how many of each kind were not told."""
        more = [
            Problem(f"{count - self.limit} more: {kind}")
            for kind, count in sorted(self.counts.items())
            if count > self.limit
        ]
        known = sorted(self.problems, key=lambda p: (p.offset is None, p.offset or 0))
        return known + more
