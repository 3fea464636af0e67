"""List the comments and tracked changes of a returned DOCX at their places.

The file is the DOCX of an edition (formats: [html, pdf, docx]) that somebody commented
and changed in Word with its changes tracked. Each remark is told with the file and line
of the text that it is about; nothing is changed.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from pathlib import Path

from analysis.declared.edition import find_editions
from analysis.errors import user_error
from analysis.facts.units import how_many
from analysis.report.claims.checked import Checked, check_texts
from analysis.report.desk.declared_words import declared_words
from analysis.report.desk.parts import parts_of
from analysis.report.desk.tokens import tokens_of
from analysis.report.desk.word_file import (
    WordParagraph,
    WordRemark,
    remarked_paragraphs,
)
from analysis.report.material import read_material
from analysis.report.source_options import add_sources, sources_of
from analysis.report.text.texts import own_texts

_ALIKE = 0.6  # of the words, from which on two paragraphs are one
_SHOWN = 60  # characters of a paragraph that is in no text
_MARKS = re.compile(
    r"\[?@[\w:.-]+(?:; ?@[\w:.-]+)*\]?|\{[.#][^}]*\}|[*_`\[\]{}]|^[-+>#:]+ "
)
_WORD = re.compile(r"[\w%.,−+/-]+")


@dataclass(frozen=True)
class TextPlace:
    """A part of the texts: where it is, and its words as a page prints them."""

    where: str
    words: tuple[str, ...]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis returned``."""
    parser.add_argument("file", type=Path, help="the DOCX that came back")
    help = "whose texts it has; the file's name where that begins with one"
    parser.add_argument("--edition", help=help)
    add_sources(parser)


def run(args: argparse.Namespace) -> int:
    """Print what each person said and changed, place by place."""
    edition = _edition(args)
    paragraphs = remarked_paragraphs(args.file)
    sources = sources_of(args, edition)
    checked = check_texts(read_material(edition, sources), {}, {})
    found = located(paragraphs, list(text_places(checked)))
    for where, several in groupby(found, key=lambda one: one[0]):
        print(where)
        for _, paragraph in several:
            print(*(f"  {_told(one)}" for one in paragraph.remarks), sep="\n")
    print(_counted([one for paragraph in paragraphs for one in paragraph.remarks]))
    return 0


def text_places(checked: Checked) -> Iterator[TextPlace]:
    """All parts of an edition's texts, and its titles, questions and captions."""
    material = checked.material
    for text in own_texts(checked.texts, material.edition).values():
        for part in parts_of(text):
            words, _ = tokens_of(part, text)
            yield TextPlace(f"{text.path}:{part.first}", _words(words))
    for one in declared_words(material.folder, material.edition):
        where = f"{material.folder / one.file}: {one.entry}"
        yield TextPlace(where, _words(one.words))


def located(
    paragraphs: list[WordParagraph], places: list[TextPlace]
) -> Iterator[tuple[str, WordParagraph]]:
    """Each paragraph with where its words stand, in words."""
    last = ""
    for paragraph in paragraphs:
        own = _words(paragraph.words)
        place = max(places, key=lambda one: _alike(own, one.words), default=None)
        if place and _alike(own, place.words) >= _ALIKE:
            last = place.where
            yield last, paragraph
        elif not own:
            yield (
                (f"a new paragraph after {last}" if last else "at the start"),
                paragraph,
            )
        else:
            start = paragraph.words[:_SHOWN]
            yield f"in no text, below ‘{paragraph.heading}’: {start}", paragraph


def _alike(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    """How much of two paragraphs is the same, from 0 to 1."""
    total = len(one) + len(other)
    if (
        not one
        or not other
        or 2 * len(set(one) & set(other)) < _ALIKE * len(set(other))
    ):
        return 0.0
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    return 2 * sum(block.size for block in blocks) / total


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(_MARKS.sub("", text).lower()))


def _told(one: WordRemark) -> str:
    who = f"{one.by or 'somebody'}, {one.at[:10] or 'some day'}"
    if one.went and one.came:
        return f"{who}: ‘{one.came}’ instead of ‘{one.went}’"
    if one.went or one.came:
        return f"{who}: {'takes away' if one.went else 'adds'} ‘{one.went or one.came}’"
    return f"{who} on ‘{one.quote}’: {one.said}"


def _counted(remarks: list[WordRemark]) -> str:
    comments = sum(not one.went and not one.came for one in remarks)
    names = ", ".join(sorted({one.by or "somebody" for one in remarks}))
    by = f" by {names}" if names else ""
    changes = how_many(len(remarks) - comments, "change")
    return f"{how_many(comments, 'comment')} and {changes}{by}"


def _edition(args: argparse.Namespace) -> str:
    known = find_editions(args.report)
    if args.edition in known:
        return str(args.edition)
    fits = [id for id in known if args.file.name.startswith(id)]
    if args.edition or not fits:
        what = f"there is no edition {args.edition or args.file.stem!r}"
        raise user_error(what, mend=f"--edition is one of: {', '.join(sorted(known))}")
    return max(fits, key=len)
