"""The lines of a tool's text log, and its numbers, which are never guessed.

Tools print numbers in the C locale: a point before the decimals, nothing between the
thousands. A number in any other form is refused with its line, because ``1,234`` may
be a thousand or one and a bit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from analysis.errors import user_error
from analysis.facts.remark import Remark, at_line, quote, remark
from analysis.files.limits import LOG_LINE_CHARACTERS
from analysis.ingest.clock import parse_time, utc_text
from analysis.ingest.printed import printed

SECONDS = {
    "ns": 1e-9,
    "us": 1e-6,
    "µs": 1e-6,
    "ms": 1e-3,
    "s": 1.0,
    "m": 60.0,
    "h": 3600.0,
}
# With their own factors, for those of seconds times 10**6 have other last digits.
MICROSECONDS = {
    "ns": 1e-3,
    "us": 1.0,
    "µs": 1.0,
    "ms": 1e3,
    "s": 1e6,
    "m": 6e7,
    "h": 3.6e9,
}
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,2})?", re.ASCII)
_COLOUR = re.compile(r"\x1b\[[\d;?]*[A-Za-z]")
_COMMA = re.compile(r"\d,\d", re.ASCII)
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}"
    r"|(u[dD][89a-fA-F][\da-fA-F]{2})|.)"
)
_MOST = 1e15
_SHOWN = 60  # characters of a text in a message
KIB, MIB, GIB = 2**10, 2**20, 2**30
BINARY_STEPS = {"": 1, "K": KIB, "M": MIB, "G": GIB, "T": 2**40, "P": 2**50, "E": 2**60}
DECIMAL_STEPS = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
"""By the letter before the unit. Which of both a tool means by a letter, its reader
says: many count 1024 bytes as a kilobyte, and 1000 bits as a kilobit."""
BINARY = {f"{letter}B": float(step) for letter, step in BINARY_STEPS.items()}
PERCENTILES = {"50": 50.0, "90": 90.0, "99": 99.0, "999": 99.9}
"""Those of latencies that a table has, by what stands in the names of columns."""


@dataclass
class UnreadableError(Exception):
    """A line that cannot be understood, so that nothing of its log may be used."""

    remark: Remark
    line: int

    def __str__(self) -> str:
        return self.remark.words

    @property
    def at_line(self) -> Remark:
        """What it is, with its line."""
        return at_line(self.line, self.remark)


@dataclass(frozen=True)
class Found:
    """A match with its line number; groups that are absent are empty."""

    line: int
    groups: tuple[str, ...]

    def __getitem__(self, index: int) -> str:
        return self.groups[index]

    def number(self, index: int = 0) -> float:
        """The group as a number; :class:`UnreadableError` if it is none."""
        return number(self.groups[index], self.line)

    def count(self, index: int = 0) -> int:
        """The group as a whole number that is not negative."""
        text = self.groups[index]
        if not re.fullmatch(r"\d{1,15}", text, re.ASCII):
            raise UnreadableError(not_a_number(text, "not_a_count"), self.line)
        return int(text)

    def scaled(self, units: dict[str, float], index: int = 0) -> float:
        """The group with its unit, such as ``1.20ms``, in the base unit."""
        return scaled(self.groups[index], units, self.line)


class LogText:
    """The lines of a log without colours, and without blanks at their ends, which
    editors and terminals add; a carriage return also ends a line."""

    def __init__(self, data: bytes) -> None:
        self.text = _text(data)

    @cached_property
    def lines(self) -> list[str]:
        """All lines; what stands behind the last end of a line is the last one."""
        lines = self.text.replace("\r\n", "\n").split("\n")
        return [line.rstrip(" ") for line in _checked(lines)]

    def each(self, pattern: str | re.Pattern[str]) -> Iterator[Found]:
        """Every line that the pattern is found in."""
        line = 0
        for match in filter(None, map(re.compile(pattern).search, self.lines)):
            line = self.lines.index(match.string, line) + 1
            yield Found(line, tuple(g or "" for g in match.groups()))

    def first(self, pattern: str | re.Pattern[str]) -> Found | None:
        """The first line that the pattern is found in."""
        return next(self.each(pattern), None)

    def last(self, pattern: str | re.Pattern[str]) -> Found | None:
        """The last line that the pattern is found in."""
        return next(reversed(list(self.each(pattern))), None)


def decode(data: bytes) -> str:
    """The text of a log. A carriage return ends a line where nothing else does; half
    a character, as JSON may escape it, is replaced: no other program could print it."""
    text = data.decode("utf-8-sig", "replace")
    if "\\" in text and ("\\ud" in text or "\\uD" in text):  # a byte is quickly found
        text = _ESCAPE.sub(_whole, text)
    if "\r" in text and "\n" not in text:
        return text.replace("\r", "\n")
    return text


def _whole(escape: re.Match[str]) -> str:
    return "\\ufffd" if escape[1] else escape[0]


def _text(data: bytes) -> str:
    text = decode(data)
    return _COLOUR.sub("", text) if "\x1b" in text else text


def _checked(lines: list[str]) -> list[str]:
    """The lines; a :class:`UserError` for one that no tool prints."""
    longest = max(map(len, lines), default=0)
    if longest > LOG_LINE_CHARACTERS:
        at = next(at for at, line in enumerate(lines, 1) if len(line) == longest)
        most = f"more than {LOG_LINE_CHARACTERS:,} characters (LOG_LINE_CHARACTERS)"
        mend = "see that it is the log, whole and as the tool wrote it"
        raise user_error(f"line {at} has {most}", mend=mend)
    return lines


def text_lines(data: bytes) -> tuple[list[str], bool]:
    """The complete lines, without colours, and whether a last one is cut off."""
    text = _text(data)
    *lines, rest = text.split("\n")
    if "\r" in text:
        lines = [line.rstrip("\r") for line in lines]
    return _checked(lines), bool(rest.strip())


def records_of(
    pairs: Iterable[tuple[int, str, str]],
) -> Iterator[tuple[int, dict[str, str]]]:
    """Sets of named values, each with its first line, out of lines, names and values;
    a name that comes again begins the next set."""
    record: dict[str, str] = {}
    start = 0
    for line, name, value in pairs:
        if name in record:
            yield start, record
            record = {}
        start = start if record else line
        record[name] = value
    if record:
        yield start, record


def number(text: str, line: int) -> float:
    """A number in the C locale, known to its last digit; :class:`UnreadableError` for
    anything else."""
    if not _NUMBER.fullmatch(text):
        raise UnreadableError(not_a_number(text), line)
    value = printed(text)
    if not math.isfinite(value) or abs(value) > _MOST:
        raise UnreadableError(remark("out_of_bounds", text=quoted(text)), line)
    return value


def real(value: Any) -> float | None:
    """A number of JSON; null where it is none, or out of all bounds."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) <= _MOST else None


def inner(value: Any, *names: str) -> dict[str, Any]:
    """The object of JSON below those names; empty where there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def quoted(text: str) -> str:
    """A text as a message shows it: its beginning, without blanks around it."""
    text = text.strip()
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def scaled(text: str, units: dict[str, float], line: int) -> float:
    """A number with a unit in the base unit: the unit may change within a column."""
    match = re.fullmatch(r"(.*?[\d.,])\s*([^\W\d_]+)", text)
    if not match or match[2] not in units:
        known = ", ".join(units)
        raise UnreadableError(remark("no_unit", text=quoted(text), known=known), line)
    return number(match[1], line) * units[match[2]]


def plain_number(text: str) -> float | None:
    """A number with a decimal point; null for anything else, as ``4,00``."""
    try:
        return number(text.strip(), 0)
    except UnreadableError:
        return None


def not_a_number(text: str, kind: str = "not_understood") -> Remark:
    """Why a text that should be a number, or hold some, is refused: for a comma in one,
    which may stand before decimals or between thousands, or as that kind says."""
    comma = _COMMA.search(text)
    return remark("decimal_comma" if comma else kind, text=quoted(text))


def percentiles(rising: Sequence[float]) -> dict[str, float | None]:
    """Columns of percentiles [µs], by nearest rank, and of the longest of times [s];
    null where there are too few for one."""
    count = len(rising)
    return {
        f"latency_p{name}_us": rising[math.ceil(count * share / 100) - 1] * 1e6
        if count * (100 - share) >= 99.99  # 100, and the rounding of 99.9
        else None
        for name, share in PERCENTILES.items()
    } | {"latency_max_us": rising[-1] * 1e6 if rising else None}


def utc_start(text: str, line: int) -> str | None:
    """A time with its zone as UTC; null where the text is empty."""
    try:
        start = parse_time(text)
    except ValueError as error:
        raise UnreadableError(quote(str(error)), line) from None
    return utc_text(start) if start else None
