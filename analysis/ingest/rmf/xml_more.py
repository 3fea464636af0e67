"""XCF and virtual storage reports of the Postprocessor in XML."""

from __future__ import annotations

import re

from analysis.ingest.rmf.clock import ReportInterval
from analysis.ingest.rmf.collect import Collector, Row
from analysis.ingest.rmf.figures import BINARY, count, scaled
from analysis.ingest.rmf.xml_tables import Element, Table, tables, text_of, variables

_DIRECTION = re.compile(r"(local|outbound|inbound)", re.IGNORECASE)


def add_xcf(report: Element, interval: ReportInterval, to: Collector) -> None:
    """The rows of ``xcf_interval``: requests by transport class, member or path."""
    for segment in report.iterchildren("segment"):
        for table in tables(segment):
            for cells in table.rows:
                row = _xcf(table, cells)
                if any(row[n] is not None for n in ("transport_class", "member")):
                    scope = text_of(segment, "name") or None
                    to.add("xcf_interval", interval, {"scope": scope} | row)


def _xcf(table: Table, cells: list[str]) -> Row:
    direction = _DIRECTION.match(table.name)

    def text(*words: str) -> str | None:
        return table.cell(cells, *words) or None

    return {
        "direction": direction[1].lower() if direction else None,
        "partner": text("To System") or text("From System"),
        "transport_class": text("Transport Class"),
        "xcf_group": text("Group"),
        "member": text("Member"),
        "status": text("Status"),
        "requests_out": count(text("Req", "Out")),
        "requests_in": count(text("Req", "In")),
        "rejected": count(text("Rejected")),
    }


def add_storage(report: Element, interval: ReportInterval, to: Collector) -> None:
    """The rows of ``storage_interval``: virtual storage of areas and of keys."""
    for table in tables(report):
        for cells in [*table.rows, *table.sums]:
            for row in _areas(table, cells):
                to.add("storage_interval", interval, row)
    for name, value in variables(report).items():
        size = scaled(value, BINARY)
        if size is not None and value[-1:] in "KMG":
            row = {"area": name, "mean_bytes": size}
            to.add("storage_interval", interval, row)


def _areas(table: Table, cells: list[str]) -> list[Row]:
    """One row for each place, below and above 16 MB, or one where there is none."""
    name = " ".join(filter(None, (table.name, cells[0] if cells else "")))
    rows: list[Row] = []
    if table.has("Size"):
        rows = [{"area": name, "mean_bytes": scaled(table.cell(cells, "Size"), BINARY)}]
    for place in ("below 16M", "above 16M"):
        figures = {
            column: scaled(table.cell(cells, place, word), BINARY)
            for column, word in _FIGURES.items()
            if table.has(place, word)
        }
        rows.append({"area": name, "place": place} | figures)
    return [row for row in rows if any(isinstance(v, float) for v in row.values())]


_FIGURES = {"minimum_bytes": "Min", "maximum_bytes": "Max", "mean_bytes": "Avg"}
