"""``openssl s_time``: TLS handshakes per second of wall-clock time.

The printed ``connections/user sec`` is per second of the client's own user CPU time.
The printed real seconds are whole, and one more than ``-time``, whatever passed: the
loop of ``s_time.c`` compares whole seconds, so that it takes between ``-time`` and
one second more. The rate is taken over the middle of that range, and doubted where
the range is wide.
"""

from __future__ import annotations

import re
from typing import Any

from analysis.facts.remark import at_line, quote, remark
from analysis.ingest.logs.benchmark import LogOutcome, read_benchmark
from analysis.ingest.logs.text import Found, LogText
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Problem, Reading

FORMAT = "openssl_s_time"
TITLE = "openssl s_time log (TLS handshakes)"
TESTED = "OpenSSL 3.0"
TIMED = "the declared seconds and half of one, as it ends within one more"
SIGNS = ("connection statistics", "connections real seconds")
_PLAN = r"^Collecting connection statistics for (\S+) seconds"
_MARK = re.compile(_PLAN.encode() + rb"|^\d+ connections in \d+ real seconds", re.M)
_USER = (
    r"(?<!\S)(\d\S*) connections in (\S+)s; "
    r"(\S+) connections/user sec, bytes read (\S+)"
)
_REAL = (
    r"(?<!\S)(\d\S*) connections in (\S+) real seconds, (\S+) bytes read per connection"
)
_WIDE = 0.02


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a log of ``openssl s_time``."""
    return _MARK.search(head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """A row for new and a row for reused sessions, named by ``test``."""
    return read_benchmark(raw, FORMAT, "openssl s_time", _parse)


def _parse(log: LogText) -> LogOutcome:
    out = LogOutcome()
    user, real = list(log.each(_USER)), list(log.each(_REAL))
    failure = log.first(r"(error:[0-9A-Fa-f]{8}:.*|connect:errno.*)")
    begun = _begun(log)
    out.rows = [{"clients": 1, "position": 1}]
    if not real and failure:
        out.problems = [Problem(quote(failure[0]), failure.line)]
        out.failed = quote(failure[0])
    elif len(real) < len(begun) or len(user) != len(real):
        out.truncated = remark("cut_before", line="the real seconds")
    else:
        rows = zip(begun, user, real, strict=False)
        out.rows = [_row(log, out, *row) for row in rows]
        out.doubts = list(dict.fromkeys(out.doubts))
    again = list(log.each(_PLAN[1:]))[1:]
    if len(real) > len(begun) or again:
        out.failed = remark("several_logs")
    out.records = {"test": len(real)}
    return out


def _begun(log: LogText) -> list[str]:
    """The tests that were begun: new sessions, reused sessions."""
    plans = list(log.each(_PLAN))
    reuse = log.first("timing with session id reuse")
    first = [] if reuse and not _before(plans, reuse) else ["new"]
    return first + (["reuse"] if reuse else [])


def _before(plans: list[Found], reuse: Found) -> bool:
    return any(plan.line < reuse.line for plan in plans)


def _row(
    log: LogText, out: LogOutcome, test: str, user: Found, real: Found
) -> dict[str, Any]:
    count, printed, each = real.count(), real.count(1), real.number(2)
    planned = log.first(_PLAN)
    least = planned.number() if planned else printed - 1.0
    if printed < least:
        told = remark(
            "took_too_little",
            f"it took {printed} of {least:g} s: stopped, or of another log",
        )
        out.failed = out.failed or at_line(real.line, told)
    if count != user.count():
        out.doubts.append(
            remark("two_counts_differ", "its two counts of connections differ")
        )
    cpu = user.number(1)
    if rate := user.number(2):
        out.compare("its user CPU time", cpu, count / rate, 0.01, 0.01)
    if printed > least + 1:
        out.doubts.append(
            remark(
                "last_connection", f"its last connection took until second {printed}"
            )
        )
        least = printed - 1.0
    seconds = least + 0.5
    if 0.5 / seconds > _WIDE:
        out.doubts.append(
            remark(
                "whole_seconds",
                "it tells wall-clock time to a second only, so the rate is "
                f"uncertain by {50 / seconds:.0f}%; use -time 30 or more",
            )
        )
    if not count:
        out.failed = remark("no_connection_made", "no connection was made")
    out.details[f"user CPU seconds ({test})"] = cpu
    return {
        "test": test,
        "clients": 1,
        "seconds": seconds,
        "transactions": count,
        "rate": count / seconds,
        "latency_mean_us": seconds / count * 1e6 if count else None,
        "bytes_per_second": count * each / seconds if each else None,
        "position": real.line,
    }
