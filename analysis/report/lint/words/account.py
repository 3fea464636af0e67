"""What an author's account says against what is known: declarations, origins, rules.

Background, environment, front and back matter explain in their author's words. Held
are the statements of a few kinds that data or declarations answer: what the origin of
the values is, how a value is made of its runs, which runs are left out, who checked the
report, how many studies there are, and in what configurations differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from analysis.declared.campaign import Campaign
from analysis.declared.study import Study
from analysis.facts.fact import Fact
from analysis.facts.sentences import number_word
from analysis.report.lint.words.mention import Mention
from analysis.report.lint.words.sizes_said import wrong_sizes
from analysis.report.lint.words.text_blocks import Span, TextBlock, marks

_OF_RUNS = r"(?:the |all |its |their |ten |five |\w+ )?(?:runs|repetitions)"
_MADE_OF = re.compile(
    r"\b(?:mean|average|best|minimum|maximum|worst|fastest|slowest|last|sum)"
    rf" (?:value )?of {_OF_RUNS}\b|\b(?:means|averages) are (?:given|shown|printed)\b"
    r"|\b(?:t-tests?|anova|chi-squared|wilcoxon|bonferroni)\b"
    r"|\b(?!95)\d\d(?:\.\d+)?\s?% (?:confidence )?intervals?\b"
    r"|\b(?:count\w*|taken) as zero\b",
    re.IGNORECASE,
)
_EXCLUDED = re.compile(
    r"\b(?:runs?|repetitions?|outliers?)\b[^,;:]*\b(?:excluded|dropped|discarded"
    r"|removed|left out|thrown away|ignored)\b|\bexcluded (?:runs?|repetitions?)\b",
    re.IGNORECASE,
)
_RULE = re.compile(
    r"\b(?:no|never|not)\b.* for (?:its|their) values?\b|\b(?:if|when|where)\b", re.I
)
_DENIED = re.compile(r"\b(?:not|no|never|neither|nor)\b", re.IGNORECASE)
_VOUCHED = re.compile(
    r"\breviewed by\b|\bIBM (?:has |had )?measured\b|\b(?:checked|confirmed|audited"
    r"|sponsored|certified|verified|validated|endorsed"
    r"|approved|funded|paid for|reproduced|peer-reviewed|signed off)\b",
    re.IGNORECASE,
)
_WHO = re.compile(
    r"\b(?:IBM|vendors?|team|laborator\w+|lab|auditors?|universit\w+|institutes?|company"
    r"|customers?|experts?|reviewers?|results?|report|independent\w*|externally)\b"
)
_VALUES = r"(?:values?|numbers?|results?|figures|data)"
_ORIGINS = {
    "measured": r"measured|measurements?",
    "synthetic": r"synthetic|simulated|made up|generated|invented",
    "modelled": r"modelled|predicted|predictions?|estimate[sd]?|extrapolated|model",
}
_ORIGIN = re.compile(
    rf"\b(?P<how>all|every|each|no|none of the|half of the|most|the)? ?{_VALUES}"
    r"(?: in this (?:report|edition|study)| here| shown| below)?"
    r" (?:is|are|was|were|comes? from|came from)(?P<not> not)?(?: all| an?| only)* "
    rf"(?:{'|'.join(f'(?P<{o}>{words})' for o, words in _ORIGINS.items())})\b",
    re.IGNORECASE,
)
_ONLY_WHERE = re.compile(r"\b(?:where|if|when|whose)\b", re.IGNORECASE)
_STUDIES = re.compile(r"\b(?:has|holds|contains|are|in|of) (?:all )?(\w+) studies\b")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
_NTH = re.compile(rf"\bthe ({'|'.join(_ORDINALS)}) study\b", re.IGNORECASE)
_DIFFERS = re.compile(
    r"\b(?:differ|differs|differed|apart) (?:\w+ )?in (?:its |the |their )?([\w -]+)"
    r"|\b(?:another|a different|a newer|an older|a larger|a smaller) ([\w-]+) than\b",
    re.IGNORECASE,
)
_IS = re.compile(
    r"\s*(?:is|was|has|had|ran|runs|stays|uses|used|makes|made|keeps)?"
    r"(?: with| the| its)*\s*",
    re.IGNORECASE,
)
_BARE = re.compile(r"[A-Z]\w?")


@dataclass(frozen=True)
class KnownAnswers:
    """What answers an account: the studies of an edition, its campaigns and facts.

    ``numbers`` are those that campaigns declare, as digits.
    """

    studies: dict[str, Study]
    campaigns: dict[str, Campaign]
    origins: frozenset[str]
    mixed: bool
    numbers: frozenset[str]

    @classmethod
    def of(
        cls,
        studies: dict[str, Study],
        campaigns: dict[str, Campaign],
        facts: Iterable[Fact],
    ) -> KnownAnswers:
        """What is known of an edition."""
        origins = frozenset(str(fact.shown_origin) for fact in facts)
        declared = " ".join(c.model_dump_json() for c in campaigns.values())
        numbers = frozenset(re.findall(r"\d+", declared))
        return cls(studies, campaigns, origins, len(origins) > 1, numbers)


def against_known(
    passage: TextBlock, sentence: Span, mentions: Sequence[Mention], known: KnownAnswers
) -> Iterator[tuple[int, str]]:
    """Where a sentence says what is known otherwise or by nobody, and the words."""
    said = "".join(
        " " if any(s.holds(at) for s in passage.unchecked) else passage.words[at]
        for at in range(sentence.start, sentence.end)
    )
    found = [(m.start(), m[0]) for m in _MADE_OF.finditer(said)]
    if not any(marks(passage.words, sentence)) and not _RULE.search(said):
        found += [(m.start(), m[0]) for m in _EXCLUDED.finditer(said)]
    if _WHO.search(said) and not ("@" in said or _DENIED.search(said)):
        found += [(m.start(), m[0]) for m in _VOUCHED.finditer(said)]
    if not _ONLY_WHERE.search(said):
        found += [(m.start(), m[0]) for m in _ORIGIN.finditer(said) if _wrong(m, known)]
    found += _counted(said, len(known.studies))
    own = [m for m in mentions if sentence.holds(m.start)]
    own = [m for m in own if m.dimension == "configuration" and not m.loose]
    own = [m for m in own if not any(s.holds(m.start) for s in passage.unchecked)]
    found += _differing(said, own, known)
    near = [m for m in mentions if sentence.holds(m.start)]
    found += wrong_sizes(said, sentence.start, near, known.numbers)
    for at, words in found:
        yield sentence.start + at, words
    yield from _equated(passage, own)


def _wrong(said: re.Match[str], known: KnownAnswers) -> bool:
    """Whether no value, or not every one, has the origin that all are said to have."""
    origin = next(name for name in _ORIGINS if said[name])
    how = (said["how"] or "the").lower()
    if how in ("no", "none of the") or said["not"]:
        return origin in known.origins
    if how in ("half of the", "most"):
        return True
    return origin not in known.origins or (
        how in ("all", "every", "each") and known.mixed
    )


def _counted(said: str, studies: int) -> Iterator[tuple[int, str]]:
    for match in _STUDIES.finditer(said):
        number = match[1].lower()
        words = {number_word(n): n for n in range(2, 100)}
        if (
            words.get(number, studies if not number.isdigit() else int(number))
            != studies
        ):
            yield match.start(), match[0]
    for match in _NTH.finditer(said):
        if _ORDINALS.index(match[1].lower()) >= studies:
            yield match.start(), match[0]


def _differing(
    said: str, named: Sequence[Mention], known: KnownAnswers
) -> Iterator[tuple[int, str]]:
    """``A and B differ in the MTU``, where both declare the same one."""
    ids = {id for mention in named for id in mention.names}
    details = [
        {k.lower(): str(v).lower() for k, v in c.configurations[id].details.items()}
        | {"label": c.configurations[id].label.lower()}
        for c in known.campaigns.values()
        for id in ids & c.configurations.keys()
    ]
    if len(details) < 2:
        return
    keys = {key for own in details for key in own}
    apart = [k for k in keys if len({own.get(k) for own in details}) > 1]
    told = " ".join([*apart, *(own.get(k, "") for own in details for k in apart)])
    for match in _DIFFERS.finditer(said):
        words = [w for w in (match[1] or match[2]).lower().split() if len(w) > 2]
        if words and not any(word.rstrip("s") in told for word in words):
            yield match.start(), match[0]


def _equated(passage: TextBlock, named: Sequence[Mention]) -> Iterator[tuple[int, str]]:
    """``B is the baseline``, ``in configuration B offload stays on``."""
    for first, second in pairwise(named):
        between = passage.words[first.end : second.start]
        bare = [m for m in (first, second) if _BARE.fullmatch(m.text)]
        if len(bare) == 1 and _IS.fullmatch(between) and not first.names & second.names:
            yield first.start, passage.words[first.start : second.end]
