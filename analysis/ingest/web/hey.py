"""hey logs: one ``benchmark`` row, from the summary or from ``-o csv``.

It keeps the first 1,000,000 responses: their status and percentiles are printed, and
the sums of all responses are divided by their number. Latencies are seconds with four
decimals: on a fast link they are rounded to nothing, and null. The printed
``Requests/sec`` counts requests that were refused (``report.go``, ``print.go``).
"""

from __future__ import annotations

import re

from analysis.facts.remark import remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import (
    LogText,
    UnreadableError,
    number,
    percentiles,
    quoted,
)
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading
from analysis.ingest.web.load import add_latencies, add_rate, one_run, total_of

FORMAT = "hey"
TITLE = "hey HTTP benchmark log"
TESTED = "hey 0.1.4"
TIMED = (
    "the total time that hey prints; of its CSV, from the first request to the last "
    "response"
)
_CSV = "response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read"
_HEAD = re.compile(
    rb"^Summary:\s+Total:\s+\S+ secs\s+Slowest:|\A" + re.escape(_CSV.encode()), re.M
)
_STEP = 0.0001
_KEPT = 1_000_000  # maxRes of report.go


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a report of hey."""
    return (
        any(word in head for word in (b"Slowest:", _CSV.encode()))
        and _HEAD.search(head) is not None
    )


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One row. hey does not print its number of clients."""
    return read_log(raw, FORMAT, "hey", _parse)


def _parse(log: LogText) -> list[Result]:
    if log.lines[0].startswith(_CSV):
        return _parse_csv(log)
    out = one_run(log, rf"^Summary:|^{re.escape(_CSV)}")
    total = log.first(r"^\s+Total:\s+(\S+) secs")
    rates = log.first(r"^\s+Requests/sec:\s+(\S+)")
    if not (total and rates and log.first(r"^Status code distribution:")):
        early = "ends before its table of status codes"
        out.judge("truncated", remark("ends_before_status_codes", early))
        return [out]
    out.row["position"] = total.line
    statuses = list(log.each(r"^\s+\[(\d{3})\]\s+(\S+) responses"))
    errors = list(log.each(r"^\s+\[(\d+)\]\s+(?!\d+ responses)(\S.*)"))
    for error in errors:
        times = f"{error[0]} times: {error[1]}"
        out.note(remark("error_times", times), error.line)
    every = sum(status.count(1) for status in statuses) + sum(e.count() for e in errors)
    kept = sum(status.count(1) for status in statuses if status[0][0] in "23")
    bad = every - kept
    words = "requests failed or had a status other than 2xx or 3xx"
    if errors:
        words = f"requests failed, such as: {errors[0][1]}"
    out.judge_errors(bad, every, words)
    seconds, rate = total.number(), rates.number()
    _judge_length(out, seconds)
    # Of the kept ones all must be good, for nothing is known of the others.
    answered = round(seconds * rate) - bad
    good = max(answered, kept) if kept == _KEPT else kept
    if good > kept:
        first = (
            f"status codes and percentiles are those of the first {_KEPT:,} responses "
            f"of {good:,}, which is all that hey keeps"
        )
        out.judge("degraded", remark("first_responses", first), total.line)
    add_rate(out, rate, good, good + bad, seconds)
    moved = total_of(log, r"^\s+Total data:\s+(\S+) bytes")
    each = log.first(r"^\s+Size/request:\s+(\S+) bytes")
    out.row |= {
        "bytes_per_second": moved / seconds if moved and seconds else None,
        "errors": bad,
        "response_bytes": each.count() if each and not bad and good == kept else None,
    }
    out.records = {"request": every}
    if good:  # of none they are NaN
        mean = total_of(log, r"^\s+Average:\s+(\S+) secs") * 1e6
        out.row["latency_mean_us"] = mean * (kept / good) or None
        slowest = total_of(log, r"^\s+Slowest:\s+(\S+) secs") * 1e6
        out.row["latency_max_us"] = slowest or None
        add_latencies(out, log, r"^\s+(50|90|99)% in (\S+) secs", 1e6)
    return [out]


def _judge_length(out: Result, seconds: float) -> None:
    if seconds < _STEP / 0.01:
        out.judge("degraded", remark("short_for_hey", seconds=seconds), out.line)


def _parse_csv(log: LogText) -> list[Result]:
    out = Result({"position": 2})
    rows = []
    for line, text in enumerate(log.lines[1:], 2):
        cells = text.split(",") if text else []
        if len(cells) > 8:
            raise UnreadableError(
                remark("decimal_comma_in_csv", text=quoted(text)), line
            )
        if 0 < len(cells) < 8:
            columns = f"line {line} has {len(cells)} of 8 columns"
            out.judge("truncated", remark("line_columns", columns), line)
            break
        if cells:
            rows.append([number(cell, line) for cell in cells])
    if log.lines[-1]:
        out.judge("truncated", remark("its_last_line_cut_off"), len(log.lines))
    good = [row for row in rows if 200 <= row[6] < 400]
    bad = len(rows) - len(good)
    out.judge_errors(bad, len(rows), "requests had a status other than 2xx or 3xx")
    if len(rows) == _KEPT:
        kept = f"hey keeps the first {_KEPT:,} responses, and no other"
        out.judge("degraded", remark("hey_keeps_first", kept))
    out.records = {"request": len(rows)}
    out.row["errors"] = bad
    if not good:
        return [out]
    seconds = max(row[7] + row[0] for row in good) - min(row[7] for row in good)
    if seconds <= 0:
        raise UnreadableError(remark("no_time", "the requests took no time"), 2)
    _judge_length(out, seconds)
    times = sorted(row[0] for row in good)
    out.row |= {
        "seconds": seconds,
        "transactions": len(good),
        "rate": len(good) / seconds,
        "latency_mean_us": sum(map(float, times)) / len(times) * 1e6 or None,
        **{name: time or None for name, time in percentiles(times).items()},
    }
    return [out]
