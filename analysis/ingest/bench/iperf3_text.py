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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.facts.remark import quote, remark
from analysis.ingest.bench.iperf2 import FIGURES, FigureLine, line_of
from analysis.ingest.logs.checks import hold_intervals, hold_sides
from analysis.ingest.logs.result import Result, failed_log, join_results, name_sides
from analysis.ingest.logs.text import not_a_number, text_lines
from analysis.ingest.printed import printed
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading, Verdict

FORMAT = "iperf3_text"
TITLE = "iperf3 benchmark log (text)"
TESTED = "iperf 3.12"
TIMED = (
    "the interval of the receiver's line of totals, by iperf3's clock, without "
    "omitted seconds"
)
recognise = re.compile(
    rb"^(?:.{0,40})(?:iperf3: (?:error|interrupt|the client)"
    rb"|Connecting to host .+, port|Server listening on \d+(?: \(test #\d+\))?\s*$"
    rb"|\[ ID\](?:\[Role\])? Interval +Transfer +Bitrate)",
    re.MULTILINE,
).search
_BEGIN = re.compile(r"Connecting to host |Accepted connection from ")
_STREAM = re.compile(r"\[ *\d+\] local \S+ port \d+ connected to ")
_HEADER = re.compile(r"\[ ID\](?:\[Role\])? Interval")
_LINE = re.compile(r"^[^\[]*\[ *(\d+|SUM)\](?:\[([TR]X-[CS])\])?" + FIGURES)
_LIKE_LINE = re.compile(r"\[ *(?:\d+|SUM)\](?:\[[TR]X-[CS]\])? +\d+[.,]\d+ *-")
_LATE = re.compile(r" sec +(\d+) datagrams received out-of-order *$")
_AGAIN = re.compile(r" +(\d+) +sender *$")
_JITTER = re.compile(r" (\d+\.\d+) ms ")
_LOST = re.compile(r" (\d+)/(\d+) \((?:[\d.e+-]+|-?nan)%\)")
_KERNEL = re.compile(r"Linux \S+ (\d\S*) #")
_MSS = re.compile(r" *(?:Control connection MSS|TCP MSS:) (\d{1,9})")
_ERROR = re.compile(r"iperf3: (?!interrupt - the server has terminated)(.+)")
_DONE = "iperf Done."
_CLOSING = ("sender", "receiver", "datagrams")  # of totals, that without these words
_KINDS = ("sender", "receiver", "(omitted)")  # words at the end of a line


@dataclass
class _Session:
    """One session, as far as it was read."""

    line: int
    server: bool
    streams: list[str] = field(default_factory=list)
    lines: list[FigureLine] = field(default_factory=list)
    late: int = 0
    separated: bool = True
    closing: bool = False
    restarted: bool = False
    done: bool = False
    damaged: tuple[int, str] | None = None


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``benchmark`` row for each session: a stream (STR), without transactions.

    ``bytes_per_second`` is the receiver's, with three digits; the sum of both ways of
    a bidirectional session.
    """
    lines, cut = text_lines(raw.read_bytes())
    sessions: list[_Session] = []
    errors: list[tuple[int, str]] = []
    for at, line in enumerate(lines, 1):
        if match := _ERROR.search(line):
            errors.append((at, match[1]))
        elif match := _BEGIN.search(line):
            sessions.append(_Session(at, match[0].startswith("Accepted")))
        elif sessions:
            _take(sessions[-1], at, line)
    results = [_result(session) for session in sessions]
    name_sides(results)
    for result in results:
        result.details |= _system(lines)
    if len(results) == 1:
        for at, text in errors:
            results[0].judge("failed", quote(text), at)
    else:
        results += [failed_log(quote(text), at) for at, text in errors[:1]]
    return join_results(FORMAT, "iperf3", results, cut)


def _system(lines: Sequence[str]) -> dict[str, Any]:
    """What a verbose log tells of the system and of its connections."""
    kernel = next(filter(None, map(_KERNEL.match, lines)), None)
    size = next(filter(None, map(_MSS.match, lines)), None)
    return {"kernel": kernel and kernel[1], "mss": size and int(size[1])}


def _take(session: _Session, at: int, line: str) -> None:
    """One line of a session."""
    if match := _LATE.search(line):
        session.late += int(match[1])
    elif match := _LINE.search(line):
        *cells, tail = match.groups()[2:]
        end = tail.rstrip()
        kind = next((word.strip("()") for word in _KINDS if end.endswith(word)), "")
        if session.closing and not kind and _LOST.search(tail):
            kind = "datagrams"
        line_read = line_of(at, match[1], [*cells, tail], match[2] or "", kind)
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


def _lost(line: FigureLine) -> tuple[int, int] | None:
    """How many datagrams of how many were lost; null where a line does not tell."""
    match = _LOST.search(line.tail)
    return (int(match[1]), int(match[2])) if match else None


def _result(session: _Session) -> Result:
    ways = sorted({line.way for line in session.lines})
    streams = len(session.streams)
    clients = (streams // 2 if len(ways) > 1 and all(ways) else streams) or None
    row = {"shape": "STR", "clients": clients, "position": session.line}
    result = Result(row, details={"side": "server" if session.server else "client"})
    if session.streams:
        lines = [(line.start, line.bytes, line.rate) for line in session.lines]
        result.identity = (*session.streams, *lines)
    totals = [_total(session, way, clients or 1) for way in ways]
    known = [total for total in totals if total]
    verdicts = [_against_intervals(session, total) for total in known]
    if session.damaged:
        at, line = session.damaged
        result.judge("failed", not_a_number(line), at)
    elif len(known) < max(len(ways), 1) or not (session.done or session.server):
        result.judge("truncated", remark("session_no_end"), session.line)
    elif bare := [line for line in known if _lacks_bytes(line)]:
        none = (
            "its total counts datagrams but no bytes, as that of a server before 3.2; "
            "take the client's log"
        )
        result.judge("failed", remark("total_without_bytes", none), bare[0].number)
    elif session.restarted or (session.server and any(v.cause for v in verdicts)):
        broken = "the session was broken off: its total does not fit its intervals"
        problem = remark("session_broken_off", broken)
        result.judge("truncated", problem, known[0].number)
    elif wrong := [line for line in known if not line.is_sound]:
        odd = "bytes, seconds and rate do not fit together, or nothing was received"
        problem = remark("bytes_or_nothing_received", odd)
        result.judge("failed", problem, wrong[0].number)
    else:
        for verdict in verdicts:
            result.hold(verdict, session.line)
        _measured(result, known)
        result.row |= _counts(session, known, clients or 1)
        result.tables["interval"] = [*_intervals(session, known)]
    return result


def _total(session: _Session, way: str, clients: int) -> FigureLine | None:
    """The closing line of a way: the sum over streams, by the receiver; null where it
    is missing. A server has only its own side's lines."""
    for kind in ("receiver", "datagrams", "sender"):
        closing = [
            line
            for line in session.lines
            if (line.way, line.kind) == (way, kind)
            and (clients == 1 or line.id == "SUM")
        ]
        if closing and (kind != "sender" or session.server):
            return closing[-1]
    return None


def _lacks_bytes(line: FigureLine) -> bool:
    """Whether a total says that datagrams arrived, but not how many bytes."""
    lost = _lost(line)
    return not line.bytes and lost is not None and lost[0] < lost[1]


def _against_intervals(session: _Session, total: FigureLine) -> Verdict:
    """Whether the intervals of a total, where they are printed, bear out the count of
    either side, and the sender's count that of the receiver."""
    lines = [x for x in session.lines if (x.id, x.way) == (total.id, total.way)]
    parts = [(line.seconds, line.bytes) for line in lines if not line.kind]
    closing = {line.kind: line for line in lines if line.kind in _CLOSING}
    verdict = hold_intervals(parts, [(x.seconds, x.bytes) for x in closing.values()])
    if verdict.status == "ok" and "sender" in closing and "receiver" in closing:
        return hold_sides(closing["sender"].bytes, closing["receiver"].bytes)
    return verdict


def _intervals(
    session: _Session, totals: Sequence[FigureLine]
) -> Iterator[dict[str, Any]]:
    """What each interval says, of all ways together; those omitted, too."""
    kinds, of = ("", "omitted"), {(total.id, total.way) for total in totals}
    lines = [x for x in session.lines if x.kind in kinds and (x.id, x.way) in of]
    spans: dict[tuple[float, float, str], list[FigureLine]] = {}
    for line in lines:
        spans.setdefault((line.start, line.end, line.kind), []).append(line)
    for (start, end, kind), each in spans.items():
        if end > start and len(each) == len(totals):
            yield {
                "start_s": start,
                "seconds": end - start,
                "bytes_per_second": sum(line.rate for line in each),
                "omitted": int(kind == "omitted"),
                "position": each[0].number,
            }


def _counts(
    session: _Session, totals: Sequence[FigureLine], clients: int
) -> dict[str, Any]:
    """Segments sent again, of all ways; of datagrams those lost and late, and the
    jitter of one way."""
    row: dict[str, Any] = {}
    again = [
        match
        for line in session.lines
        if line.kind == "sender" and (clients == 1 or line.id == "SUM")
        if (match := _AGAIN.fullmatch(line.tail))
    ]
    if len(again) == len(totals):
        row["retransmits"] = sum(int(match[1]) for match in again)
    losses = [_lost(line) for line in totals]
    if known := [lost for lost in losses if lost]:
        row["lost_datagrams"], row["datagrams"] = map(sum, zip(*known, strict=True))
        row["late_datagrams"] = session.late
        jitter = _JITTER.search(totals[0].tail)
        if len(totals) == 1 and jitter and totals[0].kind == "receiver":
            row["jitter_us"] = printed(jitter[1]) * 1e3
    return row


def _measured(result: Result, totals: Sequence[FigureLine]) -> None:
    rates = []
    losses = [lost for line in totals if (lost := _lost(line))]
    for line in totals:
        lost = _lost(line) if line.kind == "datagrams" else None
        arrived = 1 - lost[0] / lost[1] if lost and lost[1] else 1  # of what was sent
        rates.append(line.rate * arrived)
    seconds = max(line.seconds for line in totals)
    result.row |= {"seconds": seconds, "bytes_per_second": sum(rates), "errors": 0}
    if len(rates) > 1:
        result.details["bytes_per_second_each_way"] = rates
    if any(line.kind == "sender" for line in totals):
        result.note(remark("sender_count"), totals[0].number)
    if losses:
        result.details["lost_packets"] = sum(lost for lost, _ in losses)
        result.details["packets"] = sum(packets for _, packets in losses)
    if any(line.kind == "datagrams" for line in totals):
        sent = sum(line.rate for line in totals)
        result.details["sender_bytes_per_second"] = sent
