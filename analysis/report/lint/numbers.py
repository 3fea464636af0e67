"""Numbers typed by hand, and the expressions that print them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analysis.errors import Issue, Place
from analysis.facts.units import MINUS
from analysis.report.expressions.expression import counts, expression_of, forms
from analysis.report.lint.names import blank_names
from analysis.report.material import Material
from analysis.report.text.paragraphs import Paragraph, paragraphs
from analysis.report.text.texts import Text

_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|fifty|hundred"
_NUMBER = re.compile(
    rf"(?<![\w.])([+{MINUS}-]?\d[\d,]*(?:\.\d+)?)\s?(%|per\s?cent)?"
    rf"|\b(?:{_WORDS})\s(?:per\s?cent|times)\b|\b\w+fold\b"
)
_SHOWN = 3


def check_numbers(text: Text, material: Material) -> list[Issue]:
    """Numbers of a text that no expression prints, each with the expression for it.

    In front and back matter only the paragraphs that print facts are looked at: the
    others hold definitions and examples.
    """
    found = []
    for paragraph in paragraphs(text.tree, text.printed):
        if text.study is not None or paragraph.keys:
            found += list(_check(paragraph, text, material))
    return found


def check_allowed(text: Text) -> list[Issue]:
    """Exceptions of a text's front matter that nothing in it needs."""
    return [
        Issue(
            f"the exception {allowed.text!r} is not in the text",
            Place(str(text.path)),
            "delete it from 'allow'",
        )
        for allowed in text.source.allow
        if allowed.text not in text.source.body
    ]


def blank_allowed(paragraph: str, text: Text) -> str:
    """A paragraph without what the front matter of its text allows."""
    for allowed in text.source.allow:
        paragraph = paragraph.replace(allowed.text, " " * len(allowed.text))
    return paragraph


def _check(paragraph: Paragraph, text: Text, material: Material) -> Iterator[Issue]:
    words = blank_names(blank_allowed(paragraph.words, text))
    for number in _NUMBER.finditer(words):
        line = paragraph.line + words.count("\n", 0, number.start())
        yield Issue(
            f"a number typed by hand: {number[0].strip()!r}",
            Place(str(text.path), line),
            _mend(number, text.study, material),
        )


def _mend(number: re.Match[str], study: str | None, material: Material) -> str:
    other = "or explain it under 'allow' in the front matter"
    if number[1] is None:
        return f"print it with delta(…) or value(…), {other}"
    wanted, percent = _bare(number[1]), bool(number[2])
    known = list(_known(material, study, percent))
    exact = [words for value, words in known if value == wanted]
    if exact:
        return f"write {' or '.join(exact[:_SHOWN])}, {other}"
    if not known:
        return f"no fact prints it; take it out, {other}"
    value, words = min(known, key=lambda k: abs(float(k[0]) - float(wanted)))
    return f"no fact prints it; the nearest is {value}, from {words}; {other}"


def _known(
    material: Material, study: str | None, percent: bool
) -> Iterator[tuple[str, str]]:
    """Numbers that facts print, each with its expression; own study's facts first."""
    facts = sorted(material.facts.facts, key=lambda f: (f.study != study, f.key))
    for fact in facts:
        call = expression_of(fact, material.studies, inside=fact.study == study)
        for printed, filter_ in forms(fact):
            found = re.match(rf"[+{MINUS}]?\d[\d,]*(?:\.\d+)?", printed)
            if found and printed.endswith("%") == percent and " to " not in printed:
                yield _bare(found[0]), f"{{{{ {call}{filter_} }}}} ({printed})"
    for call, printed in counts(material, study) if study and not percent else ():
        if printed.isdigit():
            yield printed, f"{{{{ {call} }}}}"


def _bare(number: str) -> str:
    """``1234.5`` for ``−1,234.5``; signs are matters of wording."""
    return number.lstrip(f"+{MINUS}-").replace(",", "")
