"""Balanced noise scatters like noise and leaves the arm where it is."""

from __future__ import annotations

import math
from statistics import fmean, median, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthetic.noise import REPETITIONS, balanced, session

KEYS = st.text(max_size=20)


@given(KEYS, st.floats(0.001, 0.1))
def test_mean_and_median_are_exact_and_the_scatter_is_declared(key, cv):
    logs = [math.log(factor) for factor in balanced(cv, key)]
    assert len(logs) == REPETITIONS
    assert fmean(logs) == pytest.approx(0, abs=1e-12)
    assert median(logs) == 0
    assert stdev(logs) == pytest.approx(cv)


def test_arms_have_noise_of_their_own_which_is_the_same_each_time():
    assert balanced(0.01, "a") == balanced(0.01, "a")
    assert balanced(0.01, "a") != balanced(0.01, "b")


@given(KEYS)
def test_a_session_moves_all_of_a_study_by_little(key):
    assert session("rate", key) == session("rate", key)
    assert abs(session("rate", key) - 1) < 0.04
