from __future__ import annotations

import pytest

from analysis.report.material import Sources
from tests.report.lint.words.wording import (
    OBSERVATIONS,
    WriteText,
    remarks_of,
    told,
    written,
)

FALLS = "latency falls for RR1(1kB) beyond noise"
BOTH = "latency falls for RR*"


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("Latency of RR1(1kB) falls.", FALLS),
        ("Latency of RR1(1kB) improves.", FALLS),
        ("The drop in latency of RR1(1kB) is significant.", FALLS),
        ("RR1(1kB) is answered sooner.", FALLS),
        ("Interactive work is faster.", BOTH),
        ("Latency of RR1(1kB) does not rise.", FALLS),
        ("Latency of RR1(1kB) is not comparable.", FALLS),
        ("Throughput of STR3(1B/20MB) rises.", "throughput rises for STR*"),
        ("A stream costs the client more.", "cpu_cost of client rises for STR*"),
        ("Latency falls most for RR1(1kB).", "latency falls most for RR1(1kB)"),
        ("No comparison of latency is inconclusive.",
         "no comparison is inconclusive"),
        ("Latency of RR1(1kB). It falls.", FALLS),
        ("The latency of RR1(1kB) is lower on z17 than on z16.", FALLS),
        ("Latency of RR1(1kB) falls, and so does that of RR10(4kB).", BOTH),
    ],
)  # fmt: skip
def test_words_with_their_claim_pass(
    project: Sources, write_text: WriteText, sentence: str, claim: str
) -> None:
    written(write_text, sentence, claim)
    assert told(project) == []


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("Latency of RR10(4kB) falls.", "falls"),
        ("Throughput of STR3(1B/20MB) doubles.", "doubles"),
        ("The CPU cost of RR1(1kB) at the client falls.", "falls"),
        ("Interactive work is faster.", "faster"),
        ("It is the best.", "best"),
        ("Every workload is answered faster.", "faster"),
        ("Most of the comparisons improved.", "Most of the comparisons"),
        ("Latency of RR1(1kB) halves.", "halves"),
        ("For RR10(4kB) there is no difference.", "no difference"),
        ("Latency falls most for RR10(4kB).", "falls most"),
        ("Latency of RR1(1kB) falls with the payload.", "falls with the payload"),
        ("Latency scatters more for RR1(1kB).", "scatters"),
        ("Latency of RR1(1kB) has two speeds.", "two speeds"),
        ("Latency of RR1(1kB) falls, and so does that of RR10(4kB).", "so does"),
        ("Latency of RR1(1kB) falls. The client's cost does the opposite.",
         "does the opposite"),
    ],
)  # fmt: skip
def test_words_without_their_claim_are_told(
    project: Sources, write_text: WriteText, sentence: str, word: str
) -> None:
    path = written(write_text, f"Fine.\n\n{sentence}", FALLS)
    found = [r for r in remarks_of(project) if f"{word!r}" in r.issue.what]
    assert [r.sure for r in found] == [False]
    assert str(found[0].issue.where) == f"{path}:7"
    assert "add a claim" in found[0].issue.mend


@pytest.mark.parametrize(
    "sentence",
    [
        "Latency of RR1(1kB) rises.",
        "Latency of RR1(1kB) is unchanged.",
        "Latency of RR1(1kB) does not fall.",
        "Latency of RR1(1kB) hardly improves.",
        "Latency of RR1(1kB) is lower on z16 than on z17.",
    ],
)
def test_what_the_data_contradict_is_an_error_with_the_words_to_write(
    project: Sources, write_text: WriteText, sentence: str
) -> None:
    written(write_text, sentence, FALLS)
    (found,) = remarks_of(project)
    assert found.sure
    assert "the data contradict" in found.issue.what
    assert '{{ moves("latency", "RR1(1kB)") }}' in found.issue.mend


def test_a_mend_offers_the_claim_that_the_data_allow(
    project: Sources, write_text: WriteText
) -> None:
    written(write_text, "Latency of RR10(4kB) falls.")
    (found,) = remarks_of(project)
    assert "latency falls for RR10(4kB) beyond noise" in found.issue.mend


def test_a_printed_change_stands_behind_words_of_its_paragraph(
    project: Sources, write_text: WriteText
) -> None:
    value = '{{ delta("latency", "RR1(1kB)") }}'
    written(write_text, f"- **RR1(1kB) is faster.** Its latency changes by {value}.")
    assert told(project) == []
    written(write_text, f"RR10(4kB) is faster. Latency of RR1(1kB) changes by {value}.")
    assert [sure for sure, _ in told(project)] == [False]


def test_words_that_an_expression_prints_need_no_claim(project: Sources) -> None:
    assert told(project) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "[Half duplex is not used, and the least significant bit is zero.]{.unchecked}",
        "[Higher layers do not learn of it.]{.unchecked}",
        "Does latency of RR10(4kB) fall?",
        "[If latency fell, one would look at the server first.]{.unchecked}",
        "We do not know whether RR10(4kB) gains.",
        "[The published report finds RR10(4kB) faster.]{.unchecked}",
        "[RR10(4kB) stands for ten clients that send 4 kB each.]{.unchecked}",
        "[A window grows with every acknowledgement.]{.unchecked}",
    ],
)
def test_what_tells_no_result_needs_nothing(
    project: Sources, write_text: WriteText, sentence: str
) -> None:
    written(write_text, sentence)
    assert told(project) == []


def test_words_that_no_table_knows_are_told_where_they_tell_of_what_was_compared(
    project: Sources, write_text: WriteText
) -> None:
    written(write_text, "The latency of RR10(4kB) is a joy to behold on z17.")
    ((sure, what),) = told(project)
    assert not sure
    assert "nothing checks what is said here" in what


def test_background_may_explain(project: Sources, write_text: WriteText) -> None:
    name = "studies/speed/background.md"
    write_text(name, "Cost grows with every packet, and streams gain by it.\n")
    assert told(project, name) == []
    write_text(name, "In our runs streams were faster on z17.\n")
    assert told(project, name) != []


def test_an_exception_quiets_a_word(project: Sources, write_text: WriteText) -> None:
    allow = "allow:\n  - {text: best horse, reason: the name of a product}\n"
    write_text(OBSERVATIONS, f"---\n{allow}---\nIt is the best horse.\n")
    assert told(project) == []


@pytest.mark.parametrize(
    "body",
    [
        "- RR10(4kB)\n  - latency\n    - lower on z17",
        "RR10(4kB):\n\n- faster\n",
        "| Workload | Latency on z17 |\n|---|---|\n| RR10(4kB) | lower |",
        "RR10(4kB)\n:   faster on z17",
        "Fine.^[RR10(4kB) is faster.]",
        "Latency of RR10(4kB) f a l l s.",
        "LATENCY OF RR10(4KB) FALLS.",
        "Latency of RR10(4kB)\nfalls.",
    ],
)
def test_no_form_of_markdown_hides_words(
    project: Sources, write_text: WriteText, body: str
) -> None:
    written(write_text, body)
    assert told(project) != []
