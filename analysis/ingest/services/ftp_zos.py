"""Logs of the z/OS FTP client: each transfer, and the result of each direction.

A ``Kbyte`` of the printed rate has 1000 bytes; the rate is rounded, so it is computed
again from bytes and seconds. Message identifiers (``EZA1617I``, ``EZYFT…``) are there
unless the client runs in z/OS UNIX without ``verbose``. The direction is that of the
echoed command before (``>>> RETR``); a transfer succeeded if the server replied 226
or 250 and the client tells bytes and seconds. The client ends at a failure if it was
told to (``EXIT``); its return code then names the subcommand that failed. Source: z/OS
Communications Server IP User's Guide (SC27-3662), "Interpreting FTP client output" and
"FTP subcommand codes".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from analysis.facts.remark import quote, remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import Found, LogText
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Problem, Reading
from analysis.ingest.services.ftp_transfers import (
    RETRIEVE,
    STORE,
    Transfer,
    Transfers,
    results_of,
)

FORMAT = "ftp_zos"
TITLE = "z/OS FTP client log"
TESTED = "files written by hand, after the messages in the IP User's Guide"
TIMED = "the sum of the times of all transfers one way, without pauses between them"
SIGNS = ("eza", "ezyft", "bytes transferred in")
_MARK = re.compile(
    rb"bytes transferred in \S+ seconds\.\s+Transfer rate"
    rb"|^\s*EZA(1450|1554|1701|1735|2897|2898)[IEW] "
    rb"|^\s*EZYFT\d+[A-Z] ",
    re.MULTILINE,
)
_COMMAND = re.compile(r">>> ?(RETR|STOR|STOU|APPE)\b\s*(\S.*)?$")
_DONE = re.compile(
    r"(?<!\S)(\S+) bytes transferred in (\S+) seconds?\."
    r"\s+Transfer rate (\S+) (\w+)/sec"
)
_REPLY = re.compile(r"^\s*([1-5]\d\d)[ -]")
_ENDED = re.compile(r"EZA1735I\s+Std Return Code = (\d+), Error Code = (\d+)")
# Codes of the subcommands APPEND, GET, MGET, MPUT and PUT.
_SUBCOMMANDS = {4: STORE, 16: RETRIEVE, 22: RETRIEVE, 24: STORE, 27: STORE}
_ERROR = re.compile(r"^\s*(EZ(?:A\d+|YFT\d+|YFS\d+)E\s.*|EZA289[78]I\s.*)$")


@dataclass
class _Session:
    """What was read so far."""

    moves: Transfers = field(default_factory=Transfers)
    banners: int = 0
    command: str = ""
    file: str | None = None
    reply: int = 0
    doubts: list[Problem] = field(default_factory=list)


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is a log of the z/OS FTP client."""
    return _MARK.search(head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """``ftp_transfer`` rows, and a ``benchmark`` row a direction (``test``)."""
    return read_log(raw, FORMAT, "z/OS FTP", _parse)


def _parse(log: LogText) -> list[Result]:
    session = _Session()
    for line, text in enumerate(log.lines, 1):
        _step(session, text, line)
    if session.command and session.reply // 100 in (4, 5):
        _fail(session, len(log.lines))
    elif session.command:
        session.moves.cut = _direction(session)
    ended = log.first(r"^\s*221[ -]") is not None
    if session.banners > 1:
        session.moves.fatal = remark(
            "banners", f"{session.banners} logs in one file; put each in its own"
        )
    return results_of(session.moves, ended, session.doubts)


def _step(session: _Session, text: str, line: int) -> None:
    if found := _COMMAND.search(text):
        if session.command:
            _fail(session, line)
        session.command, session.reply = found[1], 0
        session.file = found[2].strip() if found[2] else None
    elif found := _DONE.search(text):
        _end(session, Found(line, found.groups()))
    elif found := _REPLY.match(text):
        session.reply = int(found[1])
        if session.command and session.reply // 100 in (4, 5):
            _fail(session, line, text.strip())
    elif found := _ENDED.search(text):
        _give_up(session, found, line)
    elif found := _ERROR.match(text):
        session.moves.problems.append(Problem(quote(found[1].strip()), line))
        if found[1].startswith("EZA289"):
            session.moves.fatal = quote(found[1].strip())
    elif re.search(r"EZA1450I|IBM FTP CS V\d", text) and "220" not in text[:5]:
        session.banners += 1


def _fail(session: _Session, line: int, told: str = "") -> None:
    file = f"{session.file}: " if session.file else ""
    session.moves.fail(_direction(session), f"{file}{told or 'it has no end'}", line)
    session.command = ""


def _give_up(session: _Session, found: re.Match[str], line: int) -> None:
    """The client ends, at the failure of a transfer or of something else."""
    subcommand = int(found[1]) // 1000
    if not int(found[1]) and not int(found[2]):
        return
    moves, way = session.moves, _SUBCOMMANDS.get(subcommand)
    if way is None:
        session.moves.fatal = quote(found[0])
    if way is None or way in [failed for failed, _ in moves.failures]:
        moves.problems.append(Problem(quote(found[0]), line))
    else:
        moves.fail(way, found[0], line)
        session.command = ""
    moves.gave_up = found[0]


def _end(session: _Session, found: Found) -> None:
    size, seconds, rate = found.count(0), found.number(1), found.number(2)
    if not session.command:
        unknown = remark("unknown_direction", "a transfer of unknown direction")
        session.doubts.append(Problem(unknown, found.line))
        return
    if session.reply not in (226, 250):
        _fail(session, found.line, f"the reply is {session.reply or 'missing'}")
        return
    command = _direction(session)
    _check_rate(session, found, size, seconds, rate)
    session.moves.transfers.append(
        Transfer(command, size, seconds or None, session.file, found.line)
    )
    session.command = ""


def _direction(session: _Session) -> str:
    return RETRIEVE if session.command == RETRIEVE else STORE


def _check_rate(
    session: _Session, found: Found, size: int, seconds: float, rate: float
) -> None:
    """Doubt a transfer whose rate does not fit, allowing for its two decimals and
    for the milliseconds of its time."""
    kilobyte = {"Kbytes": 1e3, "Mbytes": 1e6, "bytes": 1.0}.get(found[3])
    if kilobyte is None or seconds <= 0:
        return
    low = size / (seconds + 0.001) / kilobyte - 0.006
    high = size / max(seconds - 0.001, 1e-4) / kilobyte + 0.006
    if not low <= rate <= high:
        expected = size / seconds / kilobyte
        wrong = (
            f"the rate {rate:g} contradicts bytes and seconds, which make "
            f"{expected:.2f} {found[3]}/sec"
        )
        session.doubts.append(
            Problem(remark("line_rate_contradicts", wrong), found.line)
        )
