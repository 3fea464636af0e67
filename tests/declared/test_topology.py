from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from analysis.declared.topology import Topology, details_in, filled

GOOD: dict[str, Any] = {
    "systems": {"LPA": {"role": "client"}, "LPB": {"role": "server"}},
    "machines": [{"label": "{CPC}", "systems": ["LPA", "LPB"]}],
    "adapters": {
        "one": {"label": "a", "ports": {"LPA": "OSH"}},
        "other": {"label": "b", "ports": {"LPB": "OSH"}},
        "both": {"label": "c", "ports": {"LPA": "OSH", "LPB": "NETH"}},
    },
    "links": [{"ends": ["one", "other"], "label": "{Interface}", "speed": "25GbE"}],
}


def test_ends_of_links_lead_to_systems() -> None:
    topology = Topology.model_validate(GOOD)

    assert topology.systems_of("one") == ("LPA",)
    assert topology.systems_of("LPB") == ("LPB",)
    assert topology.systems_of("both") == ("LPA", "LPB")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"machines": [{"label": "m", "systems": ["LPZ"]}]}, "no system 'LPZ'"),
        ({"adapters": {"x": {"label": "x", "ports": {"LPZ": "p"}}}}, "no system 'LPZ'"),
        ({"links": [{"ends": ["one", "gone"], "label": "x"}]}, "ends at 'gone'"),
        ({"links": [{"ends": ["one", "both"], "label": "x"}]}, "which joins them"),
        ({"links": [{"ends": ["one", "LPA"], "label": "x"}]}, "side by side"),
        ({"systems": {"LPA": {"role": "client"}}}, "at least 2"),
        (
            {"adapters": {"x": {"label": "x", "ports": dict.fromkeys("abc", "p")}}},
            "at most 2",
        ),
        ({"systems": {"LPA": {"role": "boss"}, "LPB": {"role": "server"}}}, "Input"),
    ],
)
def test_a_mistake_is_told(change: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        Topology.model_validate(GOOD | change)


def test_only_neighbours_are_joined() -> None:
    three = GOOD["systems"] | {"LPC": {"role": "target"}}
    links = [{"ends": ["LPA", "LPC"], "label": "x"}]

    with pytest.raises(ValidationError, match="side by side"):
        Topology.model_validate(GOOD | {"systems": three, "links": links})


def test_a_name_is_a_system_or_an_adapter() -> None:
    systems = {"one": {"role": "client"}, "LPB": {"role": "server"}}
    wrong = GOOD | {"systems": systems, "machines": []}
    wrong["adapters"] = {"one": {"label": "a", "ports": {"LPB": "OSH"}}}

    with pytest.raises(ValidationError, match="both a system and an adapter"):
        Topology.model_validate(wrong)


def test_details_are_put_into_labels_and_joined_where_they_differ() -> None:
    label = "{Interface}, MTU {MTU}"
    details = [{"Interface": "OSH", "MTU": 1500}, {"Interface": "OSH", "MTU": 9000}]

    assert details_in(label) == ["Interface", "MTU"]
    assert filled(label, details) == "OSH, MTU 1500 or 9000"
