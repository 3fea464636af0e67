"""The line of storage over sessions, worked out by hand."""

from __future__ import annotations

import pytest

from analysis.errors import UserError
from models.held_storage import StorageLine

# y = 10 MB + 5 KB × sessions, but for residuals of +1, −2 and +1 MB.
LINE = StorageLine({0: 11.0, 1000: 13.0, 2000: 21.0})


def test_start_slope_and_residuals():
    assert (LINE.start, LINE.each) == pytest.approx((10.0, 5.0))
    assert list(LINE.residuals.values()) == pytest.approx([1.0, -2.0, 1.0])
    assert LINE.deviation == pytest.approx(6**0.5)  # (1 + 4 + 1) ÷ (3 − 2)


def test_a_number_between_has_a_value_and_a_range_around_it():
    low, value, high = LINE.at(1500)
    assert value == pytest.approx(17.5)
    assert value - low == pytest.approx(high - value)
    # 6.314 (5% of t with one degree) × √6 × √(1 + 1/3 + 500² ÷ 2,000,000)
    assert high - value == pytest.approx(
        6.3138 * 6**0.5 * (1 + 1 / 3 + 0.125) ** 0.5, rel=1e-4
    )


def test_beyond_what_was_measured_it_says_nothing():
    with pytest.raises(UserError, match="2,001 sessions are outside"):
        LINE.at(2001)


def test_two_points_have_no_residuals():
    with pytest.raises(UserError, match="needs 3 numbers"):
        StorageLine({0: 1.0, 10: 2.0})
