import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.statistics.median import coverage, median_interval

samples = st.lists(st.floats(1e-3, 1e9), min_size=6, max_size=40).map(np.array)


@pytest.mark.parametrize(
    ("n", "low", "high", "confidence"),
    [
        (6, 1, 6, 0.96875),
        (9, 2, 8, 0.9609375),
        (10, 2, 9, 0.978515625),
        (40, 14, 27, 0.961522),
    ],
)
def test_ranks_are_those_of_the_published_tables(n, low, high, confidence):
    found = median_interval(np.arange(1.0, n + 1))
    assert (found.low, found.high) == (low, high)
    assert found.confidence == pytest.approx(confidence, abs=1e-6)


def test_of_many_runs_the_ranks_are_those_of_the_normal_distribution():
    found = median_interval(np.arange(1.0, 10_001))
    assert found.low == pytest.approx(5_000 - 1.96 / 2 * 100, abs=1)
    assert found.confidence == pytest.approx(0.95, abs=0.002)


def test_five_values_are_too_few():
    assert median_interval(np.arange(5.0)) is None
    assert coverage(5, 1) < 0.95


@given(samples)
def test_it_holds_the_median_with_the_confidence_it_says(values):
    found = median_interval(values)
    assert found.low <= np.median(values) <= found.high
    assert 0.95 <= found.confidence < 1


@given(samples, st.randoms())
def test_order_does_not_matter_and_units_scale(values, random):
    shuffled = list(values)
    random.shuffle(shuffled)
    found, scaled = median_interval(values), median_interval(np.array(shuffled) * 8)
    assert (scaled.low, scaled.high) == (found.low * 8, found.high * 8)


def test_confidence_is_the_share_of_samples_that_hold_the_median():
    rng = np.random.default_rng(7)
    drawn = rng.lognormal(size=(4000, 10))  # its median is 1
    found = [median_interval(row) for row in drawn]
    share = np.mean([i.low <= 1 <= i.high for i in found])
    assert share == pytest.approx(found[0].confidence, abs=0.01)
