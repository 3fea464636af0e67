"""httperf logs: one ``benchmark`` row and the CPU time of the client.

httperf sends at a rate that it was told (an open loop), so that its latency does not
follow from the number of clients. ``KB/s`` are 1024 bytes; times are milliseconds
with one decimal. Layout: ``stat/print_reply.c`` and ``stat/basic.c`` of httperf.
"""

from __future__ import annotations

import re
from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import Found, LogText
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "httperf"
TITLE = "httperf log"
TESTED = "httperf 0.9.0"
TIMED = "the test's duration, from its requests and their rate"
SIGNS = ("httperf", "connect burst length")
_MARK = re.compile(rb"^httperf (--|.*--server)|^Maximum connect burst length:", re.M)
_TOTAL = r"^Total: connections (\S+) requests (\S+) replies (\S+) test-duration (\S+) s"
_STATUS = r"^Reply status: 1xx=(\d+) 2xx=(\d+) 3xx=(\d+) 4xx=(\d+) 5xx=(\d+)"


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a log of httperf."""
    return _MARK.search(head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One row; ``rate`` counts replies with status 2xx or 3xx."""
    return read_log(raw, FORMAT, "httperf", _parse)


def _parse(log: LogText) -> list[Result]:
    out = Result()
    total, status = log.first(_TOTAL), log.first(_STATUS)
    ended = log.first(r"^Errors: fd-unavail (\S+) addrunavail (\S+) ftab-full (\S+)")
    if len(list(log.each(_TOTAL))) > 1:
        out.judge("failed", remark("several_logs"))
    if total and status and ended:
        out.row = _row(log, out, total, status)
    else:
        out.judge("truncated", remark("cut_before", line="Errors"))
        out.row = {"position": 1}
    return [out]


def _row(log: LogText, out: Result, total: Found, status: Found) -> dict[str, Any]:
    connections, requests, replies = (total.count(i) for i in range(3))
    classes = [status.count(i) for i in range(5)]
    good = classes[1] + classes[2]
    lost = log.first(r"^Errors: total (\S+) client-timo (\S+)")
    errors = (lost.count() if lost else 0) + classes[3] + classes[4]
    out.judge_errors(errors, good + errors, "connections or replies failed")
    if sum(classes) != replies:
        out.judge(
            "degraded",
            remark(
                "status_codes_and_replies",
                "its status codes do not add up to its replies",
            ),
        )
    seconds = _duration(log, out, total, requests)
    _add_cpu(log, out)
    out.records = {"connection": connections, "request": requests, "reply": replies}
    once = replies == connections
    return {
        "shape": "CRR" if once and replies else None,
        "seconds": seconds or total.number(3),
        "transactions": good,
        "rate": good / seconds if seconds else None,
        "bytes_per_second": _bytes(log),
        "request_bytes": _size(log, r"^Request size \[B\]: (\S+)"),
        "response_bytes": _size(log, r"^Reply size \[B\]: header \S+ content (\S+)"),
        "latency_mean_us": _latency(log, once),
        "errors": errors,
        "position": total.line,
    }


def _duration(log: LogText, out: Result, total: Found, requests: int) -> float | None:
    """Seconds, which the rate of requests tells better than three decimals."""
    rate = log.first(r"^Request rate: (\S+) req/s")
    printed = total.number(3)
    exact = requests / rate.number() if rate and rate.number() else 0.0
    if exact and abs(exact - printed) > 0.001 + 0.01 * printed:
        out.compare("test-duration", printed, exact, 0.01)
    return exact or None


def _latency(log: LogText, once: bool) -> float | None:
    """Time of a connection with one call, else of a reply [µs]."""
    if once:
        found = log.first(r"^Connection time \[ms\]: min \S+ avg (\S+) max")
        value = found.number() if found else 0.0
    else:
        reply = log.first(r"^Reply time \[ms\]: response (\S+) transfer (\S+)")
        value = reply.number() + reply.number(1) if reply else 0.0
    return value * 1000 or None


def _bytes(log: LogText) -> float | None:
    found = log.first(r"^Net I/O: (\S+) KB/s")
    return found.number() * 1024 if found and found.number() else None


def _size(log: LogText, pattern: str) -> int | None:
    """Mean bytes of a request, with its header, or of the content of a reply; null
    where they were not all alike."""
    found = log.first(pattern)
    value = found.number() if found else 0.0
    return int(value) if value > 0 and value.is_integer() else None


def _add_cpu(log: LogText, out: Result) -> None:
    found = log.first(r"^CPU time \[s\]: user (\S+) system (\S+) ")
    if found:
        row = {
            "role": "client",
            "cpu_type": "CP",
            "cpu_seconds": found.number() + found.number(1),
            "coverage": 1.0,
            "scope": "process",
            "method": "rusage",
            "position": found.line,
        }
        out.tables["run_cpu"] = [row]
