"""The lines of a uperf 1.0.x log, as text (``-a``) or raw (``-a -R``).

Layout: ``print.c``, ``master.c`` and ``numbers.c`` of uperf. Progress lines and the
strands count flowops; only the ``Txn … Count`` table counts transactions. Sizes are
1024-based, bits are 1000-based, and a size is cut at seven characters, so that the
unit of ``1023.99MB`` is lost.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

from analysis.facts.remark import quote, remark
from analysis.ingest.printed import Resolved, printed
from analysis.ingest.reading import Problem

_SIZE = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6}
_TIME = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}

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
_COUNT = re.compile(r"(\w+)\s+(\d+)\s+([\d.]+)(ns|us|ms|s)\s")
_DIFFERENCE = re.compile(r"Difference\(%\)\s+" + r"\s+".join([r"(\S+)%"] * 5))
_HOST = re.compile(r"(\S+)\s+[\d.]+(?:ns|us|ms|s)\s+\S+\s+\S+\s+(\d+)\s+(\S+)")
_ERRORS = re.compile(r"WARNING: (?:(\d+) )?Errors detected")
_FAILURE = re.compile(
    r"\*\* (?!(?:\[[^\]]*\] )?Warning:)|\*\*\* Slave aborted|flag_error:"
    r"|Error saying goodbye|Error connecting to|Error in handshake|Connection refused"
    r"|Error \d+:|TCP: Cannot connect"
)
_WARNING = re.compile(r"(?:\*\* (?:\[[^\]]*\] )?)?Warning:")  # of either side
_STRAND_FAILED = "flag_error:"
_RULE = " -\r"  # between tables, or an empty line
_OF_STRAND, MARKED = "uperf_strand_failed", "uperf_error"  # kinds of error lines


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


@dataclass
class Log:
    """All that a log says; only lines that are complete.

    ``raw`` are lines of the raw form, as text. Of each run of ``progress`` lines of
    one transaction, of which there are ``states``, a raw log keeps the first and the
    last, as they are cumulative and there may be thousands.
    """

    raw: list[tuple[str, ...]] = field(default_factory=list)
    states: int = 0
    starts: int = 0
    clients: int | None = None
    profile: str | None = None
    progress: list[Progress] = field(default_factory=list)
    strands: list[Progress] = field(default_factory=list)
    groups: list[Progress] = field(default_factory=list)
    total: Progress | None = None
    transactions: list[Count] = field(default_factory=list)
    flowops: list[Count] = field(default_factory=list)
    hosts: dict[str, tuple[int, str]] = field(default_factory=dict)
    difference: list[float] | None = None
    failures: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    errors: int | None = None
    table: str = ""  # the one that the latest line belongs to

    @property
    def has_tables(self) -> bool:
        """Whether the tables of transactions and flowops are there to their end."""
        return self.table not in ("", "Txn", "Flowop")


def parse_log(data: bytes) -> Log:
    """The log in ``data``. A last line without its end is not taken for a line."""
    log = Log()
    text = data.decode("utf-8-sig", "replace")
    whole = text.rfind("\n") + 1
    if _DIFFERENCE.fullmatch(text[whole:].strip()):
        text, whole = f"{text}\n", len(text) + 1
    at, number = 0, 1
    while at < whole:
        if found := _STATES.match(text, at):
            at = found.end()
            number += _take_states(log, found)
            continue
        end = text.index("\n", at)
        line = text[at:end].strip()
        if line.strip(_RULE):
            for part in line.split("\r") if "\r" in line else [line]:
                if told := part.strip():
                    _parse_line(log, told, number)
        at, number = end + 1, number + 1
    for (kind, index), states in groupby(log.raw, itemgetter(1, 2)):
        _file_raw(log, kind, int(index or 0), list(states))
    return log


def _take_states(log: Log, found: re.Match[str]) -> int:
    """Keep the first and the last of some lines of one transaction; their number."""
    text, (start, end) = found.string, found.span()
    last = text.rfind("\n", start, end - 1) + 1
    for at in (start, last) if last > start else (start,):
        if raw := _RAW.match(text, at):
            log.raw.append(raw.groups(""))
    lines = text.count("\n", start, end) if last > start else 1
    log.states += max(lines - 2, 0)
    return lines


def _parse_line(log: Log, line: str, number: int) -> None:
    if found := _RAW.match(line):
        log.raw.append(found.groups(""))
    elif not log.raw and (found := _TEXT.match(line)):
        _file(log, found[1], _text(found))
    elif found := _START.search(line):
        log.starts += 1
        log.clients = sum(map(int, _STRANDS.findall(found[1]))) or None
        log.profile = found[2]
    elif found := _DIFFERENCE.match(line):
        log.difference = [_number(value) for value in found.groups()]
    elif _FAILURE.search(line):
        _fail(log, line, number)
    elif found := _ERRORS.match(line):
        log.errors = int(found[1] or 1)
        log.failures.append(_failure(line, number))
    elif _WARNING.match(line):
        log.warnings.append(Problem(quote(line), number))
    else:
        _parse_table(log, line, number)


def _fail(log: Log, line: str, number: int) -> None:
    """Keep an error line; of the strands' own lines, of which each says the same
    with another count, the first."""
    failure = _failure(" ".join(line.split()), number)
    if failure.remark.kind == _OF_STRAND:
        told = any(known.remark.kind == _OF_STRAND for known in log.failures)
        if told:
            return
    log.failures.append(failure)


def _failure(line: str, number: int) -> Problem:
    """An error line as it is, and without the mark and count before it."""
    kind = MARKED if line.startswith("** ") else "uperf_failed"
    if line.startswith(_STRAND_FAILED):
        kind = _OF_STRAND
    bare = re.sub(r"^\*\* (\d+ Errors )?", "", line)
    return Problem(remark(kind, text=line, bare=bare), number)


def _parse_table(log: Log, line: str, number: int) -> None:
    head = line.split()[0]
    if head in ("Txn", "Flowop", "Hostname", "Nic"):
        log.table = head
    elif log.table == "Hostname":
        if found := _HOST.match(line):
            log.hosts[found[1]] = (int(found[2]), found[3])
    elif log.table in ("Txn", "Flowop") and (found := _COUNT.match(line + " ")):
        mean = _number(found[3]) * _TIME[found[4]]
        rows = log.transactions if log.table == "Txn" else log.flowops
        rows.append(Count(found[1], int(found[2]), mean, number))


def _file(log: Log, kind: str, progress: Progress) -> None:
    if kind == "Txn":
        log.states += 1
        log.progress.append(progress)
    elif kind == "Total":
        log.total = progress
    else:
        (log.strands if kind == "Thr" else log.groups).append(progress)


def _file_raw(log: Log, kind: str, index: int, states: list[tuple[str, ...]]) -> None:
    """Lines of one transaction or strand that follow each other."""
    if kind == "Txn":
        log.states += len(states[1:-1])
        states = [states[0], *states[1:][-1:]]
    for stamp, _, _, octets, ops in states:
        counts = (Resolved(int(count), 1) for count in (octets, ops))
        state = Progress(index, _number(stamp) / 1000, *counts)
        _file(log, kind, state)


def _text(found: re.Match[str]) -> Progress:
    seconds = _number(found[4])
    bits = _number(found[5]) * 1000 ** _SIZE[found[6]]
    size = found[3].rstrip("B")
    amount = _number(size.rstrip("KMGTPE"))
    unit = size[-1] if size[-1] in _SIZE else ""
    cut_off = not found[3].endswith("B") and not unit and amount > 0
    octets = bits / 8 * seconds if cut_off else amount * 1024 ** _SIZE[unit]
    ops = _number(found[7] or "0") * seconds
    return Progress(int(found[2] or 0), seconds, octets, ops)


def _number(text: str) -> float:
    """The number, or not-a-number where the text is none (``-nan``, ``1.2.3``)."""
    try:
        return printed(text)
    except ValueError:
        return float("nan")
