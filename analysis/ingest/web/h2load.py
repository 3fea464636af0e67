"""h2load logs: one ``benchmark`` row.

Times change their unit within a column (``us``, ``ms``, ``s``). Sizes are 1024-based;
the exact bytes stand in brackets. Layout: ``h2load.cc`` of nghttp2.
"""

from __future__ import annotations

import re
from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import SECONDS, Found, LogText, scaled
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "h2load"
TITLE = "h2load HTTP benchmark log"
TESTED = "nghttp2 1.52.0"
TIMED = "the time in which it finished, by h2load's clock"
SIGNS = ("finished req", "spawning thread")
_MARK = re.compile(
    rb"^spawning thread #\d+: \d+ (?:total|concurrent) client"
    rb"|^finished in \S+, \S+ req/s",
    re.M,
)
_DONE = r"^finished in (\S+), (\S+) req/s, (\S+)/s"
_REQUESTS = (
    r"^requests: (\S+) total, (\S+) started, (\S+) done, (\S+) succeeded, "
    r"(\S+) failed, (\S+) errored(?:, (\S+) timeout)?"
)
# Before 1.7 another word stands in it, before 1.1 the line before it is the last.
_LAST = r"^req/s (?:\(client\))? *: +(?:[\d.]+ +){4,7}[\d.]+%"
_OLD_TRAFFIC = r"^traffic: (\S+) bytes total, "
_LATENCIES = {
    "mean": "latency_mean_us",
    "median": "latency_p50_us",
    "p99": "latency_p99_us",
}


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a log of h2load."""
    return _MARK.search(head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One row; ``rate`` counts the requests that succeeded."""
    return read_log(raw, FORMAT, "h2load", _parse)


def _parse(log: LogText) -> list[Result]:
    out = Result()
    threads = list(
        log.each(r"^spawning thread #\d+: (\d+) (?:total|concurrent) client")
    )
    clients = sum(thread.count() for thread in threads)
    row: dict[str, Any] = {"clients": clients or None, "position": 1}
    done, requests = log.first(_DONE), log.first(_REQUESTS)
    begun = list(log.each("starting benchmark"))
    if len(list(log.each(_DONE))) > 1 or len(begun) > 1:
        out.judge("failed", remark("several_logs"))
    if done and requests and _is_whole(log):
        row |= _figures(log, out, done, requests)
    else:
        out.judge("truncated", remark("cut_before", line="req/s of a client"))
    protocol = log.first(r"^Application protocol: (\S+)")
    tls = log.first(r"^TLS Protocol: (\S+)")
    out.details = {
        "protocol": protocol[0] if protocol else None,
        "tls": tls[0] if tls else None,
    }
    out.row = row
    return [out]


def _is_whole(log: LogText) -> bool:
    """Whether its last line is there."""
    if log.first(_OLD_TRAFFIC) and log.first(r"^time to 1st byte: .*%$"):
        return True
    return log.first(_LAST) is not None


def _figures(log: LogText, out: Result, done: Found, requests: Found) -> dict[str, Any]:
    seconds, rate = done.scaled(SECONDS), done.number(1)
    total, _, finished, good, failed = (requests.count(i) for i in range(5))
    status = log.first(r"^status codes: (\S+) 2xx, (\S+) 3xx, (\S+) 4xx, (\S+) 5xx")
    if status and status.count(0) + status.count(1) != good:
        out.judge(
            "degraded",
            remark(
                "status_codes_and_successes",
                "its status codes do not add up to what succeeded",
            ),
        )
        failed = max(failed, status.count(2) + status.count(3))
    out.judge_errors(failed, max(total, finished), "requests failed")
    if rate > 0:
        out.compare("its time", seconds, finished / rate, 0.02, 1e-6)
    out.records = {"request": finished}
    return {
        "seconds": seconds,
        "transactions": good,
        "rate": rate * good / finished if finished else None,
        "bytes_per_second": _bytes(log, finished / rate if rate else 0.0),
        "errors": failed,
        "position": done.line,
    } | _times(log)


def _bytes(log: LogText, seconds: float) -> float | None:
    traffic = log.first(r"^traffic: \S+ \((\S+)\) total") or log.first(_OLD_TRAFFIC)
    return traffic.number() / seconds if traffic and seconds else None


def _times(log: LogText) -> dict[str, float | None]:
    """Mean and percentiles of the requests [µs]. Their columns are told by the
    heading, for later versions print median, 95% and 99% before the mean."""
    heading = log.first(r"^ +(min +max .*\bmean +sd) +\+/- sd$")
    times = log.first(r"^time for request: +(\S.*\S)$")
    if heading is None or times is None:
        return {}
    values = dict(zip(heading[0].split(), times[0].split(), strict=False))
    return {
        name: scaled(values[column], SECONDS, times.line) * 1e6 or None
        for column, name in _LATENCIES.items()
        if column in values
    }
