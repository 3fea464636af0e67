"""Statistics of a CICS Transaction Gateway over one interval, as CSV.

Identifiers: CICS Transaction Gateway documentation, "Gateway daemon statistics".
Those of an interval (``GD_I…``) are reset at its end, those of the lifetime go on.
"""

from __future__ import annotations

import datetime as dt

from analysis.files.csv_text import csv_text


def ctg_statistics(
    gateway: str,
    start: dt.datetime,
    seconds: int,
    requests: int,
    response_ms: int,
    bytes_in: int,
    bytes_out: int,
    hours: int,
) -> bytes:
    """The whole file: requests of the interval, their mean response time, and the bytes
    that came and went with them; ``hours`` is local minus UTC."""
    reset = start + dt.timedelta(seconds=seconds, hours=hours)
    row = {
        "start": f"{start:%Y-%m-%dT%H:%M:%SZ}",
        "seconds": seconds,
        "GD_SNAME": gateway,
        "GD_CSTATUS": "RUNNING",
        "GD_CNEXTRESET": f"{reset:%H%M%S}",
        "GD_IALLREQ": requests,
        "GD_IAVRESP": response_ms,
        "GD_IREQDATA": bytes_in,
        "GD_IRESPDATA": bytes_out,
        "GD_LALLREQ": requests,
    }
    return csv_text(list(row), [row]).encode()
