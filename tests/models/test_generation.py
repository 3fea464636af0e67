"""A value moved to another CPC, and the capacities by which it is moved."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.errors import UserError
from models.generation import (
    GenerationTransfer,
    capacity,
    read_capacities,
)
from models.prediction import FOLDER


def moved(
    metric="cpu_cost", anchor=100.0, source="z16", target="z17", cps=4, sigma=0.0
):
    model = GenerationTransfer(source, target, cps)
    return model.predict(metric, anchor, "µs/tran", sigma)


def test_cpu_cost_scales_with_the_inverse_of_capacity():
    found = moved()
    assert found.value == pytest.approx(100 * 8237 / 9116)
    assert (found.low, found.high) == pytest.approx((78.4, 104.1), abs=0.1)
    assert (found.basis, len(found.notes)) == ("published", 1)
    assert "no machine was measured" in found.notes[0]


def test_a_rate_scales_the_other_way():
    assert moved(metric="rate").value == pytest.approx(100 * 9116 / 8237)
    assert moved(metric="latency").value == pytest.approx(100 * 8237 / 9116)


def test_a_move_to_another_generation_and_back_changes_nothing():
    back = moved(source="z17", target="z16", anchor=moved().value)
    assert back.value == pytest.approx(100)


def test_the_noise_of_the_measured_value_widens_the_range():
    plain, noisy = moved(), moved(sigma=0.1)
    assert noisy.high / noisy.value == pytest.approx(
        math.exp(1.6449 * math.hypot(0.086, 0.1)), rel=1e-3
    )
    assert plain.value == noisy.value


@given(st.floats(1, 3.9))
def test_capacity_grows_with_cps_but_less_than_in_proportion(cps):
    here, more = capacity("z17", cps), capacity("z17", cps * 1.01)
    assert here <= more <= here * 1.01 * (1 + 1e-9)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"target": "z9"}, "no capacity of a 'z9'"),
        ({"anchor": 0.0}, "the anchor is 0"),
        ({"anchor": math.nan}, "the anchor is nan"),
        ({"cps": 12}, "no capacity of a z16 with 12 CPs"),
        ({"cps": 0.5}, "no capacity of a z16 with 0.5 CPs"),
        ({"metric": "utilisation"}, "nothing published tells how the utilisation"),
    ],
)
def test_a_transfer_without_sense(changes, words):
    with pytest.raises(UserError, match=words):
        moved(**changes)


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
