"""Why an expression cannot be read, in words of whoever writes reports.

Jinja's grammar tells of tokens and tags; an author sees quotes, brackets and commas.
"""

from __future__ import annotations

import re
from pathlib import Path

from jinja2 import TemplateSyntaxError

from analysis.errors import UserError, user_error

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
