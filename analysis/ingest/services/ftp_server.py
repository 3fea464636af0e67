"""Transfers in the log of the FTP server vsftpd."""

from __future__ import annotations

from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.logs.benchmark import LogOutcome
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
_OF_CLIENT = r"\d bytes? (?:received in|sent in|transferred)\b"


def parse_server(log: LogText) -> LogOutcome:
    """The transfers that a server's log counts."""
    out = LogOutcome(tool="vsftpd")
    rows: list[dict[str, Any]] = []
    for found in log.each(SERVER):
        if found[0] == "FAIL":
            what = remark(
                "command_of_client_failed", command=found[1].lower(), file=found[2]
            )
            out.problems.append(Problem(what, found.line))
            continue
        size, rate = found.count(3), found.number(4) * 1024
        command = RETRIEVE if found[1] == "DOWNLOAD" else STORE
        row = {"role": "server", "command": command, "file": found[2], "bytes": size}
        rows.append(row | {"seconds": size / rate if rate else None})
        rows[-1]["position"] = found.line
    if client := log.first(_OF_CLIENT):
        out.failed = remark("client_and_server")
        out.problems.append(Problem(remark("transfer_client"), client.line))
        return out
    out.tables["ftp_transfer"] = rows
    out.records = {"transfer": len(rows)}
    failed = len(out.problems)
    out.judge_errors(failed, failed + len(rows), "transfers failed")
    if out.failed and rows:
        out.doubts, out.failed = [out.failed], None
    return out
