"""Characters as a reader takes them: forms of letters, digits, blanks, hyphens."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

MICRO = "\u00b5"
_SAME = {
    "\u03bc": MICRO,
    "\u2044": "/",
    "\u2236": ":",
    "\u066a": "%",
    "\u066b": ".",
    "\u066c": ",",
}
_TURNS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
# Private characters, those that turn or do not show, letters in forms of their own.
_UNFIT = re.compile(
    "[\ue000-\uf8ff\u202a-\u202e\u2066-\u2069\U000f0000-\U0010ffff"
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f"
    "\u2060-\u2064\u206a-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffc"
    "\ufb00-\ufb06\uff21-\uff3a\uff41-\uff5a\u24b6-\u24e9"
    "\U0001d400-\U0001d7cb\U0001f130-\U0001f189]"
)
_RAISED = re.compile("(?<=[^\\W\\d_])[\u00b2\u00b3\u00b9]")  # m², not 10²
_PLAIN = re.compile(r"[\t\n -~]*")


def reader_text(text: str) -> str:
    """A text in plain letters and digits, with as many lines.

    Letters lose their accents, other forms of a letter or a digit are the usual one,
    blanks and hyphens of all kinds are a blank and a hyphen: ``７３٪`` is ``73%``.
    """
    if _PLAIN.fullmatch(text):
        return text
    return "".join(map(_plain, _RAISED.sub("", text)))


def is_invisible(character: str) -> bool:
    """Whether a character does not show, or changes how those beside it are read."""
    if character in "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800":
        return True
    name = unicodedata.name(character, "")
    return unicodedata.category(character) == "Cf" or "VARIATION SELECTOR" in name


def unfit(text: str) -> Iterator[tuple[int, str, str, str]]:
    """Characters that no text may have: line, what it is, the character, the mend."""
    for found in _UNFIT.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        if unicodedata.category(found[0]) == "Co":
            what = "a character without a meaning"
            mend = "delete it and type the word again"
        elif is_invisible(found[0]) and found[0] not in _TURNS:
            what = f"a character that does not show, U+{ord(found[0]):04X},"
            mend = "delete it: reviewers and checks would read another word"
        elif found[0] not in _TURNS:
            what = "a letter in another form"
            mend = "type it as a plain letter"
        else:
            what = "a character that turns the direction of writing"
            mend = "delete it: reviewers would read another text than the page shows"
        yield line, what, found[0], mend


def fit_for(character: str) -> str:
    """What may stand in the place of a character that is not fit; often nothing."""
    if is_invisible(character) or unicodedata.category(character) == "Co":
        return ""
    return unicodedata.normalize("NFKC", character)


@cache
def _plain(character: str) -> str:
    if character in _SAME:
        return _SAME[character]
    kind = unicodedata.category(character)
    if character == MICRO or character == "\n":
        return character
    if kind == "Nd":
        return str(unicodedata.decimal(character))
    if kind == "Zs":
        return " "
    if character in "\u2010\u2011\ufe63\uff0d":
        return "-"
    if kind == "Mn" or is_invisible(character):
        return ""
    parts = unicodedata.normalize("NFKD", character) if kind[0] in "LNPS" else character
    bare = "".join(part for part in parts if unicodedata.category(part) != "Mn")
    if kind == "No" and len(bare) > 1 and not bare[0].isalnum():
        bare = re.sub(r"[^\d/]", "", bare)  # ⑴ and ⒈
    return "".join(_SAME.get(part, part) for part in bare) if bare else character
