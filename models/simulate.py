"""Event simulation of a closed network in which several kinds of work share queues.

Where short requests wait behind bulk data in one first-come queue, exact product-form
solutions do not hold, as they take every queue for a shared processor. This simulates
the queue itself, in order of arrival within a priority.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from analysis.errors import user_error

Law = Literal["exponential", "fixed"]


@dataclass(frozen=True)
class Visit:
    """A visit of a station for a mean time; ``station`` None is a delay for all."""

    station: int | None
    time: float


@dataclass(frozen=True)
class FlowKind:
    """Customers that go round the same visits; a lower ``priority`` is served first."""

    customers: int
    visits: tuple[Visit, ...]
    priority: int = 0


@dataclass
class _Queue:
    servers: int
    busy: int = 0
    waiting: list[tuple[int, int, int, int]] = field(default_factory=list)


def simulate(
    kinds: Sequence[FlowKind],
    servers: Sequence[int],
    rounds: int,
    seed: int,
    law: Law = "exponential",
) -> tuple[float, ...]:
    """Rounds per unit of time of each kind, after a tenth of them as warm-up.

    Ends when all kinds together made ``rounds`` rounds. Equal seeds give equal answers.
    """
    _check(kinds, servers, rounds)
    return _Run(kinds, servers, seed, law).until(rounds)


class _Run:
    """The state of one simulation: a clock, queues, and events in order of time."""

    def __init__(
        self, kinds: Sequence[FlowKind], servers: Sequence[int], seed: int, law: Law
    ) -> None:
        self.kinds, self.law, self.random = kinds, law, Random(seed)  # noqa: S311
        self.queues = [_Queue(n) for n in servers]
        self.events: list[tuple[float, int, int, int]] = []
        self.now, self.order = 0.0, 0
        self.done = [0] * len(kinds)

    def until(self, rounds: int) -> tuple[float, ...]:
        """Run; then the rate of each kind since the end of the warm-up."""
        for kind, each in enumerate(self.kinds):
            for _ in range(each.customers):
                self._arrive(kind, 0)
        start, before, warm = 0.0, [0] * len(self.kinds), False
        while sum(self.done) < rounds:
            if not warm and sum(self.done) >= rounds // 10:
                start, before, warm = self.now, list(self.done), True
            self.now, _, kind, step = heapq.heappop(self.events)
            self._leave(kind, step)
        span = self.now - start
        return tuple((n - b) / span for n, b in zip(self.done, before, strict=True))

    def _arrive(self, kind: int, step: int) -> None:
        each = self.kinds[kind]
        visit = each.visits[step]
        if visit.station is None:
            self._serve(kind, step)
            return
        queue = self.queues[visit.station]
        if queue.busy < queue.servers:
            queue.busy += 1
            self._serve(kind, step)
        else:
            self.order += 1
            heapq.heappush(queue.waiting, (each.priority, self.order, kind, step))

    def _serve(self, kind: int, step: int) -> None:
        mean = self.kinds[kind].visits[step].time
        taken = mean
        if self.law == "exponential" and mean > 0:
            taken = self.random.expovariate(1 / mean)
        self.order += 1
        heapq.heappush(self.events, (self.now + taken, self.order, kind, step))

    def _leave(self, kind: int, step: int) -> None:
        visits = self.kinds[kind].visits
        station = visits[step].station
        if station is not None:
            queue = self.queues[station]
            if queue.waiting:
                _, _, next_kind, next_step = heapq.heappop(queue.waiting)
                self._serve(next_kind, next_step)
            else:
                queue.busy -= 1
        following = (step + 1) % len(visits)
        self.done[kind] += following == 0
        self._arrive(kind, following)


def _check(kinds: Sequence[FlowKind], servers: Sequence[int], rounds: int) -> None:
    visits = [visit for kind in kinds for visit in kind.visits]
    stations = {v.station for v in visits if v.station is not None}
    if rounds < 100 or not all(kind.customers > 0 and kind.visits for kind in kinds):
        raise user_error(
            "a simulation needs 100 rounds and customers with visits",
            mend="give every kind at least one customer and one visit",
        )
    if not stations <= set(range(len(servers))) or min(servers, default=1) < 1:
        raise user_error("a visit names no station", mend="give each station a server")
    if any(sum(v.time for v in kind.visits) <= 0 for kind in kinds):
        raise user_error("a round takes no time", mend="give a visit a time above 0")
