"""Where models begin and end to answer: the ends of their ranges, and what is next."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.declared.published import read_published
from analysis.declared.workload import parse_workload
from analysis.errors import UserError
from models.backtest import BackTest, BacktestPoint
from models.claims import WantedClaim, find_changes
from models.demand import Demand, estimate, fit_two
from models.generation import GenerationTransfer, cpu_share
from models.mixed import MixedModel
from models.network import Station, solve
from models.path import latency
from models.prediction import outside
from models.queueing import QueueingModel
from models.ratio import RatioTransfer
from models.simulate import FlowKind, Visit, simulate
from models.spread import normals, uniforms
from models.streaming import StreamingModel, goodput

RANGES = {
    GenerationTransfer(): {"cps": (1, 4)},
    MixedModel(): {"clients": (1, 100), "streams": (1, 4), "cps": (1, 4)},
    QueueingModel(): {
        "clients": (1, 600),
        "cps": (1, 4),
        "mtu": (576, 9000),
        "payload": (1, 32_768),
    },
    RatioTransfer(): {"anchor": (0, np.inf), "ratio": (0.005, 50)},
    StreamingModel(): {
        "clients": (1, 16),
        "cps": (1, 4),
        "mtu": (576, 9000),
        "payload": (1_048_576, 67_108_864),
    },
}


@pytest.mark.parametrize("model", RANGES, ids=lambda model: model.name)
def test_a_model_says_for_which_inputs_it_is_made(model):
    assert {each.name: (each.low, each.high) for each in model.inputs} == RANGES[model]


@pytest.mark.parametrize(("cps", "marked"), [(1, 0), (4, 0), (5, 1), (0.5, 1)])
def test_the_ends_of_an_input_belong_to_it(cps, marked):
    assert len(outside(GenerationTransfer().inputs, {"cps": cps})) == marked


@pytest.mark.parametrize(
    ("published", "inside"), [(2.0, 1.0), (3.0, 1.0), (1.999, 0.0), (3.001, 0.0)]
)
def test_the_ends_of_a_range_belong_to_it(published, inside):
    point = BacktestPoint("a point", published, 2.5, (), 2.0, 3.0)
    assert BackTest("id", "model", "question", (point,)).coverage == inside


def test_a_change_of_the_very_workload_comes_before_one_of_a_pattern():
    row = next(row for row in read_published() if row.id == "P010")
    assert row.workload == "RR*"
    own = row.model_copy(update={"id": "own", "workload": "RR1(1kB)"})
    asked = ("osh-osd", "osd", "osh", parse_workload("RR1(1kB)"), "latency", None)
    for rows in ([row, own], [own, row]):
        assert [r.id for r in find_changes(rows, WantedClaim(*asked))] == [
            "own",
            "P010",
        ]


def test_a_feature_that_never_occurs_does_not_upset_the_others():
    found = estimate(("fixed", "absent"), [(1.0, 0.0), (1.0, 0.0)], [2.0, 2.0])
    assert found.terms == pytest.approx((2.0, 0.0))
    assert np.isinf(found.condition) or found.condition > 1e12


def test_small_features_weigh_as_much_as_large_ones():
    small = estimate(("a", "b"), [(1e-6, 0.0), (0.0, 1.0)], [1.0, 1.0])
    assert small.condition == pytest.approx(1.0)


def test_two_loads_give_two_parameters():
    station = [Station(0.01, 2)]
    rates = [float(solve(n, 0.05, station)) for n in (2, 30)]
    demand, delay, error = fit_two([2, 30], rates, 2)
    assert (demand, delay) == pytest.approx((0.01, 0.05), rel=0.01)
    assert error < 1e-4
    with pytest.raises(UserError, match="two loads"):
        fit_two([2], rates[:1], 2)


@pytest.mark.parametrize(
    ("size", "told"),
    [
        (1, 10.0),
        (1024, 10.0),
        (2560, 20.0),
        (4096, 30.0),
        (18_432, 65.0),
        (32_768, 100),
    ],
)
def test_delays_are_straight_between_the_sizes_that_are_known(size, told):
    values = {"latency_1kb": 10.0, "latency_4kb": 30.0, "latency_32kb": 100.0}
    values = {name: np.array(value) for name, value in values.items()}
    assert float(latency(values, size)) == pytest.approx(told)


@pytest.mark.parametrize("servers", [[0], [0, 1]])
def test_a_station_without_a_server_is_refused(servers):
    kinds = [FlowKind(1, (Visit(0, 1.0),))]
    with pytest.raises(UserError, match="names no station"):
        simulate(kinds, servers, 1000, 1)
    assert simulate(kinds, [2], 1000, 1, "fixed")[0] == pytest.approx(1.0, rel=0.01)


def test_a_slow_line_is_a_line():
    assert goodput(1, 1500) == pytest.approx(goodput(25, 1500) / 25)
    assert goodput(0.1, 1500) == pytest.approx(goodput(25, 1500) / 250)
    for link, mtu in ((0.0, 1500), (float("inf"), 1500), (1.0, 52)):
        with pytest.raises(UserError, match="carries nothing"):
            goodput(link, mtu)


def test_draws_that_all_share_cannot_be_changed():
    for draws in (uniforms(2), normals(2)):
        with pytest.raises(ValueError, match="read-only"):
            draws[0, 0] = 0.5


def test_where_the_cpu_is_the_same_all_of_the_time_hangs_on_it():
    assert cpu_share(400_000.0, 10, (6.0, 7.0), 4, 1.0) == 1.0
    assert 0 < cpu_share(400_000.0, 10, (6.0, 7.0), 4, 1.1) < 1


def test_a_share_is_at_most_all_whatever_is_rounded():
    assert (
        cpu_share(
            49_179.868296703986, 3, (14.049803133659228, 17.05617649743251), 1, 0.9
        )
        == 1.0
    )


@pytest.mark.parametrize(("condition", "told"), [(50.0, False), (50.001, True)])
def test_from_which_condition_on_terms_cannot_be_taken_apart(condition, told):
    assert Demand(("fixed", "kB"), (1.0, 1.0), 0.0, condition).confounded == told
