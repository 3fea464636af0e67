"""wrk and wrk2 logs: one ``benchmark`` row.

The unit of a latency changes within its column (``us``, ``ms``, ``s``, ``m``). Sizes
are 1024-based. Requests count every response, also errors (``wrk.c``, ``units.c``).
Latencies of wrk2 are measured from when a request was due.
"""

from __future__ import annotations

import re
from typing import Any

from analysis.facts.remark import quote, remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import BINARY, SECONDS, Found, LogText
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "wrk"
TITLE = "wrk or wrk2 HTTP benchmark log"
TESTED = "wrk 4.1.0; wrk2 after its layout"
TIMED = "the time that wrk prints, by its own clock"
SIGNS = ("running test http", "unable connect")
_START = r"^Running (\S+) test @ (\S+)"
_MARK = re.compile(rb"^Running \S+ test @ http", re.MULTILINE)
_DONE = r"^\s+(\d+) requests in (\S+), (\S+) read"
_LITTLE = 20.0  # its mean latency misses by 5, in a wrong unit by 1,000
_SHORT = 0.9
_PERCENTILES = {"50": "p50", "90": "p90", "99": "p99"}


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a log of wrk or wrk2."""
    ran = _MARK.search(head) is not None
    return ran or head.startswith(b"unable to connect to ")


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One row; ``rate`` counts the responses with status 2xx or 3xx."""
    return read_log(raw, FORMAT, "wrk", _parse)


def _parse(log: LogText) -> list[Result]:
    out = Result()
    if log.first("Thread calibration|HdrHistogram"):
        out.tool = "wrk2"
    start, done = log.first(_START), log.first(_DONE)
    rate = log.first(r"^Requests/sec:\s+(\S+)")
    moved = log.first(r"^Transfer/sec:\s+(\S+)")
    row = _plan(log, out)
    if not start or not (done and rate and moved):
        _unfinished(log, start, out)
    else:
        if len(list(log.each(_START[1:]))) > 1:
            out.judge("failed", remark("several_logs"))
        row |= _figures(log, done, rate.number(), moved, out)
        _judge_length(start, row, out)
        busy = rate.number() * row.get("latency_mean_us", 0.0) / 1e6
        little = busy / (row["clients"] or 1)
        if out.tool != "wrk2" and busy and not 1 / _LITTLE < little < _LITTLE:
            out.judge("degraded", remark("little_not_1", little=little))
    out.row = row if start else {}
    return [out]


def _plan(log: LogText, out: Result) -> dict[str, Any]:
    plan = log.first(r"^\s+(\d+) threads and (\d+) connections")
    target = log.first(_START)
    out.details = {
        "url": target[1] if target else None,
        "threads": plan.count() if plan else None,
    }
    return {
        "clients": plan.count(1) if plan else None,
        "position": target.line if target else 1,
    }


def _unfinished(log: LogText, start: Found | None, out: Result) -> None:
    refused = log.first(r"^(unable to \w+.*)")
    if refused:
        out.judge("failed", quote(refused[0]), refused.line)
    elif not start:
        out.judge("failed", remark("begins_late"))
    else:
        out.judge(
            "truncated",
            remark(
                "ends_before_rates",
                "ends before its last lines, Requests/sec and Transfer/sec",
            ),
        )


def _figures(
    log: LogText, done: Found, rate: float, moved: Found, out: Result
) -> dict[str, Any]:
    total, seconds = done.count(), done.scaled(SECONDS, 1)
    bad = log.first(r"Non-2xx or 3xx responses: (\S+)")
    bad_responses = bad.count() if bad else 0
    sockets = _socket_errors(log)
    errors = bad_responses + sockets
    size = moved.scaled(BINARY)
    if rate > 0 and seconds > 0:
        step = rate * 0.01 / seconds
        out.compare("Requests/sec", rate, total / seconds, 0.02, step)
    if seconds >= 0.5:
        out.compare("bytes read", done.scaled(BINARY, 2), size * seconds, 0.03)
    out.judge_errors(errors, total + sockets, _words(bad_responses, sockets))
    share = max(0, total - bad_responses) / total if total else 0.0
    out.records = {"request": total}
    return {
        "seconds": seconds,
        "transactions": total - bad_responses,
        "rate": rate * share,
        "bytes_per_second": size,
        "errors": errors,
        **_latencies(log, out),
    }


def _socket_errors(log: LogText) -> int:
    found = log.first(
        r"Socket errors: connect (\S+), read (\S+), write (\S+), timeout (\S+)"
    )
    if found is None:
        return 0
    numbers = [text.rstrip(",") for text in found.groups]
    return sum(Found(found.line, (text,)).count() for text in numbers)


def _words(bad: int, sockets: int) -> str:
    if bad and sockets:
        return "requests failed: status other than 2xx or 3xx, or socket errors"
    if sockets:
        return "requests ended with a socket error"
    return "responses have a status other than 2xx or 3xx"


def _latencies(log: LogText, out: Result) -> dict[str, float]:
    values: dict[str, float] = {}
    if mean := log.first(r"^\s+Latency\s+(\S+)\s+\S+\s+\S+\s+\S+%"):
        values["latency_mean_us"] = mean.scaled(SECONDS) * 1e6
    for row in log.each(r"^\s+(\d+(?:\.0+)?)%\s+(\S+)$"):
        if name := _PERCENTILES.get(row[0].split(".")[0]):
            values[f"latency_{name}_us"] = row.scaled(SECONDS, 1) * 1e6
    rising = [values[k] for k in sorted(values) if k != "latency_mean_us"]
    if rising != sorted(rising):
        out.judge(
            "degraded", remark("percentiles_do_not_rise", "its percentiles do not rise")
        )
    return values


def _judge_length(start: Found, row: dict[str, Any], out: Result) -> None:
    planned = start.scaled(SECONDS)
    if row["seconds"] < _SHORT * planned:
        out.judge(
            "truncated",
            remark(
                "stopped_early", f"stopped after {row['seconds']:g} s of {planned:g} s"
            ),
        )
