from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from analysis.facts.fact import Facts
from analysis.figures.kinds.topology import check_topology
from analysis.figures.output import data_of
from analysis.figures.page import COLOURS, POINT, WIDE, PageFormat
from analysis.figures.setting import Setting
from tests.figures.drawn import (
    FORMATS,
    Drawn,
    check_texts,
    draw,
    make_diagram,
    make_drawing,
)

SYSTEMS = {
    "LPA": {"role": "client", "runs": "z/OS {Release}"},
    "LPB": {"role": "server", "runs": "RHEL 10"},
}
TWO: dict[str, Any] = {
    "systems": SYSTEMS,
    "machines": [{"label": "{CPC}", "systems": ["LPA", "LPB"]}],
    "adapters": {
        "one": {
            "label": "{Interface}",
            "ports": {"LPA": "OSH"},
            "configurations": ["own"],
        },
        "other": {
            "label": "{Interface}",
            "ports": {"LPB": "NETH"},
            "configurations": ["own"],
        },
        "both": {
            "label": "{Interface}, one port",
            "ports": {"LPA": "OSH", "LPB": "NETH"},
            "configurations": ["shared"],
        },
        "crypto": {
            "label": "Crypto Express8S",
            "ports": {"LPB": "CEX8S"},
            "configurations": ["shared"],
        },
    },
    "links": [
        {
            "ends": ["LPA", "LPB"],
            "label": "HiperSockets",
            "speed": "MTU 8 kB",
            "configurations": ["direct"],
        },
        {
            "ends": ["one", "other"],
            "label": "25GbE",
            "via": "switch",
            "configurations": ["own"],
        },
    ],
}
THREE: dict[str, Any] = {
    "systems": SYSTEMS | {"LPC": {"role": "target"}},
    "machines": [
        {"label": "{CPC}", "systems": ["LPA", "LPB"]},
        {"label": "z16", "systems": ["LPC"]},
    ],
    "adapters": {"all": {"label": "one", "ports": {"LPA": "a", "LPB": "b"}}},
    "links": [{"ends": ["LPB", "LPC"], "label": "GRE", "speed": "25GbE"}],
}


def diagram(setting: Setting, format: PageFormat = WIDE) -> Drawn:
    return draw(Facts(()), setting, format)


def paths(drawn: Drawn, dashed: bool = False) -> list[list[tuple[float, float]]]:
    """The corners of every line of a diagram, in points."""
    return [
        [tuple(map(float, step.split())) for step in path.get("d")[1:].split("L")]
        for path in drawn.root.iter("{http://www.w3.org/2000/svg}path")
        if (path.get("stroke-dasharray") is not None) == dashed
    ]


def changed(part: str, id: str, **entries: Any) -> dict[str, Any]:
    """The topology with some entries of one adapter or system replaced."""
    return TWO | {part: TWO[part] | {id: TWO[part][id] | entries}}


@pytest.mark.parametrize("format", list(FORMATS))
def test_systems_say_their_role_what_they_run_and_their_cps(format: str) -> None:
    texts = diagram(make_diagram(TWO), FORMATS[format]).labels

    assert {"LPA", "client", "z/OS 3.2", "4 dedicated CPs"} <= set(texts)
    assert {"LPB", "server", "RHEL 10", "1 CP"} <= set(texts)
    assert "z17" in texts


@pytest.mark.parametrize("format", list(FORMATS))
@pytest.mark.parametrize("topology", [TWO, THREE])
def test_nothing_is_cut_off_too_small_or_on_something_else(
    topology: dict[str, Any], format: str
) -> None:
    drawn = diagram(make_diagram(topology), FORMATS[format])

    assert check_texts(drawn, format) == []


@pytest.mark.parametrize("format", list(FORMATS))
def test_lanes_have_the_names_of_readers_whole_beside_a_system(format: str) -> None:
    third = {"systems": {"LPC": {"role": "target"}} | SYSTEMS}
    setting = replace(
        make_diagram(TWO | third),
        labels={"direct": "Direct", "own": "Adapters of their own, one for each LPAR"},
    )
    drawn = diagram(setting, FORMATS[format])

    assert {"Direct", "shared"} <= {*drawn.labels}
    assert "own" not in drawn.labels
    assert "Adapters of their own, one for each LPAR" in " ".join(drawn.labels)
    assert check_texts(drawn, format) == []


def test_details_come_from_the_configurations() -> None:
    other = {"own": {"Interface": "OSA-Express7S"}}
    texts = " ".join(diagram(make_diagram(TWO, details=other)).labels)

    assert "OSA-Express7S" in texts
    assert "Network Express 25GbE, one port" in texts


def test_a_link_via_something_leaves_the_frame_of_the_machine() -> None:
    drawn = diagram(make_diagram(TWO))

    lower = max(y for path in paths(drawn, dashed=True) for _, y in path)
    (switch,) = (text for text in drawn.texts if text.label == "switch")
    assert switch.box[2] / POINT > lower


def test_a_shared_adapter_is_a_frame_round_both_its_ports() -> None:
    drawn = diagram(make_diagram(TWO))

    (label,) = (t for t in drawn.texts if t.label.endswith("one port"))
    ports = [t for t in drawn.texts if t.label in ("OSH", "NETH") and t.y > label.y]
    inside = [
        path
        for path in paths(drawn)
        if all(
            min(x for x, _ in path) < text.x < max(x for x, _ in path)
            and min(y for _, y in path) < text.y < max(y for _, y in path)
            for text in (label, *ports[:2])
        )
    ]
    assert len(inside) == 1


def test_a_figure_of_some_tests_draws_their_lanes() -> None:
    setting = make_diagram(TWO)
    figure = setting.figure.model_copy(update={"tests": ("shared",)})

    texts = diagram(replace(setting, figure=figure)).labels

    assert {"direct", "shared"} <= set(texts)
    assert "own" not in texts


def test_its_data_lists_its_elements() -> None:
    setting = make_diagram(TWO)
    data = data_of(make_drawing(Facts(()), setting))

    counts = dict(data["record"].value_counts().iter_rows())
    assert counts == {"system": 2, "machine": 1, "adapter": 4, "link": 2}
    (shared,) = data.filter(data["name"] == "both").to_dicts()
    assert shared["joins"] == "LPA:OSH LPB:NETH"
    assert shared["configurations"] == "shared"


def test_alt_text_says_what_the_picture_shows() -> None:
    alt = diagram(make_diagram(TWO)).words.alt

    assert "LPA (client, z/OS 3.2, 4 dedicated CPs)" in alt
    assert "direct: LPA and LPB joined by HiperSockets, MTU 8 kB" in alt
    assert "through switch" in alt
    assert (
        alt.count("(OSH of LPA and NETH of LPB), shared") == 1 == alt.count(", shared")
    )


@pytest.mark.parametrize("format", list(FORMATS))
def test_the_frame_of_a_machine_is_on_the_page(format: str) -> None:
    drawn = diagram(make_diagram(TWO), FORMATS[format])

    xs = [x * POINT for path in paths(drawn, dashed=True) for x, _ in path]
    assert min(xs) >= 0.0
    assert max(xs) <= FORMATS[format].width


def test_it_is_drawn_in_the_colours_of_the_charts() -> None:
    setting = make_diagram(TWO)
    svg = make_drawing(Facts(()), setting).sheet(WIDE).svg("x").decode()

    found = {svg[i : i + 7] for i in range(len(svg)) if svg[i] == "#"}
    assert {c for c in found if c[1:2] != "x"} <= set(COLOURS)
    assert len(svg) < 120_000


@pytest.mark.parametrize(
    ("topology", "told"),
    [
        (
            TWO | {"systems": SYSTEMS | {"LPX": {"role": "target"}}},
            "no system 'LPX' in its campaigns",
        ),
        (
            changed("adapters", "one", configurations=["new"]),
            "names 'new', which is no",
        ),
        (
            changed("adapters", "one", label="{Speed}"),
            "needs the detail 'Speed', which",
        ),
        (TWO | {"links": []}, "leaves out direct"),
    ],
)
def test_a_diagram_that_disagrees_with_the_configurations_is_an_issue(
    topology: dict[str, Any], told: str
) -> None:
    issues = check_topology(make_diagram(topology))

    assert any(told in issue.what for issue in issues), issues
    assert all(issue.mend for issue in issues)


def test_a_diagram_that_agrees_has_no_issue() -> None:
    assert check_topology(make_diagram(TWO)) == []
    assert check_topology(make_diagram(THREE)) == []


def test_a_diagram_needs_a_topology_and_no_metrics() -> None:
    setting = make_diagram(TWO)
    bare = replace(setting, study=setting.study.model_copy(update={"topology": None}))
    figure = setting.figure.model_copy(update={"metrics": ("rate",)})

    assert "has no topology" in check_topology(bare)[0].what
    assert "draws no metrics" in check_topology(replace(setting, figure=figure))[0].what


OUTSIDE = {
    "systems": SYSTEMS
    | {"LPB": SYSTEMS["LPB"] | {"holds": ["server, in a container"]}},
    "machines": TWO["machines"],
    "networks": [
        {"label": "DASD", "systems": ["LPA"]},
        {"label": "DASD of the other", "systems": ["LPB"]},
    ],
}


@pytest.mark.parametrize("format", list(FORMATS))
def test_boxes_stand_in_systems_and_devices_outside_the_machine(format: str) -> None:
    drawn = diagram(make_diagram(OUTSIDE), FORMATS[format])

    assert check_texts(drawn, format) == []
    lower = max(y for path in paths(drawn, dashed=True) for _, y in path)
    (disk,) = (text for text in drawn.texts if text.label == "DASD")
    assert disk.box[2] / POINT > lower
    assert "server, in a container" in " ".join(drawn.labels)
    assert "LPA with DASD" in drawn.words.alt


WAYS = {
    "systems": {
        "PCS": {"role": "client", "outside": True, "holds": ["first", "second"]},
        "LPA": {
            "role": "server",
            "runs": "a long line of words that says what it runs",
            "holds": ["gateway", "region"],
            "joined": "IPIC",
        },
        "LPC": {"role": "distributor"},
        "LPB": {"role": "server"},
    },
    "links": [
        {"ends": ["LPA", "LPC"], "label": "XCF"},
        {"ends": ["PCS", "LPC"], "label": "way in", "via": "Ethernet"},
    ],
    "networks": [{"label": "way out", "systems": ["PCS", "LPA", "LPB"]}],
}


@pytest.mark.parametrize("format", list(FORMATS))
def test_ways_in_and_out_cross_no_words(format: str) -> None:
    setting = make_diagram(WAYS)
    drawn = diagram(setting, FORMATS[format])

    assert check_texts(drawn, format) == []
    (inside,) = (t for t in drawn.texts if t.label == "Ethernet")
    (outside,) = (t for t in drawn.texts if t.label == "way out")
    assert inside.y < outside.y
    for text in drawn.texts:
        if text.label in ("Ethernet", "way in", "way out"):
            left, right, low, high = (edge / POINT for edge in text.box)
            for path in paths(drawn):
                for (x, y), (to, end) in pairwise(path):
                    upright = x == to and left < x < right
                    assert not (upright and min(y, end) < low and high < max(y, end))
    assert "gateway, by IPIC region" in drawn.words.alt
    gateway, joined = (
        next(text.x for text in drawn.texts if text.label == label)
        for label in ("gateway", "IPIC")
    )
    assert gateway < joined < gateway + 30, "it stands on the line between both"


def test_what_stands_outside_the_campaign_is_no_system_of_it() -> None:
    assert check_topology(make_diagram(WAYS)) == []
    systems = WAYS["systems"] | {"PCS": {"role": "client"}}
    (unknown,) = check_topology(make_diagram(WAYS | {"systems": systems}))
    assert "there is no system 'PCS'" in unknown.what
    systems = WAYS["systems"] | {"LPA": {"role": "server", "outside": True}}
    (known,) = check_topology(make_diagram(WAYS | {"systems": systems}))
    assert "has 'LPA' outside, which is a system" in known.what


@pytest.mark.parametrize("format", list(FORMATS))
def test_the_lines_of_a_path_have_its_number_in_a_ring(format: str) -> None:
    inside, outside = TWO["links"]
    links = [inside | {"path": 1}, outside | {"path": 2}]
    drawn = diagram(make_diagram(TWO | {"links": links}), FORMATS[format])

    rings = [
        tuple(float(ring.get(name, "")) for name in ("cx", "cy"))
        for ring in drawn.root.iter("{http://www.w3.org/2000/svg}circle")
    ]
    assert {"1", "2"} <= set(drawn.labels)
    for x, y in rings:
        assert not any(
            left < x < right
            for line in paths(drawn)
            for (left, level), (right, _) in pairwise(line)
            if level == y
        )
    assert len(rings) == 2
    assert check_texts(drawn, format) == []
    assert "joined by path 1: HiperSockets, MTU 8 kB" in drawn.words.alt
