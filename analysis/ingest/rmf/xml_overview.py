"""Overview reports of the Postprocessor in XML (DD XPOVWRPT)."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.ingest.rmf.clock import local_time
from analysis.ingest.rmf.figures import whole_seconds
from analysis.ingest.rmf.overview import OverviewLine
from analysis.ingest.rmf.xml_tables import Element, Table, tables, text_of

_INTERVAL = ("int", "interval")


def overview_tables(report: Element) -> list[Table]:
    """The tables with a date, a time and a length in every row."""
    return [t for t in tables(report) if _when(t) is not None] if _may(report) else []


def _may(report: Element) -> bool:
    metric = report.find("metric")
    said = f"{metric.get('id', '')} {text_of(metric, 'description')}".lower()
    return "overview" in said or said.startswith("ov")


def _when(table: Table) -> tuple[int, int, int] | None:
    """Columns of date, time and length."""
    heads = [heading.lower() for heading in table.heads.names]
    length = next((i for i, h in enumerate(heads) if h in _INTERVAL), None)
    if "date" not in heads or "time" not in heads or length is None:
        return None
    return heads.index("date"), heads.index("time"), length


def overview_lines(
    found: list[Table], begin: str, order: str, position: int
) -> Iterator[OverviewLine]:
    """The rows of the tables; ``begin`` is the start of the report, for its year."""
    for table in found:
        when = _when(table)
        for cells in table.rows if when else []:
            date, time, length = (cells[i] for i in when or ())
            if date.count("/") == 1:
                date = f"{date}/{year_of(begin)}"
            figures = {
                name: cell
                for i, (name, cell) in enumerate(
                    zip(table.heads.names, cells, strict=False)
                )
                if i not in (when or ())
            }
            start = local_time(f"{date}-{time}", order)
            yield OverviewLine(start, whole_seconds(length), figures, position)


def year_of(date: str) -> str:
    """The four digits of a year in a date."""
    groups = date.replace("-", "/").replace(".", "/").split("/")
    return next((group for group in groups if len(group) == 4), "")
