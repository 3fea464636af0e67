"""The solver against ciw, an event simulation by other people.

Palmer, Knight, Harper, Hawa: Ciw, an open-source discrete event simulation library,
Journal of Simulation 13(1), 2019.
"""

from __future__ import annotations

from typing import Any

import ciw
import pytest

from models.network import Station, solve

SEED = 20260305


def _closed(
    customers: dict[str, int],
    times: dict[str, list[float]],
    servers: list[float],
    until: float,
) -> dict[str, float]:
    """Rounds per unit of time of each class after a tenth of the time.

    ``times`` has the mean exponential service time at each station, visited in order.
    """
    stations = range(len(servers))

    def arrivals(count: int, station: int) -> Any:
        if station:
            return None
        return ciw.dists.Sequential([0.0] * count + [float("inf")])

    network = ciw.create_network(
        arrival_distributions={
            name: [arrivals(count, s) for s in stations]
            for name, count in customers.items()
        },
        service_distributions={
            name: [ciw.dists.Exponential(1 / mean) for mean in means]
            for name, means in times.items()
        },
        number_of_servers=servers,
        routing={
            name: ciw.routing.NetworkRouting(
                [ciw.routing.Direct(to=(s + 1) % len(servers) + 1) for s in stations]
            )
            for name in customers
        },
    )
    ciw.seed(SEED)
    run = ciw.Simulation(network)
    run.simulate_until_max_time(until)
    rounds = dict.fromkeys(customers, 0)
    for record in run.get_all_records():
        if record.node == len(servers) and record.exit_date > until / 10:
            rounds[record.customer_class] += 1
    return {name: n / (until * 0.9) for name, n in rounds.items()}


@pytest.mark.parametrize(
    ("clients", "demands", "servers", "delay"),
    [
        (1, [2.0, 1.0, 3.0], [4, 1, 4], 5.0),
        (10, [2.0, 1.0, 3.0], [4, 1, 4], 5.0),
        (40, [4.0, 0.5, 4.0], [4, 1, 2], 20.0),
    ],
    ids=["one client", "one adapter as bottleneck", "two CPs as bottleneck"],
)
def test_exact_solution_is_what_ciw_simulates(
    clients: int, demands: list[float], servers: list[int], delay: float
) -> None:
    stations = [Station(d, n) for d, n in zip(demands, servers, strict=True)]
    exact = float(solve(clients, delay, stations))
    rounds = 16_000
    found = _closed(
        {"RR": clients},
        {"RR": [*demands, delay]},
        [*servers, float("inf")],
        rounds / exact,
    )
    assert found["RR"] == pytest.approx(exact, rel=0.02)
