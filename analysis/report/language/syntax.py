"""The language of expressions: what reviewed text may say between ``{{`` and ``}}``.

An expression is the call of one function with literal arguments, and filters after
it: ``delta("latency", "RR*") | span``. Jinja's grammar reads it, and nothing of Jinja
runs it: what is not such a call has no meaning here, and is refused by name, in words
of whoever writes reports.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jinja2 import Environment, TemplateSyntaxError, nodes

from analysis.errors import UserError, user_error
from analysis.files.limits import (
    EXPRESSION_CHARACTERS,
    LITERAL_CHARACTERS,
    TEXT_EXPRESSIONS,
)

# Jinja's own comments begin as Pandoc's anchors do: ## Title {#sec-title}
COMMENT_START, COMMENT_END = "{##", "##}"
_GRAMMAR = Environment(
    autoescape=False,  # noqa: S701 - only its grammar is used
    keep_trailing_newline=True,
    comment_start_string=COMMENT_START,
    comment_end_string=COMMENT_END,
)
_ALLOWED = (
    "an expression is one function with texts, numbers, true, false or none as its "
    "arguments, and filters after it: "
    '{{ average("cpu_cost", "STR*", role="client") | reduction }}'
)
_FACTS = "write words outside of expressions, and numbers as delta(…) or value(…)"
# What the grammar knows and the language does not, the narrower kinds first.
_REFUSED: tuple[tuple[type[nodes.Node], str], ...] = (
    (nodes.Getattr, "an attribute"),
    (nodes.Getitem, "a subscript"),
    (nodes.Concat, "a concatenation"),
    (nodes.And, "a condition"),
    (nodes.Or, "a condition"),
    (nodes.BinExpr, "arithmetic"),
    (nodes.Not, "a condition"),
    (nodes.UnaryExpr, "arithmetic"),
    (nodes.Compare, "a comparison"),
    (nodes.CondExpr, "a condition"),
    (nodes.Test, "a test"),
    (nodes.Call, "a call"),
    (nodes.Filter, "a filter"),
    (nodes.Name, "a name"),
    (nodes.Tuple, "a list"),
    (nodes.List, "a list"),
    (nodes.Dict, "a list"),
    (nodes.TemplateData, "a text"),
)
_SURROGATE = re.compile("[\ud800-\udfff]")
Literal = str | int | float | bool | None
BEGIN, END = "{{", "}}"
_EXAMPLE = 'expressions are written {{ delta("latency", "RR10(100B)") }}'
_SHOWN = 40  # characters of an expression
_EARLY = "it ends before it is complete"
_CLOSE = "close its brackets and quotes"
_CURLY = "“”„‟‘’‚‛«»"
# What Jinja says, what it means, and how to mend that; * is the sign it stopped at.
_MEANINGS = (
    (
        r"unexpected char (?:'(\")'|\"(')\")",
        "the quote * is never closed",
        "add another *",
    ),
    (r"unexpected char '(.)'", "* has no meaning in it", _EXAMPLE),
    (r"unexpected '([\])])'", "* closes what was never opened", "take * away"),
    (r"(?:unexpected|got) '\}'", "one brace ends nothing", f"end it with {END}"),
    (r"end of print statement|end of template|unexpected end", _EARLY, _CLOSE),
    (r"expected token ','", "a comma is missing", "put commas between arguments"),
)


@dataclass(frozen=True)
class Call:
    """A function or a filter, by name, with literal arguments."""

    name: str
    arguments: tuple[Literal, ...] = ()
    named: Mapping[str, Literal] = field(default_factory=dict)


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
    filters: tuple[Call, ...] = ()


class _NotAllowedError(ValueError):
    """An expression says what the language has no meaning for."""

    def __init__(self, what: str, mend: str = _ALLOWED) -> None:
        super().__init__(what)
        self.mend = mend


def parse_text(text: str, path: Path) -> list[Prose | Expression]:
    """The words and expressions of a text, in order.

    One :class:`analysis.errors.UserError` has an issue for each expression that is
    not one, or for what keeps the text from being read at all.
    """
    parts: list[Prose | Expression] = []
    issues = []
    for part in _split(text, path):
        if isinstance(part, Prose):
            parts.append(part)
            continue
        try:
            parts.append(_parse(*part, path))
        except UserError as error:
            issues += error.issues
    if issues:
        raise UserError(issues)
    return parts


def _split(text: str, path: Path) -> Iterator[Prose | tuple[int, str]]:
    """Words as they are; of each expression the line and what it says."""
    start, count, inside = 0, 0, list[str]()
    for line, kind, value in _tokens(text, path):
        if kind == "data":
            yield Prose(line, value)
        elif kind == "variable_begin":
            start, inside, count = line, [], count + 1
            if count > TEXT_EXPRESSIONS:
                what = f"more than {TEXT_EXPRESSIONS:,} expressions (TEXT_EXPRESSIONS)"
                raise user_error(what, path, line, mend="part the text")
        elif kind == "variable_end":
            yield start, "".join(inside)
            start = 0
        elif kind.startswith(("block", "raw", "linestatement")):
            what = "a statement is no expression"
            raise user_error(what, path, line, mend=_ALLOWED)
        elif not kind.startswith("comment"):
            inside.append(value)
    if start:
        raise without_end("".join(inside), path, start)


def _tokens(text: str, path: Path) -> Iterator[tuple[int, str, str]]:
    try:
        yield from _GRAMMAR.lex(text)
    except TemplateSyntaxError as error:
        before = "".join(text.splitlines(keepends=True)[: error.lineno])
        inside = before.rpartition(BEGIN)[2].partition(END)[0]
        raise unread(error, inside, path, error.lineno) from None


def _parse(line: int, source: str, path: Path) -> Expression:
    words = " ".join(source.split())
    try:
        if len(source) > EXPRESSION_CHARACTERS:
            raise _NotAllowedError(
                f"an expression of {len(source):,} characters; at most "
                f"{EXPRESSION_CHARACTERS:,} are read (EXPRESSION_CHARACTERS)"
            )
        call, *filters = _calls(_tree(source))
        return Expression(line, words, call, tuple(filters))
    except _NotAllowedError as error:
        raise user_error(str(error), path, line, mend=error.mend) from None
    except TemplateSyntaxError as error:
        raise unread(error, source, path, line + error.lineno - 1) from None
    except (ValueError, RecursionError):  # a number beyond reading, or too deep
        what = f"an expression that cannot be read: {words[:40]}"
        raise user_error(what, path, line, mend=_ALLOWED) from None


def _tree(source: str) -> nodes.Expr:
    """The tree of what stands between the braces, which must be one expression."""
    body = _GRAMMAR.parse(f"{{{{{source}}}}}").body
    [output] = body
    if not isinstance(output, nodes.Output) or len(output.nodes) != 1:
        raise _NotAllowedError("an expression that ends before its braces do")
    tree = output.nodes[0]
    assert isinstance(tree, nodes.Expr)  # noqa: S101 - for the types
    return tree


def _calls(node: nodes.Expr) -> Iterator[Call]:
    """The function's call, then the filters in the order in which they apply."""
    if isinstance(node, nodes.Filter) and node.node is not None:
        yield from _calls(node.node)
        yield _call(node.name, node)
    elif isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name):
        yield _call(node.node.name, node)
    elif isinstance(node, nodes.Call):
        yield from _calls(node.node)  # names what is called
        raise _NotAllowedError("a call of what an expression gives is not allowed")
    elif isinstance(node, nodes.Const):
        what = f"an expression prints {reprlib.repr(node.value)}, which is no fact"
        raise _NotAllowedError(what, _FACTS)
    elif isinstance(node, nodes.Name):
        what = f"{node.name!r} is not called"
        raise _NotAllowedError(what, f"{_ALLOWED}; write {node.name}(…)")
    else:
        raise _refused(node)


def _call(name: str, node: nodes.Call | nodes.Filter) -> Call:
    if node.dyn_args is not None or node.dyn_kwargs is not None:
        raise _NotAllowedError("arguments behind a star are not allowed")
    named: dict[str, Literal] = {}
    for given in node.kwargs:
        assert isinstance(given, nodes.Keyword)  # noqa: S101 - for the types
        if given.key in named:
            raise _NotAllowedError(f"the argument {given.key} is given twice")
        named[given.key] = _literal(given.value)
    return Call(name, tuple(map(_literal, node.args)), named)


def _literal(node: Any) -> Literal:
    if not isinstance(node, nodes.Const):
        raise _refused(node)
    value: Literal = node.value
    if isinstance(value, str) and len(value) > LITERAL_CHARACTERS:
        raise _NotAllowedError(
            f"an argument of {len(value):,} characters; at most "
            f"{LITERAL_CHARACTERS:,} are read (LITERAL_CHARACTERS)"
        )
    if isinstance(value, str) and _SURROGATE.search(value):
        raise _NotAllowedError(f"{reprlib.repr(value)} holds half a character")
    return value


def _refused(node: nodes.Node) -> _NotAllowedError:
    word = next((word for kind, word in _REFUSED if isinstance(node, kind)), "this")
    name = getattr(node, "attr", None) or getattr(node, "name", None)
    named = f" ({str(name)[:40]})" if isinstance(name, str) else ""
    return _NotAllowedError(f"{word}{named} is not allowed in an expression")


def without_end(words: str, path: Path, line: int) -> UserError:
    """That an expression which begins with these words has no end."""
    what = f"an expression has no end: {BEGIN} {_short(words)}"
    mend = f"write {END} behind it, or take {BEGIN} away if it is none"
    return user_error(what, path, line, mend=mend)


def unread(error: TemplateSyntaxError, source: str, path: Path, line: int) -> UserError:
    """That an expression cannot be read: why, where, and how to mend it.

    ``source`` is what stands between its braces.
    """
    said = error.message or ""
    if "comment" in said:
        mend = "write ##} behind it, or take {## away"
        return user_error("a comment has no end", path, line, mend=mend)
    why, mend = _why(said, source)
    what = f"an expression that cannot be read, since {why}: {BEGIN} {_short(source)}"
    return user_error(what, path, line, mend=mend)


def _why(said: str, source: str) -> tuple[str, str]:
    if not source.strip():
        return "there is nothing in it", _EXAMPLE
    if BEGIN in source:
        return "another one begins in it", f"end the first one with {END}"
    for pattern, why, mend in _MEANINGS:
        found = re.search(pattern, said)
        if not found:
            continue
        sign = next(filter(None, found.groups()), "")
        if sign and sign in _CURLY:
            mend = "write straight quotes: \" or '"
        elif "brace" in why and source.count("(") > source.count(")"):
            why, mend = "a bracket is never closed", "add )"
        return why.replace("*", sign), mend if mend == _EXAMPLE else mend.replace(
            "*", sign
        )
    return "its signs are not in order", _EXAMPLE


def _short(words: str) -> str:
    plain = " ".join(words.split())
    return f"{plain[:_SHOWN]}…" if len(plain) > _SHOWN else plain
