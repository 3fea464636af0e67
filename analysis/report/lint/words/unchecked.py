"""What nothing checks in texts of results: neither printed values nor claims.

What an observation says is bound to data, or its author says that it is not: by a
reference, or by the mark ``[…]{.unchecked}``, which reviewers see.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from analysis.report.lint.words.beyond import ALL_INTERVALS, beyond, closed, signs
from analysis.report.lint.words.elsewhere import rests_elsewhere
from analysis.report.lint.words.mention import Mention
from analysis.report.lint.words.plain_words import Beside, only_names, strange
from analysis.report.lint.words.prints import Print
from analysis.report.lint.words.result_clause import ResultClause
from analysis.report.lint.words.said import unknown
from analysis.report.lint.words.senses import Word
from analysis.report.lint.words.text_blocks import Span, TextBlock, marks
from analysis.report.lint.words.vocabulary import KEYS

_TURNS = re.compile(
    r"\ball but\s+[\U000f0000-\U0010ffff]|\ball (?:the )?transactions\b"
    r"|\bmedian of (?!the runs|its runs|all)"
    r"|(?<!torage )(?<!ork )\bper (?!transaction|MB|megabyte)\w+"  # metrics have these
    r"|(?<!torage of )\beach (?!transaction|comparison|side|end|of|costs?)\w+",
    re.IGNORECASE,
)
_REFUSES = re.compile(
    r"\b(?:not|never|no|none|nor|wrong|untrue|true|false|believe|doubt|only|except|unless"
    r"|if|hardly|barely|myth|lie|paper|pretend\w*|contrary|despite"
    r"|for want of|or so|claims?|allegedly|supposedly)\b",
    re.IGNORECASE,
)
_HEADING = re.compile(r"\W*(?:what|how|which|why|where) [^.]*$", re.IGNORECASE)
_WHY = re.compile(
    r"\W*(?:why|how come|what makes|is(?:n't| it not))\b.*\?", re.I | re.S
)
_LINKS = re.compile(
    r"\b(?:the|of|for|at|in|on|and|or|an?|to|with|by|its?|their|over|under|so|but|as"
    r"|[a-z])\b",
    re.IGNORECASE,
)
_FRAGMENT = re.compile(
    r"\W*(?:(?:and|but|so|or) )?(?:with|without|over|under|on|against|in|if|when|once"
    r"|whenever|where|from|at|for|after|by|of|as)\b",
    re.IGNORECASE,
)
_TIMES = r"(?:day|week|month|hour|night|evening|morning|afternoon)"
_APART = re.compile(
    rf"\b{_TIMES}s? (?:after|before|later|earlier|apart)\b"
    rf"|\b(?:next|following|previous) {_TIMES}\b|\bone after the other\b"
    r"|\b(?:after|before) (?:those|the runs|all runs|any run) of\b",
    re.IGNORECASE,
)
_GOES = re.compile(
    r"\b(?:by|apart|chang\w+|differ\w*|interval|range|more|less)\b", re.I
)
_DENIES = frozenset(("not", "no", "never", "nor", "neither", "none", "cannot"))


def unchecked(clause: ResultClause) -> str:
    """The words of a clause that nothing checks; '' where there are none."""
    left = clause.without(clause.marked)
    if not re.search(r"\w", _LINKS.sub(" ", left)) and left != clause.said:
        return ""
    own = [w for w in clause.judged if clause.span.holds(w.start)]
    names = [Span(m.start, m.end) for m in clause.mentions]
    names += [Span(m.start(), m.end()) for m in KEYS.finditer(clause.passage.words)]
    rest = clause.without([*clause.marked, *names])
    told = [Span(word.start, word.end) for word in own]
    bare = clause.without([*clause.marked, *names, *told])
    printed = [p for p in clause.inside if p.facts or p.way == "count" or p.source]
    if (printed or own) and (turned := _REFUSES.search(_marked_words(clause, left))):
        return turned[0]
    if sign := signs(left):
        return sign
    if printed:
        return _beside_values(clause, printed, own, bare)
    if own:
        if every := ALL_INTERVALS.search(bare):
            return every[0]
        return " ".join(strange(bare, ("claim", "things", "predicted"), clause.known))
    if rests_elsewhere(clause, rest):
        return ""
    if not _says(clause, rest):
        return closed(clause)
    part = left != clause.said or _has_limit(clause)
    if part and not strange(rest, ("claim", "things", "limit"), clause.known):
        return ""
    return " ".join(left.split()).strip(" ,.;:")


def unchecked_question(clause: ResultClause) -> str:
    """The words of a question that asks why, and so says that it is so."""
    if not _WHY.match(clause.said):
        return ""
    spans = [Span(m.start, m.end) for m in clause.mentions]
    spans += [Span(w.start, w.end) for w in clause.judged]
    return " ".join(
        strange(clause.without(spans), ("claim", "things", "pointer"), clause.known)
    )


def _beside_values(
    clause: ResultClause, printed: Sequence[Print], own: Sequence[Word], bare: str
) -> str:
    """What is strange beside values; or a size of which no word says what it does."""
    beside, open_ = list(_besides(printed)), unknown(clause.passage.words, clause.span)
    beside += ["claim"] if own or open_ else []
    found = strange(bare, beside, clause.known)
    if not own and not open_ and "limit" not in beside:
        found += [w for w in bare.lower().split() if w in _DENIES and w not in found]
    found += _TURNS.findall(clause.said)
    found += beyond(clause, printed)
    found += [
        id for id in clause.foreign if re.search(rf"(?<![\w-]){id}(?![\w-])", bare)
    ]
    if found:
        return " ".join(found)
    before = clause.passage.words[clause.sentence.start : clause.span.end]
    told = any(
        clause.sentence.start <= w.start < clause.span.end for w in clause.judged
    )
    sized = next((p for p in printed if p.way == "size"), None)
    if sized and not told and not _GOES.search(before):
        return sized.words
    return ""


def _marked_words(clause: ResultClause, left: str) -> str:
    """The words of a clause that its author marked, blanks for the others."""
    pairs = zip(clause.said, left, strict=True)
    return "".join(said if said != kept else " " for said, kept in pairs)


def _besides(printed: Sequence[Print]) -> Iterator[Beside]:
    facts = [fact for p in printed for fact in p.facts]
    if any(p.way == "count" for p in printed):
        yield "count"
    if any(fact.predicted for fact in facts):
        yield "predicted"
    if any(not fact.predicted for fact in facts):
        yield "measured"
    if any(p.source.startswith(("limit", "gate")) for p in printed):
        yield "limit"
    if any("average" in p.source for p in printed):
        yield "average"
    if any(p.source.startswith("published") for p in printed):
        yield "published"


def _has_limit(clause: ResultClause) -> bool:
    """Whether its sentence prints from when on a change counts."""
    near = marks(clause.passage.words, clause.sentence)
    return any(clause.printed[n].source.startswith("limit") for _, n in near)


def _says(clause: ResultClause, rest: str) -> bool:
    """Whether a clause says something of what it names.

    ``with offload`` only names; ``offload stayed on`` names and says.
    """
    opens = _FRAGMENT.match(clause.said)
    if (opens or clause.passage.kind == "cell") and only_names(rest, clause.known):
        return False
    if clause.passage.kind == "heading" and _HEADING.match(clause.said):
        return bool(strange(rest, (), clause.known))
    if re.search(r"[^\W\d_]{2}", _LINKS.sub(" ", rest)):
        return True
    return not opens and any(
        m.dimension == "configuration" and clause.span.holds(m.start) and " " in m.text
        for m in clause.mentions
    )


def apart(passage: TextBlock, clause: Span, mentions: Sequence[Mention]) -> bool:
    """Whether a clause says when runs of a configuration were made: runs.csv knows."""
    own = (m for m in mentions if clause.holds(m.start) and not m.loose)
    named = any(m.dimension == "configuration" for m in own)
    return named and bool(_APART.search(passage.words, clause.start, clause.end))
