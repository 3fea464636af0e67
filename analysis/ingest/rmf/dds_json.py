"""JSON of the RMF Distributed Data Server: Monitor III reports with their UTC times.

Shape: that of the server's JSON replies as IBM's own client reads them: a list
``report``, each with ``metric``, ``resource``, ``timeData``, ``columnHeaders``,
``caption`` and ``row``. A figure that is text, or ``NaN``, is null; ``*NoData*`` is no
row. Messages GPM0501I to GPM0507I and GPM0709I are warnings.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading
from analysis.ingest.rmf.collect import Collector, collector
from analysis.ingest.rmf.figures import figure_with_comma, monitor_window
from analysis.ingest.rmf.report import Report, ReportPart
from analysis.ingest.rmf.tables import add_monitor, system_of

FORMAT = "rmf_json"
TITLE = "RMF Monitor III report (JSON of the Distributed Data Server)"
TESTED = "documents of IBM's own tests, written by hand"
_FIRST = (b'"server"', b'"report"', b'"message"', b'"messages"')
_SIGNS = (b'"metric"', b'"timeData"', b'"GPM', b'"columnHeaders"')
_STAMPS = ("localStart", "localEnd", "utcStart", "utcEnd")


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a reply of the server."""
    begin = head[:256].lstrip().removeprefix(b"[").lstrip()
    first = begin[1:].lstrip().partition(b":")[0].rstrip()
    is_reply = begin[:1] == b"{" and first in _FIRST
    return is_reply and any(sign in head for sign in _SIGNS)


def read(raw: Raw, zone: str | None = None) -> Reading:
    """The rows of all replies in the file, one after the other or in a list."""
    to = collector(Reading(FORMAT, tool="RMF Monitor III"), zone)
    for reply, offset in _documents(raw, to):
        reports = _dicts(reply, "report")
        for each in (reply, *reports):
            for message in (*_dicts(each, "message"), *_dicts(each, "messages")):
                message_words = (
                    _text(message.get("id")),
                    _text(message.get("description")),
                )
                to.messages.append(message_words)
        for each in reports:
            if each.get("row") is not None or each.get("columnHeaders"):
                add_monitor(_report(each, offset), to)
    return to.finish(remark("empty_reply"))


def _documents(raw: Raw, to: Collector) -> Iterator[tuple[dict[str, Any], int]]:
    """Each reply with its byte offset."""
    text = raw.read_bytes().decode("utf-8", errors="replace")
    decoder = json.JSONDecoder()
    at, offset = 0, 0  # the same place in characters and in bytes

    def place(character: int) -> int:
        return offset + len(text[at:character].encode())

    while at < len(text):
        if text[at].isspace():
            offset += len(text[at].encode())
            at += 1
            continue
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            what = remark("json_breaks_off", "the JSON breaks off or is damaged")
            to.broken_off(what, place(getattr(error, "pos", at)))
            return
        if comma := figure_with_comma(text[at:end], '"', '"'):
            to.lost_to_comma(comma[0], place(at + comma[1]))
        for reply in value if isinstance(value, list) else [value]:
            if isinstance(reply, dict):
                yield reply, offset
        offset, at = place(end), end


def _report(each: dict[str, Any], offset: int) -> Report:
    metric, resource = _dict(each, "metric"), _dict(each, "resource")
    time, heads = _dict(each, "timeData"), _dict(each, "columnHeaders")
    name = _text(metric.get("id")) or _text(metric.get("description")) or "?"
    label = _text(resource.get("reslabel") or resource.get("resLabel"))
    part = ReportPart(
        values={
            _text(var.get("name")): _text(var.get("value"))
            for var in _dicts(_dict(each, "caption"), "var")
        },
        heads=tuple(
            _text(head.get("value") or head.get("id")) for head in _dicts(heads, "col")
        ),
    )
    for row in _dicts(each, "row"):
        col = row.get("col")
        cells = [_text(cell) for cell in col] if isinstance(col, list) else []
        part.rows.append(cells + [""] * (len(part.heads) - len(cells)))
    return Report(
        " ".join(name.split()),
        system_of(label),
        monitor_window(*(_text(time.get(key)) for key in _STAMPS), *_lengths(time)),
        offset,
        json.dumps(each, sort_keys=True).encode(),
        [part],
        label,
    )


def _lengths(time: dict[str, Any]) -> Iterator[str]:
    """The printed lengths of the report and of one interval of the gatherer."""
    for key in ("dataRange", "gathererInterval"):
        value = time.get(key)
        yield _text(value.get("value") if isinstance(value, dict) else value)


def _dict(parent: dict[str, Any], name: str) -> dict[str, Any]:
    value = parent.get(name)
    return value if isinstance(value, dict) else {}


def _dicts(parent: dict[str, Any], name: str) -> list[dict[str, Any]]:
    value = parent.get(name)
    listed = value if isinstance(value, list) else [value]
    return [each for each in listed if isinstance(each, dict)]


def _text(value: Any) -> str:
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value).strip()
    return ""
