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
from collections.abc import Sequence

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
_HARDWARE = re.compile(r"(?:cpu\w*/)?(cycles|cpu-cycles|instructions)/?(?::(\w+))?/?")
_ENERGY = "power/energy-pkg/"
Counter = tuple[float, str, float | None, int]  # value, unit, metric of its line, line
Count = tuple[str, float, int]  # event, value, line
_NAMED = r"[\w:/.-]+"
Entry = tuple[str, str, str, str]  # event, value, unit, metric


def recognise(head: bytes) -> bool:
    """Whether a file that begins so was written by ``perf stat``."""
    if b"Performance counter stats for " in head:
        return True
    return bool(_FIELDS.match(head) or _JSON.match(head))


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """At most one ``run_cpu`` row, of scope process; ``run_counter`` rows of cycles,
    instructions and the energy of processor packages; other counters as details."""
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

    seconds = out.details["elapsed_seconds"] = value(elapsed)
    scope = "system" if title[1] == "system wide" else "process"
    known: list[Count] = []
    for count in log.each(rf"^ +(\d\S*) +(?:Joules +)?({_NAMED})(?: |$)"):
        if not title[1].startswith("CPU(s)"):
            known.append((count[1], value(count), count.line))
    clock = log.first(r"^ +(\S+) msec task-clock")
    counted = value(clock) / 1000 if clock and scope == "process" else None
    _add_counters(out, known, scope, seconds, counted)
    if scope == "system" and "run_counter" in out.tables:
        return
    if scope == "system":
        words = "system-wide: its cpu-clock counts idle CPUs too"
        out.judge("degraded", remark("system_wide", words))
        return
    user = log.first(r"^ +(\S+) seconds user")
    system = log.first(r"^ +(\S+) seconds sys")
    if user is None or system is None:
        return
    used = value(user) + value(system)
    if counted is not None:
        what, source = "user and system time", "task-clock"
        held = contradiction(what, used, counted, 0.1, _STARTED, source)
        out.hold(Verdict("degraded" if held.cause else "ok", held.cause), user.line)
    add_command(out, "perf", used, user.line)


def _parse_fields(separator: str, log: LogText, out: Result) -> None:
    counters: dict[str, Counter] = {}
    known: list[Count] = []
    per_cpu = False
    for line, text in enumerate(log.lines, 1):
        if not text or text.startswith("#"):
            continue
        if text.startswith("{"):
            entry, of_cpu = _json_entry(text, line), '"cpu"' in text
        else:
            cells = text.split(separator or ",")
            of_cpu = re.fullmatch(r"CPU\d+|S\d+.*", cells[0]) is not None
            # a socket's line also says of how many of its CPUs it is
            begins = 0 if not of_cpu else 2 if cells[0].startswith("S") else 1
            entry = _csv_entry(cells[begins:], line)
        per_cpu |= of_cpu
        if entry is None or entry[1].startswith("<"):
            continue  # one more metric of the counter before it, or not counted
        event, value, unit, metric = entry
        if event in counters and not of_cpu:
            raise UnreadableError(remark("event_twice", event=event), line)
        counters[event] = number(value, line), unit, plain_number(metric), line
        known.append((event, counters[event][0], line))
    out.records = {"counter": len(counters)}
    out.details = {event: counter[0] for event, counter in counters.items()}
    if log.lines[-1].strip():
        out.judge("truncated", CUT)
        return
    used, unit, cpus, line = counters.get("task-clock", (0.0, "", None, 0))
    told = not per_cpu and unit == "msec" and cpus is not None
    whole = cpus is not None and cpus > 0.5 and abs(cpus - round(cpus)) <= _WHOLE * cpus
    of_process = told and not whole
    scope = "system" if per_cpu else "process" if of_process else ""
    _add_counters(out, known, scope, None, used / 1000 if of_process else None)
    if not told:
        return
    if whole:
        words = "its task-clock may be that of whole CPUs, idle or not"
        out.judge("degraded", remark("task_clock", words))
        return
    add_command(out, "perf", used / 1000, line)


def _add_counters(
    out: Result,
    counts: Sequence[Count],
    scope: str,
    seconds: float | None,
    counted: float | None,
) -> None:
    """Add cycles and instructions, of all kinds of cores together, as a row of
    ``run_counter`` of a ``scope``, and the energy of all packages, which is always that
    of the system. What was counted in user mode alone is no path length."""
    sums: dict[str, float] = {}
    first = min((line for *_, line in counts), default=1)
    for event, value, line in counts:
        if event.rstrip("/") == _ENERGY.rstrip("/"):
            sums["joules"] = sums.get("joules", 0.0) + value
        elif hardware := _HARDWARE.fullmatch(event):
            modes = set(hardware[2] or "") & set("ukh")
            if modes and modes != {*"uk"}:
                words = f"{event} is not of all modes; measure without :{hardware[2]}"
                out.note(remark("counter_of_one_mode", words), line)
            elif scope:
                name = hardware[1].removeprefix("cpu-")
                sums[name] = sums.get(name, 0) + value
            else:
                words = f"nothing tells of what {event} is; keep the text of perf stat"
                out.note(remark("counter_of_unknown", words), line)
    shared = {"seconds": seconds, "basis": "perf", "position": first}
    rows = []
    if sums.keys() >= {"cycles", "instructions"}:
        pair = {name: round(sums[name]) for name in ("cycles", "instructions")}
        rows.append(shared | pair | {"scope": scope, "counted_seconds": counted})
    if "joules" in sums:
        rows.append(shared | {"joules": sums["joules"], "scope": "system"})
    if rows:
        out.tables["run_counter"] = rows


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
