"""How the parts of a slide lie, and what fits: within these limits no slide overflows,
whatever its words.

The style of slides has room for as much as this; a test renders slides that reach
every limit.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path

from analysis.errors import Issue, Place
from analysis.report.slides.slide import AGENDA, BACKUP, DIVIDER, Block, Slide
from analysis.report.text.parse import parse
from analysis.report.text.tree import Node

ALONE, BESIDE, ABOVE, PAIR = "alone", "beside", "above", "pair"
# Width and height in pixels, of 1280 by 720.
ROOM = {
    ALONE: (1168.0, 520.0),
    BESIDE: (744.0, 520.0),
    ABOVE: (1168.0, 360.0),
    PAIR: (568.0, 360.0),
}
BELOW = (2, 66)  # lines of words below something, and how long they are
_TEXT = 9.2  # points of the text of a figure as it is drawn
_VIEW = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
Find = Callable[[str], Path]  # the drawing of a figure
TITLE, PART = 80, 56  # characters: two lines, of what the agenda names one
BULLETS, WORDS, LONGEST = 5, 12, 24  # on a slide, in a bullet, characters of a word
PARAGRAPHS, SENTENCES = 3, 40  # on a slide, and words in all of them
# Lines of bullets and paragraphs, and how long they are: alone, beside a figure, below
# a table or code, on an agenda.
LINES = {"alone": (10, 66), "figure": (13, 25), "below": BELOW, AGENDA: (6, 62)}
ROWS, COLUMNS, ROW = 8, 6, 84  # lines of a table with its head; characters of a line
CODE_LINES, CODE, CODE_OF_TWO = 12, 76, 40  # where two stand side by side
SMALLEST = 13  # pixels of the text of a figure, of 720
LISTS = ("bullet list", "numbered list")
_KNOWN = (*LISTS, "paragraph", "table", "code block")
_KINDS = ("", AGENDA, DIVIDER, BACKUP)
Found = Iterator[tuple[int, str, str]]
_SPLIT = "make two slides of it"
# Characters are as wide as small letters of the typeface on average.
_CAPITALS = map(chr, range(ord("A"), ord("Z") + 1))
_WIDE = {**dict.fromkeys(_CAPITALS, 1.3), **dict.fromkeys("mwMW@%\u2014\u2026", 2.0)}
_SAID = ("words", "code", "character")


def check_slide(slide: Slide, find: Find) -> list[Issue]:
    """Why a slide would overflow or could not be read; ``find`` has its figures."""
    checks = (_title, _whole, _lists, _words, _big)
    found = list(chain.from_iterable(check(slide) for check in checks))
    if not found:  # where each part lies depends on all of them
        found = [*_length(slide, find), *_figures(slide, find)]
    return [
        Issue(what, Place(str(slide.path), line), mend) for line, what, mend in found
    ]


def check_agenda(slides: list[Slide]) -> list[Issue]:
    """Why the parts of a talk do not fit on its agenda."""
    parts = sum(slide.kind == DIVIDER for slide in slides)
    agendas = (slide for slide in slides if slide.kind == AGENDA and not slide.blocks)
    what, mend = f"an agenda of {parts} parts; {BULLETS} fit", "write bullets below it"
    if not parts:
        what, mend = "an agenda of no parts", "begin parts with ## … {.divider}"
    return [
        Issue(what, Place(str(slide.path), slide.line), mend)
        for slide in agendas
        if not 0 < parts <= BULLETS
    ]


def check_titles(slides: list[Slide]) -> list[Issue]:
    """Titles that another slide has, so that nobody can tell the two apart."""
    first: dict[str, Slide] = {}
    for slide in slides:
        first.setdefault(plain(slide.title).casefold(), slide)
    return [
        Issue(
            f"a title that the slide at {other.path}:{other.line} has",
            Place(str(slide.path), slide.line),
            "say what sets the two apart",
        )
        for slide in slides
        if slide.title and (other := first[plain(slide.title).casefold()]) is not slide
    ]


def _title(slide: Slide) -> Found:
    if not slide.title:
        alone = slide.notes and not slide.blocks and not slide.figures
        what = "notes without a slide" if alone else "words before the first slide"
        yield slide.line, what, "begin it with ## and a title"
    elif width(plain(slide.title)) > (most := PART if slide.parts else TITLE):
        yield slide.line, f"a title of more than {most} characters", "write a shorter"
    if slide.parts:
        said_alone = all(block.kind == "paragraph" for block in slide.blocks)
        if slide.figures or not said_alone:
            what = f"more than a sentence on a slide of the kind .{slide.kind}"
            yield slide.line, what, "begin the next slide for it with ##"
    if slide.kind not in _KINDS:
        known = ", ".join(f"{{.{kind}}}" for kind in _KINDS[1:])
        yield slide.line, f"a slide of an unknown kind: .{slide.kind}", f"write {known}"


def _whole(slide: Slide) -> Found:
    """Whether something stands on a slide, and its notes end before the next."""
    shown = slide.blocks or slide.figures or slide.parts or slide.kind == AGENDA
    if slide.title and not shown:
        mend = "write what it shows, or make it a part of the talk with {.divider}"
        yield slide.line, "a slide with nothing but a title", mend
    if any(node.kind == "heading" for node in parse(slide.notes).blocks):
        what = "a heading within the notes of this slide: are they never closed?"
        yield slide.line, what, "end them with a line of ::: before the next slide"


def _lists(slide: Slide) -> Found:
    items = [
        (line, item)
        for block in slide.blocks
        if block.kind in LISTS
        for line, item in zip(block.lines, block.node.children, strict=False)
    ]
    if len(items) > BULLETS:
        told = f"{len(items)} bullets on a slide; {BULLETS} fit"
        yield items[BULLETS][0], told, _SPLIT
    for line, item in items:
        words = plain_words(item).split()
        if len(words) > WORDS:
            what = f"a bullet of {len(words)} words; {WORDS} fit"
            yield line, what, "say less, and the rest in ::: {.notes}"
        if any(child.kind in LISTS for child in item.children):
            yield line, "a list within a list", _SPLIT


def _length(slide: Slide, find: Find) -> Found:
    """Whether bullets and paragraphs have more lines than there is room for."""
    most, length = LINES[_place(slide, find)]
    needed = lines(slide.blocks, length)
    if needed > most:
        what = f"words of {needed} lines of {length} characters; {most} lines fit here"
        mend = "say less, and the rest in ::: {.notes}"
        yield texts(slide.blocks)[0].line, what, mend


def _place(slide: Slide, find: Find) -> str:
    """Where the words of a slide stand."""
    if slide.kind == AGENDA:
        return AGENDA
    if _shown(slide) or layout(slide, find) in (ABOVE, PAIR):
        return "below"
    return "figure" if slide.figures else "alone"


def _words(slide: Slide) -> Found:
    own = [block for block in slide.blocks if block.kind == "paragraph"]
    count = sum(len(plain_words(block.node).split()) for block in own)
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
        words = plain_words(block.node).split() if block.kind != "code block" else ()
        for word in (word for word in words if width(word) > LONGEST):
            yield block.line, f"a word that no line holds: {word[:LONGEST]}…", "cut it"


def _big(slide: Slide) -> Found:
    """One figure, table or code, or two figures or two blocks of code."""
    shown, code = _shown(slide), displays(slide)
    several = len(shown) + len(slide.figures)
    alike = len(slide.figures) == several or len(code) == several
    if several > 2 or (several == 2 and not alike):
        what = "more than one figure, table or code on a slide"
        yield slide.line, what, f"{_SPLIT}; two figures fit, or two blocks of code"
    for block in shown:
        width = CODE_OF_TWO if len(code) == 2 else CODE
        yield from _table(block) if block.kind == "table" else _code(block, width)


def _table(block: Block) -> Found:
    rows = [node for node in block.node.children if node.kind == "row"]
    if len(rows) > ROWS:
        yield block.line, f"a table of {len(rows)} rows; {ROWS} fit", _SPLIT
    cells = [[plain_words(cell) for cell in row.children] for row in rows]
    columns = list(zip(*cells, strict=False))
    if len(columns) > COLUMNS:
        yield block.line, f"a table of {len(columns)} columns; {COLUMNS} fit", _SPLIT
    total = math.ceil(sum(max(map(width, column)) + 2 for column in columns))
    if total > ROW:
        what = f"a table of {total} characters a line; {ROW} fit"
        yield block.line, what, "leave out a column, or say less in its cells"


def _code(block: Block, most: int) -> Found:
    lines = block.markdown.split("\n")[1:-1]
    if len(lines) > CODE_LINES:
        yield block.line, f"code of {len(lines)} lines; {CODE_LINES} fit", _SPLIT
    for number, line in enumerate(lines, 1):
        if (wide := cells(line)) > most:
            what = f"a line of code of {wide} characters; {most} fit"
            yield block.line + number, what, "break it"


def _figures(slide: Slide, find: Find) -> Found:
    place = layout(slide, find)
    for id, line in zip(slide.figures, slide.lines, strict=True):
        text = text_size(find(id), place)
        if text < SMALLEST:
            large = "tall" if is_tall(find(id), place) else "wide"
            what = f"the figure {id} is too {large} for a slide: its text would have "
            what += f"{math.floor(text)} of 720 pixels, and {SMALLEST} can be read"
            mend = (
                "place one metric of it: figure(…, metric=…), or declare a smaller one"
            )
            yield line, what, mend


def _shown(slide: Slide) -> list[Block]:
    return [block for block in slide.blocks if block.kind in ("table", "code block")]


def layout(slide: Slide, find: Find) -> str:
    """Two figures or displays as a pair, a figure where its text is largest."""
    if len(slide.figures) > 1 or len(displays(slide)) > 1:
        return PAIR
    if not slide.figures:
        return "words"
    if not slide.blocks:
        return ALONE
    drawn = find(slide.figures[0])
    wide = text_size(drawn, ABOVE) > text_size(drawn, BESIDE)
    return ABOVE if wide and lines(slide.blocks, BELOW[1]) <= BELOW[0] else BESIDE


def displays(slide: Slide) -> list[Block]:
    """The blocks of code of a slide."""
    return [block for block in slide.blocks if block.kind == "code block"]


def text_size(drawn: Path, place: str) -> float:
    """How large the text of a figure is where it stands, in pixels of 720."""
    width, height = _size(drawn)
    room = ROOM[place]
    return _TEXT * min(room[0] / width, room[1] / height)


def is_tall(drawn: Path, place: str) -> bool:
    """Whether the height of a figure makes it small, and not its width."""
    width, height = _size(drawn)
    room = ROOM[place]
    return room[1] / height < room[0] / width


def _size(drawn: Path) -> tuple[float, float]:
    found = _VIEW.search(drawn.read_text(encoding="utf-8"))
    return (float(found[1]), float(found[2])) if found else (1.0, 1.0)


def width(words: str) -> float:
    """How wide words are, in characters."""
    return sum(_WIDE.get(one, float(_cells(one))) for one in words)


def cells(line: str) -> int:
    """How many places a line of code takes, tabs included."""
    return sum(map(_cells, line.expandtabs(8)))


def _cells(character: str) -> int:
    """Two for what East Asian scripts and pictures take, one for all else."""
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def plain(markdown: str) -> str:
    """The words of Markdown as a reader reads them."""
    return " ".join(map(plain_words, parse(markdown).blocks)).strip()


def plain_words(node: Node) -> str:
    """The words of a node as a reader reads them."""
    between = ("line end", "paragraph", "cell")
    return "".join(
        one.words if one.kind in _SAID else " " if one.kind in between else ""
        for one in node.walk()
    ).strip()


def texts(blocks: Iterable[Block]) -> list[Block]:
    """The bullets and paragraphs among the blocks of a slide."""
    return [block for block in blocks if block.kind in (*LISTS, "paragraph")]


def lines(blocks: Iterable[Block], length: int) -> int:
    """How many lines of ``length`` characters bullets and paragraphs need."""
    words = [
        plain_words(node)
        for block in texts(blocks)
        for node in (block.node.children if block.kind in LISTS else (block.node,))
    ]
    return sum(max(1, math.ceil(width(text) / length)) for text in words)
