"""CPU activity of one interval: averages by CPU type, and time by partition.

RMF's rules, which reproduce the printed TOTAL/AVERAGE lines: LPAR busy is the mean
over the online CPUs of a type; MVS busy is weighted by the time that each CPU was
not parked. A CPU that was online for a part of the interval counts for that part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import inf

from analysis.facts.remark import Remark, remark
from analysis.ingest.logs.checks import WRONG
from analysis.ingest.rmf.clock import ReportInterval
from analysis.ingest.rmf.collect import MOST_PERCENT, Collector, Row
from analysis.ingest.rmf.cpu_report import CpuLine, CpuReport

_MORE = 1.01  # of the time of all logical CPUs, which are printed with one decimal
# Two printed figures are rounded: half of the last digit each.
ROUNDING = 0.01 - 1e-9


@dataclass(frozen=True)
class TypeAverage:
    """All CPUs of one type in one interval; percentages, and a number of CPUs."""

    kind: str
    online_cpus: float
    busy_pct: float | None
    mvs_busy_pct: float | None
    parked_pct: float | None
    reported_busy: float | None
    reported_mvs: float | None
    mvs_rounding: float
    dispatch_seconds: float | None
    effective_seconds: float | None = None

    def busy_seconds(self, seconds: float) -> tuple[float, str]:
        """CPU seconds of an interval, and their basis.

        Dispatch time and LPAR busy tell the same time, the former with 1 ms
        resolution. Where they differ, processors came or went: LPAR busy counts.
        """
        capacity = self.online_cpus * seconds
        used = (self.busy_pct or 0.0) / 100 * capacity
        if self.dispatch_seconds is None:
            return used, "lpar_busy"
        if abs(self.dispatch_seconds - used) > 2 * ROUNDING / 100 * capacity + 0.001:
            return used, "lpar_busy"
        return self.dispatch_seconds, "dispatch"

    def differences(self, seconds: float) -> Iterator[tuple[Remark, bool]]:
        """What other figures of the report say that the CPUs' lines do not bear out,
        and whether by so much that one of them must be wrong."""
        used, basis = self.busy_seconds(seconds)
        if self.dispatch_seconds is not None and basis == "lpar_busy":
            told = remark(
                "dispatch_differs",
                f"LPAR busy of {self.kind} is {used:.3f} s, but dispatch time is "
                f"{self.dispatch_seconds:.3f} s; LPAR busy was taken",
            )
            yield told, False
        pairs = (
            ("LPAR busy", self.busy_pct, self.reported_busy, ROUNDING),
            ("MVS busy", self.mvs_busy_pct, self.reported_mvs, self.mvs_rounding),
        )
        for name, derived, reported, rounding in pairs:
            if derived is None or reported is None:
                continue
            if abs(derived - reported) >= rounding:
                told = remark(
                    "average_differs",
                    f"{name} of {self.kind}: the lines of the CPUs give {derived:.2f}, "
                    f"TOTAL/AVERAGE is printed as {reported:.2f}",
                )
                yield told, abs(derived - reported) > rounding + WRONG * reported

    def row(self, seconds: float) -> Row:
        """The columns of ``cpu_interval``."""
        used, basis = self.busy_seconds(seconds)
        return {
            "cpu_type": self.kind,
            "online_cpus": self.online_cpus,
            "busy_pct": self.busy_pct,
            "busy_seconds": used,
            "mvs_busy_pct": self.mvs_busy_pct,
            "parked_pct": self.parked_pct,
            "dispatch_seconds": self.dispatch_seconds,
            "effective_seconds": self.effective_seconds,
            "basis": basis,
        }


def averages(report: CpuReport) -> list[TypeAverage]:
    """One average for each CPU type that was online, in the order of the report."""
    kinds = dict.fromkeys(cpu.kind for cpu in report.cpus)
    found = (_average(kind, report) for kind in kinds)
    return [average for average in found if average.online_cpus > 0]


def _average(kind: str, report: CpuReport) -> TypeAverage:
    online = [cpu for cpu in report.cpus if cpu.kind == kind and cpu.online > 0]
    cores = [cpu for cpu in online if cpu.lpar_busy is not None]
    own = report.dispatched(kind)
    return TypeAverage(
        kind,
        sum(cpu.online for cpu in cores) / 100,
        _mean((cpu.lpar_busy, cpu.online) for cpu in cores),
        _mean((cpu.mvs_busy, cpu.online * (100 - cpu.parked)) for cpu in online),
        _mean((cpu.parked, cpu.online) for cpu in online),
        *report.totals.get(kind, (None, None)),
        _mvs_rounding(online),
        own.total if own else None,
        own.effective if own else None,
    )


def _mean(weighted: Iterable[tuple[float | None, float]]) -> float | None:
    """Weighted mean of the values that are there; null where no weight is left."""
    found = total = 0.0
    for value, weight in weighted:
        if value is not None:
            found += value * weight
            total += weight
    return found / total if total else None


def _mvs_rounding(online: list[CpuLine]) -> float:
    """What rounding can do to the average of MVS busy.

    Parked time is rounded too, and with it the weight of each CPU; of a CPU that is
    printed as fully parked, neither weight nor MVS busy is known.
    """
    if not any(cpu.parked for cpu in online):
        return ROUNDING
    mean = _mean((cpu.mvs_busy, 100 - cpu.parked) for cpu in online) or 0.0
    weight = sum(100 - cpu.parked for cpu in online if cpu.mvs_busy is not None)
    away = [
        abs(cpu.mvs_busy - mean) if cpu.mvs_busy is not None else 100.0
        for cpu in online
        if cpu.parked > 0
    ]
    return ROUNDING + 0.005 * sum(away) / weight if weight > 1e-9 else float("inf")


def add_cpu(report: CpuReport, interval: ReportInterval, to: Collector) -> None:
    """The rows of ``cpu_interval`` and ``partition_interval``, and what is odd."""
    state = report.state()
    report.cpus = [_possible(cpu, interval, to) for cpu in report.cpus]
    if report.twice:
        number, kind = report.twice
        to.lost(
            remark("cpu_twice", f"CPU {number} of type {kind} is there twice"),
            interval.position,
        )
    boosts = (state["boost"], state["boost_class"])
    to.boosts.update(dict.fromkeys(boost for boost in boosts if boost))
    found = averages(report)
    if not found:
        said = remark("no_table_of_cpus", "CPU report without a table of CPUs")
        if report.cpus:
            said = remark(
                "no_lpar_busy", "no CPU that was online has a figure of LPAR busy"
            )
        to.lost(said, interval.position)
    for average in found:
        for said, is_wrong in average.differences(interval.length):
            (to.lost if is_wrong else to.problem)(said, interval.position)
        if average.busy_pct is None:
            said = remark(
                "no_lpar_busy_of", f"{average.kind} has no figure of LPAR busy"
            )
            to.lost(said, interval.position)
            continue
        row = average.row(interval.length) | state
        to.add("cpu_interval", interval, row)
    add_partitions(report, interval, to)


def _possible(cpu: CpuLine, interval: ReportInterval, to: Collector) -> CpuLine:
    """The line without percentages that cannot be, which is told."""
    if all(p is None or 0 <= p <= MOST_PERCENT for p in cpu[1:]):
        return cpu
    at, of = interval.position, f"of a {cpu.kind}"
    return cpu._replace(
        online=to.percentage(cpu.online, f"time online {of}", at) or 0.0,
        lpar_busy=to.percentage(cpu.lpar_busy, f"LPAR busy {of}", at),
        mvs_busy=to.percentage(cpu.mvs_busy, f"MVS busy {of}", at),
        parked=to.percentage(cpu.parked, f"parked time {of}", at) or 0.0,
    )


def add_partitions(report: CpuReport, interval: ReportInterval, to: Collector) -> None:
    """The rows of ``partition_interval``."""
    for each in report.partitions:
        most = (each.logical_cpus or inf) * interval.length
        if (each.total or 0.0) > _MORE * most:
            told = remark(
                "partition_time",
                f"partition {each.name} was dispatched for {each.total:.3f} s, more "
                f"than the {most:.0f} s of its CPUs: it was not used",
            )
            to.lost(told, interval.position)
            continue
        row = {
            "partition": each.name.strip("*"),
            "cpu_type": each.kind,
            "online_cpus": each.logical_cpus,
            "dispatch_seconds": each.total,
            "effective_seconds": each.effective,
            "dedicated": each.dedicated,
            "own": each.name == report.own,
        }
        to.add("partition_interval", interval, row)


def tell_boosts(to: Collector) -> None:
    """Say that intervals under System Recovery Boost are of another machine."""
    if boosts := to.boosts:
        to.reading.details["boost"] = list(boosts)
        to.problem(remark("boosted", boosts=tuple(sorted(boosts))))
