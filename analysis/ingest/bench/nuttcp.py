"""nuttcp logs: its one line, its verbose form and ``-fparse``.

``MB`` is 2**20 bytes, ``Mbps`` 10**6 bits a second, by the receiver. ``%TX`` and
``%RX`` are CPU time by wall time of the two processes, 100 for one CPU. Interval
lines (``-i``) have neither; a log without a line that has them was cut off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from analysis.facts.remark import quote, remark
from analysis.ingest.logs.checks import Amount, hold_intervals
from analysis.ingest.logs.result import Result, failed_log, join_results
from analysis.ingest.logs.text import MIB, not_a_number, text_lines
from analysis.ingest.printed import printed
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "nuttcp"
TITLE = "nuttcp benchmark log"
TESTED = "nuttcp 6.1.2"
TIMED = "the receiver's real seconds, from its megabytes and Mbps"
recognise = re.compile(
    rb"^ *\d[.,\d]* MB / +\d+[.,]\d+ sec = +|^nuttcp(?:-[tr])?: "
    rb"|^megabytes=\d[.,\d]* real_seconds=",
    re.MULTILINE,
).search
_SUM = re.compile(r" *(\d+\.\d{4}) MB / +(\d+\.\d\d) sec = +(\d+\.\d{4}) Mbps(.*)")
_LIKE_SUM = re.compile(r" *\d[\d.,' ]* MB / ")
_CPU = re.compile(r" (\d+) %TX (\d+) %RX")
_LOST = re.compile(r" (\d+) / (\d+) drop/pkt +(\d+\.\d+) %loss")
_RETRANS = re.compile(r" (\d+) (?:host-)?retrans")
_ROUND_TRIP = re.compile(r" (\d+\.\d+) msRTT")
_COUNTS = {
    "lost_packets": "lost_datagrams",
    "packets": "datagrams",
    "retransmissions": "retransmits",
}
_N = r"(\d+\.\d+)"
_PARSE = re.compile(
    rf"(?:nuttcp-r: )?megabytes={_N} real_seconds={_N} (?:rate_KBps=\S+ )?"
    rf"rate_Mbps={_N}((?: .*)?)"
)
_PARSE_INTERVAL = re.compile(r"megabytes=([\d.]+) real_sec=([\d.]+) rate_Mbps=")
_PARSED = re.compile(r"\b(\w+)=(\d+)(?!\S)")
_VERBOSE = re.compile(
    r"nuttcp-r: (\d+\.\d{4}) MB in (\d+\.\d\d) real seconds = \d+\.\d\d KB/sec = "
    r"(\d+\.\d{4}) Mbps"
)
_STREAMS = re.compile(r"nuttcp-[tr]: buflen=\d+, nstream=(\d+), ")
_MSS = re.compile(r"nuttcp-[tr]: connect to \S+ with mss=(\d{1,9}),")
_ERROR = re.compile(r"nuttcp(?:-[tr])?: .*Error: (.*)|(nuttcp-[tr]: bind: .*)")


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``benchmark`` row for each test: a stream (STR), without transactions."""
    lines, cut = text_lines(raw.read_bytes())
    results: list[Result] = []
    intervals: list[Amount] = []
    for at, line in enumerate(lines, 1):
        if match := _ERROR.match(line):
            results.append(failed_log(quote(match[1] or match[2]), at))
        elif result := _total(line, at, intervals):
            results.append(result)
            result.tables["interval"] = [*_rows(intervals, at)]
            intervals = []
        elif match := _SUM.fullmatch(line) or _PARSE_INTERVAL.match(line):
            intervals.append((float(match[2]), float(match[1])))
        elif _LIKE_SUM.match(line) or line.startswith("megabytes="):
            results.append(failed_log(not_a_number(line), at))
    if not results:
        results = [Result({"position": 1})]
        early = f"ends before its total, after {len(intervals)} intervals"
        results[0].judge("truncated", remark("ends_before_total", early))
    if len(results) == 1:
        if streams := next(filter(None, map(_STREAMS.match, lines)), None):
            results[0].row["clients"] = int(streams[1])
        if size := next(filter(None, map(_MSS.match, lines)), None):
            results[0].details["mss"] = int(size[1])
    return join_results(FORMAT, "nuttcp", results, cut)


def _rows(intervals: Sequence[Amount], line: int) -> Iterator[dict[str, Any]]:
    """Rows of the intervals before a total, which follow one another."""
    start = 0.0
    for seconds, size in intervals:
        if seconds > 0:
            moved = {"bytes_per_second": size * MIB / seconds, "omitted": 0}
            yield {"start_s": start, "seconds": seconds, **moved, "position": line}
        start += seconds


def _total(line: str, at: int, intervals: Sequence[Amount]) -> Result | None:
    """The result in a line that is a total; null for any other."""
    if (match := _SUM.fullmatch(line)) and _CPU.search(match[4]):
        return _result(match, _tail(match[4]), at, intervals)
    if match := _VERBOSE.match(line):
        return _result(match, {}, at, intervals)
    if match := _PARSE.fullmatch(line):
        return _result(match, _parsed(match[4]), at, intervals)
    return None


def _tail(tail: str) -> dict[str, Any]:
    """What stands behind the rate in a line for people."""
    details: dict[str, Any] = {}
    if match := _CPU.search(tail):
        details["cpu_pct_of_one_cpu"] = [float(match[1]), float(match[2])]
    if match := _LOST.search(tail):
        details |= {"lost_packets": int(match[1]), "packets": int(match[2])}
    if match := _RETRANS.search(tail):
        details["retransmissions"] = int(match[1])
    if match := _ROUND_TRIP.search(tail):
        details["connect_round_trip_ms"] = float(match[1])
    return details


def _parsed(tail: str) -> dict[str, Any]:
    """What stands behind the rate in ``-fparse``."""
    values = {name: int(text) for name, text in _PARSED.findall(tail)}
    names = {"drop": "lost_packets", "pkt": "packets", "retrans": "retransmissions"}
    details: dict[str, Any] = {
        name: values[key] for key, name in names.items() if key in values
    }
    if "tx_cpu" in values and "rx_cpu" in values:
        sides = float(values["tx_cpu"]), float(values["rx_cpu"])
        details["cpu_pct_of_one_cpu"] = [*sides]
    return details


def _result(
    match: re.Match[str], details: dict[str, Any], at: int, intervals: Sequence[Amount]
) -> Result:
    size, seconds, rate = float(match[1]), float(match[2]), printed(match[3])
    row = {"shape": "STR", "errors": 0, "bytes_per_second": rate * 1e6 / 8}
    result = Result(row | {"position": at}, details=details)
    result.row |= {
        column: details[name] for name, column in _COUNTS.items() if name in details
    }
    if not size or not rate:
        result.judge("failed", remark("no_data_moved"), at)
        return result
    # The printed seconds have two digits, the rate has more.
    exact = size * MIB * 8 / (rate * 1e6)
    result.row["seconds"] = exact
    result.compare("real seconds", seconds, exact, 0.001, 0.0051, "size and rate", 0.0)
    result.hold(hold_intervals(intervals, [(seconds, size)]), at)
    return result
