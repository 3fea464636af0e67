"""Pages of text reports of RMF: titles, headings, lines, and what stands in columns.

A page begins with a title in spaced letters. The first column may hold ASA carriage
control (``1`` begins a page), or may have been cut off by a download. Headings name a
system or a sysplex and either DATE, TIME and INTERVAL, or START, END and INTERVAL.
Releases and downloads shift columns, so no position is fixed: each word of a line
belongs to the heading that it stands under, or that is nearest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from analysis.facts.remark import remark
from analysis.ingest.raw_file import Raw
from analysis.ingest.rmf.figures import Window, length_seconds, local_time, window

Line = tuple[int, str]
Place = tuple[str, int, int]  # a word or heading, its begin and its end
_LONGEST = 4096
_HEADING = 6  # lines below a title that may belong to the heading
_FAR = 12  # characters beyond which a word is under no heading


def title_of(line: str) -> str:
    """``CPU ACTIVITY`` of a line with these letters spaced; ``""`` of others."""
    line = line.strip()
    if line[1:2].strip():
        return ""  # as most lines are
    words = line.split()
    if len(words) > 2 and words[-2].upper() == "PAGE" and words[-1].isdigit():
        line = line[: line.upper().rindex("PAGE")].rstrip()
    groups = [group for part in line.split("  ") if (group := part.strip())]
    if any(len(group) % 2 == 0 or group[1::2].strip() for group in groups):
        return ""
    title = " ".join(group[::2] for group in groups)
    letters = "".join(c if c.isascii() and c.isalpha() else " " for c in title).split()
    enough = len(title) >= 6 and any(len(word) >= 3 for word in letters)
    return title.upper() if enough else ""


def labelled(text: str, label: str) -> str:
    """The word behind a label and blanks, ``=`` or ``:``; empty where there is none."""
    upper, at = f" {text.upper()}", 0
    while (at := upper.find(f" {label}", at)) >= 0:
        at += len(label) + 1
        rest = text[at - 1 :]
        words = rest.lstrip(" =:").split(None, 1)
        if words and (rest[0] in "=:" or rest[0].isspace()):
            return words[0]
    return ""


def is_hexadecimal(text: str) -> bool:
    """Whether a text has hexadecimal digits alone."""
    return set(text.upper()) <= set("0123456789ABCDEF")


def placed(text: str) -> list[Place]:
    """The words of a line with their places."""
    words, at = [], 0
    for word in text.split():
        begin = text.index(word, at)
        at = begin + len(word)
        words.append((word, begin, at))
    return words


@dataclass(frozen=True)
class TextColumns:
    """Names of columns with the places of their headings, from left to right."""

    places: tuple[Place, ...]

    @property
    def heads(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(name for name, _, _ in self.places)

    def cells(self, line: str, first: int = 0) -> dict[str, str]:
        """The words of a line, from the place ``first`` on, by column; words of one
        column are joined."""
        cells: dict[str, str] = {}
        for word, begin, end in placed(line):
            if begin >= first and (name := self._nearest(begin, end)):
                cells[name] = f"{cells[name]} {word}" if name in cells else word
        return cells

    def _nearest(self, begin: int, end: int) -> str:
        def rank(place: Place) -> tuple[int, int]:
            gap = max(place[1] - end, begin - place[2], 0)
            return gap, abs(place[1] + place[2] - begin - end)

        place = min(self.places, key=rank)
        return place[0] if rank(place)[0] <= _FAR else ""


def columns(heading: str, names: str) -> TextColumns:
    """Where these headings stand, in this order, with ``|`` between them; absent ones
    are left out. ``NUM=CPU Number`` is the heading NUM of a column with the other
    name."""
    words, places, at = placed(heading.upper()), [], 0
    texts = [word for word, _, _ in words]
    for name in names.split("|"):
        printed, _, known = name.partition("=")
        wanted = printed.split()
        for begin in range(at, len(words) - len(wanted) + 1):
            at_end = begin + len(wanted)
            if texts[begin:at_end] == wanted:
                places.append((known or name, words[begin][1], words[at_end - 1][2]))
                at = at_end
                break
    return TextColumns(tuple(places))


def stacked(lines: Sequence[str]) -> TextColumns:
    """The columns of several lines of headings, each read from its upper word down.

    The line with the most words has one for each column; words of the others belong to
    the nearest.
    """
    most = max(lines, key=lambda line: len(line.split()))
    places = [
        (str(at), begin, end) for at, (_, begin, end) in enumerate(placed(most.upper()))
    ]
    rows = [TextColumns(tuple(places)).cells(line.upper()) for line in lines]
    names = (" ".join(row[at] for row in rows if at in row) for at, _, _ in places)
    return TextColumns(
        tuple((name, *place[1:]) for name, place in zip(names, places, strict=True))
    )


@dataclass
class ReportPage:
    """One page: its title, the number of its first line, and its lines."""

    title: str
    number: int
    lines: list[Line] = field(default_factory=list)

    def heading(self, label: str) -> str:
        """What stands behind a label in the heading; empty where it has none."""
        values = (labelled(text, label) for _, text in self.lines[:_HEADING])
        return next(filter(None, values), "")

    @property
    def system(self) -> str:
        """The system, else the sysplex."""
        return self.heading("SYSTEM ID") or self.heading("SYSPLEX")

    def window(self, order: str) -> Window:
        """When the interval began, and its length; ``order`` is that of dates."""
        date, time = self.heading("DATE"), self.heading("TIME")
        begin = self.heading("START") or f"{date}-{time}"
        start = local_time(begin, order)
        seconds = length_seconds(self.heading("INTERVAL"))
        if start is None:
            what = f"{begin!r} is no date and time in the order {order}; see --dates"
            return Window(None, seconds, remark("no_date_and_time", what))
        return window(start, local_time(self.heading("END"), order), seconds)


def pages(raw: Raw) -> Iterator[ReportPage]:
    """The pages of a file, in its order; what stands before the first is left out."""
    page: ReportPage | None = None
    asa = False
    for number, text in _lines(raw):
        begins = text[:1] == "1" and text[1:2].isspace()
        if title := title_of(text[1:] if begins else text):
            if page:
                yield page
            page, asa = ReportPage(title, number), begins
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
