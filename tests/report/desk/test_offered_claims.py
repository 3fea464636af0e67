"""Claims are offered for own words, and never one that contradicts them."""

from __future__ import annotations

import pytest

from analysis.report.checks.check import TextChecks
from analysis.report.desk.claims import find_claims, offered_claims, weighed
from analysis.report.material import Material, Sources, read_material
from tests.report.checks.test_sentences import CRR, STR, made, text_of


@pytest.fixture
def material(project: Sources) -> Material:
    return read_material("small", project)


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


def test_claims_that_hold_are_found_by_words_or_by_their_sentence(
    material: Material,
) -> None:
    for asked in (("throughput STR3", ""), ("", f"Streams of {STR} gain throughput.")):
        found = find_claims(material, "speed", *asked)
        assert found[0]["claim"] == f"throughput rises for {STR}"
        assert found[1]["claim"].startswith("throughput rises by at least ")
        assert found[0]["study"] == "speed"
        assert {one["state"] for one in found} <= {"holds", "fragile"}


def test_the_datum_and_the_margin_of_a_claim_are_told_and_what_is_none(
    material: Material,
) -> None:
    words = f"throughput falls for {STR}; throughput dances"
    false, none = weighed(material, "speed", words)
    assert false["state"] == "fails" and "points" in false["verdict"]
    assert STR in false["data"] and false["keys"]
    assert "'dances' is not understood" in none["data"] and "verdict" not in none
