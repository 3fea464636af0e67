"""Logs of perftest: ``ib_send_bw``, ``ib_write_lat``, ``raw_ethernet_bw``, ….

Layout: ``perftest_parameters.h`` of perftest 4.1 to 26.04. ``MB/sec``, written
``MiB/sec`` since 24.07, is 2**20 bytes a second, ``Gb/sec`` 10**9 bits. The bandwidth
is that of all queue pairs, and of both ways in a bidirectional test. Latencies of
writes and sends are half a round trip, those of reads and atomics a whole one; here
they are always round trips. The mean leaves out the two longest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from analysis.facts.remark import quote, remark
from analysis.ingest.logs.checks import agree, contradiction
from analysis.ingest.logs.result import (
    Result,
    failed_log,
    join_results,
    name_sides,
)
from analysis.ingest.logs.text import MIB, UnreadableError, number, quoted, text_lines
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "perftest"
TITLE = "perftest log (ib_send_bw, ib_write_lat, raw_ethernet_bw, …)"
TESTED = "perftest 5.60; 4.1 to 26.04 after its source"
TIMED = (
    "the time from the first message to the last completion, by the processor's "
    "clock; of a latency without -D the rate is that of its mean round trip"
)
SIGNS = ("bytes iterations", "number of qps", "couldn t connect to")
_MARKS = re.compile(
    rb"^ ?#bytes\s+(?:#sl\s+)?#iterations\s|^ Number of qps +: \d"
    rb"|^Couldn't connect to \S+:\d+\r?$",
    re.MULTILINE,
)
_BANNER = re.compile(r" {8,}(\w+) (?:\S.* )?Test$")
_HALVES = {  # of a round trip, that a latency is
    "Send": 1, "Send_imm": 1, "RDMA_Write": 1, "RDMA_Write_imm": 1,
    "RDMA_Read": 2, "Atomic": 2,
}  # fmt: skip
_QPS = re.compile(r" Number of qps +: (\d+)(?!\S)")
_HEADER = re.compile(r" ?#bytes\s+(?:#sl\s+)?#iterations\s")
_COLUMN = re.compile(
    r"#\w+|(?:BW \w+|MsgRate(?: Port\d)?|t_\w+|(?<![\d.])[\d.]++% percentile"
    r"|tps average|CPU_Util)"
    r"(?:\[[^\[\]]*+\])?"
)
_ADDRESS = re.compile(r" (?:local|remote) address: ")
_RULE = re.compile(r"-{60,}$")
_OF_ONE_SIDE = re.compile(r"\s*(?:Local|Remote) results: *$")  # of --report-both
_VALUES = re.compile(r" ?(?!\d+, )\d\S*\s")  # no line of a list (-U, -H)
_SERVER = "Waiting for client to connect"
_ERROR = re.compile(
    r" ?(?:Couldn't |Unable to |Failed |Can't |Completion with error"
    r"|Did not get Message|ethernet_\w+: |Port number |Event )"
)
_FLOWS = "raw_ethernet_fs_rate counts flows that are set up, and no transfers"
_DOUBT = "Conflicting CPU frequency values"  # by which times are computed
_UNITS = {"MB/sec": MIB, "MiB/sec": MIB, "Gb/sec": 1e9 / 8}


@dataclass
class _Log:
    """One run of a program, as far as it was read."""

    line: int
    kind: str = ""
    server: bool = False
    clients: int | None = None
    columns: list[str] = field(default_factory=list)
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    said: list[tuple[int, str]] = field(default_factory=list)
    ended: bool = False
    apart: bool = False  # what follows is of one side of a bidirectional test


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a log of perftest."""
    return _MARKS.search(head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``benchmark`` row a size: STR of a bandwidth, RR of a latency test.

    Sizes and programs are told apart by ``test``, where a file has several. Of ``-a``
    each line is one. A read is one way, so it has no bytes of its request.
    """
    lines, cut = text_lines(raw.read_bytes())
    logs: list[_Log] = []
    for at, line in enumerate(lines, 1):
        if not logs or (_begins(line) and (logs[-1].kind or logs[-1].rows)):
            logs.append(_Log(at))
        _take(logs[-1], at, line)
    results = [result for log in logs for result in _results(log)]
    tests = {result.row.get("test") for result in results}
    for result in results:
        result.row["test"] = result.row.get("test") if len(tests) > 1 else None
    if len(tests) < 2:
        name_sides(results)
    return join_results(FORMAT, "perftest", results, cut)


def _begins(line: str) -> bool:
    return _BANNER.match(line) is not None or _SERVER in line


def _take(log: _Log, at: int, line: str) -> None:
    if found := _BANNER.match(line):
        log.kind = " ".join(line.split()[:-1])
    elif found := _QPS.match(line):
        log.clients = int(found[1])
    elif _HEADER.match(line):
        log.columns, log.ended = _COLUMN.findall(line), False
    elif _ADDRESS.match(line):
        log.addresses.append(line)
    elif _RULE.match(line):
        log.ended |= bool(log.columns)
    elif _OF_ONE_SIDE.match(line):
        log.apart = True
    elif log.columns and not log.ended and not log.apart and _VALUES.match(line):
        log.rows.append((at, line.split()))
    elif line.lstrip().startswith("#flows"):
        log.said.append((at, _FLOWS))
    elif _ERROR.match(line) or _DOUBT in line:
        log.said.append((at, line.strip()))
    log.server |= _SERVER in line


def _results(log: _Log) -> list[Result]:
    """A result a line of values; one that says why, where there is none."""
    results = [_result(log, at, cells) for at, cells in log.rows]
    sizes = [cells[0] for _, cells in log.rows]
    for nth, result in enumerate(results):
        if sizes[nth] in sizes[:nth]:  # of --run_infinitely
            result.judge("failed", remark("same_test_again"), log.rows[nth][0])
        elif not log.ended:
            result.judge("degraded", remark("last_lines_missing"), log.rows[nth][0])
        for at, said in log.said:
            result.judge("degraded", quote(said), at)
    if results or (log.server and log.ended and not log.said):
        return results  # a server of reads or writes may have none
    errors = [(at, said) for at, said in log.said if _DOUBT not in said]
    if errors:
        return [failed_log(quote(errors[0][1]), errors[0][0])]
    if log.kind or log.columns:
        result = Result({"position": log.line})
        result.judge("truncated", remark("summary_missing"), log.line)
        return [result]
    return []


def _result(log: _Log, at: int, cells: list[str]) -> Result:
    row: dict[str, Any] = {"position": at, "errors": 0}
    row["test"] = f"{log.kind}, {cells[0]} bytes"
    result = Result(row, details={"side": "server" if log.server else "client"})
    result.details |= {"program": log.kind}
    if log.addresses:
        result.identity = (*log.addresses, *cells)
    try:
        values = _values(log, at, cells)
        if "BW average" in values:
            _bandwidth(result, log, values)
        else:
            _latency(result, log, values)
    except UnreadableError as error:
        result.judge("failed", error.remark, error.line)
    return result


def _values(log: _Log, at: int, cells: list[str]) -> dict[str, float]:
    """The values in base units (bytes, seconds), by the names of their columns."""
    if len(cells) != len(log.columns):
        told = remark("values_and_names", values=len(cells), names=len(log.columns))
        raise UnreadableError(told, at)
    values = {}
    for column, cell in zip(log.columns, cells, strict=True):
        name, _, unit = column.rstrip("]").partition("[")
        value = number(cell, at)
        if value < 0:
            raise UnreadableError(remark("value_negative"), at)
        if name.startswith("BW"):
            value *= _scale(unit, _UNITS, at)
        elif name.startswith("t_") or "percentile" in name:
            value *= _scale(unit, {"usec": 1e-6}, at)
        elif name.startswith("MsgRate"):
            value *= _scale(unit, {"Mpps": 1e6}, at)
        values[name] = value
    return values


def _scale(unit: str, units: dict[str, float], at: int) -> float:
    if unit not in units:
        known = ", ".join(units)
        raise UnreadableError(remark("no_unit", text=quoted(unit), known=known), at)
    return units[unit]


def _bandwidth(result: Result, log: _Log, values: dict[str, float]) -> None:
    """What was sent. The count is that of one queue pair before 4.5, and of one side in
    a bidirectional test, so that it tells the time of one pair one way only."""
    rate, size = values["BW average"], values["#bytes"]
    result.row |= {"shape": "STR", "clients": log.clients, "bytes_per_second": rate}
    result.details["message_bytes"] = int(size)
    line = result.row["position"]
    if not rate:
        result.judge("failed", remark("no_data_moved"), line)
        return
    step = 0.01 * next(_UNITS[c[11:-1]] for c in log.columns if "average" in c)
    peak = values.get("BW peak")
    if peak and rate > peak:  # 0 where none was looked for
        held = contradiction("BW average", rate, peak, 0.02, step, "BW peak")
        result.hold(held, line)
    messages = values.get("MsgRate")
    if messages is not None:
        result.details["messages_per_second"] = messages
        if abs(messages * size - rate) > 0.02 * rate + step:
            told = remark("messages_seconds_bandwidth")
            result.judge("failed", told, line)
    if "Bidirectional" in log.kind:
        result.details["direction"] = "both ways, added up"
    elif log.clients == 1:
        result.row["seconds"] = values["#iterations"] * size / rate


def _latency(result: Result, log: _Log, values: dict[str, float]) -> None:
    """One message at a time, there and back; ``tps average`` is of ``-D``."""
    line = result.row["position"]
    halves = _HALVES.get(log.kind.split()[0] if log.kind else "")
    mean = values.get("t_avg")
    if halves is None or not mean:
        missing = "the name of the test" if halves is None else "t_avg"
        result.judge("failed", remark("missing_value", name=missing), line)
        return
    trip = 2 / halves
    size, count = int(values["#bytes"]), int(values["#iterations"])
    rate = values.get("tps average") or 1 / (mean * trip)
    both = halves == 1
    result.row |= {
        "shape": "RR",
        "clients": 1,
        "transactions": count,
        "rate": rate,
        "seconds": count / rate if "tps average" in values else None,
        "latency_mean_us": mean * trip * 1e6,
        "request_bytes": size if both else None,
        "response_bytes": size,
        "bytes_per_second": size * trip * rate,
    }
    for name, column in (("t_typical", "p50"), ("99% percentile", "p99")):
        if name in values:
            result.row[f"latency_{column}_us"] = values[name] * trip * 1e6
    told = "printed one way, doubled here" if both else "printed as such"
    result.details["round_trip"] = told
    if not agree(rate * mean * trip, 1, 0.02):
        result.judge("failed", remark("messages_and_latency"), line)
