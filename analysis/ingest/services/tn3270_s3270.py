"""Output of an s3270 script: response times of TN3270 commands.

s3270 answers each command with a status line of twelve fields and ``ok`` or
``error``; the last field is the seconds that the command took (x3270-script(1)). A
command that took no time was done at the client alone and is no round trip. Think
time is not in the log, so there is no rate.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from analysis.facts.remark import quote, remark
from analysis.ingest.logs.checks import MOST_ERRORS
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import LogText, number, percentiles
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "tn3270_s3270"
TITLE = "s3270 script output (TN3270 response times)"
TESTED = "s3270 4.1ga10, with Hercules"
SIGNS = ("ok", "error")
_FIELDS = (
    r"[ULE] [FU] [PU] (C\(([^)\n]{0,255})\)|N) [ILCPNHEST] "
    r"\d \d+ \d+ \d+ \d+ 0x[\da-fA-F]+"
)
_STATUS = re.compile(rf"{_FIELDS} (\S+)")
_MARK = re.compile(_FIELDS.encode() + rb" \S+\r?\n(ok|error)\b")


@dataclass
class _Session:
    """One connection: from the first status with a host to the first without."""

    host: str
    line: int
    times: list[float] = field(default_factory=list)
    errors: int = 0


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is the output of an s3270 script."""
    return b" 0x" in head and _MARK.search(head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """A ``tn3270_session`` row a connection and one ``benchmark`` row of them all."""
    return read_log(raw, FORMAT, "s3270", _parse)


def _parse(log: LogText) -> list[Result]:
    out = Result()
    sessions: list[_Session] = []
    state: tuple[str, float, int] | None = None
    connected, told = False, None
    for line, text in enumerate(log.lines, 1):
        if found := _STATUS.fullmatch(text.strip()):
            state = (found[2] or "", number(found[3], line), line)
        elif text.strip() in ("ok", "error") and state:
            host, seconds, at = state
            if host and not connected:
                sessions.append(_Session(host, at))
            connected, state = bool(host), None
            if sessions:
                _count(sessions[-1], text.strip(), seconds, connected)
            if text.strip() == "error":
                cause = (
                    quote(told)
                    if told
                    else remark("command_failed", "a command failed")
                )
                out.note(cause, line)
        elif text.startswith("data:"):
            told = text.removeprefix("data:").strip()
    _results(sessions, out)
    if state is not None and out.status != "failed":
        out.judge(
            "truncated",
            remark("ends_before_result", "ends before the result of its last command"),
        )
    return [out]


def _count(session: _Session, result: str, seconds: float, connected: bool) -> None:
    if result == "error":
        session.errors += 1
    elif connected and seconds > 0:
        session.times.append(seconds)


def _results(sessions: list[_Session], out: Result) -> None:
    times = sorted(seconds for session in sessions for seconds in session.times)
    errors = len(out.problems)  # so far, one a command
    out.records = {"session": len(sessions), "command": len(times) + errors}
    if not times:
        out.judge("failed", remark("no_answer", "no command got an answer"))
    elif errors > MOST_ERRORS * len(times):
        told = out.problems[0].remark
        out.judge(
            "degraded",
            remark("commands_failed", f"{errors} commands failed, the first: {told}"),
        )
    row: dict[str, Any] = {
        "transactions": len(times),
        "errors": errors,
        "position": sessions[0].line if sessions else 1,
    }
    if times:
        row |= {"latency_mean_us": sum(times) / len(times) * 1e6, **percentiles(times)}
    out.row = row
    out.tables["tn3270_session"] = [_session(session) for session in sessions]
    out.details = {"hosts": sorted({session.host for session in sessions})}


def _session(session: _Session) -> dict[str, Any]:
    mean = sum(session.times) / len(session.times) * 1000 if session.times else None
    return {
        "remote_ip": session.host,
        "round_trips": len(session.times),
        "response_ms": mean,
        "position": session.line,
    }
