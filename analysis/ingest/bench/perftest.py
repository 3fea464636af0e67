"""Logs of perftest: ``ib_send_bw``, ``ib_write_lat``, ``raw_ethernet_bw``, ….

Layout: ``perftest_parameters.h`` of perftest 4.1 to 26.04. ``MB/sec``, written
``MiB/sec`` since 24.07, is 2**20 bytes a second, ``Gb/sec`` 10**9 bits. The bandwidth
is that of all queue pairs, and of both ways in a bidirectional test. Latencies of
writes and sends are half a round trip, those of reads and atomics a whole one; here
they are always round trips. The mean leaves out the two longest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from analysis.facts.remark import quote, remark
from analysis.ingest.logs.checks import agree
from analysis.ingest.logs.result import Result, failed_log, join_results, name_sides
from analysis.ingest.logs.text import (
    MIB,
    UnreadableError,
    number,
    quoted,
    text_lines,
)
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "perftest"
TITLE = "perftest log (ib_send_bw, ib_write_lat, raw_ethernet_bw, …)"
TESTED = "perftest 5.60; 4.1 to 26.04 after its source"
TIMED = (
    "the time from the first message to the last completion, by the processor's "
    "clock; of a latency without -D the rate is that of its mean round trip"
)
recognise = re.compile(
    rb"^ ?#bytes\s+(?:#sl\s+)?#iterations\s|^ Number of qps +: \d"
    rb"|^Couldn't connect to \S+:\d+\r?$",
    re.MULTILINE,
).search
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
_TIMES = {
    "t_typical": "p50", "99% percentile": "p99", "99.9% percentile": "p999",
    "t_max": "max", "t_stdev": "deviation",
}  # fmt: skip
_UNITS_OF = {"BW": _UNITS, "t_": {"usec": 1e-6}, "MsgRate": {"Mpps": 1e6}}


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
    messages: list[tuple[int, str]] = field(default_factory=list)
    ended: bool = False
    apart: bool = False  # what follows is of one side of a bidirectional test


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``benchmark`` row a size: STR of a bandwidth, RR of a latency test.

    Sizes and programs are told apart by ``test``, where a file has several. Of ``-a``
    each line is one. A read is one way, so it has no bytes of its request.
    """
    lines, cut = text_lines(raw.read_bytes())
    logs: list[_Log] = []
    for at, line in enumerate(lines, 1):
        begins = _BANNER.match(line) is not None or _SERVER in line
        if not logs or (begins and (logs[-1].kind or logs[-1].rows)):
            logs.append(_Log(at))
        _take(logs[-1], at, line)
    results = [result for log in logs for result in _results(log)]
    if len({result.row.get("test") for result in results}) < 2:
        for result in results:
            result.row["test"] = None
        name_sides(results)
    return join_results(FORMAT, "perftest", results, cut)


def _take(log: _Log, at: int, line: str) -> None:
    if _BANNER.match(line):
        log.kind = " ".join(line.split()[:-1])
    elif match := _QPS.match(line):
        log.clients = int(match[1])
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
        log.messages.append((at, _FLOWS))
    elif _ERROR.match(line) or _DOUBT in line:
        log.messages.append((at, line.strip()))
    log.server |= _SERVER in line


def _results(log: _Log) -> list[Result]:
    """A result a line of values; one that says why, where there is none."""
    results = [_result(log, at, cells) for at, cells in log.rows]
    sizes = [cells[0] for _, cells in log.rows]
    for nth, result in enumerate(results):
        if sizes[nth] in sizes[:nth]:  # of --run_infinitely
            result.judge("failed", remark("same_test_again"), result.line)
        elif not log.ended:
            result.judge("degraded", remark("last_lines_missing"), result.line)
        for at, text in log.messages:
            result.judge("degraded", quote(text), at)
    if results or (log.server and log.ended and not log.messages):
        return results  # a server of reads or writes may have none
    for at, text in log.messages:
        if _DOUBT not in text:
            return [failed_log(quote(text), at)]
    if not log.kind and not log.columns:
        return []
    result = Result({"position": log.line})
    result.judge("truncated", remark("summary_missing"), log.line)
    return [result]


def _result(log: _Log, at: int, cells: Sequence[str]) -> Result:
    row = {"test": f"{log.kind}, {cells[0]} bytes", "position": at, "errors": 0}
    result = Result(row, details={"side": "server" if log.server else "client"})
    result.details["program"] = log.kind
    if log.addresses:
        result.identity = (*log.addresses, *cells)
    try:
        values = _values(log, at, cells)
    except UnreadableError as error:
        result.judge("failed", error.remark, error.line)
        return result
    if "BW average" in values:
        _bandwidth(result, log, values)
    else:
        _latency(result, log, values)
    return result


def _values(log: _Log, at: int, cells: Sequence[str]) -> dict[str, float]:
    """The values in base units (bytes, seconds), by the names of their columns."""
    if len(cells) != len(log.columns):
        few = remark("values_and_names", values=len(cells), names=len(log.columns))
        raise UnreadableError(few, at)
    values = {}
    for column, cell in zip(log.columns, cells, strict=True):
        name, _, unit = column.rstrip("]").partition("[")
        value = number(cell, at)
        if value < 0:
            raise UnreadableError(remark("value_negative"), at)
        begin = "t_" if "percentile" in name else name
        for start, units in _UNITS_OF.items():
            if not begin.startswith(start):
                continue
            if unit not in units:
                known = ", ".join(units)
                problem = remark("no_unit", text=quoted(unit), known=known)
                raise UnreadableError(problem, at)
            value *= units[unit]
        values[name] = value
    return values


def _bandwidth(result: Result, log: _Log, values: Mapping[str, float]) -> None:
    """What was sent. The count is that of one queue pair before 4.5, and of one side in
    a bidirectional test, so that it tells the time of one pair one way only."""
    rate, size, line = values["BW average"], values["#bytes"], result.line
    result.row |= {"shape": "STR", "clients": log.clients, "bytes_per_second": rate}
    result.details["message_bytes"] = int(size)
    if not rate:
        result.judge("failed", remark("no_data_moved"), line)
        return
    step = 0.01 * next(_UNITS[c[11:-1]] for c in log.columns if "average" in c)
    peak, messages = values.get("BW peak"), values.get("MsgRate")
    if peak and rate > peak:  # 0 where none was looked for
        result.compare("BW average", rate, peak, 0.02, step, "BW peak")
    if messages is not None:
        result.details["messages_per_second"] = messages
        if abs(messages * size - rate) > 0.02 * rate + step:
            result.judge("failed", remark("messages_seconds_bandwidth"), line)
    if "Bidirectional" in log.kind:
        result.details["direction"] = "both ways, added up"
    elif log.clients == 1:
        result.row["seconds"] = values["#iterations"] * size / rate


def _latency(result: Result, log: _Log, values: Mapping[str, float]) -> None:
    """One message at a time, there and back; ``tps average`` is of ``-D``."""
    halves = _HALVES.get(log.kind.split()[0] if log.kind else "")
    mean = values.get("t_avg")
    if halves is None or not mean:
        missing = "the name of the test" if halves is None else "t_avg"
        result.judge("failed", remark("missing_value", name=missing), result.line)
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
    for name, column in _TIMES.items():
        if name in values:
            result.row[f"latency_{column}_us"] = values[name] * trip * 1e6
    way = "printed one way, doubled here" if both else "printed as such"
    result.details["round_trip"] = way
    if not agree(rate * mean * trip, 1, 0.02):
        result.judge("failed", remark("messages_and_latency"), result.line)
