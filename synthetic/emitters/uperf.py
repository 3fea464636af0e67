"""A log as uperf 1.0.8 writes it with ``-a -R -i 10``.

Layout: ``print.c``, ``master.c`` and ``numbers.c`` of uperf. Operations are flowops:
RR takes two a transaction, CRR four, a stream 320 pieces of 64 kB and one small one.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

from synthetic.emitters.emitter import Emitter
from synthetic.emitters.uperf_load import Load, Strand, UperfLog, flowops, strands_of
from synthetic.noise import source

_EVERY = 10.0
_RULE = "-" * 79
# Of the time of a transaction; what is missing, the client spends itself.
_SHARES = {"write": 0.2, "read": 0.6, "connect": 0.15, "disconnect": 0.02}


def write(run: UperfLog) -> bytes:
    """The whole log, which ends early where the run was aborted."""
    lines = _aborted(run) if run.aborted else _whole(run)
    return "\n".join([f"# {run.label}", *lines, ""]).encode()


def _begun(run: UperfLog) -> str:
    name = f"SYNTHETIC-{run.shape.lower()}"
    return f"Starting {run.clients} threads running profile:{name} ...   0.00 seconds"


def _aborted(run: UperfLog) -> Iterator[str]:
    yield _begun(run)
    yield _line(run.start.timestamp() + 0.25, "Txn1", 0, run.clients)
    yield from ["", "*** Slave aborted! ***"]


def _whole(run: UperfLog) -> Iterator[str]:
    draw, kinds = source("uperf", run.seed), flowops(run)
    load = Load(run, kinds, strands_of(run, kinds, draw), draw)
    yield _begun(run)
    for part in (_times, _tables, _statistics):
        yield from part(load)
    yield ""


def _line(seconds: float, name: str, size: int, ops: int) -> str:
    return f"timestamp_ms:{seconds * 1000:.4f} name:{name} nr_bytes:{size} nr_ops:{ops}"


def _times(load: Load) -> Iterator[str]:
    """The lines with a time: progress, then totals and strands."""
    clients, draw = len(load.strands), load.draw
    now = load.run.start.timestamp() + 0.02 + 0.03 * draw.random()
    if load.once:
        yield _line(now, "Txn1", 0, 0)
        now += 0.2 + 0.1 * draw.random()
        yield from [_line(now, "Txn1", 0, clients), ""]
    # The load ends where the rate of the flowops that were done is the true one.
    length = load.ops / sum(n for _, n, _ in load.kinds) / load.run.rate
    end = now + length
    yield from _progress(load, now, length)
    if load.once:
        yield from [_line(end + 0.2014, "Txn3", 0, clients), ""]
    yield _RULE
    yield _line(end + 0.2019, "Total", load.bytes, load.all_ops)
    yield from ["", "Group Details", _RULE]
    yield _line(end + 0.2016, "Group0", 2 * load.bytes, 2 * load.all_ops)
    yield from ["", "", "Strand Details", _RULE]
    for nth, strand in enumerate(load.strands):
        # The first strand closes the steady part; the others ended just before.
        at = end if nth == 0 else end - 0.0001 * draw.random()
        yield _line(at, f"Thr{nth}", strand.bytes, strand.ops + 2 * load.once)
    yield from ["", ""]


def _progress(load: Load, now: float, length: float) -> Iterator[str]:
    """The state at the start, every ten seconds, and when uperf saw the end."""
    name, draw = ("Txn2" if load.once else "Txn1"), load.draw
    first = len(load.strands) if load.run.shape == "RR" else 0
    yield _line(now, name, first * load.kinds[0][2], first)
    for nth in range(1, int(load.run.seconds / _EVERY) + 1):
        share = nth * _EVERY / length
        at = now + nth * _EVERY + 0.002 * draw.random()
        yield _line(at, name, int(load.bytes * share), int(load.ops * share))
    seen = now + length + 0.1 + 0.1 * draw.random()
    yield from [_line(seen, name, load.bytes, load.ops), ""]


def _tables(load: Load) -> Iterator[str]:
    run, draw, clients, mean = (
        load.run, load.draw, len(load.strands), load.run.latency_us,
    )  # fmt: skip
    heads = "".join(f"{name:>12}" for name in ("avg", "cpu", "max", "min")) + " "
    yield from [f"{'Txn':<10}{'Count':>14}{heads}", _RULE]
    connect, close = 180 + 200 * draw.random(), 10 + 8 * draw.random()
    if load.once:
        yield _row("Txn0", clients, connect, draw)
    main = "Txn1" if load.once else "Txn0"
    yield _row(main, run.transactions, mean, draw, exact=True)
    if load.once:
        yield _row("Txn2", clients, close, draw)
    yield from ["", "", f"{'Flowop':<10}{'Count':>14}{heads}", _RULE]
    if load.once:
        yield _row("connect", clients, connect, draw)
    for at, (kind, number, _) in enumerate(load.kinds):
        count = sum(_done(load.kinds, at, strand) for strand in load.strands)
        yield _row(kind, count, mean * _SHARES[kind] / number, draw)
    if load.once:
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


def _statistics(load: Load) -> Iterator[str]:
    seconds = load.run.seconds + 0.3 + 0.3 * load.once + 0.02 * load.draw.random()
    heads = "Time       Data   Throughput   Operations      Errors"
    yield from ["Run Statistics", f"Hostname            {heads}", _RULE]
    for host, less in (("192.0.2.2", 0), ("master", 1)):
        yield _host(host, seconds, load.bytes, load.all_ops - less)
    yield _RULE
    yield "Difference(%)      0.00%       0.00%       0.00%       0.00%       0.00%"


def _host(name: str, seconds: float, moved: int, ops: int) -> str:
    data, rate = _scaled(moved, 1024) + "B", _scaled(moved * 8 / seconds, 1000) + "b/s"
    return f"{name:<16}{seconds:>7.2f}s {data:>10} {rate:>12} {ops:>12}        0.00"


def _scaled(value: float, base: int) -> str:
    power = min(int(math.log(value, base)), 4) if value >= 1 else 0
    return f"{value / base**power:.2f}" + ("", "K", "M", "G", "T")[power]


EMITTER = Emitter("uperf", "log of uperf", "uperf", UperfLog, write)
