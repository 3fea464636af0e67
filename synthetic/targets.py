"""What a campaign must show: its ``targets.csv``.

A row gives a baseline's rate [1/s] and CPU cost [µs/tran] of two roles, and the change
[%] of a test. Latency follows from the rate by Little's law.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from analysis.declared.workload import Workload, parse_workload


@dataclass(frozen=True)
class Arm:
    """One workload on one configuration: its rate [1/s] and CPU cost [µs] by role."""

    study: str
    configuration: str
    workload: Workload
    cps: int
    rate: float
    costs: dict[str, float]

    @property
    def key(self) -> str:
        """What tells the arm from all others."""
        return f"{self.study}/{self.configuration}/{self.workload.name}"


@dataclass(frozen=True)
class Target:
    """A baseline and the changes of its test in percent."""

    baseline: Arm
    test: Arm
    rate_delta: float
    latency_delta: float
    cost_deltas: dict[str, float]
    basis_rate: str
    basis_cpu: str


def read_targets(path: Path) -> list[Target]:
    """All rows of the file, in its order."""
    with path.open(encoding="utf-8", newline="") as file:
        return [_target(row) for row in csv.DictReader(file)]


def arms(targets: list[Target]) -> list[Arm]:
    """Every arm once, a baseline before the tests that name it."""
    found: dict[str, Arm] = {}
    for target in targets:
        for arm in (target.baseline, target.test):
            found.setdefault(arm.key, arm)
    return list(found.values())


def _target(row: dict[str, str]) -> Target:
    costs = {row[f"role_{side}"]: float(row[f"cpu_{side}"]) for side in "ab"}
    deltas = {row[f"role_{side}"]: float(row[f"cpu_{side}_delta"]) for side in "ab"}
    workload, cps = parse_workload(row["workload"]), int(row["cps"])
    rate, change = float(row["rate"]), float(row["rate_delta"])
    moved = {role: cost * (1 + deltas[role] / 100) for role, cost in costs.items()}
    study = row["study"]
    return Target(
        Arm(study, row["baseline"], workload, cps, rate, costs),
        Arm(study, row["test"], workload, cps, rate * (1 + change / 100), moved),
        change,
        float(row["latency_delta"]),
        deltas,
        row["basis_rate"],
        row["basis_cpu"],
    )
