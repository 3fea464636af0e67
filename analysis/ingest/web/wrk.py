"""wrk and wrk2 logs: one ``benchmark`` row.

The unit of a latency changes within its column (``us``, ``ms``, ``s``, ``m``). Sizes
are 1024-based. Requests count every response, also errors (``wrk.c``, ``units.c``).
Latencies of wrk2 are measured from when a request was due.
"""

from __future__ import annotations

import re

from analysis.facts.remark import quote, remark
from analysis.ingest.logs.checks import hold_little
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import BINARY, SECONDS, LogText
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading
from analysis.ingest.web.load import add_latencies, add_rate, count_of, one_run

FORMAT = "wrk"
TITLE = "wrk or wrk2 HTTP benchmark log"
TESTED = "wrk 4.1.0; wrk2 after its layout"
TIMED = "the time that wrk prints, by its own clock"
_HEAD = re.compile(rb"^Running \S+ test @ http|\Aunable to connect to ", re.M)
_START = r"Running (\S+) test @ (\S+)"
_SOCKETS = r"Socket errors: connect (\S+), read (\S+), write (\S+), timeout (\S+)"
_LITTLE = 0.95  # its mean latency misses by a factor of 5, in a wrong unit by 1,000
_SHORT = 0.9


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a log of wrk."""
    return (
        any(word in head for word in (b" test @ http", b"unable to connect"))
        and _HEAD.search(head) is not None
    )


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One row; ``rate`` counts the responses with status 2xx or 3xx."""
    return read_log(raw, FORMAT, "wrk", _parse)


def _parse(log: LogText) -> list[Result]:
    start, plan = (
        log.first(f"^{_START}"),
        log.first(r"^\s+(\d+) threads and (\d+) conn"),
    )
    done = log.first(r"^\s+(\d+) requests in (\S+), (\S+) read")
    rates = log.first(r"^Requests/sec:\s+(\S+)")
    moved = log.first(r"^Transfer/sec:\s+(\S+)")
    out = one_run(log, _START, clients=plan.count(1) if plan else None)
    out.details = {
        "url": start[1] if start else None,
        "threads": plan.count() if plan else None,
    }
    if log.first("Thread calibration|HdrHistogram"):
        out.tool = "wrk2"
    if start:
        out.row["position"] = start.line
    else:
        out.row = {}
    if not (start and done and rates and moved):
        if refused := log.first(r"^(unable to \w+.*)"):
            out.judge("failed", quote(refused[0]), refused.line)
        elif not start:
            out.judge("failed", remark("begins_late"))
        else:
            without = "ends before its last lines, Requests/sec and Transfer/sec"
            out.judge("truncated", remark("ends_before_rates", without))
        return [out]
    total, seconds, size = done.count(), done.scaled(SECONDS, 1), moved.scaled(BINARY)
    bad, sockets = (
        count_of(log, r"Non-2xx or 3xx responses: (\S+)"),
        count_of(log, _SOCKETS),
    )
    add_rate(out, rates.number(), total - bad, total, seconds)
    out.row |= {"bytes_per_second": size, "errors": bad + sockets}
    out.records = {"request": total}
    if seconds >= 0.5:
        out.compare("bytes read", done.scaled(BINARY, 2), size * seconds, 0.03)
    out.judge_errors(bad + sockets, total + sockets, _words(bad, sockets))
    if times := log.first(r"^\s+Latency\s+(\S+)\s+(\S+)\s+(\S+)\s+\S+%"):
        for nth, what in enumerate(("mean", "deviation", "max")):
            out.row[f"latency_{what}_us"] = times.scaled(SECONDS, nth) * 1e6
    add_latencies(out, log, r"^\s+(50|90|99(?:\.9)?)(?:\.?0+)?%\s+(\S+)$")
    if out.tool != "wrk2":
        every = out.row | {"rate": rates.number()}  # latencies are of errors, too
        out.hold(hold_little(every, _LITTLE), out.line)
    if seconds < _SHORT * (planned := start.scaled(SECONDS)):
        early = f"stopped after {seconds:g} s of {planned:g} s"
        out.judge("truncated", remark("stopped_early", early), done.line)
    return [out]


def _words(bad: int, sockets: int) -> str:
    if bad and sockets:
        return "requests failed: status other than 2xx or 3xx, or socket errors"
    if sockets:
        return "requests ended with a socket error"
    return "responses have a status other than 2xx or 3xx"
