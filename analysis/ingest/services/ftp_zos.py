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
from dataclasses import dataclass

from analysis.facts.remark import quote, remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import Found, LogText
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Problem, Reading
from analysis.ingest.services.ftp import RETRIEVE, STORE, Session, Transfer

FORMAT = "ftp_zos"
TITLE = "z/OS FTP client log"
TESTED = "files written by hand, after the messages in the IP User's Guide"
TIMED = "the sum of the times of all transfers one way, without pauses between them"
_HEAD = re.compile(
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


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is of FTP of z/OS."""
    return (
        any(word in head for word in (b"EZA", b"EZY", b"Transfer rate"))
        and _HEAD.search(head) is not None
    )


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """``ftp_transfer`` rows, and a ``benchmark`` row a direction (``test``)."""
    return read_log(raw, FORMAT, "z/OS FTP", _parse)


def _parse(log: LogText) -> list[Result]:
    session = _Session()
    for line, text in enumerate(log.lines, 1):
        session.step(text, line)
    if session.way and session.reply // 100 in (4, 5):
        session.end_badly("it has no end", len(log.lines))
    elif session.way:
        session.cut = session.way
    if session.banners > 1:
        words = f"{session.banners} logs in one file; put each in its own"
        session.fatal = remark("banners", words)
    return session.results(log.first(r"^\s*221[ -]") is not None)


@dataclass
class _Session(Session):
    """What was read so far; ``reply`` is the last code of the server."""

    banners: int = 0
    reply: int = 0

    def step(self, text: str, line: int) -> None:
        """Take a line."""
        if begin := _COMMAND.search(text):
            if self.way:
                self.end_badly("it has no end", line)
            self.way = RETRIEVE if begin[1] == RETRIEVE else STORE
            self.reply, self.file = 0, begin[2].strip() if begin[2] else None
        elif done := _DONE.search(text):
            self._end(Found(line, done.groups()))
        elif reply := _REPLY.match(text):
            self.reply = int(reply[1])
            if self.way and self.reply // 100 in (4, 5):
                self.end_badly(text.strip(), line)
        elif gone := _ENDED.search(text):
            if int(gone[1]) or int(gone[2]):
                self._give_up(gone[0], int(gone[1]) // 1000, line)
        elif error := _ERROR.match(text):
            cause = quote(error[1].strip())
            self.problems.append(Problem(cause, line))
            if error[1].startswith("EZA289"):
                self.fatal = cause
        elif re.search(r"EZA1450I|IBM FTP CS V\d", text) and "220" not in text[:5]:
            self.banners += 1

    def _give_up(self, text: str, subcommand: int, line: int) -> None:
        """The client ends, at the failure of a transfer or of something else."""
        way = _SUBCOMMANDS.get(subcommand)
        if way is None:
            self.fatal = quote(text)
        failed = {each.way for each in self.transfers if each.bytes is None}
        if way is None or way in failed:
            self.problems.append(Problem(quote(text), line))
        else:
            self.fail(way, text, line)
            self.way = ""
        self.gave_up = text

    def _end(self, done: Found) -> None:
        size, seconds, rate = done.count(0), done.number(1), done.number(2)
        line = done.line
        if not self.way:
            unknown = remark("unknown_direction", "a transfer of unknown direction")
            self.doubts.append(Problem(unknown, line))
            return
        if self.reply not in (226, 250):
            self.end_badly(f"the reply is {self.reply or 'missing'}", line)
            return
        unit = {"Kbytes": 1e3, "Mbytes": 1e6, "bytes": 1.0}.get(done[3])
        if unit and seconds > 0:
            # Rates have two decimals, and times three.
            low = size / (seconds + 0.001) / unit - 0.006
            high = size / max(seconds - 0.001, 1e-4) / unit + 0.006
            if not low <= rate <= high:
                words = (
                    f"the rate {rate:g} contradicts bytes and seconds, which make "
                    f"{size / seconds / unit:.2f} {done[3]}/sec"
                )
                self.doubts.append(
                    Problem(remark("line_rate_contradicts", words), line)
                )
        self.transfers.append(
            Transfer(self.way, line, self.file, size, seconds or None)
        )
        self.way = ""
