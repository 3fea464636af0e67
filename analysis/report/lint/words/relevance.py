"""Which sentences tell results, and which explain, advise, ask or speak of others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from analysis.report.lint.words.mention import Mention
from analysis.report.lint.words.said import (
    asked,
    modal,
    supposed,
    told_of_others,
    unknown,
)
from analysis.report.lint.words.senses import Word
from analysis.report.lint.words.text_blocks import Span, TextBlock, marks

Place = Literal["observations", "study", "edition", "declaration"]
_LEANS = re.compile(
    r"^\W*(?:and |but |so |yet )?(?:it|its|they|their|this|that|these|those|both"
    r"|neither|nor"
    r"|so|the (?:same|former|latter|opposite|reverse|other|first|second|loss|gain"
    r"|saving)|"
    r"here|there|what)\b",
    re.IGNORECASE,
)
_RESULT = re.compile(
    r"\b(?:(?:earl(?:y|ier)|late[rs]t?|first|last|all|every|each|no) runs?|repetitions?"
    r"|comparisons?|verdicts?|results?|findings?|settings?|workloads?|traffic"
    r"|answers?"
    r"|runs? of|loss(?:es)?|gains?|savings?|both paths|changes|outcome|kinds? of"
    r"|effects?|price)\b",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"\b(?:this study|these studies|the results?|results below|in our runs"
    r"|our (?:own )?runs"
    r"|on this machine|this machine|turned out|we (?:saw|see|found|find|measured)"
    r"|this study"
    r"|stud(?:y|ies) (?:finds?|shows?|that (?:finds?|shows?))|during the measurements?"
    r"|in short|in advance|taken together|in this report|in (?:all|every) (?:\w+ )?stud"
    r"|the (?:twins|control)|the finding|of all runs|runs (?:had|failed)|(?:no|every"
    r"|all|most|none of the|three|two)"
    r" (?:\w+ )?(?:comparisons?|changes?|workloads?|streams?)|of the \w+ workloads"
    r"|any of the workloads"
    r"|everything that|(?:and )?so it (?:was|is)|as (?:one would )?expected)\b",
    re.IGNORECASE,
)
# Quantities that no metric is of, more or less.
_UNMEASURED = re.compile(
    r"\b(?:fewer|less|more|lower|higher|smaller|larger|no) (?:\w+ )?(?:retransmi\w+"
    r"|packet loss(?:es)?|(?:lost|dropped) packets|jitter|memory|storage|buffers?"
    r"|interrupts|context switches|cache misses|power|energy|heat)\b",
    re.IGNORECASE,
)
# What no run of a study shows: other workloads and machines, and how runs follow.
_BEYOND = re.compile(
    r"(?<!\ball )(?<!\bthe )\b(?:other|further|larger|smaller|faster|slower|real"
    r"|physical|future) (?:workloads?|machines?|hosts?|adapters?|systems?|kernels?"
    r"|drivers?|platforms?|releases?|links?|networks?|processors?)\b|\belsewhere\b"
    r"|\banywhere\b|\bha(?:s|ve|d) always\b|\bin production\b"
    r"|\b(?:early|earlier|earliest|later|latest|first|last) (?:runs?|repetitions?)\b",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(?:was|were|did|had)\b", re.IGNORECASE)


def tells_result(
    passage: TextBlock,
    sentence: Span,
    clause: Span,
    own: Sequence[Mention],
    place: Place,
    prints: bool,
) -> bool:
    """Whether a clause tells a result of the edition, so that its words need backing.

    ``own`` is what its sentence names, ``prints`` whether the passage prints a value.
    Observations tell results wherever they speak of what was compared. Other texts
    explain, unless they say whose results they tell, name what was compared, or print.
    """
    words = passage.words
    if leaves_open(passage, sentence, clause):
        return False
    said = words[sentence.start : sentence.end]
    if place == "observations":
        if own:
            return True
        leans = passage.around or passage.kind in ("cell", "heading", "caption")
        if reaches_beyond(passage, sentence, own):
            return True
        return bool(leans or _LEANS.match(said) or _RESULT.search(said)) and not modal(
            words, clause
        )
    if prints or _TELLS.search(said):
        return True
    if place == "declaration":
        return bool(own) or (not passage.around and len(passage.sentences) == 1)
    if place == "study":
        kinds = {m.dimension for m in own}
        return "configuration" in kinds and bool(kinds & {"metric", "workload", "role"})
    if any(m.dimension in ("metric", "role") for m in own) and _PAST.search(said):
        return True
    return _names_compared(own) and not modal(words, clause)


def leaves_open(passage: TextBlock, sentence: Span, clause: Span) -> bool:
    """Whether a clause asks, supposes, says what is unknown, or tells of others."""
    words = passage.words
    if asked(words, sentence) or supposed(words, clause) or unknown(words, sentence):
        return True
    return told_of_others(words, clause) or told_of_others(words, sentence)


def reaches_beyond(
    passage: TextBlock, sentence: Span, mentions: Sequence[Mention]
) -> bool:
    """Whether a sentence that prints nothing speaks of what no run of a study shows."""
    if weighs_unmeasured(passage, sentence):
        return True
    found = _BEYOND.search(passage.words, sentence.start, sentence.end)
    if not found or any(marks(passage.words, sentence)):
        return False
    exact = (m for m in mentions if not m.loose)
    return not any(found.start() <= m.start < found.end() for m in exact)


def weighs_unmeasured(passage: TextBlock, span: Span) -> bool:
    """Whether words say that there is more or less of what nobody measured."""
    return bool(_UNMEASURED.search(passage.words, span.start, span.end))


def _names_compared(own: Sequence[Mention]) -> bool:
    """Whether a sentence names a setting, or a workload by name, that was compared."""
    if any(m.dimension == "configuration" for m in own):
        return True
    exact = any(m.dimension == "workload" and len(m.names) == 1 for m in own)
    return exact and not all(m.loose for m in own)


def speaks(
    word: Word, clause: Span, mentions: Sequence[Mention], passage: TextBlock
) -> bool:
    """Whether a word of sameness is said of something that was measured.

    *So has its response* repeats no result where the passage prints none.
    """
    if word.sense.kind == "again":
        return any(marks(passage.words, Span(0, len(passage.words))))
    if word.sense.kind != "same" or passage.around or passage.kind == "title":
        return True
    named = {m.dimension for m in mentions if clause.holds(m.start)}
    said = passage.words[clause.start : clause.end]
    return bool(
        named & {"metric", "workload", "role"}
        or _LEANS.match(said)
        or _RESULT.search(said)
        or "runs" in said
    )
