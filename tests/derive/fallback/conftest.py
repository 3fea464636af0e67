"""Small studies with an arm that nobody measured, of numbers that can be worked out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from analysis.declared.campaign import ModelSetup
from analysis.declared.published import read_published
from analysis.declared.study import Study
from analysis.declared.workload import parse_workload
from analysis.derive.fallback.knowledge import Knowledge
from analysis.derive.samples import Cell, Sample

ROWS = read_published()
HS_Z17 = ModelSetup(cpc="z17", interface="hipersockets", cps=4, mtu=8192)
HS_Z16 = HS_Z17.model_copy(update={"cpc": "z16"})
OSH = ModelSetup(cpc="z17", interface="osh", cps=4, mtu=1500)
OSD = OSH.model_copy(update={"interface": "osd"})
CPS = (4, 4)


def study(
    baseline: str = "A",
    tests: Sequence[str] = ("B",),
    **changes: object,
) -> Study:
    return Study(
        title="T",
        question="Q?",
        campaigns=("lab",),
        baseline=baseline,
        tests=tuple(tests),
        workloads=("*",),
        figures=(),
        **changes,
    )


def sample(value: float, origin: str = "measured") -> Sample:
    """Four runs around a value, which is their median."""
    values = value * np.array([0.99, 0.995, 1.005, 1.01])
    values *= value / np.median(values)
    runs = tuple(f"r{i}" for i in range(1, 5))
    return Sample(values, runs, ("sha",), (origin,), ())


def interactive(
    arm: str,
    name: str,
    rate: float,
    client: float,
    server: float,
    cps: tuple[int, int] = CPS,
    origin: str = "measured",
) -> dict[Cell, Sample]:
    """All samples of one RR or CRR point, which keep both identities."""
    latency = parse_workload(name).clients / rate * 1e6
    values: dict[tuple[str, str | None], float] = {
        ("rate", None): rate,
        ("latency", None): latency,
        ("cpu_cost", "client"): client,
        ("cpu_cost", "server"): server,
        ("utilisation", "client"): rate * client / cps[0] / 1e4,
        ("utilisation", "server"): rate * server / cps[1] / 1e4,
    }
    return {
        Cell(arm, name, metric, role): sample(value, origin)
        for (metric, role), value in values.items()
    }


def stream(
    arm: str, name: str, throughput: float, sender: float, receiver: float
) -> dict[Cell, Sample]:
    """All samples of one STR point over two systems with 4 CPs."""
    work = parse_workload(name)
    size = work.request_bytes + work.response_bytes
    found = {Cell(arm, name, "throughput", None): sample(throughput)}
    for role, cost in (("sender", sender), ("receiver", receiver)):
        busy = throughput * 1e6 / size * cost / 4 / 1e4
        found[Cell(arm, name, "cpu_cost", role)] = sample(cost)
        found[Cell(arm, name, "cpu_cost_per_mb", role)] = sample(cost * 1e6 / size)
        found[Cell(arm, name, "utilisation", role)] = sample(busy)
    return found


def modelled(arm: str, name: str, cps: tuple[int, int] = CPS) -> dict[Cell, Sample]:
    """Samples of a load on straight lines: a wait of 40 µs and 2 µs for each client,
    a CPU cost of 5 µs and 10 µs that all clients share."""
    clients = parse_workload(name).clients
    cost = 5 + 10 / clients
    return interactive(arm, name, clients / (40 + 2 * clients) * 1e6, cost, cost, cps)


def knowledge(asked: Study, *samples: dict[Cell, Sample], **fields) -> Knowledge:
    joined = {cell: value for part in samples for cell, value in part.items()}
    return Knowledge(asked, joined, **fields)


@pytest.fixture(scope="session")
def rows():
    """The published rows of the project."""
    return ROWS
