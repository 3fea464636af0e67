"""The Workload Activity report (WLMGL) of the Postprocessor in XML."""

from __future__ import annotations

import re

from analysis.ingest.rmf.clock import ReportInterval
from analysis.ingest.rmf.collect import Collector
from analysis.ingest.rmf.figures import clock_seconds, count, number, scaled
from analysis.ingest.rmf.wlm import REPORT, SERVICE, ClassReport, Factors, add_class
from analysis.ingest.rmf.xml_tables import Element, tables, text_of, variables

_TITLE = re.compile(r"(Service|Report) Class (\S+)(?: Period (\d+))?", re.IGNORECASE)
_TIMES = {
    "CPU": "CPU",
    "SRB": "SRB",
    "RCT": "RCT",
    "I/O Interrupt": "IIT",
    "Hiperspace": "HST",
    "zIIP": "IIP",
    "zAAP": "AAP",
}
_APPL = {
    "CP": "CP",
    "zIIP on CP": "IIPCP",
    "zAAP on CP": "AAPCP",
    "zIIP": "IIP",
    "zAAP": "AAP",
}


def add_classes(report: Element, interval: ReportInterval, to: Collector) -> None:
    """The rows of ``class_interval``.

    ``system`` is the one system that the report covers; where it covers several,
    their figures are added up and it is the name of the sysplex.
    """
    factors, systems = _policy(report)
    if len(systems) == 1:
        interval = ReportInterval(
            systems[0], interval.start_utc, interval.seconds, interval.position
        )
        to.see_system(systems[0])
    elif systems:
        to.reading.details["classes add up the systems"] = systems
    for segment in report.iterchildren("segment"):
        title = _TITLE.fullmatch(text_of(segment, "name"))
        if title:
            add_class(_class(segment, title), interval, factors, to)


def _policy(report: Element) -> tuple[Factors, list[str]]:
    """Normalisation factors and the systems of the report."""
    for segment in report.iterchildren("segment"):
        if text_of(segment, "name") != "Service Policy Section":
            continue
        said = variables(segment)
        ziip, zaap = (
            number(said.get(f"{name} Normalization Factor"))
            for name in ("zIIP", "zAAP")
        )
        systems = [
            row[0]
            for table in tables(segment)
            if table.has("System ID")
            for row in table.rows
            if row[0]
        ]
        known = ziip is not None
        return Factors(ziip or 1.0, zaap or 1.0, known), list(dict.fromkeys(systems))
    return Factors(), []


def _class(segment: Element, title: re.Match[str]) -> ClassReport:
    parts = {text_of(part, "name"): part for part in segment.iterchildren("part")}
    said = variables(parts[""]) if "" in parts else {}
    kind = SERVICE if title[1].lower() == "service" else REPORT
    report = ClassReport(said.get(f"{title[1]} Class") or title[2], kind)
    report.workload = said.get("Workload", "")
    report.period = count(title[3] or said.get("Period"))
    report.importance = count(said.get("Importance"))
    for message in segment.iterchildren("message"):
        if text_of(message, "description").lower() == "all data zero":
            report.zero = True
    _figures(parts, report)
    return report


def _figures(parts: dict[str, Element], report: ClassReport) -> None:
    for name, part in parts.items():
        if name == "Transactions":
            report.transactions = count(variables(part).get("Ended"))
        elif name.startswith("Transaction Time"):
            seconds = clock_seconds(variables(part).get("Actual"))
            report.response_ms = None if seconds is None else seconds * 1000
        elif name == "Service Time":
            said = variables(part)
            report.times = {s: scaled(said.get(n)) for n, s in _TIMES.items()}
        elif name == "Application Time %":
            said = variables(part)
            report.appl = {s: number(said.get(n)) for n, s in _APPL.items()}
        elif name == "Goals/Actuals Summary":
            _goal(part, report)


def _goal(part: Element, report: ClassReport) -> None:
    """Period and importance of a class that has but one period."""
    for table in tables(part):
        if len(table.rows) == 1 and report.period is None:
            report.period = count(table.cell(table.rows[0], "Period"))
            report.importance = count(table.cell(table.rows[0], "Importance"))
