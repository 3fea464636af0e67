"""flent data files (``.flent.gz``, ``.flent.bz2`` or plain JSON).

Layout: flent's ``resultset.py``. ``SERIES_META`` has one entry a series: its runner,
unit and mean of its samples while it ran. Series that are computed from others, such
as sums, do not count. Rates are 10**6 bits a second.
"""

from __future__ import annotations

import json
import re
from difflib import get_close_matches
from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.clock import epoch_text
from analysis.ingest.logs.result import Result, failed_log, join_results
from analysis.ingest.logs.text import decode
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "flent"
TITLE = "flent data file"
TESTED = "flent 2.1.1"
TIMED = (
    "the time in which samples of a transfer were taken, as their mean; its seconds "
    "are the declared length"
)
_MARKS = re.compile(rb'"FLENT_VERSION"|"SERIES_META"|"DATA_FILENAME": "[^"\n]*\.flent')
_COMPUTED = "COMPUTED_LATE"  # only series computed from others have it
_BYTES = {"Mbits/s": 1e6 / 8, "Kbits/s": 1e3 / 8, "Gbits/s": 1e9 / 8, "bits/s": 1 / 8}
_SHORT = 0.9
Json = dict[str, Any]


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a data file of flent."""
    return head.lstrip().startswith(b"{") and _MARKS.search(head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``benchmark`` row: the sum of all transfers (STR), or RR without any.

    Transfers under way at once are the clients. The latency of pings beside them is
    in ``details``, for it is not that of a transaction.
    """
    try:
        entries = json.loads(decode(raw.read_bytes()))
    except (ValueError, RecursionError):
        entries = None
    if not isinstance(entries, dict):
        result = Result({"position": 1})
        result.judge(
            "truncated",
            remark("file_cut_off_damaged", "the file is cut off or damaged"),
        )
    else:
        result = _result(_object(entries, "metadata"), _object(entries, "raw_values"))
    return join_results(FORMAT, "flent", [result])


def _object(value: Any, name: str) -> Json:
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _number(entries: Json, name: str) -> float | None:
    value = entries.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 < value < 1e15 else None


def _result(metadata: Json, raw: Json) -> Result:
    series = {
        name: meta
        for name, meta in _object(metadata, "SERIES_META").items()
        if isinstance(meta, dict) and _COMPUTED not in meta
    }
    if not series:
        return failed_log(
            remark("no_series", "no series are described; flent before 1.0?")
        )
    row: Json = {"position": 1, "errors": 0}
    row["seconds"] = _number(metadata, "LENGTH")
    transfers = {n: m for n, m in series.items() if m.get("UNITS") in _BYTES}
    result = Result(row, details=_details(metadata, series))
    _judge(result, metadata, series, raw)
    if transfers:
        _transfers(result, transfers)
        spans = [span for name in transfers if (span := _span(raw, name))]
        result.row["start_utc"] = (
            epoch_text(min(s for s, _ in spans)) if spans else None
        )
        _judge_spans(result, spans)
    else:
        _round_trips(result, series)
    return result


def _details(metadata: Json, series: Json) -> Json:
    round_trips = {
        name: _number(meta, "MEAN_VALUE")
        for name, meta in series.items()
        if meta.get("UNITS") == "ms"
    }
    told = {
        "test": metadata.get("NAME"),
        "title": metadata.get("TITLE"),
        "version": metadata.get("FLENT_VERSION"),
        "started": metadata.get("T0"),
        "mean_ms": {name: value for name, value in round_trips.items() if value},
    }
    return {name: value for name, value in told.items() if value}


def _judge(result: Result, metadata: Json, series: Json, raw: Json) -> None:
    """Series without data or with a damaged unit, programs that ended with an error.

    One without samples of its own is a sum whose mark is damaged, and would count the
    transfers twice.
    """
    for unit in (str(meta.get("UNITS")) for meta in series.values()):
        if unit not in _BYTES and get_close_matches(unit, _BYTES, 1):
            known = ", ".join(_BYTES)
            result.judge("failed", remark("no_unit", text=repr(unit), known=known), 1)
    lost = [
        name
        for name, meta in series.items()
        if not _number(meta, "MEAN_VALUE") or raw.get(name) == []
    ]
    if lost:
        result.row["errors"] = len(lost)
        result.judge(
            "failed", remark("no_data", f"no data of {', '.join(sorted(lost)[:3])}"), 1
        )
    elif metadata.get("FAILED_RUNNERS"):
        result.row["errors"] = int(_number(metadata, "FAILED_RUNNERS") or 1)
        result.judge(
            "failed",
            remark("programs_failed", f"{result.row['errors']} programs failed"),
            1,
        )


def _transfers(result: Result, transfers: Json) -> None:
    rates = {
        name: (_number(meta, "MEAN_VALUE") or 0.0) * _BYTES[meta["UNITS"]]
        for name, meta in transfers.items()
    }
    result.row |= {"shape": "STR", "clients": len(rates)}
    result.row["bytes_per_second"] = sum(rates.values())
    result.details["bytes_per_second_each"] = rates


def _span(raw: Json, name: str) -> tuple[float, float] | None:
    """When a transfer began and ended: its first sample ends an interval."""
    samples = raw.get(name)
    known = (
        [s for s in samples if isinstance(s, dict)] if isinstance(samples, list) else []
    )
    ends = [end for sample in known if (end := _number(sample, "t"))]
    return (ends[0] - (_number(known[0], "dur") or 0.0), ends[-1]) if ends else None


def _judge_spans(result: Result, spans: list[tuple[float, float]]) -> None:
    """Doubt the mean of samples that were taken during a part of the test only."""
    planned = result.row["seconds"]
    shortest = min((end - start for start, end in spans), default=None)
    if planned and shortest is not None and shortest < _SHORT * planned:
        told = remark(
            "samples_lack",
            f"the samples of a transfer cover {shortest:.3g} of {planned:g} s",
        )
        result.judge("degraded", told, 1)


def _round_trips(result: Result, series: Json) -> None:
    """A test of pings or of netperf's RR, whose mean flent gives in ms."""
    means = [
        value
        for meta in series.values()
        if meta.get("UNITS") == "ms"
        and meta.get("RUNNER") != "PingRunner"
        and (value := _number(meta, "MEAN_VALUE"))
    ]
    result.row["shape"] = "RR"
    if len(means) == 1:
        result.row |= {"clients": 1, "latency_mean_us": means[0] * 1e3}
    elif result.status == "ok":
        told = remark(
            "several_measures",
            "neither a transfer nor one request/response test; see the means",
        )
        result.judge("degraded", told, 1)
