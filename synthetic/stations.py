"""A closed network of stations that several kinds of work go round at the same time.

Approximate mean value analysis after P. Schweitzer (1979); stations with several
servers after A. Seidmann: one fast server, and a delay for the rest of the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_ENOUGH = 1e-10
_ROUNDS = 20_000


@dataclass(frozen=True)
class Station:
    """Time that one unit of work spends being served [µs], by one of the servers."""

    demand: float
    servers: int = 1


@dataclass(frozen=True)
class Class:
    """Units of work of one kind: how many go round, by which stations, and the delay
    without queueing [µs]."""

    population: float
    delay: float
    stations: Mapping[str, Station]


def throughputs(classes: Sequence[Class]) -> list[float]:
    """How many units of each class complete in a microsecond."""
    queues = [
        dict.fromkeys(one.stations, one.population / max(len(one.stations), 1))
        for one in classes
    ]
    rates = [0.0] * len(classes)
    for _ in range(_ROUNDS):
        before = rates
        times = [_times(nth, classes, queues) for nth in range(len(classes))]
        rates = [
            one.population / (one.delay + _slack(one) + sum(spent.values()))
            for one, spent in zip(classes, times, strict=True)
        ]
        queues = [
            {name: rate * time for name, time in spent.items()}
            for rate, spent in zip(rates, times, strict=True)
        ]
        if all(abs(a - b) <= _ENOUGH * a for a, b in zip(rates, before, strict=True)):
            break
    return rates


def _slack(one: Class) -> float:
    """The part of the demands in which units do not wait for each other."""
    return sum(s.demand * (s.servers - 1) / s.servers for s in one.stations.values())


def _times(
    nth: int, classes: Sequence[Class], queues: Sequence[Mapping[str, float]]
) -> dict[str, float]:
    """Time at each station, where an arriving unit finds those that are there."""
    one = classes[nth]
    return {
        name: station.demand
        / station.servers
        * (
            1
            + sum(queue.get(name, 0.0) for queue in queues)
            - queues[nth][name] / one.population
        )
        for name, station in one.stations.items()
    }
