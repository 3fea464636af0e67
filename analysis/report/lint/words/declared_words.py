"""The words of what an edition declares: names of things, which say nothing of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from analysis.report.lint.words.senses import words_that_assert
from analysis.report.material import Material

_PART = re.compile(r"[-/+]")
_WORD = re.compile(r"[^\W\d_](?:[\w’'.+/-]*\w)?")


def declared_words(material: Material, studies: Collection[str]) -> frozenset[str]:
    """The words, in small letters, of titles, labels, details and metrics.

    Words that assert something are none of them.
    """
    found = set[str]()
    for text in declared_texts(material, studies):
        blank = text
        for word in words_that_assert(text):
            blank = blank[: word.start] + " " * len(word.text) + blank[word.end :]
        for match in _WORD.finditer(blank):
            found |= {match[0].lower(), *_PART.split(match[0].lower())}
    return frozenset(found)


def declared_texts(material: Material, studies: Collection[str]) -> Iterator[str]:
    """The titles, labels, details and metrics of some studies."""
    campaigns = material.campaigns
    for id in studies:
        study = material.studies[id]
        yield f"{study.title} {study.question}"
        for name in study.campaigns:
            declared = campaigns[name].configurations
            for configuration in map(declared.get, study.configurations):
                if configuration:
                    yield configuration.label
                    details = configuration.details.items()
                    yield from (f"{key} {value}" for key, value in details)
    own = set(studies)
    metrics = {fact.metric for fact in material.facts.facts if fact.study in own}
    for id in metrics:
        yield " ".join((material.metrics[id].label, *material.metrics[id].words))
