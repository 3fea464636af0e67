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

from analysis.facts.remark import Remark, remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import Found, LogText, UnreadableError, utc_start
from analysis.ingest.printed import Resolved
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "ctg_statistics"
TITLE = "CICS Transaction Gateway statistics"
TESTED = "files written by hand, after the documented identifiers"
TIMED = "the interval of the statistics"
_ID = r"(?:GD|CM|WT|CD|CS\w*|PH|SE|SS|WS\w*)_[CILS][A-Z0-9]+"
_HEADER = rf"^(?:[a-z_]+,)*{_ID},"
_LINE = rf"^\s*({_ID})\s*[=:]\s*(\S*)"
_MARK = re.compile(
    rf"^\s*{_ID}\s*[=:]|^(?:[a-z_]+,)*{_ID},{_ID}".encode(), re.MULTILINE
)
_RESET = "GD_CNEXTRESET"  # local time of day, hhmmss
Sample = dict[str, Found]


def recognise(head: bytes) -> bool:
    """Whether a file that begins so holds statistics of the gateway."""
    return b"GD_" in head and _MARK.search(head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """A ``gateway_interval`` and a ``benchmark`` row an interval, with its mean."""
    return read_log(raw, FORMAT, "CICS Transaction Gateway", _parse)


def _parse(log: LogText) -> list[Result]:
    header, lost = log.first(_HEADER), Result()
    if header and header.line > 1:
        several = "several forms in one file; put each in its own"
        lost.judge("failed", remark("several_forms", several), header.line)
        return [lost]
    samples, cut = _csv(log) if header else (_text(log), None)
    gateways: dict[str | None, list[Sample]] = {}
    for sample in samples:
        gateways.setdefault(_gateway(sample), []).append(sample)
    results = [
        result
        for each in gateways.values()
        for neighbours in zip([{}, *each], each, [*each[1:], {}], strict=False)
        if (result := _interval(*neighbours))
    ]
    results.sort(key=lambda result: result.line or 0)
    if not results:
        none = "no interval value of the gateway daemon (GD_IALLREQ)"
        lost.judge("failed", remark("no_gateway_interval", none))
        results = [lost]
    elif header and log.lines[-1] and not cut:
        cut = remark("its_last_line_cut_off"), len(log.lines)
    results[0].records = {"sample": len(samples)}
    if cut:
        for result in results:
            result.judge("truncated", *cut)
    return results


def _text(log: LogText) -> list[Sample]:
    """The samples; an identifier that comes again begins the next one."""
    samples: list[Sample] = []
    for value in log.each(_LINE):
        if not samples or value[0] in samples[-1]:
            samples.append({})
        samples[-1][value[0]] = Found(value.line, (value[1],))
    return samples


def _csv(log: LogText) -> tuple[list[Sample], tuple[Remark, int] | None]:
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
            cut = what, line
    return samples, cut


def _gateway(sample: Sample) -> str | None:
    name = sample.get("GD_SNAME") or sample.get("GD_SAPPLID")
    return name[0] or None if name else None


def _interval(before: Sample, sample: Sample, after: Sample) -> Result | None:
    """An interval, and what it is of a run that has these statistics as its log; those
    before and after it are of the same gateway, and empty where there is none."""
    first = next(iter(sample.values()))
    whole, earlier = sample.get("GD_LALLREQ"), before.get("GD_LALLREQ")
    response = None
    if interval := sample.get("GD_IALLREQ"):
        reset, next_reset = sample.get(_RESET), after.get(_RESET)
        if reset and next_reset and reset[0] == next_reset[0]:
            return None  # a later sample tells more of the same interval
        requests = interval.count()
        mean = sample.get("GD_IAVRESP")
        response = mean.number() if mean and mean[0] else None
    elif whole and earlier:
        requests = whole.count() - earlier.count()
        if requests < 0:
            words = "a lifetime value falls: the gateway restarted"
            raise UnreadableError(remark("gateway_restarted", words), whole.line)
    else:
        return None
    result = Result(identity=first.line)
    if requests and response is None:
        none = remark("no_mean_response", "no mean response time of the interval")
        result.judge("degraded", none, first.line)
    length, begin = sample.get("seconds"), sample.get("start")
    seconds = float(length.number()) if length and length[0] else None  # as it is set
    shared = {
        "transactions": requests,
        "start_utc": utc_start(begin[0], begin.line) if begin and begin[0] else None,
        "seconds": seconds,
        "position": first.line,
    }
    result.row = shared | {
        "rate": Resolved(requests, 1) / seconds if seconds else None,
        "latency_mean_us": response * 1000 if requests and response else None,
        "errors": 0,
    }
    row = shared | {
        "gateway": _gateway(sample),
        "response_ms": response if requests else None,
        "basis": "interval" if interval else "lifetime",
    }
    result.tables["gateway_interval"] = [row]
    return result
