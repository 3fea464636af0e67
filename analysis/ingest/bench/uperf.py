"""uperf logs: benchmark rows from the text (``-a``) and the raw form (``-a -R``).

Operations of uperf are flowops: a request/response is 2 of them, a connect/request/
response 4, a stream read in 320 pieces 321. The number of transactions is the count
that the log's ``Txn`` table prints. It includes the transaction that each client had
begun when the time was up. The steady rate comes from the progress of flowops,
divided by the flowops that one transaction takes.
"""

from __future__ import annotations

import math
import re
from typing import Any

from analysis.ingest.bench.uperf_figures import Figures, figures_of
from analysis.ingest.bench.uperf_log import Log, parse_log
from analysis.ingest.bench.uperf_status import judge, remarks
from analysis.ingest.clock import epoch_text
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading
from analysis.ingest.tables.catalog import result_row

FORMAT = "uperf"
TITLE = "uperf benchmark log"
TESTED = "uperf 1.0.8"
TIMED = (
    "the time that clients spent in transactions (their number × mean time ÷ clients), "
    "because uperf waits before its last progress line; where the two differ by more "
    "than 0.3 s, the time to that line. Rates are higher than by uperf's own clock, by "
    "14% in a run of 1.4 s"
)
SIGNS = ("running profile", "timestamp ms", "pem", "cannot connect")
_MARKS = re.compile(
    rb"^(Starting \d+ \w.* running profile:|timestamp_ms:[\d.]+ name:"
    rb"|Can't load (client|server)\.pem|.*TCP: Cannot connect to )",
    re.MULTILINE,
)


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a log of uperf."""
    return _MARKS.search(head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One uperf log: at most one ``benchmark`` row.

    ``seconds``, ``rate`` [1/s] and ``bytes_per_second`` belong to the steady part,
    ``transactions`` and ``latency_mean_us`` to the whole log. A failed run has no
    rate and no latency. ``request_bytes`` and ``response_bytes`` are not in a log.
    """
    data = raw.read_bytes()
    log = parse_log(data)
    figures = figures_of(log)
    reading = Reading(FORMAT, tool="uperf")
    reading.judge(*judge(log, figures, data))
    reading.problems = [*log.failures, *log.warnings, *remarks(log, figures)]
    if figures.main is not None or (reading.status == "failed" and log.starts == 1):
        reading.results = [result_row(_row(log, figures, reading))]
    reading.records = {
        "progress": log.states,
        "transaction": len(log.transactions),
        "flowop": len(log.flowops),
    }
    reading.details = _details(log, figures)
    return reading


def _row(log: Log, figures: Figures, reading: Reading) -> dict[str, Any]:
    main = figures.main
    row: dict[str, Any] = {
        "tool": "uperf",
        "shape": figures.shape,
        "clients": log.clients,
        "transactions": main.count if main else None,
        "errors": log.errors if log.errors is not None else len(log.failures),
        "position": main.line if main else 1,
    }
    if reading.status != "failed" and main:
        row["latency_mean_us"] = _finite(main.mean_us)
        row |= _steady(log, figures)
    return row


def _steady(log: Log, figures: Figures) -> dict[str, Any]:
    if figures.window is None:
        return {}
    size, (first, last) = figures.size, figures.window
    seconds = last.seconds - first.seconds
    rate = (last.ops - first.ops) / size / seconds if size else None
    return {
        "start_utc": epoch_text(first.seconds) if log.raw else None,
        "seconds": _finite(round(seconds, 6)),
        "rate": _finite(rate),
        "bytes_per_second": _finite((last.bytes - first.bytes) / seconds),
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _details(log: Log, figures: Figures) -> dict[str, Any]:
    return {
        "profile": log.profile,
        "form": "raw (-R)" if log.raw else "text",
        "main_transaction": figures.main.name if figures.main else None,
        "flowops_per_transaction": figures.size,
        "flowops": {row.name: row.count for row in log.flowops},
    }
