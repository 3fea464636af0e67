from __future__ import annotations

import pytest

from analysis.figures.theme import NARROW, WIDE, PageFormat
from tests.figures.drawn import Drawn, boxes, draw, make_setting
from tests.figures.made import make_study

SIZES = ("4kB", "8kB", "16kB", "32kB")


def trend(
    changes: tuple[float, ...] = (-25, -31, -40, -50), format: PageFormat = WIDE
) -> Drawn:
    """CPU cost of client and server by payload."""
    facts = make_study(
        "s",
        {
            ("cpu_cost", role, f"RR60({size})"): (10.0, 10.0 * (1 + change / 100))
            for role in ("client", "server")
            for size, change in zip(SIZES, changes, strict=True)
        },
    )
    return draw(facts, make_setting("trend", ("cpu_cost",), study="s"), format)


def test_steps_are_payloads_in_words_from_small_to_large() -> None:
    drawn = trend(format=NARROW)

    steps = [t for t in drawn.texts if t.endswith(" kB")]
    assert steps == ["4 kB", "8 kB", "16 kB", "32 kB"] * 2
    places = [p["x"] for p in drawn.layers["geom_point"]]
    assert places == sorted(places[:4]) + sorted(places[4:])


def test_each_role_has_a_plot_of_its_own_side_by_side_where_there_is_room() -> None:
    wide = {t[0]: t for t in boxes(trend()) if "CPU cost" in t[0]}
    narrow = {t[0]: t for t in boxes(trend(format=NARROW)) if "CPU cost" in t[0]}

    client, server = (
        "CPU cost per transaction, client",
        "CPU cost per transaction, server",
    )
    assert wide[client][4] == wide[server][4]
    assert narrow[client][4] < narrow[server][3]


@pytest.mark.parametrize("changes", [(-25, -31, -40, -50), (-50, -20, 10, 40)])
def test_numbers_stand_clear_of_the_line(changes: tuple[float, ...]) -> None:
    drawn = trend(changes)

    joints = [s for s in drawn.layers["geom_segment"] if s["color"] == "#525252"]
    assert len(joints) == 6
    for label, left, right, top, bottom in boxes(drawn):
        if not label.endswith("%") or label[0] not in "+−":
            continue
        for s in (j for j in joints if j["x"] < left < right < j["xend"]):
            slope = (s["yend"] - s["y"]) / (s["xend"] - s["x"])
            for x in (left, right):
                y = -(s["y"] + slope * (x - s["x"]))
                assert not top < y < bottom, label


def test_equal_payloads_are_named_by_their_workload() -> None:
    facts = make_study(
        "s", {("latency", None, f"RR{n}(1kB)"): (50.0, 40.0) for n in (1, 10)}
    )
    drawn = draw(facts, make_setting("trend", ("latency",), study="s"))

    assert {"RR1(1kB)", "RR10(1kB)"} <= set(drawn.texts)


def test_alt_text_reads_each_series_in_order() -> None:
    alt = trend().words.alt

    assert alt.startswith("Line chart of changes of B (Offload off) against A")
    assert "client CPU cost per transaction: −" in alt
    assert alt.index("at 4 kB") < alt.index("at 32 kB")
