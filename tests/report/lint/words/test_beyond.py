"""Words beside printed values that say more than the values do."""

from __future__ import annotations

import pytest

from analysis.report.material import Sources
from tests.report.lint.words.wording import WriteText, told, written

FALLS = "latency falls for RR1(1kB) beyond noise"
LATENCY = 'Latency of RR1(1kB) {{ moves("latency", "RR1(1kB)") }}'


@pytest.mark.parametrize(
    "beside",
    [
        " on every machine",
        " for requests of every kind",
        " within a second",
        " and of RR10(4kB)",
        " at the server",
        " on the receive side",
        " on both sides",
        " ~~not~~",
        " ↑",
        ", as in the report of IBM [@ibm]",
    ],
)
def test_words_that_reach_beyond_a_value_are_held(
    project: Sources, write_text: WriteText, beside: str
) -> None:
    written(write_text, f"{LATENCY}{beside}.", FALLS)
    assert told(project)
    written(write_text, f"{LATENCY}.", FALLS)
    assert told(project) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Everything.",
        "Every change lies within {{ limit() }}, and so does every interval.",
        "The findings hold for any machine [@ibm].",
        "The published report finds RR1(1kB) slower [@ibm].",
        "It is not known which side did the work of RR1(1kB).",
        "RR1(1kB) saves the server nothing.",
        "RR1(1kB) +++",
        "RR1(1kB) has always been faster.",
        "[Contrary to what the figures say,]{.unchecked} latency of RR1(1kB) falls.",
        'Latency of RR1(1kB) falls by barely {{ delta("latency", "RR1(1kB)") | size }}',
        f"{LATENCY}.[^a]\n\n[^a]: The same holds for RR10(4kB).",
    ],
)
def test_what_nothing_answers_is_held(
    project: Sources, write_text: WriteText, sentence: str
) -> None:
    written(write_text, sentence, FALLS)
    assert told(project)
