"""``/usr/bin/time``: CPU time of one command, in each of its forms.

Read are ``-v``, the default form, ``-p`` and the shell's own ``time``. It is the
process's own time: what the kernel does for it in other contexts is not in it.
Layout: ``time.c`` of GNU time.
"""

from __future__ import annotations

import re

from analysis.facts.remark import remark
from analysis.ingest.linux.cpu import add_command, is_one
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import Found, LogText, number
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Circumstances, Reading

FORMAT = "time_v"
TITLE = "/usr/bin/time (CPU time of a command)"
TESTED = "GNU time 1.9, and bash"
_SHORT = r"(?<!\S)(\d\S*)user (\d\S*)system (\d\S*)elapsed (\d+|\?+)%CPU"
_REPORT = rf"^\tUser time \(seconds\): |^user\s+\d|{_SHORT}"
recognise = re.compile(
    rb"^\tUser time \(seconds\): |^" + _SHORT.encode() + rb"|^real\s+\d\S*\s*\n"
    rb"user\s+\d\S*\s*\nsys\s+\d",
    re.MULTILINE,
).search
_EXIT = "command_exit_status"
_FORMS = (  # user, system and elapsed time, and a line at the end
    (
        r"^\tUser time \(seconds\): (\S+)",
        r"^\tSystem time \(seconds\): (\S+)",
        r"^\tElapsed \(wall clock\) time \(.*\): (\S+)",
        r"^\tExit status: \d+$",
    ),
    (
        _SHORT,
        r"(?<=user )(\d\S*)system \d\S*elapsed",
        r"(?<=system )(\d\S*)elapsed (?:\d+|\?+)%CPU",
    ),
    (r"^user\s+(\d\S*?)s?$", r"^sys\s+(\d\S*?)s?$", r"^real\s+(\d\S*?)s?$"),
)


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``run_cpu`` row of scope process; ``details``: elapsed seconds, status."""
    reading = read_log(raw, FORMAT, "time", _parse)
    for problem in reading.problems:
        if problem.remark.kind == _EXIT:
            status = problem.remark.values["status"]
            reading.circumstances = Circumstances(exit_status=status)
    return reading


def _parse(log: LogText) -> list[Result]:
    out = Result(records={"command": 1})
    if not is_one([report.line for report in log.each(_REPORT)], out):
        return [out]
    if status := log.first(r"^Command exited with non-zero status (\d+)"):
        words = f"the command ended with exit status {status[0]}"
        out.note(remark(_EXIT, words, status=status.count()), status.line)
    times = _times(log)
    if times is None or log.lines[-1]:
        cut = remark("ends_before_last_line", "ends before its last line")
        out.judge("truncated", cut)
        return [out]
    user, system, elapsed, line = times
    add_command(out, "rusage", user + system, line)
    out.details = {"elapsed_seconds": elapsed}
    share = log.first(r"(?:Percent of CPU this job got: |elapsed )(\d+)%")
    if killed := log.first(r"^Command terminated by signal (\d+)"):
        words = f"the command was ended by signal {killed[0]}"
        out.judge("failed", remark("command_signal", words), killed.line)
    elif share and elapsed > 1:
        used = 100 * (user + system) / elapsed
        if abs(share.number() - used) > 1.5 + 1.0 / elapsed:
            words = "its percentage contradicts its times"
            out.judge("degraded", remark("percentage_and_times", words), share.line)
    return [out]


def _times(log: LogText) -> tuple[float, float, float, int] | None:
    """User, system and elapsed time [s], and the line of the first; null where they,
    or the end of a verbose report, are not all there."""
    for form in _FORMS:
        lines: list[Found] = []
        for pattern in form:
            if not (line := log.first(pattern)):
                break
            lines.append(line)
        else:
            user, system, elapsed = map(_span, lines[:3])
            return user, system, elapsed, lines[0].line
    return None


def _span(time: Found) -> float:
    """Seconds of ``h:mm:ss``, ``m:ss.ss``, ``0m1.234s`` or ``1.23``."""
    seconds = 0.0
    for part in re.split("[:m]", time[0]):
        seconds = seconds * 60 + number(part, time.line)
    return seconds
