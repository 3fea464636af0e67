"""``meta.json`` of a measured run: its times, its exit status, its CPU seconds.

The driver of the benchmark wrote it: ``t_start`` and ``t_end`` in seconds since
1970, ``client_cmd`` and ``rc`` of the client, ``cpuacct_client_s`` and
``cpuacct_server_s`` from the control groups of both sides over that window,
``cpuacct_client_percpu_s`` those of each CPU. ``boot_id`` is that of the kernel
(/proc/sys/kernel/random/boot_id). ``procstat_coverage`` is
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
_ROLES = ("client", "server")
_SOME = 0.05  # of a role's CPU time
_LABELS = {"configuration": "configuration", "config": "configuration",
           "workload": "workload", "session": "session"}  # fmt: skip
_MEASURED = {"cpu_type": "CP", "coverage": 1.0, "method": "cgroup", "scope": "cgroup"}
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
    data = raw.read_bytes()
    entries = _entries(decode(data), reading)
    numbers = {name: n for name in entries if (n := _number(entries[name])) is not None}
    on_cpus = {role: _on_cpus(entries, role) for role in _ROLES}

    def line_of(name: str) -> int:
        return data.split(f'"{name}"'.encode(), 1)[0].count(b"\n") + 1

    def note(problem: Remark, name: str) -> None:
        reading.problems.append(Problem(problem, line_of(name)))

    denied = dict(_denied(numbers, on_cpus))
    for name, contradicted in denied.items():
        note(contradicted, name)
    rows = []
    for role in _ROLES:
        seconds = numbers.get(name := f"cpuacct_{role}_s")
        if seconds is None or name in denied:
            continue
        if seconds <= 0:
            odd = "negative" if seconds else "0: no process was in the control group"
            note(remark("value_is", f"{name} is {odd}"), name)
            continue
        at = {"role": role, "cpu_seconds": seconds, "position": line_of(name)}
        rows.append(at | _MEASURED)
    reading.tables["run_cpu"] = frame("run_cpu", rows)
    reading.records = {"run": 1 if entries else 0}
    called = entries.get("name")
    reading.details = {"name": called if isinstance(called, str) else None}
    known = reading.circumstances = _circumstances(entries, numbers, on_cpus)
    if reading.status != "ok":
        return reading
    if known.window is None:
        what = remark("no_window", "the run has no window of time")
        reading.judge("degraded", what)
    elif len(rows) < len(_ROLES) and any(
        name.startswith("cpuacct_") for name in entries
    ):
        words = "CPU seconds of client or server are missing"
        reading.judge("degraded", remark("cpu_seconds_missing", words))
    if known.exit_status:
        ended = remark("client_exit_status", status=known.exit_status)
        reading.problems.append(Problem(ended))
    elif doubt := _doubted(str(entries.get("client_cmd")), numbers.get("elapsed_s")):
        note(doubt, "client_cmd")
        reading.judge("degraded", doubt)
    if denied:
        reading.judge("degraded", next(iter(denied.values())))
    return reading


def _entries(text: str, reading: Reading) -> dict[str, Any]:
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError) as error:
        what = getattr(error, "msg", "too deep")
        problem = Problem(
            remark("not_whole_json", what=what), getattr(error, "lineno", None)
        )
        reading.problems.append(problem)
        reading.judge("truncated", remark("json_cut_off_damaged"))
        return {}
    if isinstance(entries, dict):
        return entries
    reading.judge("failed", remark("json_no_object", "the JSON is not one object"))
    return {}


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 1e15 and math.isfinite(value) else None


def _on_cpus(entries: dict[str, Any], role: str) -> list[float]:
    """The time of a role on each CPU; empty where it is not told."""
    parts: Any = entries.get(f"cpuacct_{role}_percpu_s")
    is_told = isinstance(parts, list) and all(type(p) in (int, float) for p in parts)
    return parts if is_told else []


def _denied(
    numbers: dict[str, float], on_cpus: dict[str, list[float]]
) -> Iterator[tuple[str, Remark]]:
    """Entries that others deny: sums by their parts, times by both ends."""
    computed: list[tuple[str, float, str]] = [
        (f"cpuacct_{role}_s", sum(parts), "the CPUs' times")
        for role, parts in on_cpus.items()
        if parts
    ]
    cpus = [len(parts) for parts in on_cpus.values() if parts]
    start, end = numbers.get("t_start"), numbers.get("t_end")
    elapsed, ticks = numbers.get("elapsed_s"), numbers.get("procstat_total_cpu_s")
    if start and end:
        computed.append(("elapsed_s", end - start, "t_start and t_end"))
    if ticks and elapsed and cpus:
        share = ticks / elapsed / cpus[-1]
        computed.append(("procstat_coverage", share, "procstat_total_cpu_s"))
    for name, value, source in computed:
        if name in numbers:
            verdict = contradiction(name, numbers[name], value, 0.02, 0.01, source)
            if verdict.cause:
                yield name, verdict.cause


def _doubted(command: str, elapsed: float | None) -> Remark | None:
    """How far the elapsed time is from the duration that the client was called with: a
    run is no shorter, and may have several phases and a set-up."""
    asked = _DURATION.search(command)
    if asked is None or elapsed is None:
        return None
    seconds = float(asked[1])
    if 0.9 * seconds <= elapsed <= 10 * seconds + _SETUP:
        return None
    return remark(
        "asked_and_elapsed",
        f"the client was called for {seconds:g} s, but the run took {elapsed:g} s",
    )


def _circumstances(
    entries: dict[str, Any], numbers: dict[str, float], on_cpus: dict[str, list[float]]
) -> Circumstances:
    start, end = (numbers.get(name) for name in ("t_start", "t_end"))
    command, status = entries.get("client_cmd"), entries.get("rc")
    used = {
        role: sum(part > _SOME * sum(parts) for part in parts)
        for role, parts in on_cpus.items()
    }
    # What the driver calls the run: entries, or words of its note; paths tell none.
    named = dict(_LABEL.findall(str(entries.get("note"))))
    named |= {name: str(v) for name, v in entries.items() if type(v) in (int, str)}
    boot = entries.get("boot_id")
    return Circumstances(
        boot_id=boot.strip() if isinstance(boot, str) else None,
        start_utc=epoch_text(start) if start is not None else None,
        end_utc=epoch_text(end) if end is not None else None,
        idle_before=numbers.get("idle_before_run"),
        tick_coverage=numbers.get("procstat_coverage"),
        role_cpus={role: cpus for role, cpus in used.items() if cpus} or None,
        command=command if isinstance(command, str) else None,
        exit_status=status if isinstance(status, int) and status else None,
        labels={_LABELS[n]: named[n] for n in _LABELS if n in named} or None,
    )
