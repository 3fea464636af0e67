"""Statistics of a CICS Transaction Gateway: its intervals as CSV, or each as text.

Identifiers: CICS Transaction Gateway documentation, "Gateway daemon statistics".
Those of an interval (``GD_I…``) are reset at its end, those of the lifetime go on.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
from typing import Literal

from synthetic.emitters.emitter import Emitter
from synthetic.emitters.values import Count, Hours, Measured, Name8, Some, Utc


class Interval(Measured):
    """Requests of an interval, their mean response time in whole milliseconds, and the
    bytes that came and went with them."""

    requests: Count
    response_ms: Count
    bytes_in: Count = 0
    bytes_out: Count = 0


class GatewayStatistics(Measured):
    """Intervals of equal length, one after another; ``hours`` is local minus UTC."""

    gateway: Name8
    start: Utc
    seconds: Some
    intervals: tuple[Interval, ...]
    form: Literal["csv", "text"] = "csv"
    hours: Hours = -5.0


def write(of: GatewayStatistics) -> bytes:
    """The whole file."""
    samples = _samples(of)
    if of.form == "text":
        blocks = ["".join(f"{k}={v}\n" for k, v in each.items()) for each in samples]
        return "\n".join(blocks).encode()
    out = io.StringIO(newline="")
    times = [_time(of, nth) for nth in range(len(samples))]
    heads = ["start", "seconds", *(samples[0] if samples else ())]
    rows = csv.DictWriter(out, heads, lineterminator="\n")
    rows.writeheader()
    for begun, sample in zip(times, samples, strict=True):
        rows.writerow(
            {"start": f"{begun:%Y-%m-%dT%H:%M:%SZ}", "seconds": of.seconds} | sample
        )
    return out.getvalue().encode()


def _time(of: GatewayStatistics, nth: int) -> dt.datetime:
    return of.start + dt.timedelta(seconds=nth * of.seconds)


def _samples(of: GatewayStatistics) -> list[dict[str, object]]:
    made, total = [], 0
    for nth, it in enumerate(of.intervals, 1):
        total += it.requests
        reset = _time(of, nth) + dt.timedelta(hours=of.hours)
        made.append(
            {
                "GD_SNAME": of.gateway,
                "GD_CSTATUS": "RUNNING",
                "GD_CNEXTRESET": f"{reset:%H%M%S}",
                "GD_IALLREQ": it.requests,
                "GD_IAVRESP": it.response_ms,
                "GD_IREQDATA": it.bytes_in,
                "GD_IRESPDATA": it.bytes_out,
                "GD_LALLREQ": total,
            }
        )
    return made


EMITTER = Emitter(
    "ctg_statistics",
    "statistics of CICS TG",
    "ctg_statistics",
    GatewayStatistics,
    write,
)
