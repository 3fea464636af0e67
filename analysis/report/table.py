"""Tables of the document: columns that say what their cells are, and what writes them.

Headings, cells and captions are Markdown; :func:`escape` makes it of other text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from string import ascii_lowercase
from typing import Generic, TypeVar

from analysis.report.bound import Bound, bound, joined

WIDE, WIDE_STYLE = 6, "table-wide"
NONE = "–"
BREAK = "\u200b"  # a place without width at which a line may end
_LONG = 24
_LINE_BREAK = re.compile(r"\s*[\n\r\v\f\x1c-\x1e\x85\u2028\u2029\t]\s*")
_SPECIAL = re.compile(r"([\\`*_\[\]<>@^~$|{}#&])")
# What begins a list, a definition, a rule or a block where it stands first.
_FIRST = re.compile(r"^(?=[-+:=%])|^(?:\(?(?:\d+|[A-Za-z]|[ivxlcdm]+))(?=[.)](?:\s|$))")
_MARK = re.compile(r"[^\w\s.,:;?()/%+'-]")

Cell = str | Bound
Row = TypeVar("Row")


@dataclass(frozen=True)
class Column(Generic[Row]):
    """A column: its heading, its share of the width, what a cell of it has of a row,
    and whether that is a number."""

    head: str
    width: int
    cell: Callable[[Row], Cell]
    number: bool = False

    @property
    def rule(self) -> str:
        """The dashes below the heading, which carry width and alignment."""
        return "-" * (self.width - 1) + ":" if self.number else "-" * self.width


@dataclass
class Notes:
    """Notes below a table; equal texts share one letter."""

    texts: list[str] = field(default_factory=list)

    def mark(self, notes: Iterable[str]) -> str:
        """The superscript letters of some notes, empty where there are none."""
        letters = sorted(self._letter(text) for text in notes)
        return f"^{','.join(letters)}^" if letters else ""

    def markdown(self) -> str:
        """The notes as a list under the table, empty where there are none."""
        rows = [
            f"^{_letter(index)}^ {escape(text.rstrip('.'))}."
            for index, text in enumerate(self.texts)
        ]
        if not rows:
            return ""
        return "\n\n::: {.table-notes}\n" + "\\\n".join(rows) + "\n:::"

    def _letter(self, text: str) -> str:
        if text not in self.texts:
            self.texts.append(text)
        return _letter(self.texts.index(text))


def table(
    columns: Sequence[Column[Row]],
    rows: Iterable[Row],
    caption: str,
    id: str,
    notes: Notes | None = None,
    style: str = "",
) -> Bound:
    """A captioned pipe table, in which numbers are bound to their facts.

    A table without an id has no number, and nothing refers to it. ``style`` is a class
    of the templates; without one, many columns are wide.
    """
    lines: list[Sequence[Cell]] = [
        [column.head for column in columns],
        [column.rule for column in columns],
        *([column.cell(row) for column in columns] for row in rows),
    ]
    text = joined("\n", (bound("| ", joined(" | ", own), " |") for own in lines))
    below = f"\n\n: {caption}" + (f" {{#tbl-{id}}}" if id else "")
    below += notes.markdown() if notes else ""
    style = style or (WIDE_STYLE if len(columns) >= WIDE else "")
    if style:
        return bound(f":::: {{.{style}}}\n", text, f"{below}\n::::")
    return bound(text, below)


def escape(text: object) -> str:
    """Text as Markdown that shows it literally, in one line, fit for a cell."""
    literal = _SPECIAL.sub(r"\\\1", one_line(str(text)))
    return _FIRST.sub(r"\g<0>\\", literal)


def attribute(text: str) -> str:
    """Text as a quoted attribute's content in Pandoc Markdown, in one line.

    What could be a mark of Markdown elsewhere is written as a character reference.
    """
    return _MARK.sub(lambda mark: f"&#{ord(mark[0])};", one_line(text).strip())


def one_line(text: str) -> str:
    """Text with each line break and what is round it as one space."""
    return _LINE_BREAK.sub(" ", text)


def breakable(text: str) -> str:
    """Escaped text whose long names, such as those of ciphers, may break at ``_``."""
    return " ".join(
        word.replace("\\_", f"\\_{BREAK}") if len(word) > _LONG else word
        for word in text.split(" ")
    )


def _letter(index: int) -> str:
    more, place = divmod(index, len(ascii_lowercase))
    return (_letter(more - 1) if more else "") + ascii_lowercase[place]
