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

from analysis.facts.remark import remark
from analysis.ingest.linux.cpu import CUT, add_command, is_one
from analysis.ingest.logs.checks import contradiction
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import (
    Found,
    LogText,
    UnreadableError,
    number,
    plain_number,
    quoted,
)
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading, Verdict

FORMAT = "perf_stat"
TITLE = "perf stat"
TESTED = "perf 6.1"
_TEXT = r"^ *Performance counter stats for ('?)(.+?)\1( \(\d+ runs\))?:"
_CELLS = (
    r"(?:CPU\d+[,;|\t]|S\d+[-,;|\t](?:[^,;|\t\n]*[,;|\t])?)?"
    r"(?:\d[\d.]*(?:,\d+)?|<not \w+>)([,;|\t])\w*\1[\w:/.-]+\1\d+\1"
)
_FIELDS = re.compile(rb"(?:#[^\n]*\n|\s)*" + _CELLS.encode() + rb"\d+[.,]?\d*\1")
_FIELD = rf"^{_CELLS}|^\{{\""
_JSON = re.compile(rb'\s*\{"(?:\w+" : "?[^,\n]*, ")?counter-value" : "')
_STARTED = 0.02  # CPU seconds of perf itself until the command runs
_WHOLE = 0.01  # a share of CPUs nearer to a whole number may be all of their time
Counter = tuple[float, str, float | None, int]  # value, unit, metric of its line, line
Entry = tuple[str, str, str, str]  # event, value, unit, metric


def recognise(head: bytes) -> bool:
    """Whether a file that begins so was written by ``perf stat``."""
    if b"Performance counter stats for " in head:
        return True
    return bool(_FIELDS.match(head) or _JSON.match(head))


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """At most one ``run_cpu`` row, of scope process; counters as details."""
    return read_log(raw, FORMAT, "perf stat", _parse)


def _parse(log: LogText) -> list[Result]:
    out = Result()
    titles, fields = list(log.each(_TEXT)), log.first(_FIELD)
    heads = [title.line for title in titles]
    if not is_one([*heads, fields.line] if titles and fields else heads, out):
        return [out]
    if titles:
        _parse_text(titles[0], log, out)
    else:
        _parse_fields(fields[0] if fields else ",", log, out)
    if not out.tables and out.status == "ok":
        words = "it does not tell the CPU time of a process"
        out.judge("degraded", remark("no_process_time", words))
    return [out]


def _parse_text(title: Found, log: LogText, out: Result) -> None:
    elapsed = log.first(r"^ +(\S+) (?:\+- .*)?seconds time")
    counters = list(log.each(r"^ +(\d\S*) +[\w:/.-]+(?: |$)"))
    out.records = {"counter": len(counters)}
    out.details = {"of": title[1]}
    if elapsed is None:
        cut = remark("ends_before_elapsed", "ends before its elapsed time")
        out.judge("truncated", cut)
        return
    # Before its decimals the elapsed time has the mark of the locale, and no other one.
    comma = re.fullmatch(r"\d+,\d+", elapsed[0]) is not None

    def value(count: Found) -> float:
        point, thousands = (",", ".") if comma else (".", ",")
        text = count[0].replace(thousands, "").replace(point, ".")
        return number(text, count.line)

    out.details["elapsed_seconds"] = value(elapsed)
    if title[1] == "system wide":
        words = "system-wide: its cpu-clock counts idle CPUs too"
        out.judge("degraded", remark("system_wide", words))
        return
    user = log.first(r"^ +(\S+) seconds user")
    system = log.first(r"^ +(\S+) seconds sys")
    if user is None or system is None:
        return
    used = value(user) + value(system)
    if clock := log.first(r"^ +(\S+) msec task-clock"):
        what, source = "user and system time", "task-clock"
        counted = value(clock) / 1000
        held = contradiction(what, used, counted, 0.1, _STARTED, source)
        out.hold(Verdict("degraded" if held.cause else "ok", held.cause), user.line)
    add_command(out, "perf", used, user.line)


def _parse_fields(separator: str, log: LogText, out: Result) -> None:
    counters: dict[str, Counter] = {}
    per_cpu = False
    for line, text in enumerate(log.lines, 1):
        if not text or text.startswith("#"):
            continue
        if text.startswith("{"):
            entry, of_cpu = _json_entry(text, line), '"cpu"' in text
        else:
            cells = text.split(separator or ",")
            of_cpu = re.fullmatch(r"CPU\d+|S\d+.*", cells[0]) is not None
            entry = _csv_entry(cells[1:] if of_cpu else cells, line)
        per_cpu |= of_cpu
        if entry is None or entry[1].startswith("<"):
            continue  # one more metric of the counter before it, or not counted
        event, value, unit, metric = entry
        if event in counters and not of_cpu:
            raise UnreadableError(remark("event_twice", event=event), line)
        counters[event] = number(value, line), unit, plain_number(metric), line
    out.records = {"counter": len(counters)}
    out.details = {event: counter[0] for event, counter in counters.items()}
    if log.lines[-1].strip():
        out.judge("truncated", CUT)
        return
    used, unit, cpus, line = counters.get("task-clock", (0.0, "", None, 0))
    if per_cpu or unit != "msec" or cpus is None:
        return
    if cpus > 0.5 and abs(cpus - round(cpus)) <= _WHOLE * cpus:
        words = "its task-clock may be that of whole CPUs, idle or not"
        out.judge("degraded", remark("task_clock", words))
        return
    add_command(out, "perf", used / 1000, line)


def _csv_entry(cells: list[str], line: int) -> Entry | None:
    """The counter of a line of ``-x``, without its CPU; null where it has none."""
    if not any(cells[:1]):
        return None
    if len(cells) < 5:
        wrong = remark("no_perf_csv_line", "not a line of perf stat -x,")
        raise UnreadableError(wrong, line)
    if not re.search(r"[.,]", cells[4]):  # the share of time that it was counted
        wrong = remark("decimal_comma_in_csv", text=quoted(",".join(cells)))
        raise UnreadableError(wrong, line)
    value, unit, event, *_ = cells
    metric = "".join(cells[5:6]).replace(",", ".")
    return event, value.replace(",", "."), unit, metric


def _json_entry(text: str, line: int) -> Entry | None:
    """The counter of a line of ``-j``; null where it has none."""
    try:
        entry = json.loads(text)
        if "counter-value" not in entry and "metric-value" in entry:
            return None
        unit, metric = entry.get("unit", ""), entry.get("metric-value")
        cells = entry["event"], entry["counter-value"], unit, metric
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        wrong = remark("no_perf_json_line", "not a line of perf stat -j")
        raise UnreadableError(wrong, line) from None
    event, value, unit, metric = map(str, cells)
    return event, value, unit, metric
