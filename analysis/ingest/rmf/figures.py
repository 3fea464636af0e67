"""Printed figures of RMF reports: numbers, names of CPU types, lengths and times.

Times are local, without a zone, in an installation's order of dates.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import lru_cache

from analysis.facts.remark import Remark, remark

MDY, DMY, YMD = "mdy", "dmy", "ymd"
DATE_ORDERS = (MDY, DMY, YMD)
_CUT, _MOST_APART = 2.0, 60.0  # seconds of which printed times and lengths may differ
_TYPES = {"CP": "CP", "IIP": "zIIP", "ZIIP": "zIIP", "AAP": "zAAP", "IFA": "zAAP"}
_POWERS = {"K": 1, "M": 2, "G": 3, "T": 4}
_LARGEST = 1e18
_MEGA = 1e6  # RMF's MB: its conditions divide bytes by microseconds (RMF User's Guide)


def number(text: str | None) -> float | None:
    """A printed number; null for empty, ``N/A``, dashes, asterisks and other text."""
    if not text or "_" in text:
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    return value if -_LARGEST <= value <= _LARGEST else None


def scaled(text: str | None, step: int = 1000) -> float | None:
    """A printed number that may end in K, M, G or T: powers of ``step``."""
    value = number(text)
    if value is not None or not text:
        return value
    power = _POWERS.get(text[-1].upper(), 0)
    value = number(text[:-1]) if power else None
    return None if value is None else value * step**power


def size(text: str | None) -> float | None:
    """Bytes, perhaps with K, M or G for powers of 1024."""
    return scaled(text, 1024)


def millions(text: str) -> float | None:
    """What is printed in millions, such as MB/s, in ones."""
    value = scaled(text)
    return None if value is None else value * _MEGA


def in_millions(text: str) -> float | None:
    """What is printed in ones, such as bit/s, in millions."""
    value = scaled(text)
    return None if value is None else value / _MEGA


def count(text: str | None) -> int | None:
    """A printed count, perhaps with K, M or G for thousands."""
    value = scaled(text)
    return None if value is None else round(value)


def clock_seconds(text: str | None) -> float | None:
    """Seconds of ``HH.MM.SS.mmm`` or ``HHH.MM.SS.ffffff``; null where it is none."""
    match _groups(text or ""):
        case [hours, minutes, seconds, part] if len(part) in (3, 6):
            whole = int(hours) * 3600 + int(minutes) * 60 + int(seconds)
            return whole + int(part) / 10 ** len(part)
    return None


def whole_seconds(text: str) -> float | None:
    """Seconds of ``HH.MM.SS``; null where it is none."""
    match _groups(text):
        case [hours, minutes, seconds] if len(seconds) == 2:
            return float(int(hours) * 3600 + int(minutes) * 60 + int(seconds))
    return None


@lru_cache(maxsize=64)  # the reports of an interval follow each other
def length_seconds(text: str) -> float | None:
    """Seconds of ``MM:SS:mmm`` or, of a duration report, of ``HHH:MM:SS``."""
    match _groups(text):
        case [minutes, seconds, part] if len(part) == 3:
            return int(minutes) * 60 + int(seconds) + int(part) / 1000 or None
    return whole_seconds(text) or None


def _groups(text: str) -> list[str]:
    """The groups of digits between points or colons, of which all but the first and
    the last have two; empty where it is anything else."""
    groups = text.strip().replace(":", ".").split(".")
    digits = all(group.isascii() and group.isdigit() for group in groups)
    paired = all(len(group) == 2 for group in groups[1:-1])
    return groups if digits and paired and len(groups[0]) <= 6 else []


def cpu_type(text: str) -> str:
    """``CP``, ``zIIP`` or ``zAAP`` for RMF's short names; others as printed."""
    upper = text.upper()
    return _TYPES.get(upper, upper)


def figure_with_comma(text: str, before: str, after: str) -> tuple[str, int] | None:
    """The first whole number with a comma that stands between these two marks, and
    where; null where there is none."""
    at = text.find(",")
    while at >= 0:
        if text[at - 1 : at].isdigit() and text[at + 1 : at + 2].isdigit():
            begin = text.rfind(before, 0, at) + 1
            end = text.find(after, at)
            figure = text[begin : end if end >= 0 else None].strip()
            whole, _, part = figure.removeprefix("-").partition(",")
            if whole.isdigit() and part.isdigit():
                return figure, text.index(figure, begin)
        at = text.find(",", at + 1)
    return None


@dataclass(frozen=True)
class Window:
    """Start, local or in UTC, and length in seconds, each null where not understood."""

    start: dt.datetime | None
    seconds: float | None
    doubt: Remark | None = None
    utc: dt.datetime | None = None


@lru_cache(maxsize=64)  # the reports of an interval follow each other
def local_time(text: str, order: str = MDY) -> dt.datetime | None:
    """``04/12/2022-00.30.00`` and its kin; null where it is no time.

    ``order`` is that of dates with slashes. Dates with dots have the day first, and
    dates with hyphens, or that begin with four digits, the year.
    """
    text = text.strip()
    date, joint, time = text[:-9], text[-9:-8], text[-8:].replace(":", ".")
    mark = next((mark for mark in "/.-" if mark in date), "")
    if date[:4].isdigit():
        form = "%Y{0}%m{0}%d"
    elif mark == "." or order == DMY:
        form = "%d{0}%m{0}%Y"
    else:
        form = "%m{0}%d{0}%Y"
    try:
        moment = dt.datetime.strptime(f"{date} {time}", f"{form.format(mark)} %H.%M.%S")
    except ValueError:
        return None
    known = joint and joint in "- " and 1970 <= moment.year < 2100
    return moment if known else None


def window(
    start: dt.datetime | None, end: dt.datetime | None, seconds: float | None
) -> Window:
    """When an interval began and how long it was.

    The printed length counts, since the printed end is cut to the second; where it
    contradicts the end, there is none.
    """
    if start is None or seconds is None:
        what = "its start or its length is not understood"
        return Window(start, seconds, remark("odd_start_or_length", what))
    if doubt := _contradicts(start, end, seconds):
        return Window(start, None, doubt)
    return Window(start, seconds)


def monitor_window(
    local_start: str, local_end: str, utc_start: str, utc_end: str, *lengths: str
) -> Window:
    """When a report of Monitor III began, and how long it was, of its printed stamps
    and lengths: that of the report, and that of one interval of the gatherer, of which
    it may cover several."""
    start, end = _stamp(local_start), _stamp(local_end)
    utc, utc_stop = _stamp(utc_start), _stamp(utc_end)
    seconds, gathered = (number(text) or None for text in lengths)
    for ends in ((utc, utc_stop), (start, end)):
        if seconds and (doubt := _contradicts(*ends, seconds)):
            return Window(None, None, doubt)
    if seconds is None and utc and utc_stop:
        seconds = (utc_stop - utc).total_seconds() or None
    seconds = seconds or gathered
    if utc is None and utc_stop and seconds:
        utc = utc_stop - dt.timedelta(seconds=seconds)
    return Window(start, seconds, utc=utc)


def _stamp(text: str) -> dt.datetime | None:
    """``20220412042320``; null where it is no time."""
    try:
        return dt.datetime.strptime(text.strip(), "%Y%m%d%H%M%S")
    except ValueError:
        return None


def _contradicts(
    start: dt.datetime | None, end: dt.datetime | None, seconds: float
) -> Remark | None:
    """How a printed length contradicts start and end; null where it does not, or
    where one of them is unknown."""
    if start is None or end is None:
        return None
    shown = (end - start).total_seconds()
    most = max(_CUT, min(_MOST_APART, 0.05 * seconds))
    apart = abs(shown - seconds)
    # The clock may have been changed within the interval.
    if apart <= most or abs(apart - 3600) <= most:
        return None
    return remark(
        "length_and_ends",
        f"it is {seconds:g} s long, but start and end are {shown:g} s apart",
    )
