"""The storage contract: storage in use by area while so many sessions are up, in CSV.

For figures that a laboratory took from RMF, dumps or displays by hand. The columns,
with an example, are in ``docs/how-to/storage-contract.md``.
"""

from __future__ import annotations

import csv
import io
import re
from typing import Any

from analysis.declared.vocabulary import AREAS
from analysis.declared.workload import parse_workload
from analysis.facts.remark import quote, remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import LogText, UnreadableError, number, utc_start
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "storage_contract"
TITLE = "storage contract (CSV)"
TESTED = "files written by hand"
VERSION = "1"
COLUMNS = ("storage_contract", "system", "workload", "start", "area", "bytes")
recognise = re.compile(rb"(?:\xef\xbb\xbf)?storage_contract\s*,").match
_LAST = "end"  # of the file, in place of an area


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """``storage_snapshot`` rows, and one of ``benchmark`` with the sessions."""
    reading = read_log(raw, FORMAT, TITLE, _parse)
    table = reading.tables.get("storage_snapshot")
    if table is not None:
        reading.systems = table["system"].unique().sort().to_list()
    return reading


def _parse(log: LogText) -> list[Result]:
    out, rows = Result(), list[dict[str, Any]]()
    moments: set[tuple[str, ...]] = set()
    whole = False
    lines = csv.reader(io.StringIO(log.text, newline=""))
    for cells in lines:
        line = lines.line_num
        if line == 1:
            if tuple(cells) != COLUMNS:
                words = f"the columns are others than {','.join(COLUMNS)}"
                raise UnreadableError(remark("storage_columns", words), 1)
        elif cells and cells[0] == _LAST:
            whole = True
        else:
            entry = _entry(cells, line)
            moments.add((entry["system"], entry["workload"], entry["start"]))
            rows.append(_row(entry, line))
    if not whole:
        words = "the last line is not 'end', so the file is cut off"
        out.judge("truncated", remark("storage_without_end", words))
    if not rows:
        out.judge("failed", remark("no_storage_display"))
        return [out]
    if len(moments) > 1:
        words = "the lines are not all of one system, workload and start"
        raise UnreadableError(remark("several_moments", words), rows[-1]["position"])
    _check_areas(rows)
    ((_, workload, _),) = moments
    try:
        load = parse_workload(workload)
    except ValueError as error:
        raise UnreadableError(quote(str(error)), 2) from None
    out.row = {
        "shape": load.shape,
        "clients": load.clients,
        "request_bytes": load.request_bytes,
        "response_bytes": load.response_bytes,
        "start_utc": rows[0]["start_utc"],
        "position": 2,
    }
    out.tables["storage_snapshot"] = rows
    out.records = {"area": len(rows)}
    return [out]


def _entry(cells: list[str], line: int) -> dict[str, str]:
    if len(cells) != len(COLUMNS):
        wrong = remark("cells_and_columns", cells=len(cells), columns=len(COLUMNS))
        raise UnreadableError(wrong, line)
    entry = dict(zip(COLUMNS, cells, strict=True))
    if entry["storage_contract"] != VERSION:
        raise UnreadableError(remark("other_contract"), line)
    if missing := [name for name in COLUMNS if not entry[name]]:
        raise UnreadableError(remark("no_value", name=missing[0]), line)
    if entry["area"] not in AREAS:
        words = f"there is no area {entry['area']!r}; there are {', '.join(AREAS)}"
        raise UnreadableError(remark("no_area", words), line)
    return entry


def _row(entry: dict[str, str], line: int) -> dict[str, Any]:
    size = number(entry["bytes"], line)
    if size < 0:
        raise UnreadableError(remark("value_negative"), line)
    return {
        "system": entry["system"],
        "area": entry["area"],
        "start_utc": utc_start(entry["start"], line),
        "current_bytes": size,
        "position": line,
    }


def _check_areas(rows: list[dict[str, Any]]) -> None:
    """No area is there twice, or has more than a total that holds it; totals may be
    other than sums."""
    sizes: dict[str, float] = {}
    for row in rows:
        if row["area"] in sizes:
            twice = remark("area_twice", "an area stands there twice")
            raise UnreadableError(twice, row["position"])
        sizes[row["area"]] = row["current_bytes"]
    for row in rows:
        side = row["area"].rpartition("-")[2]
        for whole in ("total", f"total-{side}"):
            if row["current_bytes"] > sizes.get(whole, row["current_bytes"]):
                part = (
                    f"{row['area']} has more bytes than {whole}, of which it is a part"
                )
                raise UnreadableError(remark("area_beyond", part), row["position"])
