"""The delta chart: what a reader must not be led to believe, one test each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from analysis.declared.vocabulary import Origin
from analysis.facts.fact import Facts
from analysis.figures.grammar.marks import axes_of, axis_words
from analysis.figures.page import NARROW, SLIDE, VERDICT_COLOURS
from analysis.figures.words import Caption, interval_text
from tests.figures.drawn import Drawn, draw, make_drawing, make_setting
from tests.figures.made import PREDICTED, make_fact, make_facts, make_study, scattered

FACTS = make_facts().of("linux-veth", "offload")
STREAM = make_setting("delta", ("throughput", "cpu_cost"), "STR*")


def one(**changes: Any) -> Drawn:
    """The drawing of a single change of latency."""
    base = scattered(100, "a")
    fact = make_fact("offload", "RR1(100B)", None, "latency", "B", base, ("A", base))
    setting = make_setting("delta", ("latency",))
    return draw(Facts((replace(fact, **changes),)), setting)


def changed(**values: tuple[float, float]) -> Facts:
    """A study with one workload; the values of each metric before and after."""
    return make_study("s", {(m, None, "RR1(1kB)"): both for m, both in values.items()})


def test_what_is_said_of_the_axis_holds_for_every_panel() -> None:
    facts = changed(latency=(10.0, 100.0), rate=(100.0, 40.0))
    setting = make_setting("delta", ("latency", "rate"), study="s")
    drawn = draw(facts, setting)

    (said,) = (
        w for w in axis_words(make_drawing(facts, setting).frame) if "ratios" in w
    )
    assert said in drawn.words.subtitle
    ticks = [
        label for label in drawn.labels if label.startswith(("+300", "−50", "−75"))
    ]
    assert ticks
    assert set(axes_of(make_drawing(facts, setting).frame)) == {1}


def test_panels_of_one_metric_share_an_axis() -> None:
    both = {
        ("cpu_cost", role, "RR1(1kB)"): (10.0, after)
        for role, after in (("client", 9.9), ("server", 5.0))
    }
    setting = make_setting("delta", ("cpu_cost",), study="s")

    assert axes_of(make_drawing(make_study("s", both), setting).frame) == [1, 1]


def test_an_axis_of_a_metric_s_own_is_said() -> None:
    facts = changed(latency=(100.0, 99.0), rate=(100.0, 240.0))
    setting = make_setting("delta", ("latency", "rate"), study="s")

    drawing = make_drawing(facts, setting)

    assert axes_of(drawing.frame) == [1, 2]
    assert "Each metric has an axis of its own." in drawing.words.subtitle


@pytest.mark.parametrize(
    ("verdict", "word"), [("improved", "better"), ("regressed", "worse")]
)
def test_a_verdict_is_a_word_and_never_a_sign(verdict: str, word: str) -> None:
    labels = one(verdict=verdict).labels

    assert word in labels
    assert not any(glyph in "".join(labels) for glyph in "▲▼✓≈~?")


def test_an_axis_reaches_twice_the_limit() -> None:
    drawn = one(value=0.4, low=-0.2, high=0.9, threshold=5.0)

    (axis,) = drawn.layer("geom_breaks")
    assert (axis["least"], axis["most"]) == (-10.0, 10.0)
    (limit,) = drawn.layer("geom_rect")
    assert (limit["least"], limit["threshold"]) == (-5.0, 5.0)


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (-56.4, -53.9, "−56 to −54%"),
        (-60.4, -59.6, "−60.4 to −59.6%"),
        (-60.02, -59.98, "± 0.02 points"),
        (None, None, "no interval"),
    ],
)
def test_an_interval_never_prints_as_two_equal_ends(
    low: float | None, high: float | None, text: str
) -> None:
    assert interval_text(low, high) == text


def test_an_interval_is_thicker_than_its_mark_hides() -> None:
    drawn = one(value=-60.0, low=-61.0, high=-59.0)

    row = drawn.layer("geom_segment")[-1]
    look = {type(layer.geom).__name__: layer.geom.aes_params for layer in drawn.layers}
    assert (row["low"], row["high"]) == (-61.0, -59.0)
    assert look["geom_point"]["size"] < 2 * look["geom_segment"]["size"]


def test_absolute_values_stand_beside_the_change() -> None:
    labels = draw(FACTS, STREAM).labels

    assert "3,144 → 1,976 MB/s" in labels
    assert "3,144 → 1,976 MB/s" in draw(FACTS, STREAM, NARROW).labels


@pytest.mark.parametrize("origin", ["measured", "synthetic", "modelled"])
def test_the_origin_shows_by_fill_and_in_the_foot_and_not_in_the_title(
    origin: Origin,
) -> None:
    drawn = one(origin=origin, verdict="improved", value=-40.0)

    (bar,) = drawn.layer("geom_origin")
    assert (bar["look"], bar["fill"]) == (origin, VERDICT_COLOURS["improved"])
    assert (b"url(#" in drawn.svg) == (origin != "measured")
    assert f"origin: {origin}" in drawn.words.foot
    assert origin not in drawn.words.title


def test_a_row_says_its_origin_where_origins_differ() -> None:
    base = scattered(100, "a")
    facts = [
        make_fact(
            "offload", name, None, "latency", "B", base, ("A", base), origin=origin
        )
        for name, origin in (("RR1(100B)", "measured"), ("RR10(100B)", "synthetic"))
    ]
    drawn = draw(Facts(tuple(facts)), make_setting("delta", ("latency",)))

    assert {"RR1(100B)", "RR10(100B) · synthetic"} <= set(drawn.labels)


def test_a_prediction_is_hatched_and_says_its_model_and_range() -> None:
    drawn = one(**PREDICTED, value=-9.6)

    assert drawn.words.title == "9.6% lower latency (predicted)"
    assert (
        "hatched: predicted by generation transfer · thin line with ends: 90% range"
        in (drawn.words.foot)
    )
    assert "Mann-Whitney" not in drawn.words.foot
    assert "(predicted)" in drawn.words.alt
    assert "predicted" in drawn.labels


def test_the_finding_is_the_title() -> None:
    assert make_drawing(FACTS, STREAM).words.title == (
        "37% less throughput and 57% higher CPU cost"
    )
    assert one(verdict="comparable", value=0.3, threshold=5.0).words.title == (
        "Latency stays within 5%"
    )
    assert one(verdict="inconclusive", value=0.3).words.title == (
        "No clear change in latency"
    )


def test_what_did_not_change_is_one_phrase_behind_the_others() -> None:
    facts = changed(latency=(10.0, 10.0), rate=(40.0, 40.0), cpu_cost=(20.0, 10.0))
    every = make_setting("delta", ("latency", "rate", "cpu_cost"), study="s")
    still = make_setting("delta", ("latency", "rate"), study="s")

    assert make_drawing(facts, still).words.title.startswith(
        "Latency and transaction rate stay within "
    )
    assert make_drawing(facts, every).words.title.endswith(
        "lower CPU cost; otherwise comparable"
    )


def test_the_finding_says_where_a_change_is_largest_and_what_is_not_clear() -> None:
    names = {"RR1(1kB)": 40.0, "RR10(1kB)": 80.0, "RR40(1kB)": 99.9}
    facts = make_study(
        "s", {("latency", None, name): (100.0, after) for name, after in names.items()}
    )
    title = make_drawing(
        facts, make_setting("delta", ("latency",), study="s")
    ).words.title

    assert title.endswith(
        "lower latency with RR1(1kB) and RR10(1kB); otherwise comparable"
    )


def test_the_finding_names_the_only_workload_that_changed() -> None:
    after = {"RR1(1kB)": 40.0, "RR10(1kB)": 99.9, "RR40(1kB)": 100.1, "RR60(1kB)": 96.0}
    facts = make_study(
        "s", {("latency", None, name): (100.0, x) for name, x in after.items()}
    )
    title = make_drawing(
        facts, make_setting("delta", ("latency",), study="s")
    ).words.title

    assert title.endswith("% lower latency with RR1(1kB); otherwise no clear change")


def test_a_figure_can_be_restricted_to_some_tests_and_roles() -> None:
    base = scattered(100, "a")
    facts = [
        make_fact("s", "RR1(100B)", role, "cpu_cost", test, base, ("A", base))
        for test in ("B", "C")
        for role in ("client", "server")
    ]
    setting = make_setting("delta", ("cpu_cost",), study="s", tests=("B", "C"))
    figure = setting.figure.model_copy(update={"tests": ("C",), "roles": ("server",)})
    drawn = draw(Facts(tuple(facts)), replace(setting, figure=figure))

    assert len(drawn.layer("geom_point")) == 1
    assert "CPU cost per transaction, server" in drawn.labels


def test_of_several_baselines_the_tests_are_named() -> None:
    base = scattered(100, "a")
    facts = [
        make_fact("s", "RR1(100B)", None, "latency", test, base, (baseline, base))
        for baseline, test in (("A", "B"), ("C", "D"))
    ]
    setting = make_setting("delta", ("latency",), study="s", tests=("B", "D"))
    study = setting.study.model_copy(update={"baselines": {"D": "C"}})
    drawn = draw(Facts(tuple(facts)), replace(setting, study=study, labels={}))

    assert {"B", "D"} <= set(drawn.labels)


def test_the_better_direction_stands_with_each_panel() -> None:
    labels = draw(FACTS, STREAM).labels

    assert labels.count("lower is better") == 2
    assert labels.count("higher is better") == 1


def test_alt_text_has_the_finding_and_the_numbers() -> None:
    assert make_drawing(FACTS, STREAM).words.alt == (
        "Bar chart. 37% less throughput and 57% higher CPU cost. "
        "Throughput: STR3(1B/20MB) −37%. "
        "CPU cost per transaction, client: STR3(1B/20MB) +57%. "
        "CPU cost per transaction, server: STR3(1B/20MB) +57%."
    )


def test_alt_text_of_many_changes_names_the_largest() -> None:
    names = [f"RR{n}(1kB)" for n in range(1, 13)]
    facts = make_study(
        "s",
        {
            ("latency", None, name): (100.0, 90 - 5.0 * i)
            for i, name in enumerate(names)
        },
    )
    alt = make_drawing(facts, make_setting("delta", ("latency",), study="s")).words.alt

    assert "Largest changes. Latency: RR10(1kB)" in alt
    assert "RR9(1kB)" not in alt


def test_the_foot_tells_runs_interval_test_and_origin() -> None:
    assert make_drawing(FACTS, STREAM).words.foot == (
        "n = 10 runs each · thick line: 95% interval · "
        "test: Welch and Mann-Whitney, Holm-adjusted · origin: measured"
    )


def test_all_changes_within_the_limit_are_one_finding() -> None:
    names = ("RR1(1kB)", "RR10(1kB)", "RR40(1kB)")
    base = scattered(100, "a")
    facts = [
        replace(
            make_fact("s", name, None, metric, "B", base, ("A", base)),
            value=0.5, low=-1.0, high=2.0,
        )
        for metric in ("latency", "rate")
        for name in names
    ]  # fmt: skip
    setting = make_setting("equivalence", ("latency", "rate"), study="s")

    drawn = draw(Facts(tuple(facts)), setting)

    assert drawn.words.title == "Every change stays within 5%"
    assert drawn.labels.count("3 of 3 within") == 2
    assert drawn.labels.count("−1.0 to +2.0%") == 2
    assert len(drawn.layer("geom_point")) == 6
    wide = replace(facts[0], high=7.0)
    assert make_drawing(Facts((wide, *facts[1:])), setting).words.title == (
        "Latency does not stay within 5% throughout"
    )


def test_readers_see_labels_and_an_id_only_where_there_is_none() -> None:
    setting = make_setting("delta", ("latency",), labels={"A": "SESSIONOBJ(NO)"})

    assert [setting.label(id) for id in "AB"] == ["SESSIONOBJ(NO)", "B"]


def test_labels_with_commas_are_listed_with_semicolons() -> None:
    setting = make_setting("delta", ("latency",), labels={"A": "OSD, z16", "B": "OSH"})

    assert setting.label_list() == "OSD, z16; OSH"


def test_a_picture_leaves_its_finding_to_the_text_and_to_the_title_of_a_slide() -> None:
    drawing = replace(make_drawing(FACTS, STREAM), caption=Caption("Throughput: so."))
    page, slide = (drawing.sheet(SLIDE, alone).svg("x") for alone in (False, True))

    assert b"37% less throughput" not in page + slide
    assert b"Throughput: so." in slide and b"Throughput: so." not in page


def test_a_workload_that_would_flatten_all_others_has_an_axis_of_its_own() -> None:
    setting = make_setting("delta", ("latency",), "*RR*")
    facts = [
        replace(fact, low=-70.0, high=40.0)
        if fact.kind == "delta" and fact.workload == "RR1(100B)"
        else fact
        for fact in FACTS.facts
    ]

    drawn = draw(Facts(tuple(facts)), setting)

    assert drawn.words.subtitle.endswith("RR1(100B) has an axis of its own.")
    assert drawn.labels.count("Latency") == 2
