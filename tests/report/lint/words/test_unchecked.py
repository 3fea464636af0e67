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


EXPLAINS = [
    "RR10(4kB) stands for ten clients.",
    "A stream is cut into packets.",
    "What the runs of RR10(4kB) consist of is the load.",
    "Keep z17 for streams.",
    "The published report finds RR10(4kB) faster.",
]


@pytest.mark.parametrize("sentence", EXPLAINS)
def test_what_explains_is_marked_or_held(
    project: Sources, write_text: WriteText, sentence: str
) -> None:
    written(write_text, sentence, FALLS)
    assert told(project)
    written(write_text, f"[{sentence}]{{.unchecked}}", FALLS)
    assert told(project) == []
    written(write_text, f"::: {{.unchecked}}\n{sentence}\n:::", FALLS)
    assert told(project) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "The published report describes the link [@ibm].",
        "Of RR10(4kB) we can say less.",
        "Which of the two should one buy?",
        "We do not know whether RR10(4kB) gains.",
        "More is in @sec-speed.",
        "[The server does not feel it]{.unchecked}: latency of RR1(1kB) falls.",
        "A change of less than {{ limit() }} does not count.",
        'Latency of RR1(1kB) {{ moves("latency", "RR1(1kB)") }}, [as it should.]'
        "{.unchecked}",
    ],
)
def test_what_is_cited_asked_not_known_or_elsewhere_needs_no_mark(
    project: Sources, write_text: WriteText, sentence: str
) -> None:
    written(write_text, sentence, FALLS)
    assert told(project) == []


@pytest.mark.parametrize(
    "sentence",
    [
        'It would be wrong to say that latency {{ moves("latency", "RR1(1kB)") }}.',
        'Latency of RR1(1kB) {{ moves("latency", "RR1(1kB)") }} as the host sleeps.',
        'What survives of the latency is {{ delta("latency", "RR1(1kB)") | size }}.',
        'Latency of RR1(1kB) is {{ delta("latency", "RR1(1kB)") | size }}.',
        'All but {{ delta("latency", "RR1(1kB)") | size }} of the latency is gone.',
        'The peak is {{ value("latency", "RR1(1kB)", configuration="new") }}.',
    ],
)
def test_words_beside_a_value_that_may_turn_it_are_held(
    project: Sources, write_text: WriteText, sentence: str
) -> None:
    written(write_text, sentence, FALLS)
    assert told(project)


def test_a_mark_covers_no_result(project: Sources, write_text: WriteText) -> None:
    written(write_text, "[Latency of RR10(4kB) rises.]{.unchecked}", FALLS)
    assert told(project)


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
