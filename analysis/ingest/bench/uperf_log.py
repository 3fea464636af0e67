"""The lines of a uperf 1.0.x log, as text (``-a``) or raw (``-a -R``).

Layout: ``print.c``, ``master.c`` and ``numbers.c`` of uperf. Progress lines and the
strands count flowops; only the ``Txn … Count`` table counts transactions. Sizes are
1024-based, bits are 1000-based, and a size is cut at seven characters, so that the
unit of ``1023.99MB`` is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from analysis.ingest.logs.text import BINARY_STEPS, DECIMAL_STEPS, MICROSECONDS
from analysis.ingest.printed import Resolved, printed

_START = re.compile(r"Starting ((?:(?!Starting ).)+?) running profile:(\S+)")
_STRANDS = re.compile(r"(?<!\d)(\d+) (?:threads|processes)")
_RAW = re.compile(
    r"timestamp_ms:([\d.]+) name:(Txn|Thr|Group|Total)(\d*)"
    r" nr_bytes:(\d+) nr_ops:(\d+)"
)
# Nearly all lines of a raw log: states of one transaction, one after the other.
_STATE = r"timestamp_ms:[0-9.]++ name:{} nr_bytes:[0-9]++ nr_ops:[0-9]++\n"
_AGAIN = _STATE.format(r"\1")
_STATES = re.compile(_STATE.format("(Txn[0-9]*+)") + rf"(?:{_AGAIN})*+")
_TEXT = re.compile(
    r"(Txn|Thr|Group|Total)(\d*)\s+([\d.]+[KMGTPE]?B?)\s*/\s*([\d.]+)\s*\(s\) ="
    r"\s*([\d.]+)([KMGTPE]?)(?:b/s)?(?:\s+(\d+)op/s)?"
)
_TIME = r"([\d.]+)(ns|us|ms|s)\s"
_COUNT = re.compile(rf"(\w+)\s+(\d+)\s+{_TIME}(?:\s*[\d.]+(?:ns|us|ms|s)\s+{_TIME})?")
_DIFFERENCE = re.compile(r"Difference\(%\)\s+" + r"\s+".join([r"(\S+)%"] * 5))
_ERRORS = re.compile(r"WARNING: (?:(\d+) )?Errors detected")
_FAILURE = re.compile(
    r"\*\* (?!(?:\[[^\]]*\] )?Warning:)|\*\*\* Slave aborted|flag_error:"
    r"|Error saying goodbye|Error connecting to|Error in handshake|Connection refused"
    r"|Error \d+:|TCP: Cannot connect"
)
_MARK = re.compile(r"^\*\* (\d+ Errors )?")  # of a failure, before what uperf says
_STRAND_FAILED = "flag_error:"  # each strand says the same with another count
_WARNING = re.compile(r"(?:\*\* (?:\[[^\]]*\] )?)?Warning:")  # of either side
Message = tuple[int, str]  # its line and text
_RULE = " -\r"  # between tables, or an empty line


@dataclass(slots=True)
class Progress:
    """Cumulative state of a transaction or strand: seconds, bytes, flowops.

    ``seconds`` counts from 1970 in a raw log, from the start of the transaction (or
    of the strand) in a text log.
    """

    index: int
    seconds: float
    bytes: float
    ops: float


@dataclass(slots=True)
class Count:
    """One row of the Txn or the Flowop table."""

    name: str
    count: int
    mean_us: float
    line: int
    longest_us: float | None = None


@dataclass
class Log:
    """All that a log says; only lines that are complete.

    Of a run of ``progress`` lines of one transaction, of which there are ``states``, a
    raw log keeps the first and the last, as they are cumulative and there may be
    thousands; ``between`` has the others as they are printed. ``failures`` are what
    ended it, without uperf's mark; those that have one come first. ``errors`` are how
    many uperf counted.
    """

    is_raw: bool = False
    states: int = 0
    starts: int = 0
    clients: int | None = None
    profile: str | None = None
    progress: list[Progress] = field(default_factory=list)
    strands: list[Progress] = field(default_factory=list)
    groups: list[Progress] = field(default_factory=list)
    between: list[str] = field(default_factory=list)
    total: Progress | None = None
    transactions: list[Count] = field(default_factory=list)
    flowops: list[Count] = field(default_factory=list)
    difference: list[float] | None = None
    marked: list[Message] = field(default_factory=list)
    failures: list[Message] = field(default_factory=list)
    warnings: list[Message] = field(default_factory=list)
    errors: int | None = None
    table: str = ""  # the one that the latest line belongs to


def parse_log(data: bytes) -> Log:
    """The log in ``data``. A last line without its end is not taken for a line."""
    log = Log()
    text = data.decode("utf-8-sig", "replace")
    whole = text.rfind("\n") + 1
    if _DIFFERENCE.fullmatch(text[whole:].strip()):
        text, whole = f"{text}\n", len(text) + 1
    at, number = 0, 1
    while at < whole:
        if match := _STATES.match(text, at):
            at, number = match.end(), number + _take_states(log, match)
            continue
        end = text.index("\n", at)
        line = text[at:end].strip()
        if line.strip(_RULE):
            for part in line.split("\r") if "\r" in line else [line]:
                if part := part.strip():
                    _take(log, part, number)
        at, number = end + 1, number + 1
    return log


def _take_states(log: Log, match: re.Match[str]) -> int:
    """Keep the first and the last of some lines of one transaction; their number."""
    text, (start, end) = match.string, match.span()
    last = text.rfind("\n", start, end - 1) + 1
    for at in (start, last) if last > start else (start,):
        if raw := _RAW.match(text, at):
            _take_raw(log, raw)
    if last <= start:
        return 1
    if between := text[text.index("\n", start) + 1 : last]:
        log.between.append(between)
    lines = between.count("\n")
    log.states += lines
    return lines + 2


def states_between(log: Log, index: int) -> Iterator[Progress]:
    """The states of a transaction that ``progress`` of a raw log leaves out."""
    for text in log.between:
        if text.startswith(f" name:Txn{index} ", text.index(" ")):
            for states in _RAW.finditer(text):
                counts = float(states[4]), float(states[5])
                yield Progress(index, _number(states[1]) / 1000, *counts)


def _take(log: Log, line: str, number: int) -> None:
    if match := _RAW.match(line):
        _take_raw(log, match)
    elif not log.is_raw and (match := _TEXT.match(line)):
        _take_text(log, match)
    elif match := _START.search(line):
        log.starts += 1
        log.clients = sum(map(int, _STRANDS.findall(match[1]))) or None
        log.profile = match[2]
    elif match := _DIFFERENCE.match(line):
        log.difference = [_number(value) for value in match.groups()]
    elif _FAILURE.search(line):
        _fail(log, " ".join(line.split()), number)
    elif match := _ERRORS.match(line):
        log.errors = int(match[1] or 1)
        log.failures.append((number, line))
    elif _WARNING.match(line):
        log.warnings.append((number, line))
    else:
        _take_table(log, line, number)


def _fail(log: Log, line: str, number: int) -> None:
    """Keep an error line; of the strands' own lines the first."""
    strands = [text for _, text in log.failures if text.startswith(_STRAND_FAILED)]
    if strands and line.startswith(_STRAND_FAILED):
        return
    marked = log.marked if line.startswith("** ") else log.failures
    marked.append((number, _MARK.sub("", line, 1)))


def _take_table(log: Log, line: str, number: int) -> None:
    head = line.split()[0]
    if head in ("Txn", "Flowop", "Hostname", "Nic"):
        log.table = head
    elif log.table in ("Txn", "Flowop") and (match := _COUNT.match(line + " ")):
        mean = _number(match[3]) * MICROSECONDS[match[4]]
        rows = log.transactions if log.table == "Txn" else log.flowops
        longest = _number(match[5]) * MICROSECONDS[match[6]] if match[6] else None
        rows.append(Count(match[1], int(match[2]), mean, number, longest))


def _take_raw(log: Log, match: re.Match[str]) -> None:
    log.is_raw = True
    octets, ops = (Resolved(int(match[group]), 1) for group in (4, 5))
    seconds = _number(match[1]) / 1000
    _file(log, match[2], Progress(int(match[3] or 0), seconds, octets, ops))


def _take_text(log: Log, match: re.Match[str]) -> None:
    seconds = _number(match[4])
    bits = _number(match[5]) * DECIMAL_STEPS[match[6]]
    size = match[3].rstrip("B")
    amount = _number(size.rstrip("KMGTPE"))
    unit = size[-1] if size[-1] in BINARY_STEPS else ""
    cut_off = not match[3].endswith("B") and not unit and amount > 0
    octets = bits / 8 * seconds if cut_off else amount * BINARY_STEPS[unit]
    ops = _number(match[7] or "0") * seconds
    _file(log, match[1], Progress(int(match[2] or 0), seconds, octets, ops))


def _file(log: Log, kind: str, progress: Progress) -> None:
    if kind == "Txn":
        log.states += 1
        log.progress.append(progress)
    elif kind == "Total":
        log.total = progress
    else:
        (log.strands if kind == "Thr" else log.groups).append(progress)


def _number(text: str) -> float:
    """The number, or not-a-number where the text is none (``-nan``, ``1.2.3``)."""
    try:
        return printed(text)
    except ValueError:
        return float("nan")
