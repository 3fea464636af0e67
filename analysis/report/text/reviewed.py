"""A reviewed text: Markdown with a front matter for its claims and exceptions.

Its shape has limits, checked before anything parses it: Pandoc's time doubles with
every bracket that is open, and no text for readers comes near them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated
from weakref import WeakValueDictionary

from pydantic import Field

from analysis.declared.base import Declared, check_declared, line_of, parse_yaml
from analysis.declared.mistakes import form
from analysis.errors import Issue, Place, raise_if, user_error
from analysis.files.limits import (
    TEXT_BLOCK_CHARACTERS,
    TEXT_BRACKETS,
    TEXT_CELLS,
    TEXT_FENCE_CHARACTERS,
    TEXT_LINE_CHARACTERS,
    TEXT_MARKS,
    TEXT_NESTING,
    TEXT_NOTES,
    TEXT_QUOTES,
)
from analysis.files.text_file import as_text, read_text
from analysis.report.language.syntax import Expression, Prose, parse_text
from analysis.report.text.characters import reader_text
from analysis.report.text.refusals import check_characters
from analysis.report.text.tree import FIRST_MARK, Tree, parse

_SOMETHING = form(r"\S", "a text that is not blank")
_FRONT = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_EXPRESSION = re.compile(r"\{\{[^{}\n]*\}\}")
_ESCAPED = re.compile(r"\\.")
_MARKS = re.compile(r"[\[\"&`*_~^$<@!{]|(?<!\w)'")
_LEVEL = re.compile(r">|[-+*](?=\s)|\w{1,9}[.)](?=\s)|\(\w{1,9}\)(?=\s)| {4}|\t")
_PREFIX = re.compile(r"(?:[ \t>]|[-+*](?=\s)|\w{1,9}[.)](?=\s)|\(\w{1,9}\)(?=\s))*")
_FENCE = re.compile(rf"([`~])\1{{{TEXT_FENCE_CHARACTERS}}}")
_CODE = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)")
_CLAIM = re.compile(r"(?<=\])\{claim=\"[^\"\n]*\"[^{}\"\n]*\}")  # no quotation
_BRACKETS = re.compile(r"(?P<open>\[)|\]")
_QUOTES = re.compile(r"(?P<open>(?<!\w)[\"'](?=[^\s\"']))|(?<=\S)[\"'](?!\w)")
_OPEN = {
    _BRACKETS: ("TEXT_BRACKETS", TEXT_BRACKETS, "close them, or write \\["),
    _QUOTES: ("TEXT_QUOTES", TEXT_QUOTES, "close them, or write \\\" and \\'"),
}
_NOTE = re.compile(r"\[\^|\^\[|@\w")


class Allowed(Declared):
    """Words that the lint shall accept, and why.

    ``see`` is the key of the reference that gives them, where they are a result.
    """

    text: Annotated[str, Field(pattern=_SOMETHING)]
    reason: Annotated[str, Field(pattern=_SOMETHING)]
    see: str = ""


class FrontMatter(Declared):
    """What stands between the two ``---`` at the top of a text."""

    claims: tuple[str, ...] = ()
    allow: tuple[Allowed, ...] = ()


@dataclass(frozen=True)
class Marked:
    """``text`` with marks; ``lines`` has the line of the file for each of its lines.

    A mark is one private character, which no text may hold: the tree and the finished
    Markdown have it in the place of the expression.
    """

    source: str
    text: str
    lines: tuple[int, ...]
    expressions: tuple[Expression, ...]

    @cached_property
    def tree(self) -> Tree:
        """The text's tree, with the lines of the file."""
        return parse(self.text, self.lines, self.source)


@dataclass(frozen=True)
class Reviewed:
    """One text. ``body`` has empty lines for its front matter, so that lines agree.

    ``claims`` are pairs of line and words.
    """

    path: Path
    body: str
    claims: tuple[tuple[int, str], ...] = ()
    allow: tuple[Allowed, ...] = ()

    @cached_property
    def marked(self) -> Marked:
        """The text with a mark for each expression, so that nothing reads them twice.

        A :class:`UserError` as of :func:`mark`.
        """
        return mark(self.body, self.path)


def read_reviewed(
    path: Path, may_claim: bool = True, unsaved: str | None = None
) -> Reviewed:
    """The text of a file; a :class:`UserError` where its front matter is not right.

    ``unsaved`` is a text that is read instead of what the file holds.
    """
    if unsaved is None:
        text = read_text(path, ("this text is missing", "write it"))
    else:
        text = as_text(unsaved.encode("utf-8", "surrogatepass"), path)
    key = text, path, may_claim
    found = _known.get(key)
    if found is None:
        found = _known[key] = _reviewed(text, path, may_claim)
    return found


# Of the texts that somebody has: each save looks at all of an edition.
_known: WeakValueDictionary[tuple[str, Path, bool], Reviewed] = WeakValueDictionary()


def _reviewed(text: str, path: Path, may_claim: bool) -> Reviewed:
    found = _FRONT.match(text)
    start = found.end() if found else 0
    body = "\n" * text.count("\n", 0, start) + text[start:]
    raise_if(check_shape(body, path))
    if not found:
        return Reviewed(path, body)
    data, node = parse_yaml(found[1], path, first_line=2)
    front = check_declared(data or {}, node, FrontMatter, path, first_line=2)
    if front.claims and not may_claim:
        raise user_error(
            "claims stand in observations.md of a study",
            path,
            line_of(node, ("claims",), first_line=2),
            mend="move them there",
        )
    claims = tuple(
        (line_of(node, ("claims", index), first_line=2), claim)
        for index, claim in enumerate(front.claims)
    )
    return Reviewed(path, body, claims, front.allow)


def check_shape(text: str, path: Path) -> list[Issue]:
    """An issue for each line that goes beyond a limit, which it names."""
    issues = [
        Issue(
            f"{what}; at most {limit:,} are read ({name})",
            Place(str(path), line),
            mend,
        )
        for line, what, limit, name, mend in dict.fromkeys(_excesses(text))
    ]
    return issues[:10]


Excess = tuple[int, str, int, str, str]


def _excesses(text: str) -> Iterator[Excess]:
    notes = cells = 0
    block: Counter[str] = Counter()
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > TEXT_LINE_CHARACTERS:
            what = f"a line of {len(line):,} characters"
            name = "TEXT_LINE_CHARACTERS"
            yield number, what, TEXT_LINE_CHARACTERS, name, "break the line"
            continue
        if not line.strip():
            block.clear()
            continue
        if _FENCE.search(line):
            what = "a longer run of ` or ~"
            yield number, what, TEXT_FENCE_CHARACTERS, "TEXT_FENCE_CHARACTERS", "cut it"
        prose = _EXPRESSION.sub("", line)
        plain = _ESCAPED.sub("", prose)
        notes += len(_NOTE.findall(plain))
        cells += plain.count("|")
        yield from _block(number, prose, plain, block)
        levels = len(_LEVEL.findall(_PREFIX.match(line)[0]))  # type: ignore[index]
        if levels > TEXT_NESTING:
            what = f"{levels} lists or quotes within each other"
            yield number, what, TEXT_NESTING, "TEXT_NESTING", "part them"
        if notes > TEXT_NOTES:
            what = "more footnotes and citations"
            yield number, what, TEXT_NOTES, "TEXT_NOTES", "part the text"
            return
        if cells > TEXT_CELLS:
            what = "more cells of tables"
            yield number, what, TEXT_CELLS, "TEXT_CELLS", "part the text"
            return


def _block(number: int, prose: str, line: str, block: Counter[str]) -> Iterator[Excess]:
    """Excesses since the last blank line, of which ``block`` keeps count.

    ``prose`` has the characters that are escaped, of which none is a mark in ``line``.
    """
    before = block["characters"]
    block["characters"] += 0 if line.lstrip().startswith("|") else len(prose)
    if before <= TEXT_BLOCK_CHARACTERS < block["characters"]:
        what = "more characters without a blank line between"
        name = "TEXT_BLOCK_CHARACTERS"
        yield number, what, TEXT_BLOCK_CHARACTERS, name, "part the text"
    for mark in _MARKS.findall(line):
        block[mark] += 1
        if block[mark] == TEXT_MARKS + 1:
            what = f"more {mark} without a blank line between"
            mend = f"write \\{mark}, or part the text"
            yield number, what, TEXT_MARKS, "TEXT_MARKS", mend
    for pattern, step, text in _opened(line):
        for mark in pattern.finditer(text):
            name, limit, mend = _OPEN[pattern]
            block[step] = max(0, block[step] + (1 if mark["open"] else -1))
            if block[step] == limit + 1:
                what = f"more {mark[0]} that are open at once"
                yield number, what, limit, name, mend


def _opened(line: str) -> Iterator[tuple[re.Pattern[str], str, str]]:
    """What opens and closes in a line; what closes within code does not count."""
    bare = _CODE.sub("", line)
    yield _BRACKETS, "brackets", line
    yield _BRACKETS, "brackets without code", bare
    yield _QUOTES, "quotes", _CLAIM.sub("", bare)


def without_allowed(words: str, allow: Iterable[Allowed]) -> str:
    """The words without the exceptions, every other character in its place."""
    texts = filter(None, (reader_text(allowed.text) for allowed in allow))
    whole = [rf"(?<!\w){re.escape(text)}(?!\w)" for text in texts]
    for start, end in [m.span() for text in whole for m in re.finditer(text, words)]:
        words = words[:start] + " " * (end - start) + words[end:]
    return words


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
