"""Values of configurations: every run, distributions, comparisons."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from lxml import etree

from analysis.facts.fact import Facts
from analysis.facts.remark import remark
from analysis.figures.kind import KINDS
from analysis.figures.kinds.distribution import told_modes
from analysis.figures.page import TESTS
from analysis.figures.select import as_frame, only
from analysis.figures.verb import check_declaration
from analysis.figures.words import caption_of
from tests.figures.drawn import draw, make_drawing, make_setting
from tests.figures.made import PREDICTED, make_facts, make_study

FACTS = make_facts().of("linux-veth", "offload")
STREAM = make_setting("value", ("throughput",), "STR*")
NEIGHBOURS = remark("neighbours", correlation=0.9, runs_as_one=19.0)
RR1 = make_setting("distribution", ("latency",), "RR1(*")


def test_every_run_is_a_dot_in_its_configuration_s_colour() -> None:
    dots = draw(FACTS, STREAM).layer("geom_point")

    assert len(dots) == 20
    assert {dot["colour"] for dot in dots} == set(STREAM.colours.values())
    by_key = {fact.key: fact.samples for fact in FACTS.facts}
    assert all(dot["value"] in by_key[dot["key"]] for dot in dots)


def test_median_and_interval_are_printed_beside_the_name() -> None:
    labels = draw(FACTS, STREAM).labels

    assert {"3,144 MB/s", "1,976 MB/s", "Offload on", "Offload off"} <= {*labels}
    assert any(" to " in label for label in labels)


def test_the_foot_calls_the_interval_a_bar() -> None:
    assert (
        " · bar: 98% interval of the median" in make_drawing(FACTS, STREAM).words.foot
    )


def test_unlike_magnitudes_get_an_axis_each_and_the_subtitle_says_so() -> None:
    several = draw(FACTS, make_setting("value", ("rate",)))
    one = draw(FACTS, STREAM)

    assert several.words.subtitle.endswith("Each workload has an axis of its own.")
    assert "of its own" not in one.words.subtitle


def test_runs_that_were_not_measured_are_hollow() -> None:
    made = Facts(tuple(replace(fact, origin="synthetic") for fact in FACTS.facts))

    dots = draw(made, STREAM).layer("geom_point")

    assert {dot["look"] for dot in dots} == {"synthetic"}
    circles = draw(made, STREAM).root.iter("{http://www.w3.org/2000/svg}circle")
    assert "#ffffff" in {circle.get("fill") for circle in circles}


def test_the_finding_says_whether_every_run_shows_the_difference() -> None:
    title = make_drawing(FACTS, STREAM).words.title
    assert title == (
        "Every run of Offload on has a higher throughput than any of Offload off"
    )
    near = [
        replace(f, samples=(*f.samples[:-1], 9e3)) if f.configuration == "B" else f
        for f in FACTS.facts
    ]
    title = make_drawing(Facts(tuple(near)), STREAM).words.title
    assert title == "Runs of Offload on and Offload off overlap"


def test_of_several_workloads_the_finding_tells_how_far_runs_scatter() -> None:
    title = make_drawing(FACTS, make_setting("value", ("rate",))).words.title

    assert title.startswith("Runs lie up to ")
    assert title.endswith("% from their median, farthest with RR1(100B), Offload on")


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"resolution": 500.0}, "the source tells it in steps of 500 MB/s"),
        ({"warnings": (NEIGHBOURS,)}, "runs that follow one another are alike"),
        ({}, "so few runs do not bound it"),
    ],
)
def test_an_interval_that_is_wider_than_all_runs_says_why(
    more: dict[str, Any], why: str
) -> None:
    wide = [replace(f, low=100.0, high=9e3, **more) for f in FACTS.facts]

    words = make_drawing(Facts(tuple(wide)), STREAM).words

    assert f"The interval of the throughput is wider than all runs: {why}" in (
        words.subtitle
    )
    assert "wider" not in make_drawing(FACTS, STREAM).words.subtitle


def test_alt_text_tells_the_medians() -> None:
    alt = make_drawing(FACTS, STREAM).words.alt

    assert "3,144 and 1,976" in alt
    predicted = Facts(tuple(replace(f, **PREDICTED) for f in FACTS.facts))
    assert "(modelled)" in make_drawing(predicted, STREAM).words.alt


def test_two_groups_of_runs_are_the_finding() -> None:
    drawing = make_drawing(FACTS, RR1)

    assert drawing.words.title == (
        "Runs of RR1(100B), Offload on; RR1(100B), Offload off fall into two groups"
    )
    assert "6 runs of 59.2 to 62.8 µs" in drawing.words.alt
    assert told_modes(only(drawing.frame, "run").head(0)) == {}


def test_groups_of_runs_are_told_by_the_runs_that_they_reach_to() -> None:
    values = [12.3, 13.02, 23.31, 53.37, 53.96, 55.03, 55.17, 56.41, 57.61, 58.41]
    run = {"workload": "RR1(100B)", "name": "Offload on", "unit": "µs"}
    frame = as_frame([run | {"record": "run", "value": value} for value in values])

    assert [*told_modes(frame).values()] == [
        "RR1(100B), Offload on: 3 runs of 12.3 to 23.3 µs and 7 of 53.4 to 58.4 µs"
    ]


def test_a_group_of_runs_that_print_alike_is_one_value() -> None:
    run = {"workload": "RR1(100B)", "name": "Offload on", "unit": "µs"}
    values = [10.0] * 4 + [50.0] * 6
    frame = as_frame([run | {"record": "run", "value": value} for value in values])

    assert next(iter(told_modes(frame).values())).endswith(
        "4 runs of 10.0 µs and 6 of 50.0 µs"
    )


@pytest.mark.parametrize("spread", [1.0, 40.0])
def test_bars_stand_on_zero_unless_the_axis_is_one_of_ratios(spread: float) -> None:
    facts = make_study(
        "s",
        {
            ("latency", None, "RR1(1kB)"): (10.0, 12.0),
            ("latency", None, "RR1(32kB)"): (10.0 * spread, 12.0 * spread),
        },
    )
    setting = make_setting("compare", ("latency",), study="s")

    drawn = draw(facts, setting)

    bars = drawn.layer("geom_origin")
    ratios = "equal ratios" in drawn.words.subtitle
    assert ratios == (spread > 12)
    assert all((bar["start"] == 0) != ratios for bar in bars)
    # where bars do not begin at zero they are the intervals themselves
    drawn_as = "bar: 98%" if ratios else "thick line: 98%"
    assert f" · {drawn_as} interval of the median" in drawn.words.foot
    assert len(bars) == 4


@pytest.mark.parametrize("kind", ["value", "compare", "ecdf", "scaling", "stacked"])
def test_a_study_of_values_draws_its_one_configuration(kind: str) -> None:
    setting = make_setting(kind, ("latency",), "RR*", tests=())
    drawing = make_drawing(FACTS, setting)
    assert set(drawing.frame["configuration"]) == {"A"}
    assert setting.colours == {"A": TESTS[0]}
    caption = caption_of(KINDS[kind], setting, FACTS.facts)
    assert "request/response workloads" in caption.subject


def test_each_step_of_an_ecdf_leads_to_the_fact_of_its_line() -> None:
    setting = make_setting("ecdf", ("latency",), "RR1(100B)")
    rects = etree.fromstring(draw(FACTS, setting).svg).xpath("//*[@data-keys]")
    runs = only(make_drawing(FACTS, setting).frame, "run")
    assert Counter(r.get("data-keys") for r in rects) == Counter(runs["key"])
    of_one = [rect for rect in rects if rect.get("data-series") == "A"]
    assert len(of_one) == 10
    spans = [(float(r.get("x")), -float(r.get("y"))) for r in of_one]
    assert spans == sorted(spans), "each step is higher than the one before"


def test_changes_need_a_test() -> None:
    setting = make_setting("delta", ("latency",), tests=())
    (issue,) = check_declaration(setting)
    assert "delta draws changes, of which there are none without tests" in str(issue)
