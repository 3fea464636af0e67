"""Times of RMF reports: local, without a zone, and their lengths."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element
from zoneinfo import ZoneInfo

from analysis.ingest.clock import is_ambiguous, local_text
from analysis.ingest.rmf_xml_stream import text_of

_AMERICAN = ("en-us", "en_us", "")


@dataclass(frozen=True)
class Window:
    """Local start and length in seconds, each null where not understood."""

    start: dt.datetime | None
    seconds: float | None
    doubt: str = ""


def window(report: Element) -> Window:
    """When a report's interval began and how long it was.

    The printed length counts, since the printed end is cut to the second.
    """
    start = _local(report.find("time-data/display-start"))
    end = _local(report.find("time-data/display-end"))
    seconds = _length(text_of(report, "time-data/report-interval"))
    if start is None or seconds is None:
        return Window(start, seconds, "its start or its length is not understood")
    shown = (end - start).total_seconds() if end else seconds
    # The clock may have been changed within the interval.
    if abs(shown - seconds) > 60 and abs(abs(shown - seconds) - 3600) > 60:
        said = f"it is {seconds:g} s long, but start and end are {shown:g} s apart"
        return Window(start, seconds, said)
    return Window(start, seconds)


def _local(element: Element | None) -> dt.datetime | None:
    """``04/12/2022-00.30.00``; day before month where the locale is not American."""
    locale = "" if element is None else element.get("locale", "").lower()
    slashed = "%m/%d/%Y" if locale in _AMERICAN else "%d/%m/%Y"
    text = text_of(element).replace(" ", "-").replace(":", ".")
    for form in (slashed, "%d.%m.%Y", "%Y-%m-%d", "%Y/%m/%d"):
        try:
            time = dt.datetime.strptime(text, f"{form}-%H.%M.%S")
        except ValueError:
            continue
        return time if 1970 <= time.year < 2100 else None
    return None


def _length(text: str) -> float | None:
    """Seconds of ``MM:SS:mmm`` or, of a duration report, of ``HHH:MM:SS``."""
    found = re.fullmatch(r"(\d{1,6})[:.](\d\d)[:.](\d{2,3})", text)
    if not found:
        return None
    first, second, third = (int(group) for group in found.groups())
    if len(found[3]) == 3:
        return first * 60 + second + third / 1000 or None
    return float(first * 3600 + second * 60 + third) or None


@dataclass
class Clock:
    """Local starts to UTC text, report by report in the order of the file.

    In the hour that a clock shows twice, a start that is not after the previous
    one of its system belongs to the second time.
    """

    zone: ZoneInfo | None
    _last: dict[str, dt.datetime] = field(default_factory=dict)
    _fold: dict[str, int] = field(default_factory=dict)

    def utc(self, system: str, start: dt.datetime) -> tuple[str | None, bool]:
        """The start in UTC, null without a zone; and whether it is ambiguous."""
        if self.zone is None:
            return None, False
        twice = is_ambiguous(start, self.zone)
        last = self._last.get(system)
        if not twice:
            self._fold[system] = 0
        elif last is not None and start <= last:
            self._fold[system] = 1
        self._last[system] = start
        return local_text(start, self.zone, self._fold.get(system, 0)), twice
