"""JSON of the RMF Distributed Data Server: Monitor III reports with their UTC times.

Shape: that of the server's JSON replies as IBM's own client reads them: a list
``report``, each with ``metric``, ``resource``, ``timeData``, ``columnHeaders``,
``caption`` and ``row``. A figure that is text, or ``NaN``, is null; ``*NoData*`` is no
row. Messages GPM0501I to GPM0507I and GPM0709I are warnings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading
from analysis.ingest.rmf.collect import Collector, collector
from analysis.ingest.rmf.figures import number
from analysis.ingest.rmf.monitor3 import MonitorReport, Times, add_monitor, stamp

FORMAT = "rmf_json"
TITLE = "RMF Monitor III report (JSON of the Distributed Data Server)"
TESTED = "documents of IBM's own tests, written by hand"
_BEGIN = re.compile(rb"\s*(?:\[\s*)?\{\s*\"(?:server|report|messages?)\"\s*:")
_NEXT = re.compile(r"\S")
_COMMA = re.compile(r'"\s*(-?\d{1,15},\d{1,15})\s*"')
_SIGNS = (b'"metric"', b'"timeData"', b'"GPM', b'"columnHeaders"')


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a reply of the server."""
    return bool(_BEGIN.match(head)) and any(sign in head for sign in _SIGNS)


def read(raw: Raw, zone: str | None = None) -> Reading:
    """The rows of all replies in the file, one after the other or in a list."""
    found = collector(Reading(FORMAT, tool="RMF Monitor III"), raw, zone)
    for reply, offset in _documents(raw, found):
        _read_reply(reply, offset, found)
    return found.finish(remark("empty_reply"))


def _documents(raw: Raw, to: Collector) -> Iterator[tuple[dict[str, Any], int]]:
    """Each reply with its byte offset."""
    text = raw.read_bytes().decode("utf-8", errors="replace")
    decoder = json.JSONDecoder()
    at, offset = 0, 0  # the same place in characters and in bytes
    while begin := _NEXT.search(text, at):
        offset += len(text[at : begin.start()].encode())
        at = begin.start()
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            place = getattr(error, "pos", at)
            where = offset + len(text[at:place].encode())
            to.truncated = to.problem(
                remark("json_breaks_off", "the JSON breaks off or is damaged"), where
            )
            return
        if comma := _COMMA.search(text, at, end):
            where = offset + len(text[at : comma.start(1)].encode())
            to.lost_to_comma(comma[1], where)
        for reply in value if isinstance(value, list) else [value]:
            if isinstance(reply, dict):
                yield reply, offset
        offset += len(text[at:end].encode())
        at = end


def _read_reply(reply: dict[str, Any], offset: int, to: Collector) -> None:
    for said in [*_dicts(reply, "message"), *_dicts(reply, "messages")]:
        to.messages.append((_text(said.get("id")), _text(said.get("description"))))
    for each in _dicts(reply, "report"):
        for said in _dicts(each, "message"):
            to.messages.append((_text(said.get("id")), _text(said.get("description"))))
        if each.get("row") is not None or each.get("columnHeaders"):
            content = json.dumps(each, sort_keys=True).encode()
            add_monitor(_report(each), offset, content, to)


def _report(each: dict[str, Any]) -> MonitorReport:
    metric, resource = _dict(each, "metric"), _dict(each, "resource")
    name = _text(metric.get("id")) or _text(metric.get("description")) or "?"
    label = _text(resource.get("reslabel") or resource.get("resLabel"))
    times = _times(_dict(each, "timeData"))
    report = MonitorReport(" ".join(name.split()), label, times)
    heads = _dicts(_dict(each, "columnHeaders"), "col")
    report.columns = [_text(head.get("value") or head.get("id")) for head in heads]
    for row in _dicts(each, "row"):
        cells = row.get("col")
        report.rows.append([_text(c) for c in cells] if isinstance(cells, list) else [])
    for each_var in _dicts(_dict(each, "caption"), "var"):
        report.caption[_text(each_var.get("name"))] = _text(each_var.get("value"))
    return report


def _times(time: dict[str, Any]) -> Times:
    def length(name: str) -> float | None:
        value = time.get(name)
        value = value.get("value") if isinstance(value, dict) else value
        return number(_text(value)) or None

    return Times(
        stamp(_text(time.get("localStart"))),
        stamp(_text(time.get("localEnd"))),
        stamp(_text(time.get("utcStart"))),
        stamp(_text(time.get("utcEnd"))),
        length("dataRange"),
        length("gathererInterval"),
    )


def _dict(of: dict[str, Any], name: str) -> dict[str, Any]:
    value = of.get(name)
    return value if isinstance(value, dict) else {}


def _dicts(of: dict[str, Any], name: str) -> list[dict[str, Any]]:
    value = of.get(name)
    listed = value if isinstance(value, list) else [value]
    return [each for each in listed if isinstance(each, dict)]


def _text(value: Any) -> str:
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value).strip()
    return ""
