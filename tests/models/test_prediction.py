"""What all models have in common: units, ranges of inputs, the weakest basis."""

from __future__ import annotations

import math

import pytest

from analysis.declared.metrics import read_metrics
from analysis.errors import UserError
from models.prediction import UNITS, Input, outside, weakest_basis

CLIENTS = (Input("clients", "", 1, 600),)


def test_units_are_those_of_the_declared_metrics():
    declared = read_metrics()
    assert {metric: declared[metric].unit for metric in UNITS} == UNITS


def test_values_outside_a_range_are_said_in_words():
    assert outside(CLIENTS, {"clients": 600}) == ()
    assert outside(CLIENTS, {"clients": 601}) == ("clients 601 is outside 1 to 600",)
    (fitted,) = outside(CLIENTS, {"clients": 714.068})
    assert fitted == "clients 714 is outside 1 to 600"
    (near,) = outside(CLIENTS, {"clients": 600.068})
    assert near == "clients 600.068 is outside 1 to 600"


@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf])
def test_values_without_sense_are_refused(value):
    with pytest.raises(UserError, match="must be a positive number"):
        outside(CLIENTS, {"clients": value})


def test_the_weakest_basis_is_that_of_the_whole():
    assert weakest_basis(["measured", "assumed", "calibrated"]) == "assumed"
    assert weakest_basis(["measured", "published"]) == "published"
    assert weakest_basis([]) == "measured"
