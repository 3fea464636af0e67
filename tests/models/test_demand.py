from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.errors import UserError
from models.demand import calibrate_delay, estimate, fit_two
from models.network import Station, solve
from models.path import packets

SIZES = (1024, 4096, 8192, 16384, 32768)
NAMES = ("fixed", "packets", "kB")


def rows(mtus):
    return [(1.0, packets(s, mtu), s / 1024) for mtu in mtus for s in SIZES]


def noisy(features, terms, seed):
    noise = np.random.default_rng(seed).lognormal(0, 0.007, len(features))
    return np.asarray(features) @ terms * noise


def test_terms_are_found_again_where_two_mtus_were_measured():
    features = rows([1500, 9000]) * 5
    found = estimate(NAMES, features, noisy(features, [4.9, 0.42, 0.29], 1))
    assert found.terms == pytest.approx((4.9, 0.42, 0.29), rel=0.05)
    assert found.error == pytest.approx(0.007, rel=0.4)
    assert not found.confounded


def test_one_mtu_predicts_between_its_payloads_but_cannot_be_taken_apart():
    features = rows([1500]) * 5
    found = estimate(NAMES, features, noisy(features, [4.9, 0.42, 0.29], 1))
    assert found.confounded
    truth = 4.9 + 0.42 * packets(12_000, 1500) + 0.29 * 12_000 / 1024
    asked = (1.0, packets(12_000, 1500), 12_000 / 1024)
    assert found.cost(asked) == pytest.approx(truth, rel=0.01)


@settings(max_examples=50)
@given(st.lists(st.floats(0.1, 100), min_size=5, max_size=5))
def test_no_term_is_negative(costs):
    found = estimate(NAMES, rows([1500]), costs)
    assert min(found.terms) >= 0


@pytest.mark.parametrize(
    ("features", "costs", "words"),
    [
        (rows([1500])[:2], [1.0, 2.0], "2 measurements cannot give 3 terms"),
        (rows([1500]), [1.0, 2.0, 0.0, 3.0, 4.0], "a cost is not positive"),
    ],
)
def test_what_cannot_be_estimated(features, costs, words):
    with pytest.raises(UserError, match=words):
        estimate(NAMES, features, costs)


@settings(max_examples=50)
@given(st.floats(0, 500), st.integers(1, 60))
def test_a_delay_is_found_again(delay, clients):
    stations = [Station(5.0, 4), Station(2.0)]
    rate = float(solve(clients, delay, stations))
    found = calibrate_delay(rate, clients, stations)
    again = float(solve(clients, found, stations))
    assert again == pytest.approx(rate, rel=1e-6)


def test_a_rate_beyond_the_network_leaves_no_delay():
    assert calibrate_delay(1.0, 10, [Station(5.0, 1)]) == 0.0
    with pytest.raises(UserError, match="rate is not positive"):
        calibrate_delay(0.0, 10, [Station(5.0, 1)])


def test_two_parameters_are_found_from_rates_across_the_knee():
    loads = [100, 200, 300, 400, 500, 600]
    rates = [float(solve(n, 0.5, [Station(0.004, 3)])) for n in loads]
    demand, delay, error = fit_two(loads, rates, 3)
    assert (demand, delay) == pytest.approx((0.004, 0.5), rel=1e-3)
    assert error < 1e-4
    with pytest.raises(UserError, match="two loads"):
        fit_two([100], [200.0], 3)
