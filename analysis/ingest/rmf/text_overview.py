"""Overview reports of the Postprocessor in text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analysis.ingest.rmf.clock import local_time
from analysis.ingest.rmf.figures import whole_seconds
from analysis.ingest.rmf.overview import OverviewLine
from analysis.ingest.rmf.text_columns import TextColumns, columns
from analysis.ingest.rmf.text_pages import ReportPage

_HEAD = re.compile(r"\s*DATE\s+TIME\s+INT(?:ERVAL)?\s+\S", re.IGNORECASE)
_ROW = re.compile(
    r"\s*(\d\d[/.]\d\d(?:[/.]\d{4})?)\s+(\d\d.\d\d.\d\d)\s+(\d\d.\d\d.\d\d)"
)


def overview_lines(page: ReportPage, order: str) -> Iterator[OverviewLine]:
    """The lines of a page; dates without a year are of the report or the next year."""
    heads: TextColumns | None = None
    begin = local_time(page.said("START"), order)
    for at, text in page.lines:
        if _HEAD.match(text):
            heads = columns(text, text.upper().split())
        elif heads and (found := _ROW.match(text)):
            date, slash = found[1], found[1][2]
            years = [""]
            if len(date) == 5 and begin:
                years = [f"{slash}{begin.year}", f"{slash}{begin.year + 1}"]
            times = [local_time(f"{date}{year}-{found[2]}", order) for year in years]
            known = [time for time in times if time and (not begin or time >= begin)]
            rest = heads.cells(" " * found.end() + text[found.end() :])
            seconds = whole_seconds(found[3])
            yield OverviewLine(known[0] if known else None, seconds, rest, at)
