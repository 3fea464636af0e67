"""The language of expressions: what reviewed text may say between ``{{`` and ``}}``.

An expression is the call of one function with texts in quotes, and filters after it:
``delta("latency", "RR*") | span``. Nothing else has a meaning here; what looks like
more is refused by name, in words of whoever writes reports.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from analysis.errors import Issue, raise_if, user_error
from analysis.files.limits import (
    EXPRESSION_CHARACTERS,
    LITERAL_CHARACTERS,
    TEXT_EXPRESSIONS,
)

BEGIN, END = "{{", "}}"
# Anchors of headings begin as other comments do: ## Title {#sec-title}
COMMENT_START, COMMENT_END = "{##", "##}"
_OPENING = re.compile(r"\{\{|\{##|\{%")
_TOKEN = re.compile(
    r"""(?P<text>"[^"\n]*"|'[^'\n]*')"""
    r"|(?P<number>\d[\w.]*)|(?P<name>[^\W\d]\w*)|(?P<sign>\S)"
)
_ALLOWED = (
    "an expression is one function with texts in quotes as its arguments, and filters "
    'after it: {{ average("cpu_cost", "STR*", role="client") | reduction }}'
)
_EXAMPLE = 'expressions are written {{ delta("latency", "RR10(100B)") }}'
_FACTS = "write words outside of expressions, and numbers as delta(…) or value(…)"
_SIGNS = "(),=|"
_REFUSED = {
    ".": "an attribute", "[": "a subscript", "~": "a concatenation", "{": "a list",
    **dict.fromkeys("+-*/%", "arithmetic"), **dict.fromkeys("<>!", "a comparison"),
}  # fmt: skip
_CONDITIONS = {"and", "or", "not", "if", "else", "in", "is"}
_CURLY = "“”„‟‘’‚‛«»"
_SHOWN = 40  # characters of an expression


@dataclass(frozen=True)
class Call:
    """A function by name, with the texts that it is given."""

    name: str
    arguments: tuple[str, ...] = ()
    named: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Prose:
    """What stands between expressions, and the line on which it begins."""

    line: int
    text: str


@dataclass(frozen=True)
class Expression:
    """One expression: its line, its words, the call, and the filters in order."""

    line: int
    source: str
    call: Call
    filters: tuple[str, ...] = ()


class _MistakeError(ValueError):
    """An expression says what has no meaning; ``unread`` is one without an order."""

    def __init__(self, what: str, mend: str = _ALLOWED, unread: bool = False) -> None:
        super().__init__(what)
        self.mend, self.unread = mend, unread


class _Token(NamedTuple):
    kind: str
    value: str


def parse_text(text: str, path: Path) -> list[Prose | Expression]:
    """The words and expressions of a text, in order.

    One :class:`analysis.errors.UserError` has an issue for each expression that is
    not one, or for what keeps the text from being read at all.
    """
    parts, issues, count = list[Prose | Expression](), list[Issue](), 0
    at, line = 0, 1
    while at < len(text):
        opening = _OPENING.search(text, at)
        start = opening.start() if opening else len(text)
        if start > at:
            parts.append(Prose(line, text[at:start]))
        line += text.count("\n", at, start)
        if opening is None:
            break
        if opening[0] == "{%":
            raise user_error("a statement is no expression", path, line, mend=_ALLOWED)
        if opening[0] == COMMENT_START:
            end = text.find(COMMENT_END, start)
            if end < 0:
                mend = f"write {COMMENT_END} behind it, or take {COMMENT_START} away"
                raise user_error("a comment has no end", path, line, mend=mend)
        else:
            count += 1
            if count > TEXT_EXPRESSIONS:
                what = f"more than {TEXT_EXPRESSIONS:,} expressions (TEXT_EXPRESSIONS)"
                raise user_error(what, path, line, mend="part the text")
            end = text.find(END, start)
            if end < 0:
                what = f"an expression has no end: {BEGIN} {_short(text[start + 2 :])}"
                mend = f"write {END} behind it, or take {BEGIN} away if it is none"
                issues += user_error(what, path, line, mend=mend).issues
                break
            source = text[start + len(BEGIN) : end]
            try:
                parts.append(_parse(line, source))
            except _MistakeError as error:
                what = str(error)
                if error.unread:
                    what = f"an expression that cannot be read, since {what}: {BEGIN} "
                    what += _short(source)
                issues += user_error(what, path, line, mend=error.mend).issues
        at = end + len(END if opening[0] == BEGIN else COMMENT_END)
        line += text.count("\n", start, at)
    raise_if(issues)
    return parts


def _parse(line: int, source: str) -> Expression:
    if len(source) > EXPRESSION_CHARACTERS:
        raise _MistakeError(
            f"an expression of {len(source):,} characters; at most "
            f"{EXPRESSION_CHARACTERS:,} are read (EXPRESSION_CHARACTERS)"
        )
    if BEGIN in source:
        mend = f"end the first one with {END}"
        raise _MistakeError("another one begins in it", mend, unread=True)
    tokens = [_Token(str(one.lastgroup), one[0]) for one in _TOKEN.finditer(source)]
    _check_signs(tokens)
    return Expression(line, " ".join(source.split()), *_call_and_filters(tokens))


def _check_signs(tokens: list[_Token]) -> None:
    """Signs and words that have no meaning in an expression."""
    if tokens and tokens[0].value == "<":
        raise _MistakeError(
            "Quarto's shortcodes do not run in reviewed texts", _EXAMPLE
        )
    for token, after in pairwise([*tokens, _Token("", "")]):
        sign = token.value
        if token.kind == "name" and sign in _CONDITIONS:
            raise _MistakeError("a condition is not allowed in an expression")
        if token.kind != "sign" or sign in _SIGNS:
            continue
        if sign in "\"'":
            what = f"the quote {sign} is never closed"
            raise _MistakeError(what, f"add another {sign}", unread=True)
        if sign == "}":
            mend = f"end it with {END}"
            raise _MistakeError("one brace ends nothing", mend, unread=True)
        if sign in _REFUSED:
            name = f" ({after.value[:_SHOWN]})" if sign == "." else ""
            what = f"{_REFUSED[sign]}{name} is not allowed in an expression"
            raise _MistakeError(what)
        mend = "write straight quotes: \" or '" if sign in _CURLY else _EXAMPLE
        raise _MistakeError(f"{sign} has no meaning in it", mend, unread=True)


def _call_and_filters(tokens: list[_Token]) -> tuple[Call, tuple[str, ...]]:
    if not tokens:
        raise _MistakeError("there is nothing in it", _EXAMPLE, unread=True)
    first, *rest = tokens
    if first.kind in ("text", "number"):
        value = first.value[:_SHOWN]
        raise _MistakeError(f"an expression prints {value}, which is no fact", _FACTS)
    if first.kind != "name":
        raise _MistakeError("a list is not allowed in an expression")
    if not rest or rest[0].value != "(":
        what = f"{first.value!r} is not called"
        raise _MistakeError(what, f"{_ALLOWED}; write {first.value}(…)")
    arguments, named, rest = _arguments(first.value, rest[1:])
    filters = []
    while rest:
        sign, *rest = rest
        if sign.value == ")":
            what = ") closes what was never opened"
            raise _MistakeError(what, "take ) away", unread=True)
        if sign.value != "|":
            raise _MistakeError("an expression ends before its braces do")
        if not rest or rest[0].kind != "name":
            what = "it ends before it is complete"
            raise _MistakeError(what, "close its brackets and quotes", unread=True)
        name, *rest = rest
        filters.append(name.value)
        if rest and rest[0].value == "(":
            what = f"'| {name.value}' takes no arguments"
            raise _MistakeError(what, "leave out the brackets behind it")
    return Call(first.value, tuple(arguments), named), tuple(filters)


def _arguments(
    function: str, tokens: list[_Token]
) -> tuple[list[str], dict[str, str], list[_Token]]:
    """The arguments of a function by place and by name, and what follows them."""
    arguments, named = list[str](), dict[str, str]()
    while tokens and tokens[0].value != ")":
        name = ""
        if [token.value for token in tokens[1:2]] == ["="] and tokens[0].kind == "name":
            name, tokens = tokens[0].value, tokens[2:]
        if not tokens:
            break
        value = _text(function, tokens[0])
        if name in named:
            raise _MistakeError(f"the argument {name} is given twice")
        if name:
            named[name] = value
        else:
            arguments.append(value)
        tokens = tokens[1:]
        if tokens and tokens[0].value == ",":
            tokens = tokens[1:]
        elif tokens and tokens[0].value != ")":
            mend = "put commas between arguments"
            raise _MistakeError("a comma is missing", mend, unread=True)
    if not tokens:
        raise _MistakeError("a bracket is never closed", "add )", unread=True)
    return arguments, named, tokens[1:]


def _text(function: str, token: _Token) -> str:
    if token.kind != "text":
        what = f"{function} takes no {token.value[:_SHOWN]}"
        raise _MistakeError(what, "write it in quotes")
    value = token.value[1:-1]
    if len(value) > LITERAL_CHARACTERS:
        raise _MistakeError(
            f"an argument of {len(value):,} characters; at most "
            f"{LITERAL_CHARACTERS:,} are read (LITERAL_CHARACTERS)"
        )
    return value


def _short(words: str) -> str:
    plain = " ".join(words.split())
    return f"{plain[:_SHOWN]}…" if len(plain) > _SHOWN else plain
