"""siege summaries, as text or JSON: one ``benchmark`` row.

Response times have two decimals of a second, which hides short ones. The mean follows
from ``Concurrency``, which siege computes as the sum of all response times over the
elapsed time. ``MB`` are 1024-based. Layout: ``main.c`` and ``data.c`` of siege 4.
"""

from __future__ import annotations

import re
from typing import Any

from analysis.facts.remark import quote, remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import Found, LogText, UnreadableError
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "siege"
TITLE = "siege HTTP benchmark summary"
TESTED = "siege 4.0.7"
TIMED = "the elapsed time that siege prints"
SIGNS = ("siege", "transactions")
_MARK = re.compile(
    rb"^\*\* SIEGE \d|^The server is now under siege|^Transactions:\s+\S+ hits"
    rb'|"transactions":\s+\S+\s+"availability":',
    re.MULTILINE,
)
_NEEDED = (
    "transactions",
    "elapsed_time",
    "data_transferred",
    "transaction_rate",
    "concurrency",
    "failed_transactions",
)
_SHORTEST = 0.5


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a summary of siege."""
    return _MARK.search(head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One row; ``rate`` counts the transactions that siege calls successful."""
    return read_log(raw, FORMAT, "siege", _parse)


def _parse(log: LogText) -> list[Result]:
    out = Result()
    fields = _fields(log, out)
    users = log.first(r"^\*\* Preparing (\S+) concurrent users")
    row: dict[str, Any] = {"clients": users.count() if users else None, "position": 1}
    broken = list(log.each(r"^\[?error\]? (\S.*)"))
    if all(name in fields for name in _NEEDED) and "shortest_transaction" in fields:
        row |= _figures(fields, out)
        for found in broken[:1]:
            out.note(quote(found[0]), found.line)
    elif broken and not fields:
        out.judge("failed", quote(broken[0][0]), broken[0].line)
    else:
        out.judge("truncated", remark("cut_before", line="the shortest transaction"))
    out.row = row
    return [out]


def _fields(log: LogText, out: Result) -> dict[str, Found]:
    """The figures by name, which is the same in both forms."""
    fields: dict[str, Found] = {}
    pattern = r'^\{?\s*"?([A-Za-z][A-Za-z_ ]+?)"?:\s+(\S+?),?(?:\s+(\d)|\s|$)'
    for found in log.each(pattern):
        name = found[0].lower().replace(" ", "_")
        if found[2]:
            raise UnreadableError(
                remark("text_not_one_number", f"{found[0]} is not one number"),
                found.line,
            )
        if name in fields and name in _NEEDED:
            out.judge(
                "failed",
                remark(
                    "several_summaries",
                    "several summaries in one file; put each in its own",
                ),
            )
        fields[name] = Found(found.line, (found[1],))
    return fields


def _figures(fields: dict[str, Found], out: Result) -> dict[str, Any]:
    good, bad = fields["transactions"].count(), fields["failed_transactions"].count()
    seconds = fields["elapsed_time"].number()
    rate = fields["transaction_rate"].number()
    out.judge_errors(bad, good + bad, "transactions failed")
    if seconds < _SHORTEST:
        out.judge(
            "degraded",
            remark(
                "short_for_siege", f"it took {seconds:g} s, of which siege tells 0.01 s"
            ),
        )
    if rate > 0:
        out.compare("its time", seconds, good / rate, 0.02, 0.01)
    concurrency = fields["concurrency"].number()
    moved = fields["data_transferred"].number()
    out.records = {"transaction": good + bad}
    return {
        "seconds": seconds,
        "transactions": good,
        "rate": rate or None,
        "latency_mean_us": concurrency / rate * 1e6 if concurrency and rate else None,
        "bytes_per_second": moved * 2**20 / seconds if moved and seconds else None,
        "errors": bad,
        "position": fields["transactions"].line,
    }
