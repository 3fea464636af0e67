"""Reports of RMF from a Distributed Data Server, as XML.

Of the Postprocessor by ``/gpm/rmfpp.xml`` with ``date`` (yyyymmdd) and ``timeofday``
(hhmm), of Monitor III by ``/gpm/rmfm3.xml`` with ``range`` (yyyymmddhhmmss), all in
local time. Source: z/OS RMF Programmer's Guide, "Accessing performance data using the
RMF Distributed Data Server".
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import quote, urlencode

from analysis.collect.request import Request
from analysis.collect.web import Web
from analysis.collect.windows import ReportTime, time_of_day
from analysis.declared.collect import WantedFile
from analysis.errors import user_error
from analysis.ingest.detect import read_file

_FORMAT = "rmf_xml"


def requests(
    web: Web, wanted: WantedFile, spans: list[ReportTime]
) -> Iterator[Request]:
    """One request a span; a :class:`UserError` where two would be one file."""
    path_of = _postprocessor if wanted.reports else _monitor
    asked = {
        wanted.to.replace("{day}", span.day).replace("{run}", span.run): span
        for span in spans
    }
    if len(asked) < len(spans):
        place = "{run}" if spans[0].run else "{day}"
        what = f"{len(spans)} reports would be the one file {wanted.to!r}"
        raise user_error(what, mend=f"write {place} in 'to', which stands for each")
    for to, span in asked.items():
        path = path_of(wanted, span)
        yield Request(to, path, partial(_save, web, path))


def _postprocessor(wanted: WantedFile, span: ReportTime) -> str:
    day = f"{span.start:%Y%m%d}"
    told = {"reports": ",".join(wanted.reports), "date": f"{day},{day}"}
    told["timeofday"] = ",".join(time_of_day(span))
    if wanted.system:
        told["sysid"] = wanted.system
    return _path("rmfpp.xml", told)


def _monitor(wanted: WantedFile, span: ReportTime) -> str:
    resource = wanted.resource or f",{wanted.system},MVS_IMAGE"
    times = ",".join(f"{time:%Y%m%d%H%M%S}" for time in (span.start, span.end))
    told = {"report": wanted.report, "resource": resource, "range": times}
    return _path("rmfm3.xml", told)


def _path(file: str, told: dict[str, str]) -> str:
    return f"/gpm/{file}?{urlencode(told, safe='(),', quote_via=quote)}"


def _save(web: Web, path: str, draft: Path) -> None:
    """Write a report; a server that has none says so in a report as well."""
    web.save(path, draft)
    reading = read_file(draft)
    if reading.format != _FORMAT:
        what = f"{path}: the answer is no report of RMF: {reading.reason}"
        mend = "see that this is the address of a Distributed Data Server"
        raise user_error(what, web.server.address, mend=mend)
    if reading.status in ("failed", "truncated", "empty"):
        what = f"{path}: {reading.reason}"
        mend = "see that SMF data of this time are there and that reports are right"
        raise user_error(what, web.server.address, mend=mend)
