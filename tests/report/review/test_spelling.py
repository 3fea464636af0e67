"""Which edits correct spelling alone, so that an approval stands."""

from __future__ import annotations

import pytest

from analysis.report.review.spelling import corrected, corrections


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The latncy here.", "The latency here."),
        ("Teh frames.", "The frames."),
        ("the Frames.", "The frames."),
        ("With jumbo frames it is.", "With jumbo frames, it is."),
        ("A {{ x | y }} lattency.", "A {{ x | y }} latency."),
        ("[Adaptors matter.]{claim=\"x\"} So.", "[Adapters matter.]{claim=\"x\"} So."),
    ],
)  # fmt: skip
def test_what_corrects_spelling(before: str, after: str) -> None:
    assert corrected(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("It rises.", "It raises."),
        ("It is now so.", "It is not so."),
        ("Latency falls.", "Latency never falls."),
        ("It has 2 CPs.", "It has 3 CPs."),
        ("Sender waits.", "Server waits."),
        ("It costs more.", "It costs less."),
        ("A {{ x }} b.", "A {{ y }} b."),
        ("One. Two.", "One Two."),
        ("[Frames.]{claim=\"a\"}", "[Frames.]{claim=\"b\"}"),
        ("RR10 waits.", "RR20 waits."),
        ("It is unable to.", "It is enable to."),
        ("It is so, always.", "It is so."),
    ],
)  # fmt: skip
def test_what_may_mean_something_else(before: str, after: str) -> None:
    assert corrected(before, after) is None


def test_a_paragraph_that_begins_otherwise_is_the_same_one() -> None:
    order = "order of observations"
    then = {"observations: Teh one": "Teh one is.", "observations: Two": "Two.",
            order: "Teh one | Two"}  # fmt: skip
    now = {"observations: The one": "The one is.", "observations: Two": "Two.",
           order: "The one | Two"}  # fmt: skip
    assert corrections(then, now) == [("Teh", "The")]
    assert corrections(then, {**now, order: "Two | The one"}) is None
    assert corrections(then, {**now, "observations: New": "New."}) is None
    assert corrections(then, {order: "Two", "observations: Two": "Two."}) is None
