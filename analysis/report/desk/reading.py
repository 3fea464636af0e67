"""Markdown as a reader of the page has it: plain words, what values print, what a
reference is called there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import takewhile
from pathlib import Path
from textwrap import dedent
from types import MappingProxyType

from analysis.declared.base import parse_yaml
from analysis.errors import UserError, raise_if
from analysis.report.desk.changes import Piece, pieces
from analysis.report.desk.desk import Live
from analysis.report.language.functions import Functions, evaluate, fact_functions
from analysis.report.language.scope import scope_of
from analysis.report.language.syntax import Expression
from analysis.report.text.passages import bare, passages
from analysis.report.text.reviewed import check_shape, mark
from analysis.report.text.tree import FIRST_MARK, Tree

_Prints = Mapping[str, str]
_NOTHING: _Prints = MappingProxyType({})
_HERE = Path("text.md")
_MOST = 400  # that are compared; their time grows with the square
_SHOWN = 30  # blocks that differ one after another, of each side
_CLAIM = "Claim: "
_JOIN = "\x1f"  # between the words of a value, which stay together
_FRONT = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_FENCE = re.compile(r"[ \t]*(```+|~~~+)")
_REFERRED = re.compile(r"\[?(?<!\w)-?@([A-Za-z_](?:[\w:.-]*\w)?)\]?")
_KINDS = {"fig": "Figure", "tbl": "Table", "sec": "Section"}


@dataclass(frozen=True)
class PlainWords:
    """Reads texts of an edition as its page shows them."""

    live: Live
    _known: dict[str | None, Functions] = field(default_factory=dict)

    def lines(
        self, text: str, study: str | None = None, prints: _Prints = _NOTHING
    ) -> list[str]:
        """The lines of a text: paragraphs, items, cells, code, and claims after them.

        ``study`` is that of the text; ``prints`` are what expressions printed, else
        what they print now.
        """
        shown = study, prints
        return [line for block in _blocks(text) for line in self._read(block, *shown)]

    def words(self, text: str, study: str | None) -> str:
        """The words of a text in one line."""
        said = (one for one in self.lines(text, study) if not one.startswith(_CLAIM))
        return " ".join(said).replace(_JOIN, " ")

    def pieces(
        self,
        before: str,
        after: str,
        study: str | None = None,
        printed: tuple[_Prints, _Prints] = (_NOTHING, _NOTHING),
    ) -> list[Piece]:
        """The words that stay, go and come between two texts; values in one piece.

        Claims that stay are left out.
        """
        sides = [
            self.lines(text, study, prints)
            for text, prints in zip((before, after), printed, strict=True)
        ]
        stay = {one for one in sides[0] if one.startswith(_CLAIM) and one in sides[1]}
        return _pieces(*([one for one in side if one not in stay] for side in sides))

    def changed(
        self, before: str, after: str, study: str | None = None
    ) -> Iterator[list[Piece]]:
        """The paragraphs that differ between two texts, each as :meth:`pieces`."""
        texts = [list(_blocks(text)) for text in (before, after)]
        for a, b in _differing(*texts):
            lines = (
                [line for block in side[:_SHOWN] for line in self._read(block, study)]
                for side in (a, b)
            )
            for old, new in _differing(*lines):
                yield _pieces(old, new)

    def _read(
        self, block: str, study: str | None, prints: _Prints = _NOTHING
    ) -> Iterator[str]:
        if front := _FRONT.match(block):
            yield from _declared(front[1])
            return
        try:
            raise_if(check_shape(block, _HERE))  # Git may have anything
            marked = mark(block, _HERE)
        except UserError:
            yield from (" ".join(bare(line).split()) for line in block.splitlines())
            return
        values = {
            FIRST_MARK + nth: _JOIN.join(
                (prints.get(one.source) or self._printed(one, study)).split()
            )
            for nth, one in enumerate(marked.expressions)
        }
        for line in _said(marked.tree):
            if words := _REFERRED.sub(self._called, line.translate(values)).strip():
                yield words

    def _called(self, found: re.Match[str]) -> str:
        """What a reference is called on the page; else what it is to."""
        key, page = found[1], self.live.open() and self.live.page
        names = page.references if page else _NOTHING
        words = names.get(key) or _KINDS.get(key.partition("-")[0], key)
        called = _JOIN.join(words.split())
        before, after = found[0].startswith("["), found[0].endswith("]")
        return called if before and after else "[" * before + called + "]" * after

    def _printed(self, one: Expression, study: str | None) -> str:
        """What an expression prints now; its function where it prints nothing here."""
        try:
            [printed] = evaluate([one], self._functions(study), _HERE)
        except UserError:
            return f"[{one.call.name}]"
        return printed.words

    def _functions(self, study: str | None) -> Functions:
        if study not in self._known:
            self._known[study] = fact_functions(
                scope_of(self.live.checked.material, study)
            )
        return self._known[study]


def study_in(file: str) -> str | None:
    """The study that a file of an edition is of, by its name."""
    folder, _, rest = file.partition("/")
    return rest.partition("/")[0] if folder == "studies" else None


def _differing(
    before: list[str], after: list[str]
) -> Iterator[tuple[list[str], list[str]]]:
    """The stretches of two lists that are not the same; the first of very many."""
    first = _same(before, after)
    before, after = before[first:], after[first:]
    last = _same(before[::-1], after[::-1])
    ends = len(before) - last, len(after) - last
    before, after = before[: min(ends[0], _MOST)], after[: min(ends[1], _MOST)]
    for tag, a, b, c, d in SequenceMatcher(None, before, after, False).get_opcodes():
        if tag != "equal":
            yield before[a:b], after[c:d]


def _same(before: list[str], after: list[str]) -> int:
    """How many at the beginning of two lists are the same."""
    pairs = zip(before, after, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _pieces(before: list[str], after: list[str]) -> list[Piece]:
    sides = ([word for line in side for word in line.split(" ") if word]
             for side in (before, after))  # fmt: skip
    return [(kind, words.replace(_JOIN, " ")) for kind, words in pieces(*sides)]


def _blocks(text: str) -> Iterator[str]:
    """What stands between blank lines, code with those that it has; front matter."""
    front = _FRONT.match(text)
    if front:
        yield front[0]
    lines, fence = list[str](), ""
    for line in [*text[front.end() if front else 0 :].splitlines(), ""]:
        if found := _FENCE.match(line):
            fence = "" if fence and found[1].startswith(fence) else fence or found[1]
        if line.strip() or fence:
            lines += [] if line.lstrip().startswith(":::") else [line]
        elif lines:
            yield dedent("\n".join(lines))
            lines = []


def _declared(front: str) -> Iterator[str]:
    """The claims and the exceptions of a front matter."""
    try:
        data = parse_yaml(front, _HERE)[0]
    except UserError:
        data = None
    for name, words in (("claims", f"{_CLAIM}{{}}"), ("allow", "Accepted: {}")):
        listed = data.get(name) if isinstance(data, dict) else None
        for one in listed if isinstance(listed, list) else ():
            yield words.format(one.get("text") if isinstance(one, dict) else one)


def _said(tree: Tree) -> Iterator[str]:
    """The passages of a text, its code, and the claims of its sentences."""
    yield from (passage.words for passage in passages(tree))
    for node in tree.walk():
        if node.kind == "code block":
            yield from node.words.splitlines()
        for claim in filter(str.strip, node.attributes.value("claim").split(";")):
            yield f"{_CLAIM}{claim.strip()}"
