"""iperf 2's CSV (``-y C``), and what it shares with the text: a line of figures.

Its fields are the time of printing, both ends, the stream, the interval, bytes and
bits a second; datagrams add jitter, lost, all, share lost and out of order.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.clock import local_text, zone_info
from analysis.ingest.logs.checks import agree, hold_intervals
from analysis.ingest.logs.result import Result
from analysis.ingest.logs.text import quoted
from analysis.ingest.printed import printed as number
from analysis.ingest.reading import Problem, Verdict

CSV_LINE = re.compile(
    r"(\d{14}),([^,]*),(\d+),([^,]*),(\d+),(-?\d+),(\d+\.\d+)-(\d+\.\d+),(\d+),(\d+)"
    r"(?:,(-?\d+\.\d+),(-?\d+),(-?\d+),(-?(?:\d+\.\d+|nan)),(-?\d+))?"
)
CSV_COMMAS = re.compile(r"\d{14},(?:[^,]*,){5}\d+,\d+-\d+,\d+,")
_EARLIEST = "1980"
_FIRST_OF_2_0 = "3"  # iperf 2.1 numbers streams from 1


@dataclass(frozen=True)
class FigureLine:
    """One line of figures, of one stream or of their sum."""

    number: int
    id: str
    start: float
    end: float
    bytes: float
    rate: float
    tail: str = ""
    digits: int = 1


def is_sound(line: FigureLine) -> bool:
    """Three digits, and seconds as exact as they are printed."""
    seconds = line.end - line.start
    if line.rate <= 0 or seconds <= 0 or line.bytes <= 0:
        return False
    tolerance = 0.012 + 10.0**-line.digits / seconds
    return agree(line.bytes / seconds, line.rate, tolerance)


def against_intervals(lines: Sequence[FigureLine], id: str) -> Verdict:
    """Whether the intervals of a stream, or of the sum, bear out its totals, of the
    client and of the server: these begin at 0, as the first interval does."""
    lines = [line for line in lines if line.id == id]
    totals = [line for line in lines[1:] if line.start == 0]
    parts = lines[: lines.index(totals[0])] if totals else []
    return hold_intervals(
        *(
            [(line.end - line.start, line.bytes) for line in each]
            for each in (parts, totals)
        )
    )


def doubt_interval(result: Result, seconds: float) -> None:
    """A total ends a little later than asked for, an interval on time."""
    if abs(seconds * 10 - round(seconds * 10)) < 1e-4:
        told = remark(
            "total_or_interval",
            "nothing tells whether the only line is the total or an interval",
        )
        result.judge("degraded", told, result.row["position"])


def read_csv(lines: Sequence[str], zone: str | None) -> Result:
    """The result of a CSV: the sum over its streams.

    ``zone`` is the one of its times, which are of the moment of printing.
    """
    row: dict[str, Any] = {"shape": "STR", "position": 1, "errors": 0}
    result = Result(row)
    found = [(at, CSV_LINE.fullmatch(line)) for at, line in enumerate(lines, 1) if line]
    parsed = [_line(at, match) for at, match in found if match]
    totals = _totals(parsed)
    several = _second_run([match for _, match in found if match])
    if wrong := [at for at, match in found if match is None]:
        line = lines[wrong[0] - 1]
        kind = "decimal_comma_in_csv" if CSV_COMMAS.match(line) else "not_understood"
        result.judge("failed", remark(kind, text=quoted(line)), wrong[0])
    elif several:
        told = remark("several_runs", "several runs in one file; put each in its own")
        result.judge("failed", told, found[several][0])
    elif not totals:
        result.judge(
            "truncated",
            remark("stream_totals_missing", "the totals of some streams are missing"),
            1,
        )
    elif any(not total.rate or not total.bytes for total in totals):
        result.judge("failed", remark("no_data_moved"), totals[0].number)
    else:
        streams = {line.id for line in parsed if line.id != "-1"}
        row |= {"clients": len(streams) or None}
        row["bytes_per_second"] = sum(line.rate for line in totals)
        row["seconds"] = max(line.bytes / line.rate for line in totals)
        if any(not is_sound(total) for total in totals):
            result.judge(
                "failed",
                remark(
                    "bytes_seconds_rate", "bytes, seconds and rate do not fit together"
                ),
            )
        for total in totals:
            result.hold(against_intervals(parsed, total.id))
        if len(parsed) == 1:
            doubt_interval(result, row["seconds"])
        if [total.id for total in totals] == [_FIRST_OF_2_0]:
            told = remark(
                "stream_3_or_old",
                "nothing tells stream 3 of iperf 2.1, cut off, from iperf 2.0",
            )
            result.judge("degraded", told, totals[0].number)
        match = next(m for at, m in found if m and at == totals[0].number)
        _start(result, match, zone)
        _losses(result, match)
    return result


def _line(at: int, match: re.Match[str]) -> FigureLine:
    times = float(match[7]), float(match[8])
    return FigureLine(at, match[6], *times, float(match[9]), number(match[10]) / 8)


def _second_run(lines: Sequence[re.Match[str]]) -> int:
    """Where a stream has other ports than before; 0 where none has."""
    ports: dict[str, set[str]] = {}
    for at, line in enumerate(lines):
        both = {line[3], line[5]}  # the report of the server has them turned round
        if line[6] != "-1" and ports.setdefault(line[6], both) != both:
            return at
    return 0


def _totals(lines: Sequence[FigureLine]) -> list[FigureLine]:
    """Last line of each stream, or that of their sum. Streams number without gaps."""
    last = {int(line.id): line for line in lines}
    if any(line.start > 0 for line in last.values()):
        return []
    if -1 in last:
        return [last[-1]]
    ids = sorted(last)
    whole = any(ids == list(range(first, first + len(ids))) for first in (1, 3))
    return list(last.values()) if whole else []


def _start(result: Result, match: re.Match[str], zone: str | None) -> None:
    if match[1] < _EARLIEST:
        return
    try:
        printed = dt.datetime.strptime(match[1], "%Y%m%d%H%M%S")
        begun = printed - dt.timedelta(seconds=float(match[8]))
    except (ValueError, OverflowError):
        result.problems.append(
            Problem(remark("no_such_time", "there is no such time"), 1)
        )
        return
    known = zone_info(zone) if zone else None
    result.row["start_utc"] = local_text(begun, known)
    if known is None:
        result.local_start = begun.isoformat(" ")


def _losses(result: Result, match: re.Match[str]) -> None:
    if match[11] is None:
        return
    packets = int(match[13])
    if packets < 0:
        told = remark("sent_not_arrived")
        result.judge("degraded", told, 1)
    else:
        result.details |= {"lost_packets": int(match[12]), "packets": packets}
        result.problems.append(Problem(remark("datagrams")))
