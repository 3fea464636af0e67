from __future__ import annotations

import pytest

from analysis.figures.theme import NARROW
from tests.figures.drawn import Drawn, draw, make_setting
from tests.figures.made import make_study

AUDIT = "CRR40(64B/8kB)"
FACTS = make_study(
    "s",
    {
        ("rate", None, AUDIT): (3067.0, 645.0),
        ("cpu_cost", "client", AUDIT): (282.0, 5790.0),
        ("cpu_cost", "server", AUDIT): (261.0, 3260.0),
    },
)
SETTING = make_setting("absolute-relative", ("rate", "cpu_cost"), study="s")


@pytest.fixture(scope="module")
def drawn() -> Drawn:
    return draw(FACTS, SETTING)


def test_values_and_changes_are_both_printed(drawn: Drawn) -> None:
    assert sum(t.endswith("trans/s") for t in drawn.texts) == 2
    assert sum(t.endswith("µs/tran") for t in drawn.texts) == 4
    printed = {f.printed for f in FACTS.facts if f.kind == "delta"}
    assert printed <= set(drawn.texts)


def test_a_loss_of_three_quarters_and_a_twentyfold_rise_are_both_seen(
    drawn: Drawn,
) -> None:
    marks = {p["shape"]: p["x"] for p in drawn.layers["geom_point"]}
    zeros = {s["x"] for s in drawn.layers["geom_segment"] if s["color"] == "#161616"}
    (one,) = (x for x in zeros if sum(x == s["x"] for s in segments(drawn)) >= 3)

    assert set(marks) == {"v"}
    places = sorted(p["x"] for p in drawn.layers["geom_point"])
    assert places[0] < one - 10
    assert places[-1] > one + 20


def segments(drawn: Drawn) -> list[dict[str, float]]:
    return [s for s in drawn.layers["geom_segment"] if s["color"] == "#161616"]


def test_the_axis_of_ratios_is_in_factors(drawn: Drawn) -> None:
    factors = [t for t in drawn.texts if t.startswith("×")]

    assert "×1" in factors
    assert "equal ratios" in drawn.words.subtitle


def test_bars_of_values_are_in_proportion(drawn: Drawn) -> None:
    bars = [r for r in drawn.layers["geom_rect"] if r["alpha"] == 0.32]
    first, second = (r["xmax"] - r["xmin"] for r in bars[:2])

    values = [f.value for f in FACTS.facts[:2]]
    assert second / first == pytest.approx(values[1] / values[0], rel=0.01)


def test_on_a_phone_the_ratio_stands_below_its_value() -> None:
    texts = draw(FACTS, SETTING, NARROW).texts

    assert texts.count("Ratio to A") == 3


def test_alt_text_gives_both_values_and_the_change(drawn: Drawn) -> None:
    assert "transaction rate of CRR40(64B/8kB): " in drawn.words.alt
    assert "trans/s on A and " in drawn.words.alt
    assert "trans/s on B (−7" in drawn.words.alt
