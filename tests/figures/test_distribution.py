from __future__ import annotations

from analysis.figures.distribution import find_modes
from tests.figures.drawn import draw, make_setting
from tests.figures.made import make_facts

FACTS = make_facts().of("linux-veth", "offload")
LATENCY = make_setting("distribution", ("latency",), "RR1(100B)")


def test_a_bimodal_sample_has_two_named_groups() -> None:
    modes = find_modes([10.0, 10.1, 10.3, 10.3, 20.0, 20.1, 20.3, 20.3], "µs")

    assert [m.text for m in modes] == ["4 runs near 10.2 µs", "4 runs near 20.2 µs"]
    assert (modes[0].low, modes[0].high) == (10.0, 10.3)


def test_a_sample_of_one_mode_or_of_nothing_has_no_groups() -> None:
    assert find_modes([10.0, 10.1, 10.2, 10.3, 10.4, 10.5, 10.6, 10.7], "µs") == []
    assert find_modes([], "µs") == []


def test_every_repetition_is_a_dot_above_its_line() -> None:
    drawn = draw(FACTS, LATENCY)

    dots = drawn.layers["geom_point"]
    assert len(dots) == 20
    assert len({(d["x"], d["y"]) for d in dots}) == 20


def test_groups_are_named_in_the_picture_and_in_its_alt_text() -> None:
    drawn = draw(FACTS, LATENCY)

    assert "6 runs near 62.5 µs" in drawn.texts
    assert "4 runs near 85.9 µs" in drawn.texts
    assert "falls into two groups: 6 runs near 62.5 µs and 4 runs" in drawn.words.alt


def test_a_sample_of_one_mode_is_drawn_without_groups() -> None:
    drawn = draw(FACTS, make_setting("distribution", ("latency",), "RR10(100B)"))

    assert not any("runs near" in text for text in drawn.texts)
    assert "groups" not in drawn.words.alt
