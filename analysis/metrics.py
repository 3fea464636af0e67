"""The declared metrics: ``data/metrics.yaml``."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import RootModel

from analysis.declared import Declared, read_declared

METRICS_FILE = Path("data/metrics.yaml")


class Metric(Declared):
    """One metric: how it is called, its unit, its better direction, its meaning."""

    label: str
    unit: str
    better: Literal["lower", "higher", "none"]
    roles: bool
    shapes: tuple[Literal["RR", "CRR", "STR"], ...]
    means: str


class _Metrics(RootModel[dict[str, Metric]]):
    pass


def read_metrics(path: Path = METRICS_FILE) -> dict[str, Metric]:
    """All metrics by id, in the order in which reports list them."""
    return read_declared(path, _Metrics).root
