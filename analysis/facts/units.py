"""Numbers and dates as text: the one place where a value is rounded for a reader.

Values keep three significant digits and are whole numbers from 100 on; deltas keep two
significant digits and never more than one decimal. No number has a digit below its
``resolution``, the step in which its source tells it, in its own unit. A minus is
U+2212, thousands are set off by a comma, and a range is written ``12 to 14%``.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Iterator

MINUS = "\N{MINUS SIGN}"
_WORDS = {"1/s": "trans/s"}
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
