"""CPU seconds and transactions of service and report classes in one interval.

RMF's service times: CPU is time under TCBs on CPs with zIIP and zAAP time in it, which
is normalised; zIIP time itself is printed as it is. Hence

    CP = CPU + SRB + RCT + IIT + HST - zIIP x factor - zAAP x factor

and APPL% CP is CP / interval. Where the printed figures do not fit, it is said.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from analysis.facts.remark import remark
from analysis.ingest.rmf.collect import Collector
from analysis.ingest.rmf.figures import clock_seconds, count, number, scaled
from analysis.ingest.rmf.report import Report, ReportPart, Row

POLICY = "Service Policy Section"
ALL_ZERO = "all data zero"
_NONE = ReportPart()
_ON_CP = ("CPU", "SRB", "RCT", "I/O Interrupt", "Hiperspace")
# Of APPL%, and of each of the seven times: half of the last digit.
_APPL_ROUNDING = 0.005
_Factors = dict[str, float]  # normalisation of zIIP and zAAP time, where it is printed


def add_classes(report: Report, to: Collector) -> None:
    """The rows of ``class_interval``.

    ``system`` is the one system that the report covers; where it covers several,
    their figures are added up and it is the name of the sysplex.
    """
    policy = [part for part in report.parts if part.section == POLICY]
    values = {k: v for part in policy for k, v in part.values.items()}
    factors = {
        kind: factor
        for kind in ("zIIP", "zAAP")
        if (factor := number(values.get(f"{kind} Normalization Factor")))
    }
    systems = list(
        dict.fromkeys(
            cells[0]
            for part in policy
            if part.at("system id") is not None
            for cells in part.rows
            if cells[0]
        )
    )
    if len(systems) == 1:
        report = replace(report, system=systems[0])
    elif systems:
        to.reading.details["classes add up the systems"] = systems
    for _, parts in groupby(report.parts, lambda part: part.number):
        _add_class([*parts], report, factors, to)


def _add_class(
    parts: list[ReportPart], report: Report, factors: _Factors, to: Collector
) -> None:
    """The row of a section such as ``Service Class STCHIGH Period 1``; none of those of
    workloads and of the policy."""
    match parts[0].section.split():
        case [title, word, name, *rest] if word.lower() == "class":
            kind = title.lower()
        case _:
            return
    if kind not in ("service", "report") or len(rest) not in (0, 2):
        return
    # The length of a transaction has its unit in its name.
    named = {part.name.partition(" (")[0]: part for part in parts[::-1]}
    head, transactions, response, service, appl = (
        named.get(name, _NONE).values
        for name in ("", "Transactions", "Transaction Time", "Service Time",
                     "Application Time %")
    )  # fmt: skip
    period = count(rest[1] if rest else head.get("Period"))
    importance = count(head.get("Importance"))
    goals = named.get("Goals/Actuals Summary", _NONE)
    if period is None and len(goals.rows) == 1:  # it has but one period
        period = count(goals.cell(goals.rows[0], "period"))
        importance = count(goals.cell(goals.rows[0], "importance"))
    actual = response.get("Actual")
    seconds = 0.0 if actual == "0" else clock_seconds(actual)
    row: Row = {
        "class": head.get(f"{title} Class") or name,
        "class_kind": kind,
        "workload": head.get("Workload") or None,
        "period": period,
        "importance": importance,
        "transactions": count(transactions.get("Ended")),
        "response_ms": None if seconds is None else seconds * 1000,
    }
    if any(part.name.lower() == ALL_ZERO for part in parts):
        none = dict.fromkeys(("cp_seconds", "ziip_seconds", "zaap_seconds"), 0.0)
        row |= none | {"transactions": 0}
    else:
        row |= _seconds(service, factors)
    shares = {k: number(v) for k, v in appl.items()}
    for engine in ("zIIP", "zAAP"):
        if (share := shares.get(f"{engine} on CP")) is not None:
            on_cp = share / 100 * report.seconds
            row[f"{engine.lower()}_on_cp_seconds"] = on_cp
    if "zIIP" in factors:
        row["normalisation"] = factors["zIIP"]
        row["zaap_normalisation"] = factors.get("zAAP", 1.0)
    if parts[0].place is not None:
        report = replace(report, place=parts[0].place)
    _check(row, shares.get("CP"), service.get("CPU", ""), factors, report, to)
    to.add("class_interval", report, row)


def _seconds(service: dict[str, str], factors: _Factors) -> Row:
    """CPU seconds of the printed service times; those on CPs are null without CPU."""
    times = {name: scaled(text) for name, text in service.items()}
    row: Row = {"ziip_seconds": times.get("zIIP"), "zaap_seconds": times.get("zAAP")}
    if times.get("CPU") is not None:
        used = sum(times.get(name) or 0.0 for name in _ON_CP)
        for kind in ("zIIP", "zAAP"):
            used -= (times.get(kind) or 0.0) * factors.get(kind, 1.0)
        row["cp_seconds"] = max(used, 0.0)
    return row


def _check(
    row: Row,
    appl: float | None,
    printed_cpu: str,
    factors: _Factors,
    report: Report,
    to: Collector,
) -> None:
    """Tell of service times that contradict APPL% CP."""
    used = row.get("cp_seconds")
    if used is None or appl is None:
        return
    printed = appl / 100 * report.seconds
    digits = len(printed_cpu.partition(".")[2]) if printed_cpu else 3
    rounding = _APPL_ROUNDING / 100 * report.seconds + 3.5 * 10.0**-digits
    if abs(used - printed) <= rounding + 0.001 * printed:
        return
    unknown = "zIIP" not in factors and row["ziip_seconds"]
    what = remark(
        "class_without_factor" if unknown else "class_times",
        of=row["class_kind"],
        name=row["class"],
        used=used,
        printed=printed,
    )
    (to.problem if unknown else to.lost)(what, report.place)
