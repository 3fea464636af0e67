"""``openssl s_time``: TLS handshakes per second of wall-clock time.

The printed ``connections/user sec`` is per second of the client's own user CPU time.
The printed real seconds are whole, and one more than ``-time``, whatever passed: the
loop of ``s_time.c`` compares whole seconds, so that it takes between ``-time`` and
one second more. The rate is taken over the middle of that range, and doubted where
the range is wide.
"""

from __future__ import annotations

import re

from analysis.facts.remark import quote, remark
from analysis.ingest.logs.result import Result, failed_log, read_log
from analysis.ingest.logs.text import Found, LogText
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading
from analysis.ingest.web.load import serial

FORMAT = "openssl_s_time"
TITLE = "openssl s_time log (TLS handshakes)"
TESTED = "OpenSSL 3.0"
TIMED = "the declared seconds and half of one, as it ends within one more"
_PLAN = r"^Collecting connection statistics for (\S+) seconds"
recognise = re.compile(
    _PLAN.encode() + rb"|^\d+ connections in \d+ real seconds", re.M
).search
_USER = (
    r"(?<!\S)(\d\S*) connections in (\S+)s; "
    r"(\S+) connections/user sec, bytes read (\S+)"
)
_REAL = (
    r"(?<!\S)(\d\S*) connections in (\S+) real seconds, (\S+) bytes read per connection"
)
_WIDE = 0.02


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """A row for new and a row for reused sessions, named by ``test``."""
    return read_log(raw, FORMAT, "openssl s_time", _parse)


def _parse(log: LogText) -> list[Result]:
    user, real = list(log.each(_USER)), list(log.each(_REAL))
    plans = list(log.each(_PLAN))
    if not real and (
        failure := log.first(r"(error:[0-9A-Fa-f]{8}:.*|connect:errno.*)")
    ):
        return [failed_log(quote(failure[0]), failure.line)]
    reuse = log.first("timing with session id reuse")
    alone = reuse and not any(plan.line < reuse.line for plan in plans)
    begun = (["new"] if not alone else []) + (["reuse"] if reuse else [])
    if len(real) < len(begun) or len(user) != len(real):
        results = [Result({"clients": 1, "position": 1})]
        results[0].judge("truncated", remark("cut_before", line="the real seconds"))
    else:
        planned = plans[0].number() if plans else None
        tests = zip(begun, user, real, strict=False)
        results = [_result(planned, *test) for test in tests]
    if len(real) > len(begun) or len(list(log.each(_PLAN[1:]))) > 1:
        for result in results:
            result.judge("failed", remark("several_logs"))
    return results


def _result(planned: float | None, test: str, user: Found, real: Found) -> Result:
    """The result of a test that was given so many seconds, where its plan is there."""
    count, printed, each = real.count(), real.count(1), real.number(2)
    out = Result({"test": test, "position": real.line})
    out.records = {"test": 1}
    least = printed - 1.0 if planned is None else planned
    if printed < least:
        early = f"it took {printed} of {least:g} s: stopped, or of another log"
        out.judge("failed", remark("took_too_little", early), real.line)
    if count != user.count():
        differ = remark("two_counts_differ", "its two counts of connections differ")
        out.judge("degraded", differ, real.line)
    if rate := user.number(2):
        out.compare("its user CPU time", user.number(1), count / rate, 0.01, 0.01)
    if printed > least + 1:
        late = f"its last connection took until second {printed}"
        out.judge("degraded", remark("last_connection", late), real.line)
        least = printed - 1.0
    seconds = least + 0.5
    if 0.5 / seconds > _WIDE:
        wide = (
            "it tells wall-clock time to a second only, so the rate is uncertain by "
            f"{50 / seconds:.0f}%; use -time 30 or more"
        )
        out.judge("degraded", remark("whole_seconds", wide), real.line)
    if not count:
        none = remark("no_connection_made", "no connection was made")
        out.judge("failed", none, real.line)
    out.details["user CPU seconds"] = user.number(1)
    out.row |= serial(count, seconds, count * each)
    return out
