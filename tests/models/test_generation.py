"""A value moved to another CPC, and the capacities by which it is moved."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.errors import UserError
from models.generation import (
    FOLDER,
    GenerationTransfer,
    MachineInterpolation,
    MachineValue,
    capacity,
    cpu_share,
    read_capacities,
)


def moved(
    metric="cpu_cost", anchor=100.0, source="z16", target="z17", cps=4, share=1.0,
    sigma=0.0,
):  # fmt: skip
    model = GenerationTransfer(source, target, cps)
    return model.predict(metric, anchor, "µs/tran", share, sigma)


def test_cpu_cost_scales_with_the_inverse_of_capacity():
    found = moved()
    assert found.value == pytest.approx(100 * 8237 / 9116)
    assert (found.low, found.high) == pytest.approx((78.4, 104.1), abs=0.1)
    assert "all nine" in found.notes[0]


def test_a_rate_scales_the_other_way_and_a_share_scales_in_part():
    assert moved(metric="rate").value == pytest.approx(100 * 9116 / 8237)
    half = moved(metric="latency", share=0.5)
    assert half.value == pytest.approx(100 * (1 + 8237 / 9116) / 2)


def test_there_and_back_is_where_it_was():
    back = moved(source="z17", target="z16", anchor=moved().value)
    assert back.value == pytest.approx(100)


def test_the_same_generation_changes_nothing():
    same = moved(target="z16", sigma=0.01)
    assert same.value == 100
    assert same.high / same.low == pytest.approx(math.exp(2 * 1.645 * 0.01), rel=1e-4)
    assert same.notes == ()


@given(st.floats(1, 4))
def test_capacity_grows_with_cps_but_less_than_in_proportion(cps):
    here, more = capacity("z17", cps), capacity("z17", cps * 1.01)
    assert here <= more <= here * 1.01 * (1 + 1e-9)


def test_without_queueing_the_share_of_the_cpu_is_its_part_of_the_latency():
    assert cpu_share(20_000, 1, [6, 7], 4, 1.1) == pytest.approx(13 / 50)


def test_a_saturated_cpu_makes_all_of_the_latency():
    assert cpu_share(1e6 / 10 * 0.9999, 500, [10, 1], 1, 1.1) > 0.9


@given(st.floats(1.01, 1.5), st.integers(1, 60))
def test_the_share_of_the_cpu_is_a_share(factor, clients):
    rate = min(1e6 * clients / 60, 350_000)
    assert 0 <= cpu_share(rate, clients, [6, 7], 4, factor) <= 1


def test_cps_outside_the_table_are_marked():
    assert moved(cps=12).outside == ("cps 12 is outside 1 to 4 CPs",)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"target": "z9"}, "no capacity of a 'z9'"),
        ({"anchor": 0.0}, "the anchor is 0"),
        ({"anchor": math.nan}, "the anchor is nan"),
        ({"share": 1.5}, "share of the CPU is 1.5"),
        ({"share": -0.1}, "share of the CPU is -0.1"),
    ],
)
def test_a_transfer_without_sense(changes, words):
    with pytest.raises(UserError, match=words):
        moved(**changes)


@pytest.mark.parametrize(("cps", "marked"), [(1, 0), (4, 0), (5, 1), (0.5, 1)])
def test_the_ends_of_its_range_belong_to_it(cps, marked):
    assert len(moved(cps=cps).outside) == marked


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


def test_a_capacity_that_is_not_between_is_refused() -> None:
    model = MachineInterpolation(MachineValue(1000, 8.0), MachineValue(2000, 4.0))
    assert model.predict(math.sqrt(2e6), "µs").value == pytest.approx(math.sqrt(32))
    with pytest.raises(UserError, match="2000 is not between 1000 and 2000"):
        model.predict(2000, "µs")


def test_a_new_generation_has_more_capacity_with_any_number_of_cps():
    known = read_capacities().capacity
    for cps in known["z17"]:
        z15, z16, z17 = (known[cpc][cps].value for cpc in ("z15", "z16", "z17"))
        assert z15 < z16 < z17


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("basis: published", "basis: guessed", "basis"),
        ("unit: MIPS,", "", "unit: this entry is missing"),
        ("value: 2055", "value: 0", "write more than 0"),
        ("value: 2055", "value: .nan", "finite number"),
        ("    1:", "    0:", "more than 0"),
        ("spread:", "spraed:", "there is no such entry"),
    ],
)
def test_a_spoilt_parameter_is_named(tmp_path, old, new, words):
    text = (FOLDER / "generations.yaml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "generations.yaml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(UserError, match=words) as caught:
        read_capacities(path)
    assert "generations.yaml" in str(caught.value)
