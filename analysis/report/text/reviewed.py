"""A reviewed text: Markdown with a front matter for its claims and exceptions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from weakref import WeakValueDictionary

from pydantic import Field

from analysis.declared.base import Declared, check_declared, line_of, parse_yaml
from analysis.declared.mistakes import form
from analysis.errors import raise_if, user_error
from analysis.files.text_file import as_text, read_text
from analysis.report.text.limits import check_shape

_SOMETHING = form(r"\S", "a text that is not blank")
_FRONT = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*$\n?", re.DOTALL | re.MULTILINE)


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
class Reviewed:
    """One text. ``body`` has empty lines for its front matter, so that lines agree.

    ``claims`` are pairs of line and words.
    """

    path: Path
    body: str
    claims: tuple[tuple[int, str], ...] = ()
    allow: tuple[Allowed, ...] = ()


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
