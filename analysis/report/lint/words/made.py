"""What texts say of how runs were made, held against what campaigns declare.

Background, environment, front and back matter are their author's words. Still, what
they name must be what was used, and what they say of the runs must be declared.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from analysis.declared.campaign import Campaign
from analysis.report.lint.words.mention import Mention
from analysis.report.lint.words.text_blocks import Span, TextBlock, marks

# Names of one kind; a campaign that declares one was not made with another.
_RIVALS = (
    "cubic bbr reno vegas westwood dctcp htcp illinois",
    "uperf iperf iperf3 netperf sockperf wrk wrk2 hping apachebench jmeter h2load awm",
    "intel amd arm ampere",
    "debian ubuntu fedora rhel sles alpine centos",
    "kvm vmware xen hyper-v",
    "veth virtio macvlan ipvlan",
    "pfifo_fast fq fq_codel noqueue",
    "z13 z14 z15 z16 z17",
)
_NAMES = tuple(frozenset(words.split()) for words in _RIVALS)
_WORD = re.compile(r"[A-Za-z][\w-]*\w")
_VERSION = re.compile(
    r"\b([A-Za-z][\w-]*),?:? (?:version |release |v)?(\d+(?:\.\d+)*)"
    r"(?![\w%]|\s?(?:%|B|kB))"
)
_COUNTS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_MACHINES = re.compile(rf"\b({'|'.join(_COUNTS)}) (?:\w+ )?machines\b", re.IGNORECASE)
_RUNS = re.compile(
    r"\b(?:runs?|repetitions?|measurements?|processes|profiles|kernel|we|servers?|hosts?"
    r"|uperf|controls?)\b",
    re.IGNORECASE,
)
_MONTHS = "January February March April May June July August September October November"
_MADE = re.compile(
    r"\b(shuffl\w*|alternat\w*|interleav\w*|in blocks|after the other|in turn|repeated"
    r"|tuned|rebooted|restarted|pinned|tied to|warmed|left out|discarded|dropped"
    r"|thrown away|lasted|lasts|took|approved|certified|audited|slow runs|fast runs"
    r"|(?:measured|ran|made) (?:\w+ ){0,3}in "
    rf"(?:{'|'.join(_MONTHS.split())}|December)"
    r"|(?:came|ran|went|made) (?:first|last|before|after)"
    r"|(?:all|every|each|no|none of the|any) (?:runs?|repetitions?)(?= (?:\w+ ){0,3}"
    r"(?:succe|pass|complet|fail|was lost|were lost|worked|ended)))",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not|never|no|none|nor)\b", re.IGNORECASE)
_SUPPOSED = re.compile(r"\b(?:would|could|should|might|can|may|must)\b", re.IGNORECASE)
_SWITCHED = re.compile(r"\b(?:on|off|active|enabled|disabled|gone|missing)\b", re.I)
_OF = re.compile(r"\s+(?:in|of|for|with|under|at|on)(?: configuration)?\s+$")


# Words before a number that name nothing which could have a version.
_JOINING = ("and", "at", "by", "for", "from", "in", "of", "or", "to", "with")


@dataclass(frozen=True)
class DeclaredCampaigns:
    """What the campaigns of an edition were made with.

    ``words`` are all words that they declare, in small letters, ``how`` those of how
    they were measured, and ``versions`` has the numbers that follow a name.
    ``machines`` is the most that one of them has.
    """

    words: frozenset[str]
    how: frozenset[str]
    versions: Mapping[str, frozenset[str]]
    machines: int


def declared_campaigns(campaigns: Iterable[Campaign]) -> DeclaredCampaigns:
    """What some campaigns declare."""
    words, how, machines = set[str](), set[str](), 0
    versions: dict[str, set[str]] = defaultdict(set)
    for campaign in campaigns:
        how |= _words(campaign.measured.how)
        hosts = {system.host or id for id, system in campaign.systems.items()}
        machines = max(machines, len(hosts))
        for text in _texts(campaign.model_dump(mode="json"), ""):
            words |= _words(text)
            for name, number in _VERSION.findall(text):
                if name not in _JOINING:
                    versions[name.lower()].add(number)
    kept = {name: frozenset(own) for name, own in versions.items()}
    return DeclaredCampaigns(frozenset(words), frozenset(how), kept, machines)


def undeclared(
    passage: TextBlock,
    sentence: Span,
    mentions: Iterable[Mention],
    declared: DeclaredCampaigns,
) -> Iterator[tuple[int, str]]:
    """Where a sentence says of the runs what nothing declares, and the words."""
    words = passage.words
    said = "".join(
        " " if any(s.holds(at) for s in passage.unchecked) else words[at]
        for at in range(sentence.start, sentence.end)
    )
    if "@" in said:
        said = re.sub(r"@[\w:-]+", lambda m: " " * len(m[0]), said)
    found = [*_rivals(said, declared), *_versions(said, declared)]
    found += _machines(said, declared.machines)
    if not any(marks(words, sentence)):
        found += _of_runs(said, declared)
    for at, text in found:
        yield sentence.start + at, text
    own = [m for m in mentions if m.dimension == "configuration" and not m.loose]
    yield from _states(passage, sentence, own)


def _rivals(said: str, declared: DeclaredCampaigns) -> Iterator[tuple[int, str]]:
    for match in _WORD.finditer(said):
        name = match[0].lower()
        for names in _NAMES:
            others = names & declared.words
            if name in names and others and name not in others:
                yield (
                    match.start(),
                    f"{match[0]}; declared is {', '.join(sorted(others))}",
                )


def _versions(said: str, declared: DeclaredCampaigns) -> Iterator[tuple[int, str]]:
    for match in _VERSION.finditer(said):
        known = declared.versions.get(match[1].lower())
        if known and not any(_alike(match[2], own) for own in known):
            yield match.start(), f"{match[0]}; declared is {', '.join(sorted(known))}"


def _machines(said: str, most: int) -> Iterator[tuple[int, str]]:
    for match in _MACHINES.finditer(said):
        if (
            most
            and not _DENIED.search(said)
            and _COUNTS.index(match[1].lower()) + 2 > most
        ):
            yield match.start(), match[0]


def _alike(said: str, own: str) -> bool:
    """Whether one number is the other, or its beginning: 12 of 12.11."""
    return own == said or own.startswith(f"{said}.") or said.startswith(f"{own}.")


def _of_runs(said: str, declared: DeclaredCampaigns) -> Iterator[tuple[int, str]]:
    if not _RUNS.search(said) or _SUPPOSED.search(said):
        return
    for match in _MADE.finditer(said):
        own = match[0].lower()
        if not declared.how.issuperset(own.split()) or _DENIED.search(said):
            yield match.start(), said[match.start() :].split(",")[0].strip(" .")


def _states(
    passage: TextBlock, sentence: Span, named: list[Mention]
) -> Iterator[tuple[int, str]]:
    """``offload was on in B``, where it was off."""
    for first in named:
        for second in named:
            between = passage.words[first.end : second.start]
            if (
                sentence.holds(first.start)
                and _SWITCHED.search(first.text)
                and _OF.fullmatch(between)
                and not first.names & second.names
            ):
                yield first.start, passage.words[first.start : second.end]


def _texts(declared: Any, name: str) -> Iterator[str]:
    """Every text of a declaration, after the name of its entry."""
    if isinstance(declared, Mapping):
        for key, value in declared.items():
            yield from _texts(value, str(key))
    elif isinstance(declared, list | tuple):
        for value in declared:
            yield from _texts(value, name)
    elif declared is not None:
        yield f"{name} {declared}"


def _words(text: str) -> set[str]:
    return {match[0].lower() for match in _WORD.finditer(text)}
