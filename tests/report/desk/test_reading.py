"""Markdown is shown as the page has it: values, names of references, cells, claims."""

from __future__ import annotations

import time

import pytest

from analysis.report.desk.reading import PlainWords
from tests.report.desk.conftest import Office

LATENCY = '{{ moves("latency", "RR1(1kB)") }}'


@pytest.fixture
def reading(office: Office) -> PlainWords:
    live = office.desk.lives["small"]
    live.open()
    return PlainWords(live)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"It *{LATENCY}* (@fig-speed-rr).", ["It falls\x1fby\x1f37% (Figure\x1f1)."]),
        ("See [@smith] and -@tbl-none.", ["See [1] and Table."]),
        ("- One\n- Two\n  goes on", ["One", "Two goes on"]),
        ("| A | B |\n|---|---|\n| 1 | *2* |", ["A", "B", "1", "2"]),
        ("```text\nx\n\n| y |\n```\n\nSo.", ["x", "", "| y |", "So."]),
        ("[It is.]{claim=\"a falls; b\"}", ["It is.", "Claim: a falls", "Claim: b"]),
        ("::: {.callout-note}\n## Head {#sec-x}\n\nWords.\n:::", ["Head", "Words."]),
        ("---\nclaims: [latency falls]\nallow:\n- {text: 3%, reason: Law}\n---\nSo.",
         ["Claim: latency falls", "Accepted: 3%", "So."]),
        ("---\n[\n---\nSo.", ["So."]),
        ("It is {{ moves( }} and _so_.", ["It is … and so."]),
        ('{{ delta("none") }} {{ table("x") }}.', ["[delta] [table]."]),
        ("mail@example.org", ["mail@example.org"]),
    ],
)  # fmt: skip
def test_a_text_is_read_line_by_line(
    reading: PlainWords, text: str, lines: list[str]
) -> None:
    assert [line for line in reading.lines(text, "speed") if line] == [
        line for line in lines if line
    ]


def test_only_what_differs_is_shown_and_a_value_is_one_piece(
    reading: PlainWords,
) -> None:
    before = f"One.\n\n- Two {LATENCY}.\n- Three\n\nFour."
    after = before.replace("Three", "Drei").replace("One", "_One_")
    assert list(reading.changed(before, after, "speed")) == [
        [("gone", "Three"), ("new", "Drei")]
    ]
    then, now = {LATENCY[3:-3]: "falls by 9%"}, {}
    assert reading.pieces(LATENCY, LATENCY, "speed", (then, now)) == [
        ("gone", "falls by 9%"), ("new", "falls by 37%"),
    ]  # fmt: skip


def test_a_claim_that_stays_is_not_shown_and_words_alone_have_none(
    reading: PlainWords,
) -> None:
    one, two = '[It falls.]{claim="a; b"}', '[It fell.]{claim="a; c"}'
    assert reading.pieces(one, two) == [
        ("same", "It"), ("gone", "falls."), ("new", "fell."), ("same", "Claim:"),
        ("gone", "b"), ("new", "c"),
    ]  # fmt: skip
    assert reading.words(one, "speed") == "It falls."


@pytest.mark.parametrize("bad", ["[", "![", "[@", "[a](", "a\n: b\n\n", "b\n\na\n\n"])
def test_what_no_text_may_have_is_read_at_once(reading: PlainWords, bad: str) -> None:
    begun = time.process_time()
    list(reading.changed(f"x\n\n{bad * 10_000}y", bad * 9_000))
    assert time.process_time() - begun < 3


def test_a_long_table_takes_no_long(reading: PlainWords) -> None:
    rows = "\n".join(f"| {n} | [x](y) |" for n in range(5_000))
    assert len(reading.lines(f"| A | B |\n|---|---|\n{rows}")) > 1_000
