"""What is known before anything is predicted."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from analysis.declared.campaign import Campaign, Configuration
from analysis.derive.fallback.knowledge import (
    Knowledge,
    Known,
    find_beside,
    gather_knowledge,
    joint_sigma,
)
from analysis.derive.samples import Cell, Sample
from tests.derive.fallback.conftest import (
    OSD,
    OSH,
    ROWS,
    interactive,
    knowledge,
    study,
)

NAME = "RR10(1kB)"


def gathered(asked, campaigns, published=()) -> Knowledge:
    """What a study of these campaigns knows without a run."""
    none = runs().with_columns(used=pl.lit(True))
    evidence = SimpleNamespace(runs=none)
    scope = SimpleNamespace(
        study=asked, campaigns=campaigns, published=published, evidence=evidence
    )
    return gather_knowledge(scope, {})


def runs(*rows):
    columns = ["campaign", "configuration", "workload", "started", "window_seconds"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def test_workloads_that_share_most_of_their_time_ran_beside_each_other():
    found = find_beside(
        runs(
            ("lab", "A", "RR1(1B)", 0.0, 60.0),
            ("lab", "A", "STR1(1B/1MB)", 5.0, 60.0),
            ("lab", "B", "RR1(1B)", 0.0, 60.0),
            ("lab", "B", "STR1(1B/1MB)", 59.0, 60.0),
            ("later", "B", "RR10(1B)", 0.0, 60.0),
        )
    )
    assert found == {
        ("A", "RR1(1B)"): ("STR1(1B/1MB)",),
        ("A", "STR1(1B/1MB)"): ("RR1(1B)",),
    }


def test_an_arm_that_was_not_measured_would_run_as_its_partner_did():
    known = knowledge(study(), beside={("A", NAME): ("STR1(1B/1MB)",)})
    assert known.ran_beside("B", NAME) == ("STR1(1B/1MB)",)
    assert known.ran_beside("B", "RR1(1B)") == ()


def test_partners_are_the_baseline_of_a_test_and_the_tests_of_a_baseline():
    asked = study("A", ("B", "C", "N"), baselines={"C": "B"})
    known = knowledge(asked, controls=frozenset({"N"}))
    assert known.partners("A") == ("B",)
    assert known.partners("B") == ("A", "C")
    assert known.partners("C") == ("B",)


def test_a_measured_value_is_the_median_with_its_deviation():
    known = knowledge(study(), interactive("A", NAME, 100.0, 6.0, 7.0))
    found = known.measured("A", NAME, "rate")
    assert found.value == pytest.approx(100)
    assert found.sigma == pytest.approx(0.0093 * 1.2533 / 2, rel=0.03)
    assert joint_sigma([found, found]) == pytest.approx(found.sigma)
    assert known.measured("A", NAME, "cpu_cost") is None


@pytest.mark.parametrize("values", [[0.0, 1.0], [-1.0, 1.0]])
def test_what_is_not_positive_is_no_start_of_a_prediction(values):
    cell = Cell("A", NAME, "rate", None)
    sample = Sample(np.array(values), ("r",), (), ("measured",), ())
    assert knowledge(study(), {cell: sample}).measured("A", NAME, "rate") is None


def test_one_run_cannot_tell_its_deviation():
    cell = Cell("A", NAME, "rate", None)
    sample = Sample(np.array([9.0]), ("r",), (), ("measured",), ())
    known = knowledge(study(), {cell: sample})
    assert known.measured("A", NAME, "rate").sigma == 0.02


@pytest.mark.parametrize(("start", "beside"), [(29.9, True), (30.0, False)])
def test_most_of_the_time_is_more_than_half(start, beside):
    """Of the shorter run, whichever of both began first."""
    for first, second in (("RR1(1B)", "STR1(1B/1MB)"), ("STR1(1B/1MB)", "RR1(1B)")):
        found = find_beside(
            runs(
                ("lab", "A", first, 0.0, 60.0),
                ("lab", "A", second, start, 60.0),
            )
        )
        assert bool(found) == beside
    long = ("lab", "A", "RR1(1B)", 0.0, 600.0)
    short = ("lab", "A", "STR1(1B/1MB)", start + 540.0, 60.0)
    assert len(find_beside(runs(long, short))) == (2 if beside else 0)


@pytest.mark.parametrize(
    ("values", "sigma"),
    [
        ([1.0, np.e], np.sqrt(np.pi / 2) * np.sqrt(1 / 2) / np.sqrt(2)),
        ([1.0, np.e, np.e**2, 1.0], np.sqrt(np.pi / 2) * np.sqrt(2.75 / 3) / 2),
        ([0.5, 0.5], 0.0),
    ],
)
def test_the_deviation_of_a_median_is_that_of_logs_of_a_sample(values, sigma):
    cell = Cell("A", NAME, "rate", None)
    sample = Sample(np.array(values), (), (), ("measured",), ())
    known = knowledge(study(), {cell: sample})
    assert known.measured("A", NAME, "rate").sigma == pytest.approx(sigma)


def test_the_deviation_of_several_is_their_root_mean_square():
    several = [Known(1.0, sigma, ("measured",)) for sigma in (0.1, 0.5, 0.7)]
    assert joint_sigma(several) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("control", "controls"), [(None, {"R"}), ("", {"R"}), ("N", {"R", "N"})]
)
def test_sources_are_those_of_the_study_s_campaigns(control, controls):
    def arm(model=None, control_of=None):
        return Configuration(label="L", model=model, control_of=control_of)

    lab = thinking({"A": arm(OSH), "B": arm(), "R": arm(OSD, "A")})
    other = thinking({"Z": arm(OSH, "A")})
    asked = study()
    noise = asked.noise.model_copy(update={"control": control})
    asked = asked.model_copy(update={"noise": noise})
    found = gathered(asked, {"lab": lab, "other": other}, ROWS[:2])
    assert found.setups == {"A": OSH, "R": OSD}
    assert (found.controls, found.published) == (controls, ROWS[:2])


def thinking(configurations, think=500):
    """A campaign of these configurations."""
    return Campaign.model_construct(configurations=configurations, think=think)


def test_each_configuration_has_its_own_think_time():
    own, plain = (Configuration(label="L", think=ms) for ms in (10_000, None))
    campaign = thinking({"A": own, "B": plain})
    loads = ("TN60(130B/800B)", "RR10(1kB)")
    assert [campaign.think_of(load, "A") for load in loads] == [10_000, 0]
    assert campaign.think_of(loads[0], "B") == 500
