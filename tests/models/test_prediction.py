"""What all models have in common: units, spreads, the weakest basis."""

from __future__ import annotations

import pytest

from analysis.declared.metrics import read_metrics
from models.prediction import UNITS, spread_of, weakest_basis


def test_units_are_those_of_the_declared_metrics():
    declared = read_metrics()
    assert {metric: declared[metric].unit for metric in UNITS} == UNITS


def test_a_few_errors_are_taken_for_more_than_their_size():
    # The 95% points of Student's t with 2 degrees and of the normal distribution.
    assert spread_of([0.1, -0.1]) == pytest.approx(0.1 * 2.919986 / 1.644854)
    assert spread_of([0.3] * 5000) == pytest.approx(0.3, rel=1e-3)


def test_the_weakest_basis_is_that_of_the_whole():
    assert weakest_basis(["measured", "assumed", "calibrated"]) == "assumed"
    assert weakest_basis(["measured", "published"]) == "published"
    assert weakest_basis([]) == "measured"
