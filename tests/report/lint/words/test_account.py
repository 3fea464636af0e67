"""Accounts of authors, held against declarations, origins and rules."""

from __future__ import annotations

import pytest

from analysis.declared.campaign import Campaign
from analysis.report.lint.words.account import KnownAnswers, against_known
from analysis.report.lint.words.mention import Mention
from analysis.report.lint.words.text_blocks import block_of, text_blocks
from analysis.report.text.parse import parse
from tests.report.lint.words.test_made import CAMPAIGN

DECLARED = CAMPAIGN | {
    "configurations": {
        "A": {"label": "On", "details": {"MTU": 1500, "Receive offload": "on"}},
        "B": {"label": "Off", "details": {"MTU": 1500, "Receive offload": "off"}},
    }
}
KNOWN = KnownAnswers(
    studies={"one": None, "two": None},  # type: ignore[dict-item]
    campaigns={"c": Campaign.model_validate(DECLARED)},
    origins=frozenset({"measured"}),
    mixed=False,
    numbers=frozenset({"1500"}),
)
SIDES = [("A", {"A"}), ("B", {"B"}), ("offload on", {"A"}), ("baseline", {"A"})]


def found(text: str, known: KnownAnswers = KNOWN) -> list[str]:
    (block,) = text_blocks(parse(text))
    named = [
        Mention("configuration", at, at + len(words), frozenset(names), text=words)
        for words, names in SIDES
        if (at := block.words.find(words)) >= 0
    ]
    named += [
        Mention("workload", at, at + 9, frozenset({"RR10(4kB)"}), text="RR10(4kB)")
        for at in [block.words.find("RR10(4kB)")]
        if at >= 0
    ]
    named.sort(key=lambda mention: mention.start)
    return [
        words
        for sentence in block.sentences
        for _, words in against_known(block, sentence, named, known)
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("A value is the mean of the runs.", "mean of the runs"),
        ("The best of ten runs is shown.", "best of ten runs"),
        ("A t-test decides.", "t-test"),
        ("The intervals are 99% intervals.", "99% intervals"),
        ("No run was excluded.", "run was excluded"),
        ("Outliers were dropped.", "Outliers were dropped"),
        ("IBM has checked these results.", "checked"),
        ("All values are simulated.", "All values are simulated"),
        ("Half of the values are predictions.", "Half of the values are predictions"),
        ("No values here are measured.", "No values here are measured"),
        ("This report has three studies.", "has three studies"),
        ("What the third study asks is open.", "the third study"),
        ("A and B differ in the congestion control.", "differ in the congestion"),
        ("B is the baseline.", "B is the baseline"),
        ("With B offload on.", "B offload on"),
        ("RR10(4kB) has forty clients.", "has forty clients"),
        ("Packets have 9,000 bytes.", "Packets have 9,000"),
        ("kB is 1,000 bytes.", "kB is 1,000 bytes"),
    ],
)
def test_what_is_known_otherwise_is_told(text: str, told: str) -> None:
    assert any(told in words for words in found(text))
    marked = f"[{text.removesuffix('.')}]{{.unchecked}}."
    assert told not in " ".join(found(marked))


@pytest.mark.parametrize(
    "text",
    [
        "A value is the median of the runs.",
        "The intervals are 95% intervals.",
        "No run was excluded for its value.",
        "A run is excluded if its log says that it went wrong.",
        "IBM has not approved this report.",
        "The values are measured.",
        "Where values come from a model, the tables say so.",
        "This report has two studies.",
        "A and B differ in the receive offload.",
        "A is the baseline.",
        "RR10(4kB) has ten clients.",
        "Packets have 1500 bytes.",
        "kB is 1,024 bytes.",
    ],
)
def test_what_is_so_passes(text: str) -> None:
    assert found(text) == []


def test_one_origin_of_several_is_not_that_of_all_values() -> None:
    both = KnownAnswers(
        studies=KNOWN.studies,
        campaigns=KNOWN.campaigns,
        origins=frozenset({"measured", "modelled"}),
        mixed=True,
        numbers=KNOWN.numbers,
    )
    assert found("All values are measured.", both)
    assert found("No values are predictions.", both)
    assert found("The values are predicted.", both) == []


def test_a_block_of_words_alone_is_read() -> None:
    (sentence,) = block_of("All values are simulated.").sentences
    words = block_of("All values are simulated.")
    assert list(against_known(words, sentence, (), KNOWN))
