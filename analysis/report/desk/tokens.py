"""A part as a person edits it: each bound value stands there as what it prints.

``{−37%}`` is such a token. Who saves sends it with the expression that it is for, so
words may be moved round it; what is written as an expression stays one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from analysis.errors import UserError, user_error
from analysis.report.desk.parts import EditedPart
from analysis.report.document.content import content
from analysis.report.language.printed import Printed
from analysis.report.language.syntax import COMMENT_START, Prose, parse_text
from analysis.report.text.texts import Text

_LONGEST = 60  # characters of what a token shows
_UNFIT = re.compile(r"[{}\n]")
# Braces with a digit within: neither an expression nor attributes, nor code.
_BRACES = re.compile(r"(?<![{`\]\)\\])\{([^{}=`\n]*)\}(?!\})")
_NUMBER = re.compile(r"[^#.\d]*\d")


@dataclass(frozen=True)
class Token:
    """What stands for an expression: its words in braces, and what it prints."""

    token: str
    expression: str
    printed: str


def tokens_of(part: EditedPart, text: Text) -> tuple[str, tuple[Token, ...]]:
    """The words of a part with tokens, and the tokens.

    All expressions stay as they are where the text has a comment among them.
    """
    printed = [p for p in text.printed if part.first <= p.line <= part.last]
    try:
        pieces = parse_text(part.source, text.path)
    except UserError:
        return part.source, ()
    expressions = [p for p in pieces if not isinstance(p, Prose)]
    if COMMENT_START in part.source or len(expressions) != len(printed):
        return part.source, ()
    tokens = list(_tokens(printed))
    follow = iter(tokens)
    words = "".join(
        piece.text if isinstance(piece, Prose) else next(follow).token
        for piece in pieces
    )
    return words, tuple(t for t in tokens if not t.token.startswith("{{"))


def with_expressions(words: str, tokens: Mapping[str, str]) -> str:
    """Words with the expression of each token in its place.

    A :class:`UserError` where something that looks like a token is none.
    """
    known = sorted(filter(None, tokens), key=len, reverse=True)
    prose = content(words).prose  # braces in code are its own
    pieces = re.split("|".join(map(re.escape, known)), prose) if known else [prose]
    for found in (found for piece in pieces for found in _like_tokens(piece)):
        mend = "insert the value again, or take the braces away"
        raise user_error(f"{found[0]} is no value of this text", mend=mend)
    if not known:
        return words
    pattern = re.compile("|".join(map(re.escape, known)))
    return pattern.sub(lambda found: f"{{{{ {tokens[found[0]]} }}}}", words)


def _like_tokens(words: str) -> Iterator[re.Match[str]]:
    return (found for found in _BRACES.finditer(words) if _NUMBER.match(found[1]))


def token_for(printed: str, taken: Sequence[str]) -> str:
    """A token that shows what is printed and is none of those that are taken."""
    words = f"{{{printed}}}"
    count = 2
    while words in taken:
        words, count = f"{{{printed}, {count}}}", count + 1
    return words


def _tokens(printed: Sequence[Printed]) -> Iterator[Token]:
    known: dict[str, str] = {}
    for one in printed:
        shows = one.words
        if not shows or len(shows) > _LONGEST or _UNFIT.search(shows):
            yield Token(f"{{{{ {one.expression} }}}}", one.expression, shows)
            continue
        again = (t for t, e in known.items() if e == one.expression)
        token = next(again, None) or token_for(shows, list(known))
        known[token] = one.expression
        yield Token(token, one.expression, shows)
