"""The CPU report of the Postprocessor in XML, with Partition Data."""

from __future__ import annotations

from typing import Any

from analysis.ingest.rmf.cpu_report import CpuLine, CpuReport, Partition
from analysis.ingest.rmf.figures import clock_seconds, cpu_type, number
from analysis.ingest.rmf.xml_tables import (
    Element,
    Fields,
    Table,
    tables,
    text_of,
    variables,
)

_MACHINE = (
    "CPU",
    "Model",
    "Sequence Code",
    "HiperDispatch",
    "Change Reason",
    "Boost Type",
    "Boost Class",
    "MVS Partition Name",
    "Wait Completion",
)


def cpu_report(report: Element) -> CpuReport:
    """What the element of a CPU report says."""
    found = CpuReport()
    if level := text_of(report.find("version"), "smf-data"):
        found.said["Release"] = level.split()[-1]
    for segment in report.iterchildren("segment"):
        said = variables(segment)
        found.said |= {name: said[name] for name in _MACHINE if said.get(name)}
        if own := said.get("MVS Partition Name"):
            found.own = own
            found.waits = said.get("Wait Completion", "").upper() != "NO"
    for table in tables(report):
        if table.has("LPAR Busy") and table.has("Type"):
            if not found.cpus:
                _read_cpus(table, found)
        elif table.has("Total Dispatch Time") and table.has("PROC Type"):
            found.partitions += _partitions(table)
    return found


def _read_cpus(table: Table, to: CpuReport) -> None:
    columns = list(zip(*table.rows, strict=False))
    told = {
        name: list(map(read, columns[at]))
        for name, at, read in table.heads.plan(_CPU)
        if columns
    }
    unknown = [None] * len(table.rows)
    to.cpus += [
        CpuLine(kind, online or 0.0, lpar_busy, mvs_busy, parked or 0.0)
        for kind, online, lpar_busy, mvs_busy, parked in zip(
            told.get("kind", ()),
            told.get("online", [100.0] * len(table.rows)),
            *(told.get(name, unknown) for name in ("lpar_busy", "mvs_busy", "parked")),
            strict=False,
        )
        if kind
    ]
    typed = [row for row in table.rows if table.cell(row, "Type")]
    numbers = [table.cell(row, "CPU Number") for row in typed]
    known = set()
    for number_, cpu in zip(numbers, to.cpus, strict=False):
        # A core has LPAR busy once, whatever number its threads have.
        core = (number_, cpu.kind)
        if number_ and cpu.lpar_busy is not None:
            to.twice = core if core in known else to.twice
            known.add(core)
    for row in table.sums:
        printed = (
            number(table.cell(row, "LPAR Busy")),
            number(table.cell(row, "MVS Busy")),
        )
        to.totals.setdefault(cpu_type(table.cell(row, "Type")), printed)


_CPU: Fields = (
    ("kind", ("Type",), cpu_type),
    ("online", ("Online",), number),
    ("lpar_busy", ("LPAR Busy",), number),
    ("mvs_busy", ("MVS Busy",), number),
    ("parked", ("Parked",), number),
)


def _partitions(table: Table) -> list[Partition]:
    found = []
    for row in table.rows:
        said: dict[str, Any] = _NO_FIGURES | table.fields(row, _PARTITION)
        if said["kind"]:
            found.append(Partition(row[0], **said))
    return found


_NO_FIGURES = {
    "kind": "",
    "dedicated": False,
    "logical_cpus": None,
    "effective": None,
    "total": None,
}


def _is_dedicated(weight: str) -> bool:
    return weight.upper().startswith("DED")


_PARTITION: Fields = (
    ("kind", ("PROC Type",), cpu_type),
    ("dedicated", ("Weight",), _is_dedicated),
    ("logical_cpus", ("Num", "Proc"), number),
    ("effective", ("Effective Dispatch Time",), clock_seconds),
    ("total", ("Total Dispatch Time",), clock_seconds),
)
