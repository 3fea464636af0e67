"""Parts of sentences: lists, small numbers, and verdicts counted, in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

from analysis.declared.vocabulary import BASES, BASIS_WORDS, Basis, Origin
from analysis.declared.workload import SHAPES, parse_workload, workload_order
from analysis.facts.fact import Fact, Verdict

NUMBER_WORDS = (
    "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
)  # fmt: skip
_PREDICTED = "predicted"
_FACTOR = "a factor of "
_ALIKE = 1.25  # sizes that are told as one
_AS_FACTOR = 100.0  # percent, from which on a rise and a fall are not alike


def listed(words: Iterable[str]) -> str:
    """``a``, ``a and b`` or ``a, b and c``."""
    items = list(words)
    return " and ".join([", ".join(items[:-1]), items[-1]] if items[1:] else items)


def number_word(number: int) -> str:
    """A small count as a word: ``none``, ``two``; 10 and more as digits."""
    return NUMBER_WORDS[number] if 0 <= number < 10 else f"{number:,}"


def inside(label: str) -> str:
    """A label inside a sentence: ``latency``, but ``CPU cost`` and ``I/O rate``."""
    return label[:1].lower() + label[1:] if label[1:2].islower() else label


_NAMED = re.compile(
    r"(?P<before>\b(?:of|on|and|between|order) |, )(?P<id>[\w-]+(?:\.[\w-]+)*)"
)


def named(words: str, names: Mapping[str, str]) -> str:
    """Words of the program with the names of configurations in place of their ids.

    ``names`` are by id; an id stands behind *of*, *on*, *and*, or in a list. A name
    with a comma of its own is quoted.
    """
    shown = {id: f"‘{name}’" if "," in name else name for id, name in names.items()}
    return _NAMED.sub(lambda m: m["before"] + shown.get(m["id"], m["id"]), words)


def name_list(names: Iterable[str]) -> str:
    """``a, b and c``; semicolons part names that have commas of their own."""
    items = list(names)
    return "; ".join(items) if any("," in item for item in items) else listed(items)


def tally(verdicts: Iterable[Verdict | None]) -> str:
    """``2 regressed and 5 comparable``; what has no verdict is predicted."""
    counts = Counter(verdict or _PREDICTED for verdict in verdicts)
    names = (*get_args(Verdict), _PREDICTED)
    return listed(f"{counts[name]} {name}" for name in names if counts[name])


def comparisons_sentence(changes: Sequence[Fact]) -> str:
    """``All 56 comparisons stay within 5%.``, or how many have which verdict."""
    verdicts = [change.verdict or _PREDICTED for change in changes]
    count = len(changes)
    if count == 1:
        return f"1 comparison: {verdicts[0]}."
    if len(set(verdicts)) != 1:
        counts = tally(change.verdict for change in changes)
        return f"{count:,} comparisons: {counts}." if changes else ""
    verdict = verdicts[0]
    if verdict == "comparable":
        verdict = f"stay within {max(c.threshold or 0.0 for c in changes):.2g}%"
    are = "are " * (verdict in ("inconclusive", _PREDICTED))
    return f"{'Both' if count == 2 else f'All {count:,}'} comparisons {are}{verdict}."


def detectable_text(percent: float) -> str:
    """A size of the smallest change that runs show: ``15%``, ``a factor of 4.6``."""
    if percent < _AS_FACTOR:
        return f"{float(f'{percent:.2g}'):g}%"
    factor = float(f"{1 + percent / 100:.2g}")
    return f"{_FACTOR}{factor:,.15g}"


def detectable_range(changes: Iterable[Fact]) -> str:
    """``15%``, ``about 15%`` or ``15 to 38%`` of several changes; empty without any."""
    sizes = sorted(c.detectable for c in changes if c.detectable is not None)
    if not sizes:
        return ""
    low, high = detectable_text(sizes[0]), detectable_text(sizes[-1])
    if low == high:
        return low
    if sizes[-1] <= _ALIKE * sizes[0]:
        return f"about {high}"
    if low.endswith("%") == high.endswith("%"):
        low, high = low.removesuffix("%"), high.removeprefix(_FACTOR)
    return f"{low} to {high}"


def detectable_sentence(changes: Iterable[Fact]) -> str:
    """From which size on changes that are inconclusive would have shown, by shape or,
    where one has a single workload, by workload; empty without any."""
    known = [c for c in changes if c.verdict == "inconclusive" and c.detectable]
    by_shape: dict[str, list[Fact]] = {}
    for change in sorted(known, key=lambda c: workload_order(c.workload)):
        shape = parse_workload(change.workload).shape
        by_shape.setdefault(shape, []).append(change)
    parts = []
    for shape, alike in by_shape.items():
        loads = list(dict.fromkeys(change.workload for change in alike))
        name = loads[0] if len(loads) == 1 else SHAPES[shape].label
        parts.append(f"from {detectable_range(alike)} on for {name}")
    if not parts:
        return ""
    return (
        "With 80% power, the runs of the inconclusive ones show a change "
        f"{listed(parts)}."
    )


def data_words(origins: Iterable[Origin]) -> str:
    """``synthetic and modelled data``; empty where all values were measured."""
    # What was computed from other values stands behind them.
    order = ("measured", "published", "synthetic", "modelled")
    names = sorted({*origins}, key=order.index)
    return "" if names in ([], ["measured"]) else f"{listed(names)} data"


def labelled(title: str, origins: Iterable[Origin]) -> str:
    """A title with what its numbers are, wherever it stands.

    ``Network report — synthetic data``; where all values were measured, the title.
    """
    return " — ".join(filter(None, [title, data_words(origins)]))


def basis_counts(bases: Sequence[Basis]) -> str:
    """``3 published and 11 assumed``, the strongest first."""
    counts = [(BASIS_WORDS[basis], bases.count(basis)) for basis in BASES]
    return listed(f"{count} {word}" for word, count in counts if count)


def bases_text(bases: Sequence[Basis], noun: str) -> str:
    """``sizes assumed``, or ``sizes: 1 published and 4 assumed``; empty without one."""
    if not bases:
        return ""
    if len(set(bases)) > 1:
        return f"{noun}s: {basis_counts(bases)}"
    return f"{noun}{'s' * (len(bases) > 1)} {BASIS_WORDS[bases[0]]}"


def sizes_text(facts: Iterable[Fact]) -> str:
    """The same of the changes among some facts, or of the values where none is."""
    every = [fact for fact in facts if fact.basis]
    changes = [fact for fact in every if fact.kind == "delta"]
    bases = [fact.basis for fact in changes or every if fact.basis]
    return bases_text(bases, "size" if changes else "value")


def origin_text(fact: Fact) -> str:
    """The origin, of what a model computed also what it computed from, and of what was
    generated the basis of its target."""
    shown = fact.shown_origin
    if fact.basis:
        return f"{shown}, {BASIS_WORDS[fact.basis]}"
    return shown if shown == fact.origin else f"{shown} over {fact.origin}"
