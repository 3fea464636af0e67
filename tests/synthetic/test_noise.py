"""Runs scatter as declared, drift and are disturbed, and leave the median alone."""

from __future__ import annotations

import math
from statistics import median, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthetic.noise import scatter, session

KEYS = st.text(max_size=20)
STILL = [0.0] * 6


@given(KEYS, st.floats(0.001, 0.1), st.floats(0, 1))
def test_the_median_is_exact_whatever_happens(key, cv, disturbed):
    factors = scatter(cv, [0.01 * n for n in range(7)], disturbed, key)
    assert len(factors) == 7
    assert median(factors) == pytest.approx(1)


def test_the_scatter_is_the_declared_one():
    spreads = [
        stdev(map(math.log, scatter(0.01, [0.0] * 200, 0, n))) for n in range(20)
    ]
    assert median(spreads) == pytest.approx(0.01, rel=0.05)


def test_a_disturbed_run_is_slower_and_a_drift_goes_with_time():
    disturbed = scatter(1e-6, [0.0] * 400, 0.2, "a")
    slow = [factor for factor in disturbed if factor < 0.96]
    assert 50 < len(slow) < 110
    assert min(slow) > 0.87
    drifting = scatter(1e-6, [0.1 * n for n in range(6)], 0, "a")
    assert drifting == sorted(drifting)


def test_arms_have_noise_of_their_own_which_is_the_same_each_time():
    assert scatter(0.01, STILL, 0, "a") == scatter(0.01, STILL, 0, "a")
    assert scatter(0.01, STILL, 0, "a") != scatter(0.01, STILL, 0, "b")


@given(KEYS)
def test_a_session_moves_all_of_a_study_by_little(key):
    assert session(0.005, "rate", key) == session(0.005, "rate", key)
    assert abs(session(0.005, "rate", key) - 1) < 0.04
