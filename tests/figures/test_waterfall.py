"""The waterfall: parts that make the whole, told and drawn, and what lacks."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.facts.fact import Facts
from analysis.figures.kind import KINDS
from tests.figures.drawn import FORMATS, check_texts, draw, make_drawing, make_setting
from tests.figures.gallery import COSTS
from tests.figures.made import make_costs

KIND = KINDS["waterfall"]
WHY = make_setting("waterfall", ("cpu_cost",), study="s")
FACTS = make_costs(COSTS)
CELL = ("client", "RR1(1kB)")
BEFORE = (4000.0, 2.0, 3.0)
CAUSES = {  # of a known reason, and how the whole is told
    "instructions per transaction": (6400.0, 2.02, 3.0),
    "cycles per instruction": (4020.0, 3.1, 3.0),
    "CPU frequency, inverted": (4000.0, 2.01, 1.8),
}


def rows(facts: Facts):
    return KIND.data(facts, WHY).to_dicts()


positive, ratio = st.floats(1e-3, 1e9), st.floats(0.05, 20.0)


@settings(max_examples=40, deadline=None)
@given(st.tuples(positive, positive, positive), st.tuples(ratio, ratio, ratio))
def test_parts_add_up_to_the_whole_in_each_row(before, ratios):
    after = tuple(b * r for b, r in zip(before, ratios, strict=True))
    *parts, whole = rows(make_costs({CELL: (before, after)}))
    assert sum(p["log_change"] for p in parts) == pytest.approx(
        whole["log_change"], abs=1e-9
    )
    printed = [math.log1p(part["value"] / 100) for part in parts]
    assert sum(printed) == pytest.approx(whole["log_change"], abs=1e-9)


@pytest.mark.parametrize("cause", CAUSES)
def test_a_known_reason_is_told(cause):
    """An offload switched off, a colder cache, a lower clock."""
    drawing = make_drawing(make_costs({CELL: (BEFORE, CAUSES[cause])}), WHY)
    title = drawing.words.title
    assert title.endswith(
        f"higher CPU cost (client, RR1(1kB)): nearly all of it is {cause}"
    )


def test_several_reasons_are_not_told_as_one():
    after = (5000.0, 2.6, 2.4)
    title = make_drawing(make_costs({CELL: (BEFORE, after)}), WHY).words.title
    assert "several parts, the largest is" in title


def test_parts_that_work_against_each_other_are_no_single_reason():
    """Twice the instructions and half the cycles each; the clock is a little lower."""
    title = make_drawing(
        make_costs({CELL: (BEFORE, (8000.0, 1.0, 2.4))}), WHY
    ).words.title
    assert "nearly" not in title


def test_intervals_are_those_of_the_changes_and_hold_the_steps():
    deltas = {f.key: f for f in FACTS.facts if f.kind == "delta"}
    for row in rows(FACTS):
        fact = deltas[row["key"]]
        assert row["low"] <= row["value"] <= row["high"]
        ends = (fact.low, fact.high)
        if row["metric"] == "cpu_frequency":
            ends = tuple((100 / (100 + end) - 1) * 100 for end in reversed(ends))
        assert row["low"] <= ends[0] and ends[1] <= row["high"]
        assert row["value"] in (row["low"], row["high"]) or (
            (row["low"], row["high"]) == pytest.approx(ends)
        )


def test_steps_begin_where_the_one_before_ends():
    bars = draw(FACTS, WHY).layer("geom_origin")
    for cell in (bars[:4], bars[4:]):
        *steps, whole = cell
        assert steps[0]["begin"] == whole["begin"] == 0
        for one, other in itertools.pairwise(steps):
            assert one["value"] == pytest.approx(other["begin"])
        assert steps[-1]["value"] == pytest.approx(whole["value"])


@pytest.mark.parametrize("format", FORMATS)
def test_texts_have_their_places(format):
    drawn = draw(FACTS, WHY, FORMATS[format])
    assert check_texts(drawn, format) == []
    assert "Instructions per transaction" in drawn.labels


def test_alt_text_and_foot_tell_numbers_and_origin():
    words = make_drawing(FACTS, WHY).words
    assert words.alt.startswith("Waterfall chart. ")
    assert "client, STR3(1B/20MB): instructions per transaction +7" in words.alt
    assert "origin: measured" in words.foot
    made = tuple(replace(fact, origin="synthetic") for fact in FACTS.facts)
    assert "origin: synthetic" in make_drawing(Facts(made), WHY).words.foot


def _without(role: str) -> Facts:
    kept = [
        f for f in FACTS.facts if f.role != role or f.metric != "cycles_per_instruction"
    ]
    return Facts(tuple(kept))


def test_what_lacks_counters_is_named():
    drawing = make_drawing(_without("server"), WHY)
    assert drawing.words.subtitle.endswith("Without counters: server STR3(1B/20MB).")
    assert {row["role"] for row in drawing.frame.to_dicts()} == {"client"}


def test_without_any_counters_it_says_what_to_record():
    facts = Facts(tuple(f for f in FACTS.facts if f.metric == "cpu_cost"))
    (issue,) = KIND.check_data(KIND.data(facts, WHY), WHY)
    assert "no change has counters on both sides" in issue.what
    assert "record cycles and instructions" in issue.mend


def test_a_cost_that_is_not_the_product_of_its_parts_has_none():
    """As where an idle load was taken off: nothing is told of what does not add up."""
    facts = tuple(
        replace(f, samples=tuple(1.1 * x for x in f.samples))
        if f.metric == "cpu_cost" and f.configuration == "B"
        else f
        for f in FACTS.facts
    )
    assert KIND.check_data(KIND.data(Facts(facts), WHY), WHY)


def test_only_costs_have_parts():
    setting = make_setting("waterfall", ("latency",), study="s")
    (issue,) = KIND.check(setting)
    assert "no parts of latency are known" in issue.what
