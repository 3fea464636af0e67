"""The grammar of reviewed texts: CommonMark with what Pandoc has beside it.

markdown-it-py reads the blocks and spans; the rules here add fenced divs, attributes
and citations in the form that authors may use. Pandoc, which renders a text, reads it
as :mod:`analysis.report.text.write` writes it from what was read here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

InlineRule = Callable[[StateInline, bool], bool]
CITED = re.compile(r"@(\w(?:[:.#$%&+?<>~/-]?\w)*)")
_QUOTED = re.compile(r"([\w-]+)=([\"'])(.*)\2", re.DOTALL)
_AFTER = tuple(".,;:!?)")  # ends of words
_COLONS = 3
_NESTING = 50  # of blocks; the limits of a text's shape come first


@dataclass(frozen=True, slots=True)
class Attributes:
    """What stands between braces: ``{#id .class name=value}``, without quotes."""

    id: str = ""
    classes: tuple[str, ...] = ()
    named: tuple[str, ...] = ()

    def value(self, name: str) -> str:
        """The value of a name, in one line; empty where it has none."""
        values = (one.partition("=") for one in self.named)
        return next((" ".join(v.split()) for n, _, v in values if n == name), "")


NONE = Attributes()


class _Literal(MarkdownIt):
    """A parser that leaves addresses as they are; the checks come later."""

    def validateLink(self, url: str) -> bool:  # noqa: ARG002, N802
        """Every address makes a link, so that a check can name it."""
        return True

    def normalizeLink(self, url: str) -> str:  # noqa: N802
        """The address as it is written."""
        return url


def make_grammar() -> MarkdownIt:
    """The parser. Its spans have ``at`` and ``end``, offsets in their block."""
    grammar = _Literal("commonmark", {"maxNesting": _NESTING})
    grammar.enable("table").use(footnote_plugin, move_to_end=False).use(deflist_plugin)
    grammar.disable("text_join")  # an escaped character stays apart
    grammar.block.ruler.before("table", "div", _div)
    grammar.core.ruler.after("block", "heading_attributes", _heading_attributes)
    inline = grammar.inline
    inline.add_terminator_char("@")
    inline.ruler.before("link", "span", _span)
    inline.ruler.before("span", "attributes", _attributes)
    inline.ruler.before("attributes", "citation", _citation)
    for rule in list(inline.ruler.__rules__):
        if rule.name not in ("text", "emphasis", "newline"):
            inline.ruler.at(rule.name, _located(rule.fn))
    return grammar


def read_attributes(text: str, start: int) -> tuple[Attributes, int] | None:
    """The attributes that begin at ``start``, and where they end; None if none do."""
    if text[start] != "{":
        return None
    words, quote = [""], ""
    for end in range(start + 1, len(text)):
        character = text[end]
        if character == "}" and not quote:
            return _sorted([word for word in words if word]), end + 1
        if character in "\"'" and quote in ("", character):
            quote = "" if quote else character
        if character.isspace() and not quote:
            words.append("")
        else:
            words[-1] += character
    return None


def _sorted(words: list[str]) -> Attributes:
    return Attributes(
        next((word[1:] for word in reversed(words) if word.startswith("#")), ""),
        tuple(word[1:] for word in words if word.startswith(".")),
        tuple(_QUOTED.sub(r"\1=\3", word) for word in words if word[0] not in "#."),
    )


def _located(rule: InlineRule) -> InlineRule:
    """A rule whose tokens know where the text has them."""

    def read(state: StateInline, silent: bool) -> bool:
        start, before = state.pos, len(state.tokens)
        found = rule(state, silent)
        if found and not silent:
            depth = 0
            for token in (new := state.tokens[before:]):
                if depth == 0:  # what is inside follows on its own lines
                    token.meta.setdefault("at", start)
                depth += token.nesting
            if new:
                new[-1].meta.setdefault("end", state.pos)
        return found

    return read


def _citation(state: StateInline, silent: bool) -> bool:
    """``@key``, alone or in brackets."""
    if state.src[state.pos] != "@" or _after_word(state):
        return False
    if not (found := CITED.match(state.src, state.pos, state.posMax)):
        return False
    if not silent:
        state.push("citation", "", 0).content = found[1]
    state.pos = found.end()
    return True


def _after_word(state: StateInline) -> bool:
    """Whether a word ends here, also one that is emphasised."""
    before = state.src[: state.pos]
    bare = before.rstrip("*_")
    emphasised = bare != before and bare.endswith(_AFTER)
    return before[-1:].isalnum() or bare[-1:].isalnum() or emphasised


def _span(state: StateInline, silent: bool) -> bool:
    """``[words]{.class}``, without its attributes, which follow."""
    if state.src[state.pos] != "[":
        return False
    start = state.pos
    end = state.md.helpers.parseLinkLabel(state, start)
    if end < 0 or state.src[end + 1 : end + 2] != "{":
        return False
    if read_attributes(state.src[: state.posMax], end + 1) is None:
        return False
    if not silent:
        most = state.posMax
        state.push("span_open", "", 1)
        state.pos, state.posMax = start + 1, end
        state.md.inline.tokenize(state)
        state.push("span_close", "", -1)
        state.posMax = most
    state.pos = end + 1
    return True


def _attributes(state: StateInline, silent: bool) -> bool:
    """``{.class}`` right behind a span, a link or code."""
    if state.src[state.pos] != "{" or state.pending or not state.tokens:
        return False
    last = state.tokens[-1]
    fits = last.type in ("span_close", "link_close", "code_inline", "image")
    if not fits or last.meta.get("end", state.pos) != state.pos:
        return False
    if (found := read_attributes(state.src[: state.posMax], state.pos)) is None:
        return False
    if not silent:
        state.push("attributes", "", 0).meta["attributes"] = found[0]
    state.pos = found[1]
    return True


def _heading_attributes(state: StateCore) -> None:
    """Attributes at the end of headings and captions are none of their words."""
    for before, token in _pairs(state.tokens):
        heading = before.type == "heading_open"
        if heading or (before.type == "paragraph_open" and caption_mark(token.content)):
            words = token.content.rstrip()
            start = words.rfind("{")
            found = read_attributes(words, start) if start >= 0 else None
            if found and found[1] == len(words) and words[start - 1 : start] in " \t":
                before.meta["attributes"] = found[0]
                token.content = words[:start].rstrip()


def _pairs(tokens: list[Token]) -> Iterator[tuple[Token, Token]]:
    return pairwise(tokens)


def caption_mark(words: str) -> int:
    """How many characters begin a caption of a table: none if it is not one."""
    for mark in (": ", "Table: ", "table: "):
        if words.startswith(mark):
            return len(mark)
    return 0


def _div(state: StateBlock, first: int, last: int, silent: bool) -> bool:
    """``::: {.class}`` or ``::: word`` to its ``:::``."""
    attributes = _opens(state, first)
    if attributes is None or state.sCount[first] - state.blkIndent >= 4:
        return False
    if silent:
        return True
    end = _end_of_div(state, first, last)
    outer, most = state.parentType, state.lineMax
    token = state.push("div_open", "div", 1)
    token.map, token.meta["attributes"] = [first, end], attributes
    state.parentType, state.lineMax = "div", end
    state.md.block.tokenize(state, first + 1, end)
    state.push("div_close", "div", -1)
    state.parentType, state.lineMax = outer, most
    state.line = min(end + 1, last)
    return True


def _end_of_div(state: StateBlock, first: int, last: int) -> int:
    depth, fence = 1, ""
    for line in range(first + 1, last):
        words = _line(state, line)
        mark = words[:3]
        if mark in ("```", "~~~") and (not fence or words.rstrip() == fence):
            ticks = len(words) - len(words.lstrip(mark[0]))
            fence = "" if fence else words[:ticks]
        elif fence:
            continue
        elif _closes(words):
            depth -= 1
            if depth == 0:
                return line
        elif _opens(state, line) is not None:
            depth += 1
    return last


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _closes(words: str) -> bool:
    return len(words) >= _COLONS and not words.strip().strip(":")


def _opens(state: StateBlock, line: int) -> Attributes | None:
    """The attributes of the div that a line opens."""
    words = _line(state, line).rstrip()
    name = words.lstrip(":").strip()
    if len(words) - len(words.lstrip(":")) < _COLONS or not name:
        return None
    name = name.rstrip(":").rstrip()
    if not name.startswith("{"):
        return Attributes(classes=(name,)) if len(name.split()) == 1 else None
    found = read_attributes(name, 0)
    return found[0] if found and found[1] == len(name) else None
