"""neper logs (tcp_rr, tcp_crr, udp_rr, tcp_stream, udp_stream): lines of key=value.

``throughput`` is a regression over the run: transactions a second, or for streams the
unit of ``throughput_units`` (``common.c``: ``KB`` decimal, ``KBytes`` and ``KiB``
binary). ``local_`` and ``remote_throughput`` of a stream are bits a second. Latencies
are seconds, of the client only. Times are of a clock that has no date. The name of the
program is not in a log; the options that it prints tell RR from CRR.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from analysis.facts.remark import quote, remark
from analysis.ingest.bench.netperf_figures import shape_of
from analysis.ingest.logs.checks import WRONG, agree, contradiction
from analysis.ingest.logs.result import (
    Result,
    failed_log,
    join_results,
    name_sides,
)
from analysis.ingest.logs.text import (
    GIB,
    KIB,
    MIB,
    not_a_number,
    plain_number,
    text_lines,
)
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Problem, Reading

FORMAT = "neper"
TITLE = "neper benchmark log"
TESTED = "neper 1.1.0"
TIMED = "the run, by neper's regression of its own counts"
SIGNS = ("num flows",)
_KEY = re.compile(r"([a-z]\w*(?:\.\d+)?)=(.*)")
_MARKS = (b"num_flows=", b"control_port=", b"maxevents=")
_UNITS = {
    "bits/s": 1 / 8,
    "10^3bits/s": 1e3 / 8,
    "10^6bits/s": 1e6 / 8,
    "10^9bits/s": 1e9 / 8,
    "Kbit/s": 1e3 / 8,
    "Mbit/s": 1e6 / 8,
    "Gbit/s": 1e9 / 8,
    "Kibit/s": KIB / 8,
    "Mibit/s": MIB / 8,
    "Gibit/s": GIB / 8,
    "B/s": 1.0,
    "KB/s": 1e3,
    "MB/s": 1e6,
    "GB/s": 1e9,
    "KBytes/s": KIB,
    "MBytes/s": MIB,
    "GBytes/s": GIB,
    "KiB/s": KIB,
    "MiB/s": MIB,
    "GiB/s": GIB,
}
_NUMBERS = (
    "num_flows", "request_size", "response_size", "client", "time_start", "time_end",
    "num_transactions", "throughput", "remote_throughput", "local_throughput",
    "latency_mean", "latency_p50", "latency_p90", "latency_p99",
    "utime_start", "utime_end", "stime_start", "stime_end",
)  # fmt: skip
_LAST = ("local_throughput", "remote_throughput")
_ERROR = re.compile(
    r"(?:.*/)?(?:tcp|udp)_\w+: |.*\b(?:Connection refused|FATAL)\b|[EF]\d{4} "
)
Record = dict[str, str]


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
    results = [_result(record, at) for at, record in _records(lines)]
    name_sides(results)
    for at, line in enumerate(lines, 1):
        if _ERROR.match(line):
            results.append(failed_log(quote(line.strip()), at))
    return join_results(FORMAT, "neper", results, cut)


def _records(lines: Sequence[str]) -> Iterator[tuple[int, Record]]:
    """Logs; a key that comes again begins the next one."""
    record: Record = {}
    start = 1
    for at, line in enumerate(lines, 1):
        if found := _KEY.fullmatch(line.rstrip()):
            if found[1] in record:
                yield start, record
                record, start = {}, at
            record[found[1]] = found[2]
    if record:
        yield start, record


def _result(record: Record, line: int) -> Result:
    values = {n: plain_number(record[n]) for n in _NUMBERS if record.get(n)}
    known = {name: value for name, value in values.items() if value is not None}
    side = "client" if known.get("client") else "server"
    row: dict[str, Any] = {"position": line, "errors": 0}
    row |= {"shape": _shape(record), "clients": _whole(known, "num_flows")}
    result = Result(row, details={"side": side} | _details(known))
    result.identity = tuple(record.items())  # its clock has nanoseconds
    if wrong := [name for name, value in values.items() if value is None]:
        told = remark("of_test", name=wrong[0], what=not_a_number(record[wrong[0]]))
        result.judge("failed", told, line)
    elif not all(name in known for name in _LAST):
        result.judge("truncated", remark("last_lines_missing"), line)
    elif "throughput_opt" in record or "throughput_units" in record:
        _stream(result, record, known)
    else:
        _transactions(result, known)
    return result


def _shape(record: Record) -> str | None:
    if "throughput_opt" in record or "throughput_units" in record:
        return "STR"
    if "delay" in record or "noburst" in record:
        return "RR"
    return "CRR" if "async_connect" in record else None


def _whole(known: dict[str, float], name: str) -> int | None:
    return int(known[name]) if name in known else None


def _seconds(known: dict[str, float]) -> float | None:
    if "time_start" in known and "time_end" in known:
        return known["time_end"] - known["time_start"]
    return None


def _transactions(result: Result, known: dict[str, float]) -> None:
    row, line = result.row, result.row["position"]
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
    if not agree(count / seconds, rate, 0.05):
        told = remark(
            "transactions_seconds_throughput",
            "transactions, seconds and throughput do not fit together",
        )
        result.judge("failed", told, line)
    mean = known.get("latency_mean", 0.0) * 1e6
    if not known.get("client") or mean <= 0:
        told = remark("server_log", "log of a server, which measures no latency")
        result.problems.append(Problem(told, line))
        return
    row["latency_mean_us"] = mean
    for share in (50, 90, 99):
        value = known.get(f"latency_p{share}")
        row[f"latency_p{share}_us"] = value * 1e6 if value is not None else None
    little = rate * mean / 1e6 / row["clients"] if row["clients"] else 1.0
    if not agree(little, 1, 0.1):
        told = remark("little_not_1", little=little)
        result.judge("degraded", told, line)


def _stream(result: Result, record: Record, known: dict[str, float]) -> None:
    """The side that reads has a throughput; the other is told of it in bits/s."""
    row, line = result.row, result.row["position"]
    unit = record.get("throughput_units", "")
    rate = known.get("throughput", 0.0) * _UNITS.get(unit, 0.0)
    told = known["local_throughput"] / 8
    if rate and told and not agree(rate, told, 0.02):
        words = remark("local_throughput")
        result.judge("failed", words, line)
    if not rate and "throughput" not in known:
        rate = known["remote_throughput"] / 8
    row |= {"seconds": _seconds(known), "bytes_per_second": rate}
    sides = known["local_throughput"], known["remote_throughput"]
    if all(sides):  # of datagrams some may be lost
        held = contradiction("local_throughput", *sides, WRONG, source="the other side")
        if held.cause:
            result.problems.append(Problem(held.cause, line))
    if not rate:
        result.judge(
            "failed",
            remark("no_data_or_unit", "no data was moved, or its unit is unknown"),
            line,
        )


def _details(known: dict[str, float]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if all(name in known for name in ("utime_start", "utime_end",
                                      "stime_start", "stime_end")):  # fmt: skip
        user = known["utime_end"] - known["utime_start"]
        system = known["stime_end"] - known["stime_start"]
        told["own_process_cpu_seconds"] = round(user + system, 6)
    return told
