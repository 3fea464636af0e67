"""Entries of a what-if question: the ends of what may be asked."""

import pytest

from analysis.derive.fallback.what_if import read_what_if
from analysis.errors import UserError


@pytest.mark.parametrize(
    ("entry", "low", "high"), [("cps", 1, 16), ("mtu", 576, 9216), ("clients", 1, 600)]
)
def test_the_ends_of_a_range_may_be_asked_and_nothing_beyond(entry, low, high):
    for value in (low, high):
        assert read_what_if([f"{entry}={value}"], [], None)
    for value in (low - 1, high + 1):
        with pytest.raises(UserError, match="out of range"):
            read_what_if([f"{entry}={value}"], [], None)
