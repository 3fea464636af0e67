"""h2load logs: one ``benchmark`` row.

Times change their unit within a column (``us``, ``ms``, ``s``). Sizes are 1024-based;
the exact bytes stand in brackets. Layout: ``h2load.cc`` of nghttp2.
"""

from __future__ import annotations

import re

from analysis.facts.remark import remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import SECONDS, Found, LogText, scaled
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading
from analysis.ingest.web.load import add_rate, one_run, total_of

FORMAT = "h2load"
TITLE = "h2load HTTP benchmark log"
TESTED = "nghttp2 1.52.0"
TIMED = "the time in which it finished, by h2load's clock"
recognise = re.compile(
    rb"^spawning thread #\d+: \d+ (?:total|concurrent) client"
    rb"|^finished in \S+, \S+ req/s",
    re.M,
).search
_DONE = r"^finished in (\S+), (\S+) req/s, (\S+)/s"
_REQUESTS = (
    r"^requests: (\S+) total, (\S+) started, (\S+) done, (\S+) succeeded, "
    r"(\S+) failed, (\S+) errored(?:, (\S+) timeout)?"
)
# Before 1.7 another word stands in it, before 1.1 the line before it is the last.
_LAST = r"^req/s (?:\(client\))? *: +(?:[\d.]+ +){4,7}[\d.]+%"
_TRAFFIC = r"^traffic: \S+ \((\S+)\) total"
_OLD_TRAFFIC = r"^traffic: (\S+) bytes total, "
_LATENCIES = {
    "mean": "latency_mean_us",
    "median": "latency_p50_us",
    "p99": "latency_p99_us",
    "max": "latency_max_us",
    "sd": "latency_deviation_us",
}


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One row; ``rate`` counts the requests that succeeded."""
    return read_log(raw, FORMAT, "h2load", _parse)


def _parse(log: LogText) -> list[Result]:
    threads = log.each(r"^spawning thread #\d+: (\d+) (?:total|concurrent) client")
    clients = sum(thread.count() for thread in threads)
    out = one_run(log, _DONE, "starting benchmark", clients=clients or None)
    protocol = log.first(r"^Application protocol: (\S+)")
    tls = log.first(r"^TLS Protocol: (\S+)")
    out.details = {
        "protocol": protocol[0] if protocol else None,
        "tls": tls[0] if tls else None,
    }
    done, requests = log.first(_DONE), log.first(_REQUESTS)
    old = log.first(_OLD_TRAFFIC) and log.first(r"^time to 1st byte: .*%$")
    if done and requests and (old or log.first(_LAST)):
        out.row["position"] = done.line
        _add_figures(log, out, done, requests)
    else:
        out.judge("truncated", remark("cut_before", line="req/s of a client"))
    return [out]


def _add_figures(log: LogText, out: Result, done: Found, requests: Found) -> None:
    seconds, rate = done.scaled(SECONDS), done.number(1)
    total, _, finished, good, failed = (requests.count(i) for i in range(5))
    status = log.first(r"^status codes: (\S+) 2xx, (\S+) 3xx, (\S+) 4xx, (\S+) 5xx")
    if status and status.count(0) + status.count(1) != good:
        differ = "its status codes do not add up to what succeeded"
        out.judge("degraded", remark("status_codes_and_successes", differ), status.line)
        failed = max(failed, status.count(2) + status.count(3))
    out.judge_errors(failed, max(total, finished), "requests failed")
    add_rate(out, rate, good, finished, seconds)
    moved = total_of(log, _TRAFFIC) or total_of(log, _OLD_TRAFFIC)
    exact = finished / rate if rate else 0.0
    out.row |= {
        "bytes_per_second": moved / exact if moved and exact else None,
        "errors": failed,
    }
    out.records = {"request": finished}
    # Later versions print median, 95% and 99% before the mean.
    heading = log.first(r"^ +(min +max .*\bmean +sd) +\+/- sd$")
    times = log.first(r"^time for request: +(\S.*\S)$")
    if heading and times:
        values = dict(zip(heading[0].split(), times[0].split(), strict=False))
        for column in values.keys() & _LATENCIES.keys():
            time = scaled(values[column], SECONDS, times.line) * 1e6
            out.row[_LATENCIES[column]] = time or None
