"""Checks on reviewed Markdown before it becomes part of a document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from analysis.errors import Issue, Place
from analysis.report.lookup import nearest
from analysis.report.prose_code import blank, mask, mask_code, mask_expressions
from analysis.text_file import read_text

_COMMENT = re.compile(r"\{##")
_TOLD = 100  # of one kind of mistake
_FOOTNOTE = re.compile(r"\[\^([^\]\s]+)\]")
_CITATION = re.compile(r"(?<![\w.\\])@([A-Za-z](?:[\w:-]*\w)?)")
_HEADING = re.compile(r"^#\s", re.MULTILINE)
_ANY_HEADING = re.compile(r"^#{1,5}(?=\s)", re.MULTILINE)


@dataclass(frozen=True)
class Refusal:
    """A construct that reviewed text may not hold, and what to write instead.

    With ``within``, only there; both patterns take time in proportion to the text.
    """

    pattern: re.Pattern[str]
    what: str
    mend: str
    within: re.Pattern[str] | None = None

    def find(self, text: str) -> Iterator[re.Match[str]]:
        """Every place where a text holds it."""
        if self.within is None:
            yield from self.pattern.finditer(text)
            return
        for part in self.within.finditer(text):
            yield from self.pattern.finditer(text, *part.span())


# What may stand before the definition of a link, and the name that it defines.
_BEFORE = (
    r"(?:[ \t>]|[-+*:~](?=[ \t])|\(?@?\w{1,9}[.)](?=[ \t])|\(@\)|\[\^[^\]\n]+\]:)*"
)
_LABEL = r"\[(?!\^)(?:[^\]\\\n]|\\.|\n(?!\s*\n))+\]:"
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
        re.compile(r"\{[^{}]*\bon[a-z]+\s*=|(?:java|vb)script\s*:", re.IGNORECASE),
        "a script",
        "leave it out; reports carry no scripts of their authors",
    ),
    Refusal(
        re.compile(
            rf"(?:\]\(\s*|^{_BEFORE}{_LABEL}[ \t]*\n?[ \t]*)<?"
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
        re.compile(rf"^{_BEFORE}(?:---+|===+)[ \t]*$", re.MULTILINE),
        "a line that could begin metadata or a heading",
        "for a rule write ***, for a heading ##",
    ),
    Refusal(
        re.compile(rf"^(?![ \t]*#){_BEFORE}#{{1,6}}(?=[ \t])", re.MULTILINE),
        "a heading in a list or a quote",
        "write **bold** words, and \\# for the character",
    ),
    # Their cells go over lines, where neither patterns nor limits follow them.
    Refusal(
        re.compile(
            r"(?:\+[-=:]+)+\+[ \t]*$"
            rf"|^{_BEFORE}-+(?:[ \t]+-+)+[ \t]*$",
            re.MULTILINE,
        ),
        "a table that is drawn with lines",
        "write | between cells and |---| below their heads; for a rule write ***",
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
        re.compile(
            r"&#(?:0*(?:\d|[12]\d|3[01])|[xX]0*(?:1?[\da-fA-F]|[fF]{3}[e-fE-F]));"
        ),
        "a control character",
        "delete it",
    ),
    Refusal(
        _HEADING,
        "a heading of the first level",
        "begin at ## in front and back matter and at ### in a study",
    ),
)
# Before expressions are replaced, no attribute has a value: all are made by them.
_ATTRIBUTES = Refusal(
    re.compile(r"\{[^{}]*(?:=|\.(?:value|average)\b)"),
    "an attribute with a value",
    "leave it out; classes, such as {.callout-note}, and ids are enough",
)
# Other classes and anchors have a meaning for the page: authors have these.
_STYLED = "write {.callout-note}, {.unnumbered}, {#sec-…} or {#tbl-…}"
CLASSES = (
    r"callout-(?:note|tip|warning|caution|important)|unnumbered"
    r"|verdict|improved|regressed|comparable|inconclusive|predicted"
)
_STYLES = (
    Refusal(
        re.compile(
            rf"(?<=[\s{{])(?:\.(?!(?:{CLASSES})[\s}}])"
            r"|\#(?!(?:sec|tbl)-[\w:.-]+[\s}]))[^\s}]*"
        ),
        "a class or an anchor that is not for texts",
        _STYLED,
        within=re.compile(r"\{[^{}]*\}"),
    ),
    Refusal(
        re.compile(r"(?<!\S):{3,}[ \t]*[^ \t\n:{]\S*"),
        "a class or an anchor that is not for texts",
        _STYLED,
    ),
)
# A caption stands below its table or above it; whatever else has its anchor would be
# counted among the tables.
_CAPTION = re.compile(
    r"^\|[^\n]*\n\n?(?::|Table:) [^\n]*|^(?::|Table:) [^\n]*\n\n?(?=\|)", re.MULTILINE
)
_LOOSE = Refusal(
    re.compile(r"(?<!\\)\{[^{}\n]*#tbl-[\w-]+"),
    "the anchor of a table without a table",
    "write it at the end of a caption, ': Caption. {#tbl-…}', below the table",
)
_OWN_SPAN = re.compile(r'\{\.(?:value|average) keys?="[^"{}]*" origin="[a-z]+"\}')


def read_prose(path: Path) -> str:
    """The text of a Markdown file; a :class:`UserError` if it is none, or too large."""
    return read_text(path, ("this text is missing", "write it"))


def check_prose(text: str, path: Path) -> list[Issue]:
    """Issues of one text: raw HTML, LaTeX or Typst, scripts, files, attributes."""
    masked = mask(text)
    loose = _refuse(_CAPTION.sub(blank, masked), text, path, (_LOOSE,))
    return loose + _refuse(masked, text, path, (*_REFUSED, _ATTRIBUTES, *_STYLES))


def check_output(text: str, path: Path) -> list[Issue]:
    """The same for a text whose expressions are replaced; their own spans may stand."""
    masked = _OWN_SPAN.sub(lambda m: " " * len(m[0]), mask_code(text))
    return _refuse(masked, text, path, (*_REFUSED, _ATTRIBUTES))


def hidden_issues(text: str, path: Path) -> list[Issue]:
    """What would be refused if it were not within code or beside a comment.

    Patterns cannot always tell what is code: Pandoc is asked where there is any.
    """
    bare = mask_expressions(text)
    if bare == mask_code(bare) and not _COMMENT.search(text):
        return []
    refused = (*_REFUSED, _ATTRIBUTES, *_STYLES)
    found = _refuse(bare, text, path, refused)
    found += [
        Issue("a comment", Place(str(path), line_at(text, comment.start())))
        for comment in islice(_COMMENT.finditer(text), 1)
    ]
    known = {str(issue) for issue in _refuse(mask(text), text, path, refused)}
    return [issue for issue in found if str(issue) not in known]


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
        for found in islice(refusal.find(masked), _TOLD)
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
    places = [found.start(1) for found in _FOOTNOTE.finditer(mask(text))]
    return _insert(f"{prefix}-", text, places)


def deeper(text: str, by: int) -> str:
    """The text with every heading that many levels deeper."""
    places = [found.start() for found in _ANY_HEADING.finditer(mask_code(text))]
    return _insert("#" * by, text, places)


def _insert(words: str, text: str, places: Iterable[int]) -> str:
    parts, done = [], 0
    for place in places:
        parts += [text[done:place], words]
        done = place
    return "".join([*parts, text[done:]])


def line_at(text: str, offset: int) -> int:
    """The line, from 1, that an offset lies on."""
    return text.count("\n", 0, offset) + 1
