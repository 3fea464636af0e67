"""httperf logs: one ``benchmark`` row and the CPU time of the client.

httperf sends at a rate that it was told (an open loop), so that its latency does not
follow from the number of clients. ``KB/s`` are 1024 bytes; times are milliseconds
with one decimal. Layout: ``stat/print_reply.c`` and ``stat/basic.c`` of httperf.
"""

from __future__ import annotations

import re

from analysis.facts.remark import remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import Found, LogText
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading
from analysis.ingest.web.load import count_of, hold_rate, one_run, total_of

FORMAT = "httperf"
TITLE = "httperf log"
TESTED = "httperf 0.9.0"
TIMED = "the test's duration, from its requests and their rate"
recognise = re.compile(
    rb"^httperf (--|.*--server)|^Maximum connect burst length:", re.M
).search
_TOTAL = r"^Total: connections (\S+) requests (\S+) replies (\S+) test-duration (\S+) s"
_STATUS = r"^Reply status: 1xx=(\d+) 2xx=(\d+) 3xx=(\d+) 4xx=(\d+) 5xx=(\d+)"
_CPU = r"^CPU time \[s\]: user (\S+) system (\S+) "


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One row; ``rate`` counts replies with status 2xx or 3xx."""
    return read_log(raw, FORMAT, "httperf", _parse)


def _parse(log: LogText) -> list[Result]:
    out = one_run(log, _TOTAL)
    total, status = log.first(_TOTAL), log.first(_STATUS)
    ended = log.first(r"^Errors: fd-unavail (\S+) addrunavail (\S+) ftab-full (\S+)")
    if total and status and ended:
        out.row["position"] = total.line
        _add_figures(log, out, total, status)
    else:
        out.judge("truncated", remark("cut_before", line="Errors"))
    return [out]


def _add_figures(log: LogText, out: Result, total: Found, status: Found) -> None:
    connections, requests, replies = (total.count(i) for i in range(3))
    _, ok, moved_on, refused, wrong = (status.count(i) for i in range(5))
    good = ok + moved_on
    errors = count_of(log, r"^Errors: total (\S+) client-timo \S+") + refused + wrong
    out.judge_errors(errors, good + errors, "connections or replies failed")
    if sum(map(int, status.groups)) != replies:
        differ = "its status codes do not add up to its replies"
        out.judge("degraded", remark("status_codes_and_replies", differ), status.line)
    # The rate of requests tells the duration better than its three decimals.
    rate = total_of(log, r"^Request rate: (\S+) req/s")
    seconds = requests / rate if rate else 0.0
    hold_rate(out, rate, requests, total.number(3))
    once = replies == connections  # else the time is that of a reply
    time = total_of(
        log,
        r"^Connection time \[ms\]: min \S+ avg (\S+) max"
        if once
        else r"^Reply time \[ms\]: response (\S+) transfer (\S+)",
    )
    out.row |= {
        "shape": "CRR" if once and replies else None,
        "seconds": seconds or total.number(3),
        "transactions": good,
        "rate": good / seconds if seconds else None,
        "bytes_per_second": total_of(log, r"^Net I/O: (\S+) KB/s") * 1024 or None,
        "request_bytes": _size(log, r"^Request size \[B\]: (\S+)"),
        "response_bytes": _size(log, r"^Reply size \[B\]: header \S+ content (\S+)"),
        "latency_mean_us": time * 1000 or None,
        "errors": errors,
    }
    if once and (
        ends := log.first(r"^Connection time \[ms\]: min .* max (\S+) .* stddev (\S+)")
    ):
        out.row["latency_max_us"] = ends.number() * 1000 or None
        out.row["latency_deviation_us"] = ends.number(1) * 1000 or None
    out.records = {"connection": connections, "request": requests, "reply": replies}
    if cpu := log.first(_CPU):
        row = {
            "role": "client",
            "cpu_type": "CP",
            "cpu_seconds": cpu.number() + cpu.number(1),
            "coverage": 1.0,
            "scope": "process",
            "method": "rusage",
            "position": cpu.line,
        }
        out.tables["run_cpu"] = [row]


def _size(log: LogText, pattern: str) -> int | None:
    """Mean bytes of a request, with its header, or of the content of a reply; null
    where they were not all alike."""
    size = total_of(log, pattern)
    return int(size) if size > 0 and size.is_integer() else None
