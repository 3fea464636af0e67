"""Whose CPU time is known, and beside whom a run ran: from frames made by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from analysis.derive.cpu_time import (
    declared_systems,
    without_cpu,
)
from analysis.derive.gates import CPU, flag_beside, runs_beside

ROLE = {
    "id": "lab/r1", "campaign": "lab", "role": "client", "system": "cli",
    "machine": "box", "method": "cgroup", "workload": "RR1(1kB)",
    "start": 0.0, "stop": 10.0,
}  # fmt: skip


def roles(*rows: dict[str, Any]) -> pl.DataFrame:
    return pl.DataFrame([ROLE | row for row in rows])


def test_every_declared_system_is_a_row() -> None:
    def cpu_of(id: str) -> Any:
        kind = None if id == "a" else "service"
        own = {"counted": (id, "x"), "parts": {}}
        return SimpleNamespace(source=f"s{id}", class_kind=kind, **own)

    systems = {"a": SimpleNamespace(host=None), "b": SimpleNamespace(host="box")}
    campaigns: Any = {"lab": SimpleNamespace(systems=systems, cpu_of=cpu_of)}
    assert declared_systems(campaigns).rows() == [
        ("lab", "a", "a", "sa", None, ["a", "x"], "", None),
        ("lab", "b", "box", "sb", "service", ["b", "x"], "", None),
    ]


@pytest.mark.parametrize(
    ("other", "beside"),
    [
        ({"start": 8.9, "stop": 20.0}, True),
        ({"start": 9.0, "stop": 20.0}, False),  # a rounded second
        ({"start": -20.0, "stop": 1.1}, True),
        ({"start": -20.0, "stop": 1.0}, False),
        ({"start": 2.0, "stop": 8.0}, True),
        ({"machine": "other"}, False),
        ({"campaign": "later"}, False),
        ({"id": "lab/r1"}, False),
    ],
)
def test_runs_on_one_machine_at_a_time_are_beside_each_other(other, beside) -> None:
    second = {"id": "lab/r2", "workload": "STR1(1B/1MB)"} | other
    found = runs_beside(roles({}, second))
    assert found.rows() == (
        [
            ("lab/r1", "client", "cli", "box", "cgroup", ["STR1(1B/1MB)"], ["lab/r2"]),
            ("lab/r2", "client", "cli", "box", "cgroup", ["RR1(1kB)"], ["lab/r1"]),
        ]
        if beside
        else []
    )


@pytest.mark.parametrize(
    ("method", "counted", "kind", "system"),
    [
        ("cgroup", (), None, None),
        ("cgroup", [("lab/r1", "box")], "beside_ticks", None),
        ("cgroup", [("lab/r1", "other"), ("lab/r2", "box")], None, None),
        ("class", (), "beside_part", "cli"),
        ("address_space", (), "beside_part", "cli"),
        ("lpar_busy", (), "beside_whole", "cli"),
        ("procstat", [("lab/r1", "box")], "beside_whole", "cli"),
    ],
)
def test_what_ran_beside_a_run_is_said(method, counted, kind, system) -> None:
    frame = roles({"method": method}).with_columns(workloads=pl.lit(["b", "a"]))
    found = flag_beside(frame, counted)
    values = {"workloads": ("b", "a")} | ({"system": system} if system else {})
    told = [(f.id, f.kind, f.of, f.values, f.role) for f in found]
    assert told == ([("lab/r1", kind, CPU, values, "client")] if kind else [])


def test_roles_without_cpu_time_are_said() -> None:
    known = roles(
        {},
        {"id": "lab/r2"},
        {"role": "server", "system": "srv"},
        {"role": "sender", "system": "srv", "id": "lab/r2"},
        {"role": "server", "system": "other"},
    )
    cpu = roles({}).select("id", "role", "campaign", "system")
    campaigns: Any = {
        "lab": SimpleNamespace(
            cpu_of=lambda id: SimpleNamespace(described=f"RMF of {id}")
        )
    }
    apart = {("lab", "other"): "its intervals are of another day"}
    assert without_cpu(known, cpu, campaigns, apart) == (
        "run lab/r2: no CPU time of cli is known in it: no CPU cost of its client",
        "campaign lab: no CPU time of other is known in any run, from RMF of other: "
        "no CPU cost of its server; its intervals are of another day",
        "campaign lab: no CPU time of srv is known in any run, from RMF of srv: "
        "no CPU cost of its sender and server",
    )
    assert without_cpu(known.head(1), cpu, campaigns, {}) == ()
