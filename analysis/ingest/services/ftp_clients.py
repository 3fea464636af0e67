"""Logs of the FTP clients of Linux and Windows, of lftp, and of the server vsftpd.

tnftp prints seconds cut to whole ones but an exact rate, in units of 1024
(``1.50 GiB/s``); so does lftp, on a terminal only, and the command before tells the
direction. inetutils prints exact seconds and a rounded rate (``626 Mbytes/s``); vsftpd
prints bytes and a rate in units of 1024 bytes. Where the seconds are too coarse they
are computed from the rate.

The direction of a transfer that failed is told by the command before, where the log has
it, or by a reply that goes with one direction only. What Windows says of listings is no
transfer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from analysis.facts.remark import quote, remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import Found, LogText, UnreadableError, not_a_number
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Problem, Reading
from analysis.ingest.services.ftp_server import SERVER, server_result
from analysis.ingest.services.ftp_transfers import (
    RETRIEVE,
    STORE,
    UNKNOWN,
    Transfer,
    Transfers,
    results_of,
)

FORMAT = "ftp_clients"
TITLE = "FTP log (tnftp, inetutils, BSD, Windows, lftp, vsftpd)"
TESTED = "tnftp 20210827, inetutils 2.4, lftp 4.9.2, vsftpd 3.0.3"
TIMED = "the sum of the times of all transfers one way, without pauses between them"
SIGNS = (
    "bytes received in", "bytes sent in", "pid", "connected to", "ftp", "2",
    "bytes transferred in", "lftp",
)  # fmt: skip
_MARK = re.compile(
    rb"^(ftp: )?\d\S* bytes (received|sent) in "
    rb"|^\w{3} \w{3} [ \d]\d \S+ \d{4} \[pid \d+\] "
    rb"|^220 .*\n(.*\n)*?[1-5]\d\d ",
    re.MULTILINE,
)
_MARK_LFTP = re.compile(
    rb"\d bytes transferred in \d+ seconds? \(\S+ \w+/s\)|lftp \S*> "
)
_ZOS = re.compile(rb"bytes transferred in \S+ sec\w+\.|^\s*EZ(A|YFT)\d", re.MULTILINE)
_DONE = re.compile(
    r"^(?:ftp: )?(\S+) bytes (received|sent) in (\S+?) ?(?:secs?|[Ss]econds?)?\.?"
    r" \(?([^\s)]+?) ?([KMGTkmgt]?i?[Bb](?:ytes?)?)/s(?:ec)?\)?\.?$"
)
_LISTING = "LIST"
_LOCAL = re.compile(r"^local: (.*) remote: (.*)$")
_REPLY = re.compile(r"^([1-5]\d\d)[ -]")
_PROMPT = re.compile(r"^(?:ftp|lftp \S*)> ?(\w+)")
_LFTP = re.compile(
    r"^(\S+) bytes? transferred(?: in (\d+) seconds? \((\S+) ([KMGT]?i?B)/s\))?$"
)
_ENDED = r"^221[ -]|^\r?lftp \S*> ?(?:bye|quit|exit)\b"
_SENT = re.compile(r"^-+> ?([A-Z]{3,4})\b")  # of clients with debugging on
_COMMANDS = {
    RETRIEVE: ("get", "recv", "mget", "reget", "newer", "pget", "RETR"),
    STORE: ("put", "send", "mput", "reput", "append", "STOR", "STOU", "APPE"),
    _LISTING: ("ls", "dir", "nlist", "mls", "mdir", "mlsd", "LIST", "NLST", "MLSD"),
}
_SAYS = (  # replies that go with one direction; RFC 959 has 452, 55[123] for STOR only
    (_LISTING, re.compile(r"^1\d\d .*(directory listing|file list|/bin/ls)\.?$")),
    (STORE, re.compile(r"^150 Ok to send data|^1\d\d .*upload|^(452|532|55[123]) ")),
    (RETRIEVE, re.compile(r"^1\d\d .*(\(\d+ bytes\)|download)|^550 Failed to open")),
)
# They refuse a form of a command, or another one; the client goes on without it.
_OTHER = re.compile(
    r"^50[0124][ -]|^550 .*((change|create|remove) directory|directory operation"
    r"|delete operation|could not get file)",
    re.IGNORECASE,
)
_REFUSED = re.compile(r"^(m?get|reget|pget|m?put|reput): (.*)$")  # of lftp
_ALONE = re.compile(r"^(530|421)[ -]")  # no login, no service
_POWERS = "bkmgt"


@dataclass
class _Session:
    """What was read so far; ``way`` is the direction of an ``open`` transfer.

    ``asked`` is the direction of the command at the prompt, ``moved`` says that the
    server has told of the end of the transfer.
    """

    moves: Transfers = field(default_factory=Transfers)
    open: bool = False
    moved: bool = False
    way: str = UNKNOWN
    asked: str = UNKNOWN
    file: str | None = None


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a log of one of these programs."""
    lftp = b"bytes transferred in " in head or b"lftp " in head  # quick to say no
    if not (_MARK.search(head) or (lftp and _MARK_LFTP.search(head))):
        return False
    return _ZOS.search(head) is None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """``ftp_transfer`` rows; of a client also a ``benchmark`` row a direction."""
    return read_log(raw, FORMAT, "FTP client", _parse)


def _parse(log: LogText) -> list[Result]:
    if log.first(SERVER):
        return [server_result(log)]
    session = _Session()
    for line, text in enumerate(log.lines, 1):
        _step(session, text.strip().rpartition("\r")[2], line)  # over its progress
    ended = log.first(_ENDED) is not None
    if session.open and session.way != _LISTING and not (ended and session.moved):
        session.moves.cut = session.way
    doubts = [
        Problem(remark("files_as_one", f"{found[0]} files as one transfer"), found.line)
        for found in log.each(r"^Total (\d+) files transferred")
    ]
    return results_of(session.moves, ended, doubts)


def _step(session: _Session, text: str, line: int) -> None:
    if "bytes received in" in text or "bytes sent in" in text:
        transfer = _transfer(session, text, line)
        if session.way != _LISTING:
            session.moves.transfers.append(transfer)
        session.open, session.way = False, UNKNOWN
    elif found := _PROMPT.match(text) or _SENT.match(text):
        _ask(session, found[1], line)
    elif "bytes transferred" in text:
        session.moves.transfers.append(_lftp(session, text, line))
    elif found := _REFUSED.match(text):
        ways = [way for way, names in _COMMANDS.items() if found[1] in names]
        session.moves.fail(ways[0], found[2], line)
    elif found := _LOCAL.match(text):
        _open(session, line)
        session.file = found[2]
        session.way = RETRIEVE if found[1] == "/dev/null" else session.asked
    elif found := _REPLY.match(text):
        _reply(session, found[1], text, line)


def _ask(session: _Session, command: str, line: int) -> None:
    """A command of the user, or one that the client sends to the server."""
    ways = [way for way, names in _COMMANDS.items() if command in names]
    if ways or not command.isupper():
        session.asked = ways[0] if ways else UNKNOWN
    if ways and command.isupper():
        _begin(session, line)
        session.way = session.asked


def _begin(session: _Session, line: int) -> None:
    """What belongs to a transfer, whose beginning may have been told before."""
    if not session.open or session.moved:
        _open(session, line)


def _open(session: _Session, line: int) -> None:
    """A transfer begins, so the one before has ended: with no bytes, or it failed."""
    if session.open and not session.moved and session.way != _LISTING:
        session.moves.fail(session.way, "it has no end", line - 1)
    session.open, session.moved = True, False
    session.way, session.file = UNKNOWN, None


def _reply(session: _Session, code: str, text: str, line: int) -> None:
    if code[0] in "45":
        _refuse(session, text, line)
    elif code in ("125", "150"):
        _begin(session, line)
        session.way = session.way or session.asked or _said(text)
    elif code in ("226", "250"):
        session.moved = session.open


def _said(text: str) -> str:
    """The direction that a reply tells; empty where it tells none."""
    return next((way for way, says in _SAYS if says.match(text)), UNKNOWN)


def _refuse(session: _Session, text: str, line: int) -> None:
    """A reply that refuses something: a transfer, unless it says otherwise."""
    way = session.way or session.asked or _said(text)
    alone = _ALONE.match(text) and not session.open
    if alone or way == _LISTING or _OTHER.match(text):
        session.moves.problems.append(Problem(quote(text), line))
        return
    file = f"{session.file}: " if session.file else ""
    session.moves.fail(way, f"{file}{text}", line)
    session.open, session.way, session.file = False, UNKNOWN, None


def _transfer(session: _Session, text: str, line: int) -> Transfer:
    match = _DONE.match(text)
    if match is None:
        raise UnreadableError(not_a_number(text), line)
    found = Found(line, match.groups())
    size, rate = found.count(0), found.number(3) * _unit(found)
    seconds = None if ":" in found[2] else found.number(2)
    if not seconds:
        seconds = size / rate if rate else None
    elif rate and not 0.9 < size / seconds / rate < 1.12 and seconds > 0.1:
        raise UnreadableError(remark("rate_contradicts"), line)
    command = RETRIEVE if found[1] == "received" else STORE
    return Transfer(command, size, seconds, session.file, line)


def _lftp(session: _Session, text: str, line: int) -> Transfer:
    match = _LFTP.match(text)
    if match is None:
        raise UnreadableError(not_a_number(text), line)
    if session.asked not in (RETRIEVE, STORE):
        raise UnreadableError(
            remark("no_direction", "no command tells the direction; keep the prompts"),
            line,
        )
    found = Found(line, tuple(group or "" for group in match.groups()))
    size, seconds = found.count(0), None
    if found[1]:
        seconds = size / (
            found.number(2) * 1024.0 ** _POWERS.index(found[3][0].lower())
        )
        if abs(seconds - found.number(1)) > 1:
            raise UnreadableError(remark("rate_contradicts"), line)
    return Transfer(session.asked, size, seconds, None, line)


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
