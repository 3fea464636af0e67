"""Sizes in words of workloads, units and packets, held against what they are."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from analysis.declared.workload import parse_size, parse_workload
from analysis.facts.sentences import number_word
from analysis.report.lint.words.mention import Mention
from analysis.report.lint.words.vocabulary import COUNT_WORDS

_NUMBERS = {number_word(n): n for n in range(1, 21)}
_NUMBERS |= {word: n for n, word in COUNT_WORDS.items()}
_CLIENTS = re.compile(
    r"\s*(?:has|have|had|is|of|uses|runs with|keeps|opens|means)?"
    r"\s*([\w-]+) (?:clients|connections|sessions|users)\b",
    re.IGNORECASE,
)
_UNIT = re.compile(r"\b(kB) (?:is|are|means|has|stands for) ([\d,]+)(?: bytes)?")
_PACKETS = re.compile(
    r"\b(?:packets?|frames?|MTU)\b"
    r"(?: of| have| has| is| are| with| up to)* ([\d,]{3,})\b"
    r"|\b([\d,]{3,})[- ]bytes? (?:frames|packets)\b",
    re.IGNORECASE,
)


def wrong_sizes(
    said: str, offset: int, mentions: Sequence[Mention], declared: Collection[str]
) -> Iterator[tuple[int, str]]:
    """Where a sentence gives a size that is another one, from its start, and the words.

    ``offset`` is where the sentence begins in the words that mentions count in, and
    ``declared`` are the words of campaigns.
    """
    for mention in mentions:
        if mention.dimension == "workload" and len(mention.names) == 1:
            yield from _clients(said, mention, mention.end - offset)
    for match in _UNIT.finditer(said):
        if parse_size(f"1{match[1]}") != int(match[2].replace(",", "")):
            yield match.start(), match[0]
    for match in _PACKETS.finditer(said):
        number = (match[1] or match[2]).replace(",", "")
        if number not in declared:
            yield match.start(), match[0]


def _clients(said: str, mention: Mention, end: int) -> Iterator[tuple[int, str]]:
    match = _CLIENTS.match(said, end)
    if match is None:
        return
    word = match[1].lower()
    number = int(word) if word.isdigit() else _NUMBERS.get(word)
    (name,) = mention.names
    if number is not None and number != parse_workload(name).clients:
        yield end, match[0].strip()
