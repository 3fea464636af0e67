"""What a report says first: the findings of its summary, the answers of its studies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from analysis.declared.workload import workload_order
from analysis.errors import Issue, Place
from analysis.report.bound import Bound, between
from analysis.report.language.printed import Average, Printed, Selected, Verb
from analysis.report.study_facts import StudyFacts
from analysis.report.table import escape
from analysis.report.tables.cells import pair
from analysis.report.text.texts import Text
from analysis.report.text.tree import FIRST_MARK

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
    """The first finding in plain words, up to the end of its first bound sentence."""
    shown = {chr(FIRST_MARK + n): one.words for n, one in enumerate(text.printed)}
    bound = {chr(FIRST_MARK + n) for n, one in enumerate(text.printed) if one.facts}
    for part in f"\n{text.marked.text}".replace("\n- ", "\n\n").split("\n\n"):
        for place in (at for at, c in enumerate(part) if c in bound):
            rest, stop, _ = _filled(part[place:], shown).partition(". ")
            words = _unreferred(_filled(part[:place], shown) + rest + stop)
            words = _MARKED.sub(r"\1", words)
            return " ".join(words.translate(_MARKS).split())
    return ""


def _filled(words: str, shown: Mapping[str, str]) -> str:
    return "".join(shown.get(one, one) for one in words)


def _unreferred(words: str) -> str:
    """Words without what they refer to in brackets: ``(@sec-offload)``."""
    first, *others = words.split(" (@")
    return first + "".join(part.partition(")")[2] for part in others)


def key_values(text: Text, results: StudyFacts) -> list[dict[str, str | Bound]]:
    """The first values of an answer, each as ``value``, ``label`` and ``pair``.

    What one expression prints is one value: a change, or a range of changes. What two
    print of the same facts is shown once.
    """
    shown: dict[frozenset[str], Printed] = {}
    for printed in text.printed:
        if isinstance(printed.result, Selected | Average | Verb):
            shown.setdefault(printed.keys, printed)
    known = {fact.key for fact in results.facts.facts}
    values = (_value(one, results) for keys, one in shown.items() if keys <= known)
    return list(islice(values, _MOST_VALUES))


def _value(printed: Printed, results: StudyFacts) -> dict[str, str | Bound]:
    facts = sorted(dict.fromkeys(printed.facts), key=lambda fact: fact.value)
    average = printed.value if isinstance(printed.value, Average) else None
    ends = [fact.workload for fact in facts]
    if average:  # before filters, which take its sign
        ends = sorted(ends, key=workload_order)
    ends = list(dict.fromkeys([ends[0], ends[-1]]))
    told = f"{'average of ' if average else ''}{' to '.join(ends)}"
    sides = {fact.configuration for fact in facts}
    if len(sides) == 1 and len(results.study.configurations) > 1 + bool(
        facts[0].baseline
    ):
        told += f", {results.name(sides.pop())}"
    return {
        # the change, or the lowest and the highest of several that are in order
        "value": average.bound if average else between(facts[0], facts[-1]),
        "label": f"{results.label(facts[0])}: {escape(told)}",
        "pair": pair(facts[0], results) if len(facts) == 1 else "",
    }
