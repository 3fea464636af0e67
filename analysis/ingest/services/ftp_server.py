"""Transfers in the log of the FTP server vsftpd."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.logs.checks import WRONG, contradiction, errors_verdict
from analysis.ingest.logs.result import Result
from analysis.ingest.logs.text import LogText
from analysis.ingest.reading import Verdict
from analysis.ingest.services.ftp_transfers import (
    RETRIEVE,
    STORE,
)

SERVER = (
    r'\] (OK|FAIL) (DOWNLOAD|UPLOAD): Client "[^"]*", "([^"]*)",'
    r"(?: (\S+) bytes,)? (\S+)Kbyte/sec"
)
_STAMP = re.compile(r"\w{3} (\w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}) \[pid (\d+)\]")
_COARSE = 2.0  # seconds that two stamps of whole seconds may miss
_OF_CLIENT = r"\d bytes? (?:received in|sent in|transferred)\b"


def server_result(log: LogText) -> Result:
    """The transfers that a server's log counts; it tells no run."""
    out = Result(tool="vsftpd")
    rows: list[dict[str, Any]] = []
    failed = 0
    begun: dict[str, dt.datetime] = {}  # the line before, by process
    for found in log.each(SERVER):
        if found[0] == "FAIL":
            what = f"{found[1].lower()} of {found[2]} failed"
            out.note(remark("command_of_client_failed", what), found.line)
            failed += 1
            continue
        size, rate = found.count(3), found.number(4) * 1024
        command = RETRIEVE if found[1] == "DOWNLOAD" else STORE
        row = {"role": "server", "command": command, "file": found[2], "bytes": size}
        rows.append(row | {"seconds": size / rate if rate else None})
        rows[-1]["position"] = found.line
        seconds = rows[-1]["seconds"]
        out.hold(_too_long(log.lines[found.line - 1], seconds, begun), found.line)
    if client := log.first(_OF_CLIENT):
        both = "logs of a client and of the server in one file"
        out.judge("failed", remark("client_and_server", both), client.line)
        return out
    out.tables["ftp_transfer"] = rows
    out.records = {"transfer": len(rows)}
    verdict = errors_verdict(failed, failed + len(rows), "transfers failed")
    out.hold(Verdict("degraded", verdict.cause) if rows else verdict)
    return out


def _too_long(
    line: str, seconds: float | None, begun: dict[str, dt.datetime]
) -> Verdict:
    """A transfer, stamped at its end, that by its rate began before the one before it
    in the same process had ended."""
    if not (found := _STAMP.match(line)):
        return Verdict("ok")
    try:
        stamp = dt.datetime.strptime(found[1], "%b %d %H:%M:%S %Y")
    except ValueError:
        return Verdict("ok")
    before, begun[found[2]] = begun.get(found[2]), stamp
    if seconds is None or before is None or stamp < before:
        return Verdict("ok")
    span = (stamp - before).total_seconds()
    if seconds <= span:
        return Verdict("ok")
    what, source = "the time by the rate", "the time stamps"
    cause = contradiction(what, seconds, span, WRONG, _COARSE, source).cause
    return Verdict("degraded" if cause else "ok", cause)
