"""What is wrong with a dump, with byte offsets, gathered while it is read."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from analysis.facts.remark import Remark, remark
from analysis.ingest.reading import Problem


@dataclass
class Trouble:
    """Problems, the first of each kind in the file in full and the others counted.

    ``damage_at`` is the first place whose bytes could not be used, ``cut`` says that
    the file ends before its last record does. ``spoilt`` has the byte offsets of
    records of which nothing may be used, ``excused`` of those that need not give
    rows.
    """

    limit: int = 10
    problems: list[Problem] = field(default_factory=list)
    alike: dict[str, list[tuple[int, Remark]]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    sums: dict[Callable[[int], Remark], tuple[int, int]] = field(default_factory=dict)
    damage_at: tuple[int, Remark] | None = None
    cut: Remark | None = None
    spoilt: set[int] = field(default_factory=set)
    excused: set[int] = field(default_factory=set)

    @property
    def damaged(self) -> bool:
        """Whether some bytes could not be used."""
        return self.damage_at is not None

    @property
    def first(self) -> Remark | None:
        """Why the first bytes that could not be used could not."""
        return self.damage_at[1] if self.damage_at else None

    def tell(self, what: Remark, offset: int | None = None) -> None:
        """Note a problem."""
        self.problems.append(Problem(what, offset=offset))

    def tell_each(
        self, offsets: Iterable[int], what: Callable[[int], Remark], kind: str
    ) -> None:
        """Note problems of one kind, of which no more than ``limit`` are kept in full:
        those with the least offsets, in whatever order they are found.

        ``what`` is asked for the words of the nth of them.
        """
        for nth, offset in enumerate(offsets):
            if self._is_told(offset, kind):
                self._keep(offset, what(nth), kind)

    def tell_together(self, offsets: list[int], what: Callable[[int], Remark]) -> None:
        """Note records of which there is the same to say, which is said once, with the
        number of all and the offset of the first."""
        if offsets:
            known, first = self.sums.get(what, (0, offsets[0]))
            self.sums[what] = known + len(offsets), min(first, *offsets)

    def damage(self, what: Remark, offset: int, kind: str) -> None:
        """Note a problem that cost some data."""
        self.damage_each([offset], lambda _: what, kind)

    def damage_each(
        self, offsets: Sequence[int], what: Callable[[int], Remark], kind: str
    ) -> None:
        """Note problems of one kind that cost some data, as :meth:`tell_each` does."""
        self.tell_each(offsets, what, kind)
        if offsets:
            first = min(range(len(offsets)), key=offsets.__getitem__)
            self._damaged(offsets[first], what(first))

    def _is_told(self, offset: int, kind: str) -> bool:
        """Counts a problem; whether it is among the first of its kind so far."""
        self.counts[kind] += 1
        kept = self.alike.setdefault(kind, [])
        return len(kept) < self.limit or offset < kept[-1][0]

    def _keep(self, offset: int, what: Remark, kind: str) -> None:
        kept = self.alike[kind]
        insort(kept, (offset, what), key=itemgetter(0))
        del kept[self.limit :]

    def _damaged(self, offset: int, what: Remark) -> None:
        if self.damage_at is None or offset < self.damage_at[0]:
            self.damage_at = (offset, what)

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
            if self._is_told(offset, kind):  # all others lie behind so many of them
                problem = remark(
                    "nothing_used", f"{what(nth)}; nothing of this record was used"
                )
                self._keep(offset, problem, kind)
                self._damaged(offset, problem)

    def excuse(self, offsets: Iterable[int]) -> None:
        """Note that the records at these byte offsets rightly give no rows."""
        self.excused.update(offsets)

    def all(self) -> list[Problem]:
        """All problems by offset, then how many of each kind were not told."""
        more = [
            Problem(remark("more_alike", f"{count - self.limit} more: {kind}"))
            for kind, count in sorted(self.counts.items())
            if count > self.limit
        ]
        alike = [
            Problem(what, offset=offset)
            for _, kept in sorted(self.alike.items())
            for offset, what in kept
        ]
        once = [Problem(what(n), offset=at) for what, (n, at) in self.sums.items()]
        known = sorted(
            [*self.problems, *alike, *once],
            key=lambda p: (p.offset is None, p.offset or 0),
        )
        return known + more
