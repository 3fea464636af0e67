"""ab (ApacheBench) logs: one ``benchmark`` row.

Percentiles are whole milliseconds, so that short ones are rounded to nothing, and null.
The mean is recomputed from counts. ``Kbytes`` are 1024 bytes. Layout:
``output_results`` of ``ab.c``.
"""

from __future__ import annotations

import re
from typing import Any

from analysis.facts.remark import quote, remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import LogText
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "ab"
TITLE = "ab (ApacheBench) log"
TESTED = "ab 2.3"
TIMED = "the time taken for the tests, from its requests and their rate"
SIGNS = ("apachebench", "concurrency level")
_BANNER = r"^This is ApacheBench, Version (\S+)"
_MARK = re.compile(rb"^This is ApacheBench, Version |^Concurrency Level: +\d", re.M)
_ERROR = (
    r"(apr_\w+: .*|SSL handshake failed.*|Total of \d+ requests completed"
    r"|The timeout specified has expired.*|ab: .*)"
)


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a log of ab."""
    return _MARK.search(head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One row; ``bytes_per_second`` is what the client received."""
    return read_log(raw, FORMAT, "ab", _parse)


def _field(log: LogText, name: str) -> float | None:
    found = log.first(rf"^{re.escape(name)}:\s+(\S+)")
    return found.number() if found else None


def _parse(log: LogText) -> list[Result]:
    out = Result()
    if len(list(log.each(_BANNER))) > 1:
        out.judge("failed", remark("several_logs"))
    clients = _field(log, "Concurrency Level")
    seconds = _field(log, "Time taken for tests")
    complete = _field(log, "Complete requests")
    rate = _field(log, "Requests per second")
    row: dict[str, Any] = {"clients": _whole(clients), "position": 1}
    failure = log.first(rf"^(?:Benchmarking .*\(be patient\)[.]*)?{_ERROR}")
    whole = None not in (clients, seconds, complete, rate) and _has_end(log)
    if failure and whole:
        out.note(quote(failure[0]), failure.line)
    elif failure:
        out.judge("failed", quote(failure[0]), failure.line)
    elif not whole:
        out.judge("truncated", remark("cut_before", line="100% of the requests"))
    if None not in (clients, seconds, complete, rate):
        counts = int(clients or 0), int(complete or 0)
        row |= _figures(log, out, *counts, seconds or 0, rate or 0)
    _describe(log, out)
    out.row = row
    return [out]


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


def _has_end(log: LogText) -> bool:
    """A log ends with percentiles, which a run of no request has not."""
    return log.first(r"^ 100% +\d+ \(longest request\)") is not None


def _figures(
    log: LogText,
    out: Result,
    clients: int,
    complete: int,
    seconds: float,
    rate: float,
) -> dict[str, Any]:
    errors = _errors(log, out, complete)
    moved = _field(log, "Total transferred") or 0.0
    good = max(0, complete - errors)
    if rate > 0:
        out.compare("its time", seconds, complete / rate, 0.01, 0.001)
    if seconds >= 0.5 and (transfer := _field(log, "Transfer rate")):
        out.compare("Transfer rate", transfer * 1024, moved / seconds, 0.02)
    if rate > 0 and (mean := _field(log, "Time per request")):
        out.compare("Time per request", mean, clients * 1000 / rate, 0.02, 0.001)
    exact = complete / rate if rate else 0.0  # the printed time has three decimals
    length = _field(log, "Document Length")
    return {
        "seconds": seconds,
        "transactions": good,
        "rate": rate * (good / complete) if exact else None,
        "latency_mean_us": clients * 1e6 / rate if rate else None,
        "bytes_per_second": moved / exact if exact else None,
        "errors": errors,
        "response_bytes": None if log.first("Length: [1-9]") else _whole(length),
        "shape": _shape(log, complete),
        **_percentiles(log),
    }


def _errors(log: LogText, out: Result, complete: int) -> int:
    """Requests that went wrong. A length that varies is no error by itself."""
    bad = int(_field(log, "Non-2xx responses") or 0)
    detail = log.first(
        r"\(Connect: (\d+), Receive: (\d+), Length: (\d+), Exceptions: (\d+)\)"
    )
    connect, receive, length, other = map(int, detail.groups if detail else "0000")
    broken = connect + receive + other
    errors = min(bad + broken, complete) if complete else bad + broken
    out.judge_errors(errors, complete, "requests failed or had no status 2xx")
    if length > bad:
        out.judge(
            "degraded",
            remark(
                "responses_differ",
                f"{length - bad:,} responses differ in length from the first",
            ),
        )
    return errors


def _shape(log: LogText, complete: float) -> str | None:
    kept = _field(log, "Keep-Alive requests")
    if kept is None:
        return "CRR"
    return "RR" if kept >= 0.98 * complete else None


def _percentiles(log: LogText) -> dict[str, float | None]:
    values: dict[str, float | None] = {}
    for row in log.each(r"^ +(50|90|99)% +(\S+)$"):
        values[f"latency_p{row[0]}_us"] = row.number(1) * 1000 or None
    return values


def _describe(log: LogText, out: Result) -> None:
    names = ("Server Software", "Server Port", "Document Path", "SSL/TLS Protocol")
    out.details = {
        name.lower(): found[0]
        for name in names
        if (found := log.first(rf"^{name}:\s+(\S.*)"))
    }
    out.records = {"request": int(_field(log, "Complete requests") or 0)}
