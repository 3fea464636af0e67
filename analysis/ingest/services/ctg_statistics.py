"""Statistics of the CICS Transaction Gateway, as text or CSV.

An identifier is a resource group, a type and a name: ``GD_IALLREQ``. The type is C
(current), I (interval), L (lifetime) or S (start-up). Values of an interval are used,
else differences of lifetime values; current values never. Those of an interval count
on until ``GD_CNEXTRESET``: of several samples of one interval the last one is used.
``GD_IAVRESP`` is in milliseconds. Source: CICS Transaction Gateway documentation,
"Gateway daemon statistics". Text has one statistic a line (``GD_IALLREQ=100``, also
with ``:``), as the administration command prints them; CSV has identifiers as its
header, one line an interval, and may begin with columns ``start`` (with its zone) and
``seconds``.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from typing import Any

from analysis.facts.remark import Remark, remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import Found, LogText, UnreadableError, number, utc_start
from analysis.ingest.printed import Resolved
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Problem, Reading

FORMAT = "ctg_statistics"
TITLE = "CICS Transaction Gateway statistics"
TESTED = "files written by hand, after the documented identifiers"
TIMED = "the interval of the statistics"
SIGNS = ("gd",)
_ID = r"(?:GD|CM|WT|CD|CS\w*|PH|SE|SS|WS\w*)_[CILS][A-Z0-9]+"
_HEADER = rf"^(?:[a-z_]+,)*{_ID},"
_LINE = rf"^\s*({_ID})\s*[=:]\s*(\S*)"
_MARK = re.compile(
    rf"^\s*{_ID}\s*[=:]|^(?:[a-z_]+,)*{_ID},{_ID}".encode(), re.MULTILINE
)
_RESET = "GD_CNEXTRESET"  # local time of day, hhmmss
_REQUESTS, _RESPONSE = "ALLREQ", "AVRESP"
Sample = dict[str, Found]


def recognise(head: bytes) -> bool:
    """Whether a file that begins so holds statistics of the gateway."""
    return b"GD_" in head and _MARK.search(head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """A ``gateway_interval`` and a ``benchmark`` row an interval, with its mean."""
    return read_log(raw, FORMAT, "CICS Transaction Gateway", _parse)


def _parse(log: LogText) -> list[Result]:
    header = log.first(_HEADER)
    if header and header.line > 1:
        several = "several forms in one file; put each in its own"
        return [_lost(remark("several_forms", several), header.line)]
    samples, cut = _csv(log) if _is_csv(log) else (_text(log), None)
    each = zip(samples, *_neighbours(samples), strict=True)
    results = [result for of_one in each if (result := _interval(*of_one))]
    if not results:
        none = "no interval value of the gateway daemon (GD_IALLREQ)"
        results = [_lost(remark("no_gateway_interval", none))]
    elif not cut and log.lines[-1] and _is_csv(log):
        cut = Problem(remark("its_last_line_cut_off"))
    results[0].records = {"sample": len(samples)}
    if cut:
        for result in results:
            result.judge("truncated", cut.remark, cut.line)
    return results


def _lost(cause: Remark, line: int | None = None) -> Result:
    result = Result()
    result.judge("failed", cause, line)
    return result


def _is_csv(log: LogText) -> bool:
    return re.match(_HEADER, log.lines[0]) is not None


def _text(log: LogText) -> list[Sample]:
    """The samples; an identifier that comes again begins the next one."""
    samples: list[Sample] = []
    for found in log.each(_LINE):
        if not samples or found[0] in samples[-1]:
            samples.append({})
        samples[-1][found[0]] = Found(found.line, (found[1],))
    return samples


def _csv(log: LogText) -> tuple[list[Sample], Problem | None]:
    """The samples, and the last line that has not all columns."""
    try:
        header, *body = csv.reader(log.lines)
    except csv.Error as error:
        raise UnreadableError(remark("invalid_csv", error=str(error)), 1) from None
    samples: list[Sample] = []
    cut = None
    for line, cells in enumerate(body, 2):
        if len(cells) == len(header):
            values = zip(header, cells, strict=True)
            samples.append({name: Found(line, (cell,)) for name, cell in values})
        elif cells:
            what = remark("cells_and_columns", cells=len(cells), columns=len(header))
            cut = Problem(what, line)
    return samples, cut


def _neighbours(samples: list[Sample]) -> tuple[list[Sample], list[Sample]]:
    """The sample before and the one after of the same gateway; empty where none is."""
    return _previous(samples), _previous(samples[::-1])[::-1]


def _previous(samples: Iterable[Sample]) -> list[Sample]:
    last: dict[str | None, Sample] = {}
    found: list[Sample] = []
    for sample in samples:
        found.append(last.get(_name(sample), {}))
        last[_name(sample)] = sample
    return found


def _interval(sample: Sample, before: Sample, after: Sample) -> Result | None:
    """An interval, and what it is of a run that has these statistics as its log."""
    requests, told = _requests(sample, before)
    if requests is None or (told == "interval" and _goes_on(sample, after)):
        return None
    first = next(iter(sample.values()))
    mean = sample.get(f"GD_I{_RESPONSE}") if told == "interval" else None
    response = number(mean[0], mean.line) if mean and mean[0] else None
    row: dict[str, Any] = {
        "gateway": _name(sample),
        "transactions": requests,
        "response_ms": response if requests else None,
        "basis": told,
        "position": first.line,
    } | _time(sample)
    seconds = row.get("seconds")
    result = Result(identity=first.line)
    result.tables["gateway_interval"] = [row]
    result.row = {
        "transactions": requests,
        "seconds": seconds,
        "start_utc": row.get("start_utc"),
        "rate": Resolved(requests, 1) / seconds if seconds else None,
        "latency_mean_us": response * 1000 if requests and response else None,
        "errors": 0,
        "position": first.line,
    }
    if requests and response is None:
        none = remark("no_mean_response", "no mean response time of the interval")
        result.judge("degraded", none, first.line)
    return result


def _goes_on(sample: Sample, after: Sample) -> bool:
    """Whether a later sample tells of the same interval, and so of more of it."""
    reset, next_reset = sample.get(_RESET), after.get(_RESET)
    return bool(reset and next_reset and reset[0] == next_reset[0])


def _requests(sample: Sample, before: Sample) -> tuple[int | None, str]:
    if found := sample.get(f"GD_I{_REQUESTS}"):
        return found.count(), "interval"
    lifetime = sample.get(f"GD_L{_REQUESTS}")
    earlier = before.get(f"GD_L{_REQUESTS}")
    if lifetime is None or earlier is None:
        return None, ""
    difference = lifetime.count() - earlier.count()
    if difference < 0:
        raise UnreadableError(
            remark(
                "gateway_restarted", "a lifetime value falls: the gateway restarted"
            ),
            lifetime.line,
        )
    return difference, "lifetime"


def _name(sample: Sample) -> str | None:
    found = sample.get("GD_SNAME") or sample.get("GD_SAPPLID")
    return found[0] or None if found else None


def _time(sample: Sample) -> dict[str, Any]:
    seconds, start = sample.get("seconds"), sample.get("start")
    row: dict[str, Any] = {}
    if seconds and seconds[0]:
        row["seconds"] = float(seconds.number())  # as the interval is set
    if start and start[0]:
        row["start_utc"] = utc_start(start[0], start.line)
    return row
