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
_FIELDS = (
    r"[ULE] [FU] [PU] (C\(([^)\n]{0,255})\)|N) [ILCPNHEST] "
    r"\d \d+ \d+ \d+ \d+ 0x[\da-fA-F]+"
)
_STATUS = re.compile(rf"{_FIELDS} (\S+)")
_MARK = re.compile(_FIELDS.encode() + rb" \S+\r?\n(ok|error)\b")


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
    connected, data = False, ""
    for line, text in enumerate(map(str.strip, log.lines), 1):
        if status := _STATUS.fullmatch(text):
            state = status[2] or "", number(status[3], line), line
        elif text in ("ok", "error") and state:
            host, seconds, at = state
            if host and not connected:
                sessions.append(_Session(host, at))
            connected, state = bool(host), None
            if text == "error":
                failed = remark("command_failed", "a command failed")
                out.note(quote(data) if data else failed, line)
            elif connected and seconds > 0:
                sessions[-1].times.append(seconds)
        elif text.startswith("data:"):
            data = text.removeprefix("data:").strip()
    times = sorted(seconds for session in sessions for seconds in session.times)
    errors = len(out.problems)  # so far, one a command
    if not times:
        out.judge("failed", remark("no_answer", "no command got an answer"))
    elif errors > MOST_ERRORS * len(times):
        words = f"{errors} commands failed, the first: {out.problems[0].remark}"
        out.judge("degraded", remark("commands_failed", words))
    if state is not None and times:
        cut = "ends before the result of its last command"
        out.judge("truncated", remark("ends_before_result", cut), len(log.lines))
    out.row = {
        "transactions": len(times),
        "errors": errors,
        "position": sessions[0].line if sessions else 1,
    }
    if times:
        out.row["latency_mean_us"] = sum(times) / len(times) * 1e6
        out.row |= percentiles(times)
    out.tables["tn3270_session"] = [session.row() for session in sessions]
    out.records = {"session": len(sessions), "command": len(times) + errors}
    out.details = {"hosts": sorted({session.host for session in sessions})}
    return [out]


@dataclass
class _Session:
    """One connection: from the first status with a host to the first without."""

    host: str
    line: int
    times: list[float] = field(default_factory=list)

    def row(self) -> dict[str, Any]:
        """Its row of ``tn3270_session``."""
        mean = sum(self.times) / len(self.times) * 1000 if self.times else None
        return {
            "remote_ip": self.host,
            "round_trips": len(self.times),
            "response_ms": mean,
            "position": self.line,
        }
