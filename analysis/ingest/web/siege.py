"""siege summaries, as text or JSON: one ``benchmark`` row.

Response times have two decimals of a second, which hides short ones. The mean follows
from ``Concurrency``, which siege computes as the sum of all response times over the
elapsed time. ``MB`` are 1024-based. Layout: ``main.c`` and ``data.c`` of siege 4.
"""

from __future__ import annotations

import re

from analysis.facts.remark import quote, remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import Found, LogText, UnreadableError
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading
from analysis.ingest.web.load import add_rate

FORMAT = "siege"
TITLE = "siege HTTP benchmark summary"
TESTED = "siege 4.0.7"
TIMED = "the elapsed time that siege prints"
_HEAD = re.compile(
    rb"^\*\* SIEGE \d|^The server is now under siege|^Transactions:\s+\S+ hits"
    rb'|"transactions":\s+\S+\s+"availability":',
    re.MULTILINE,
)
_FIELD = r'^\{?\s*"?([A-Za-z][A-Za-z_ ]+?)"?:\s+(\S+?),?(?:\s+(\d)|\s|$)'
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
    """Whether a file that begins so is a report of siege."""
    return (
        any(word in head for word in (b"SIEGE", b"siege", b"ransactions"))
        and _HEAD.search(head) is not None
    )


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One row; ``rate`` counts the transactions that siege calls successful."""
    return read_log(raw, FORMAT, "siege", _parse)


def _parse(log: LogText) -> list[Result]:
    users = log.first(r"^\*\* Preparing (\S+) concurrent users")
    out = Result({"clients": users.count() if users else None, "position": 1})
    fields = _fields(log, out)
    broken = log.first(r"^\[?error\]? (\S.*)")
    if broken and not fields:
        out.judge("failed", quote(broken[0]), broken.line)
    elif all(name in fields for name in (*_NEEDED, "shortest_transaction")):
        out.row["position"] = fields["transactions"].line
        _add_figures(fields, out)
    else:
        out.judge("truncated", remark("cut_before", line="the shortest transaction"))
    if broken and fields:
        out.note(quote(broken[0]), broken.line)
    return [out]


def _fields(log: LogText, out: Result) -> dict[str, Found]:
    """The figures by name, which is the same in both forms."""
    fields: dict[str, Found] = {}
    for field in log.each(_FIELD):
        name = field[0].lower().replace(" ", "_")
        if field[2]:
            several = remark("text_not_one_number", f"{field[0]} is not one number")
            raise UnreadableError(several, field.line)
        if name in fields and name in _NEEDED:
            again = "several summaries in one file; put each in its own"
            out.judge("failed", remark("several_summaries", again), field.line)
        fields[name] = Found(field.line, (field[1],))
    return fields


def _add_figures(fields: dict[str, Found], out: Result) -> None:
    good, bad = fields["transactions"].count(), fields["failed_transactions"].count()
    seconds, moved, rate, concurrency = (fields[name].number() for name in _NEEDED[1:5])
    out.judge_errors(bad, good + bad, "transactions failed")
    if seconds < _SHORTEST:
        short = f"it took {seconds:g} s, of which siege tells 0.01 s"
        out.judge("degraded", remark("short_for_siege", short), out.line)
    add_rate(out, rate, good, good, seconds)
    out.row |= {
        "latency_mean_us": concurrency / rate * 1e6 if concurrency and rate else None,
        "bytes_per_second": moved * 2**20 / seconds if moved and seconds else None,
        "errors": bad,
    }
    if longest := fields.get("longest_transaction"):
        out.row["latency_max_us"] = longest.number() * 1e6 or None
    out.records = {"transaction": good + bad}
