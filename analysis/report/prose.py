"""Checks on reviewed Markdown before it becomes part of a document."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import Issue, Place, user_error
from analysis.report.lookup import nearest

# What is inside these is not Markdown: expressions, code blocks, code spans. Code that
# Pandoc might read otherwise (an escaped or unequal backtick, words after a fence, a
# raw attribute) is left for the checks below.
_CODE = (
    r"^(?P<fence>```+|~~~+)[ \t]*[\w-]*[ \t]*\n.*?^(?P=fence)[ \t]*$"
    r"|(?<![`\\])(?P<ticks>`+)(?![`{])[^\n]+?(?<!`)(?P=ticks)(?!`)(?!\{)"
)
_OPAQUE = re.compile(r"\{\{.*?\}\}|\{##.*?##\}|" + _CODE, re.DOTALL | re.MULTILINE)
_CODE_PATTERN = re.compile(_CODE, re.DOTALL | re.MULTILINE)
_FOOTNOTE = re.compile(r"\[\^([^\]\s]+)\]")
_CITATION = re.compile(r"(?<![\w.])@([A-Za-z][\w:-]*[\w])")
_HEADING = re.compile(r"^#\s", re.MULTILINE)
_ANY_HEADING = re.compile(r"^#{1,5}(?=\s)", re.MULTILINE)


@dataclass(frozen=True)
class Refusal:
    """A construct that reviewed text may not hold, and what to write instead."""

    pattern: re.Pattern[str]
    what: str
    mend: str


_REFUSED = (
    Refusal(
        re.compile(r"\{\s*=\s*\w+|^[ \t]*(?:```|~~~)+[^\n]*\{|`\{", re.MULTILINE),
        "a raw or executable block",
        "write plain Markdown; both formats are made from it",
    ),
    Refusal(
        re.compile(r"(?<!\\)(?:\\\\)*<(?!https?://|mailto:)/?[A-Za-z!?][^>\n]*>?"),
        "raw HTML",
        "write plain Markdown; for a smaller-than sign write \\<",
    ),
    Refusal(
        re.compile(
            r"\\[A-Za-z]+|(?<!\\)\$\$"
            r"|(?<!\\)\$\S(?:(?:[^$\n]|\n(?!\s*\n))*\S)?\$(?!\d)"
        ),
        "LaTeX or an equation",
        "write the characters themselves, such as µ, × or x²",
    ),
    Refusal(
        re.compile(r"\{[^}]*\bon[a-z]+\s*=|(?:java|vb)script\s*:", re.IGNORECASE),
        "a script",
        "leave it out; reports carry no scripts of their authors",
    ),
    Refusal(
        re.compile(
            r"(?:\]\(\s*|^[ ]{0,3}\[(?!\^)[^\]\n]+\]:[ \t]*\n?[ \t]*)<?"
            r"(?!https?://|mailto:|\#|\s|<|$)[^)\s]*",
            re.MULTILINE,
        ),
        "a link to something that is neither a web page nor a place in the report",
        "begin it with https:// or mailto:, or refer to @fig-…, @sec-… or @tbl-…",
    ),
    Refusal(
        re.compile(r"!\["),
        "a picture",
        "declare a figure in study.yaml, and refer to it as @fig-…",
    ),
    Refusal(
        re.compile(r"^(?:---+|===+)[ \t]*$", re.MULTILINE),
        "a line that could begin metadata or a heading",
        "for a rule write ***, for a heading ##",
    ),
    Refusal(
        re.compile(r"\{%|\{\{<"),
        "a statement",
        "an expression stands alone between {{ and }}",
    ),
    Refusal(
        re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]"),
        "a character without a meaning",
        "delete it and type the word again",
    ),
    Refusal(
        re.compile("[\u202a-\u202e\u2066-\u2069]"),
        "a character that turns the direction of writing",
        "delete it: reviewers would read another text than the page shows",
    ),
    Refusal(
        _HEADING,
        "a heading of the first level",
        "begin at ## in front and back matter and at ### in a study",
    ),
)
# Before expressions are replaced, no attribute has a value: all are made by them.
_ATTRIBUTES = Refusal(
    re.compile(r"\{[^{}]*(?:=|\.value\b|\.average\b)[^{}]*\}"),
    "an attribute with a value",
    "leave it out; classes, such as {.callout-note}, and ids are enough",
)
# Other classes and anchors have a meaning for the page: authors have these.
_CLASSES = (
    r"callout-(?:note|tip|warning|caution|important)|unnumbered"
    r"|verdict|improved|regressed|comparable|inconclusive|predicted"
)
_STYLES = Refusal(
    re.compile(
        rf"\{{(?:[^{{}}]*\s)?\.(?!(?:{_CLASSES})[\s}}])[^{{}}]*\}}"
        r"|\{(?:[^{}]*\s)?\#(?!(?:sec|tbl)-)[^{}]*\}"
        r"|^[ \t>]*:{3,}[ \t]*[^\s:{][^\n]*",
        re.MULTILINE,
    ),
    "a class or an anchor that is not for texts",
    "write {.callout-note}, {.unnumbered}, {#sec-…} or {#tbl-…}",
)
_OWN_SPAN = re.compile(r'\{\.(?:value|average) keys?="[^"{}]*" origin="[a-z]+"\}')


def read_prose(path: Path) -> str:
    """The text of a Markdown file; a :class:`UserError` if absent or not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise user_error("this text is missing", path, mend="write it") from None
    except IsADirectoryError:
        raise user_error(
            "this is a folder, not a text", path, mend="name its file in edition.yaml"
        ) from None
    except UnicodeDecodeError as error:
        raise user_error(
            "not UTF-8 text", path, offset=error.start, mend="save it as UTF-8"
        ) from None


def check_prose(text: str, path: Path) -> list[Issue]:
    """Issues of one text: raw HTML, LaTeX or Typst, scripts, files, attributes."""
    return _refuse(mask(text), text, path, (*_REFUSED, _ATTRIBUTES, _STYLES))


def check_output(text: str, path: Path) -> list[Issue]:
    """The same for a text whose expressions are replaced; their own spans may stand."""
    masked = _OWN_SPAN.sub(lambda m: " " * len(m[0]), _mask_code(text))
    return _refuse(masked, text, path, (*_REFUSED, _ATTRIBUTES))


def _refuse(
    masked: str, text: str, path: Path, refusals: Iterable[Refusal]
) -> list[Issue]:
    issues = [
        Issue(
            f"{refusal.what} in reviewed text: {found[0].strip()[:40]!r}",
            Place(str(path), line_at(text, found.start())),
            refusal.mend,
        )
        for refusal in refusals
        for found in refusal.pattern.finditer(masked)
    ]
    return sorted(issues, key=lambda i: i.where.line if i.where and i.where.line else 0)


def check_references(text: str, path: Path, known: Iterable[str]) -> list[Issue]:
    """Issues of one text: citations and cross-references that lead nowhere."""
    names = sorted(known)
    return [
        Issue(
            f"@{found[1]} refers to nothing",
            Place(str(path), line_at(text, found.start())),
            nearest(found[1], names),
        )
        for found in _CITATION.finditer(mask(text))
        if found[1] not in names
    ]


def own_footnotes(text: str, prefix: str) -> str:
    """The text with footnote labels made its own, as files share one document."""
    masked = mask(text)
    for found in reversed(list(_FOOTNOTE.finditer(masked))):
        start, end = found.span(1)
        text = f"{text[:start]}{prefix}-{found[1]}{text[end:]}"
    return text


def deeper(text: str, by: int) -> str:
    """The text with every heading that many levels deeper."""
    for found in reversed(list(_ANY_HEADING.finditer(_mask_code(text)))):
        text = f"{text[: found.start()]}{'#' * by}{text[found.start() :]}"
    return text


def mask(text: str) -> str:
    """The text with expressions and code blanked out, every offset unchanged."""
    return _OPAQUE.sub(_blank, text)


def _mask_code(text: str) -> str:
    return _CODE_PATTERN.sub(_blank, text)


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"\S", " ", found[0])


def line_at(text: str, offset: int) -> int:
    """The line, from 1, that an offset lies on."""
    return text.count("\n", 0, offset) + 1
