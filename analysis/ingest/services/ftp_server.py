"""Transfers in the log of the FTP server vsftpd."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from analysis.facts.remark import Remark, remark
from analysis.ingest.logs.benchmark import WRONG, LogOutcome, contradiction
from analysis.ingest.logs.text import LogText
from analysis.ingest.reading import Problem
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


def parse_server(log: LogText) -> LogOutcome:
    """The transfers that a server's log counts."""
    out = LogOutcome(tool="vsftpd")
    rows: list[dict[str, Any]] = []
    begun: dict[str, dt.datetime] = {}  # the line before, by process
    for found in log.each(SERVER):
        if found[0] == "FAIL":
            what = remark(
                "command_of_client_failed", f"{found[1].lower()} of {found[2]} failed"
            )
            out.problems.append(Problem(what, found.line))
            continue
        size, rate = found.count(3), found.number(4) * 1024
        command = RETRIEVE if found[1] == "DOWNLOAD" else STORE
        row = {"role": "server", "command": command, "file": found[2], "bytes": size}
        rows.append(row | {"seconds": size / rate if rate else None})
        rows[-1]["position"] = found.line
        if doubt := _too_long(log.lines[found.line - 1], rows[-1]["seconds"], begun):
            out.doubts.append(doubt)
            out.problems.append(Problem(doubt, found.line))
    if client := log.first(_OF_CLIENT):
        out.failed = remark(
            "client_and_server", "logs of a client and of the server in one file"
        )
        out.problems.append(
            Problem(remark("transfer_client", "a transfer of a client"), client.line)
        )
        return out
    out.tables["ftp_transfer"] = rows
    out.records = {"transfer": len(rows)}
    failed = len(out.problems)
    out.judge_errors(failed, failed + len(rows), "transfers failed")
    if out.failed and rows:
        out.doubts, out.failed = [out.failed], None
    return out


def _too_long(
    line: str, seconds: float | None, begun: dict[str, dt.datetime]
) -> Remark | None:
    """A transfer, stamped at its end, that by its rate began before the one before it
    in the same process had ended."""
    if not (found := _STAMP.match(line)):
        return None
    try:
        stamp = dt.datetime.strptime(found[1], "%b %d %H:%M:%S %Y")
    except ValueError:
        return None
    before, begun[found[2]] = begun.get(found[2]), stamp
    if seconds is None or before is None or stamp < before:
        return None
    span = (stamp - before).total_seconds()
    if seconds <= span:
        return None
    what, source = "the time by the rate", "the time stamps"
    return contradiction(what, seconds, span, WRONG, _COARSE, source).cause
