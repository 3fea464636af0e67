"""uperf logs: benchmark rows from the text (``-a``) and the raw form (``-a -R``).

Operations of uperf are flowops: a request/response is 2 of them, a connect/request/
response 4, a stream read in 320 pieces 321. The number of transactions is the count
that the log's ``Txn`` table prints. It includes the transaction that each client had
begun when the time was up. The steady rate comes from the progress of flowops,
divided by the flowops that one transaction takes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from analysis.facts.remark import Remark, quote, remark
from analysis.ingest.bench.uperf_log import (
    Count,
    Log,
    Progress,
    parse_log,
    states_between,
)
from analysis.ingest.clock import epoch_text
from analysis.ingest.logs.checks import contradiction
from analysis.ingest.logs.result import Result, join_results
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading, Status, Verdict

FORMAT = "uperf"
TITLE = "uperf benchmark log"
TESTED = "uperf 1.0.8"
TIMED = (
    "the time that clients spent in transactions (their number × mean time ÷ clients), "
    "because uperf waits before its last progress line; where the two differ by more "
    "than 0.3 s, the time to that line. Rates are higher than by uperf's own clock, by "
    "14% in a run of 1.4 s"
)
recognise = re.compile(
    rb"^(Starting \d+ \w.* running profile:|timestamp_ms:[\d.]+ name:"
    rb"|Can't load (client|server)\.pem|.*TCP: Cannot connect to )",
    re.MULTILINE,
).search
_SLAVE = b"Can't load client.pem"
_OLD = (b"Section: Group details", b"Error Statistics")
_READS = ("read", "recv")
_WRITES = ("write", "send")
_MOST_CANDIDATES = 1000
_MOST = 0.9  # share of the flowops that progress lines have to tell of
_COARSE = 0.05  # of what an interval moved, the most that its digits may leave open
_BLINK = 0.01  # seconds; what is shorter is no interval
_POLL = 0.3  # seconds that uperf may take to notice that its clients have stopped


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One uperf log: at most one ``benchmark`` row.

    ``seconds``, ``rate`` [1/s] and ``bytes_per_second`` belong to the steady part,
    ``transactions`` and ``latency_mean_us`` to the whole log. ``request_bytes`` and
    ``response_bytes`` are not in a log.
    """
    data = raw.read_bytes()
    log = parse_log(data)
    phase = _phase_of(log)
    result = Result(details=_details(log, phase))
    result.records = {
        "progress": log.states,
        "transaction": len(log.transactions),
        "flowop": len(log.flowops),
    }
    _judge(result, log, phase, data)
    for number, text in (*log.marked, *log.failures, *log.warnings):
        result.note(quote(text), number)
    if phase or (log.starts == 1 and result.status == "failed"):
        result.row = _row(log, phase)
    if phase and phase.window:
        result.tables["interval"] = [*_intervals(phase, phase.window)]
    return join_results(FORMAT, "uperf", [result])


@dataclass(frozen=True)
class _Phase:
    """The part of a run that is measured: its main transaction, and the progress lines
    of that, which number from one."""

    log: Log
    main: Count
    lines: list[Progress]

    @cached_property
    def covered(self) -> float:
        """The share of all flowops, which are counted from the beginning of a
        transaction, between the first and the last of its progress lines."""
        whole = self.lines[-1].ops if self.lines else 0.0
        return (whole - self.lines[0].ops) / whole if whole > 0 else 0.0

    @property
    def lacks_lines(self) -> bool:
        """Whether the first progress lines of several are missing."""
        return 0 < self.covered < _MOST

    @cached_property
    def flowops(self) -> int | None:
        """How many flowops one transaction takes; null where no whole number fits.

        Each client may have begun one transaction that it could not finish. So the
        number lies between the flowops by all counted and by all surely finished ones.
        Where several fit, the strands decide: each began one transaction for every
        whole or partial group of that many flowops. Of those the largest is taken, as
        most clients are stopped near the beginning of a transaction.
        """
        count, clients = self.main.count, self.log.clients
        if not self.lines or not clients or count <= clients:
            return None
        ops = self.lines[-1].ops if self.log.is_raw else self._exact_ops()
        low, high = ops / count, ops / (count - clients)
        if not 0 < low <= high < low + _MOST_CANDIDATES:
            return None
        # A progress line may come a moment before the last flowops were counted.
        near = range(max(1, math.ceil(low * 0.999)), math.floor(high * 1.001) + 1)
        fitting = [n for n in near if low <= n <= high] or list(near)
        proved = [n for n in fitting if self._begun(ops, n) == count]
        return max(proved or fitting, default=None)

    def _begun(self, ops: float, size: int) -> int | None:
        """Transactions begun by all strands, if one takes ``size`` flowops."""
        strands = self.log.strands if self.log.is_raw else []
        if not strands:
            return None
        other = round((sum(strand.ops for strand in strands) - ops) / len(strands))
        return sum(math.ceil((strand.ops - other) / size) for strand in strands)

    def _exact_ops(self) -> float:
        """The flowop table's count for the main transaction.

        A text log prints operations as a rate, which is less exact.
        """
        ops, least = self.lines[-1].ops, self.main.count / 2
        exact = float(sum(r.count for r in self.log.flowops if r.count >= least))
        return exact if ops and abs(exact / ops - 1) < 0.02 else ops

    @cached_property
    def window(self) -> tuple[Progress, Progress] | None:
        """First and last state of the steady part, or null.

        It ends when the clients stopped. The last progress line and the end of the
        strands come about 0.2 s later, with the same counts: uperf waits for its
        clients by polling. Where the first lines are missing, it is the whole phase by
        the clock of the last one.
        """
        first = self._first()
        if first is None:
            return None
        last = self.lines[-1]
        if self.lacks_lines:
            return (first, last) if last.seconds > first.seconds else None
        end = min(last.seconds, self._strands_ended())
        busy = self._time_in_transactions()
        if end - first.seconds - busy < _POLL:  # else the profile has think time
            end = min(end, first.seconds + busy)
        if not end > first.seconds:
            return None
        return first, Progress(last.index, end, last.bytes, last.ops)

    def _first(self) -> Progress | None:
        """The first progress line, or the beginning of a phase that they do not cover:
        when the transaction before ended. A run that is shorter than the interval of
        these lines has but one, at its end."""
        if not self.lines or self.covered >= _MOST:
            return self.lines[0] if self.lines else None
        index = self.lines[0].index
        before = [x.seconds for x in self.log.progress if x.index < index]
        if self.log.is_raw:
            return Progress(index, max(before), 0, 0) if before else None
        return Progress(index, 0, 0, 0)

    def _time_in_transactions(self) -> float:
        """Seconds that a client spent in transactions: the length of the phase, as
        without think time a client is in a transaction all the time."""
        clients = self.log.clients
        return self.main.count * self.main.mean_us / 1e6 / clients if clients else 0.0

    def _strands_ended(self) -> float:
        """When the last strand ended, on the clock of the progress lines.

        The clock of a text log begins anew with each transaction and that of its
        Group lines with the first.
        """
        log = self.log
        if log.is_raw:
            return max((s.seconds for s in log.strands if s.seconds), default=math.inf)
        index = self.lines[0].index
        earlier = {p.index: p.seconds for p in log.progress if p.index < index}
        ended = max((group.seconds for group in log.groups), default=math.inf)
        return ended - sum(earlier.values())

    @property
    def shape(self) -> str | None:
        """RR, CRR or STR from the kinds of flowops, or null where they fit none."""
        if not self.main.count:
            return None
        reads, writes = self._per_transaction(_READS), self._per_transaction(_WRITES)
        if self._per_transaction(("connect",)) > 0.5:
            return "CRR"
        if 0.5 < reads < 1.5 and 0.5 < writes < 1.5:
            return "RR"
        few, many = sorted((reads, writes))
        return "STR" if many > 0.5 and many >= 8 * few else None

    def _per_transaction(self, kinds: tuple[str, ...]) -> float:
        rows = [row for row in self.log.flowops if row.name.startswith(kinds)]
        return sum(row.count for row in rows) / self.main.count


def _phase_of(log: Log) -> _Phase | None:
    """The phase of the transaction that the clients spent most time in.

    Null where no data was moved, for then only connections were made, and where
    the tables are cut off.
    """
    moved = log.total.bytes if log.total else 0.0
    if log.table in ("", "Txn", "Flowop") or not moved > 0 or not log.transactions:
        return None
    main = max(log.transactions, key=lambda row: row.count * row.mean_us)
    index = int(main.name[3:]) + 1 if main.name[3:].isdigit() else None
    return _Phase(log, main, [line for line in log.progress if line.index == index])


def _row(log: Log, phase: _Phase | None) -> dict[str, Any]:
    errors = len(log.marked) + len(log.failures)
    row: dict[str, Any] = {"clients": log.clients, "position": 1}
    row["errors"] = log.errors if log.errors is not None else errors
    if phase is None:
        return row
    main = phase.main
    row |= {"shape": phase.shape, "transactions": main.count, "position": main.line}
    row["latency_mean_us"] = _finite(main.mean_us)
    if phase.window:
        size, (first, last) = phase.flowops, phase.window
        seconds = last.seconds - first.seconds
        if main.longest_us and main.longest_us < 1e6 * (seconds + 1):  # else it is none
            row["latency_max_us"] = main.longest_us
        rate = (last.ops - first.ops) / size / seconds if size else None
        row["start_utc"] = epoch_text(first.seconds) if log.is_raw else None
        row |= {"seconds": _finite(round(seconds, 6)), "rate": _finite(rate)}
        row["bytes_per_second"] = _finite((last.bytes - first.bytes) / seconds)
    return row


def _intervals(
    phase: _Phase, window: tuple[Progress, Progress]
) -> Iterator[dict[str, Any]]:
    """What each progress line tells since the one before it, within the steady part.

    A text log prints sizes and rates since the beginning, in three or four digits:
    what these leave too little of is null.
    """
    first, end = window
    between = states_between(phase.log, first.index)
    known = sorted([*phase.lines, *between], key=lambda line: line.seconds)
    ends = [line for line in known if first.seconds < line.seconds < end.seconds]
    before = first
    for line in (*ends, end):
        seconds = line.seconds - before.seconds
        if seconds < _BLINK and line is not end:  # a phase may begin with two lines
            continue
        moved, ops = line.bytes - before.bytes, line.ops - before.ops
        yield {
            "start_s": float(before.seconds - first.seconds),
            "seconds": float(seconds),
            "rate": _told(ops, phase.flowops and phase.flowops * seconds),
            "bytes_per_second": _told(moved, seconds),
            "omitted": 0,
            "position": phase.main.line,
        }
        before = line


def _told(amount: float, per: float | None) -> float | None:
    """A quotient; null where the amount is none, or its digits tell too little."""
    step = getattr(amount, "resolution", 0.0)
    told = amount >= 0 and (step <= 1 or step <= _COARSE * amount)
    return float(amount) / per if per and told else None


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _details(log: Log, phase: _Phase | None) -> dict[str, Any]:
    return {
        "profile": log.profile,
        "form": "raw (-R)" if log.is_raw else "text",
        "main_transaction": phase.main.name if phase else None,
        "flowops_per_transaction": phase.flowops if phase else None,
        "flowops": {row.name: row.count for row in log.flowops},
    }


def _judge(result: Result, log: Log, phase: _Phase | None, data: bytes) -> None:
    """Whether a log is sound: its content decides, not an exit status. uperf prints
    all its tables after its server died, with no data and ``-nan``."""
    if fault := next(_faults(log, phase, data), None):
        result.judge(*fault)
        return
    line = phase.main.line if phase else None
    for verdict in _against_total(log):
        result.hold(verdict, line)
    if phase is None or not log.difference:
        return
    time, size, _, ops, errors = log.difference
    if errors > 0:
        failed = f"{errors:g}% of the operations failed"
        result.judge("degraded", remark("operations_failed", failed), line)
    if abs(time) > 5 and phase.shape == "CRR":
        slave = "the server ended later than the client by the printed Difference(%)"
        failed = f"{slave} of {time:g}: it waits at the end of a CRR run"
        if not phase.lacks_lines:
            result.note(remark("waits_at_end", failed), line)
    elif abs(time) > 5:
        failed = f"client and server differ by {time:g}% in time"
        result.judge("degraded", remark("sides_differ_in_time", failed), line)
    if max(abs(size), abs(ops)) > 2:
        failed = "client and server disagree on the data that was moved"
        result.judge("degraded", remark("sides_differ_in_data", failed), line)
    if phase.window is None:
        failed = "no steady part: too few progress lines (run uperf with -i 1)"
        result.judge("degraded", remark("no_steady_part", failed), line)
    elif phase.flowops is None:
        failed = "the count of transactions does not fit the operations"
        result.judge("degraded", remark("transactions_and_operations", failed), line)
    if phase.lacks_lines and phase.window:
        failed = (
            f"the progress lines cover {100 * phase.covered:.0f}% of the measured "
            "phase; the figures are those of the whole phase, over the time of its "
            "last line"
        )
        result.note(remark("progress_lacks", failed), line)


def _faults(
    log: Log, phase: _Phase | None, data: bytes
) -> Iterator[tuple[Status, Remark, int | None]]:
    """Why a log has no figures that could be judged, the strongest reason first: its
    status, cause and line."""
    line = log.transactions[0].line if log.transactions else None
    # Mostly neither is there, which rfind says in a third of the time of 'in'.
    if any(data.rfind(mark) >= 0 for mark in _OLD):
        old = "layout of a uperf before 1.0; this program reads 1.0.x"
        yield "failed", remark("old_uperf", old), None
    if log.starts == 0 and _SLAVE in data:
        slave = "log of a uperf slave, which prints no measurements"
        yield "empty", remark("uperf_slave", slave), None
    if log.starts > 1:
        several = f"{log.starts} logs in one file; put each in its own"
        yield "failed", remark("started_logs", several), None
    for number, text in (*log.marked, *log.failures):
        many = remark("errors_first", f"{log.errors} errors, the first: {text}")
        yield "failed", many if (log.errors or 0) > 1 else quote(text), number
    if log.starts == 0:
        yield "truncated", remark("begins_late"), None
    if log.difference is None:
        yield "truncated", remark("cut_before", line="Difference(%) (uperf -a)"), None
    if not log.transactions:
        none = "no table of transactions; run uperf with -a"
        yield "failed", remark("no_transactions_table", none), None
    if phase is None or any(map(math.isnan, log.difference or [])):
        yield "failed", remark("no_data_moved"), line
    if len({row.name for row in log.transactions}) < len(log.transactions):
        several = "several groups of clients in one log; run each on its own"
        yield "failed", remark("several_groups", several), line
    if unended := [strand for strand in log.strands if not strand.seconds]:
        unfinished = f"{len(unended)} of {log.clients} clients did not finish"
        yield "failed", remark("clients_unfinished", unfinished), line


def _against_total(log: Log) -> Iterator[Verdict]:
    """Whether the strands, and the last progress lines, add up to the Total line. A
    text log prints operations as a rate, over rounded seconds."""
    total = log.total
    if total is None:
        return
    last = list({line.index: line for line in log.progress}.values())
    step = 0.0 if log.is_raw else 0.01 * total.ops / max(total.seconds, 0.01)
    for parts, source in ((log.strands, "its strands"), (last, "its last lines")):
        if parts:
            size, ops = sum(x.bytes for x in parts), sum(x.ops for x in parts)
            of = f"{source} (bytes)", f"{source} (ops)"
            yield contradiction("Total", total.bytes, size, 0.02, 0.0, of[0])
            yield contradiction("Total", total.ops, ops, 0.02, step, of[1])
