"""The CPU report of the RMF Postprocessor: averages by CPU type.

RMF's rules, which reproduce the printed TOTAL/AVERAGE lines: LPAR busy is the mean
over the online CPUs of a type; MVS busy is weighted by the time that each CPU was
not parked. A CPU that was online for a part of the interval counts for that part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from analysis.ingest.rmf_xml_stream import Table, tables, text_of, variables

TYPES = {"CP": "CP", "IIP": "zIIP", "ZIIP": "zIIP", "AAP": "zAAP", "IFA": "zAAP"}
_NO_VALUE = re.compile(r"|N/A|-+|\*+")
_MACHINE = (
    "CPU",
    "Model",
    "Sequence Code",
    "HiperDispatch",
    "Boost Type",
    "Boost Class",
    "MVS Partition Name",
    "Wait Completion",
)
# Two printed figures are rounded: half of the last digit each.
ROUNDING = 0.01 - 1e-9


@dataclass(frozen=True)
class Cpu:
    """One line of the report, in percent; null where nothing is printed."""

    number: str
    kind: str
    online: float
    lpar_busy: float | None
    mvs_busy: float | None
    parked: float


@dataclass(frozen=True)
class Average:
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

    def differences(self, seconds: float) -> Iterator[str]:
        """What other figures of the report say that the CPUs' lines do not bear out."""
        used, basis = self.busy_seconds(seconds)
        if self.dispatch_seconds is not None and basis == "lpar_busy":
            yield (
                f"LPAR busy of {self.kind} is {used:.3f} s, but dispatch time is "
                f"{self.dispatch_seconds:.3f} s; LPAR busy was taken"
            )
        pairs = (
            ("LPAR busy", self.busy_pct, self.reported_busy, ROUNDING),
            ("MVS busy", self.mvs_busy_pct, self.reported_mvs, self.mvs_rounding),
        )
        for name, derived, reported, rounding in pairs:
            if derived is None or reported is None:
                continue
            if abs(derived - reported) >= rounding:
                yield (
                    f"{name} of {self.kind}: the lines of the CPUs give "
                    f"{derived:.2f}, TOTAL/AVERAGE is printed as {reported:.2f}"
                )


def number(text: str) -> float | None:
    """A printed number; null for empty, ``N/A``, dashes, asterisks and other text."""
    if _NO_VALUE.fullmatch(text.strip()):
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < 1e15 else None


def percentage(text: str) -> float | None:
    """A printed percentage of one CPU; null where it is none (0 to 100)."""
    value = number(text)
    return value if value is not None and 0 <= value <= 100.5 else None


def clock_seconds(text: str) -> float | None:
    """Seconds of a dispatch time ``HH.MM.SS.mmm``; null where it is none."""
    found = re.fullmatch(r"(\d+)[.:](\d\d)[.:](\d\d)[.:](\d{3})", text.strip())
    if not found:
        return None
    hours, minutes, seconds, thousandths = map(int, found.groups())
    return hours * 3600 + minutes * 60 + seconds + thousandths / 1000


def averages(report: Element) -> list[Average]:
    """One average for each CPU type of a CPU report, in the order of the report."""
    table = _cpu_table(report)
    if table is None:
        return []
    cpus = [cpu for row in table.rows if (cpu := _cpu(table, row))]
    kinds = list(dict.fromkeys(cpu.kind for cpu in cpus))
    dispatch = _dispatch(report)
    found = (_average(kind, cpus, table, dispatch) for kind in kinds)
    return [average for average in found if average.online_cpus > 0]


def _cpu_table(report: Element) -> Table | None:
    for table in tables(report):
        if table.column("LPAR Busy") is not None and table.column("Type") is not None:
            return table
    return None


def _cpu(table: Table, row: list[str]) -> Cpu | None:
    def value(words: str, missing: float | None = None) -> float | None:
        index = table.column(words)
        return missing if index is None else percentage(row[index])

    kind = row[table.column("Type") or 0].upper()
    if not kind:
        return None
    online = value("Online", missing=100.0)
    parked = value("Parked", missing=0.0) or 0.0
    busy = (value("LPAR Busy"), value("MVS Busy"))
    return Cpu(row[0], TYPES.get(kind, kind), online or 0.0, *busy, parked)


def _average(
    kind: str, cpus: list[Cpu], table: Table, dispatch: dict[str, float]
) -> Average:
    online = [cpu for cpu in cpus if cpu.kind == kind and cpu.online > 0]
    # With multithreading the LPAR busy of a core stands on one of its threads.
    cores = [cpu for cpu in online if cpu.lpar_busy is not None]
    total = [row for row in table.sums if _is_kind(table, row, kind)]
    reported = {
        name: number(total[0][column]) if total and column is not None else None
        for name in ("LPAR Busy", "MVS Busy")
        for column in [table.column(name)]
    }
    return Average(
        kind,
        sum(cpu.online for cpu in cores) / 100,
        _mean([(cpu.lpar_busy, cpu.online) for cpu in cores]),
        _mean([(cpu.mvs_busy, cpu.online * (100 - cpu.parked)) for cpu in online]),
        _mean([(cpu.parked, cpu.online) for cpu in online]),
        reported["LPAR Busy"],
        reported["MVS Busy"],
        _mvs_rounding(online),
        dispatch.get(kind),
    )


def _is_kind(table: Table, row: list[str], kind: str) -> bool:
    text = row[table.column("Type") or 0].upper()
    return TYPES.get(text, text) == kind


def _mean(weighted: list[tuple[float | None, float]]) -> float | None:
    """Weighted mean of the values that are there; null where no weight is left."""
    there = [(value, weight) for value, weight in weighted if value is not None]
    total = sum(weight for _, weight in there)
    return sum(value * weight for value, weight in there) / total if total else None


def _mvs_rounding(online: list[Cpu]) -> float:
    """What rounding can do to the average of MVS busy.

    Parked time is rounded too, and with it the weight of each CPU; of a CPU that is
    printed as fully parked, neither weight nor MVS busy is known.
    """
    mean = _mean([(cpu.mvs_busy, 100 - cpu.parked) for cpu in online]) or 0.0
    weight = sum(100 - cpu.parked for cpu in online if cpu.mvs_busy is not None)
    away = [
        abs(cpu.mvs_busy - mean) if cpu.mvs_busy is not None else 100.0
        for cpu in online
        if cpu.parked > 0
    ]
    return ROUNDING + 0.005 * sum(away) / weight if weight else float("inf")


def _dispatch(report: Element) -> dict[str, float]:
    """Total dispatch seconds of the reporting partition by CPU type.

    Empty where dispatch time is not time used: with wait completion, and on
    dedicated processors, a waiting processor stays dispatched.
    """
    for segment in report.iterfind("segment"):
        said = variables(segment)
        own = said.get("MVS Partition Name")
        if own and said.get("Wait Completion", "").upper() == "NO":
            return _own_dispatch(segment, own)
    return {}


def _own_dispatch(segment: Element, own: str) -> dict[str, float]:
    seconds = {}
    for table in tables(segment):
        time, kind = table.column("Total Dispatch Time"), table.column("PROC Type")
        weight = table.column("Weight")
        if time is None or kind is None:
            continue
        for row in table.rows:
            shared = weight is None or not row[weight].upper().startswith("DED")
            used = clock_seconds(row[time])
            if row[0] == own and shared and used is not None:
                seconds[TYPES.get(row[kind].upper(), row[kind].upper())] = used
    return seconds


def machine(report: Element) -> dict[str, str]:
    """What the report says of the machine: CPU, Model, HiperDispatch, Boost Type …"""
    said: dict[str, str] = {}
    for segment in report.iterfind("segment"):
        if text_of(segment, "name") in ("CPU Activity", "Partition Data Report"):
            said |= variables(segment)
    return {name: said[name] for name in _MACHINE if said.get(name)}
