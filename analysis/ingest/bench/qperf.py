"""qperf logs: latency and bandwidth tests, at any verbosity.

A latency is one way, half the round trip; here it is the round trip. ``msg_rate`` of a
latency test counts the messages of both ways. ``K``, ``M`` and ``G`` are decimal and
``KiB`` binary. Counts have thousands separators (``31,780``). CPU figures are of the
whole machine, 100 % for one CPU; they are kept as evidence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.facts.remark import quote, remark
from analysis.ingest.logs.checks import agree, contradiction
from analysis.ingest.logs.result import Result, failed_log, join_results
from analysis.ingest.logs.text import (
    GIB,
    KIB,
    MIB,
    UnreadableError,
    not_a_number,
    plain_number,
    text_lines,
)
from analysis.ingest.printed import printed
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "qperf"
TITLE = "qperf benchmark log"
TESTED = "qperf 0.4.11"
TIMED = (
    "the time of the test, by qperf's clock; the rate of a latency is that of its "
    "mean round trip"
)
SIGNS = ("lat", "bw", "conf", "quit", "bad test qperf", "failed", "server")
_MARKS = re.compile(
    rb"^(?:\w+_(?:lat|bw)|conf|quit):\r?\n(?:    \w+ +=|\Z)"
    rb"|: bad test; try: qperf|^failed to (?:connect|receive|send)[^\n]*$"
    rb"|^server: ",
    re.MULTILINE,
)
_SECTION = re.compile(r"(\w+):$")
_VALUE = re.compile(
    r"    (\w+) += +(\S+)(?: (\S(?:[^(]*[^(\s])?))?(?: \(([\d,]+)\))?\s*$"
)
_ERROR = re.compile(r".*(bad test; try|failed to |timed out|server: |client: |refused)")
_COUNT = re.compile(r"\d{1,3}(,\d{3})*|\d+")
_TIMES = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "sec": 1e6, "min": 6e7}  # in µs
_SIZES = {
    "byte": 1.0,
    "bytes": 1.0,
    "KB": 1e3,
    "MB": 1e6,
    "GB": 1e9,
    "TB": 1e12,
    "KiB": KIB,
    "MiB": MIB,
    "GiB": GIB,
    "bits": 1 / 8,
    "Kb": 1e3 / 8,
    "Mb": 1e6 / 8,
    "Gb": 1e9 / 8,
}
_RATES = {"/sec": 1.0, "K/sec": 1e3, "M/sec": 1e6}
_EVIDENCE = ("cpus_used", "cpu_time", "cost")


@dataclass
class _Test:
    """One test: its name and what it printed, by key."""

    line: int
    name: str
    values: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    damaged: int | None = None


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a log of qperf."""
    return _MARKS.search(head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``benchmark`` row for each test: RR for latency, STR for bandwidth.

    The sizes of a loop (``--loop``) are tests of their own: ``tcp_lat 64 bytes``.
    """
    lines, cut = text_lines(raw.read_bytes())
    tests = list(_tests(lines))
    results = [_result(test, lines) for test in tests]
    names = Counter(test.name for test in tests)
    for test, result in zip(tests, results, strict=True):
        if names[test.name] > 1 and (size := test.values.get("msg_size")):
            result.row["test"] = f"{test.name} {size[1]} {size[2]}"
    known = set[str]()
    for result in results:  # qperf runs one test after another
        if result.row["test"] in known:
            result.judge("failed", remark("same_test_again"), result.row["position"])
        known.add(result.row["test"])
    for at, line in enumerate(lines, 1):
        if _ERROR.match(line) and not line.startswith("    "):
            results.append(failed_log(quote(line.strip()), at))
    return join_results(FORMAT, "qperf", results, cut)


def _tests(lines: Sequence[str]) -> Iterator[_Test]:
    """Tests with figures; ``conf`` and ``quit`` measure nothing."""
    tests: list[_Test] = []
    for at, line in enumerate(lines, 1):
        if found := _SECTION.match(line):
            tests.append(_Test(at, found[1]))
        elif (
            tests and (found := _VALUE.match(line)) and found[1] not in tests[-1].values
        ):
            text = found[4] or found[2]
            unit = "bytes" if found[4] else found[3] or ""
            tests[-1].values[found[1]] = at, text, unit
        elif tests and line.startswith(" "):
            tests[-1].damaged = tests[-1].damaged or at
        elif line.strip() and not _ERROR.match(line) and (tests or line[0] == " "):
            tests.append(_Test(at, "a test", damaged=at))
    return (test for test in tests if test.name not in ("conf", "quit"))


def _result(test: _Test, lines: Sequence[str]) -> Result:
    result = Result({"position": test.line, "errors": 0})
    result.row["test"] = test.name
    result.details = {
        key: f"{text} {unit}".strip()
        for key, (_, text, unit) in test.values.items()
        if key.endswith(_EVIDENCE)
    }
    try:
        if test.damaged is not None:
            line = lines[test.damaged - 1]
            raise UnreadableError(not_a_number(line), test.damaged)
        if test.name.endswith("_lat"):
            _latency(result, test)
        else:
            _bandwidth(result, test)
    except UnreadableError as error:
        told = remark("of_test", name=test.name, what=error.remark)
        result.judge("failed", told, error.line)
    return result


def _read(test: _Test, key: str, units: dict[str, float]) -> float | None:
    """A value in its base unit; null if it is not there. One that is none raises
    :class:`UnreadableError`."""
    if key not in test.values:
        return None
    at, text, unit = test.values[key]
    if unit == "" and _COUNT.fullmatch(text):
        return printed(text.replace(",", ""))
    counted = unit == "bytes" and _COUNT.fullmatch(text)
    value = plain_number(text.replace(",", "") if counted else text)
    scale = units.get(unit.removesuffix("/sec") or unit, units.get(unit))
    if value is None or scale is None or value < 0:
        raise UnreadableError(not_a_number(f"{key} = {text} {unit}"), at)
    return value * scale


def _latency(result: Result, test: _Test) -> None:
    """One client, one message at a time; a transaction is one message each way."""
    one_way = _read(test, "latency", _TIMES)
    if not one_way:
        result.judge(
            "truncated",
            remark("latency_missing", f"{test.name}: the latency is missing"),
            test.line,
        )
        return
    seconds = _read(test, "time", _TIMES)
    messages = _read(test, "loc_recv_msgs", {})
    size = _read(test, "msg_size", _SIZES)
    row: dict[str, Any] = {"shape": "RR", "clients": 1}
    row |= {"latency_mean_us": 2 * one_way, "rate": 1e6 / (2 * one_way)}
    row["seconds"] = seconds / 1e6 if seconds else None
    row["transactions"] = int(messages) if messages else None
    if size is not None:
        row |= {"request_bytes": round(size), "response_bytes": round(size)}
        row["bytes_per_second"] = 2 * size * row["rate"]
    _check_size(result, test, size, "loc_")
    result.row |= row
    result.details["round_trip"] = "printed one way, doubled here"
    result.details["printed_latency_us"] = one_way
    _check_messages(result, _read(test, "msg_rate", _RATES), messages, row)


def _check_messages(
    result: Result, both: float | None, messages: float | None, row: dict[str, Any]
) -> None:
    """The printed counts must agree with the latency."""
    counted = messages / row["seconds"] if messages and row["seconds"] else None
    told = both / 2 if both is not None else None
    for found, tolerance in ((told, 0.02), (counted, 0.05)):
        if found is not None and not agree(found, row["rate"], tolerance):
            cause = remark("messages_and_latency")
            result.judge("failed", cause, result.row["position"])


def _check_size(result: Result, test: _Test, size: float | None, side: str) -> None:
    """The bytes that were sent must agree with the size of the messages."""
    sent = _read(test, f"{side}send_bytes", _SIZES)
    messages = _read(test, f"{side}send_msgs", {})
    if size and sent and messages:
        source = "its bytes and messages"
        held = contradiction("msg_size", size, sent / messages, 0.03, source=source)
        result.hold(held, test.line)


def _bandwidth(result: Result, test: _Test) -> None:
    """What arrived counts, where it is printed."""
    key = "recv_bw" if "recv_bw" in test.values else "bw"
    value = _read(test, key, _SIZES)
    if value is None:
        missing = remark("bandwidth_missing", f"{test.name}: the bandwidth is missing")
        result.judge("truncated", missing, test.line)
        return
    if value == 0:
        raise UnreadableError(remark("no_data_moved"), test.line)
    seconds = _read(test, "time", _TIMES)
    row: dict[str, Any] = {"shape": "STR", "clients": 1, "bytes_per_second": value}
    row["seconds"] = seconds / 1e6 if seconds else None
    result.row |= row
    sent = _read(test, "send_bw", _SIZES)
    if sent is not None:
        result.details["sender_bytes_per_second"] = sent
    messages = _read(test, "msg_rate", _RATES)
    size = _read(test, "msg_size", _SIZES)
    if size is not None:
        result.details["message_bytes"] = round(size)
    _check_size(result, test, size, "")
    if messages and size and not agree(messages * size, value, 0.03):
        told = "messages, their size and the bandwidth do not fit together"
        result.judge("failed", remark("of_test", name=test.name, what=told), test.line)
    arrived = _read(test, "recv_bytes", _SIZES)
    if arrived and row["seconds"]:
        source = "the bytes received and the time"
        rate = arrived / row["seconds"]
        held = contradiction(key, value, rate, 0.05, source=source)
        result.hold(held, test.line)
