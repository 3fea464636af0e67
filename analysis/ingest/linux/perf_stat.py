"""``perf stat``: CPU time of one command, and counters.

``cpu-clock`` of a system-wide measurement (``-a``) is wall-clock time × CPUs, idle or
not, so that it is no CPU time used. Only the text form says what was measured; of the
forms ``-x,`` and ``-j`` CPU time is taken where ``task-clock`` cannot be that of whole
CPUs. ``<not supported>`` and ``<not counted>`` are no numbers. Decimal
commas are read in the text and behind ``-x`` with another separator. Layout:
``builtin-stat.c`` and ``stat-display.c`` of perf.
"""

from __future__ import annotations

import json
import re
import string
from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.linux.cpu import is_one_report
from analysis.ingest.logs.checks import contradiction
from analysis.ingest.logs.text import (
    LogText,
    UnreadableError,
    number,
    plain_number,
    quoted,
    real,
)
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Problem, Reading
from analysis.ingest.tables.catalog import frame

FORMAT = "perf_stat"
TITLE = "perf stat"
TESTED = "perf 6.1"
SIGNS = (
    "performance counter stats for", "counter value", ",", "#", "<", *string.digits
)  # fmt: skip
_TEXT = r"^ *Performance counter stats for ('?)(.+?)\1( \(\d+ runs\))?:"
_CELLS = (
    r"(?:CPU\d+[,;|\t]|S\d+[-,;|\t](?:[^,;|\t\n]*[,;|\t])?)?"
    r"(?:\d[\d.]*(?:,\d+)?|<not \w+>)([,;|\t])\w*\1[\w:/.-]+\1\d+\1"
)
_FIELDS = re.compile(rb"(?:#[^\n]*\n|\s)*" + _CELLS.encode() + rb"\d+[.,]?\d*\1")
_FIELD = rf"^{_CELLS}|^\{{\""
_JSON = re.compile(rb'\s*\{"(?:\w+" : "?[^,\n]*, ")?counter-value" : "')
_ALONE = "put each report in a file of its own"
_STARTED = 0.02  # CPU seconds of perf itself until the command runs
_WHOLE = 0.01  # a share of CPUs nearer to a whole number may be all of their time
Counters = dict[str, tuple[float, str, float | None, int]]


def recognise(head: bytes) -> bool:
    """Whether a file that begins so was written by ``perf stat``."""
    if b"Performance counter stats for " in head:
        return True
    return bool(_FIELDS.match(head) or _JSON.match(head))


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """At most one ``run_cpu`` row, of scope process; counters as details."""
    log = LogText(raw.read_bytes())
    reading = Reading(FORMAT, tool="perf stat")
    titles = [found.line for found in log.each(_TEXT)]
    fields = log.first(_FIELD) if titles else None
    if not is_one_report(titles + ([fields.line] if fields else []), reading):
        return reading
    try:
        title = log.first(_TEXT)
        row = _read_text(log, reading) if title else _read_fields(log, reading)
    except UnreadableError as error:
        reading.judge("failed", error.at_line)
        reading.problems = [Problem(error.remark, error.line)]
        return reading
    if row is not None:
        reading.tables["run_cpu"] = frame("run_cpu", [row])
    elif reading.status == "ok":
        reading.status = "degraded"
        reading.cause = remark(
            "no_process_time", "it does not tell the CPU time of a process"
        )
    return reading


def _row(seconds: float, line: int) -> dict[str, Any]:
    return {
        "cpu_type": "CP",
        "cpu_seconds": seconds,
        "method": "perf",
        "scope": "process",
        "position": line,
    }


def _read_text(log: LogText, reading: Reading) -> dict[str, Any] | None:
    title, elapsed = log.first(_TEXT), log.first(r"^ +(\S+) (?:\+- .*)?seconds time")
    mark = _decimal_mark(log)
    reading.details = {"of": title[1] if title else None}
    counts = [
        _count(found[0], mark) for found in log.each(r"^ +(\d\S*) +[\w:/.-]+(?: |$)")
    ]
    reading.records = {"counter": len(counts)}
    if elapsed is None:
        reading.status, reading.cause = (
            "truncated",
            remark("ends_before_elapsed", "ends before its elapsed time"),
        )
        return None
    reading.details["elapsed_seconds"] = _plain(elapsed[0], mark, elapsed.line)
    if title and title[1] == "system wide":
        reading.cause = remark(
            "system_wide", "system-wide: its cpu-clock counts idle CPUs too"
        )
        reading.status = "degraded"
        return None
    user, system = (
        log.first(r"^ +(\S+) seconds user"),
        log.first(r"^ +(\S+) seconds sys"),
    )
    if user is None or system is None:
        return None
    used = sum(_plain(found[0], mark, found.line) for found in (user, system))
    if clock := log.first(r"^ +(\S+) msec task-clock"):
        counted = _plain(clock[0], mark, clock.line) / 1000
        what, source = "user and system time", "task-clock"
        held = contradiction(what, used, counted, 0.1, _STARTED, source)
        if held.cause:
            reading.judge("degraded", held.cause)
            reading.problems.append(Problem(held.cause, user.line))
    return _row(used, user.line)


def _decimal_mark(log: LogText) -> str:
    """The mark before decimals: that of the elapsed time, which has no other one."""
    found = log.first(r"^ +\d+([.,])\d+ (?:\+- .*)?seconds time")
    return found[0] if found else "."


def _plain(text: str, mark: str, line: int) -> float:
    thousands = "," if mark == "." else "."
    return number(text.replace(thousands, "").replace(mark, "."), line)


def _count(text: str, mark: str) -> str:
    return text.replace("," if mark == "." else ".", "")


def _read_fields(log: LogText, reading: Reading) -> dict[str, Any] | None:
    counters: Counters = {}
    per_cpu = False
    first = log.first(_FIELD)
    separator = first[0] if first else ","
    for line, text in enumerate(log.lines, 1):
        if text.startswith("{"):
            per_cpu |= _add_json(counters, text, line)
        elif text and not text.startswith("#"):
            per_cpu |= _add_csv(counters, text.split(separator or ","), line)
    reading.records = {"counter": len(counters)}
    reading.details = {name: value for name, (value, *_) in counters.items()}
    if log.lines[-1].strip():
        reading.status, reading.cause = "truncated", remark("last_line_no_end")
        return None
    task = counters.get("task-clock")
    if task is None or per_cpu or task[1] != "msec" or task[2] is None:
        return None
    if task[2] > 0.5 and abs(task[2] - round(task[2])) <= _WHOLE * task[2]:
        reading.status = "degraded"
        reading.cause = remark(
            "task_clock", "its task-clock may be that of whole CPUs, idle or not"
        )
        return None
    return _row(task[0] / 1000, task[3])


def _add_csv(counters: Counters, cells: list[str], line: int) -> bool:
    per_cpu = re.fullmatch(r"CPU\d+|S\d+.*", cells[0]) is not None
    cells = cells[1:] or [""] if per_cpu else cells
    if not cells[0]:
        return per_cpu  # one more metric of the counter before it
    if len(cells) < 5:
        raise UnreadableError(
            remark("no_perf_csv_line", "not a line of perf stat -x,"), line
        )
    if not re.search(r"[.,]", cells[4]):  # the share of time that it was counted
        told = remark("decimal_comma_in_csv", text=quoted(",".join(cells)))
        raise UnreadableError(told, line)
    if not cells[0].startswith("<"):
        cells = [cell.replace(",", ".") for cell in cells]
        metric = number(cells[5], line) if len(cells) > 5 and cells[5] else None
        if cells[2] in counters and not per_cpu:
            raise UnreadableError(remark("event_twice", event=cells[2]), line)
        counters[cells[2]] = (number(cells[0], line), cells[1], metric, line)
    return per_cpu


def _add_json(counters: Counters, text: str, line: int) -> bool:
    try:
        entry = json.loads(text)
        if "counter-value" not in entry and "metric-value" in entry:
            return False  # one more metric of the counter before it
        name, value = str(entry["event"]), str(entry["counter-value"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UnreadableError(
            remark("no_perf_json_line", "not a line of perf stat -j"), line
        ) from None
    if not value.startswith("<"):
        metric = entry.get("metric-value")
        # From perf 6.13 on it is a text.
        told = plain_number(metric) if isinstance(metric, str) else real(metric)
        unit = str(entry.get("unit", ""))
        if name in counters and "cpu" not in entry:
            raise UnreadableError(remark("event_twice", event=name), line)
        counters[name] = (number(value, line), unit, told, line)
    return "cpu" in entry
