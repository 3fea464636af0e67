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
from analysis.report.text.tree import Node, parse

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
# What is little enough to be larger: lines and their length, rows and characters of a
# line of a table, lines of code and their characters.
FEW_LINES, FEW_ROWS, FEW_CODE = (5, 50), (5, 64), (8, 56)
SMALLEST = 13  # pixels of the text of a figure, of 720
LISTS = ("bullet list", "numbered list")
_KNOWN = (*LISTS, "paragraph", "table", "code block")
_KINDS = ("", AGENDA, DIVIDER, BACKUP)
Found = Iterator[tuple[int, str, str]]
_SPLIT = "make two slides of it"
_LESS = "say less, and the rest in ::: {.notes}"
_BULLETS = "write bullets, and the rest in ::: {.notes}"
# Characters are as wide as small letters of the typeface on average.
_CAPITALS = map(chr, range(ord("A"), ord("Z") + 1))
_WIDE = {**dict.fromkeys(_CAPITALS, 1.3), **dict.fromkeys("mwMW@%\u2014\u2026", 2.0)}
_SAID = ("words", "code", "character")


def check_slide(slide: Slide, find: Find) -> list[Issue]:
    """Why a slide would overflow or could not be read; ``find`` has its figures."""
    checks = (_title, _whole, _lists, _words, _big)
    reasons = list(chain.from_iterable(check(slide) for check in checks))
    if not reasons:  # where each part lies depends on all of them
        reasons = [*_length(slide, find), *_figures(slide, find)]
    return [
        Issue(what, Place(str(slide.path), line), mend) for line, what, mend in reasons
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


def _most(line: int, count: int, most: int, what: str, mend: str = _SPLIT) -> Found:
    """Whether there is more of something than fits."""
    if count > most:
        yield line, f"{what.format(count)}; {most} fit", mend


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
    first_more = items[BULLETS][0] if items[BULLETS:] else 0
    yield from _most(first_more, len(items), BULLETS, "{} bullets on a slide")
    for line, item in items:
        count = len(plain_words(item).split())
        yield from _most(line, count, WORDS, "a bullet of {} words", _LESS)
        if any(child.kind in LISTS for child in item.children):
            yield line, "a list within a list", _SPLIT


def _length(slide: Slide, find: Find) -> Found:
    """Whether bullets and paragraphs have more lines than there is room for."""
    most, length = LINES[_place(slide, find)]
    needed = lines(slide.blocks, length)
    if needed > most:
        what = f"words of {needed} lines of {length} characters; {most} lines fit here"
        yield texts(slide.blocks)[0].line, what, _LESS


def _place(slide: Slide, find: Find) -> str:
    """Where the words of a slide stand."""
    if slide.kind == AGENDA:
        return AGENDA
    if _shown(slide) or layout(slide, find) in (ABOVE, PAIR):
        return "below"
    return "figure" if slide.figures else "alone"


def _words(slide: Slide) -> Found:
    sentences = [block for block in slide.blocks if block.kind == "paragraph"]
    line = sentences[0].line if sentences else slide.line
    what = "{} paragraphs on a slide"
    yield from (many := [*_most(line, len(sentences), PARAGRAPHS, what, _BULLETS)])
    if not many:
        count = sum(len(plain_words(block.node).split()) for block in sentences)
        what = "{} words in sentences on a slide"
        yield from _most(line, count, SENTENCES, what, _BULLETS)
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


def _measures(table: Block) -> tuple[int, int, int]:
    """Rows and columns of a table, and the characters of a line of it."""
    rows = [node for node in table.node.children if node.kind == "row"]
    words = [[plain_words(cell) for cell in row.children] for row in rows]
    columns = list(zip(*words, strict=False))
    across = math.ceil(sum(max(map(width, column)) + 2 for column in columns))
    return len(rows), len(columns), across


def _table(block: Block) -> Found:
    rows, columns, total = _measures(block)
    line, mend = block.line, "leave out a column, or say less in its cells"
    yield from _most(line, rows, ROWS, "a table of {} rows")
    yield from _most(line, columns, COLUMNS, "a table of {} columns")
    yield from _most(line, total, ROW, "a table of {} characters a line", mend)


def _code(block: Block, most: int) -> Found:
    lines = block.markdown.split("\n")[1:-1]
    yield from _most(block.line, len(lines), CODE_LINES, "code of {} lines")
    for at, line in enumerate(lines, block.line + 1):
        what = "a line of code of {} characters"
        yield from _most(at, cells(line), most, what, "break it")


def _figures(slide: Slide, find: Find) -> Found:
    place = layout(slide, find)
    mend = "place one metric of it: figure(…, metric=…), or declare a smaller one"
    for id, line in zip(slide.figures, slide.lines, strict=True):
        across, down = _scales(find(id), place)
        if (text := _TEXT * min(across, down)) < SMALLEST:
            large = "tall" if down < across else "wide"
            what = f"the figure {id} is too {large} for a slide: its text would have "
            what += f"{math.floor(text)} of 720 pixels, and {SMALLEST} can be read"
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
    wide = min(_scales(drawn, ABOVE)) > min(_scales(drawn, BESIDE))
    return ABOVE if wide and lines(slide.blocks, BELOW[1]) <= BELOW[0] else BESIDE


def displays(slide: Slide) -> list[Block]:
    """The blocks of code of a slide."""
    return [block for block in slide.blocks if block.kind == "code block"]


def few(slide: Slide) -> bool:
    """Whether a slide of words, a table or code has so little that it is larger."""
    if slide.parts or slide.figures or len(displays(slide)) > 1:
        return False
    sizes = [*map(_size_of, _shown(slide))]
    room = 3 if sizes else FEW_LINES[0]
    return lines(slide.blocks, FEW_LINES[1]) <= room and all(
        down <= most and across <= length for (down, across), (most, length) in sizes
    )


def _size_of(block: Block) -> tuple[tuple[float, float], tuple[int, int]]:
    """Lines of a table or of code, how long they are, and what is few of them."""
    if block.kind == "table":
        rows, _, across = _measures(block)
        return (rows, across), FEW_ROWS
    code = block.markdown.split("\n")[1:-1]
    return (len(code), max(map(cells, code), default=0)), FEW_CODE


def _scales(drawn: Path, place: str) -> tuple[float, float]:
    """How much larger a figure could be drawn where it stands, by width and height."""
    size = _VIEW.search(drawn.read_text(encoding="utf-8"))
    width, height = (float(size[1]), float(size[2])) if size else (1.0, 1.0)
    return ROOM[place][0] / width, ROOM[place][1] / height


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
