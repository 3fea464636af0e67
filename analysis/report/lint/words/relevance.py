"""Which sentences tell results, and which explain, advise, ask or speak of others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from analysis.report.lint.words.mention import Mention
from analysis.report.lint.words.passages import Span, TextBlock
from analysis.report.lint.words.said import (
    asked,
    modal,
    supposed,
    told_of_others,
    unknown,
)
from analysis.report.lint.words.senses import Word

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
    r"\b(?:comparisons?|verdicts?|results?|findings?|settings?|workloads?|traffic"
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
    r"|everything that)\b",
    re.IGNORECASE,
)
# Verbs of how something is made, works or is shown.
_NEUTRAL = re.compile(
    r"\b(?:st[ao][no]ds? (?:for|with|beside)|fits?|means?|denot\w+|called|measur\w+"
    r"|compar\w+"
    r"|consists?|carr(?:y|ies|ied)|contain\w*|opens?|clos\w+|sen[dt]s?|receiv\w+"
    r"|wait\w*"
    r"|repeat\w*|differs? (?:from|in)|exchang\w+|sign(?:s|ed)?|encrypt\w*|deriv\w+"
    r"|divid\w+"
    r"|count\w*|comput\w+|taken|comes? from|shows?|shown|draw\w*|drawn|list\w*"
    r"|describ\w+"
    r"|defin\w+|includ\w+|consider|stud(?:y|ied)|speaks? of|nam(?:es|ed)|read"
    r"|writes?|wrote"
    r"|start\w*|finish\w*|joins?|pass(?:es|ed)?|handles?|serves?|served|says? (?:why"
    r"|that|how)|tells?"
    r"|asks? (?:for|with)|asked|of interest|in question|holds? for|works? (?:like|as"
    r"|by|through)"
    r"|excluded|left out|interval|scheduler|spent|use[sd]?|runs?|ran|figures?)\b",
    re.IGNORECASE,
)
_HEADING = re.compile(r"\W*(?:what|how|which|why) ", re.IGNORECASE)
_LINKS = re.compile(r"\b(?:the|of|for|at|in|on|and|an?|to|with|by|its?|median)\b", re.I)
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
    if asked(words, sentence) or supposed(words, clause) or unknown(words, sentence):
        return False
    if told_of_others(words, clause) or told_of_others(words, sentence):
        return False
    said = words[sentence.start : sentence.end]
    if place == "observations":
        if own:
            compared = {m.dimension for m in own} & {"workload", "metric"}
            return bool(compared) or not modal(words, clause)
        leans = passage.around or passage.kind in ("cell", "heading", "caption")
        return bool(leans or _LEANS.match(said) or _RESULT.search(said)) and not modal(
            words, clause
        )
    if prints or _TELLS.search(said):
        return True
    if place == "declaration":
        return bool(own)
    if place == "study":
        kinds = {m.dimension for m in own}
        return "configuration" in kinds and bool(kinds & {"metric", "workload", "role"})
    if any(m.dimension in ("metric", "role") for m in own) and _PAST.search(said):
        return True
    return _names_compared(own) and not modal(words, clause)


def _names_compared(own: Sequence[Mention]) -> bool:
    """Whether a sentence names a setting, or a workload by name, that was compared."""
    if any(m.dimension == "configuration" for m in own):
        return True
    exact = any(m.dimension == "workload" and len(m.names) == 1 for m in own)
    return exact and not all(m.loose for m in own)


def speaks(
    word: Word, clause: Span, mentions: Sequence[Mention], passage: TextBlock
) -> bool:
    """Whether a word of sameness is said of something that was measured."""
    if word.sense.kind != "same" or passage.around:
        return True
    named = {m.dimension for m in mentions if clause.holds(m.start)}
    said = passage.words[clause.start : clause.end]
    return bool(
        named & {"metric", "workload", "role"}
        or _LEANS.match(said)
        or _RESULT.search(said)
        or "runs" in said
    )


def unknown_words(words: str, clause: Span, mentions: Sequence[Mention]) -> bool:
    """Whether a clause names what was compared, and says what no table of words knows.

    It names a metric with what it is of, or a setting with what it is of.
    """
    inside = [m for m in mentions if clause.holds(m.start)]
    own = {m.dimension for m in inside if not (m.loose and m.dimension == "workload")}
    whose = own & {"workload", "role"}
    named = ("metric" in own and (whose or "configuration" in own)) or (
        "configuration" in own and whose
    )
    named = named or own >= {"workload", "role"}
    said = words[clause.start : clause.end]
    if not named or _NEUTRAL.search(said) or _HEADING.match(said):
        return False
    for mention in inside:
        said = said.replace(mention.text, " ")
    return bool(re.search(r"[a-z]{2}", _LINKS.sub(" ", said)))
