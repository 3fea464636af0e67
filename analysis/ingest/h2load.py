"""h2load logs: one ``benchmark`` row.

Times change their unit within a column (``us``, ``ms``, ``s``). Sizes are 1024-based;
the exact bytes stand in brackets. Layout: ``h2load.cc`` of nghttp2.
"""

from __future__ import annotations

import re
from typing import Any

from analysis.ingest.benchmark_log import Outcome, read_benchmark
from analysis.ingest.log_text import SECONDS, Found, LogText
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "h2load"
TITLE = "h2load HTTP benchmark log"
SIGNS = ("finished req", "spawning thread")
_MARK = re.compile(
    rb"^spawning thread #\d+: \d+ total client|^finished in \S+, \S+ req/s", re.M
)
_DONE = r"^finished in (\S+), (\S+) req/s, (\S+)/s"
_REQUESTS = (
    r"^requests: (\S+) total, (\S+) started, (\S+) done, (\S+) succeeded, "
    r"(\S+) failed, (\S+) errored, (\S+) timeout"
)


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a log of h2load."""
    return _MARK.search(head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One row; ``rate`` counts the requests that succeeded."""
    return read_benchmark(raw, FORMAT, "h2load", _parse)


def _parse(log: LogText) -> Outcome:
    out = Outcome()
    threads = list(log.each(r"^spawning thread #\d+: (\d+) total client"))
    clients = sum(thread.count() for thread in threads)
    row: dict[str, Any] = {"clients": clients or None, "position": 1}
    done, requests = log.first(_DONE), log.first(_REQUESTS)
    begun = list(log.each("starting benchmark"))
    if len(list(log.each(_DONE))) > 1 or len(begun) > 1:
        out.failed = "several logs in one file; put each in its own"
    if done and requests and log.first(r"^req/s +: +\S+ +\S+ +\S+ +\S+ +\S+%"):
        row |= _figures(log, out, done, requests)
    else:
        out.truncated = "ends before its last line, req/s of a client"
    protocol = log.first(r"^Application protocol: (\S+)")
    tls = log.first(r"^TLS Protocol: (\S+)")
    out.details = {
        "protocol": protocol[0] if protocol else None,
        "tls": tls[0] if tls else None,
    }
    out.rows = [row]
    return out


def _figures(
    log: LogText, out: Outcome, done: Found, requests: Found
) -> dict[str, Any]:
    seconds, rate = done.scaled(SECONDS), done.number(1)
    total, _, finished, good, failed = (requests.count(i) for i in range(5))
    out.judge_errors(failed, max(total, finished), "requests failed")
    status = log.first(r"^status codes: (\S+) 2xx, (\S+) 3xx, (\S+) 4xx, (\S+) 5xx")
    if status and status.count(0) + status.count(1) != good:
        out.doubts.append("its status codes do not add up to what succeeded")
    if rate > 0:
        out.compare("its time", seconds, finished / rate, 0.02, 1e-6)
    out.records = {"request": finished}
    return {
        "seconds": seconds,
        "transactions": good,
        "rate": rate * good / finished if finished else None,
        "bytes_per_second": _bytes(log, finished / rate if rate else 0.0),
        "latency_mean_us": _mean(log),
        "errors": failed,
        "position": done.line,
    }


def _bytes(log: LogText, seconds: float) -> float | None:
    traffic = log.first(r"^traffic: \S+ \((\S+)\) total")
    return traffic.number() / seconds if traffic and seconds else None


def _mean(log: LogText) -> float | None:
    times = log.first(r"^time for request: +\S+ +\S+ +(\S+) ")
    value = times.scaled(SECONDS) * 1e6 if times else 0.0
    return value or None
