"""Lines over payload or clients: savings upwards, crossings, ends of growth, shares."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from analysis.errors import UserError
from analysis.facts.fact import Facts
from analysis.facts.units import format_value
from analysis.figures.grammar.curves import _hits, are_ratios, with_room, x_of
from analysis.figures.kinds.scaling import crossings, knees
from analysis.figures.kinds.trend import lines_of
from analysis.figures.page import NARROW, POINT, TESTS, text_width
from analysis.figures.verb import prepare
from tests.figures.drawn import Drawn, draw, make_drawing, make_setting
from tests.figures.made import PREDICTED, make_fact, make_facts, make_study

SIZES = ("RR10(1kB)", "RR10(4kB)", "RR10(32kB)")


def saving(client: tuple[float, ...], server: tuple[float, ...]):
    changes = {
        ("cpu_cost", role, name): (10.0, 10.0 * (1 - share))
        for role, shares in (("client", client), ("server", server))
        for name, share in zip(SIZES, shares, strict=True)
    }
    return make_study("s", changes)


LOADS = tuple(f"RR{clients}(1kB)" for clients in (10, 20, 30))


def loads(values: tuple[float, ...], metric: str, unit: str) -> Facts:
    rows = {
        ("latency", None, w): (v, v * 0.9) for w, v in zip(LOADS, values, strict=True)
    }
    made = make_study("s", rows).facts
    return Facts(
        tuple(
            replace(f, metric=metric, unit=unit) if f.kind == "value" else f
            for f in made
        )
    )


def ticks(drawn: Drawn) -> list[float]:
    """The labels of the axis at the left, but for those of loads."""
    left = min(text.x for text in drawn.texts if text.label == "0")
    return [float(t.label) for t in drawn.texts if t.x == left and t.label.isdigit()]


@pytest.mark.parametrize(
    ("most", "seen"), [(85.0, True), (40.0, False), (180.0, False)]
)
def test_a_share_of_more_than_half_is_seen_against_the_whole(
    most: float, seen: bool
) -> None:
    facts = loads((most / 4, most / 2, most), "utilisation", "%")
    drawn = draw(facts, make_setting("scaling", ("utilisation",), study="s"))

    assert (max(ticks(drawn)) == 100) == seen


def test_a_value_stands_beside_an_interval_that_covers_its_place() -> None:
    facts = loads((40.0, 50.0, 60.0), "latency", "µs")
    wide = [
        replace(f, low=f.value - 30, high=f.value + 30) if f.configuration == "A" else f
        for f in facts.facts
    ]
    drawn = draw(Facts(tuple(wide)), make_setting("scaling", ("latency",), study="s"))
    first = [f for f in wide if f.kind == "value" and f.workload == LOADS[0]]
    labels = {f.configuration: f.printed.split()[0] for f in first}
    x = {t.label: t.x for t in drawn.texts}

    assert x[labels["B"]] > x[labels["A"]]


def test_a_saving_goes_up_and_names_both_ends() -> None:
    facts = saving((0.2, 0.3, 0.5), (0.1, 0.2, 0.3))
    drawing = make_drawing(facts, make_setting("trend", ("cpu_cost",), study="s"))

    lines = lines_of(drawing.frame, drawing.setting)

    assert (lines["y"] > 0).all()
    assert lines["series"].unique().sort().to_list() == ["client", "server"]
    assert "grows from" in drawing.words.title
    assert "at 1 kB to" in drawing.words.title


def test_lines_that_are_alike_are_one() -> None:
    facts = saving((0.2, 0.3, 0.5), (0.2, 0.3, 0.5))
    setting = make_setting("trend", ("cpu_cost",), study="s")
    drawing = make_drawing(facts, setting)
    same = drawing.frame.with_columns(printed=pl.lit("−20%"))

    lines = lines_of(same, setting)

    assert lines["series"].unique().to_list() == ["client and server"]


@pytest.mark.parametrize(
    ("names", "title", "first"),
    [
        (SIZES, "payload of a transaction", "1 kB"),
        (("RR1(1kB)", "RR40(1kB)"), "clients", "1"),
        (("TN4000(100B)", "TN8000(100B)"), "sessions", "4,000"),
        (("TN4000(100B)", "ECI8000(100B)"), "clients", "4,000"),
    ],
)
def test_the_axis_is_the_number_in_which_workloads_differ(
    names: tuple[str, ...], title: str, first: str
) -> None:
    told, values, steps = x_of(list(names))

    assert told == title
    assert steps[values[names[0]]] == first


@pytest.mark.parametrize(
    ("steps", "even"),
    [
        ((4.0, 8.0, 16.0, 32.0), True),
        ((1.0, 10.0, 40.0), True),
        ((200.0, 400.0, 600.0), False),
        ((0.0, 1.0, 100.0), False),
        ((5.0,), False),
    ],
)
def test_steps_that_multiply_stand_on_an_axis_of_ratios(
    steps: tuple[float, ...], even: bool
) -> None:
    assert are_ratios(steps) == even


def test_labels_of_an_axis_stand_apart_and_both_ends_have_one() -> None:
    steps = {float(n): f"{n:,}" for n in range(1000, 33_000, 1000)}

    for room in (20.0, 40.0, 80.0):
        kept = with_room(steps, False, room, NARROW)
        places = [(x - 1000) / 31_000 * room for x in kept]
        widths = [text_width(steps[x], NARROW.small) for x in kept]

        assert {kept[0], kept[-1]} == {1000.0, 32_000.0}
        for i in range(1, len(kept)):
            between = places[i] - places[i - 1] - (widths[i] + widths[i - 1]) / 2
            assert between >= 2.0 - 1e-9


@pytest.mark.parametrize(
    ("kind", "after", "told"),
    [
        ("trend", (0.2, 0.3, 0.5), "Equal steps to the right are equal ratios."),
        ("scaling", (0.2, 0.3, 0.5), "Equal steps to the right are equal ratios."),
        ("scaling", (0.2, 0.3, 0.99), "Equal steps on both axes are equal ratios."),
    ],
)
def test_the_subtitle_of_lines_says_which_axes_show_ratios(
    kind: str, after: tuple[float, ...], told: str
) -> None:
    drawn = draw(saving(after, after), make_setting(kind, ("cpu_cost",), study="s"))

    assert drawn.words.subtitle.endswith(told)
    assert drawn.plot
    logs = {type(s).__name__ for s in drawn.plot.scales if "log10" in type(s).__name__}
    assert ("scale_x_log10" in logs) == ("right" in told or "both" in told)
    assert ("scale_y_log10" in logs) == ("upwards" in told or "both" in told)


def test_a_crossing_is_marked_and_answered() -> None:
    changes = {
        ("latency", None, SIZES[0]): (20.0, 40.0),
        ("latency", None, SIZES[1]): (40.0, 50.0),
        ("latency", None, SIZES[2]): (300.0, 160.0),
    }
    setting = make_setting("scaling", ("latency",), study="s")

    drawn = draw(make_study("s", changes), setting)

    assert drawn.words.title == "Offload off has the lower latency from 32 kB on"
    assert "lines cross between 4 and 32 kB" in {
        label.strip() for label in drawn.labels
    }
    (line,) = drawn.layer("geom_segment")
    assert 4096 < line["x"] < 32768, "where the lines cross as they are drawn"
    assert 50 < line["foot"] < 160, "at a ring on both lines"
    assert line in drawn.layer("geom_point")


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("RR10(100B)", "RR10(1kB)"), "lines cross between 100 B and 1 kB"),
        (("RR1(1kB)", "RR40(1kB)"), "lines cross between 1 and 40"),
    ],
)
def test_a_crossing_lies_between_the_steps_that_were_measured(
    names: tuple[str, str], told: str
) -> None:
    ends = ((20.0, 40.0), (300.0, 160.0))
    changes = {
        ("latency", None, name): end for name, end in zip(names, ends, strict=True)
    }
    setting = make_setting("scaling", ("latency",), study="s")

    labels = draw(make_study("s", changes), setting).labels

    assert told in {label.strip() for label in labels}


@pytest.mark.parametrize(
    ("kind", "metric", "told"),
    [
        ("trend", "cpu_cost", "its mark: 95% interval"),
        ("scaling", "cpu_cost", "its mark: 98% interval of the median"),
    ],
)
def test_the_foot_of_lines_calls_an_interval_what_it_is_drawn_as(
    kind: str, metric: str, told: str
) -> None:
    facts = saving((0.2, 0.3, 0.5), (0.1, 0.2, 0.3))
    drawn = draw(facts, make_setting(kind, (metric,), study="s"))

    assert f"upright line, where longer than {told}" in drawn.words.foot
    assert "dark" not in drawn.words.foot
    assert drawn.layer("geom_linerange")


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("scaling", "dashed: predicted by generation transfer · upright line, where "
         "longer than its mark: 90% range"),
        ("delta", "hatched: predicted by generation transfer · thin line with ends: "
         "90% range"),
    ],
)  # fmt: skip
def test_the_foot_names_what_a_prediction_s_range_is_drawn_as(
    kind: str, told: str
) -> None:
    found = saving((0.2, 0.3, 0.5), (0.1, 0.2, 0.3)).facts
    facts = Facts(tuple(replace(fact, **PREDICTED) for fact in found))
    setting = make_setting(kind, ("cpu_cost",), study="s")

    assert told in make_drawing(facts, setting).words.foot


def test_a_crossing_of_what_was_predicted_is_a_prediction() -> None:
    changes = {
        ("latency", None, SIZES[0]): (20.0, 40.0),
        ("latency", None, SIZES[2]): (300.0, 160.0),
    }
    found = make_study("s", changes).facts
    facts = Facts(
        tuple(
            replace(fact, **PREDICTED) if fact.configuration == "B" else fact
            for fact in found
        )
    )
    title = make_drawing(
        facts, make_setting("scaling", ("latency",), study="s")
    ).words.title

    assert title == "Offload off has the lower latency from 32 kB on (predicted)"


def test_lines_as_good_as_equal_do_not_cross() -> None:
    changes = {
        ("latency", None, SIZES[0]): (20.0, 20.1),
        ("latency", None, SIZES[2]): (300.0, 299.0),
    }
    drawing = make_drawing(
        make_study("s", changes), make_setting("scaling", ("latency",), study="s")
    )

    assert crossings(drawing.frame, drawing.setting) == []


def test_the_place_where_a_load_grows_no_more_is_marked() -> None:
    names = ("RR100(1kB)", "RR300(1kB)", "RR600(1kB)")
    changes = {
        ("rate", None, name): (rate, rate)
        for name, rate in zip(names, (200.0, 600.0, 602.0), strict=True)
    }
    setting = make_setting("scaling", ("rate",), study="s")

    drawn = draw(make_study("s", changes), setting)
    frame = make_drawing(make_study("s", changes), setting).frame

    assert {x for *_, x in knees(frame)} == {300.0}
    assert any("no growth beyond 300" in label for label in drawn.labels)


@pytest.mark.parametrize("value", [0.0, 50.0])
def test_values_that_are_all_the_same_make_a_level_line(value: float) -> None:
    loads = ("RR1(100B)", "RR10(100B)", "RR40(100B)")
    facts = [make_fact("s", w, None, "latency", "A", (value,) * 6) for w in loads]
    setting = make_setting("scaling", ("latency",), study="s", tests=())

    drawn = draw(Facts(tuple(facts)), setting)

    heights = [t.y for t in drawn.texts if t.label.startswith(f"{value:g}")]
    assert len(heights) >= 3
    assert all(0 < y < drawn.size[1] / POINT for y in heights)


def test_parts_stand_one_after_the_other_and_end_in_their_sum() -> None:
    facts = make_facts().of("linux-veth", "offload")
    setting = make_setting("stacked", ("cpu_cost",), "STR*", limit=20_000.0)

    drawn = draw(facts, setting)

    bars = [b for b in drawn.layer("geom_origin") if b["configuration"] == "A"]
    assert [bar["part"] for bar in bars] == ["client", "server"]
    assert bars[0]["start"] == 0
    assert bars[1]["start"] == bars[0]["end"]
    values = {
        f.role: f.value
        for f in facts.facts
        if f.metric == "cpu_cost"
        and f.kind == "value"
        and f.configuration == "A"
        and f.workload.startswith("STR")
    }
    assert f"{sum(values.values()):,.0f} µs/tran" in drawn.labels
    assert drawn.layer("geom_segment")[-1]["limit"] == 20_000
    assert drawn.words.title == (
        "Client is always the largest part; no load reaches the limit of 20,000 µs/tran"
    )
    assert "upright line: limit of 20,000 µs/tran" in drawn.words.foot
    assert "full" not in drawn.labels
    near = make_setting("stacked", ("cpu_cost",), "STR*", limit=sum(values.values()))
    assert "full" in draw(facts, near).labels
    assert "full: 97% of the limit or more" in draw(facts, near).words.foot


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ({"limit": 100.0}, "µs/tran together, more than the limit of 100 µs/tran"),
        ({"roles": ("client", "gateway")}, "client is the whole, and the other roles"),
        ({"roles": ("total-above", "csm")}, "total-above is the whole"),
        ({"potential": "rate"}, "have one unit, and not 1/s and µs/tran"),
        ({"roles": ("rest",)}, "no facts of cpu_cost for workloads 'STR*'"),
        ({"roles": ("client", "sender")}, "no facts of sender for workloads 'STR*'"),
        ({"kind": "scaling"}, "figure x: STR3(1B/20MB) alone makes no line"),
    ],
)
def test_what_makes_no_whole_and_no_line_is_refused(
    declared: dict[str, Any], said: str
) -> None:
    facts = make_facts().of("linux-veth", "offload")
    kind = declared.pop("kind", "stacked")
    setting = make_setting(kind, ("cpu_cost",), "STR*", **declared)
    with pytest.raises(UserError, match=re.escape(said)):
        prepare([setting], facts)


def test_what_could_be_the_last_part_is_an_outline_at_the_end() -> None:
    roles = (("gateway", 60.0), ("cics", 20.0), ("rest", 10.0))
    changes = {("cpu_cost", role, "ECI200(4kB)"): (size, size) for role, size in roles}
    own = make_study("s", changes).facts
    values = [f for f in own if f.kind == "value" and f.role == "gateway"]
    ziip = [replace(f, metric="cpu_cost_ziip", key=f"{f.key}.z") for f in values]
    most = [
        replace(f, metric="cpu_cost_equivalent", key=f"{f.key}.e", value=f.value * 1.5)
        for f in values
    ]
    setting = make_setting(
        "stacked", ("cpu_cost", "cpu_cost_ziip"), study="s",
        roles=("cics", "rest", "gateway"), potential="cpu_cost_equivalent",
    )  # fmt: skip

    drawn = draw(Facts((*own, *ziip, *most)), setting)

    bars = [b for b in drawn.layer("geom_origin") if b["configuration"] == "A"]
    names = ["CICS", "rest", "gateway", "zIIP cost per transaction"]
    assert [bar["part"] for bar in bars] == names
    colours = {bar["part"]: bar["fill"] for bar in bars}
    assert [colours[n] for n in ("gateway", "CICS")] == list(TESTS[:2]), "as declared"
    assert "rest, gateway and zIIP cost" in drawn.words.subtitle
    (outline,) = [b for b in drawn.layer("geom_rect") if b["configuration"] == "A"]
    assert outline["end"] == bars[-1]["end"], "it ends where the bar does"
    assert outline["end"] - outline["start"] == pytest.approx(bars[-1]["value"] * 1.5)
    assert "dashed at the end: CP-equivalent cost" in drawn.words.foot
    assert "CP-equivalent" not in drawn.words.subtitle, "it adds nothing to the sum"
    now, most = (format_value(bars[-1]["value"] * x, "µs/tran") for x in (1, 1.5))
    told = f"zIIP cost per transaction is {now} and could be {most} (ECI200(4kB), Off"
    assert drawn.words.title.startswith(told)


def test_bars_of_one_configuration_are_named_by_their_load_alone() -> None:
    facts = make_facts().of("linux-veth", "offload")
    setting = make_setting("stacked", ("cpu_cost",), "*RR*", tests=("B",))
    own = Facts(tuple(f for f in facts.facts if f.configuration == "A"))

    assert "Offload on" in draw(facts, setting).labels
    assert "Offload on" not in draw(own, setting).labels


def test_a_share_of_runs_is_a_step_line_for_each_configuration() -> None:
    facts = make_facts().of("linux-veth", "offload")
    setting = make_setting("ecdf", ("latency",), "RR1(*")

    drawn = draw(facts, setting)

    assert {"0", "50%", "100%", "Offload on", "Offload off"} <= {*drawn.labels}
    colours = {
        p.get("stroke") for p in drawn.root.iter("{http://www.w3.org/2000/svg}path")
    }
    assert set(setting.colours.values()) <= colours


@pytest.mark.parametrize(
    ("box", "hits"),
    [
        ((4, 6, 4, 6), True),
        ((-9, 99, -9, 99), True),
        ((-9, 0, 4, 6), False),
        ((10, 99, 4, 6), False),
        ((4, 6, -9, 0), False),
        ((4, 6, 10, 99), False),
    ],
)
def test_boxes_that_only_touch_do_not_hit_each_other(box, hits: bool) -> None:
    assert _hits(box, [(0, 10, 0, 10)]) is hits
