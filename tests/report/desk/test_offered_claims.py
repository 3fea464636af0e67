"""Claims are offered for own words, and never one that contradicts them."""

from __future__ import annotations

from analysis.report.checks.check import TextChecks
from analysis.report.desk.claims import offered_claims
from tests.report.checks.test_sentences import CRR, STR, made, text_of


def claims(words: str) -> list[str]:
    material = made()
    found = offered_claims(TextChecks(material), text_of(words, material))
    return [fix.write for _, fixes in found for fix in fixes]


def test_a_claim_says_what_the_sentence_names() -> None:
    assert claims("Throughput of STR3 rises.") == [f"throughput rises for {STR}"]
    same = [f"latency is comparable for {CRR}"]
    assert claims("Latency of CRR10 is what it was.") == same


def test_none_is_offered_against_the_words_or_without_names() -> None:
    assert claims("Throughput of STR3 falls.") == []
    assert claims("Latency of CRR10 falls.") == []
    assert claims("Streams like large frames.") == []
