"""Pipe tables of the generated document: escaping, widths, captions, notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from string import ascii_lowercase

WIDE = 6
BREAK = "\u200b"  # a place without width at which a line may end
_LONG = 24
_SPECIAL = re.compile(r"([\\`*_\[\]<>@^~$|{}#])")


@dataclass(frozen=True)
class Column:
    """A column: its heading, its share of the width, and whether it holds numbers."""

    head: str
    width: int
    number: bool = False

    @property
    def rule(self) -> str:
        """The dashes below the heading, which carry width and alignment."""
        return "-" * (self.width - 1) + ":" if self.number else "-" * self.width


@dataclass
class Notes:
    """Notes below a table; equal texts share one letter."""

    texts: list[str] = field(default_factory=list)

    def mark(self, warnings: Iterable[str]) -> str:
        """The superscript letters of some warnings, empty where there are none."""
        letters = sorted(self._letter(text) for text in warnings)
        return f"^{','.join(letters)}^" if letters else ""

    def markdown(self) -> str:
        """The notes as a list under the table, empty where nothing was marked."""
        if not self.texts:
            return ""
        rows = [
            f"^{_letter(index)}^ {escape(text.rstrip('.'))}."
            for index, text in enumerate(self.texts)
        ]
        return "\n\n::: {.table-notes}\n" + "\\\n".join(rows) + "\n:::"

    def _letter(self, text: str) -> str:
        if text not in self.texts:
            self.texts.append(text)
        return _letter(self.texts.index(text))


def table(
    columns: Sequence[Column],
    rows: Iterable[Sequence[str]],
    caption: str,
    id: str,
    notes: Notes | None = None,
    style: str = "",
) -> str:
    """A captioned pipe table; cells are Markdown already (see :func:`escape`).

    ``style`` is a class of the templates; without one, many columns are wide.
    """
    lines = [
        _line([column.head for column in columns]),
        _line([column.rule for column in columns]),
        *map(_line, rows),
        "",
        f": {caption} {{#tbl-{id}}}",
    ]
    text = "\n".join(lines) + (notes.markdown() if notes else "")
    style = style or ("table-wide" if len(columns) >= WIDE else "")
    return f":::: {{.{style}}}\n{text}\n::::" if style else text


def escape(text: object) -> str:
    """Text as Markdown that shows it literally, fit for a cell."""
    return _SPECIAL.sub(r"\\\1", str(text))


def breakable(text: str) -> str:
    """Escaped text whose long names, such as those of ciphers, may break at ``_``."""
    return " ".join(
        word.replace("\\_", f"\\_{BREAK}") if len(word) > _LONG else word
        for word in text.split(" ")
    )


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _letter(index: int) -> str:
    more, place = divmod(index, len(ascii_lowercase))
    return (_letter(more - 1) if more else "") + ascii_lowercase[place]
