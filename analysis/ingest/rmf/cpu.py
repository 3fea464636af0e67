"""CPU activity of one interval: averages by CPU type, and time by partition.

RMF's rules, which reproduce the printed TOTAL/AVERAGE lines: LPAR busy is the mean
over the online CPUs of a type; MVS busy is weighted by the time that each CPU was
not parked. A CPU that was online for a part of the interval counts for that part.
With multithreading a row is a thread, and one thread of a core has the LPAR busy of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import NamedTuple

from analysis.facts.remark import remark
from analysis.ingest.logs.checks import WRONG
from analysis.ingest.rmf.collect import Collector
from analysis.ingest.rmf.figures import clock_seconds, cpu_type, number
from analysis.ingest.rmf.report import Fields, Report, ReportPart, Row, column

MACHINE = (
    "CPU", "Model", "Sequence Code", "HiperDispatch", "Change Reason", "Boost Type",
    "Boost Class", "MVS Partition Name", "Wait Completion", "Release",
)  # fmt: skip
_MORE = 1.01  # of the time of all logical CPUs, which are printed with one decimal
# Two printed figures are rounded: half of the last digit each.
_ROUNDING = 0.01 - 1e-9
_SHARES = {"online": "time online", "lpar_busy": "LPAR busy", "mvs_busy": "MVS busy",
           "parked": "parked time"}  # fmt: skip
_CPU: Fields = (
    column("kind", cpu_type, "type"),
    column("number", str, "cpu number"),
    *(column(name, number, name.replace("_", " ")) for name in _SHARES),
)
_PARTITION: Fields = (
    column("cpu_type", cpu_type, "proc type"),
    column("dedicated", lambda weight: weight.upper().startswith("DED"), "weight"),
    column("online_cpus", number, "num + proc"),
    column("effective_seconds", clock_seconds, "effective dispatch time"),
    column("dispatch_seconds", clock_seconds, "total dispatch time"),
)


class _Cpu(NamedTuple):
    """One row of the report, in percent; null where nothing is printed."""

    kind: str
    online: float
    lpar_busy: float | None
    mvs_busy: float | None
    parked: float


def add_cpu(report: Report, to: Collector) -> None:
    """The rows of ``cpu_interval`` and ``partition_interval``, and what is odd.

    In ``cpu_interval``, ``busy_pct`` is LPAR busy and ``busy_seconds`` are the
    partition's dispatch seconds (``basis`` ``dispatch``, 1 ms), or LPAR busy × online
    CPUs × seconds (``lpar_busy``) where dispatch time is missing or contains waits.
    """
    values = report.values
    machine = {name: values[name] for name in MACHINE if name in values}
    to.reading.details["machine"] = machine
    state = _state(machine)
    to.boosts.update(
        dict.fromkeys(filter(None, (state["boost"], state["boost_class"])))
    )
    tables = (part for part in report.parts if part.at("lpar busy") is not None)
    table = next(
        (p for p in tables if p.rows and p.at("type") is not None), ReportPart()
    )
    cpus = _cpus(table, report, to)
    totals = {row.get("kind", ""): row for row in table.read(_CPU, table.totals[::-1])}
    partitions: list[Row] = [
        {"partition": cells[0], "dedicated": False, **row}
        for part in report.parts
        if part.at("total dispatch time") is not None
        for cells, row in zip(part.rows, part.read(_PARTITION), strict=True)
        if row.get("cpu_type")
    ]
    # With wait completion, and on dedicated processors, a waiting processor stays
    # dispatched: that is no time used.
    reporting = machine.get("MVS Partition Name")
    waits = machine.get("Wait Completion", "").upper() != "NO"
    used: dict[str, Row] = {
        row["cpu_type"]: row
        for row in partitions[::-1]
        if row["partition"] == reporting and not row["dedicated"] and not waits
    }
    averages = [
        average | state
        for kind in dict.fromkeys(cpu.kind for cpu in cpus)
        if (online := [cpu for cpu in cpus if cpu.kind == kind and cpu.online > 0])
        and (average := _average(online, totals.get(kind, {}), used, report, to))
    ]
    if not cpus:
        what = remark("no_table_of_cpus", "CPU report without a table of CPUs")
        to.lost(what, report.place)
    elif not any(cpu.online for cpu in cpus):
        to.lost(remark("no_cpu_online", "no CPU was online"), report.place)
    for row in averages:
        to.add("cpu_interval", report, row)
    for row in partitions:
        _add_partition(row, reporting, report, to)


def _state(machine: dict[str, str]) -> dict[str, str | None]:
    """What machine and system were like: the boosts that were active, such as ``Boost
    Type SPEED``, and why the capacity was changed; the type of the CPC and the release
    of z/OS. Null where nothing is told."""
    none = ("NONE", "N/A")
    known = {k: v for k, v in machine.items() if v.upper() not in none}
    boosts = [
        f"{name} {known[name]}" if name in known else None
        for name in ("Boost Type", "Boost Class")
    ]
    return {
        "boost": boosts[0],
        "boost_class": boosts[1],
        "capacity_change": known.get("Change Reason"),
        "machine_type": known.get("CPU"),
        "release": known.get("Release"),
    }


def _cpus(part: ReportPart, report: Report, to: Collector) -> list[_Cpu]:
    """The rows, without percentages that cannot be."""
    cpus = []
    known = set()
    for row in part.read(_CPU):
        kind = row.get("kind")
        if not kind:
            continue
        online, lpar_busy, mvs_busy, parked = (
            to.percentage(row.get(name), f"{text} of a {kind}", report.place)
            for name, text in _SHARES.items()
        )
        if part.at("online") is None:
            online = 100.0
        cpus.append(_Cpu(kind, online or 0.0, lpar_busy, mvs_busy, parked or 0.0))
        # A core has LPAR busy once, whatever number its threads have.
        is_thread = row.get("mvs_busy") is not None and row.get("lpar_busy") is None
        core = (row.get("number"), kind)
        if core in known:
            what = f"CPU {core[0]} of type {kind} is there twice"
            to.lost(remark("cpu_twice", what), report.place)
        if core[0] and not is_thread:
            known.add(core)
    return cpus


def _average(
    online: list[_Cpu],
    printed: Row,
    used: dict[str, Row],
    report: Report,
    to: Collector,
) -> Row:
    """The averages of the CPUs of one type that were online, empty without a figure.

    Dispatch time and LPAR busy tell the same time, the former with 1 ms resolution.
    Where they differ, processors came or went: LPAR busy counts. Where the printed
    averages differ by so much that one must be wrong, the report is not sound.
    """
    kind = online[0].kind
    cores = [cpu for cpu in online if cpu.lpar_busy is not None]
    cpus = sum(cpu.online for cpu in cores) / 100
    busy = _mean((cpu.lpar_busy, cpu.online) for cpu in cores)
    mvs = _mean((cpu.mvs_busy, cpu.online * (100 - cpu.parked)) for cpu in online)
    if busy is None:
        what = f"{kind} has no figure of LPAR busy"
        to.lost(remark("no_lpar_busy", what), report.place)
        return {}
    capacity = cpus * report.seconds
    seconds, basis = busy / 100 * capacity, "lpar_busy"
    times = used.get(kind, {})
    dispatched = times.get("dispatch_seconds")
    if dispatched is not None:
        if abs(dispatched - seconds) > 2 * _ROUNDING / 100 * capacity + 0.001:
            what = (
                f"LPAR busy of {kind} is {seconds:.3f} s, but dispatch time is "
                f"{dispatched:.3f} s; LPAR busy was taken"
            )
            to.problem(remark("dispatch_differs", what), report.place)
        else:
            seconds, basis = dispatched, "dispatch"
    for name, mean, total, rounding in (
        ("LPAR busy", busy, printed.get("lpar_busy"), _ROUNDING),
        ("MVS busy", mvs, printed.get("mvs_busy"), _mvs_rounding(online)),
    ):
        if mean is not None and total is not None and abs(mean - total) >= rounding:
            what = (
                f"{name} of {kind}: the lines of the CPUs give {mean:.2f}, "
                f"TOTAL/AVERAGE is printed as {total:.2f}"
            )
            is_wrong = abs(mean - total) > rounding + WRONG * total
            tell = to.lost if is_wrong else to.problem
            tell(remark("average_differs", what), report.place)
    return {
        "cpu_type": kind,
        "online_cpus": cpus,
        "busy_pct": busy,
        "busy_seconds": seconds,
        "mvs_busy_pct": mvs,
        "parked_pct": _mean((cpu.parked, cpu.online) for cpu in online),
        "dispatch_seconds": dispatched,
        "effective_seconds": times.get("effective_seconds"),
        "basis": basis,
    }


def _mean(weighted: Iterable[tuple[float | None, float]]) -> float | None:
    """Weighted mean of the values that are there; null where no weight is left."""
    whole = total = 0.0
    for value, weight in weighted:
        if value is not None:
            whole += value * weight
            total += weight
    return whole / total if total else None


def _mvs_rounding(online: list[_Cpu]) -> float:
    """What rounding can do to the average of MVS busy.

    Parked time is rounded too, and with it the weight of each CPU; of a CPU that is
    printed as fully parked, neither weight nor MVS busy is known.
    """
    if not any(cpu.parked for cpu in online):
        return _ROUNDING
    mean = _mean((cpu.mvs_busy, 100 - cpu.parked) for cpu in online) or 0.0
    weight = sum(100 - cpu.parked for cpu in online if cpu.mvs_busy is not None)
    away = [
        abs(cpu.mvs_busy - mean) if cpu.mvs_busy is not None else 100.0
        for cpu in online
        if cpu.parked > 0
    ]
    return _ROUNDING + 0.005 * sum(away) / weight if weight > 1e-9 else inf


def _add_partition(
    row: Row, reporting: str | None, report: Report, to: Collector
) -> None:
    """The row of ``partition_interval``, if the time can be."""
    most = (row.get("online_cpus") or inf) * report.seconds
    used, name = row.get("dispatch_seconds") or 0.0, row["partition"]
    if used > _MORE * most:
        what = (
            f"partition {name} was dispatched for {used:.3f} s, more than the "
            f"{most:.0f} s of its CPUs: it was not used"
        )
        to.lost(remark("partition_time", what), report.place)
        return
    names = {"partition": name.strip("*"), "own": name == reporting}
    to.add("partition_interval", report, row | names)
