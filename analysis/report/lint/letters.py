"""Letters and languages that no check of words can read, and signs instead of words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from analysis.report.lint.finding import Finding, Severity
from analysis.report.lint.page_texts import PageText
from analysis.report.text.characters import MICRO, is_invisible
from analysis.report.text.sentences import sentences

_TOKEN = re.compile(r"[^\W_]{2,}")
_APART = re.compile(r"(?<![\w.])(?:[^\W\d_] ){3,}[^\W\d_](?!\w)")
# Letters that pass for digits: 7O, l0.
_AS_DIGITS = re.compile(r"(?<![\w.])(?=[OolI]*\d)(?=\d*[OolI])[\dOolI]{2,}(?![\w(])")
_ARROWS = re.compile("[\u2190-\u21ff\u2b00-\u2b4f\u27f0-\u27ff\u2713-\u2718\u2714]")
_ORDER = re.compile(
    r"\w+\)?\s*[<>\u2264\u2265\u226a\u226b]\s*\w+"
    r"|\b[A-Z]\w*\)?\s[=\u2248\u2245]\s[A-Z]\w*"
)
_CODE = re.compile(r"`[^`\n]*`")
# How a sentence of another language is known: it has words that English does not have
# and that hardly a sentence of that language does without, and more of them than of
# the English ones. That is honest and small: a dictionary would know more, and weigh
# more than all other checks together. Words that both languages have are in neither.
_ENGLISH = frozenset(
    {
        "the", "of", "and", "to", "is", "it", "for", "that", "with", "by", "from",
        "are", "was", "were", "be", "this", "which", "as", "than", "not", "its",
        "their", "both", "each", "when", "where", "how", "what", "why", "or", "if",
        "has", "have", "no", "at", "in", "an", "on",
    }
)  # fmt: skip
_FOREIGN = frozenset(
    {
        # German and Dutch
        "der", "das", "und", "ist", "sich", "den", "dem", "von", "mit", "ohne",
        "nicht", "ein", "eine", "einen", "einer", "auf", "wird", "werden", "sind",
        "bei", "als", "wie", "zu", "zum", "zur", "nur", "auch", "mehr", "weniger",
        "het", "een", "niet", "voor", "zonder", "wordt", "maar", "dan",
        # French
        "le", "les", "des", "du", "et", "est", "une", "dans", "par", "pour", "sans",
        "avec", "cette", "que", "qui", "aux", "sont", "moins", "ses", "sur",
        # Spanish, Portuguese, Italian
        "el", "los", "las", "del", "y", "se", "por", "una", "sin", "con", "para",
        "cuando", "entre", "e", "uma", "com", "sem", "na", "nas", "mais", "di",
        "il", "gli", "che", "della", "delle", "senza", "piu", "sono", "nel", "la",
        # Scandinavian, Polish, Czech
        "och", "att", "som", "av", "uten", "utan", "er", "med", "ikke", "inte", "jest",
        "sie", "nie", "bez", "przy", "je", "pri", "ve",
        # Latin that stands for numbers or for results
        "dimidium", "duplum", "mutatis", "mutandis",
    }
)  # fmt: skip
_RESULTS = frozenset(
    {
        "halb", "halbiert", "doppelt", "verdoppelt", "sinkt", "steigt",
        "schneller", "langsamer", "prozent", "drittel", "viertel", "halfte",
        "zwei", "drei", "zehn", "moitie", "augmente", "diminue",
        "baisse", "deux", "trois", "mitad", "aumenta", "disminuye",
        "tercio", "dimidium", "duplum", "helft", "daalt", "stijgt",
        "halveras", "polowa", "raddoppia", "dimezza",
    }
)  # fmt: skip
_QUOTED = re.compile(r"\"[^\"]*\"|\u201c[^\u201d]*\u201d|\u2018[^\u2019]*\u2019")


def check_letters(passage: PageText) -> Iterator[Finding]:
    """What of a passage no check can read, or reads as something else than people."""
    words = _CODE.sub(lambda found: " " * len(found[0]), passage.words)
    flat = words.replace("\n", " ")
    yield from _characters(passage)
    for found in _TOKEN.finditer(flat):
        if found[0].isascii():
            continue
        scripts = {_script(letter) for letter in found[0]} - {""}
        digits = any(letter.isdigit() for letter in found[0])
        if len(scripts) > 1 or (digits and scripts - {"LATIN"}):
            what = f"letters of two scripts in a word: {found[0]!r}"
            yield _told("error", passage, found.start(), what, "type the word again")
        elif scripts - {"LATIN"}:
            what = f"a word in letters that are not Latin: {found[0]!r}"
            yield _told("held", passage, found.start(), what, "write it in English")
    for found in _AS_DIGITS.finditer(flat):
        what = f"letters for digits: {found[0]!r}"
        yield _told("error", passage, found.start(), what, "print the number")
    for found in _APART.finditer(flat):
        what = f"letters set apart: {found[0]!r}"
        yield _told("held", passage, found.start(), what, "write it as one word")
    yield from _signs(passage, flat)
    yield from _languages(passage, flat)


def _characters(passage: PageText) -> Iterator[Finding]:
    """Declarations are read by no parser that refuses what does not show."""
    if passage.kind == "entry":
        for found in filter(is_invisible, passage.source):
            what = f"a character that does not show: U+{ord(found):04X}"
            yield _told("error", passage, 0, what, "delete it")


def _signs(passage: PageText, flat: str) -> Iterator[Finding]:
    """Arrows, pictures and signs of order that say what words would have to claim."""
    if passage.kind not in ("observations", "study", "entry"):
        return
    for at, character in enumerate("" if flat.isascii() else flat):
        picture = (
            unicodedata.category(character) in ("So", "Sk") and ord(character) > 255
        )
        if _ARROWS.match(character) or (picture and character not in "\ufffc\u2713"):
            what = f"a sign in the place of words: {character!r}"
            yield _told("held", passage, at, what, "say it in words, and claim it")
    for found in _ORDER.finditer(flat):
        what = f"a comparison by a sign: {found[0]!r}"
        yield _told(
            "held", passage, found.start(), what, "say it in words, and claim it"
        )


def _languages(passage: PageText, flat: str) -> Iterator[Finding]:
    if passage.kind == "campaign" or passage.entry.startswith("authors"):
        return
    for sentence in sentences(_QUOTED.sub(lambda q: " " * len(q[0]), flat)):
        written = re.findall(r"[^\W\d_]+", sentence.words)
        read = [word.lower() for word in written]
        common = [w for n, w in enumerate(written) if n == 0 or w[0].islower()]
        foreign = [word.lower() for word in common if word.lower() in _FOREIGN]
        english = sum(word in _ENGLISH for word in read)
        told = [word for word in read if word in _RESULTS]
        least = 3 if english else 2
        if told or (len(foreign) >= least and len(foreign) > english):
            what = f"a sentence that is not English: {', '.join([*told, *foreign][:3])}"
            mend = "write it in English, which the checks can read"
            yield _told("held", passage, sentence.start, what, mend)


def _script(letter: str) -> str:
    """LATIN, GREEK, CYRILLIC …; none of a sign such as that of micro."""
    if (
        letter == MICRO
        or letter.isdigit()
        or letter in "\u2126\u212b\u00ba\u00aa\u03a9"
    ):
        return ""
    return unicodedata.name(letter, "").partition(" ")[0]


def _told(
    severity: Severity, passage: PageText, at: int, what: str, mend: str
) -> Finding:
    return Finding(severity, "lint", passage.issue(what, at, mend))
