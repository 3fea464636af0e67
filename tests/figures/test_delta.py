from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.declared.origin import Origin
from analysis.facts.fact import Fact, Facts
from analysis.figures.palette import BAND, VERDICT_COLOURS
from analysis.figures.theme import NARROW
from tests.figures.drawn import Drawn, draw, make_setting
from tests.figures.made import PREDICTED, make_fact, make_facts, scattered

FACTS = make_facts().of("linux-veth", "offload")
STREAM = make_setting("delta", ("throughput", "cpu_cost"), "STR*")
UNIT = 3.141592653589793**0.5  # plotnine's sizes are points divided by this


def one(**changes: object) -> Drawn:
    """A chart of a single change, with some of its fields replaced."""
    base = scattered(100, "a")
    fact = make_fact(
        "offload", "RR1(100B)", None, "latency", "B", base, ("A", scattered(100, "b"))
    )
    found: Fact = replace(fact, **changes)
    return draw(Facts((found,)), make_setting("delta", ("latency",)))


def mark(drawn: Drawn) -> dict[str, object]:
    (point,) = drawn.layers["geom_point"]
    return point


def test_value_and_interval_stand_beside_each_mark() -> None:
    drawn = draw(FACTS, STREAM)

    fact = next(f for f in FACTS.facts if f.key.endswith("throughput.B.delta"))
    assert fact.printed in drawn.texts
    assert any(
        text.startswith(f"{fact.low:.0f}".replace("-", "−")) for text in drawn.texts
    )
    assert len(drawn.layers["geom_point"]) == 3


def test_a_verdict_shows_by_shape_glyph_and_word_as_well_as_colour() -> None:
    shapes = set()
    for verdict, glyph in (("improved", "▲"), ("regressed", "▼")):
        drawn = one(verdict=verdict)
        shapes.add(mark(drawn)["shape"])
        assert mark(drawn)["fill"] == VERDICT_COLOURS[verdict]
        assert {glyph, verdict} <= set(drawn.texts)
    assert len(shapes) == 2
    assert mark(one(verdict="comparable"))["shape"] not in shapes


def test_comparable_is_a_tilde_before_the_number() -> None:
    assert "~ +1.0%" in one(verdict="comparable", printed="+1.0%").texts
    assert "+1.0%" in one(verdict="inconclusive", printed="+1.0%").texts


def test_comparable_and_inconclusive_marks_carry_their_glyph() -> None:
    assert one(verdict="comparable").texts.count("≈") == 2
    assert one(verdict="inconclusive").texts.count("?") == 2


def test_an_untested_change_has_no_whisker_and_no_verdict() -> None:
    bare = one(low=None, high=None, verdict=None)
    tested = one()

    assert "no interval" in bare.texts
    assert not {"▲", "▼", "≈", "?"} & set(bare.texts)
    assert len(bare.layers["geom_segment"]) == len(tested.layers["geom_segment"]) - 1


def test_the_threshold_is_shaded_to_both_sides_of_zero() -> None:
    drawn = one(threshold=7.5)

    (band,) = (r for r in drawn.layers["geom_rect"] if r["fill"] == BAND)
    zero = next(
        line["x"] for line in drawn.layers["geom_segment"] if line["color"] == "#161616"
    )
    assert zero - band["xmin"] == pytest.approx(band["xmax"] - zero)
    assert "±7.5%" in drawn.words.subtitle


@pytest.mark.parametrize(
    ("origin", "shape", "solid", "dash", "alpha"),
    [
        ("measured", "^", True, "solid", 1.0),
        ("modelled", "^", False, "dashed", 1.0),
        ("synthetic", "^", True, "dotted", 0.6),
        ("published", "D", False, "solid", 1.0),
    ],
)
def test_the_origin_shows_by_mark_and_line_and_not_by_colour(
    origin: Origin, shape: str, solid: bool, dash: str, alpha: float
) -> None:
    drawn = one(origin=origin, verdict="improved")
    point = mark(drawn)

    whisker = next(s for s in drawn.layers["geom_segment"] if s["size"] * UNIT > 1.3)
    assert point["shape"] == shape
    assert (point["fill"] == VERDICT_COLOURS["improved"]) is solid
    assert (whisker["linetype"], point["alpha"]) == (dash, alpha)


@pytest.mark.parametrize("origin", ["modelled", "synthetic"])
def test_the_title_says_that_data_is_not_measured(origin: Origin) -> None:
    drawn = one(origin=origin)

    assert drawn.words.title.endswith(f"({origin} data)")
    assert "RR1(100B)" in drawn.texts
    assert f"origin: {origin}" in drawn.words.foot


def test_a_row_says_its_origin_where_origins_differ() -> None:
    base = scattered(100, "a")
    facts = [
        make_fact(
            "offload", name, None, "latency", "B", base, ("A", base), origin=origin
        )
        for name, origin in (("RR1(100B)", "measured"), ("RR10(100B)", "synthetic"))
    ]
    drawn = draw(Facts(tuple(facts)), make_setting("delta", ("latency",)))

    assert {"RR1(100B)", "RR10(100B) · synthetic"} <= set(drawn.texts)


def test_a_prediction_is_hatched_and_says_its_model_and_range() -> None:
    drawn = one(**PREDICTED)

    (group,) = {place["group"] for place in drawn.layers["geom_path"]}
    assert group == 0
    assert drawn.words.title.endswith("(modelled from synthetic data)")
    assert drawn.words.foot == (
        "hatched: predicted by generation transfer, 90% range · "
        "origin: modelled and synthetic"
    )
    assert "Mann-Whitney" not in drawn.words.foot
    assert "1 predicted" in drawn.words.alt


def test_a_figure_with_some_predictions_says_partly() -> None:
    base = scattered(100, "a")
    measured = make_fact(
        "offload", "RR1(100B)", None, "latency", "B", base, ("A", base)
    )
    predicted = replace(measured, workload="RR10(100B)", **PREDICTED)
    drawn = draw(Facts((measured, predicted)), make_setting("delta", ("latency",)))

    assert drawn.words.title.endswith("(partly modelled from synthetic data)")
    assert "RR10(100B) · modelled" in drawn.texts


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

    assert len(drawn.layers["geom_point"]) == 1
    assert "CPU cost per transaction, server" in drawn.texts
    assert "of C against A" in drawn.words.subtitle


def test_each_test_is_named_with_its_own_baseline() -> None:
    base = scattered(100, "a")
    facts = [
        make_fact("s", "RR1(100B)", None, "latency", test, base, (baseline, base))
        for baseline, test in (("A", "B"), ("C", "D"))
    ]
    setting = make_setting("delta", ("latency",), study="s", tests=("B", "D"))
    study = setting.study.model_copy(update={"baselines": {"D": "C"}})
    drawn = draw(Facts(tuple(facts)), replace(setting, study=study, labels={}))

    assert "of B against A and D against C, in percent" in drawn.words.subtitle
    assert {"B against A", "D against C"} <= set(drawn.texts)


def test_the_title_says_nothing_of_measured_data() -> None:
    assert "data" not in one().words.title


def test_the_better_direction_stands_with_each_metric() -> None:
    texts = " ".join(draw(FACTS, STREAM).texts)

    assert "Throughput   higher is better" in texts
    assert "CPU cost per transaction, client   lower is better" in texts


def test_alt_text_counts_verdicts_and_names_the_largest_moves() -> None:
    alt = draw(FACTS, STREAM).words.alt

    assert alt.startswith(
        "Dot chart of 3 changes in throughput and CPU cost per transaction of "
        "B (Offload off) against A (Offload on): 3 regressed. Largest: client CPU cost"
    )
    assert alt.endswith("and throughput of STR3(1B/20MB) −37%.")


def test_alt_text_names_no_largest_move_where_none_is_clear() -> None:
    alt = one(verdict="comparable").words.alt

    assert alt == (
        "Dot chart of 1 change in latency of B (Offload off) against A (Offload on): "
        "1 comparable."
    )


def test_the_foot_tells_runs_interval_test_and_origin() -> None:
    foot = draw(FACTS, STREAM).words.foot

    assert foot == (
        "n = 10 runs each · whiskers: 95% bootstrap interval · "
        "test: Mann-Whitney and Yuen, Holm-adjusted · origin: measured"
    )


def test_a_phone_gets_a_key_where_rows_have_no_room_for_the_word() -> None:
    drawn = draw(FACTS, STREAM, NARROW)

    assert drawn.texts.count("regressed") == 1


def test_magnitudes_too_unlike_get_a_ratio_axis_that_is_explained() -> None:
    drawn = one(value=1953.0, low=1900.0, high=2000.0)

    assert "equal ratios" in drawn.words.subtitle
    assert "+300%" in drawn.texts


def test_parentheses_in_a_label_stay_whole() -> None:
    labels = {"A": "SESSIONOBJ(NO)", "B": "RSA PKCS#1 v1.5 (0401)"}
    setting = make_setting("delta", ("latency",), labels=labels)

    assert setting.named("A") == "A (SESSIONOBJ(NO))"
    assert setting.named("B") == "B (RSA PKCS#1 v1.5, 0401)"
