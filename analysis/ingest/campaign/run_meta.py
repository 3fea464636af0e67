"""``meta.json`` of a measured run: its times, its exit status, its CPU seconds.

The driver of the benchmark wrote it: ``t_start`` and ``t_end`` in seconds since
1970, ``client_cmd`` and ``rc`` of the client, ``cpuacct_client_s`` and
``cpuacct_server_s`` from the control groups of both sides over that window,
``cpuacct_client_percpu_s`` those of each CPU. ``procstat_coverage`` is
``procstat_total_cpu_s`` by the time of all CPUs.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from analysis.facts.remark import Remark, remark
from analysis.ingest.clock import epoch_text
from analysis.ingest.logs.checks import contradiction
from analysis.ingest.logs.text import decode
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Circumstances, Problem, Reading
from analysis.ingest.tables.catalog import frame

FORMAT = "run_meta"
TITLE = "times and CPU seconds of one run (meta.json)"
TESTED = "the driver of the campaign linux-veth"
SIGNS = ("start client cmd", "start cpuacct")
_ROLES = ("client", "server")
_SOME = 0.05  # of a role's CPU time
_LABELS = {
    "configuration": ("configuration", "config"),
    "workload": ("workload",),
}
_LABEL = re.compile(r"(?<!\S)(\w+)=(\S+)")
_DURATION = re.compile(r"(?<!\S)dur(?:ation)?=(\d{1,6}(?:\.\d+)?)s?(?!\S)")
_SETUP = 30.0  # seconds that a run may take beside its transfers


def recognise(head: bytes) -> bool:
    """Whether a file that begins so tells of a run."""
    return b'"t_start"' in head and (b'"client_cmd"' in head or b'"cpuacct_' in head)


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``run_cpu`` row for the client and one for the server.

    The circumstances are its window, ``idle_before``, ``tick_coverage``, ``role_cpus``
    and an ``exit_status`` other than 0; the detail ``name`` is null where unknown.
    """
    reading = Reading(FORMAT, tool="benchmark driver")
    entries = _entries(raw, reading)
    denied = dict(_denied(entries))
    reading.problems += [Problem(w, _line(raw, name)) for name, w in denied.items()]
    sums = {n: v for n, v in entries.items() if n not in denied}
    rows = [row for role in _ROLES if (row := _cpu(sums, role, raw, reading))]
    reading.tables["run_cpu"] = frame("run_cpu", rows)
    reading.records = {"run": 1 if entries else 0}
    name = entries.get("name")
    reading.details = {"name": name if isinstance(name, str) else None}
    reading.circumstances = _circumstances(entries)
    if reading.status == "ok":
        _judge(entries, rows, reading)
    if (doubt := _doubted(entries)) and reading.status in ("ok", "degraded"):
        reading.problems.append(Problem(doubt, _line(raw, "client_cmd")))
        reading.judge("degraded", doubt)
    if reading.status in ("ok", "degraded") and denied:
        reading.judge("degraded", next(iter(denied.values())))
    return reading


def _entries(raw: Raw, reading: Reading) -> dict[str, Any]:
    text = decode(raw.read_bytes())
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        told = getattr(error, "msg", "too deep")
        reading.problems.append(Problem(remark("not_whole_json", what=told), line))
        reading.status, reading.cause = "truncated", remark("json_cut_off_damaged")
        return {}
    if isinstance(entries, dict):
        return entries
    reading.status, reading.cause = (
        "failed",
        remark("json_no_object", "the JSON is not one object"),
    )
    return {}


def _number(entries: dict[str, Any], name: str) -> float | None:
    value = entries.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 1e15 and math.isfinite(value) else None


def _cpu(
    entries: dict[str, Any], role: str, raw: Raw, reading: Reading
) -> dict[str, Any] | None:
    name = f"cpuacct_{role}_s"
    seconds = _number(entries, name)
    if seconds is None:
        return None
    line = _line(raw, name)
    if seconds <= 0:
        told = "negative" if seconds else "0: no process was in the control group"
        reading.problems.append(Problem(remark("value_is", f"{name} is {told}"), line))
        return None
    return {
        "role": role,
        "cpu_type": "CP",
        "cpu_seconds": seconds,
        "coverage": 1.0,
        "method": "cgroup",
        "scope": "cgroup",
        "position": line,
    }


def _line(raw: Raw, name: str) -> int:
    before = raw.read_bytes().split(f'"{name}"'.encode(), 1)[0]
    return before.count(b"\n") + 1


def _denied(entries: dict[str, Any]) -> Iterator[tuple[str, Remark]]:
    """Entries that others deny: sums by their parts, times by both ends."""
    numbers = {name: _number(entries, name) for name in entries}
    cpus = 0
    for role in _ROLES:
        name = f"cpuacct_{role}_s"
        if parts := _per_cpu(entries, role):
            cpus = len(parts)
            yield from _held(name, numbers.get(name), sum(parts), "the CPUs' times")
    start, end = numbers.get("t_start"), numbers.get("t_end")
    elapsed, ticks = numbers.get("elapsed_s"), numbers.get("procstat_total_cpu_s")
    if start and end:
        yield from _held("elapsed_s", elapsed, end - start, "t_start and t_end")
    if ticks and elapsed and cpus:
        share, source = ticks / elapsed / cpus, "procstat_total_cpu_s"
        name = "procstat_coverage"
        yield from _held(name, numbers.get(name), share, source)


def _doubted(entries: dict[str, Any]) -> Remark | None:
    """How far the elapsed time is from the duration that the client was called with: a
    run is no shorter, and may have several phases and a set-up."""
    asked = _DURATION.search(str(entries.get("client_cmd")))
    elapsed = _number(entries, "elapsed_s")
    if asked is None or elapsed is None or _exit_status(entries):
        return None
    seconds = float(asked[1])
    if 0.9 * seconds <= elapsed <= 10 * seconds + _SETUP:
        return None
    return remark(
        "asked_and_elapsed",
        f"the client was called for {seconds:g} s, but the run took {elapsed:g} s",
    )


def _held(
    name: str, value: float | None, computed: float, source: str
) -> Iterator[tuple[str, Remark]]:
    if value is not None:
        verdict = contradiction(name, value, computed, 0.02, 0.01, source)
        if verdict.cause:
            yield name, verdict.cause


def _per_cpu(entries: dict[str, Any], role: str) -> list[float]:
    """The time of a role on each CPU; empty where it is not told."""
    parts: Any = entries.get(f"cpuacct_{role}_percpu_s")
    told = isinstance(parts, list) and all(type(p) in (int, float) for p in parts)
    return parts if told else []


def _role_cpus(entries: dict[str, Any]) -> dict[str, int] | None:
    """On how many CPUs each role spent more than a trace of its time."""
    times = {role: _per_cpu(entries, role) for role in _ROLES}
    found = {
        role: sum(part > _SOME * sum(parts) for part in parts)
        for role, parts in times.items()
    }
    return {role: cpus for role, cpus in found.items() if cpus} or None


def _exit_status(entries: dict[str, Any]) -> int | None:
    """That of a client that failed; null of one that ended well, or is not told."""
    status = entries.get("rc")
    return status if isinstance(status, int) and status else None


def _labels(entries: dict[str, Any]) -> dict[str, str]:
    """What the driver calls the run: entries, or words of its note; paths tell none."""
    told = dict(_LABEL.findall(str(entries.get("note"))))
    told |= {name: str(v) for name, v in entries.items() if type(v) in (int, str)}
    return {
        label: told[name]
        for label, names in _LABELS.items()
        for name in names
        if name in told
    }


def _circumstances(entries: dict[str, Any]) -> Circumstances:
    start, end = _number(entries, "t_start"), _number(entries, "t_end")
    command = entries.get("client_cmd")
    return Circumstances(
        start_utc=epoch_text(start) if start is not None else None,
        end_utc=epoch_text(end) if end is not None else None,
        idle_before=_number(entries, "idle_before_run"),
        tick_coverage=_number(entries, "procstat_coverage"),
        role_cpus=_role_cpus(entries),
        command=command if isinstance(command, str) else None,
        exit_status=_exit_status(entries),
        labels=_labels(entries) or None,
    )


def _judge(
    entries: dict[str, Any], rows: list[dict[str, Any]], reading: Reading
) -> None:
    start, end = _number(entries, "t_start"), _number(entries, "t_end")
    if start is None or end is None or end <= start:
        reading.status, reading.cause = (
            "degraded",
            remark("no_window", "the run has no window of time"),
        )
    elif len(rows) < len(_ROLES):
        reading.status = "degraded"
        reading.cause = remark(
            "cpu_seconds_missing", "CPU seconds of client or server are missing"
        )
    if status := _exit_status(entries):
        ended = remark("client_exit_status", status=status)
        reading.problems.append(Problem(ended))
