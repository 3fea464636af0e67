"""iperf3's text, of clients and servers.

"Transfer" has binary units (``GBytes`` is 2**30 bytes), "Bitrate" decimal bits, but
binary bytes with ``-f M``. A client ends with ``iperf Done.``; a server's sessions
end with their sender and receiver lines. Of datagrams, versions before 3.2 print one
line of totals without these words: what was sent, and how much of it was lost; 3.0
writes "Kbis/sec". A server that lost its client prints a total
over the wrong time: it does not fit the intervals, and that gives it away.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from analysis.facts.remark import quote, remark
from analysis.ingest.logs.checks import agree, hold_intervals, hold_sides
from analysis.ingest.logs.result import (
    Result,
    failed_log,
    join_results,
    name_sides,
)
from analysis.ingest.logs.text import (
    BINARY_STEPS,
    DECIMAL_STEPS,
    not_a_number,
    text_lines,
)
from analysis.ingest.printed import printed
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Problem, Reading, Verdict

FORMAT = "iperf3_text"
TITLE = "iperf3 benchmark log (text)"
TESTED = "iperf 3.12"
TIMED = (
    "the interval of the receiver's line of totals, by iperf3's clock, without "
    "omitted seconds"
)
SIGNS = ("iperf", "connecting to host", "server listening", "bitrate")
_MARKS = re.compile(
    rb"^(?:.{0,40})(?:iperf3: (?:error|interrupt|the client)"
    rb"|Connecting to host .+, port|Server listening on \d+(?: \(test #\d+\))?\s*$"
    rb"|\[ ID\](?:\[Role\])? Interval +Transfer +Bitrate)",
    re.MULTILINE,
)
_BEGIN = re.compile(r"Connecting to host |Accepted connection from ")
_LISTENING = re.compile(r"Server listening on \d+")
_STREAM = re.compile(r"\[ *\d+\] local \S+ port \d+ connected to ")
_HEADER = re.compile(r"\[ ID\](?:\[Role\])? Interval")
_LINE = re.compile(
    r"^[^\[]*\[ *(\d+|SUM)\](?:\[([TR]X-[CS])\])? +(\d+\.\d\d)-(\d+\.\d\d) +sec +"
    r"(\d+(?:\.\d+)?) ([KMGT]?)Bytes +(\d+(?:\.\d+)?) ([KMGT]?)(bit?s|Bytes)/sec"
    r"((?: [^\[]*)?)$"
)
_LIKE_LINE = re.compile(r"\[ *(?:\d+|SUM)\](?:\[[TR]X-[CS]\])? +\d+[.,]\d+ *-")
_LOST = re.compile(r" (\d+)/(\d+) \((?:[\d.e+-]+|-?nan)%\)")
_KERNEL = re.compile(r"Linux \S+ (\d\S*) #")
_MSS = re.compile(r" *(?:Control connection MSS|TCP MSS:) (\d{1,9})")
_ERROR = re.compile(r"iperf3: (?!interrupt - the server has terminated)(.+)")
_DONE = "iperf Done."
_CLOSING = ("sender", "receiver", "datagrams")


@dataclass(frozen=True)
class _Line:
    """One line of figures; ``kind`` is sender, receiver, datagrams (a total without
    these words), omitted or empty."""

    number: int
    id: str
    way: str | None
    start: float
    seconds: float
    bytes: float
    rate: float
    kind: str
    lost: tuple[int, int] | None


@dataclass
class _Session:
    """One session, as far as it was read."""

    line: int
    server: bool
    streams: list[str] = field(default_factory=list)
    lines: list[_Line] = field(default_factory=list)
    separated: bool = True
    closing: bool = False
    restarted: bool = False
    done: bool = False
    damaged: tuple[int, str] | None = None


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is text of iperf3."""
    return _MARKS.search(head) is not None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``benchmark`` row for each session: a stream (STR), without transactions.

    ``bytes_per_second`` is the receiver's, with three digits; the sum of both ways of
    a bidirectional session.
    """
    lines, cut = text_lines(raw.read_bytes())
    sessions: list[_Session] = []
    errors: list[tuple[int, str]] = []
    for at, line in enumerate(lines, 1):
        if found := _ERROR.search(line):
            errors.append((at, found[1]))
        elif found := _BEGIN.search(line):
            sessions.append(_Session(at, found[0].startswith("Accepted")))
        elif sessions:
            _take(sessions[-1], at, line)
    results = [_result(session) for session in sessions]
    name_sides(results)
    for result in results:
        result.details |= _system(lines)
    if len(results) == 1:
        for at, said in errors:
            results[0].judge("failed", quote(said), at)
    else:
        results += [failed_log(quote(said), at) for at, said in errors[:1]]
    return join_results(FORMAT, "iperf3", results, cut)


def _system(lines: list[str]) -> dict[str, Any]:
    """What a verbose log tells of the system and of its connections."""
    kernel = next(filter(None, map(_KERNEL.match, lines)), None)
    size = next(filter(None, map(_MSS.match, lines)), None)
    told = {"kernel": kernel and kernel[1], "mss": size and int(size[1])}
    return {name: value for name, value in told.items() if value}


def _take(session: _Session, at: int, line: str) -> None:
    """One line of a session."""
    if found := _LINE.search(line):
        line_read = _figures(at, found)
        if session.closing and line_read.lost and not line_read.kind:
            line_read = replace(line_read, kind="datagrams")
        session.lines.append(line_read)
    elif _LIKE_LINE.search(line):
        session.damaged = session.damaged or (at, line)
    elif _STREAM.search(line):
        session.streams.append(line)
    elif _HEADER.search(line):
        session.restarted |= bool(session.lines) and not session.separated
        session.closing |= bool(session.lines) and session.separated
    elif line.rstrip().endswith(_DONE):
        session.done = True
    session.separated = "- - - -" in line or "Test Complete" in line


def _figures(at: int, found: re.Match[str]) -> _Line:
    start, end = float(found[3]), float(found[4])
    size = float(found[5]) * BINARY_STEPS[found[6]]
    bits = found[9] != "Bytes"
    scale = DECIMAL_STEPS[found[8]] / 8 if bits else BINARY_STEPS[found[8]]
    tail = found[10]
    words = ("sender", "receiver", "(omitted)")
    kind = next((w.strip("()") for w in words if tail.rstrip().endswith(w)), "")
    lost = _LOST.search(tail)
    counts = (int(lost[1]), int(lost[2])) if lost else None
    rate = printed(found[7]) * scale
    return _Line(at, found[1], found[2], start, end - start, size, rate, kind, counts)


def _result(session: _Session) -> Result:
    row: dict[str, Any] = {"shape": "STR", "position": session.line}
    row["clients"] = _clients(session)
    result = Result(row, details={"side": "server" if session.server else "client"})
    if session.streams:
        lines = [(line.start, line.bytes, line.rate) for line in session.lines]
        result.identity = (*session.streams, *lines)
    totals = _totals(session)
    verdicts = [_against_intervals(session, total) for total in totals]
    if session.damaged:
        at, line = session.damaged
        result.judge("failed", not_a_number(line), at)
    elif not totals or not (session.done or session.server):
        result.judge("truncated", remark("session_no_end"), session.line)
    elif bare := [line for line in totals if _lacks_bytes(line)]:
        result.judge(
            "failed",
            remark(
                "total_without_bytes",
                "its total counts datagrams but no bytes, as that of a server "
                "before 3.2; take the client's log",
            ),
            bare[0].number,
        )
    elif session.restarted or (session.server and any(v.cause for v in verdicts)):
        told = remark(
            "session_broken_off",
            "the session was broken off: its total does not fit its intervals",
        )
        result.judge("truncated", told, totals[0].number)
    elif wrong := [line for line in totals if not _is_sound(line)]:
        told = remark(
            "bytes_or_nothing_received",
            "bytes, seconds and rate do not fit together, or nothing was received",
        )
        result.judge("failed", told, wrong[0].number)
    else:
        for verdict in verdicts:
            result.hold(verdict, session.line)
        _measured(result, totals)
    return result


def _clients(session: _Session) -> int | None:
    """Streams each way."""
    both = len({line.way for line in session.lines if line.way}) > 1
    streams = len(session.streams)
    return (streams // 2 if both else streams) or None


def _totals(session: _Session) -> list[_Line]:
    """The closing line of each way: the sum over streams, by the receiver.

    Empty where one is missing. A server has only its own side's lines.
    """
    ways = sorted({line.way or "" for line in session.lines})
    clients = _clients(session) or 1
    found = []
    for way in ways:
        lines = [x for x in session.lines if (x.way or "") == way and x.kind]
        kinds = ("receiver", "datagrams", *(["sender"] if session.server else []))
        for kind in kinds:
            closing = [line for line in lines if line.kind == kind]
            if clients > 1:
                closing = [line for line in closing if line.id == "SUM"]
            if closing:
                found.append(closing[-1])
                break
    return found if len(found) == len(ways) else []


def _lacks_bytes(line: _Line) -> bool:
    """Whether a total says that datagrams arrived, but not how many bytes."""
    return not line.bytes and line.lost is not None and line.lost[0] < line.lost[1]


def _is_sound(line: _Line) -> bool:
    """Three digits and hundredths of seconds allow for that much difference."""
    if line.rate <= 0 or line.seconds <= 0:
        return False
    tolerance = 0.012 + 0.01 / line.seconds
    return agree(line.bytes / line.seconds, line.rate, tolerance)


def _against_intervals(session: _Session, total: _Line) -> Verdict:
    """Whether the intervals of a total, where they are printed, bear out the count of
    either side, and the sender's count that of the receiver."""
    lines = [x for x in session.lines if (x.id, x.way) == (total.id, total.way)]
    parts = [(line.seconds, line.bytes) for line in lines if not line.kind]
    closing = {line.kind: line for line in lines if line.kind in _CLOSING}
    verdict = hold_intervals(parts, [(x.seconds, x.bytes) for x in closing.values()])
    if verdict.status == "ok" and "sender" in closing and "receiver" in closing:
        return hold_sides(closing["sender"].bytes, closing["receiver"].bytes)
    return verdict


def _measured(result: Result, totals: list[_Line]) -> None:
    rates = [_received(line) for line in totals]
    seconds = max(line.seconds for line in totals)
    result.row |= {"seconds": seconds, "bytes_per_second": sum(rates), "errors": 0}
    if len(rates) > 1:
        result.details["bytes_per_second_each_way"] = rates
    if any(line.kind == "sender" for line in totals):
        told = remark("sender_count")
        result.problems.append(Problem(told, totals[0].number))
    if losses := [line.lost for line in totals if line.lost]:
        result.details["lost_packets"] = sum(lost for lost, _ in losses)
        result.details["packets"] = sum(packets for _, packets in losses)
    if any(line.kind == "datagrams" for line in totals):
        sent = sum(line.rate for line in totals)
        result.details["sender_bytes_per_second"] = sent


def _received(line: _Line) -> float:
    """The rate of what arrived: all but what was lost of datagrams that were sent."""
    if line.kind != "datagrams" or not line.lost or not line.lost[1]:
        return line.rate
    return line.rate * (1 - line.lost[0] / line.lost[1])
