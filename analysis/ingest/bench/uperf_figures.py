"""What a uperf log measured: its main transaction, steady part, and shape."""

from __future__ import annotations

import math
from dataclasses import dataclass

from analysis.ingest.bench.uperf_log import Count, Log, Progress

_READS = ("read", "recv")
_WRITES = ("write", "send")
_MOST_CANDIDATES = 1000
_MOST = 0.9  # share of the flowops that progress lines have to tell of
_POLL = 0.3  # seconds that uperf may take to notice that its clients have stopped


@dataclass(frozen=True)
class Figures:
    """What a log measured: its main transaction, the flowops that one takes, the
    steady part, and the shape; null where the log does not tell. ``covered`` is the
    share of the main transaction's flowops between its first and last progress line.
    """

    main: Count | None
    size: int | None
    window: tuple[Progress, Progress] | None
    shape: str | None
    covered: float

    @property
    def lacks_lines(self) -> bool:
        """Whether the first progress lines of several are missing."""
        return 0 < self.covered < _MOST


def figures_of(log: Log) -> Figures:
    """All figures of a log."""
    main = main_transaction(log)
    return Figures(
        main,
        flowops_per_transaction(log, main),
        steady_window(log, main),
        shape(log, main),
        covered(_progress(log, main)),
    )


def main_transaction(log: Log) -> Count | None:
    """The transaction that the clients spent most time in: the one measured.

    Null where no data was moved, for then only connections were made, and where
    the tables are cut off.
    """
    moved = log.total.bytes if log.total else 0.0
    if not log.has_tables or not moved > 0:
        return None
    return max(log.transactions, key=lambda row: row.count * row.mean_us, default=None)


def flowops_per_transaction(log: Log, main: Count | None) -> int | None:
    """How many flowops one transaction takes; null where no whole number fits.

    Each client may have begun one transaction that it could not finish. So the
    number lies between the flowops by all counted and by all surely finished ones.
    Where several fit, the strands decide: each began one transaction for every
    whole or partial group of that many flowops. Of those the largest is taken, as
    most clients are stopped near the beginning of a transaction.
    """
    lines = _progress(log, main)
    if main is None or not lines or not log.clients or main.count <= log.clients:
        return None
    ops = lines[-1].ops if log.raw else _exact_ops(log, main, lines[-1].ops)
    low, high = ops / main.count, ops / (main.count - log.clients)
    if not 0 < low <= high < low + _MOST_CANDIDATES:
        return None
    # A progress line may come a moment before the last flowops were counted.
    near = range(max(1, math.ceil(low * 0.999)), math.floor(high * 1.001) + 1)
    fitting = [n for n in near if low <= n <= high] or list(near)
    proved = [n for n in fitting if _begun(log, ops, n) == main.count]
    return max(proved or fitting, default=None)


def _begun(log: Log, ops: float, size: int) -> int | None:
    """Transactions begun by all strands, if one takes ``size`` flowops."""
    if not log.raw or not log.strands:
        return None
    total = sum(strand.ops for strand in log.strands)
    other = round((total - ops) / len(log.strands))
    return sum(math.ceil((strand.ops - other) / size) for strand in log.strands)


def _exact_ops(log: Log, main: Count, ops: float) -> float:
    """The flowop table's count for the main transaction.

    A text log prints operations as a rate, which is less exact.
    """
    counts = [row.count for row in log.flowops if row.count >= main.count / 2]
    exact = float(sum(counts))
    return exact if ops and abs(exact / ops - 1) < 0.02 else ops


def _progress(log: Log, main: Count | None) -> list[Progress]:
    """Progress lines of the main transaction; they number from one."""
    if main is None or not main.name[3:].isdigit():
        return []
    index = int(main.name[3:]) + 1
    return [line for line in log.progress if line.index == index]


def steady_window(log: Log, main: Count | None) -> tuple[Progress, Progress] | None:
    """First and last state of the steady part, or null.

    It ends when the clients stopped. The last progress line and the end of the
    strands come about 0.2 s later, with the same counts: uperf waits for its
    clients by polling. Where the first lines are missing, it is the whole phase by the
    clock of the last one.
    """
    lines = _progress(log, main)
    first = _first(log, lines)
    if first is None or main is None:
        return None
    last = lines[-1]
    if 0 < covered(lines) < _MOST:
        return (first, last) if last.seconds > first.seconds else None
    end = min(last.seconds, _strands_ended(log, first.index))
    end = min(end, first.seconds + _time_in_transactions(log, main, end, first))
    if not end > first.seconds:
        return None
    return first, Progress(last.index, end, last.bytes, last.ops)


def _first(log: Log, lines: list[Progress]) -> Progress | None:
    """The first progress line, or the beginning of a phase that they do not cover: when
    the transaction before ended. A run that is shorter than the interval of these
    lines has but one, at its end."""
    if not lines or covered(lines) >= _MOST:
        return lines[0] if lines else None
    index = lines[0].index
    before = [line.seconds for line in log.progress if line.index < index]
    if log.raw:
        return Progress(index, max(before), 0, 0) if before else None
    return Progress(index, 0, 0, 0)


def covered(lines: list[Progress]) -> float:
    """The share of all flowops, which are counted from the beginning of a transaction,
    between the first and the last of its progress lines."""
    whole = lines[-1].ops if lines else 0.0
    return (whole - lines[0].ops) / whole if whole > 0 else 0.0


def _time_in_transactions(log: Log, main: Count, end: float, first: Progress) -> float:
    """Seconds that a client spent in transactions: the length of the phase.

    uperf has no think time unless a profile asks for it, so a client is in a
    transaction all the time. Where that does not fit the clock of the log within
    an interval's wait, the profile has think time and the clock is right.
    """
    busy = main.count * main.mean_us / 1e6 / log.clients if log.clients else 0.0
    return busy if end - first.seconds - busy < _POLL else math.inf


def _strands_ended(log: Log, index: int) -> float:
    """When the last strand ended, on the clock of the progress lines.

    The clock of a text log begins anew with each transaction and that of its
    Group lines with the first.
    """
    if log.raw:
        return max((s.seconds for s in log.strands if s.seconds), default=math.inf)
    earlier = {p.index: p.seconds for p in log.progress if p.index < index}
    ended = max((g.seconds for g in log.groups), default=math.inf)
    return ended - sum(earlier.values())


def shape(log: Log, main: Count | None) -> str | None:
    """RR, CRR or STR from the kinds of flowops, or null where they fit none."""
    if main is None or not main.count:
        return None
    reads = _per_transaction(log, main, _READS)
    writes = _per_transaction(log, main, _WRITES)
    if _per_transaction(log, main, ("connect",)) > 0.5:
        return "CRR"
    if 0.5 < reads < 1.5 and 0.5 < writes < 1.5:
        return "RR"
    few, many = sorted((reads, writes))
    return "STR" if many > 0.5 and many >= 8 * few else None


def _per_transaction(log: Log, main: Count, kinds: tuple[str, ...]) -> float:
    rows = [row for row in log.flowops if row.name.startswith(kinds)]
    return sum(row.count for row in rows) / main.count
