"""``/usr/bin/time``: CPU time of one command, in each of its forms.

Read are ``-v``, the default form, ``-p`` and the shell's own ``time``. It is the
process's own time: what the kernel does for it in other contexts is not in it.
Layout: ``time.c`` of GNU time.
"""

from __future__ import annotations

import re

from analysis.facts.remark import remark
from analysis.ingest.linux.cpu import is_one_report
from analysis.ingest.logs.text import Found, LogText, UnreadableError, number
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Circumstances, Problem, Reading
from analysis.ingest.tables.catalog import frame

FORMAT = "time_v"
TITLE = "/usr/bin/time (CPU time of a command)"
TESTED = "GNU time 1.9, and bash"
SIGNS = ("user time seconds", "user system elapsed", "real user sys")
_SHORT = r"(?<!\S)(\d\S*)user (\d\S*)system (\d\S*)elapsed (\d+|\?+)%CPU"
_REPORT = rf"^\tUser time \(seconds\): |^user\s+\d|{_SHORT}"
_CLOCK = r"(?:(\d+)m)?(\d\S*?)s?"
_MARK = re.compile(
    rb"^\tUser time \(seconds\): |^" + _SHORT.encode() + rb"|^real\s+\d\S*\s*\n"
    rb"user\s+\d\S*\s*\nsys\s+\d",
    re.MULTILINE,
)


def recognise(head: bytes) -> bool:
    """Whether a file that begins so holds a report of time."""
    return _MARK.search(head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``run_cpu`` row of scope process; ``details``: elapsed seconds, status."""
    log = LogText(raw.read_bytes())
    reading = Reading(FORMAT, tool="time")
    if not is_one_report([found.line for found in log.each(_REPORT)], reading):
        return reading
    try:
        times = _verbose(log) or _default(log) or _posix(log)
        _fill(reading, log, times)
    except UnreadableError as error:
        reading.judge("failed", error.at_line)
        reading.problems = [Problem(error.remark, error.line)]
    return reading


Times = tuple[float, float, float, int]  # user, system, elapsed, line


def _verbose(log: LogText) -> Times | None:
    user = log.first(r"^\tUser time \(seconds\): (\S+)")
    system = log.first(r"^\tSystem time \(seconds\): (\S+)")
    elapsed = log.first(r"^\tElapsed \(wall clock\) time \(.*\): (\S+)")
    if not (user and system and elapsed and log.first(r"^\tExit status: \d+$")):
        return None
    return user.number(), system.number(), _span(elapsed), user.line


def _span(found: Found) -> float:
    """Seconds of ``h:mm:ss`` or ``m:ss.ss``."""
    seconds = 0.0
    for part in found[0].split(":"):
        seconds = seconds * 60 + number(part, found.line)
    return seconds


def _default(log: LogText) -> Times | None:
    found = log.first(_SHORT)
    if found is None:
        return None
    return found.number(), found.number(1), _span(Found(found.line, (found[2],))), 1


def _posix(log: LogText) -> Times | None:
    found = [log.first(rf"^{name}\s+{_CLOCK}$") for name in ("real", "user", "sys")]
    known = [f for f in found if f is not None]
    if len(known) < 3:
        return None
    spans = [number(f[0] or "0", f.line) * 60 + f.number(1) for f in known]
    return spans[1], spans[2], spans[0], known[1].line


def _fill(reading: Reading, log: LogText, times: Times | None) -> None:
    killed = log.first(r"^Command terminated by signal (\d+)")
    status = log.first(r"^Command exited with non-zero status (\d+)")
    if status:
        told = remark(
            "command_exit_status", f"the command ended with exit status {status[0]}"
        )
        reading.problems.append(Problem(told, status.line))
        reading.circumstances = Circumstances(exit_status=int(status[0]))
    if times is None or log.lines[-1]:
        reading.status, reading.cause = (
            "truncated",
            remark("ends_before_last_line", "ends before its last line"),
        )
        return
    user, system, elapsed, line = times
    row = {
        "cpu_type": "CP",
        "cpu_seconds": user + system,
        "method": "rusage",
        "scope": "process",
        "position": line,
    }
    reading.tables["run_cpu"] = frame("run_cpu", [row])
    reading.records = {"command": 1}
    reading.details = {"elapsed_seconds": elapsed}
    share = log.first(r"(?:Percent of CPU this job got: |elapsed )(\d+)%")
    if killed:
        reading.status = "failed"
        reading.cause = remark(
            "command_signal", f"the command was ended by signal {killed[0]}"
        )
    elif share and elapsed > 1 and not _fits(share, user + system, elapsed):
        reading.status = "degraded"
        reading.cause = remark(
            "percentage_and_times", "its percentage contradicts its times"
        )


def _fits(share: Found, used: float, elapsed: float) -> bool:
    return abs(share.number() - 100 * used / elapsed) <= 1.5 + 1.0 / elapsed
