"""What fits on a slide: the limits within which no slide overflows, whatever its words.

The style of slides has room for as much as this; a test renders slides that reach
every limit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

from analysis.errors import Issue, Place
from analysis.report.slides.slide import AGENDA, BACKUP, DIVIDER, Block, Slide
from analysis.report.text.parse import parse
from analysis.report.text.tree import Node

# Characters are as wide as small letters of the typeface on average: see _WIDE.
TITLE, PART = 80, 56  # characters: two lines, of what the agenda names one
BULLETS, WORDS, LONGEST = 5, 12, 24  # on a slide, in a bullet, characters of a word
PARAGRAPHS, SENTENCES = 3, 40  # on a slide, and words in all of them
# Lines of bullets and paragraphs, and how long they are: alone, beside a figure, below
# a table or code, on an agenda.
LINES = {"alone": (10, 66), "figure": (13, 25), "below": (2, 66), AGENDA: (6, 62)}
ROWS, COLUMNS, ROW = 8, 6, 84  # lines of a table with its head; characters of a line
_CAPITALS = map(chr, range(ord("A"), ord("Z") + 1))
_WIDE = {**dict.fromkeys(_CAPITALS, 1.3), **dict.fromkeys("mwMW@%\u2014\u2026", 2.0)}
CODE_LINES, CODE = 12, 76
ROOM, ROOM_BESIDE = (1168.0, 520.0), (744.0, 520.0)  # of a figure, in pixels
SMALLEST = 13  # pixels of its text, of 720
_TEXT = 9.2  # of a figure as it is drawn
_LISTS = ("bullet list", "numbered list")
_KNOWN = (*_LISTS, "paragraph", "table", "code block")
_SAID = ("words", "code", "character")
_KINDS = ("", AGENDA, DIVIDER, BACKUP)
_SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
Found = Iterator[tuple[int, str, str]]
_SPLIT = "make two slides of it"


def check_slide(slide: Slide, picture: Callable[[str], Path]) -> list[Issue]:
    """Why a slide would overflow or could not be read; ``picture`` has its figures."""
    found = chain(
        _title(slide), _lists(slide), _length(slide), _words(slide), _one(slide)
    )
    figures = _figures(slide, picture)
    return [
        Issue(what, Place(str(slide.path), line), mend)
        for line, what, mend in (*found, *figures)
    ]


def check_agenda(slides: list[Slide]) -> list[Issue]:
    """Why the parts of a talk do not fit on its agenda."""
    parts = sum(slide.kind == DIVIDER for slide in slides)
    agendas = (slide for slide in slides if slide.kind == AGENDA and not slide.blocks)
    what, mend = f"an agenda of {parts} parts; {BULLETS} fit", "write bullets below it"
    return [
        Issue(what, Place(str(slide.path), slide.line), mend)
        for slide in agendas
        if parts > BULLETS
    ]


def _title(slide: Slide) -> Found:
    if not slide.title:
        yield slide.line, "words before the first slide", "begin it with ## and a title"
    elif _width(_plain(slide.title)) > (most := PART if slide.parts else TITLE):
        yield slide.line, f"a title of more than {most} characters", "write a shorter"
    if slide.kind not in _KINDS:
        known = ", ".join(f"{{.{kind}}}" for kind in _KINDS[1:])
        yield slide.line, f"a slide of an unknown kind: .{slide.kind}", f"write {known}"


def _lists(slide: Slide) -> Found:
    items = [
        (line, item)
        for block in slide.blocks
        if block.kind in _LISTS
        for line, item in zip(block.lines, block.node.children, strict=False)
    ]
    if len(items) > BULLETS:
        told = f"{len(items)} bullets on a slide; {BULLETS} fit"
        yield items[BULLETS][0], told, _SPLIT
    for line, item in items:
        words = _said(item).split()
        if len(words) > WORDS:
            what = f"a bullet of {len(words)} words; {WORDS} fit"
            yield line, what, "say less, and the rest in ::: {.notes}"
        if any(child.kind in _LISTS for child in item.children):
            yield line, "a list within a list", _SPLIT


def _length(slide: Slide) -> Found:
    """Whether bullets and paragraphs have more lines than there is room for."""
    own = [b for b in slide.blocks if b.kind in (*_LISTS, "paragraph")]
    texts = [
        _said(node)
        for block in own
        for node in (block.node.children if block.kind in _LISTS else (block.node,))
    ]
    place = "below" if _big(slide) else "figure" if slide.figures else "alone"
    most, length = LINES[AGENDA if slide.kind == AGENDA else place]
    lines = sum(max(1, math.ceil(_width(text) / length)) for text in texts)
    if lines > most:
        what = f"words of {lines} lines of {length} characters; {most} lines fit here"
        yield own[0].line, what, "say less, and the rest in ::: {.notes}"


def _words(slide: Slide) -> Found:
    own = [block for block in slide.blocks if block.kind == "paragraph"]
    count = sum(len(_said(block.node).split()) for block in own)
    if count > SENTENCES or len(own) > PARAGRAPHS:
        what = f"{count} words in sentences on a slide; {SENTENCES} fit"
        if len(own) > PARAGRAPHS:
            what = f"{len(own)} paragraphs on a slide; {PARAGRAPHS} fit"
        yield own[0].line, what, "write bullets, and the rest in ::: {.notes}"
    for block in slide.blocks:
        if block.kind not in _KNOWN:
            mend = "write bullets, a paragraph, a table, code or a figure"
            yield block.line, f"a {block.kind} on a slide", mend
        cited = [node for node in block.node.walk() if node.kind == "citation"]
        if cited:
            mend = "name it in words: slides have no numbers to refer to"
            yield block.line, f"@{cited[0].words} on a slide", mend
        words = _said(block.node).split() if block.kind != "code block" else ()
        for word in (word for word in words if _width(word) > LONGEST):
            yield block.line, f"a word that no line holds: {word[:LONGEST]}…", "cut it"


def _one(slide: Slide) -> Found:
    big = _big(slide)
    if len(big) + len(slide.figures) > 1:
        yield slide.line, "more than one figure, table or code on a slide", _SPLIT
    for block in big:
        yield from _table(block) if block.kind == "table" else _code(block)


def _table(block: Block) -> Found:
    rows = [node for node in block.node.children if node.kind == "row"]
    if len(rows) > ROWS:
        yield block.line, f"a table of {len(rows)} rows; {ROWS} fit", _SPLIT
    cells = [[_said(cell) for cell in row.children] for row in rows]
    columns = list(zip(*cells, strict=False))
    if len(columns) > COLUMNS:
        yield block.line, f"a table of {len(columns)} columns; {COLUMNS} fit", _SPLIT
    width = math.ceil(sum(max(map(_width, column)) + 2 for column in columns))
    if width > ROW:
        what = f"a table of {width} characters a line; {ROW} fit"
        yield block.line, what, "leave out a column, or say less in its cells"


def _code(block: Block) -> Found:
    lines = block.markdown.split("\n")[1:-1]
    if len(lines) > CODE_LINES:
        yield block.line, f"code of {len(lines)} lines; {CODE_LINES} fit", _SPLIT
    for number, line in enumerate(lines, 1):
        if len(line) > CODE:
            what = f"a line of code of {len(line)} characters; {CODE} fit"
            yield block.line + number, what, "break it"


def _figures(slide: Slide, picture: Callable[[str], Path]) -> Found:
    for id in slide.figures[:1]:
        size = _SIZE.search(picture(id).read_text(encoding="utf-8"))
        width, height = (float(size[1]), float(size[2])) if size else (1.0, 1.0)
        room = ROOM_BESIDE if slide.blocks else ROOM
        text = _TEXT * min(room[0] / width, room[1] / height)
        if text < SMALLEST:
            large = "tall" if room[1] / height < room[0] / width else "wide"
            what = f"the figure {id} is too {large} for a slide: its text would have "
            what += f"{text:.0f} of 720 pixels, and {SMALLEST} can be read"
            mend = (
                "place one metric of it: figure(…, metric=…), or declare a smaller one"
            )
            yield slide.at, what, mend


def _big(slide: Slide) -> list[Block]:
    return [block for block in slide.blocks if block.kind in ("table", "code block")]


def _width(words: str) -> float:
    return sum(_WIDE.get(character, 1.0) for character in words)


def _plain(markdown: str) -> str:
    return " ".join(map(_said, parse(markdown).blocks)).strip()


def _said(node: Node) -> str:
    """The words of a node as a reader reads them."""
    between = ("line end", "paragraph", "cell")
    return "".join(
        one.words if one.kind in _SAID else " " if one.kind in between else ""
        for one in node.walk()
    ).strip()
