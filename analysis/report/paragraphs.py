"""The paragraphs of a text, each with what its expressions printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.report.evaluate import Printed
from analysis.report.prose_code import mask
from analysis.report.texts import Text

_KEYS = re.compile(r'\{\.(?:value|average) keys?="([^"]*)"')
_SPAN = re.compile(r"\[([^\[\]]*)\]\{\.(?:value|average) [^{}]*\}")
_ITEM = re.compile(r"(?:[-*+]|\d+[.)])\s")
_MARKS = re.compile(r"[*_`\[\]]|^(?:[-+#>]+|\d+[.)])\s+")


@dataclass(frozen=True)
class Paragraph:
    """A paragraph or an item of a list: its first line, its source, what it prints.

    ``masked`` is the source with expressions and code blanked out.
    """

    line: int
    source: str
    masked: str
    printed: tuple[Printed, ...]

    @property
    def keys(self) -> set[str]:
        """The keys of the facts that the paragraph prints."""
        return {
            key
            for printed in self.printed
            for keys in _KEYS.findall(printed.output)
            for key in keys.split()
        }

    @property
    def start(self) -> str:
        """The first words, by which a person finds the paragraph."""
        words = _MARKS.sub("", re.sub(r"\{\{.*?\}\}", "…", self.source.strip())).split()
        return " ".join(words[:6])


def paragraphs(text: Text) -> Iterator[Paragraph]:
    """The paragraphs and list items of a text, in order."""
    body = text.source.body
    lines = list(zip(body.splitlines(), mask(body).splitlines(), strict=True))
    start = 0
    for index in range(len(lines) + 1):
        ends = index == len(lines) or not lines[index][0].strip()
        if ends or _ITEM.match(lines[index][0]):
            if any(source.strip() for source, _ in lines[start:index]):
                yield _paragraph(text, start, lines[start:index])
            start = index + 1 if ends else index


def plain(output: str) -> str:
    """What a reader sees of an expression's output."""
    return _SPAN.sub(r"\1", output)


def _paragraph(text: Text, start: int, lines: list[tuple[str, str]]) -> Paragraph:
    numbers = range(start + 1, start + len(lines) + 1)
    return Paragraph(
        start + 1,
        "\n".join(source for source, _ in lines),
        "\n".join(masked for _, masked in lines),
        tuple(p for p in text.printed if p.line in numbers),
    )
