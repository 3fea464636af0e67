"""Numbers in a sentence in every dress: digits, words, fractions, ratios, multiples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from analysis.facts.units import MINUS

Dress = Literal["digits", "words", "share", "fraction", "ratio", "multiple"]
_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six",
    "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = (
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
)  # fmt: skip
_LARGE = {"dozen": 12, "score": 20, "hundred": 100, "thousand": 1000}
_LARGE |= {"million": 10**6, "billion": 10**9}
_VALUES = {word: value for value, word in enumerate(_SMALL)}
_VALUES |= {word: 20 + 10 * place for place, word in enumerate(_TENS)}
_WORD = "|".join((*_VALUES, *_LARGE))
_WORDS = rf"(?:{_WORD})(?:s\b)?(?:[\s-]+(?:and[\s-]+)?(?:{_WORD}))*(?:-odd)?"
_NUMERAL = (
    rf"(?:a(?:n)?\s(?=dozen|score|hundred|thousand|million|billion))?\b{_WORDS}\b"
)
_DIGITS = (
    rf"(?:[+{MINUS}\u00b1~-]?\d[\d,]*(?:[ \u202f]\d{{3}}(?!\d))*(?:\.\d+)?"
    r"(?:[eE][+-]?\d+)?"
    r"(?:\s?[\u00d7x*]\s?10\^?-?\d*)?(?:/\d+)?(?:[kM]?\b|(?=[^\W\d_]))|[+\u2212\u00b1~-]?\.\d+)"
)
_PERCENT = (
    r"(?:\s?(?:%|\u2030|\u2031)|[\s-]*per[\s-]?(?:cent|mille)(?:age\spoints?)?\b|"
    r"\s?pct\b|\s?(?:percentage\s)?points?\b)"
)
_PARTS = (
    r"half|halves|thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|"
    r"tenths?|twelfths?|twentieths?|hundredths?|thousandths?"
)
_N = rf"(?:{_DIGITS}|{_NUMERAL})"
_NUMBER = re.compile(
    rf"""
    (?P<share>(?<![\w.]){_DIGITS}{_PERCENT}|\b{_NUMERAL}{_PERCENT}
      |\ba(?:n)?\s?per\s?cent\b)
    |(?P<ratio>\bfactors?[ ]of[ ](?:about[ ]|nearly[ ]|over[ ])?(?:{_N}|[IVXLC]+\b)
      |\b{_N}(?:\s?:\s?\d[\d,.]*\b|[ ]to[ ]one\b)
      |\b{_N}[ ](?:out[ ]of|in|of)[ ](?:every[ ]|each[ ]|a[ ])?{_N}\b(?![ ]?{_PERCENT})
      |\b{_N}[ ][^\W\d]+[ ](?:out[ ])?of[ ](?!one\b){_N}\b
        (?![ ]?{_PERCENT})(?![ ]+[^\W\d-]*s\b)
      |\bone[ ][^\W\d]+[ ]in[ ](?:every[ ])?(?!one\b){_N}\b
        (?![ ]?(?:second|minute|hour|day|week|month|year|step|way|part)s?\b)
      |\b(?:an?|each)[ ](?:kilo|mega|giga|tera)(?:byte|bit)s?[ ]
        (?:a|per|each|every)[ ]second\b
      |\b(?:low|mid|high|upper|lower)[ -](?:teens|twenties|thirties|forties|fifties|
        sixties|seventies|eighties|nineties)\b|\bin[ ]the[ ]teens\b
      |\b(?:every|each)[ ](?:\d+(?:st|nd|rd|th)|(?:third|fourth|fifth|sixth|seventh|
        eighth|ninth|tenth|twentieth|hundredth))\b)
    |(?P<multiple>(?<![\w.]){_DIGITS}\s?(?:\u00d7|x\b|times\b|-?fold\b)
      |\b{_NUMERAL}[\s-]*(?:times\b|fold\b)|\b(?:{_WORD})fold\b
      |\bone[ ]and[ ]a[ ]half\b|\bthrice\b)
    |(?P<fraction>\b(?:an?|one|two|three|four|five|six|seven|eight|nine)[ -]
      (?:{_PARTS})(?:[ ]of\b|[ ]less\b|[ ]more\b|[ ]as\b|[ ]that\b|[ ]the\b|[ ]longer\b
        |[ ](?:hundred|thousand|million|billion|dozen)\b
        |[ ]shorter\b|[ ]lower\b|[ ]higher\b|[ ]again\b|(?=\W*$)|(?=[.,;:!?]))
      |\b(?:two|three|four|five|six|seven|eight|nine)[ -](?:{_PARTS})\b)
    |(?P<digits>(?<![\w.]){_DIGITS})
    |(?P<words>\b(?:a[ ]couple[ ]of[ ](?:{_WORD})|{_NUMERAL}))
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Sentences without any of these have no number; most are read no further.
_HINT = re.compile(
    rf"\d|\.\d|\b(?:(?:{_WORD})s?|{_PARTS}|factors?|thrice|per)\b"
    r"|(?:cent|fold|teens|ties|bytes?|bits?)\b",
    re.IGNORECASE,
)
# Words after which no noun that is counted can follow.
_STOPS = {
    "is", "are", "was", "were", "has", "have", "had", "can", "could",
    "may", "might", "will", "would", "do", "does", "did", "that", "which",
    "who", "and", "or", "but", "to", "in", "on", "at", "by",
    "with", "without", "for", "from", "as", "than", "when", "while", "if",
    "so", "not", "after", "before", "until", "since", "because", "where", "it",
    "they", "we", "one",
}  # fmt: skip
_THROUGH = {
    "of", "the", "these", "those", "all", "its", "our", "their", "such", "other",
    "more",
}  # fmt: skip
_CPU_TIME = re.compile(r"\s*(?:more |of )?CPU[ -](?:second|minute|hour)s?\b")
_HALVES = re.compile(r"\b(?:a|one)[ -]half\b", re.IGNORECASE)


@dataclass(frozen=True)
class TypedNumber:
    """A number: where it stands, its words, its dress, its value if that is plain.

    ``noun`` is what it counts, in the singular; empty where the words do not tell.
    """

    start: int
    text: str
    dress: Dress
    value: float | None
    noun: str

    @property
    def typed(self) -> bool:
        """Whether it is written in digits."""
        return any(character.isdigit() for character in self.text)


def quantities(words: str) -> Iterator[TypedNumber]:
    """The numbers of a text in which line ends are blanks, in order.

    Half of something is no number here; that is a matter of words.
    """
    for found in _NUMBER.finditer(words) if _HINT.search(words) else ():
        text, dress = found[0].strip(), found.lastgroup
        if dress == "fraction" and _HALVES.match(text):
            continue
        lone = dress == "words" and text.lower() in ("one", "score", "scores", "zero")
        if not lone:
            noun = noun_after(words[found.end() :])
            yield TypedNumber(
                found.start(), text, _as_dress(dress), value_of(text), noun
            )


def noun_after(words: str) -> str:
    """The noun that a number before these words counts, in the singular; or empty."""
    if _CPU_TIME.match(words):
        return "second"
    clause = re.split(r"[.,;:!?()|\ufffc]", words, maxsplit=1)[0]
    for word in re.findall(r"[^\W\d_]+|\u00b5s", clause)[:5]:
        bare = word.lower()
        if bare in _STOPS:
            return ""
        if bare in _THROUGH or bare in _VALUES:
            continue
        if bare.endswith("s") and not bare.endswith("ss"):
            return singular(bare)
    return ""


def singular(word: str) -> str:
    """``study`` for ``studies``, ``run`` for ``runs``."""
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and len(word) > 2 else word


def value_of(text: str) -> float | None:
    """The value of a number in digits or words; None of one that is neither."""
    digits = re.match(rf"[+{MINUS}\u00b1~-]?([\d,]+(?: \d{{3}})*(?:\.\d+)?)", text)
    if digits:
        return float(digits[1].replace(",", "").replace(" ", "") or 0)
    total = part = 0
    for word in re.findall(r"[a-z]+", text.lower()):
        if word in _VALUES:
            part += _VALUES[word]
        elif (bare := word.rstrip("s")) in _LARGE:
            part = max(part, 1) * _LARGE[bare]
            total, part = (total + part, 0) if _LARGE[bare] >= 1000 else (total, part)
    return float(total + part) if total + part else None


def _as_dress(name: str | None) -> Dress:
    dresses: dict[str, Dress] = {
        "share": "share",
        "ratio": "ratio",
        "multiple": "multiple",
        "fraction": "fraction",
        "digits": "digits",
        "words": "words",
    }
    return dresses[name or "digits"]
