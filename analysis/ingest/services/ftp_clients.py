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

import datetime as dt
import re
from dataclasses import dataclass

from analysis.facts.remark import quote, remark
from analysis.ingest.logs.checks import WRONG, contradiction, errors_verdict
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import (
    BINARY_STEPS,
    Found,
    LogText,
    UnreadableError,
    not_a_number,
)
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Problem, Reading, Verdict
from analysis.ingest.services.ftp import RETRIEVE, STORE, UNKNOWN, Session, Transfer

FORMAT = "ftp_clients"
TITLE = "FTP log (tnftp, inetutils, BSD, Windows, lftp, vsftpd)"
TESTED = "tnftp 20210827, inetutils 2.4, lftp 4.9.2, vsftpd 3.0.3"
TIMED = "the sum of the times of all transfers one way, without pauses between them"
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
_SERVER = (
    r'\] (OK|FAIL) (DOWNLOAD|UPLOAD): Client "[^"]*", "([^"]*)",'
    r"(?: (\S+) bytes,)? (\S+)Kbyte/sec"
)
_STAMP = re.compile(r"\w{3} (\w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}) \[pid (\d+)\]")
_COARSE = 2.0  # seconds that two stamps of whole seconds may miss
_OF_CLIENT = r"\d bytes? (?:received in|sent in|transferred)\b"


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
    if log.first(_SERVER):
        return [_server(log)]
    session = _Session()
    for line, text in enumerate(log.lines, 1):
        session.step(text.strip().rpartition("\r")[2], line)  # over its progress
    ended = log.first(_ENDED) is not None
    if session.is_open() and not (ended and session.moved):
        session.cut = session.way
    for total in log.each(r"^Total (\d+) files transferred"):
        several = remark("files_as_one", f"{total[0]} files as one transfer")
        session.doubts.append(Problem(several, total.line))
    return session.results(ended)


@dataclass
class _Session(Session):
    """What was read so far: whether a transfer is ``open``, and whether the server has
    told of its end; ``asked`` is the direction of the command at the prompt."""

    open: bool = False
    moved: bool = False
    asked: str = UNKNOWN

    def step(self, text: str, line: int) -> None:
        """Take a line."""
        if "bytes received in" in text or "bytes sent in" in text:
            transfer = _transfer(text, line, self.file)
            if self.way != _LISTING:
                self.transfers.append(transfer)
            self.open, self.way = False, UNKNOWN
        elif command := _PROMPT.match(text) or _SENT.match(text):
            self._ask(command[1], line)
        elif "bytes transferred" in text:
            self.transfers.append(_lftp(text, line, self.asked))
        elif refused := _REFUSED.match(text):
            self.fail(_way_of(refused[1]), refused[2], line)
        elif names := _LOCAL.match(text):
            self._begin(line, anew=True)
            self.file = names[2]
            self.way = RETRIEVE if names[1] == "/dev/null" else self.asked
        elif reply := _REPLY.match(text):
            code = reply[1]
            if code[0] in "45":
                self._refuse(text, line)
            elif code in ("125", "150"):
                self._begin(line)
                self.way = self.way or self.asked or _says(text)
            elif code in ("226", "250"):
                self.moved = self.open

    def is_open(self) -> bool:
        """Whether a transfer of a file is under way."""
        return self.open and self.way != _LISTING

    def _ask(self, command: str, line: int) -> None:
        """A command of the user, or one that the client sends to the server."""
        way = _way_of(command)
        if way or not command.isupper():
            self.asked = way
        if way and command.isupper():
            self._begin(line)
            self.way = way

    def _begin(self, line: int, anew: bool = False) -> None:
        """What belongs to a transfer, whose beginning may have been told before. One
        that begins ends the one before: with no bytes, or it failed."""
        if self.open and not self.moved and not anew:
            return
        if self.is_open() and not self.moved:
            self.end_badly("it has no end", line - 1)
        self.open, self.moved = True, False
        self.way, self.file = UNKNOWN, None

    def _refuse(self, text: str, line: int) -> None:
        """A reply that refuses something: a transfer, unless it says otherwise."""
        way = self.way or self.asked or _says(text)
        alone = _ALONE.match(text) and not self.open
        if alone or way == _LISTING or _OTHER.match(text):
            self.problems.append(Problem(quote(text), line))
            return
        self.open, self.way = False, way
        self.end_badly(text, line)


def _way_of(command: str) -> str:
    """The direction of a command; unknown of others."""
    return next((way for way, each in _COMMANDS.items() if command in each), UNKNOWN)


def _says(reply: str) -> str:
    """The direction that a reply tells; unknown where it tells none."""
    return next((way for way, says in _SAYS if says.match(reply)), UNKNOWN)


def _transfer(text: str, line: int, file: str | None) -> Transfer:
    match = _DONE.match(text)
    if match is None:
        raise UnreadableError(not_a_number(text), line)
    done = Found(line, match.groups())
    size, rate = done.count(0), done.number(3) * _step(done[4])
    seconds = None if ":" in done[2] else done.number(2)
    if seconds and done[4] == "Kbytes" and "." in done[2] and "." in done[3]:
        speed = size / seconds  # Windows alone counts 1000 bytes as a kilobyte
        rate = min(rate, done.number(3) * 1000, key=lambda each: abs(speed - each))
    if not seconds:
        seconds = size / rate if rate else None
    elif rate and not 0.9 < size / seconds / rate < 1.12 and seconds > 0.1:
        raise UnreadableError(remark("rate_contradicts"), line)
    return Transfer(
        RETRIEVE if done[1] == "received" else STORE, line, file, size, seconds
    )


def _lftp(text: str, line: int, way: str) -> Transfer:
    match = _LFTP.match(text)
    if match is None:
        raise UnreadableError(not_a_number(text), line)
    if way not in (RETRIEVE, STORE):
        words = "no command tells the direction; keep the prompts"
        raise UnreadableError(remark("no_direction", words), line)
    done = Found(line, tuple(group or "" for group in match.groups()))
    size, seconds = done.count(0), None
    if done[1]:
        seconds = size / (done.number(2) * _step(done[3]))
        if abs(seconds - done.number(1)) > 1:
            raise UnreadableError(remark("rate_contradicts"), line)
    return Transfer(way, line, None, size, seconds)


def _step(unit: str) -> int:
    """Bytes of a unit such as ``MiB``, ``Kbytes`` or ``B``."""
    return BINARY_STEPS[unit[0].upper().replace("B", "")]


def _server(log: LogText) -> Result:
    """The transfers that a log of vsftpd counts; it tells no run."""
    out = Result(tool="vsftpd")
    moved: list[Transfer] = []
    failed = 0
    before: dict[str, dt.datetime] = {}  # the stamp of a process's last line
    for line in log.each(_SERVER):
        if line[0] == "FAIL":
            words = f"{line[1].lower()} of {line[2]} failed"
            out.note(remark("command_of_client_failed", words), line.line)
            failed += 1
            continue
        size, rate = line.count(3), line.number(4) * 1024
        seconds = size / rate if rate else None
        way = RETRIEVE if line[1] == "DOWNLOAD" else STORE
        moved.append(Transfer(way, line.line, line[2], size, seconds))
        if not (stamp := _STAMP.match(log.lines[line.line - 1])):
            continue
        try:
            end = dt.datetime.strptime(stamp[1], "%b %d %H:%M:%S %Y")
        except ValueError:
            continue
        # Stamped at its end, it began after the one before it in its process ended.
        span = (end - before.get(stamp[2], end)).total_seconds()
        known, before[stamp[2]] = stamp[2] in before, end
        if known and seconds is not None and 0 <= span < seconds:
            what, source = "the time by the rate", "the time stamps"
            held = contradiction(what, seconds, span, WRONG, _COARSE, source)
            if held.cause:
                out.judge("degraded", held.cause, line.line)
    if client := log.first(_OF_CLIENT):
        both = "logs of a client and of the server in one file"
        out.judge("failed", remark("client_and_server", both), client.line)
        return out
    out.tables["ftp_transfer"] = [transfer.row("server") for transfer in moved]
    out.records = {"transfer": len(moved)}
    verdict = errors_verdict(failed, failed + len(moved), "transfers failed")
    out.hold(Verdict("degraded", verdict.cause) if moved else verdict)
    return out
