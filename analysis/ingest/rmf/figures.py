"""Resolved figures of RMF reports: numbers, times, names of CPU types."""

from __future__ import annotations

import re
from functools import lru_cache

from analysis.ingest.printed import Resolved, printed

TYPES = {"CP": "CP", "IIP": "zIIP", "ZIIP": "zIIP", "AAP": "zAAP", "IFA": "zAAP"}
DECIMAL, BINARY = 1000, 1024
POWERS = {"K": 1, "M": 2, "G": 3, "T": 4}
_TIME = re.compile(r"(\d{1,6})[.:](\d\d)[.:](\d\d)[.:](\d{3}(?:\d{3})?)")
_WHOLE = re.compile(r"(\d{1,6})[.:](\d\d)[.:](\d\d)")
_LENGTH = re.compile(r"(\d{1,6})[:.](\d\d)[:.](\d{2,3})")
LARGEST = 1e18


def number(text: str | None) -> float | None:
    """A printed number; null for empty, ``N/A``, dashes, asterisks and other text."""
    if not text or "_" in text:
        return None
    try:
        value = printed(text)
    except ValueError:
        return None
    return value if -LARGEST <= value <= LARGEST else None


def scaled(text: str | None, step: int = DECIMAL) -> float | None:
    """A printed number that may end in K, M, G or T: powers of ``step``."""
    value = number(text)
    if value is not None or not text:
        return value
    text = text.strip()
    power = POWERS.get(text[-1:].upper(), 0)
    value = number(text[:-1]) if power else None
    return None if value is None else value * step**power


def count(text: str | None) -> int | None:
    """A printed count, perhaps with K, M or G for thousands."""
    value = scaled(text)
    return None if value is None else round(value)


def clock_seconds(text: str | None) -> float | None:
    """Seconds of ``HH.MM.SS.mmm`` or ``HHH.MM.SS.ffffff``; null where it is none."""
    found = _TIME.fullmatch(text.strip()) if text else None
    if not found:
        return None
    hours, minutes, seconds, part = found.groups()
    whole = int(hours) * 3600 + int(minutes) * 60 + int(seconds)
    return Resolved(whole + int(part) / 10 ** len(part), 10.0 ** -len(part))


def whole_seconds(text: str) -> float | None:
    """Seconds of ``HH.MM.SS``; null where it is none."""
    found = _WHOLE.fullmatch(text.strip())
    if not found:
        return None
    hours, minutes, seconds = map(int, found.groups())
    return float(hours * 3600 + minutes * 60 + seconds)


@lru_cache(maxsize=64)
def length_seconds(text: str) -> float | None:
    """Seconds of ``MM:SS:mmm`` or, of a duration report, of ``HHH:MM:SS``."""
    found = _LENGTH.fullmatch(text.strip())
    if not found:
        return None
    first, second, third = (int(group) for group in found.groups())
    if len(found[3]) == 3:
        return first * 60 + second + third / 1000 or None
    return float(first * 3600 + second * 60 + third) or None


def cpu_type(text: str) -> str:
    """``CP``, ``zIIP`` or ``zAAP`` for RMF's short names; others as printed."""
    upper = text.upper()
    return TYPES.get(upper, upper)
