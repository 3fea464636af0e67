"""Parts of sentences: lists, small numbers, and verdicts counted, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from analysis.declared.origin import Origin
from analysis.facts.fact import Fact, Verdict

NUMBER_WORDS = (
    "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
)  # fmt: skip
_PREDICTED = "predicted"


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


def tally(verdicts: Iterable[Verdict | None]) -> str:
    """``2 regressed and 5 comparable``; what has no verdict is predicted."""
    found = [verdict or _PREDICTED for verdict in verdicts]
    names = (*get_args(Verdict), _PREDICTED)
    counts = {verdict: found.count(verdict) for verdict in names}
    return listed([f"{count} {verdict}" for verdict, count in counts.items() if count])


def headline(verdicts: list[Verdict | None]) -> str:
    """All verdicts of a figure as the beginning of a sentence: ``Both improved``."""
    if len(verdicts) == 1:
        return (verdicts[0] or _PREDICTED).capitalize()
    if len(set(verdicts)) == 1:
        count = "Both" if len(verdicts) == 2 else f"All {number_word(len(verdicts))}"
        return f"{count} {verdicts[0] or _PREDICTED}"
    return tally(verdicts).capitalize() or "Not compared"


def data_words(origins: Iterable[Origin]) -> str:
    """``synthetic and modelled data``; empty where all values were measured."""
    # What was computed from other values stands behind them.
    told = sorted(
        {*origins}, key=("measured", "published", "synthetic", "modelled").index
    )
    return "" if told in ([], ["measured"]) else f"{listed(told)} data"


def labelled(title: str, origins: Iterable[Origin]) -> str:
    """A title with what its numbers are, wherever it stands.

    ``Network report — synthetic data``; where all values were measured, the title.
    """
    return " — ".join(filter(None, [title, data_words(origins)]))


def origin_text(fact: Fact) -> str:
    """The origin, of what a model computed also what it computed from, and of what was
    generated the basis of its target."""
    shown = fact.shown_origin
    if fact.basis:
        return f"{shown}, {fact.basis}"
    return shown if shown == fact.origin else f"{shown} over {fact.origin}"
