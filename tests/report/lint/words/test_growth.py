"""Words of growth and of what is alike, with the claims of values that back them."""

from __future__ import annotations

import pytest

from analysis.report.lint.words.growth import grows, stands_alone
from analysis.report.lint.words.senses import Word
from analysis.report.lint.words.stand import Stand, stand_of
from analysis.report.lint.words.topic import Topic
from analysis.report.material import Sources
from tests.report.claims.small import outcome
from tests.report.claims.test_growth import AES, rates
from tests.report.lint.words.wording import WriteText, told, written

ORDER = "cpu_cost of server grows in the order old, new for RR1(1kB)"
ALIKE = "latency of new differs by at most 5% over RR*"


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("For RR1(1kB) the CPU cost of the server grows in the order z16, z17.", ORDER),
        ("Over interactive work the latency of z17 stays constant.", ALIKE),
    ],
)
def test_words_of_an_order_and_of_what_is_alike_need_their_claim(
    project: Sources, write_text: WriteText, sentence: str, claim: str
) -> None:
    written(write_text, sentence, claim)
    assert told(project) == []
    written(write_text, sentence)
    assert len(told(project)) == 1


RATE = Topic(metrics=(frozenset({"rate"}),))
COST = Topic(metrics=(frozenset({"cpu_cost"}),))


def stand(claim: str) -> Stand:
    return stand_of([outcome(claim, *rates(AES))])


@pytest.mark.parametrize(
    ("text", "about", "claim", "backed"),
    [
        ("proportional", RATE, "is in proportion to clients up to 300 within 3%", True),
        ("grows with the clients", RATE,
         "is in proportion to clients up to 300 within 3%", True),
        ("shrinks with the clients", RATE,
         "is in proportion to clients up to 300 within 3%", False),
        ("proportional", COST,
         "is in proportion to clients up to 300 within 3%", False),
        ("proportional", RATE, "is in proportion to clients within 3%", False),  # false
        ("exponentially", RATE, "is in proportion to clients within 40%", False),
        ("proportional", RATE, "stops growing from 500 on", False),
    ],
)  # fmt: skip
def test_proportion_needs_a_claim_of_proportion_that_holds(text, about, claim, backed):
    word = Word("growth", 0, len(text), text)
    assert grows(word, about, stand(f"rate of new {claim}"), "") is backed


@pytest.mark.parametrize(
    ("sentence", "claim", "backed"),
    [
        ("The rate stops growing from there on.", "stops growing from 500 on", True),
        ("It no longer rises.", "stops growing from 500 on", True),
        ("The rate rises.", "stops growing from 500 on", False),
        ("The rate stops growing.", "stops growing from 400 on", False),  # false
        ("The rate stops growing.", "differs by at most 400%", False),
    ],
)
def test_growth_that_stops_needs_its_claim(sentence, claim, backed):
    word = Word("rises", 0, 7, "growing")
    found = stands_alone(word, RATE, stand(f"rate of new {claim}"), sentence)
    assert found is backed
