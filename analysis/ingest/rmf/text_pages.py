"""Pages of text reports of RMF: their titles, headings and lines.

A page begins with a title in spaced letters. The first column may hold ASA carriage
control (``1`` begins a page), or may have been cut off by a download. Headings name a
system or a sysplex and either DATE, TIME and INTERVAL, or START, END and INTERVAL.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from analysis.facts.remark import remark
from analysis.ingest.raw_file import Raw
from analysis.ingest.rmf.clock import Window, local_time, window
from analysis.ingest.rmf.figures import length_seconds

Line = tuple[int, str]
_LONGEST = 4096
_HEADING = 6  # lines below a title that may belong to the heading
_SPACED = re.compile(r"(?:\S )*\S")
_PAGE = re.compile(r"(?<!\s)\s+PAGE\s+\d+\s*$", re.IGNORECASE)
_ASA = re.compile(r"1\s")


def title_of(line: str) -> str:
    """``CPU ACTIVITY`` of a line with these letters spaced; ``""`` of others."""
    words = re.split(r"\s{2,}", _PAGE.sub("", line).strip())
    if any(len(word) % 2 == 0 or word[1::2].strip() for word in words):
        return ""
    title = " ".join(word[::2] for word in words)
    enough = len(title) >= 6 and all(_SPACED.fullmatch(word) for word in words)
    return title.upper() if enough and re.search("[A-Za-z]{3}", title) else ""


@dataclass
class ReportPage:
    """One page: its title, the number of its first line, and its lines."""

    title: str
    number: int
    lines: list[Line] = field(default_factory=list)

    def said(self, label: str) -> str:
        """What stands behind a label in the heading; empty where it has none."""
        pattern = re.compile(rf"(?<!\S){label}\s*[=:]?\s+(\S+)", re.IGNORECASE)
        for _, text in self.lines[:_HEADING]:
            if found := pattern.search(text):
                return found[1]
        return ""

    @property
    def system(self) -> str:
        """The system, else the sysplex."""
        return self.said("SYSTEM ID") or self.said("SYSPLEX")

    @property
    def is_sysplex(self) -> bool:
        """Whether the page is of a sysplex."""
        return not self.said("SYSTEM ID")

    def window(self, order: str) -> Window:
        """When the interval began, and its length; ``order`` is that of dates."""
        date, time = self.said("DATE"), self.said("TIME")
        begin = self.said("START") or f"{date}-{time}"
        start = local_time(begin, order)
        end = local_time(self.said("END"), order)
        seconds = length_seconds(self.said("INTERVAL"))
        if start is None:
            doubt = remark(
                "no_date_and_time",
                f"{begin!r} is no date and time in the order {order}; see --dates",
            )
            return Window(None, seconds, doubt)
        return window(start, end, seconds)


def pages(raw: Raw) -> Iterator[ReportPage]:
    """The pages of a file, in its order; what stands before the first is left out."""
    page: ReportPage | None = None
    asa = False
    for number, text in _lines(raw):
        title = title_of(text[1:]) if _ASA.match(text) else title_of(text)
        if title:
            if page:
                yield page
            asa = bool(_ASA.match(text))
            page = ReportPage(title, number)
        elif page:
            page.lines.append((number, " " + text[1:] if asa else text))
    if page:
        yield page


def _lines(raw: Raw) -> Iterator[Line]:
    number = 1
    with raw.open("rb") as file:
        while piece := file.readline(_LONGEST):
            text = piece.decode("utf-8", errors="replace")
            yield number, text.rstrip("\r\n").replace("\f", " ").expandtabs()
            number += piece.endswith(b"\n")
