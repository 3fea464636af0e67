from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.facts.fact import Facts
from analysis.figures.palette import BASELINE, TESTS
from tests.figures.drawn import draw, make_setting
from tests.figures.made import make_facts

FACTS = make_facts().of("linux-veth", "offload")
STREAM = make_setting("value", ("throughput",), "STR*")
RATES = make_setting("value", ("rate",))


def test_every_repetition_is_a_dot_in_its_configurations_colour() -> None:
    dots = draw(FACTS, STREAM).layers["geom_point"]

    assert [d["fill"] for d in dots] == [BASELINE] * 10 + [TESTS[0]] * 10
    assert len({(d["x"], d["y"]) for d in dots}) == 20


def test_median_and_interval_stand_at_the_end_of_the_row() -> None:
    drawn = draw(FACTS, STREAM)

    for fact in FACTS.facts:
        if fact.metric == "throughput" and fact.kind == "value":
            assert fact.printed in drawn.texts


def test_configurations_are_named_in_words() -> None:
    assert {"A  Offload on", "B  Offload off"} <= set(draw(FACTS, STREAM).texts)


def test_unlike_magnitudes_get_a_scale_each_and_the_subtitle_says_so() -> None:
    drawn = draw(FACTS, RATES)

    medians = [line for line in drawn.layers["geom_segment"] if line["size"] > 1]
    assert len(medians) == 8
    assert "its own scale" in drawn.words.subtitle
    assert "its own scale" not in draw(FACTS, STREAM).words.subtitle


def test_runs_of_a_model_are_hollow_and_said() -> None:
    facts = Facts(
        tuple(
            replace(f, origin="modelled" if f.configuration == "B" else f.origin)
            for f in FACTS.facts
        )
    )

    drawn = draw(facts, STREAM)

    fills = [d["fill"] for d in drawn.layers["geom_point"]]
    assert fills.count("#ffffff") == 10
    assert "B  Offload off · modelled" in drawn.texts
    assert drawn.words.title.endswith("(modelled data)")


def test_a_published_value_without_runs_is_an_open_diamond() -> None:
    facts = Facts(
        tuple(
            replace(f, origin="published", samples=(), low=None, high=None, n=1)
            for f in FACTS.facts
        )
    )

    drawn = draw(facts, STREAM)

    assert [p["shape"] for p in drawn.layers["geom_point"]] == ["D", "D"]
    assert drawn.texts.count("no interval") == 2


def test_alt_text_tells_the_medians() -> None:
    alt = draw(FACTS, STREAM).words.alt

    assert alt == (
        "Dot chart of every run. Median throughput in MB/s on A (Offload on) and "
        "B (Offload off): STR3(1B/20MB) 3,144 and 1,976."
    )


@pytest.mark.parametrize(
    ("runs", "text"), [((8, 10), "8 to 10 runs"), ((1, 1), "1 run")]
)
def test_the_foot_counts_runs(runs: tuple[int, int], text: str) -> None:
    chosen = [f for f in FACTS.facts if f.metric == "throughput" and f.kind == "value"]
    facts = Facts(tuple(replace(f, n=n) for f, n in zip(chosen, runs, strict=True)))

    assert draw(facts, STREAM).words.foot.startswith(f"n = {text} each · ")
