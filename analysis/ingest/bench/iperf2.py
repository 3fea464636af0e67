"""iperf 2's text (also ``-e``) and its CSV (``-y C``), of clients and servers.

"Transfer" has binary units, "Bandwidth" decimal bits (binary bytes with ``-f M``). The
last line of a stream that begins at 0 is its total; nothing marks the end of a log.
Fields of the CSV are the time of printing, both ends, the stream, the interval, bytes
and bits a second; datagrams add jitter, lost, all, share lost and out of order. Its
times are local, of the moment of printing, and 1970 where iperf 2.1.8 forgot them.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.facts.remark import Remark, quote, remark
from analysis.ingest.clock import local_text, zone_info
from analysis.ingest.logs.checks import agree, hold_intervals
from analysis.ingest.logs.result import Result, failed_log, join_results
from analysis.ingest.logs.text import (
    BINARY_STEPS,
    DECIMAL_STEPS,
    not_a_number,
    quoted,
    text_lines,
)
from analysis.ingest.printed import Resolved, printed
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "iperf2"
TITLE = "iperf 2 benchmark log"
TESTED = "iperf 2.1.8"
TIMED = "the interval of the line of totals, by iperf's clock"
recognise = re.compile(
    rb"^(?:Client connecting to \S+, (?:TCP|UDP) port"
    rb"|Server listening on (?:TCP|UDP) port|(?:tcp )?connect failed: "
    rb"|\d{14},[^,\n]*,\d+,[^,\n]*,\d+,-?\d+,\d+[.,]\d+-)",
    re.MULTILINE,
).search
_STREAM = re.compile(r"\[ *\*?\d+\] local (\S+) port (\d+) connected with (\S+) port")
FIGURES = (
    r" +(\d+\.\d{1,6})- *(\d+\.\d{1,6}) +sec +(\d+(?:\.\d+)?) ([KMGT]?)Bytes? +"
    r"(\d+(?:\.\d+)?) ([KMGT]?)(bit?s|Bytes)/sec((?: [^\[]*)?)$"
)
_LINE = re.compile(r"\[ *(\*?\d+|SUM|FD\d+|SUM-\w+)\]" + FIGURES)
_LIKE_LINE = re.compile(r"\] +\d+[.,]\d+- *\d+[.,]\d+ +sec +[\d.,]")
_BEGIN = re.compile(r"(Client connecting to|Server listening on)")
_ERROR = re.compile(r".*(connect failed|bind failed|write failed|read failed|ERROR: )")
_ON = re.compile(r" on (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) \((?:UTC|GMT)\)")
_BOUNCE = re.compile(r" (\d+)=(\d+\.\d+)/\d+\.\d+/(\d+\.\d+)/(\d+\.\d+) ms ")
_BOUNCE_SIZE = re.compile(r"Bounce-back test \(size= *(\d+) Byte\)")
_MSS = re.compile(r"\(icwnd/mss/irtt=\d+/(\d{1,9})/")
_LOST = re.compile(r" (\d+)/(\d+) \(")
_LATE = re.compile(r" sec +(\d+) datagrams received out-of-order *$")
_AGAIN = re.compile(r" +\d+/\d+ +(\d+) ")  # behind the writes
_JITTER = re.compile(r" (\d+\.\d+) ms ")
_CSV = re.compile(
    r"(\d{14}),([^,]*),(\d+),([^,]*),(\d+),(-?\d+),(\d+\.\d+)-(\d+\.\d+),(\d+),(\d+)"
    r"(?:,(-?\d+\.\d+),(-?\d+),(-?\d+),(-?(?:\d+\.\d+|nan)),(-?\d+))?"
)
_CSV_COMMAS = re.compile(r"\d{14},(?:[^,]*,){5}\d+,\d+-\d+,\d+,")
_EARLIEST = "1980"
_FIRST_OF_2_0 = "3"  # iperf 2.1 numbers streams from 1


@dataclass(frozen=True)
class FigureLine:
    """A line of figures of iperf 2 or 3: of one stream or of their sum, in seconds,
    bytes and bytes a second. ``step`` is that of its times, ``way`` and ``kind`` are
    what iperf 3 says of it."""

    number: int
    id: str
    start: float
    end: float
    bytes: float
    rate: float
    tail: str = ""
    step: float = 0.1
    way: str = ""
    kind: str = ""

    @property
    def seconds(self) -> float:
        """The length of its interval."""
        return self.end - self.start

    @property
    def is_sound(self) -> bool:
        """Whether its figures fit: of three digits, and seconds as they are printed."""
        if self.rate <= 0 or self.seconds <= 0:
            return False
        tolerance = 0.012 + self.step / self.seconds
        return agree(self.bytes / self.seconds, self.rate, tolerance)


def line_of(
    at: int, id: str, cells: Sequence[str], way: str = "", kind: str = ""
) -> FigureLine:
    """The line whose cells are the groups of ``FIGURES``."""
    begin, end, size, size_unit, rate, rate_unit, unit, tail = cells
    steps = BINARY_STEPS if unit == "Bytes" else DECIMAL_STEPS
    scale = steps[rate_unit] / (1 if unit == "Bytes" else 8)
    amount = float(size) * BINARY_STEPS[size_unit]
    times, step = (float(begin), float(end)), 10.0 ** -len(end.partition(".")[2])
    figures = amount, printed(rate) * scale
    return FigureLine(at, id, *times, *figures, tail, step, way, kind)


@dataclass
class _Log:
    """One client's or server's log."""

    line: int
    streams: set[str] = field(default_factory=set)
    lines: list[FigureLine] = field(default_factory=list)
    reported: list[FigureLine] = field(
        default_factory=list
    )  # by the server, to a client
    late: int = 0
    report: bool = False
    udp_client: bool = False
    dual: bool = False  # both ways, at once (-d) or in turn (-r)
    start_utc: str | None = None
    message: int | None = None
    errors: list[tuple[int, str]] = field(default_factory=list)
    damaged: tuple[int, Remark] | None = None
    listens: bool = False
    test: str | None = None
    mss: int | None = None
    is_csv: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said but who listens or connects."""
        return not (self.lines or self.errors or self.streams or self.damaged)


def read(raw: Raw, zone: str | None = None) -> Reading:
    """One ``benchmark`` row: a stream (STR), or RR for ``--bounceback``.

    The two ways of ``-r`` are two rows, named by ``test``.

    ``bytes_per_second`` is the sum over streams and ways, with three digits in text.
    ``zone`` is the one of the times in a CSV.
    """
    lines, cut = text_lines(raw.read_bytes())
    if any(_CSV.match(line) or _CSV_COMMAS.match(line) for line in lines):
        return join_results(FORMAT, "iperf", [_read_csv(lines, zone)], cut)
    logs: list[_Log] = []
    for at, line in enumerate(lines, 1):
        if not logs or _begins(logs[-1], line):
            dual = bool(logs) and (logs[-1].dual or logs[-1].listens)
            logs.append(_Log(at, dual=dual, listens=line.startswith("Server")))
            if _STREAM.match(line) and len(logs) > 1:  # of -r: in turn, not at once
                logs[-2].test, logs[-1].test = "way out", "way back"
        _take(logs[-1], at, line)
    logs = [log for log in logs if not log.is_empty]
    results = [_result(log, _totals(log)) for log in logs]
    ways = [len(log.streams) for log in logs if log.dual]
    if len(ways) == 1 and ways[0] < 2:
        one = remark("way_missing", "one of the two ways is missing")
        results[-1].judge("truncated", one)
    if not results:
        none = remark("no_figures", "there are no figures in it")
        results = [failed_log(none)]
    return join_results(FORMAT, "iperf", results, cut)


def _begins(log: _Log, line: str) -> bool:
    """Whether a line begins another log: a banner, or the way back of ``-r``."""
    back = log.dual and bool(log.lines) and _STREAM.match(line) is not None
    return back or _BEGIN.match(line) is not None


def _take(log: _Log, at: int, line: str) -> None:
    """One line of a text."""
    if match := _STREAM.match(line):
        log.streams.add(f"{match[1]} {match[2]} {match[3]}")
        if begun := _ON.search(line):
            log.start_utc = f"{begun[1].replace(' ', 'T')}.000000Z"
        if size := _MSS.search(line):
            log.mss = int(size[1])
    elif match := _LINE.match(line):
        figures = line_of(at, match[1], match.groups()[1:])
        (log.reported if log.report else log.lines).append(figures)
    elif late := _LATE.search(line):
        log.late += int(late[1])
    elif _LIKE_LINE.search(line):
        log.damaged = log.damaged or (at, not_a_number(line))
    elif match := _BOUNCE_SIZE.match(line):
        log.message = int(match[1])
    elif _ERROR.match(line):
        log.errors.append((at, line.strip()))
    log.report |= "Server Report:" in line
    log.udp_client |= line.startswith("Client connecting") and " UDP " in line


def _result(log: _Log, totals: Sequence[FigureLine]) -> Result:
    row: dict[str, Any] = {"shape": "STR", "test": log.test, "position": log.line}
    row |= {"clients": len(log.streams) or None, "start_utc": log.start_utc}
    result = Result(row, details={"mss": log.mss} if log.mss else {})
    if log.streams:
        figures = [(line.start, line.bytes, line.rate) for line in log.lines]
        result.identity = (*sorted(log.streams), *figures)
    for at, text in log.errors:
        result.judge("failed", quote(text), at)
    if log.damaged:
        at, cause = log.damaged
        result.judge("failed", cause, at)
    elif not totals:
        missing = "the totals are missing"
        result.judge("truncated", remark("totals_missing", missing), log.line)
    elif not all(total.is_sound for total in totals):
        odd = "bytes, seconds and rate do not fit together, or no data was moved"
        result.judge("failed", remark("bytes_or_no_data", odd), totals[0].number)
    elif result.status == "ok":
        _measured(result, log, totals)
    return result


def _totals(log: _Log) -> list[FigureLine]:
    """The total of each way, summed over streams; empty where one is missing."""
    last = {line.id: line for line in log.reported or log.lines}
    totals = {id: line for id, line in last.items() if line.start == 0}
    both = [line for id, line in totals.items() if id.startswith("FD")]
    if both or ("SUM" in totals and not log.dual):
        return both or [totals["SUM"]]
    streams = len(log.streams)
    whole = len(totals) == len(last) == max(streams, 1)
    return list(totals.values()) if whole and (log.dual or streams < 2) else []


def _measured(result: Result, log: _Log, totals: Sequence[FigureLine]) -> None:
    # A CSV has all digits of bytes and rate, and one of the seconds.
    seconds = max(x.bytes / x.rate if log.is_csv else x.end for x in totals)
    rate = sum(line.rate for line in totals)
    result.row |= {"seconds": seconds, "bytes_per_second": rate, "errors": 0}
    total = totals[0]
    for each in totals:
        # Totals, of the client and of the server, begin at 0 as the first interval.
        lines = [line for line in log.lines if line.id == each.id]
        ends = [line for line in lines[1:] if line.start == 0]
        parts = lines[: lines.index(ends[0])] if ends else []
        amounts = ([(x.seconds, x.bytes) for x in some] for some in (parts, ends))
        result.hold(hold_intervals(*amounts), total.number)
    alone = len(log.lines) == 1 and total.id != "SUM"
    if log.message is not None:
        _bounceback(result, log.message, total)
    elif alone and (log.is_csv or total.step < 1e-3) and _is_round(float(seconds)):
        odd = "nothing tells whether the only line is the total or an interval"
        result.judge("degraded", remark("total_or_interval", odd), result.line)
    losses = [match for each in totals if (match := _LOST.search(each.tail))]
    if len(losses) == len(totals):
        _add_losses(result, [(int(lost[1]), int(lost[2])) for lost in losses])
        result.row["late_datagrams"] = log.late
        jitter = _JITTER.search(total.tail)
        if jitter and len(totals) == 1 and total.id != "SUM":
            result.row["jitter_us"] = printed(jitter[1]) * 1e3
    elif log.udp_client and not log.reported:
        result.judge("degraded", remark("sent_not_arrived"), total.number)
    elif not losses and not log.udp_client:
        again = [match for each in totals if (match := _AGAIN.match(each.tail))]
        if len(again) == len(totals):
            result.row["retransmits"] = sum(int(match[1]) for match in again)


def _add_losses(result: Result, losses: Sequence[tuple[int, int]]) -> None:
    """The datagrams lost, and all of them, summed as the bytes are."""
    lost, packets = (sum(counts) for counts in zip(*losses, strict=True))
    result.details |= {"lost_packets": lost, "packets": packets}
    result.row |= {"lost_datagrams": lost, "datagrams": packets}


def _is_round(seconds: float) -> bool:
    """Whether an interval could end there: a total ends a little later."""
    return abs(seconds * 10 - round(seconds * 10)) < 1e-4


def _bounceback(result: Result, message: int, total: FigureLine) -> None:
    """Request and response of one size, in bursts with pauses, so no clients."""
    match = _BOUNCE.search(total.tail)
    if match is None:
        result.judge("failed", not_a_number(total.tail), total.number)
        return
    count = int(match[1])
    result.row |= {"shape": "RR", "clients": None, "transactions": count}
    result.row |= {"request_bytes": message, "response_bytes": message}
    result.row["rate"] = count / Resolved(total.seconds, total.step)
    for group, what in ((2, "mean"), (3, "max"), (4, "deviation")):
        result.row[f"latency_{what}_us"] = printed(match[group]) * 1e3
    result.details["pauses"] = "bursts with pauses between them"


def _read_csv(lines: Sequence[str], zone: str | None) -> Result:
    """The result of a CSV: the sum over its streams."""
    log = _Log(1, is_csv=True)
    matches: dict[int, re.Match[str]] = {}
    ports: dict[str, set[str]] = {}
    for at, line in enumerate(lines, 1):
        if not line:
            continue
        if not (match := _CSV.fullmatch(line)):
            comma = _CSV_COMMAS.match(line)
            kind = "decimal_comma_in_csv" if comma else "not_understood"
            log.damaged = at, remark(kind, text=quoted(line))
            break
        sides = {match[3], match[5]}  # the server's report has them turned round
        if match[6] != "-1" and ports.setdefault(match[6], sides) != sides:
            several = "several runs in one file; put each in its own"
            log.damaged = log.damaged or (at, remark("several_runs", several))
        times = float(match[7]), float(match[8])
        figures = float(match[9]), printed(match[10]) / 8
        log.lines.append(FigureLine(at, match[6], *times, *figures))
        matches[at] = match
    log.streams = {line.id for line in log.lines} - {"-1"}
    totals = _csv_totals(log.lines)
    result = _result(log, totals)
    if result.status in ("ok", "degraded"):
        if [total.id for total in totals] == [_FIRST_OF_2_0]:
            odd = "nothing tells stream 3 of iperf 2.1, cut off, from iperf 2.0"
            result.judge("degraded", remark("stream_3_or_old", odd), totals[0].number)
        _csv_more(result, [matches[total.number] for total in totals], zone)
    return result


def _csv_totals(lines: Sequence[FigureLine]) -> list[FigureLine]:
    """Last line of each stream, or that of their sum. Streams number without gaps."""
    last = {int(line.id): line for line in lines}
    if any(line.start > 0 for line in last.values()):
        return []
    if -1 in last:
        return [last[-1]]
    ids = sorted(last)
    whole = any(ids == list(range(first, first + len(ids))) for first in (1, 3))
    return list(last.values()) if whole else []


def _csv_more(
    result: Result, totals: Sequence[re.Match[str]], zone: str | None
) -> None:
    """The start by the first line of totals, and the datagrams that all have lost."""
    total = totals[0]
    if total[1] >= _EARLIEST:
        try:
            end = dt.datetime.strptime(total[1], "%Y%m%d%H%M%S")
            begun = end - dt.timedelta(seconds=float(total[8]))
        except (ValueError, OverflowError):
            result.note(remark("no_such_time", "there is no such time"), 1)
        else:
            known = zone_info(zone) if zone else None
            result.row["start_utc"] = local_text(begun, known)
            result.local_start = None if known else begun.isoformat(" ")
    losses = [(int(t[12]), int(t[13])) for t in totals if t[11] is not None]
    if any(packets < 0 for _, packets in losses):
        result.judge("degraded", remark("sent_not_arrived"), 1)
    elif len(losses) == len(totals):
        _add_losses(result, losses)
        if len(totals) == 1 and not float(total[15]) < 0:
            result.row["late_datagrams"] = int(total[15])
            result.row["jitter_us"] = printed(total[11]) * 1e3
        result.note(remark("datagrams"))
