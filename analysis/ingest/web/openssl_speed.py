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
from analysis.ingest.web.load import serial

FORMAT = "openssl_speed"
TITLE = "openssl speed log (cryptography)"
TESTED = "OpenSSL 3.0"
TIMED = "the declared seconds of each test, or the CPU time where that is more"
recognise = re.compile(
    rb"^Doing .+ for \d+s( on \d+ size blocks)?: |^The 'numbers' are in 1000s of bytes"
    rb"|^ +sign +verify +sign/s +verify/s|^\+[FHR]\d*:\d+:",
    re.MULTILINE,
).search
_DOING = (
    r"^Doing ([^:]+?)(?:'s)?(?: ops)? for (\d+)s(?: on (\d+) size blocks)?: "
    r"(\d+) (\S.*?) in (\S+)s"
)
_VERSION = r"^(?:version: |OpenSSL )(\S+)"
_SIGNED = r"^ *(\w.*?)(?<! ) +[\d.]+s +[\d.]+s +([\d.]+) +([\d.]+)$"
_SIZED = r"^(\S+(?: \S+)?)((?: +[\d.]+k)+)$"
_MACHINE = r"^\+F\d*:\d+:(\S+)"
_ELAPSED = "measure elapsed time instead of user CPU time"


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One row a test, named by ``test``, such as ``2048 bits private rsa``."""
    return read_log(raw, FORMAT, "openssl speed", _parse)


def _parse(log: LogText) -> list[Result]:
    doing, versions = list(log.each(_DOING)), list(log.each(_VERSION))
    details = {
        "version": versions[0][0] if versions else None,
        "divided by": "elapsed time" if log.first(_ELAPSED) else "user CPU time",
        **_tables(log),
    }
    results = [_result(test, details) for test in doing]
    if len(list(log.each(r"^Doing .+ for \d+s"))) > len(doing):
        results.append(Result(details=details))
        cut = remark("last_test_without_result", "its last test has no result")
        results[-1].judge("truncated", cut)
    elif not doing:
        results.append(Result({"position": 1}, details=details, records={"test": 0}))
        words = (
            "its rates are per second of CPU time; keep standard error as well, which "
            "tells the wall-clock time"
        )
        results[0].judge("degraded", remark("rates_per_cpu_second", words))
    names = [(test[0], test[2]) for test in doing]
    again = [t.line for nth, t in enumerate(doing) if names[nth] in names[:nth]]
    for line in (again + [version.line for version in versions[1:]])[:1]:
        for result in results:
            result.judge("failed", remark("several_logs"), line)
    # Rates of operations without a size, of blocks of some sizes, and of either.
    timed = {bool(test[2]) for test in doing}
    for pattern, sized in ((_SIGNED, {False}), (_SIZED, {True}), (_MACHINE, set())):
        if doing and not timed & sized and (rate := log.first(pattern)):
            words = "the rate of a test whose time is not in the log gives no row"
            results[0].judge("degraded", remark("no_time_of_test", words), rate.line)
    return results


def _result(test: Found, details: dict[str, Any]) -> Result:
    name, size, count = test[0].strip(), test[2], test.count(3)
    if not test[4].lower().startswith(name.split()[0].lower()):
        unclear = remark("count_not_understood", "the count is not understood")
        raise UnreadableError(unclear, test.line)
    out = Result(details=details, records={"test": 1})
    wall, used = test.number(1), test.number(5)
    if not count:
        out.judge("failed", remark("no_operation_ended"), test.line)
    if used > 1.1 * wall:
        longer = remark("part_of_wall_time", f"it took {used:g} s of {wall:g} s")
        out.judge("degraded", longer, test.line)
    out.row = serial(count, max(wall, used), count * int(size or 0)) | {
        "test": f"{name} {size} B" if size else name,
        "position": test.line,
    }
    return out


def _tables(log: LogText) -> dict[str, str]:
    """The printed rates, which are per CPU second unless ``-elapsed`` was given."""
    rates = {
        row[0]: f"{row.number(1):g} sign/s, {row.number(2):g} verify/s"
        for row in log.each(_SIGNED)
    }
    for row in log.each(_SIZED):
        cells = [f"{number(cell[:-1], row.line) * 1000:g}" for cell in row[1].split()]
        rates[row[0]] = ", ".join(cells) + " byte/s"
    return rates | {f"line {row.line}": row[0] for row in log.each(_MACHINE)}
