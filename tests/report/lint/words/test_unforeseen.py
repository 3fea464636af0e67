"""Suppositions, exclusions, comparisons with others, and what nobody measured."""

from __future__ import annotations

import pytest

from analysis.report.lint.words.text_blocks import block_of
from analysis.report.material import Sources
from tests.report.lint.words.wording import WriteText, remarks_of, told, written

FALLS = "latency falls for RR1(1kB) beyond noise"
BOTH = "latency falls for RR*"
RISES = "cpu_cost of client rises for STR*"


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("[If z17 is at hand]{.unchecked}, latency of RR1(1kB) falls.", FALLS),
        ("[If a packet is lost, somebody has to send it again.]{.unchecked}", FALLS),
        (
            "[Had it been tied, RR1(1kB) might run in one way.]{.unchecked}",
            FALLS,
        ),
        ("Latency of RR1(1kB) is never anything but lower.", FALLS),
        ("CPU cost of the client rises for STR3(1B/20MB) alone.", RISES),
        ("[The slides find RR10(4kB) slower on z16.]{.unchecked}", FALLS),
        ("[It was one speed that the link had.]{.unchecked}", FALLS),
    ],
)
def test_what_is_backed_or_leaves_it_open_passes(
    project: Sources, write_text: WriteText, sentence: str, claim: str
) -> None:
    written(write_text, sentence, claim)
    assert told(project) == []


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("If z17 is at hand, latency of RR10(4kB) falls.", FALLS),
        ("Unless one has z17, RR10(4kB) goes through the roof.", FALLS),
        ("Latency falls for RR1(1kB) alone.", BOTH),
        ("Only for RR1(1kB) latency falls.", BOTH),
        ("The slides find the same for RR1(1kB).", FALLS),
        ("The report gives a larger change of RR1(1kB) than these runs.", FALLS),
        ("RR1(1kB) sees fewer retransmissions on z17.", FALLS),
        ("On z17 it takes more memory.", FALLS),
        ("With z17 one could do with a CPU fewer.", FALLS),
        ("Nobody will notice z17 in RR1(1kB).", FALLS),
        ("What RR1(1kB) gains is an artefact.", FALLS),
        ("Latency of RR1(1kB) lies within the noise.", FALLS),
        ("RR10(4kB) is served later on z17.", FALLS),
    ],
)
def test_what_nothing_stands_behind_is_told(
    project: Sources, write_text: WriteText, sentence: str, claim: str
) -> None:
    written(write_text, sentence, claim)
    assert told(project) != []


def test_an_answer_tells_results_as_observations_do(
    project: Sources, write_text: WriteText
) -> None:
    for part, held in (("answer", True), ("background", False)):
        name = f"studies/speed/{part}.md"
        write_text(name, "RR10(4kB) positively flies.\n")
        assert bool(remarks_of(project, name)) is held


def test_what_follows_that_is_said_and_not_only_possible(
    project: Sources, write_text: WriteText
) -> None:
    for words, held in (
        ("Readers may note that RR10(4kB) is slower.", True),
        ("RR10(4kB) may be slower.", False),
    ):
        write_text("front/preface.md", f"{words}\n")
        assert bool(remarks_of(project, "front/preface.md")) is held


@pytest.mark.parametrize(
    ("words", "clauses"),
    [
        (
            "If it rains, we stay, and wait.",
            ["If it rains, ", "we stay, ", "and wait."],
        ),
        ("We stay if it rains, or snows.", ["We stay ", "if it rains, ", "or snows."]),
        ("If so", ["If so"]),
    ],
)
def test_a_supposition_ends_at_its_comma(words: str, clauses: list[str]) -> None:
    block = block_of(words)
    spans = [c for s in block.sentences for c in block.clauses(s)]
    assert [block.words[span.start : span.end] for span in spans] == clauses
