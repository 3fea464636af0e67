"""The words of what an edition declares: names of things, which say nothing of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from analysis.report.lint.words.senses import words_that_assert
from analysis.report.material import Material
from analysis.report.text.glossary import read_glossary

_PART = re.compile(r"[-/+]")
_WORD = re.compile(r"[^\W\d_](?:[\w’'.+/-]*\w)?")


def declared_words(material: Material, studies: Iterable[str]) -> frozenset[str]:
    """The words, in small letters, of titles, labels, details, metrics and terms.

    Words that assert something are none of them.
    """
    found = set[str]()
    for text in _texts(material, studies):
        blank = text
        for word in words_that_assert(text):
            blank = blank[: word.start] + " " * len(word.text) + blank[word.end :]
        for match in _WORD.finditer(blank):
            found |= {match[0].lower(), *_PART.split(match[0].lower())}
    return frozenset(found)


def _texts(material: Material, studies: Iterable[str]) -> Iterator[str]:
    campaigns = material.campaigns
    for id in studies:
        study = material.studies[id]
        yield study.title
        for name in study.campaigns:
            for configuration in campaigns[name].configurations.values():
                yield configuration.label
                for key, value in configuration.details.items():
                    yield f"{key} {value}"
    for metric in material.metrics.values():
        yield " ".join((metric.label, *metric.words))
    for written, term in read_glossary(material.folder).items():
        yield f"{written} {term.name}"
