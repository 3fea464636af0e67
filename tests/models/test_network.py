"""The solver against other ways to the same numbers, and the laws that it must keep."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.network import Station, solve

# Demands, servers, delay, clients, rate. The rates are those of `pfqn_mvams` of
# line-solver 3.0.8.0, which is exact mean value analysis with many servers.
KNOWN = [
    ([7.32, 8.79, 7.32, 8.79], [4, 1, 4, 1], 101.9, 60, 0.11138241590068523),
    ([5.0, 1.0, 5.0, 1.0], [4, 1, 4, 1], 30.0, 10, 0.23493452292674818),
    ([5790, 3260], [4, 4], 12500.0, 40, 0.0006908460893378835),
    ([7.0, 3.0], [2, 1], 0.0, 25, 0.28475805907779245),
    ([282, 261], [4, 4], 12500.0, 40, 0.003066420080508056),
    ([3.95], [3], 510.0, 60, 0.11673896600433253),
]
demands = st.floats(0.01, 100)
networks = st.lists(st.tuples(demands, st.integers(1, 5)), min_size=1, max_size=4)


def stations(pairs):
    return [Station(demand, servers) for demand, servers in pairs]


def textbook_mva(pairs, delay, clients):
    """Mean value analysis with marginal probabilities (Reiser and Lavenberg, 1980)."""
    queues = [0.0] * len(pairs)
    marginals = [[1.0] + [0.0] * (servers - 1) for _, servers in pairs]
    rate = 0.0
    for n in range(1, clients + 1):
        times = []
        for (demand, servers), queue, p in zip(pairs, queues, marginals, strict=True):
            idle = sum((servers - 1 - j) * p[j] for j in range(servers - 1))
            times.append(demand / servers * (1 + queue + idle))
        rate = n / (delay + sum(times))
        queues = [rate * time for time in times]
        for (demand, servers), p in zip(pairs, marginals, strict=True):
            new = [0.0] * servers
            for j in range(1, servers):
                new[j] = rate * demand / j * p[j - 1]
            spare = sum((servers - j) * new[j] for j in range(1, servers))
            new[0] = 1 - (rate * demand + spare) / servers
            p[:] = new
    return rate


@pytest.mark.parametrize(("demand", "servers", "delay", "clients", "rate"), KNOWN)
def test_rates_of_an_independent_solver(demand, servers, delay, clients, rate):
    pairs = list(zip(demand, servers, strict=True))
    assert float(solve(clients, delay, stations(pairs))) == pytest.approx(
        rate, rel=1e-9
    )


@given(networks, st.floats(0, 1000), st.integers(1, 8))
def test_mean_value_analysis_gives_the_same(pairs, delay, clients):
    exact = textbook_mva(pairs, delay, clients)
    assert float(solve(clients, delay, stations(pairs))) == pytest.approx(
        exact, rel=1e-6
    )


def test_mean_value_analysis_loses_its_digits_at_saturation_and_this_does_not():
    pairs = [(10.0, 8), (1.0, 8)]
    capacity = 8 / 10
    assert float(solve(300, 5.0, stations(pairs))) == pytest.approx(capacity, rel=1e-12)
    assert abs(textbook_mva(pairs, 5.0, 300) / capacity - 1) > 0.01


def test_ciw_gives_the_same():
    ciw = pytest.importorskip("ciw", reason="needs ciw: make test installs it")
    demand, servers, delay, clients = [7.3, 8.8, 7.3], [4, 1, 2], 60.0, 12
    count = len(demand) + 1
    start = [ciw.dists.Sequential([0.0, float("inf")]), *[None] * (count - 1)]
    batch = [
        ciw.dists.Sequential([clients]),
        *[ciw.dists.Deterministic(1)] * (count - 1),
    ]
    network = ciw.create_network(
        arrival_distributions=start,
        batching_distributions=batch,
        service_distributions=[ciw.dists.Exponential(1 / d) for d in (*demand, delay)],
        number_of_servers=[*servers, float("inf")],
        routing=np.roll(np.eye(count), 1, axis=1).tolist(),
    )
    ciw.seed(3)
    run = ciw.Simulation(network)
    run.simulate_until_max_time(100_000)
    done = [r for r in run.get_all_records() if r.node == 1 and r.exit_date > 10_000]
    pairs = list(zip(demand, servers, strict=True))
    exact = float(solve(clients, delay, stations(pairs)))
    assert len(done) / 90_000 == pytest.approx(exact, rel=0.02)


@given(networks, st.floats(0, 1000), st.integers(1, 60))
def test_more_clients_never_lower_the_rate(pairs, delay, clients):
    slower = float(solve(clients, delay, stations(pairs)))
    faster = float(solve(clients + 1, delay, stations(pairs)))
    assert faster >= slower * (1 - 1e-12)


@given(networks, st.floats(0, 1000), st.integers(1, 300))
def test_the_rate_stays_below_both_bounds(pairs, delay, clients):
    rate = float(solve(clients, delay, stations(pairs)))
    alone = clients / (delay + sum(demand for demand, _ in pairs))
    assert 0 < rate <= alone * (1 + 1e-9)
    assert all(rate * demand / servers <= 1 + 1e-9 for demand, servers in pairs)


@settings(max_examples=20)
@given(st.lists(st.tuples(demands, demands, demands), min_size=2, max_size=5))
def test_many_draws_are_as_many_single_answers(draws):
    first, second, delay = np.array(draws).T
    together = solve(20, delay, [Station(first, 4), Station(second)])
    apart = [float(solve(20, z, [Station(a, 4), Station(b)])) for a, b, z in draws]
    assert together == pytest.approx(apart, rel=1e-9)


def test_a_thousand_clients_and_a_long_delay_do_not_leave_the_range_of_floats():
    rate = float(solve(2000, 1e9, [Station(1.0, 4)]))
    assert rate == pytest.approx(2000 / (1e9 + 1), rel=1e-9)
