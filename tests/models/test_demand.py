from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.errors import UserError
from models.interpolate import estimate_demand, packets
from models.network import Station, calibrate_delay, fit_two, solve

SIZES = (1024, 4096, 8192, 16384, 32768)


def rows(mtus):
    return [(1.0, packets(s, mtu), s / 1024) for mtu in mtus for s in SIZES]


def noisy(features, terms, seed):
    noise = np.random.default_rng(seed).lognormal(0, 0.007, len(features))
    return np.asarray(features) @ terms * noise


def test_terms_are_found_again_where_two_mtus_were_measured():
    features = rows([1500, 9000]) * 5
    found = estimate_demand(features, noisy(features, [4.9, 0.42, 0.29], 1))
    assert found == pytest.approx((4.9, 0.42, 0.29), rel=0.05)


def test_one_mtu_predicts_between_its_payloads():
    features = rows([1500]) * 5
    found = estimate_demand(features, noisy(features, [4.9, 0.42, 0.29], 1))
    truth = 4.9 + 0.42 * packets(12_000, 1500) + 0.29 * 12_000 / 1024
    asked = (1.0, packets(12_000, 1500), 12_000 / 1024)
    assert float(np.dot(found, asked)) == pytest.approx(truth, rel=0.01)


def test_a_feature_that_never_occurs_does_not_upset_the_others():
    found = estimate_demand([(1.0, 0.0), (1.0, 0.0)], [2.0, 2.0])
    assert found == pytest.approx((2.0, 0.0))


@given(st.lists(st.floats(0.1, 100), min_size=5, max_size=5))
def test_no_term_is_negative(costs):
    found = estimate_demand(rows([1500]), costs)
    assert min(found) >= 0


@pytest.mark.parametrize(
    ("features", "costs", "words"),
    [
        (rows([1500])[:2], [1.0, 2.0], "2 measurements cannot give 3 terms"),
        (rows([1500]), [1.0, 2.0, 0.0, 3.0, 4.0], "a cost is not positive"),
    ],
)
def test_what_cannot_be_estimated(features, costs, words):
    with pytest.raises(UserError, match=words):
        estimate_demand(features, costs)


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


def test_two_loads_give_two_parameters():
    station = [Station(0.01, 2)]
    rates = [float(solve(n, 0.05, station)) for n in (2, 30)]
    demand, delay, error = fit_two([2, 30], rates, 2)
    assert (demand, delay) == pytest.approx((0.01, 0.05), rel=0.01)
    assert error < 1e-4
    with pytest.raises(UserError, match="two loads"):
        fit_two([2], rates[:1], 2)
