"""Reasons for differences that nobody published.

Of a generated campaign somebody chose every size. Where a source printed it, its reason
may be told; where the size is assumed or free, there is nothing that a reason could be
of, whether its author marked the words as unchecked or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from analysis.report.lint.finding import Finding
from analysis.report.lint.page_texts import PageText
from analysis.report.material import Material
from analysis.report.text.sentences import sentences

_REASON = re.compile(
    r"\b(?:because|(?:likely|probable|possible|one|the|a) reasons?\b|due to|owing to"
    r"|thanks to|(?:that|this|which) is why|explain(?:s|ed)\b|caused? by|as a result of"
    r"|stems? from|comes? of\b|on account of|since (?:the|its|each|every|it|they))\b",
    re.IGNORECASE,
)
_CITED = re.compile(r"@(?!fig-|sec-|tbl-)\w")


def check_reasons(
    passages: Iterable[PageText], material: Material
) -> Iterator[Finding]:
    """Sentences with a reason, in a passage that prints an assumed or free change."""
    deltas = (fact for fact in material.facts.facts if fact.kind == "delta")
    chosen = {fact.key: fact for fact in deltas if fact.chosen}
    if not chosen:
        return
    for passage in passages:
        found = [chosen[key] for key in sorted(passage.keys) if key in chosen]
        if not found or _CITED.search(passage.source):
            continue
        for sentence in sentences(passage.words.replace("\n", " ")):
            if reason := _REASON.search(sentence.words):
                what = (
                    f"{reason[0]!r} gives a reason beside {found[0].key}, whose size "
                )
                what += f"is {found[0].chosen}: nobody published it"
                mend = "leave the reason out, or print published changes alone"
                at = sentence.start + reason.start()
                yield Finding("error", "lint", passage.issue(what, at, mend))
