"""Words that moved in a long text, with two on either side."""

from __future__ import annotations

import pytest

from analysis.report.review.state import _apart, _from_to


@pytest.mark.parametrize(("length", "whole"), [(80, True), (81, False)])
@pytest.mark.parametrize("turned", [False, True])
def test_a_text_of_more_than_eighty_characters_is_long(length, whole, turned):
    pair = [f"a b c {'d' * (length - 10)} e f", "a b c g e f"]
    before, after = pair[::-1] if turned else pair
    said = _from_to(before, after)
    assert (said == f"from {before} to {after}") == whole
    short = [f"‘… {text[2:]}’" for text in (before, after)]
    assert (said == f"from {short[0]} to {short[1]}") != whole


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("a b c X d", "a b c Y d", ("‘… b c X d’", "‘… b c Y d’")),
        ("X a b c d", "Y a b c d", ("‘X a b …’", "‘Y a b …’")),
        ("a b X c d", "a b Y c d", ("‘a b X c d’", "‘a b Y c d’")),
        ("a b c d X", "a b c d", ("‘… c d X’", "‘… c d’")),
        ("X X X", "X X", ("‘X X X’", "‘X X’")),
    ],
)
def test_the_words_apart_stand_between_two_alike(before, after, said):
    assert _apart(before.split(), after.split()) == said
    assert _apart(after.split(), before.split()) == said[::-1]
