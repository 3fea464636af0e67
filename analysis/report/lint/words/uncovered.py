"""Clauses about what was compared that say what no table of words knows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analysis.report.lint.quantities import value_of
from analysis.report.lint.words.mention import Mention
from analysis.report.lint.words.relevance import weighs_unmeasured
from analysis.report.lint.words.said import compares_with_others, modal, supposed
from analysis.report.lint.words.senses import Word
from analysis.report.lint.words.text_blocks import Span, TextBlock, marks

# Verbs of how something is made, works or is shown.
_NEUTRAL = re.compile(
    r"\b(?:st[ao][no]ds? (?:for|with|beside)|fits?|means?|denot\w+|called|measur\w+"
    r"|compar(?:e[sd]?|ing)"
    r"|dealt with|consists?|carr(?:y|ies|ied)|contain\w*|opens?|clos\w+"
    r"|sen[dt]s?|receiv\w+"
    r"|wait\w*"
    r"|repeat\w*|differs? (?:from|in)|exchang\w+|sign(?:s|ed)?|encrypt\w*|deriv\w+"
    r"|divid\w+"
    r"|count\w*|comput\w+|taken|comes? from|shows?|shown|draw\w*|drawn|list\w*"
    r"|describ\w+"
    r"|defin\w+|includ\w+|consider|stud(?:y|ied)|speaks? of|nam(?:es|ed)|read"
    r"|writes?|wrote"
    r"|start\w*|finish\w*|joins?|pass(?:es|ed)?|handles?|serves?|served|says? (?:why"
    r"|that|how)|tells?"
    r"|asks? (?:for|with)|asked|of interest|in question|ma[dk]es? up|works? (?:like|as"
    r"|by|through)"
    r"|excluded|left out|interval|scheduler|spent|use[sd]?|runs?(?! out)"
    r"|ran|figures?)\b",
    re.IGNORECASE,
)
_HEADING = re.compile(r"\W*(?:what|how|which|why) [^.]*$", re.IGNORECASE)
_LINKS = re.compile(r"\b(?:the|of|for|at|in|on|and|an?|to|with|by|its?|median)\b", re.I)
_TIMES = r"(?:day|week|month|hour|night|evening|morning|afternoon)"
_APART = re.compile(
    rf"\b{_TIMES}s? (?:after|before|later|earlier|apart)\b"
    rf"|\b(?:next|following|previous) {_TIMES}\b|\bone after the other\b"
    r"|\b(?:after|before) (?:those|the runs|all runs|any run) of\b",
    re.IGNORECASE,
)
_ADVISES = re.compile(
    r"\b(?:should|must|ought to|had better|recommend\w*|advis\w+|do without"
    r"|no (?:reason|need)|nothing (?:\w+ )?against|safe(?:ly)?)\b",
    re.IGNORECASE,
)


def uncovered(
    passage: TextBlock,
    sentence: Span,
    clause: Span,
    mentions: Sequence[Mention],
    asserting: Sequence[Word],
    prints: bool,
) -> bool:
    """Whether nothing is printed beside such a clause, and no words tell it again.

    ``asserting`` are the words of the passage that assert something.
    """
    if any(marks(passage.words, sentence)):
        return False
    if passage.lead and sentence.start == 0 and prints:
        return False  # a sentence in bold sums up values that follow
    said, after = passage.words[clause.start : clause.end], clause.end
    again = Span(after, sentence.end) if said.rstrip().endswith(":") else Span(0, 0)
    if any(again.holds(word.start) for word in asserting):
        return False
    if weighs_unmeasured(passage, clause):
        return True
    if supposed(passage.words, sentence) and modal(passage.words, clause):
        return False
    if _ADVISES.search(said) and not prints:
        own = {m.dimension for m in mentions if clause.holds(m.start)}
        return "configuration" in own
    return _unknown_words(passage.words, sentence, clause, mentions)


def likened(passage: TextBlock, sentence: Span, clause: Span) -> bool:
    """Whether a clause compares what others published, and prints nothing of it."""
    said = passage.words[clause.start : clause.end]
    return compares_with_others(said) and not any(marks(passage.words, sentence))


def apart(passage: TextBlock, clause: Span, mentions: Sequence[Mention]) -> bool:
    """Whether a clause says when runs of a configuration were made: runs.csv knows."""
    own = (m for m in mentions if clause.holds(m.start) and not m.loose)
    named = any(m.dimension == "configuration" for m in own)
    return named and bool(_APART.search(passage.words, clause.start, clause.end))


def _unknown_words(
    words: str, sentence: Span, clause: Span, mentions: Sequence[Mention]
) -> bool:
    """Whether a clause names what was compared, and says what no table of words knows.

    It names a metric with what it is of, a setting with what it is of, or a workload
    by its name or as its subject.
    """
    inside = [m for m in mentions if clause.holds(m.start)]
    own = {m.dimension for m in inside if not (m.loose and m.dimension == "workload")}
    whose = own & {"workload", "role"}
    named = ("metric" in own and (whose or "configuration" in own)) or (
        "configuration" in own and whose
    )
    named = named or own >= {"workload", "role"}
    said = words[clause.start : clause.end]
    if not named:
        whole = words[sentence.start : sentence.end]
        named = _about_workload(said, clause, inside) and not _NEUTRAL.search(whole)
    if not named or _NEUTRAL.search(said) or _HEADING.match(said):
        return False
    for mention in inside:
        said = said.replace(mention.text, " ")
    return bool(re.search(r"[a-z]{2}", _LINKS.sub(" ", said)))


def _about_workload(said: str, clause: Span, inside: Sequence[Mention]) -> bool:
    """Whether a clause calls a workload by its name, or begins with one."""
    own = [m for m in inside if m.dimension == "workload" and not m.loose]
    begins = len(said) - len(said.lstrip(" *_\"'("))
    opening = re.match(r"(?:(?:the|and|but|so) )*", said[begins:], re.IGNORECASE)
    first = clause.start + begins + (opening.end() if opening else 0)
    return any("(" in m.text or value_of(m.text) or m.start == first for m in own)
