"""A reviewed text with a mark for each expression, so that nothing reads them twice.

A mark is one private character, which no text may hold: the tree, Pandoc's reading of
it and the finished Markdown all have it in the place of the expression.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from analysis.errors import raise_if
from analysis.report.language.language import Expression, Prose, parse_text
from analysis.report.text.parse import parse
from analysis.report.text.refusals import check_characters
from analysis.report.text.tree import FIRST_MARK, Tree


@dataclass(frozen=True)
class Marked:
    """``text`` with marks; ``lines`` has the line of the file for each of its lines."""

    source: str
    text: str
    lines: tuple[int, ...]
    expressions: tuple[Expression, ...]

    @cached_property
    def tree(self) -> Tree:
        """The text's tree, with the lines of the file."""
        return parse(self.text, self.lines, self.source)


def fill(marked: str, outputs: Sequence[str]) -> str:
    """A text with what its expressions print in the place of their marks."""
    return marked.translate({FIRST_MARK + n: text for n, text in enumerate(outputs)})


def mark(text: str, path: Path) -> Marked:
    """The text with marks; a :class:`analysis.errors.UserError` where an expression is
    not one, or a character could be a mark."""
    raise_if(check_characters(text, path))
    parts, lines = [], [1]
    expressions: list[Expression] = []
    for part in parse_text(text, path):
        if isinstance(part, Prose):
            parts.append(part.text)
            lines += range(part.line + 1, part.line + part.text.count("\n") + 1)
        else:
            parts.append(chr(FIRST_MARK + len(expressions)))
            expressions.append(part)
    return Marked(text, "".join(parts), tuple(lines), tuple(expressions))
