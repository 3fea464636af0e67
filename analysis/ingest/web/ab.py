"""ab (ApacheBench) logs: one ``benchmark`` row.

Percentiles are whole milliseconds, so that short ones are rounded to nothing, and null.
The mean is recomputed from counts. ``Kbytes`` are 1024 bytes. Layout:
``output_results`` of ``ab.c``.
"""

from __future__ import annotations

import re

from analysis.facts.remark import quote, remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import Found, LogText
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading
from analysis.ingest.web.load import add_latencies, add_rate, one_run, total_of

FORMAT = "ab"
TITLE = "ab (ApacheBench) log"
TESTED = "ab 2.3"
TIMED = "the time taken for the tests, from its requests and their rate"
recognise = re.compile(
    rb"^This is ApacheBench, Version |^Concurrency Level: +\d", re.M
).search
_BANNER = r"^This is ApacheBench, Version (\S+)"
_ERROR = (
    r"^(?:Benchmarking .*\(be patient\)[.]*)?"
    r"(apr_\w+: .*|SSL handshake failed.*|Total of \d+ requests completed"
    r"|The timeout specified has expired.*|ab: .*)"
)
_BROKEN = r"\(Connect: (\d+), Receive: (\d+), Length: (\d+), Exceptions: (\d+)\)"
_NEEDED = (
    "Concurrency Level",
    "Complete requests",
    "Time taken for tests",
    "Requests per second",
)
_DESCRIBE = ("Server Software", "Server Port", "Document Path", "SSL/TLS Protocol")


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One row; ``bytes_per_second`` is what the client received."""
    return read_log(raw, FORMAT, "ab", _parse)


def _parse(log: LogText) -> list[Result]:
    out = one_run(log, _BANNER)
    fields: dict[str, Found] = {}
    for field in log.each(r"^([A-Z][\w/ -]*):\s+((\S+).*)"):
        fields.setdefault(field[0], Found(field.line, (field[2], field[1])))
    out.details = {n.lower(): fields[n][1] for n in _DESCRIBE if n in fields}
    known = all(name in fields for name in _NEEDED)
    # A log ends with percentiles, which a run of no request has not.
    whole = known and log.first(r"^ 100% +\d+ \(longest request\)")
    if failure := log.first(_ERROR):
        cause = quote(failure[0])
        if whole:
            out.note(cause, failure.line)
        else:
            out.judge("failed", cause, failure.line)
    elif not whole:
        out.judge("truncated", remark("cut_before", line="100% of the requests"))
    if clients := fields.get("Concurrency Level"):
        out.row["clients"] = clients.count()
    done = fields.get("Complete requests")
    out.records = {"request": done.count() if done else 0}
    if known:
        _add_figures(log, out, fields)
    return [out]


def _add_figures(log: LogText, out: Result, fields: dict[str, Found]) -> None:
    clients, complete = out.row["clients"], out.records["request"]
    seconds, rate = (fields[name].number() for name in _NEEDED[2:])

    def value(name: str) -> float:
        return fields[name].number() if name in fields else 0.0

    broken = log.first(_BROKEN)
    connect, receive, length, other = map(int, broken.groups if broken else "0000")
    bad = int(value("Non-2xx responses"))
    errors = bad + connect + receive + other
    errors = min(errors, complete) if complete else errors
    out.judge_errors(errors, complete, "requests failed or had no status 2xx")
    if length > bad:  # by itself no error
        differ = f"{length - bad:,} responses differ in length from the first"
        out.judge("degraded", remark("responses_differ", differ))
    add_rate(out, rate, complete - errors, complete, seconds)
    moved = value("Total transferred")
    if seconds >= 0.5 and (transfer := value("Transfer rate")):
        out.compare("Transfer rate", transfer * 1024, moved / seconds, 0.02)
    if rate > 0 and (mean := value("Time per request")):
        out.compare("Time per request", mean, clients * 1000 / rate, 0.02, 0.001)
    exact = complete / rate if rate else 0.0  # the printed time has three decimals
    kept = fields.get("Keep-Alive requests")
    out.row |= {
        "latency_mean_us": clients * 1e6 / rate if rate else None,
        "bytes_per_second": moved / exact if exact else None,
        "errors": errors,
        "response_bytes": None if length else int(value("Document Length")) or None,
        "shape": "CRR",
    }
    if kept:
        out.row["shape"] = "RR" if kept.number() >= 0.98 * complete else None
    add_latencies(out, log, r"^ +(50|90|99)% +(\S+)$", 1000)
    longest = total_of(log, r"^ +100% +(\S+) \(longest request\)")
    spread = total_of(log, r"^Total: +\S+ +\S+ +(\S+) +\S+ +\S+$")
    out.row["latency_max_us"] = longest * 1000 or None
    out.row["latency_deviation_us"] = spread * 1000 or None
