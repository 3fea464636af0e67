"""Logs of the FTP clients of Linux and Windows, and of the server vsftpd.

tnftp prints seconds cut to whole ones but an exact rate, in units of 1024
(``1.50 GiB/s``); inetutils prints exact seconds and a rounded rate
(``626 Mbytes/s``); vsftpd prints bytes and a rate in units of 1024 bytes. Where the
seconds are too coarse they are computed from the rate.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analysis.ingest.benchmark_log import Outcome, read_benchmark
from analysis.ingest.ftp_transfers import RETRIEVE, STORE, Transfer, add_transfers
from analysis.ingest.log_text import Found, LogText, UnreadableError
from analysis.ingest.reading import Problem, Reading

FORMAT = "ftp_clients"
TITLE = "FTP log (tnftp, inetutils, BSD, Windows, vsftpd)"
SIGNS = ("bytes received in", "bytes sent in", "pid", "connected to", "ftp", "2")
_MARK = re.compile(
    rb"^(ftp: )?\d\S* bytes (received|sent) in "
    rb"|^\w{3} \w{3} [ \d]\d \S+ \d{4} \[pid \d+\] "
    rb"|^220 .*\n(.*\n)*?[1-5]\d\d ",
    re.MULTILINE,
)
_ZOS = re.compile(rb"bytes transferred in|^\s*EZ(A|YFT)\d", re.MULTILINE)
_DONE = re.compile(
    r"^(?:ftp: )?(\S+) bytes (received|sent) in (\S+?) ?(?:secs?|[Ss]econds?)?\.?"
    r" \(?([^\s)]+?) ?([KMGTkmgt]?i?[Bb](?:ytes?)?)/s(?:ec)?\)?\.?$"
)
_ATTEMPT = re.compile(r"^local: (\S+) remote: (\S+)|^150 ")
_REPLY = re.compile(r"^([1-5]\d\d)[ -]")
_SERVER = (
    r'\] (OK|FAIL) (DOWNLOAD|UPLOAD): Client "[^"]*", "([^"]*)",'
    r"(?: (\S+) bytes,)? (\S+)Kbyte/sec"
)
_POWERS = "bkmgt"


@dataclass
class _Session:
    transfers: list[Transfer] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    failed: int = 0
    open: bool = False
    file: str | None = None


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a log of one of these programs."""
    return _MARK.search(head) is not None and _ZOS.search(head) is None


def read(path: Path, _zone: str | None = None) -> Reading:
    """``ftp_transfer`` rows; of a client also a ``benchmark`` row a direction."""
    return read_benchmark(path, FORMAT, "FTP client", _parse)


def _parse(log: LogText) -> Outcome:
    if log.first(_SERVER):
        return _parse_server(log)
    out, session = Outcome(), _Session()
    for line, text in enumerate(log.lines, 1):
        _step(session, text.strip(), line)
    out.problems = session.problems
    ended = log.first(r"^221[ -]") is not None
    add_transfers(out, session.transfers, Counter({"": session.failed}), ended)
    if session.open:
        out.failed, out.truncated = "", "ends within a transfer"
        out.tests = {}  # of an unknown direction
    return out


def _step(session: _Session, text: str, line: int) -> None:
    if "bytes received in" in text or "bytes sent in" in text:
        session.transfers.append(_transfer(session, text, line))
        session.open = False
    elif found := _ATTEMPT.match(text):
        session.open = True
        if found[1]:
            session.file = found[2]
    elif (found := _REPLY.match(text)) and found[1][0] in "45":
        session.problems.append(Problem(text, line))
        session.failed += 1
        session.open = False


def _transfer(session: _Session, text: str, line: int) -> Transfer:
    match = _DONE.match(text)
    if match is None:
        raise UnreadableError(f"{text!r} is not understood", line)
    found = Found(line, match.groups())
    size, rate = found.count(0), found.number(3) * _unit(found)
    seconds = None if ":" in found[2] else found.number(2)
    if not seconds:
        seconds = size / rate if rate else None
    elif rate and not 0.9 < size / seconds / rate < 1.12 and seconds > 0.1:
        raise UnreadableError("the rate contradicts bytes and seconds", line)
    command = RETRIEVE if found[1] == "received" else STORE
    return Transfer(command, size, seconds, session.file, line)


def _unit(found: Found) -> float:
    """Bytes of the rate's unit. Only Windows counts 1000 bytes as a kilobyte."""
    power = _POWERS.index(found[4][0].lower())
    windows = found[4] == "Kbytes" and "." in found[2] and found[3].count(".") == 1
    decimal = windows and abs(_ratio(found, 1000.0) - 1) < abs(_ratio(found, 1024) - 1)
    return (1000.0 if decimal else 1024.0) ** power


def _ratio(found: Found, kilobyte: float) -> float:
    seconds = found.number(2)
    rate = found.number(3) * kilobyte
    return found.count(0) / seconds / rate if seconds and rate else 0.0


def _parse_server(log: LogText) -> Outcome:
    out = Outcome(tool="vsftpd")
    rows: list[dict[str, Any]] = []
    for found in log.each(_SERVER):
        if found[0] == "FAIL":
            what = f"{found[1].lower()} of {found[2]} failed"
            out.problems.append(Problem(what, found.line))
            continue
        size, rate = found.count(3), found.number(4) * 1024
        command = RETRIEVE if found[1] == "DOWNLOAD" else STORE
        row = {"role": "server", "command": command, "file": found[2], "bytes": size}
        rows.append(row | {"seconds": size / rate if rate else None})
        rows[-1]["position"] = found.line
    out.tables["ftp_transfer"] = rows
    out.records = {"transfer": len(rows)}
    failed = len(out.problems)
    out.judge_errors(failed, failed + len(rows), "transfers failed")
    if out.failed and rows:
        out.doubts, out.failed = [out.failed], ""
    return out
