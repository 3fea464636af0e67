"""What speaks against an interval, from rows made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from analysis.derive.gates import CPU, _boosts, _capacities, _capture, _online
from analysis.ingest.capture import CAPTURE


def row(run: str = "r1", **changes: Any) -> dict[str, Any]:
    known = {
        "id": run, "campaign": "lab", "configuration": "A", "role": "server",
        "system": "srv", "cpu_type": "CP", "online_cpus": 4.0, "capture_pct": None,
        "boost": None, "boost_class": None,
        "capacity_adjustment": None, "capacity_change": None,
    }  # fmt: skip
    return known | changes


def seen(flags: Any) -> list[tuple]:
    return [(f.id, f.kind, dict(f.values), f.value, f.role) for f in flags]


def test_boosts_of_a_run_are_named_once_in_order():
    rows = [row(boost="zIIP boost"), row(boost_class="Speed Boost"),
            row(boost="zIIP boost"), row("r2")]  # fmt: skip
    values = {"boosts": ("Speed Boost", "zIIP boost")}
    assert seen(_boosts(rows)) == [("r1", "boost", values, None, "server")]
    assert all(flag.of == CPU for flag in _boosts(rows))


def test_a_changed_capacity_flags_every_run_of_its_system():
    rows = [row(), row("r2", capacity_adjustment=70), row("r3", system="other")]
    values = {"states": ("capacity adjustment 70", "full capacity")}
    assert seen(_capacities(rows)) == [
        ("r1", "capacity", values, None, "server"),
        ("r2", "capacity", values, None, "server"),
    ]
    changed = {"capacity_change": "POWER"}
    assert seen(_capacities([row(**changed), row(**changed)])) == []
    states = {"states": ("capacity change reason POWER", "full capacity")}
    assert [flag[2] for flag in seen(_capacities([row(), row(**changed)]))] == [states]
    elsewhere = [row(), row("r2", campaign="other", **changed)]
    assert seen(_capacities(elsewhere)) == []


@pytest.mark.parametrize(
    ("cps", "flagged"), [(4.0, False), (4.009, False), (4.02, True), (3.0, True)]
)
def test_runs_of_one_configuration_have_the_same_cps(cps, flagged):
    found = seen(_online([row(), row("r2", online_cpus=cps)]))
    values = {"fewest": min(4.0, cps), "most": max(4.0, cps)}
    wanted = [(run, "online", values, None, "server") for run in ("r1", "r2")]
    assert found == (wanted if flagged else [])


@pytest.mark.parametrize(
    "other",
    [{"configuration": "B"}, {"system": "x"}, {"campaign": "x"}, {"cpu_type": "zIIP"},
     {"online_cpus": None}, {"online_cpus": 0.0}],
)  # fmt: skip
def test_other_configurations_systems_and_types_are_not_compared(other):
    assert seen(_online([row(), row("r2", **({"online_cpus": 2.0} | other))])) == []


def test_the_capture_ratio_farthest_out_is_told():
    low, high = CAPTURE
    for ratio in (low, high, (low + high) / 2):
        assert seen(_capture([row(capture_pct=ratio)])) == []
    values = {"least": low, "most": high}
    for near, far in ((low - 1, low - 2), (high + 1, high + 2), (low - 1, high + 2)):
        rows = [row(capture_pct=near), row(capture_pct=far), row(capture_pct=None)]
        assert seen(_capture(rows)) == [("r1", "capture", values, far, "server")]
