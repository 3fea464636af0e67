"""What a report says first: the findings of its summary, the answers of its studies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice

from analysis.errors import Issue, Place
from analysis.facts.fact import Fact
from analysis.report.expressions.bound import (
    averages,
    bound_keys,
    plain,
    span,
    without_unit,
)
from analysis.report.expressions.lookup import workload_order
from analysis.report.pipe_table import escape
from analysis.report.tables.facts import StudyTables
from analysis.report.text.texts import Text

MOST_FINDINGS = 7
_MOST_VALUES = 3
_MARKED = re.compile(r"\[([^\[\]]*)\]\{[^{}]*\}")
_MARKS = str.maketrans("", "", "*_`")


def check_summary(text: Text) -> Iterator[Issue]:
    """Issues of a summary that has no finding, or so many that nobody keeps them."""
    found = [p for p in text.paragraphs if p.keys]
    if not found:
        yield Issue(
            "the summary has no finding: no paragraph of it prints a fact",
            Place(str(text.path), 1),
            'print one: {{ delta("latency", "RR10(1kB)", study="…") }}',
        )
    elif len(found) > MOST_FINDINGS:
        yield Issue(
            f"the summary has {len(found)} findings; a reader keeps {MOST_FINDINGS} at "
            "most",
            Place(str(text.path), found[MOST_FINDINGS].line),
            "leave the lesser ones to their studies",
        )


def headline(text: Text) -> str:
    """The first finding in plain words, up to the end of its first bound sentence.

    Nothing of what a draft notes in the text is part of it.
    """
    told = replace(text, notes=()).markdown()
    for part in f"\n{told}".replace("\n- ", "\n\n").split("\n\n"):
        for place, _ in bound_keys(part):
            rest, stop, _ = plain(part[place:]).partition(". ")
            words = _unreferred(plain(part[:place]) + rest + stop)
            words = _MARKED.sub(r"\1", words)
            return " ".join(words.translate(_MARKS).split())
    return ""


def _unreferred(words: str) -> str:
    """Words without what they refer to in brackets: ``(@sec-offload)``."""
    first, *others = words.split(" (@")
    return first + "".join(part.partition(")")[2] for part in others)


def key_values(text: Text, tables: StudyTables) -> list[dict[str, str]]:
    """The first values of an answer, each as ``value``, ``label`` and ``pair``.

    What one expression prints is one value: a change, or a range of changes. What two
    print of the same facts is shown once.
    """
    facts = {fact.key: fact for fact in tables.facts.facts}
    outputs: dict[frozenset[str], str] = {}
    for printed in text.printed:
        keys = frozenset(key for _, key in bound_keys(printed.output))
        outputs.setdefault(keys, printed.output)
    found = (_value(output, facts, tables) for output in outputs.values())
    return list(islice(filter(None, found), _MOST_VALUES))


def _value(
    output: str, facts: Mapping[str, Fact], tables: StudyTables
) -> dict[str, str] | None:
    keys = [key for _, key in bound_keys(output)]
    own = [facts[key] for key in dict.fromkeys(keys) if key in facts]
    if not own:
        return None
    own.sort(key=lambda fact: fact.value)
    averaged = any(averages(output))
    ends = [fact.workload for fact in own]
    if averaged:
        ends = sorted(ends, key=workload_order)
    ends = list(dict.fromkeys([ends[0], ends[-1]]))
    return {
        "value": output if averaged else _large(own),
        "label": f"{tables.label(own[0])}: {escape(' to '.join(ends))}",
        "pair": tables.pair(own[0]) if len(own) == 1 else "",
    }


def _large(facts: list[Fact]) -> str:
    """The change, or the lowest and the highest of several that are in order."""
    low, high = facts[0], facts[-1]
    if low.printed == high.printed:
        return span(low.printed, low)
    first = without_unit(low.printed, high.printed)
    return f"{span(first, low)} to {span(high.printed, high)}"
