"""Numbers and dates as text: the one place where a value is rounded for a reader.

Values keep three significant digits and are whole numbers from 100 on; deltas keep two
significant digits and never more than one decimal. No number has a digit below its
``resolution``, the step in which its source tells it, in its own unit. A minus is
U+2212, thousands are set off by a comma, and a range is written ``12 to 14%``.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterable, Iterator

MINUS = "\N{MINUS SIGN}"
_WORDS = {"1/s": "trans/s"}
# What texts write for a unit, and its one spelling; capitals tell B from bit.
_SPELLINGS = (
    (r"\u03bc", "\u00b5"),
    (r"(?i)^-?per\s?cent\b.*|^percentage.*", "%"),
    (r"(?i)^micro(?=sec)", "\u00b5"),
    (r"(?i)^milli(?=sec)", "m"),
    (r"(?i)^nano(?=sec)", "n"),
    (r"(?i)seconds?\b", "s"),
    (r"\s(?:per|an?)\s", "/"),
    (r"(?i)^t(?=ps$)", "tran"),
    (r"(?<=[kKMGT])b(?=ps$)", "bit"),
    (r"ps$", "/s"),
    (r"(?i)^trans?(?:actions?)?(?=/)", "trans"),
    (r"(?i)/tran\w*$", "/tran"),
)
_DURATIONS = (("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1))


def format_number(value: float, resolution: float = 0.0) -> str:
    """``5,867``, ``152``, ``21.5``, ``4.37`` or ``0.0231``."""
    if value == 0:
        return "0"
    rounded = float(f"{abs(value):.2e}")  # 99.96 has the digits of 100
    decimals = max(2 - math.floor(math.log10(rounded)), 0)
    return _rounded(value, decimals, resolution).replace("-", MINUS)


def format_unit(unit: str) -> str:
    """The unit as a reader sees it: ``trans/s`` for ``1/s``."""
    return _WORDS.get(unit, unit)


def is_unit(written: str, unit: str) -> bool:
    """Whether a text writes a unit: ``tps`` is ``1/s``, ``KB`` is not ``MB``. What is
    of one transaction or one MB may leave that out; a rate may not."""
    one, other = _spelling(written), _spelling(format_unit(unit))
    whole, _, per = other.partition("/")
    return one in (other, whole if per != "s" else other)


def unit_pattern(unit: str) -> str:
    """An expression for what texts write for a unit, of data with any prefix."""
    top, _, per = format_unit(unit).partition(" (")[0].partition("/")
    every = r"\w+" if per == "tran" else _scaled(per)
    if per != "s":
        return rf"{_scaled(top)}/{every}\b" if per else rf"{_scaled(top)}\b"
    short = {"trans": r"|tps\b"}.get(top, rf"|{_scaled(top)}ps\b")
    if top == "bit" or top[1:] == "bit":
        short = r"|[kMGT]bps\b"
    top = r"tran(?:s|sactions?)?" if top == "trans" else _scaled(top)
    return rf"{top}(?:/s\b| (?:per|an?) second\b){short}"


def _scaled(part: str) -> str:
    """A part of a unit; of data in every size."""
    for base, size in (("bit", "[kMGT]?bit"), ("B", "[kKMGT]i?B")):
        if part == base or part[1:] == base:
            return size
    return re.escape(part)


def _spelling(unit: str) -> str:
    for written, spelt in _SPELLINGS:
        unit = re.sub(written, spelt, unit)
    return unit.casefold()


def format_value(
    value: float,
    unit: str,
    resolution: float | None = None,
    decimals: int | None = None,
) -> str:
    """A value with its unit: ``3,159 MB/s``; a per cent sign stands close. One that is
    less than its resolution is ``< 1 ms``. So many ``decimals`` are those of a source.
    """
    if decimals is not None:
        return _with_unit(f"{value:,.{decimals}f}", unit)
    if resolution and abs(value) < resolution:
        return _with_unit(f"< {format_number(resolution, resolution)}", unit)
    return _with_unit(format_number(value, resolution or 0.0), unit)


def format_percent(value: float, resolution: float = 0.0) -> str:
    """A signed change: ``−37%``, ``+5.9%``, ``+1,953%``; ``0.0%`` has no sign."""
    size = abs(value)
    # 9.95 would become 10.0, which has one digit too many
    text = _rounded(size, 0 if size >= 9.95 else 1, resolution)
    sign = "" if float(text.replace(",", "")) == 0 else "+" if value > 0 else MINUS
    return f"{sign}{text}%"


def format_range(low: float, high: float, unit: str) -> str:
    """An interval of values: ``3,084 to 3,262 MB/s``."""
    return _with_unit(f"{format_number(low)} to {format_number(high)}", unit)


def format_percent_range(low: float, high: float) -> str:
    """An interval of changes: ``−39 to −35%``."""
    return f"{format_percent(low).removesuffix('%')} to {format_percent(high)}"


def format_percent_interval(low: float, high: float) -> str:
    """``−56 to −54%``; with a digit more, or as ± half, where both ends print alike."""
    if format_percent(low) != format_percent(high):
        return format_percent_range(low, high)
    first, last = (f"{end:+,.1f}".replace("-", MINUS) for end in (low, high))
    if first != last:
        return f"{first} to {last}%"
    return f"± {(high - low) / 2:.2g} points"


def date_text(day: dt.date) -> str:
    """``21 November 2026``."""
    return f"{day.day} {day:%B %Y}"


def duration_text(seconds: float) -> str:
    """A length of time in its largest whole unit: ``3 minutes``, ``1 hour``."""
    name, size = next((u for u in _DURATIONS if seconds >= u[1]), _DURATIONS[-1])
    count = max(int(seconds / size), 0)
    return f"{count} {name}{'' if count == 1 else 's'}"


def _rounded(value: float, decimals: int, resolution: float) -> str:
    """With so many decimals, or fewer where one is below the resolution; the first
    digit stays."""
    if resolution > 0:
        first = -math.floor(math.log10(abs(value))) if value else decimals
        decimals = min(decimals, max(-math.floor(math.log10(resolution)), first))
    value = float(f"{value:.12g}")  # a half is one whatever order a sum was made in
    return f"{round(value, decimals):,.{max(decimals, 0)}f}"


def _with_unit(text: str, unit: str) -> str:
    word = format_unit(unit)
    return f"{text}{word}" if word == "%" else f"{text} {word}".rstrip()


def how_many(number: int, noun: str) -> str:
    """A count with its noun: ``1 workload``, ``1,200 workloads``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def gaps(numbers: Iterable[int]) -> Iterator[str]:
    """Which repetitions are missing from 1 up to the largest number, such as ``2`` and
    ``4 to 6``: a run that is left out changes a result, so that it must be seen."""
    before = 0
    for number in sorted(numbers):
        first, last = before + 1, number - 1
        if first <= last:
            yield str(first) if first == last else f"{first} to {last}"
        before = number
