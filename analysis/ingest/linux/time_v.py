"""``/usr/bin/time``: CPU time of one command, in each of its forms.

Read are ``-v``, the default form, ``-p`` and the shell's own ``time``. It is the
process's own time: what the kernel does for it in other contexts is not in it.
Layout: ``time.c`` of GNU time.
"""

from __future__ import annotations

import re

from analysis.facts.remark import remark
from analysis.ingest.linux.cpu import add_command, is_one, read_command
from analysis.ingest.logs.text import LogText, number
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Circumstances, Problem, Reading

FORMAT = "time_v"
TITLE = "/usr/bin/time (CPU time of a command)"
TESTED = "GNU time 1.9, and bash"
SIGNS = ("user time seconds", "user system elapsed", "real user sys")
_SHORT = r"(?<!\S)(\d\S*)user (\d\S*)system (\d\S*)elapsed (\d+|\?+)%CPU"
_REPORT = rf"^\tUser time \(seconds\): |^user\s+\d|{_SHORT}"
_MARK = re.compile(
    rb"^\tUser time \(seconds\): |^" + _SHORT.encode() + rb"|^real\s+\d\S*\s*\n"
    rb"user\s+\d\S*\s*\nsys\s+\d",
    re.MULTILINE,
)
Times = tuple[float, float, float, int]  # user, system, elapsed [s], line


def recognise(head: bytes) -> bool:
    """Whether a file that begins so holds a report of time."""
    return _MARK.search(head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``run_cpu`` row of scope process; ``details``: elapsed seconds, status."""
    return read_command(raw, FORMAT, "time", _parse)


def _parse(log: LogText, reading: Reading) -> None:
    if not is_one([report.line for report in log.each(_REPORT)], reading):
        return
    if status := log.first(r"^Command exited with non-zero status (\d+)"):
        words = f"the command ended with exit status {status[0]}"
        told = remark("command_exit_status", words)
        reading.problems.append(Problem(told, status.line))
        reading.circumstances = Circumstances(exit_status=int(status[0]))
    times = _verbose(log) or _default(log) or _posix(log)
    if times is None or log.lines[-1]:
        cut = remark("ends_before_last_line", "ends before its last line")
        reading.judge("truncated", cut)
        return
    user, system, elapsed, line = times
    add_command(reading, "rusage", user + system, line)
    reading.records = {"command": 1}
    reading.details = {"elapsed_seconds": elapsed}
    if killed := log.first(r"^Command terminated by signal (\d+)"):
        words = f"the command was ended by signal {killed[0]}"
        reading.judge("failed", remark("command_signal", words))
        return
    share = log.first(r"(?:Percent of CPU this job got: |elapsed )(\d+)%")
    if share and elapsed > 1:
        used = 100 * (user + system) / elapsed
        if abs(share.number() - used) > 1.5 + 1.0 / elapsed:
            words = "its percentage contradicts its times"
            reading.judge("degraded", remark("percentage_and_times", words))


def _verbose(log: LogText) -> Times | None:
    user = log.first(r"^\tUser time \(seconds\): (\S+)")
    system = log.first(r"^\tSystem time \(seconds\): (\S+)")
    elapsed = log.first(r"^\tElapsed \(wall clock\) time \(.*\): (\S+)")
    if not (user and system and elapsed and log.first(r"^\tExit status: \d+$")):
        return None
    return user.number(), system.number(), _span(elapsed[0], elapsed.line), user.line


def _default(log: LogText) -> Times | None:
    times = log.first(_SHORT)
    if times is None:
        return None
    return times.number(), times.number(1), _span(times[2], times.line), 1


def _span(text: str, line: int) -> float:
    """Seconds of ``h:mm:ss`` or ``m:ss.ss``."""
    seconds = 0.0
    for part in text.split(":"):
        seconds = seconds * 60 + number(part, line)
    return seconds


def _posix(log: LogText) -> Times | None:
    """The times of ``-p`` in seconds, and of the shell in ``0m1.234s``."""
    seconds, line = [], 1
    for name in ("real", "user", "sys"):
        time = log.first(rf"^{name}\s+(?:(\d+)m)?(\d\S*?)s?$")
        if time is None:
            return None
        seconds.append(number(time[0] or "0", time.line) * 60 + time.number(1))
        line = time.line if name == "user" else line
    return seconds[1], seconds[2], seconds[0], line
