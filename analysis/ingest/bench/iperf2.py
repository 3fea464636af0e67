"""iperf 2's text (also ``-e``) and its CSV (``-y C``), of clients and servers.

"Transfer" has binary units, "Bandwidth" decimal bits (binary bytes with ``-f M``). The
last line of a stream that begins at 0 is its total; nothing marks the end of a log.
CSV times are local, of the moment of printing, and 1970 where iperf 2.1.8 forgot them.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.facts.remark import quote, remark
from analysis.ingest.bench.iperf2_csv import (
    CSV_COMMAS,
    CSV_LINE,
    FigureLine,
    against_intervals,
    doubt_interval,
    is_sound,
    read_csv,
)
from analysis.ingest.logs.result import Result, failed_log, join_results
from analysis.ingest.logs.text import (
    BINARY_STEPS,
    DECIMAL_STEPS,
    not_a_number,
    text_lines,
)
from analysis.ingest.printed import printed
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "iperf2"
TITLE = "iperf 2 benchmark log"
TESTED = "iperf 2.1.8"
TIMED = "the interval of the line of totals, by iperf's clock"
SIGNS = ("client connecting", "server listening", "connect failed", *string.digits)
_MARKS = re.compile(
    rb"^(?:Client connecting to \S+, (?:TCP|UDP) port"
    rb"|Server listening on (?:TCP|UDP) port|(?:tcp )?connect failed: "
    rb"|\d{14},[^,\n]*,\d+,[^,\n]*,\d+,-?\d+,\d+[.,]\d+-)",
    re.MULTILINE,
)
_STREAM = re.compile(r"\[ *\*?\d+\] local (\S+) port (\d+) connected with (\S+) port")
_LINE = re.compile(
    r"\[ *(\*?\d+|SUM|FD\d+|SUM-\w+)\] +(\d+\.\d+)- *(\d+\.\d+) +sec +"
    r"(\d+(?:\.\d+)?) ([KMGT]?)Bytes? +(\d+(?:\.\d+)?) ([KMGT]?)(bits|Bytes)/sec"
    r"((?: [^\[]*)?)$"
)
_LIKE_LINE = re.compile(r"\] +\d+[.,]\d+- *\d+[.,]\d+ +sec +[\d.,]")
_BEGIN = re.compile(r"(Client connecting to|Server listening on)")
_ERROR = re.compile(r".*(connect failed|bind failed|write failed|read failed|ERROR: )")
_ON = re.compile(r" on (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) \((?:UTC|GMT)\)")
_BOUNCE = re.compile(r" (\d+)=(\d+\.\d+)/\d+\.\d+/\d+\.\d+/\d+\.\d+ ms ")
_BOUNCE_SIZE = re.compile(r"Bounce-back test \(size= *(\d+) Byte\)")
_MSS = re.compile(r"\(icwnd/mss/irtt=\d+/(\d{1,9})/")
_LOST = re.compile(r" (\d+)/(\d+) \(")


@dataclass
class _Log:
    """One client's or server's log."""

    line: int
    streams: set[str] = field(default_factory=set)
    lines: list[FigureLine] = field(default_factory=list)
    reported: list[FigureLine] = field(
        default_factory=list
    )  # by the server, to a client
    report: bool = False
    udp_client: bool = False
    dual: bool = False  # both ways, at once (-d) or in turn (-r)
    start_utc: str | None = None
    message: int | None = None
    errors: list[tuple[int, str]] = field(default_factory=list)
    damaged: tuple[int, str] | None = None
    listens: bool = False
    test: str | None = None
    mss: int | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said but who listens or connects."""
        return not (self.lines or self.errors or self.streams or self.damaged)


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a log of iperf 2."""
    return _MARKS.search(head) is not None


def read(raw: Raw, zone: str | None = None) -> Reading:
    """One ``benchmark`` row: a stream (STR), or RR for ``--bounceback``.

    The two ways of ``-r`` are two rows, named by ``test``.

    ``bytes_per_second`` is the sum over streams and ways, with three digits in text.
    ``zone`` is the one of the times in a CSV.
    """
    lines, cut = text_lines(raw.read_bytes())
    if any(CSV_LINE.match(line) or CSV_COMMAS.match(line) for line in lines):
        return join_results(FORMAT, "iperf", [read_csv(lines, zone)], cut)
    logs: list[_Log] = []
    for at, line in enumerate(lines, 1):
        if not logs or _begins(logs[-1], line):
            dual = bool(logs) and (logs[-1].dual or logs[-1].listens)
            logs.append(_Log(at, dual=dual, listens=line.startswith("Server")))
            if _STREAM.match(line) and len(logs) > 1:  # of -r: in turn, not at once
                logs[-2].test, logs[-1].test = "way out", "way back"
        _take(logs[-1], at, line)
    logs = [log for log in logs if not log.is_empty]
    results = [_text(log) for log in logs]
    ways = [len(log.streams) for log in logs if log.dual]
    if len(ways) == 1 and ways[0] < 2:
        results[-1].judge(
            "truncated", remark("way_missing", "one of the two ways is missing")
        )
    if not results:
        results = [failed_log(remark("no_figures", "there are no figures in it"))]
    return join_results(FORMAT, "iperf", results, cut)


def _begins(log: _Log, line: str) -> bool:
    """Whether a line begins another log: a banner, or the way back of ``-r``."""
    back = log.dual and bool(log.lines) and _STREAM.match(line) is not None
    return back or _BEGIN.match(line) is not None


def _take(log: _Log, at: int, line: str) -> None:
    """One line of a text."""
    if found := _STREAM.match(line):
        log.streams.add(f"{found[1]} {found[2]} {found[3]}")
        if begun := _ON.search(line):
            log.start_utc = f"{begun[1].replace(' ', 'T')}.000000Z"
        if size := _MSS.search(line):
            log.mss = int(size[1])
    elif found := _LINE.match(line):
        (log.reported if log.report else log.lines).append(_figures(at, found))
    elif _LIKE_LINE.search(line):
        log.damaged = log.damaged or (at, line)
    elif found := _BOUNCE_SIZE.match(line):
        log.message = int(found[1])
    elif _ERROR.match(line):
        log.errors.append((at, line.strip()))
    log.report |= "Server Report:" in line
    log.udp_client |= line.startswith("Client connecting") and " UDP " in line


def _figures(at: int, found: re.Match[str]) -> FigureLine:
    in_bits = found[8] == "bits"
    scale = DECIMAL_STEPS[found[7]] / 8 if in_bits else BINARY_STEPS[found[7]]
    size = float(found[4]) * BINARY_STEPS[found[5]]
    rate = printed(found[6]) * scale
    digits = len(found[3].partition(".")[2])
    times = printed(found[2]), printed(found[3])
    return FigureLine(at, found[1], *times, size, rate, found[9], digits)


def _text(log: _Log) -> Result:
    row: dict[str, Any] = {"shape": "STR", "position": log.line}
    row |= {"clients": len(log.streams) or None, "start_utc": log.start_utc}
    row["test"] = log.test
    result = Result(row, details={"mss": log.mss} if log.mss else {})
    if log.streams:
        figures = [(line.start, line.bytes, line.rate) for line in log.lines]
        result.identity = (*sorted(log.streams), *figures)
    totals = _totals(log.reported or log.lines, len(log.streams), log.dual)
    for at, said in log.errors:
        result.judge("failed", quote(said), at)
    if log.damaged:
        result.judge("failed", not_a_number(log.damaged[1]), log.damaged[0])
    elif not totals:
        result.judge(
            "truncated", remark("totals_missing", "the totals are missing"), log.line
        )
    elif any(not is_sound(total) for total in totals):
        told = remark(
            "bytes_or_no_data",
            "bytes, seconds and rate do not fit together, or no data was moved",
        )
        result.judge("failed", told, totals[0].number)
    elif result.status == "ok":
        _measured(result, log, totals)
    return result


def _totals(lines: Sequence[FigureLine], streams: int, dual: bool) -> list[FigureLine]:
    """The total of each way, summed over streams; empty where one is missing."""
    last = {line.id: line for line in lines}
    totals = {id: line for id, line in last.items() if line.start == 0}
    both = [line for id, line in totals.items() if id.startswith("FD")]
    if both or ("SUM" in totals and not dual):
        return both or [totals["SUM"]]
    whole = len(totals) == len(last) == max(streams, 1)
    return list(totals.values()) if whole and (dual or streams < 2) else []


def _measured(result: Result, log: _Log, totals: Sequence[FigureLine]) -> None:
    seconds = max(line.end for line in totals)
    rate = sum(line.rate for line in totals)
    result.row |= {"seconds": seconds, "bytes_per_second": rate, "errors": 0}
    total = totals[0]
    for each in totals:
        result.hold(against_intervals(log.lines, each.id), total.number)
    if log.message is not None:
        _bounceback(result, log.message, total)
    elif total.digits >= 4 and total.id != "SUM" and len(log.lines) == 1:
        doubt_interval(result, total.end)
    if lost := _LOST.search(total.tail):
        result.details |= {"lost_packets": int(lost[1]), "packets": int(lost[2])}
    elif log.udp_client and not log.reported:
        told = remark("sent_not_arrived")
        result.judge("degraded", told, total.number)


def _bounceback(result: Result, message: int, total: FigureLine) -> None:
    """Request and response of one size, in bursts with pauses, so no clients."""
    found = _BOUNCE.search(total.tail)
    if found is None:
        result.judge("failed", not_a_number(total.tail), total.number)
        return
    count, seconds = int(found[1]), total.end - total.start
    result.row |= {"shape": "RR", "clients": None, "transactions": count}
    result.row |= {"request_bytes": message, "response_bytes": message}
    result.row |= {"rate": count / seconds, "latency_mean_us": printed(found[2]) * 1e3}
    result.details["pauses"] = "bursts with pauses between them"
