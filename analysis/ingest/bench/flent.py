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
from analysis.ingest.logs.text import decode, inner, real
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
    if isinstance(entries, dict):
        result = _result(inner(entries, "metadata"), inner(entries, "raw_values"))
    else:
        result = Result({"position": 1})
        damaged = remark("file_cut_off_damaged", "the file is cut off or damaged")
        result.judge("truncated", damaged)
    return join_results(FORMAT, "flent", [result])


def _positive(entries: Json, name: str) -> float | None:
    value = real(entries.get(name))
    return value if value and value > 0 else None


def _result(metadata: Json, raw: Json) -> Result:
    series = {
        name: meta
        for name, meta in inner(metadata, "SERIES_META").items()
        if isinstance(meta, dict) and _COMPUTED not in meta
    }
    if not series:
        none = "no series are described; flent before 1.0?"
        return failed_log(remark("no_series", none))
    planned = _positive(metadata, "LENGTH")
    result = Result({"position": 1, "errors": 0, "seconds": planned})
    means = {name: _positive(meta, "MEAN_VALUE") for name, meta in series.items()}
    result.details = _details(metadata, series, means)
    _judge(result, metadata, series, [n for n in series if raw.get(n) == []], means)
    rates = {
        name: (means[name] or 0.0) * _BYTES[meta["UNITS"]]
        for name, meta in series.items()
        if meta.get("UNITS") in _BYTES
    }
    if not rates:
        _round_trips(result, series, means)
        return result
    result.row |= {"shape": "STR", "clients": len(rates)}
    result.row["bytes_per_second"] = sum(rates.values())
    result.details["bytes_per_second_each"] = rates
    spans = [span for name in rates if (span := _span(raw.get(name)))]
    if spans:
        result.row["start_utc"] = epoch_text(min(start for start, _ in spans))
        shortest = min(end - start for start, end in spans)
        if planned and shortest < _SHORT * planned:
            lack = f"the samples of a transfer cover {shortest:.3g} of {planned:g} s"
            result.judge("degraded", remark("samples_lack", lack), 1)
    return result


def _details(metadata: Json, series: Json, means: dict[str, float | None]) -> Json:
    trips = [name for name, meta in series.items() if meta.get("UNITS") == "ms"]
    return {
        "test": metadata.get("NAME"),
        "title": metadata.get("TITLE"),
        "version": metadata.get("FLENT_VERSION"),
        "started": metadata.get("T0"),
        "mean_ms": {name: means[name] for name in trips if means[name]} or None,
    }


def _judge(
    result: Result,
    metadata: Json,
    series: Json,
    empty: list[str],
    means: dict[str, float | None],
) -> None:
    """Series without data or with a damaged unit, programs that ended with an error.

    One without samples of its own is a sum whose mark is damaged, and would count the
    transfers twice.
    """
    for unit in (str(meta.get("UNITS")) for meta in series.values()):
        if unit not in _BYTES and get_close_matches(unit, _BYTES, 1):
            known = ", ".join(_BYTES)
            result.judge("failed", remark("no_unit", text=repr(unit), known=known), 1)
    lost = sorted({*empty, *(name for name in series if not means[name])})
    if lost:
        result.row["errors"] = len(lost)
        none = f"no data of {', '.join(lost[:3])}"
        result.judge("failed", remark("no_data", none), 1)
    elif metadata.get("FAILED_RUNNERS"):
        errors = int(_positive(metadata, "FAILED_RUNNERS") or 1)
        result.row["errors"] = errors
        result.judge(
            "failed", remark("programs_failed", f"{errors} programs failed"), 1
        )


def _span(samples: Any) -> tuple[float, float] | None:
    """When a transfer began and ended: its first sample ends an interval."""
    rows = samples if isinstance(samples, list) else []
    known = [row for row in rows if isinstance(row, dict)]
    ends = [end for sample in known if (end := _positive(sample, "t"))]
    return (ends[0] - (_positive(known[0], "dur") or 0.0), ends[-1]) if ends else None


def _round_trips(result: Result, series: Json, means: dict[str, float | None]) -> None:
    """A test of pings or of netperf's RR, whose mean flent gives in ms."""
    known = [
        mean
        for name, meta in series.items()
        if meta.get("UNITS") == "ms"
        and meta.get("RUNNER") != "PingRunner"
        and (mean := means[name])
    ]
    result.row["shape"] = "RR"
    if len(known) == 1:
        result.row |= {"clients": 1, "latency_mean_us": known[0] * 1e3}
    elif result.status == "ok":
        several = "neither a transfer nor one request/response test; see the means"
        result.judge("degraded", remark("several_measures", several), 1)
