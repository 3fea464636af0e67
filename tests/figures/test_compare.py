from __future__ import annotations

from dataclasses import replace

from analysis.facts.fact import Fact, Facts
from tests.figures.drawn import Drawn, draw, make_setting
from tests.figures.made import PREDICTED, make_fact, scattered

RR = ("RR10(1kB)", "RR10(4kB)", "RR10(32kB)")


def three(highest: float = 5.0, predicted: bool = False) -> Drawn:
    """The latency of three configurations; the last one up to ``highest`` times."""
    facts: list[Fact] = []
    for i, name in enumerate(RR):
        for configuration, times in (("A", 1.0), ("B", 1.5), ("C", highest)):
            samples = scattered(20.0 * times * (i + 1), name + configuration)
            fact = make_fact("s", name, None, "latency", configuration, samples)
            if predicted and configuration == "C":
                fact = replace(fact, **PREDICTED)
            facts.append(fact)
    setting = make_setting("compare", ("latency",), study="s", tests=("B", "C"))
    return draw(Facts(tuple(facts)), setting)


def test_every_workload_has_each_configuration_with_its_value() -> None:
    drawn = three()

    assert len(drawn.layers["geom_point"]) == 9
    for name in RR:
        assert drawn.texts.count(name) == 1
    for configuration in ("A", "B", "C"):
        assert drawn.texts.count(configuration) == 3
    assert sum(text.endswith("µs") for text in drawn.texts) == 9


def test_configurations_differ_by_shape_as_well_as_colour() -> None:
    points = three().layers["geom_point"]

    assert len({p["shape"] for p in points}) == 3
    assert len({(p["shape"], p["fill"]) for p in points}) == 3


def test_values_of_one_magnitude_stand_on_an_axis_from_zero() -> None:
    drawn = three(highest=2.0)

    assert "0" in drawn.texts
    assert "equal ratios" not in drawn.words.subtitle


def test_a_wide_span_gets_a_logarithmic_axis_that_is_explained() -> None:
    drawn = three(highest=40.0)

    places = [p["x"] for p in drawn.layers["geom_point"]]
    assert "equal ratios" in drawn.words.subtitle
    assert places[0] + 5 < places[1] < places[2] - 5


def test_a_predicted_configuration_is_hatched_and_hollow() -> None:
    drawn = three(predicted=True)

    assert len({p["group"] for p in drawn.layers["geom_path"]}) == 3
    hollow = [p for p in drawn.layers["geom_point"] if p["fill"] == "#ffffff"]
    assert {p["shape"] for p in hollow} == {"^"}
    assert drawn.texts.count("C · modelled") == 3
    assert "90% range" in drawn.words.foot


def test_alt_text_reads_the_medians_by_workload() -> None:
    alt = three().words.alt

    assert alt.startswith("Dot chart by workload. Median latency in µs on A")
    assert "RR10(32kB) 6" in alt
    assert "predicted" not in alt


def test_alt_text_says_which_medians_are_predicted() -> None:
    alt = three(predicted=True).words.alt

    assert alt.count("(modelled)") == 3
