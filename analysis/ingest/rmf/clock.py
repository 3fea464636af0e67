"""Times of RMF reports: local, without a zone, in an installation's order of dates."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from analysis.facts.remark import Remark, remark
from analysis.ingest.clock import is_ambiguous, local_text

MDY, DMY, YMD = "mdy", "dmy", "ymd"
DATE_ORDERS = (MDY, DMY, YMD)
_MOMENT = re.compile(
    r"(\d{1,4})([/.\-])(\d\d?)\2(\d{1,4})[\- ](\d\d)[.:](\d\d)[.:](\d\d)"
)


_CUT, _MOST_APART = 2.0, 60.0  # seconds of which printed times and lengths may differ


@dataclass(frozen=True)
class Window:
    """Local start and length in seconds, each null where not understood."""

    start: dt.datetime | None
    seconds: float | None
    doubt: Remark | None = None


@dataclass(frozen=True)
class ReportInterval:
    """The interval of one report: its system, time and place in the file."""

    system: str | None
    start_utc: str | None
    seconds: float | None
    position: int

    @property
    def length(self) -> float:
        """Its seconds; 0 where unknown, as it never is of the Postprocessor."""
        return self.seconds or 0.0

    @cached_property
    def shared(self) -> dict[str, Any]:
        """The columns that all rows of the report share."""
        return {
            "system": self.system,
            "start_utc": self.start_utc,
            "seconds": self.seconds,
            "position": self.position,
        }


@lru_cache(maxsize=64)  # the reports of an interval follow each other
def local_time(text: str, order: str = MDY) -> dt.datetime | None:
    """``04/12/2022-00.30.00`` and its kin; null where it is no time.

    ``order`` is that of dates with slashes. Dates with dots have the day first, and
    dates with hyphens, or that begin with four digits, the year.
    """
    found = _MOMENT.fullmatch(text.strip())
    if not found:
        return None
    first, slash, second, third = found[1], found[2], int(found[3]), int(found[4])
    if len(first) == 4:
        year, month, day = int(first), second, third
    elif slash == "." or order == DMY:
        year, month, day = third, second, int(first)
    else:
        year, month, day = third, int(first), second
    try:
        hour, minute, whole = (int(group) for group in found.groups()[4:])
        time = dt.datetime(year, month, day, hour, minute, whole)
    except ValueError:
        return None
    return time if 1970 <= year < 2100 else None


def window(
    start: dt.datetime | None, end: dt.datetime | None, seconds: float | None
) -> Window:
    """When an interval began and how long it was.

    The printed length counts, since the printed end is cut to the second; where it
    contradicts the end, there is none.
    """
    if start is None or seconds is None:
        return Window(
            start,
            seconds,
            remark("odd_start_or_length", "its start or its length is not understood"),
        )
    if doubt := contradicts(start, end, seconds):
        return Window(start, None, doubt)
    return Window(start, seconds)


def contradicts(
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


@dataclass
class Clock:
    """Local starts to UTC text, report by report in the order of the file.

    In the hour that a clock shows twice, a start that is not after the previous
    one of its system and report belongs to the second time.
    """

    zone: ZoneInfo | None
    _last: dict[str, dt.datetime] = field(default_factory=dict)
    _fold: dict[str, int] = field(default_factory=dict)

    def utc(self, of: str, start: dt.datetime) -> tuple[str | None, bool]:
        """The start in UTC, null without a zone; and whether it is ambiguous."""
        if self.zone is None:
            return None, False
        twice = is_ambiguous(start, self.zone)
        last = self._last.get(of)
        if not twice:
            self._fold[of] = 0
        elif last is not None and start <= last:
            self._fold[of] = 1
        self._last[of] = start
        return local_text(start, self.zone, self._fold.get(of, 0)), twice
