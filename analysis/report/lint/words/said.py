"""How a word is said: negated, turned round, supposed, or told of somebody else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from analysis.report.lint.words.mention import Mention
from analysis.report.lint.words.senses import Word
from analysis.report.lint.words.text_blocks import Span

_NOT = re.compile(
    r"\b(?:not(?! only)|never|\w+n't|cannot|no longer|hardly|barely|scarcely|neither"
    r"|nor"
    r"|none|no|nothing(?! but)|without|rarely|seldom|fail(?:s|ed)? to|far from"
    r"|anything but|nobody|nowhere|stops?|ceases?)\b",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"(?: (?!than\b)[\w'’-]+){0,4}? (?:nothing|nobody|none)\b(?! but)", re.I
)
_THAN = re.compile(
    r"\b(?:than|against|compared (?:with|to)|relative to|ahead of|behind|beats?"
    r"|above|below|exceeds|trails|outdoes|outperforms|(?:lead|advantage|edge"
    r"|gain) over)\b",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\b(?:against|than|over|from|instead of|unlike|relative to|compared (?:with|to)"
    r"|that of)(?: the)? $",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\b(?:instead of|in place of|and not|unlike) $")
_SUPPOSED = re.compile(
    r"^\W*(?:(?:and|but|so)\s+)?(?:if|suppose|supposing|unless|whether|imagine|assume"
    r"|were|had|(?:who|whoever)\b(?!.*\b(?:should|must|would|ought|need not)\b)"
    r"|asked)\b|\b(?:whether|as if)\b",
    re.IGNORECASE,
)
_UNKNOWN = re.compile(
    r"\bwe (?:do not|cannot|can not|did not) (?:know|say|tell|claim|judge)"
    r"|can (?:only )?say (?:less|little|nothing)"
    r"|cannot (?:be "
    r"(?:judged|told|known|said)|tell|show|say)|do(?:es)? not (?:say|tell|show|prove)"
    r"|(?:another|an open) question|is not known|remains? open|nobody knows"
    r"|would not be seen"
    r"|not for this|nobody can|\bcan \S+ be neither|none of (?:these|our) runs"
    r"|the (?:goal|aim"
    r"|question) (?:was|is)|asks? (?:what|whether|how)|can(?:not)? be taken for"
    r"|no verdict is possible|nothing can be said|is left to|need not be",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"^\W*(?:(?:In|By|With|For|And|But|The|Those of|IBM's|Its|Their|All|On)\s+)*"
    r"(?:published|slides?|report|paper|manuals?|IBM|documentation|vendor|authors?"
    r"|sources?"
    r"|textbooks?|@\S+)\b(?! and)",
    re.IGNORECASE,
)
_OURS = re.compile(
    r"\b(?:find|show|report|give|see)s? the same for\b"
    r"|\bha(?:s|ve|d) the same (?:results?|values?|numbers?|changes?)\b"
    r"|\b(?:than|as|with|like) (?:these|those|our|the) (?:\w+ )?(?:runs|results|numbers"
    r"|values|measurements|figures)\b|\b(?:than|as|with) (?:here|this (?:report|study"
    r"|edition))\b",
    re.IGNORECASE,
)
_PRESUPPOSED = re.compile(
    r"^\W*(?:why|how come|by how much|what makes|(?:is|are) there an?y? (?:better|more)"
    r"|how (?:much|many|far|badly|strongly|soon)"
    r"|where (?:do|does|did)|(?:is|was) (?:it|that) not|is(?:n't| it any)"
    r"|(?:do|does|did)(?:n't| \w+ not)|who (?:would|could|will|wants?|needs?))\b",
    re.IGNORECASE,
)
_MODAL = re.compile(
    r"\b(?:would|could|should|might|may|must|ought|can|let us|try|look at)\b", re.I
)


def negated(words: str, clause: Span, word: Word, mentions: Sequence[Mention]) -> bool:
    """Whether the clause denies what the word says.

    ``without offload`` names a setting, and denies nothing.
    """
    if word.text.lower().startswith("insignific"):
        return True
    if _NOTHING.match(words, word.start + len(word.text), clause.end):
        return True
    before = words[clause.start : word.start]
    for mention in mentions:
        if mention.dimension == "configuration" and clause.holds(mention.start):
            start, end = (at - clause.start for at in (mention.start, mention.end))
            before = before[:start] + " " * (end - start) + before[end:]
    found = list(_NOT.finditer(before[: word.start - clause.start]))
    if not found:
        return False
    last = found[-1]
    if last[0].lower() == "anything but" and len(found) > 1:
        return False  # both deny, and so neither does
    if last[0].lower() == "without":
        return len(before[last.end() :].split()) <= 1
    if last[0].lower() in ("neither", "nor", "none", "nothing", "nobody"):
        return True
    return len(before[last.end() :].split()) <= 7


def is_reference(words: str, mention: Mention) -> bool:
    """Whether something is named as what is compared with, as in ``against A``."""
    return bool(_AGAINST.search(words[max(0, mention.start - 24) : mention.start]))


def turned(
    words: str,
    clause: Span,
    word: Word,
    mentions: Sequence[Mention],
    test: str,
    baseline: str | None,
) -> bool:
    """Whether a clause speaks of the baseline against the test, and not the reverse."""
    own = [
        m for m in mentions if m.dimension == "configuration" and clause.holds(m.start)
    ]
    for first, second in pairwise(own):
        way = (
            words[max(0, first.start - 5) : first.start],
            words[first.end : second.start],
        )
        if way[0].endswith("from ") and way[1].strip() == "to":
            return test in first.names and test not in second.names
    if any(_set_aside(words, m) and test in m.names for m in own) and any(
        baseline in m.names and test not in m.names for m in own
    ):
        return True  # with the baseline instead of the test
    referred = [m for m in own if m.start >= word.start and _refers(words, word, m)]
    for mention in referred:
        if test in mention.names and baseline not in mention.names:
            return True
        if baseline in mention.names and test not in mention.names:
            return False
    paired = len(own) > 1 or not any(_carried(words, m) for m in own)
    rest = [
        m
        for m in own
        if m not in referred
        and not (paired and is_reference(words, m) and test not in m.names)
    ]
    if any(test in m.names for m in rest):
        return False
    return any(baseline in m.names for m in rest)


def _set_aside(words: str, mention: Mention) -> bool:
    """Whether something stands back for another: *instead of*, *and not*."""
    return bool(_ASIDE.search(words[: mention.start]))


def _carried(words: str, mention: Mention) -> bool:
    """Whether traffic goes over what is named: *over OSD* alone compares nothing."""
    return words[: mention.start].endswith("over ")


def _refers(words: str, word: Word, mention: Mention) -> bool:
    return bool(_THAN.search(words, word.start, mention.start))


def supposed(words: str, clause: Span) -> bool:
    """Whether a clause only supposes, as after ``if``."""
    return bool(_SUPPOSED.search(words[clause.start : clause.end]))


def unknown(words: str, sentence: Span) -> bool:
    """Whether a sentence says that something is not known."""
    return bool(_UNKNOWN.search(words[sentence.start : sentence.end]))


def told_of_others(words: str, clause: Span) -> bool:
    """Whether a clause tells what others published, and compares nothing with it."""
    said = words[clause.start : clause.end]
    return bool(_OTHERS.match(said)) and not compares_with_others(said)


def compares_with_others(said: str) -> bool:
    """Whether words say of what others published how it is to these results."""
    return bool(_OTHERS.match(said) and _OURS.search(said))


def asked(words: str, sentence: Span) -> bool:
    """Whether a sentence is a question that leaves its answer open."""
    said = words[sentence.start : sentence.end].rstrip(" \"')")
    return said.endswith("?") and not _PRESUPPOSED.match(said)


def modal(words: str, clause: Span) -> bool:
    """Whether a clause says what could or should be; what follows ``that`` is said."""
    said = words[clause.start : clause.end].rpartition(" that ")[2]
    return bool(_MODAL.search(said))
