"""Which format a file has, by its content; and reading it.

A format is one module of this package, found by what it declares:

- ``FORMAT``: its name, as in ``source.format``, and ``TITLE``, for people; ``TESTED``
  says which versions its tests have;
- ``TIMED``, which a format with rates has: over which time they are, in words;
- ``INSTEAD_OF``, which it may have: formats whose marks its files have as well;
- ``recognise(head)``: whether a file with these first bytes has the format;
- ``read(raw, zone)``: the file, unpacked, as a
  :class:`~analysis.ingest.reading.Reading`. One that has ``CODE_PAGES`` takes the
  name of one of them as ``codepage``, too, and one that has ``DATE_ORDERS`` one of
  them as ``dates``.

A file beside which a mapping lies is read by ``mapped_csv``, whatever it looks like.
To add a format, write the module.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, cast

from analysis.facts.remark import Remark, at_line, remark
from analysis.files.limits import LOG_BYTES, TERSED_BYTES
from analysis.ingest.clock import zone_info
from analysis.ingest.compressed import terse, xmit
from analysis.ingest.compressed.packed import ArchiveError, Unpacked, hold
from analysis.ingest.logs.checks import has_odd_figures, refuse_huge
from analysis.ingest.logs.text import quoted
from analysis.ingest.physical import read_safely
from analysis.ingest.raw_file import Raw, RawFile
from analysis.ingest.reading import Problem, Reading, Status
from analysis.ingest.rmf import mapped_csv
from analysis.ingest.smf.sniff import TRANSFER, first_record
from analysis.programs.registry import Registry

_DUMP = ".smf"
_CONVERTED = {  # kinds of causes, and what a dump became
    "ebcdic_text": "EBCDIC text",
    "unknown_binary": "binary data of a kind that is not known",
    "unknown_text": "text of a kind that is not known",
}
_EBCDIC_SPACE, _EBCDIC_LETTERS = 0x40, frozenset(range(0x81, 0xEA))
_SIGNS: tuple[tuple[str, str], ...] = (
    (r"\x1f\x8b", "a gzip archive; unpack it first"),
    (r"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it first"),
    (r"\x04\x22\x4d\x18", "an LZ4 archive; unpack it first"),
    (r"Rar!\x1a\x07", "a RAR archive; unpack it first"),
    (r"\xff\xfe|\xfe\xff", "UTF-16 text, as of PowerShell; save it as UTF-8"),
    (r"%PDF-", "a PDF document; export the data as text or XML"),
    (r"[\x01\x07]\x89\x69\xa5", f"a tersed file, but not of z/OS; {terse.CURE}"),
    (r"..\x00\x00[\x1e\x5e\x0e\x4e]\x02", f"a damaged SMF dump; {TRANSFER}"),
    (r"[\x1e\x5e]\x02", f"an SMF dump without record lengths; {TRANSFER}"),
    (r"\s*(?i:<!doctype html|<html)", "an HTML page, perhaps an error message"),
    (r"\s*<\?xml|\s*<\w", "XML of a kind that is not known"),
    (r"\s*[{\[]", "JSON of a kind that is not known"),
    (r"\s*\d+\s*$", "a number alone, such as cpuacct.usage; keep cpuacct.stat"),
)
_PACKED_BY = {"AMATERSE": "tersed", "TRANSMIT": "transmitted"}
_OPTIONS = {"CODE_PAGES": "codepage", "DATE_ORDERS": "dates"}
_COMMA = re.compile(rb"(?<![\d,])(\d+),(?=\d+(?!,?\d))")  # of a number, not of a list
_POINT = re.compile(rb"(?<![\w.])\d+\.\d+(?![\w.])")
_COMMAS_TOLD = {"decimal_comma", "decimal_comma_in_csv"}
_WAY = "write its results as a benchmark contract (docs/how-to/benchmark-contract.md)"
# What each tool prints at a line's beginning, by its source (ntttcp and memtier: by
# its documentation). What ends in a carriage return before it is a line that the tool
# wrote over.
_TOOLS = (
    (
        "vegeta",
        r"Requests\s+\[total, rate(?:, throughput)?\]\s|Bucket +# +% +Histogram",
    ),
    ("vegeta", r'\s*\{\s*"latencies":\s*\{\s*"total":\s*\d'),
    ("ghz", r"Summary:\s+(?:Name:[^\n]*\n +)?Count:\s|duration \(ms\),status,error"),
    ("ghz", r'\s*\{\s*(?:"name":[^\n]{1,200},\s*)?"endReason":\s*"'),
    (
        "fio",
        r"fio-\d+\.\d|[^\n]{1,99}: \(g=\d+\): rw=|\d;fio-\d|\s*\{\s*\"fio version\"",
    ),
    ("memtier_benchmark", r"\[RUN #\d+\]? ?|ALL STATS\n=|Type +Ops/sec +Hits/sec "),
    ("redis-benchmark", r"====== .{1,99} ======\s*\n +\d+ requests completed in "),
    ("redis-benchmark", r'"test","rps",|[A-Z][\w ()]{1,80}: \d+\.\d+ requests per sec'),
    ("ntttcp", r"NTTTCP for Linux|\S*ntttcp\.exe |Copyright Version \d|<ntttcp[sr]\b"),
    ("perftest --out_json", r'\s*\{\s*"?test_info"?:'),
    ("sysbench", r"sysbench \d+\.\d"),
)
_TOOL_SIGNS = tuple(
    (tool, re.compile(rf"^(?:[^\n]*\r)?(?:{sign})", re.M)) for tool, sign in _TOOLS
)


class Format(Protocol):
    """What a format module offers."""

    FORMAT: str
    TITLE: str

    def recognise(self, head: bytes, /) -> object:
        """Whether a file with these first bytes has the format: if so, something
        true, such as what the ``search`` of a pattern gives."""

    def read(self, raw: Raw, zone: str | None = None, /, **more: Any) -> Reading:
        """The file's rows and status."""


def _format_of(module: ModuleType) -> tuple[str, Format]:
    return module.FORMAT, cast(Format, module)


FORMATS = Registry("analysis.ingest", "FORMAT", _format_of)


def kind_of(format: str) -> str:
    """The kind of a format, which is its module's package: ``bench``, ``rmf``."""
    return str(getattr(FORMATS[format], "__name__", "")).split(".")[2]


def read_file(
    path: Path,
    zone: str | None = None,
    codepage: str | None = None,
    dates: str | None = None,
    mapped: bool = True,
) -> Reading:
    """One file, read by the module that recognises its content.

    A file that no module, or more than one, recognises has the format ``unknown``
    and a reason that says what it looks like. ``zone`` is the time zone of files
    with local times only, ``codepage`` the EBCDIC code page of those with EBCDIC
    texts, ``dates`` the order of printed dates, ``mapped`` whether a mapping may lie
    beside the file.
    A ``UserError`` tells of a path that is no readable file.
    """
    if zone:
        zone_info(zone)
    with RawFile(path) as raw:
        given = {"CODE_PAGES": codepage, "DATE_ORDERS": dates}
        if mapped and mapped_csv.mapping_file(path):
            read = partial(mapped_csv.read, raw, zone)
            reading = read_safely(mapped_csv.FORMAT, read)
        else:
            reading = _read(raw, zone, given)
    if raw.unpacked:
        raw.unpacked.tell(reading)
    return reading


def _read(raw: RawFile, zone: str | None, given: dict[str, Any]) -> Reading:
    reading = _read_plainly(raw, zone, given)
    statuses = {reading.status, *(status for status, _ in reading.verdicts.values())}
    kinds = {problem.remark.kind for problem in reading.problems}
    if statuses <= {"failed", "truncated"} and not kinds & _COMMAS_TOLD:
        return _with_commas(raw, zone, given) or reading
    return reading


def _with_commas(
    raw: RawFile, zone: str | None, given: dict[str, Any]
) -> Reading | None:
    """The file as one that failed for its decimal commas; null where fewer numbers have
    one than a point, or where it could not be used with points for them, either."""
    is_text = b"," in raw.head and b"\0" not in raw.head
    data = raw.read_bytes() if is_text and raw.size <= LOG_BYTES else b""
    first = _COMMA.search(data)
    if first is None or len(_COMMA.findall(data)) <= len(_POINT.findall(data)):
        return None
    with RawFile(raw.path, hold("", _COMMA.sub(rb"\1.", data))) as pointed:
        meant = _read_plainly(pointed, zone, given)
    if meant.status not in ("ok", "degraded"):
        return None
    line = data.count(b"\n", 0, first.start()) + 1
    text = data.split(b"\n")[line - 1].decode("utf-8", "replace")
    problem = remark("decimal_comma", text=quoted(text))
    problems = [Problem(problem, line)]
    return Reading(
        meant.format, status="failed", cause=at_line(line, problem), problems=problems
    )


def _read_plainly(raw: RawFile, zone: str | None, given: dict[str, Any]) -> Reading:
    head = raw.head
    formats = recognised(head)
    if len(formats) == 1 and head.strip():
        more = {
            _OPTIONS[offers]: value
            for offers, value in given.items()
            if value is not None and hasattr(formats[0], offers)
        }
        read = partial(_read_as, formats[0], raw, zone, more)
        return read_safely(formats[0].FORMAT, read)
    if not formats and not raw.unpacked and xmit.transmitted(head):
        return _within(raw, zone, given, "TRANSMIT", xmit.unpack, xmit.CURE)
    if not formats and not raw.unpacked and terse.tersed(head):
        return _within(raw, zone, given, "AMATERSE", terse.unpack, terse.CURE)
    if formats:
        names = " and ".join(module.FORMAT for module in formats)
        return _unknown(
            "failed",
            remark("several_formats", f"looks like {names}; put each in its own file"),
        )
    status: Status = "failed" if head.strip() else "empty"
    return _unknown(status, looks_like(head, raw.path))


def _read_as(
    module: Format, raw: RawFile, zone: str | None, more: dict[str, Any]
) -> Reading:
    """The file, read by that module; numbers beyond what it can hold fail it."""
    try:
        reading = module.read(raw, zone, **more)
    except (ValueError, OverflowError):
        if failed := refuse_huge(raw, module.FORMAT):
            return failed
        raise
    if has_odd_figures(reading):
        return refuse_huge(raw, module.FORMAT) or reading
    return reading


def _within(
    raw: RawFile,
    zone: str | None,
    given: dict[str, Any],
    program: str,
    unpack: Callable[[bytes], bytes],
    cure: str,
) -> Reading:
    """What a file that a program of z/OS packed holds; positions are those of the
    unpacked bytes."""
    with raw.open("rb") as file:
        packed = file.read(TERSED_BYTES + 1)
    try:
        unpacked = hold(program, unpack(packed))
    except (terse.DamagedTerseError, xmit.DamagedXmitError) as error:
        kind = _PACKED_BY[program]
        words = f"a {kind} file ({program}): {error!s}; {cure}"
        return _unknown("failed", remark(f"damaged_{kind}", words))
    if unpack is terse.unpack and not terse.is_whole(packed):
        what = f"{program}: it has no end, after {unpacked.size:,} unpacked bytes; "
        unpacked.status = "truncated"
        unpacked.cause = remark("tersed_without_end", what + "send it again, in binary")
    return read_unpacked(raw.path, unpacked, zone, given)


def read_unpacked(
    path: Path, unpacked: Unpacked, zone: str | None, given: dict[str, Any]
) -> Reading:
    """What was unpacked of a file, read as :func:`read_file` does; ``given`` are its
    options. A ``UserError`` tells of what is packed once more."""
    with RawFile(path, unpacked) as inner:
        reading = _read(inner, zone, given)
    unpacked.tell(reading)
    return reading


def timed(format: str) -> str | None:
    """Over which time the rates of a format are, in words; null where it has none."""
    return getattr(FORMATS.get(format), "TIMED", None)


def format_of(path: Path) -> str:
    """The name of the format that a file's first bytes, or the mapping beside it,
    tell; empty where that is none, or not one alone, ``unknown`` of an archive
    that is not read."""
    if mapped_csv.mapping_file(path):
        return mapped_csv.FORMAT
    try:
        with RawFile(path) as raw:
            formats = recognised(raw.head) if raw.head.strip() else []
    except ArchiveError:
        return "unknown"
    return formats[0].FORMAT if len(formats) == 1 else ""


def recognised(head: bytes) -> list[Format]:
    """The modules that recognise a file with these first bytes: one, if all is well."""
    head = head.removeprefix(codecs.BOM_UTF8)
    if b"\r" in head and b"\n" not in head:
        head = head.replace(b"\r", b"\n")
    return alone([module for module in FORMATS.values() if module.recognise(head)])


def alone(formats: list[Format]) -> list[Format]:
    """The modules without those instead of which another one is there."""
    if len(formats) < 2:
        return formats
    others = {name for module in formats for name in getattr(module, "INSTEAD_OF", ())}
    return [module for module in formats if module.FORMAT not in others]


def _unknown(status: Status, cause: Remark) -> Reading:
    return Reading("unknown", status=status, cause=cause)


def looks_like(head: bytes, path: Path) -> Remark:
    """What a file with these first bytes seems to be, and what to do about it."""
    return _as_dump(path, _looks_like(head))


def _looks_like(head: bytes) -> Remark:
    if not head.strip():
        return remark("empty_file", "the file is empty")
    text = head.decode("latin-1")
    if tool := tool_of(text):
        return remark(
            "other_tool", f"looks like a log of {tool}, which is not read; {_WAY}"
        )
    for pattern, meaning in _SIGNS:
        if re.match(pattern, text, re.DOTALL):
            return remark("looks_like", f"looks like {meaning}")
    if _is_ebcdic(head):
        return remark("ebcdic_text")
    if (at := first_record(head)) is not None:
        what = f"an SMF dump whose begin is missing, with a record at byte offset {at}"
        return remark("half_a_dump", f"looks like {what}; {TRANSFER}")
    if b"\0" in head or sum(byte < 9 for byte in head) > len(head) / 50:
        return remark("unknown_binary")
    return remark("unknown_text")


def _as_dump(path: Path, cause: Remark) -> Remark:
    """The cause; what is named as a dump, but was converted, is to be fetched anew."""
    converted = _CONVERTED.get(cause.kind)
    if path.suffix.lower() != _DUMP or converted is None:
        return cause
    return remark(
        "converted_dump",
        f"looks like {converted}, though an SMF dump by its name; {TRANSFER}",
    )


def _is_ebcdic(head: bytes) -> bool:
    """Text of a z/OS system: blanks are 0x40, most letters lie above 0x80."""
    letters = sum(byte in _EBCDIC_LETTERS or byte >= 0xC1 for byte in head)
    ascii_blanks = head.count(b" ") + head.count(b"\n")
    return letters > len(head) / 3 and head.count(_EBCDIC_SPACE) > 2 * ascii_blanks


def tool_of(text: str) -> str:
    """The tool that wrote a log which begins so; empty where none is known."""
    return next((tool for tool, sign in _TOOL_SIGNS if sign.search(text)), "")
