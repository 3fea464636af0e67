"""Parts of sentences: from which size on a change would have shown."""

from __future__ import annotations

import pytest

from analysis.facts.sentences import (
    detectable_range,
    detectable_sentence,
    detectable_text,
    tally,
)
from tests.report.language.small import change


def test_verdicts_are_counted_and_none_that_nothing_has():
    verdicts = ["comparable", None, "regressed", "comparable"]
    assert tally(verdicts) == "1 regressed, 2 comparable and 1 predicted"


def unseen(workload: str, *sizes: float, verdict: str = "inconclusive"):
    return [change(workload, 1, verdict=verdict, detectable=size) for size in sizes]


@pytest.mark.parametrize(
    ("percent", "text"),
    [
        (3.14, "3.1%"),
        (15.4, "15%"),
        (99.4, "99%"),
        (361, "a factor of 4.6"),
        (359_900, "a factor of 3,600"),
    ],
)
def test_a_size_in_words(percent, text):
    assert detectable_text(percent) == text


@pytest.mark.parametrize(
    ("sizes", "text"),
    [
        ((), ""),
        ((15.1,), "15%"),
        ((15.1, 15.2), "15%"),
        ((13, 15), "about 15%"),
        ((15, 50, 20), "15 to 50%"),
        ((15, 361), "15% to a factor of 4.6"),
        ((150, 361), "a factor of 2.5 to 4.6"),
    ],
)
def test_sizes_in_words(sizes, text):
    assert detectable_range(unseen("RR1(1kB)", *sizes)) == text


def test_a_sentence_has_a_size_for_each_sort_of_load():
    facts = [
        *unseen("STR3(1B/20MB)", 50),
        *unseen("RR10(100B)", 14),
        *unseen("RR40(100B)", 15),
        *unseen("CRR10(64B/8kB)", 9, verdict="comparable"),
    ]
    assert detectable_sentence(facts) == (
        "With 80% power, the runs of the inconclusive ones show a change from about "
        "15% on for request/response and from 50% on for STR3(1B/20MB)."
    )
    assert detectable_sentence(unseen("RR1(1kB)", 9, verdict="improved")) == ""
