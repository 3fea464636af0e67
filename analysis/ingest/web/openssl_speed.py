"""``openssl speed``: operations per second of wall-clock time.

The tables of the output divide by user CPU time unless ``-elapsed`` was given. The
``Doing … for 3s`` lines tell the wall-clock seconds that each test was given, so the
rate is their count over those. Without these lines (they go to standard error), and
in the form ``-mr``, only rates per CPU second are known, which are kept as details.
"""

from __future__ import annotations

import re
from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import Found, LogText, UnreadableError, number
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "openssl_speed"
TITLE = "openssl speed log (cryptography)"
TESTED = "OpenSSL 3.0"
TIMED = "the declared seconds of each test, or the CPU time where that is more"
SIGNS = ("doing for", "sign verify", "numbers are in", "f", "h", "r")
_DOING = (
    r"^Doing ([^:]+?)(?:'s)?(?: ops)? for (\d+)s(?: on (\d+) size blocks)?: "
    r"(\d+) (\S.*?) in (\S+)s"
)
_MARK = re.compile(
    rb"^Doing .+ for \d+s( on \d+ size blocks)?: |^The 'numbers' are in 1000s of bytes"
    rb"|^ +sign +verify +sign/s +verify/s|^\+[FHR]\d*:\d+:",
    re.MULTILINE,
)
_VERSION = r"^(?:version: |OpenSSL )(\S+)"
_SIGNED = r"^ *(\w.*?)(?<! ) +[\d.]+s +[\d.]+s +([\d.]+) +([\d.]+)$"
_SIZED = r"^(\S+(?: \S+)?)((?: +[\d.]+k)+)$"
_MACHINE = r"^\+F\d*:\d+:(\S+)"
_ELAPSED = "measure elapsed time instead of user CPU time"


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a log of ``openssl speed``."""
    return _MARK.search(head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One row a test, named by ``test``, such as ``2048 bits private rsa``."""
    return read_log(raw, FORMAT, "openssl speed", _parse)


def _parse(log: LogText) -> list[Result]:
    doing = list(log.each(_DOING))
    version = log.first(_VERSION)
    elapsed = log.first(_ELAPSED) is not None
    details = {
        "version": version[0] if version else None,
        "divided by": "elapsed time" if elapsed else "user CPU time",
        **_tables(log),
    }
    results = [_result(found, details) for found in doing]
    begun = sum(1 for _ in log.each(r"^Doing .+ for \d+s"))
    if begun > len(doing):
        cause = remark("last_test_without_result", "its last test has no result")
        results.append(Result(details=details))
        results[-1].judge("truncated", cause)
    elif not doing:
        alone = (
            "its rates are per second of CPU time; keep standard error as well, which "
            "tells the wall-clock time"
        )
        results = [Result({"position": 1}, details=details, records={"test": 0})]
        results[-1].judge("degraded", remark("rates_per_cpu_second", alone))
    first = {f"{found[0]} {found[2]}": found.line for found in reversed(doing)}
    again = [found.line for found in doing if found.line not in first.values()]
    again += [found.line for found in log.each(_VERSION)][1:]
    if again:
        for result in results:
            result.judge("failed", remark("several_logs"), again[0])
    if doing:
        _tell_rowless(log, {bool(found[2]) for found in doing}, results[0])
    return results


def _tell_rowless(log: LogText, timed: set[bool], out: Result) -> None:
    """Doubt a log with rates of tests that no line gives a time: ``timed`` says
    whether blocks of some sizes were, and whether operations without a size."""
    kinds = ((_SIGNED, {False}), (_SIZED, {True}), (_MACHINE, set[bool]()))
    for pattern, of in kinds:
        found = log.first(pattern)
        if found and not of & timed:
            without = "the rate of a test whose time is not in the log gives no row"
            out.judge("degraded", remark("no_time_of_test", without), found.line)


def _result(found: Found, details: dict[str, Any]) -> Result:
    name, size, count = found[0].strip(), found[2], found.count(3)
    if not found[4].lower().startswith(name.split()[0].lower()):
        unclear = remark("count_not_understood", "the count is not understood")
        raise UnreadableError(unclear, found.line)
    out = Result(details=details, records={"test": 1})
    wall, used = found.number(1), found.number(5)
    if not count:
        out.judge("failed", remark("no_operation_ended"), found.line)
    if used > 1.1 * wall:
        long = remark("part_of_wall_time", f"it took {used:g} s of {wall:g} s")
        out.judge("degraded", long, found.line)
    seconds = max(wall, used)
    out.row = {
        "test": f"{name} {size} B" if size else name,
        "clients": 1,
        "seconds": seconds,
        "transactions": count,
        "rate": count / seconds if seconds else None,
        "latency_mean_us": seconds / count * 1e6 if count and seconds else None,
        "bytes_per_second": count * int(size) / seconds if size and seconds else None,
        "position": found.line,
    }
    return out


def _tables(log: LogText) -> dict[str, str]:
    """The printed rates, which are per CPU second unless ``-elapsed`` was given."""
    told: dict[str, str] = {}
    for row in log.each(_SIGNED):
        told[row[0]] = f"{row.number(1):g} sign/s, {row.number(2):g} verify/s"
    for row in log.each(_SIZED):
        cells = [f"{number(cell[:-1], row.line) * 1000:g}" for cell in row[1].split()]
        told[row[0]] = ", ".join(cells) + " byte/s"
    for row in log.each(_MACHINE):
        told[f"line {row.line}"] = row[0]
    return told
