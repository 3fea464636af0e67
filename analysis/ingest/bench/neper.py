"""neper logs (tcp_rr, tcp_crr, udp_rr, tcp_stream, udp_stream): lines of key=value.

``throughput`` is a regression over the run: transactions a second, or for streams the
unit of ``throughput_units`` (``common.c``: ``KB`` decimal, ``KBytes`` and ``KiB``
binary). ``local_`` and ``remote_throughput`` of a stream are bits a second. Latencies
are seconds, of the client only. Times are of a clock that has no date. The name of the
program is not in a log; the options that it prints tell RR from CRR.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from analysis.facts.remark import quote, remark
from analysis.ingest.logs.checks import WRONG, agree, contradiction, hold_little
from analysis.ingest.logs.result import (
    Result,
    failed_log,
    join_results,
    name_sides,
    shape_of,
)
from analysis.ingest.logs.text import (
    BINARY_STEPS,
    DECIMAL_STEPS,
    PERCENTILES,
    not_a_number,
    plain_number,
    records_of,
    text_lines,
)
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "neper"
TITLE = "neper benchmark log"
TESTED = "neper 1.1.0"
TIMED = "the run, by neper's regression of its own counts"
_KEY = re.compile(r"([a-z]\w*(?:\.\d+)?)=(.*)")
_MARKS = (b"num_flows=", b"control_port=", b"maxevents=")
_UNITS = {
    "bits/s": 1 / 8,
    "10^3bits/s": 125.0,
    "10^6bits/s": 125e3,
    "10^9bits/s": 125e6,
}
for _letter in ("", "K", "M", "G"):
    _binary, _decimal = BINARY_STEPS[_letter], DECIMAL_STEPS[_letter]
    _UNITS |= {f"{_letter}bit/s": _decimal / 8, f"{_letter}ibit/s": _binary / 8}
    _UNITS |= {f"{_letter}B/s": _decimal, f"{_letter}iB/s": _binary}
    _UNITS[f"{_letter}Bytes/s"] = _binary
_CPU_TIMES = ("utime_start", "utime_end", "stime_start", "stime_end")
_NUMBERS = (
    "num_flows", "request_size", "response_size", "client", "time_start", "time_end",
    "num_transactions", "throughput", "remote_throughput", "local_throughput",
    "latency_mean", "latency_p50", "latency_p90", "latency_p99", "latency_p99.9",
    "latency_max", "latency_stddev",
    *_CPU_TIMES,
)  # fmt: skip
_LAST = ("local_throughput", "remote_throughput")
_ERROR = re.compile(
    r"(?:.*/)?(?:tcp|udp)_\w+: |.*\b(?:Connection refused|FATAL)\b|[EF]\d{4} "
)
Record = dict[str, str]
Known = Mapping[str, float]


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a log of neper."""
    return all(re.search(rb"^" + mark, head, re.MULTILINE) for mark in _MARKS)


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``benchmark`` row for each client or server in the file; ``test`` tells
    them apart where there are both.

    ``details`` holds the CPU seconds of the process itself, which miss what the
    kernel does for it elsewhere.
    """
    lines, cut = text_lines(raw.read_bytes())
    pairs = (
        (at, match[1], match[2])
        for at, line in enumerate(lines, 1)
        if (match := _KEY.fullmatch(line.rstrip()))
    )
    results = [_result(record, at) for at, record in records_of(pairs)]
    name_sides(results)
    for at, line in enumerate(lines, 1):
        if _ERROR.match(line):
            results.append(failed_log(quote(line.strip()), at))
    return join_results(FORMAT, "neper", results, cut)


def _result(record: Record, line: int) -> Result:
    values = {n: plain_number(record[n]) for n in _NUMBERS if record.get(n)}
    known = {name: value for name, value in values.items() if value is not None}
    streams = "throughput_opt" in record or "throughput_units" in record
    flows = known.get("num_flows")
    row: dict[str, Any] = {"shape": _shape(record, streams), "errors": 0}
    row |= {"clients": None if flows is None else int(flows), "position": line}
    side = "client" if known.get("client") else "server"
    result = Result(row, details={"side": side})
    result.identity = tuple(record.items())  # its clock has nanoseconds
    if all(name in known for name in _CPU_TIMES):
        used = (known[f"{kind}time_end"] - known[f"{kind}time_start"] for kind in "us")
        result.details["own_process_cpu_seconds"] = round(sum(used), 6)
    if wrong := [name for name, value in values.items() if value is None]:
        what = not_a_number(record[wrong[0]])
        result.judge("failed", remark("of_test", name=wrong[0], what=what), line)
    elif not all(name in known for name in _LAST):
        result.judge("truncated", remark("last_lines_missing"), line)
    elif streams:
        _stream(result, record.get("throughput_units", ""), known)
    else:
        _transactions(result, known)
    return result


def _shape(record: Record, streams: bool) -> str | None:
    if streams:
        return "STR"
    if "delay" in record or "noburst" in record:
        return "RR"
    return "CRR" if "async_connect" in record else None


def _seconds(known: Known) -> float | None:
    if "time_start" in known and "time_end" in known:
        return known["time_end"] - known["time_start"]
    return None


def _transactions(result: Result, known: Known) -> None:
    row, line = result.row, result.line
    seconds = _seconds(known)
    count, rate = known.get("num_transactions"), known.get("throughput")
    if not seconds or seconds <= 0 or not count or not rate:
        result.judge("failed", remark("no_transaction"), line)
        return
    row |= {"seconds": seconds, "transactions": int(count), "rate": rate}
    if "request_size" in known and "response_size" in known:
        sizes = int(known["request_size"]), int(known["response_size"])
        row |= {"request_bytes": sizes[0], "response_bytes": sizes[1]}
        row |= {"bytes_per_second": rate * sum(sizes)}
        row["shape"] = shape_of(row["shape"], sizes)
    result.compare(
        "throughput", rate, count / seconds, 0.05, 0.0, "its transactions", 0.0
    )
    mean = known.get("latency_mean", 0.0) * 1e6
    if not known.get("client") or mean <= 0:
        problem = remark("server_log", "log of a server, which measures no latency")
        result.note(problem, line)
        return
    row["latency_mean_us"] = mean
    columns = {f"p{name}": f"p{share:g}" for name, share in PERCENTILES.items()}
    for column, name in (columns | {"max": "max", "deviation": "stddev"}).items():
        value = known.get(f"latency_{name}")
        row[f"latency_{column}_us"] = value * 1e6 if value is not None else None
    result.hold(hold_little(row), line)


def _stream(result: Result, unit: str, known: Known) -> None:
    """The side that reads has a throughput; the other is told of it in bits/s."""
    rate = known.get("throughput", 0.0) * _UNITS.get(unit, 0.0)
    local, remote = (known[name] / 8 for name in _LAST)
    if rate and local and not agree(rate, local, 0.02):
        result.judge("failed", remark("local_throughput"), result.line)
    if not rate and "throughput" not in known:
        rate = remote
    result.row |= {"seconds": _seconds(known), "bytes_per_second": rate}
    if local and remote:  # of datagrams some may be lost
        sides = 8 * local, 8 * remote
        held = contradiction("local_throughput", *sides, WRONG, source="the other side")
        if held.cause:
            result.note(held.cause, result.line)
    if not rate:
        none = "no data was moved, or its unit is unknown"
        result.judge("failed", remark("no_data_or_unit", none), result.line)
