"""Clauses that assert something without a word that the table of words knows."""

from __future__ import annotations

import pytest

from analysis.report.material import Sources
from tests.report.lint.words.wording import WriteText, told, written

FALLS = "latency falls for RR1(1kB) beyond noise"


@pytest.mark.parametrize(
    "sentence",
    [
        "RR10(4kB) positively flies.",
        "The link is the bottleneck of STR3(1B/20MB).",
        "Streams shrug it off.",
        "Who serves RR1(1kB) alone should stay on z16.",
        "There is no reason to do without z17.",
        "On physical adapters the loss would be smaller still.",
        "Later runs came out slower.",
        "Is it not remarkable that RR10(4kB) costs the server nothing extra?",
    ],
)
def test_what_nothing_stands_behind_is_held(
    project: Sources, write_text: WriteText, sentence: str
) -> None:
    written(write_text, sentence, FALLS)
    found = told(project)
    assert found
    assert not any(sure for sure, _ in found)


@pytest.mark.parametrize(
    "sentence",
    [
        "RR10(4kB) stands for ten clients.",
        "A stream is cut into packets.",
        "What the runs of RR10(4kB) consist of is told above.",
        "Of RR10(4kB) we can say less.",
        "The server does not feel it in RR1(1kB): its latency falls.",
        "Which of the two should one buy?",
        'RR1(1kB) is where it shows: {{ delta("latency", "RR1(1kB)") }}.',
    ],
)
def test_what_explains_or_is_told_again_is_not(
    project: Sources, write_text: WriteText, sentence: str
) -> None:
    written(write_text, sentence, FALLS)
    assert told(project) == []


@pytest.mark.parametrize(
    ("sentence", "claim", "passes"),
    [
        ("Latency of RR1(1kB) falls elsewhere.", FALLS, False),
        ("Latency of RR1(1kB) falls.", FALLS, True),
    ],
)
def test_a_claim_reaches_as_far_as_the_runs(
    project: Sources, write_text: WriteText, sentence: str, claim: str, passes: bool
) -> None:
    written(write_text, sentence, claim)
    assert (told(project) == []) == bool(passes)
