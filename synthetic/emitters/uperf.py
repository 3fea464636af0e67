"""A log as uperf 1.0.8 writes it with ``-a -R -i 10``.

Layout: ``print.c``, ``master.c`` and ``numbers.c`` of uperf. Operations are flowops:
RR takes two a transaction, CRR four, a stream 320 pieces of 64 kB and one small one.
"""

from __future__ import annotations

import datetime as dt
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

from synthetic.emitters import LABEL
from synthetic.noise import source

_PIECE = 64 * 1024
_EVERY = 10.0
_RULE = "-" * 79
# Of the time of a transaction; what is missing, the client spends itself.
_SHARES = {"write": 0.2, "read": 0.6, "connect": 0.15, "disconnect": 0.02}


@dataclass(frozen=True)
class Strand:
    """One client: transactions begun, and flowops and bytes of them done."""

    begun: int
    missing: int
    ops: int
    bytes: int


@dataclass(kw_only=True)
class UperfLog:
    """What uperf saw of a run of a shape, RR, CRR or STR: ``rate`` [1/s], the mean
    latency [µs] of a transaction, and ``seconds`` under load; ``aborted`` where the
    server went away.

    Details that it prints besides, such as the slowest transaction, are drawn by
    ``seed``.
    """

    seed: str
    shape: str
    clients: int
    request_bytes: int
    response_bytes: int
    transactions: int
    rate: float
    latency_us: float
    start: dt.datetime
    seconds: float = 59.0
    aborted: bool = False

    def __post_init__(self) -> None:
        self.draw = source("uperf", self.seed)
        self.once = self.shape != "CRR"  # connections are made once, before the load
        self.flowops = self._flowops()
        self.strands = list(self._strands())
        self.ops = sum(strand.ops for strand in self.strands)
        self.bytes = sum(strand.bytes for strand in self.strands)  # both ways
        # With those that connect and disconnect once.
        self.all_ops = self.ops + (2 * self.clients if self.once else 0)

    def _flowops(self) -> list[tuple[str, int, int]]:
        """Kind, number and bytes of the flowops of one transaction, in their order."""
        sizes = [("write", self.request_bytes), ("read", self.response_bytes)]
        if self.shape == "STR":
            return [
                (kind, 1, size) if size < _PIECE else (kind, size // _PIECE, _PIECE)
                for kind, size in sizes
            ]
        moved = [(kind, 1, size) for kind, size in sizes]
        return moved if self.once else [("connect", 1, 0), *moved, ("disconnect", 1, 0)]

    def _strands(self) -> Iterator[Strand]:
        """Each client, which began about as much and lacks a part of its last."""
        size = sum(number for _, number, _ in self.flowops)
        whole = sum(number * octets for _, number, octets in self.flowops)
        weights = [1 + 0.03 * (self.draw.random() - 0.5) for _ in range(self.clients)]
        begun = [int(self.transactions * w / sum(weights)) for w in weights]
        begun[0] += self.transactions - sum(begun)
        for count in begun:
            missing = left = self.draw.randrange(size)
            moved = whole * count
            for _, number, octets in reversed(self.flowops):
                cut = min(number, left)
                moved, left = moved - cut * octets, left - cut
            yield Strand(count, missing, size * count - missing, moved)

    def write(self) -> bytes:
        """The whole log, which ends early where the run was aborted."""
        lines = [
            f"# {LABEL}",
            f"Starting {self.clients} threads running "
            f"profile:SYNTHETIC-{self.shape.lower()} ...   0.00 seconds",
        ]
        if self.aborted:
            at = self.start.timestamp() + 0.25
            lines += [_line(at, "Txn1", 0, self.clients), "", "*** Slave aborted! ***"]
        else:
            lines += [*_times(self), *_tables(self), *_statistics(self), ""]
        return "\n".join([*lines, ""]).encode()


def _line(seconds: float, name: str, size: int, ops: int) -> str:
    return f"timestamp_ms:{seconds * 1000:.4f} name:{name} nr_bytes:{size} nr_ops:{ops}"


def _times(log: UperfLog) -> Iterator[str]:
    """The lines with a time: progress, then totals and strands."""
    clients, draw = log.clients, log.draw
    now = log.start.timestamp() + 0.02 + 0.03 * draw.random()
    if log.once:
        yield _line(now, "Txn1", 0, 0)
        now += 0.2 + 0.1 * draw.random()
        yield from [_line(now, "Txn1", 0, clients), ""]
    # The load ends where the rate of the flowops that were done is the true one.
    length = log.ops / sum(n for _, n, _ in log.flowops) / log.rate
    end = now + length
    yield from _progress(log, now, length)
    if log.once:
        yield from [_line(end + 0.2014, "Txn3", 0, clients), ""]
    yield _RULE
    yield _line(end + 0.2019, "Total", log.bytes, log.all_ops)
    yield from ["", "Group Details", _RULE]
    yield _line(end + 0.2016, "Group0", 2 * log.bytes, 2 * log.all_ops)
    yield from ["", "", "Strand Details", _RULE]
    for nth, strand in enumerate(log.strands):
        # The first strand closes the steady part; the others ended just before.
        at = end if nth == 0 else end - 0.0001 * draw.random()
        yield _line(at, f"Thr{nth}", strand.bytes, strand.ops + 2 * log.once)
    yield from ["", ""]


def _progress(log: UperfLog, now: float, length: float) -> Iterator[str]:
    """The state at the start, every ten seconds, and when uperf saw the end."""
    name, draw = ("Txn2" if log.once else "Txn1"), log.draw
    first = log.clients if log.shape == "RR" else 0
    yield _line(now, name, first * log.flowops[0][2], first)
    for nth in range(1, int(log.seconds / _EVERY) + 1):
        share = nth * _EVERY / length
        at = now + nth * _EVERY + 0.002 * draw.random()
        yield _line(at, name, int(log.bytes * share), int(log.ops * share))
    seen = now + length + 0.1 + 0.1 * draw.random()
    yield from [_line(seen, name, log.bytes, log.ops), ""]


def _tables(log: UperfLog) -> Iterator[str]:
    draw, clients, mean = log.draw, log.clients, log.latency_us
    heads = "".join(f"{name:>12}" for name in ("avg", "cpu", "max", "min")) + " "
    yield from [f"{'Txn':<10}{'Count':>14}{heads}", _RULE]
    connect, close = 180 + 200 * draw.random(), 10 + 8 * draw.random()
    if log.once:
        yield _row("Txn0", clients, connect, draw)
    main = "Txn1" if log.once else "Txn0"
    yield _row(main, log.transactions, mean, draw, exact=True)
    if log.once:
        yield _row("Txn2", clients, close, draw)
    yield from ["", "", f"{'Flowop':<10}{'Count':>14}{heads}", _RULE]
    if log.once:
        yield _row("connect", clients, connect, draw)
    for at, (kind, number, _) in enumerate(log.flowops):
        count = sum(_done(log.flowops, at, strand) for strand in log.strands)
        yield _row(kind, count, mean * _SHARES[kind] / number, draw)
    if log.once:
        yield _row("disconnect", clients, close, draw)
    yield from ["", ""]


def _done(kinds: list[tuple[str, int, int]], at: int, strand: Strand) -> int:
    """How often a strand has done the flowops of one kind."""
    after = sum(number for _, number, _ in kinds[at + 1 :])
    lost = min(max(strand.missing - after, 0), kinds[at][1])
    return kinds[at][1] * strand.begun - lost


def _row(
    name: str, count: int, mean: float, draw: random.Random, exact: bool = False
) -> str:
    most, least = mean * (6 + 20 * draw.random()), mean * (0.4 + 0.3 * draw.random())
    shown = mean if exact else mean * (0.95 + 0.1 * draw.random())
    cells = (_time(value) for value in (shown, 0.0, most, least))
    return f"{name:<10}{count:>14}" + "".join(f"{cell:>12}" for cell in cells) + " "


def _time(micros: float) -> str:
    if not micros:
        return "0.00ns"
    for unit, size in (("s", 1e6), ("ms", 1e3), ("us", 1.0)):
        if micros >= size:
            return f"{micros / size:.2f}{unit}"
    return f"{micros * 1e3:.2f}ns"


def _statistics(log: UperfLog) -> Iterator[str]:
    seconds = log.seconds + 0.3 + 0.3 * log.once + 0.02 * log.draw.random()
    heads = "Time       Data   Throughput   Operations      Errors"
    yield from ["Run Statistics", f"Hostname            {heads}", _RULE]
    for host, less in (("192.0.2.2", 0), ("master", 1)):
        yield _host(host, seconds, log.bytes, log.all_ops - less)
    yield _RULE
    yield "Difference(%)      0.00%       0.00%       0.00%       0.00%       0.00%"


def _host(name: str, seconds: float, moved: int, ops: int) -> str:
    data, rate = _scaled(moved, 1024) + "B", _scaled(moved * 8 / seconds, 1000) + "b/s"
    return f"{name:<16}{seconds:>7.2f}s {data:>10} {rate:>12} {ops:>12}        0.00"


def _scaled(value: float, base: int) -> str:
    power = min(int(math.log(value, base)), 4) if value >= 1 else 0
    return f"{value / base**power:.2f}" + ("", "K", "M", "G", "T")[power]
