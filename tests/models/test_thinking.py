"""The closed network with think time, at points that can be worked out by hand."""

from __future__ import annotations

import pytest

from analysis.declared.workload import parse_workload
from analysis.errors import UserError
from models.thinking import ThinkingAnchor, ThinkingModel, left_out

# Published rates of CICS TG with AES-128; 4,109 µs fill three CPs at 730/s.
RATES = {100: 194, 200: 384, 300: 574, 400: 717, 500: 725, 600: 725}


def load(clients: int, size: str = "32kB"):
    return parse_workload(f"ECI{clients}({size})")


def model(rates=RATES, cost=4109.0, engines=3) -> ThinkingModel:
    anchors = tuple(ThinkingAnchor(load(n), rate, cost) for n, rate in rates.items())
    return ThinkingModel(anchors, engines, 500)


def asked(of: ThinkingModel, clients: int, metric="rate"):
    return of.predict(load(clients), metric)


@pytest.mark.parametrize("clients", RATES)
def test_a_measured_load_gives_back_what_was_measured(clients):
    assert asked(model(), clients).value == pytest.approx(RATES[clients])


def test_loads_between_measured_ones_lie_between_them():
    few, many = asked(model(), 250), asked(model(), 450)
    assert 384 < few.value < 574
    assert few.value == pytest.approx((384 + 574) / 2, rel=0.01)
    assert 717 <= many.value <= 730.2  # 3 CPs ÷ 4,109 µs
    assert few.low < few.value < few.high
    assert many.outside == few.outside == ()


def test_each_inner_load_is_told_from_the_others_within_a_per_cent():
    errors = left_out(model(), "rate")
    assert len(errors) == 4
    assert max(map(abs, errors)) < 0.01


def test_beyond_the_measured_loads_it_says_where_it_stops():
    told = asked(model(), 650)
    assert told.outside == ("clients 650 is outside 100 to 600",)


def test_thinking_and_working_time_fill_the_cpus():
    """One client works 10 ms and thinks 490 ms: 3 CPs are full with 3 × 500 ÷ 10."""
    idle = model({1: 2.0, 3: 6.0, 200: 300.0}, cost=10_000.0)
    anchors = tuple(idle.anchors)
    found = ThinkingModel(anchors, 3, 490).capacity()
    assert found == pytest.approx(150, rel=0.001)


def test_capacity_beyond_the_measured_loads_is_marked():
    rates = {n: n / 0.505 for n in RATES}
    told = asked(model(rates, cost=2051.0), 600, "capacity")
    assert told.value == pytest.approx(739, rel=0.01)
    assert told.outside


def test_another_payload_is_refused():
    with pytest.raises(UserError, match="another payload"):
        model().predict(load(250, "4kB"), "rate")
