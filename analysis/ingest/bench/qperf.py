"""qperf logs: latency and bandwidth tests, at any verbosity.

A latency is one way, half the round trip; here it is the round trip. ``msg_rate`` of a
latency test counts the messages of both ways. ``K``, ``M`` and ``G`` are decimal and
``KiB`` binary. Counts have thousands separators (``31,780``). CPU figures are of the
whole machine, 100 % for one CPU; they are kept as evidence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.facts.remark import quote, remark
from analysis.ingest.logs.checks import agree
from analysis.ingest.logs.result import Result, failed_log, join_results
from analysis.ingest.logs.text import (
    BINARY_STEPS,
    DECIMAL_STEPS,
    MICROSECONDS,
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
_TIMES = {**MICROSECONDS, "sec": 1e6, "min": 6e7}
_SIZES = {"byte": 1.0, "bytes": 1.0, "bits": 1 / 8}
for _letter in "KMGT":
    _SIZES[f"{_letter}B"] = DECIMAL_STEPS[_letter]
    _SIZES[f"{_letter}iB"] = BINARY_STEPS[_letter]
    _SIZES[f"{_letter}b"] = DECIMAL_STEPS[_letter] / 8
_RATES = {"/sec": 1.0, "K/sec": 1e3, "M/sec": 1e6}
_EVIDENCE = ("cpus_used", "cpu_time", "cost")
_UNMEASURED = ("conf", "quit")


@dataclass
class _Test:
    """One test: its name and what it printed, by key: line, text and unit."""

    line: int
    name: str
    values: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    damaged: int | None = None

    def read(self, key: str, units: Mapping[str, float]) -> float | None:
        """A value in its base unit; null if it is not there. One that is none raises
        :class:`UnreadableError`."""
        if key not in self.values:
            return None
        at, text, unit = self.values[key]
        if unit == "" and _COUNT.fullmatch(text):
            return printed(text.replace(",", ""))
        counted = unit == "bytes" and _COUNT.fullmatch(text)
        value = plain_number(text.replace(",", "") if counted else text)
        scale = units.get(unit.removesuffix("/sec") or unit, units.get(unit))
        if value is None or scale is None or value < 0:
            raise UnreadableError(not_a_number(f"{key} = {text} {unit}"), at)
        return value * scale


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a log of qperf."""
    words = (
        b"_lat:",
        b"_bw:",
        b"conf:",
        b"quit:",
        b"qperf",
        b"failed to ",
        b"server: ",
    )
    return any(word in head for word in words) and _MARKS.search(head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``benchmark`` row for each test: RR for latency, STR for bandwidth.

    The sizes of a loop (``--loop``) are tests of their own: ``tcp_lat 64 bytes``.
    """
    lines, cut = text_lines(raw.read_bytes())
    tests = _tests(lines)
    results = [_result(test, lines) for test in tests]
    names = Counter(test.name for test in tests)
    known = set[str]()
    for test, result in zip(tests, results, strict=True):
        name = test.name
        if names[name] > 1 and (size := test.values.get("msg_size")):
            name = f"{name} {size[1]} {size[2]}"
        result.row["test"] = name
        if name in known:  # qperf runs one test after another
            result.judge("failed", remark("same_test_again"), result.line)
        known.add(name)
    for at, line in enumerate(lines, 1):
        if _ERROR.match(line) and not line.startswith("    "):
            results.append(failed_log(quote(line.strip()), at))
    return join_results(FORMAT, "qperf", results, cut)


def _tests(lines: Sequence[str]) -> list[_Test]:
    """Tests with figures; ``conf`` and ``quit`` measure nothing."""
    tests: list[_Test] = []
    for at, line in enumerate(lines, 1):
        match = _VALUE.match(line) if tests else None
        if section := _SECTION.match(line):
            tests.append(_Test(at, section[1]))
        elif match and match[1] not in tests[-1].values:
            unit = "bytes" if match[4] else match[3] or ""
            tests[-1].values[match[1]] = at, match[4] or match[2], unit
        elif tests and line.startswith(" "):
            tests[-1].damaged = tests[-1].damaged or at
        elif line.strip() and not _ERROR.match(line) and (tests or line[0] == " "):
            tests.append(_Test(at, "a test", damaged=at))
    return [test for test in tests if test.name not in _UNMEASURED]


def _result(test: _Test, lines: Sequence[str]) -> Result:
    result = Result({"position": test.line, "errors": 0, "clients": 1})
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
        problem = remark("of_test", name=test.name, what=error.remark)
        result.judge("failed", problem, error.line)
    return result


def _latency(result: Result, test: _Test) -> None:
    """One client, one message at a time; a transaction is one message each way."""
    one_way = test.read("latency", _TIMES)
    if not one_way:
        missing = f"{test.name}: the latency is missing"
        result.judge("truncated", remark("latency_missing", missing), test.line)
        return
    time = test.read("time", _TIMES)
    seconds = time / 1e6 if time else None
    messages, size = test.read("loc_recv_msgs", {}), test.read("msg_size", _SIZES)
    rate = 1e6 / (2 * one_way)
    row: dict[str, Any] = {"shape": "RR", "latency_mean_us": 2 * one_way, "rate": rate}
    row |= {"seconds": seconds, "transactions": int(messages) if messages else None}
    if size is not None:
        row |= {"request_bytes": round(size), "response_bytes": round(size)}
        row["bytes_per_second"] = 2 * size * rate
    _hold_size(result, test, size, "loc_")
    result.row |= row
    result.details["round_trip"] = "printed one way, doubled here"
    result.details["printed_latency_us"] = one_way
    both = test.read("msg_rate", _RATES)
    counted = messages / seconds if messages and seconds else None
    for other, by in ((both and both / 2, 0.02), (counted, 0.05)):
        if other is not None and not agree(other, rate, by):
            result.judge("failed", remark("messages_and_latency"), result.line)


def _hold_size(result: Result, test: _Test, size: float | None, side: str) -> None:
    """The bytes that were sent must agree with the size of the messages."""
    sent = test.read(f"{side}send_bytes", _SIZES)
    messages = test.read(f"{side}send_msgs", {})
    if size and sent and messages:
        source = "its bytes and messages"
        result.compare("msg_size", size, sent / messages, 0.03, 0.0, source)


def _bandwidth(result: Result, test: _Test) -> None:
    """What arrived counts, where it is printed."""
    key = "recv_bw" if "recv_bw" in test.values else "bw"
    value = test.read(key, _SIZES)
    if value is None:
        missing = f"{test.name}: the bandwidth is missing"
        result.judge("truncated", remark("bandwidth_missing", missing), test.line)
        return
    if value == 0:
        raise UnreadableError(remark("no_data_moved"), test.line)
    time = test.read("time", _TIMES)
    seconds = time / 1e6 if time else None
    result.row |= {"shape": "STR", "bytes_per_second": value, "seconds": seconds}
    sent, size = test.read("send_bw", _SIZES), test.read("msg_size", _SIZES)
    if sent is not None:
        result.details["sender_bytes_per_second"] = sent
    if size is not None:
        result.details["message_bytes"] = round(size)
    _hold_size(result, test, size, "")
    messages = test.read("msg_rate", _RATES)
    if messages and size and not agree(messages * size, value, 0.03):
        contradiction = "messages, their size and the bandwidth do not fit together"
        result.judge(
            "failed", remark("of_test", name=test.name, what=contradiction), test.line
        )
    arrived = test.read("recv_bytes", _SIZES)
    if arrived and seconds:
        source = "the bytes received and the time"
        result.compare(key, value, arrived / seconds, 0.05, 0.0, source)
