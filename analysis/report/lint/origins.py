"""Sentences that call measured what no system ever measured."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from analysis.report.lint.finding import Finding
from analysis.report.lint.page_texts import PageText
from analysis.report.material import Material
from analysis.report.text.sentences import sentences

_OURS = (
    r"(?:all|these|our|its|the|this (?:report|edition|study)'s)\s+(?:of\s+\w+\s+)?"
    r"(?:numbers|results|values|runs|data|rates|figures|measurements)"
)
_MEASURED = re.compile(
    rf"\b(?:{_OURS}\b[^,;:]*\b(?:measured|from real|taken from a real)\b"
    rf"|(?:as|we|who|that|which|laboratory|team)\s+(?:have |has |was |were )?measured\b"
    rf"(?!\s+(?:with|by a))|measured\s+{_OURS}|our (?:own )?measurements?\b)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:no|not|nobody|none|never|nothing|published|synthetic|where|if|until)\b",
    re.IGNORECASE,
)


def check_origins(
    passages: Iterable[PageText], material: Material
) -> Iterator[Finding]:
    """Of an edition without a measured fact: sentences that speak of measuring it."""
    if not material.origins() or "measured" in material.origins():
        return
    origins = " and ".join(material.origins())
    for passage in passages:
        flat = passage.words.replace("\n", " ")
        for sentence in sentences(flat):
            found = _MEASURED.search(sentence.words)
            if found and not _DENIED.search(sentence.words):
                what = f"'{found[0]}', and no fact of this edition is measured"
                mend = f"say that the data are {origins}"
                issue = passage.issue(what, sentence.start + found.start(), mend)
                yield Finding("held", "lint", issue)
