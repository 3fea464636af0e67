"""What is said of a release that is not sound."""

from __future__ import annotations

import pytest

from analysis.publish.sound import short_list


@pytest.mark.parametrize(
    ("names", "words"),
    [("a", "a"), ("abc", "a, b, c"), ("abcd", "a, b, c and 1 more"),
     ("abcde", "a, b, c and 2 more")],
)  # fmt: skip
def test_three_are_named_and_the_others_counted(names: str, words: str) -> None:
    assert short_list(list(names)) == words
