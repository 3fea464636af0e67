"""The number on an axis of x: what workloads differ in, and which steps are named."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from analysis.declared.workload import format_size, parse_workload
from analysis.figures.page import PageFormat, text_width

_WIDE = 12.0  # highest to lowest, beyond which an axis is logarithmic


def x_of(workloads: Sequence[str]) -> tuple[str, dict[str, float], dict[float, str]]:
    """The number that workloads differ in: its title, its values, and their labels.

    It is the number of clients where that differs, otherwise the payload.
    """
    works = {name: parse_workload(name) for name in workloads}
    if len({work.clients for work in works.values()}) > 1:
        values = {name: float(work.clients) for name, work in works.items()}
        return "clients", values, {x: f"{x:,.0f}" for x in values.values()}
    values = {
        name: float(max(work.request_bytes, work.response_bytes))
        for name, work in works.items()
    }
    labels = {x: _spaced(format_size(int(x))) for x in values.values()}
    return "payload of a transaction", values, labels


def with_room(
    steps: dict[float, str], log: bool, room: float, format: PageFormat
) -> list[float]:
    """The steps whose labels do not run into each other, the last one among them."""
    ends = [scaled(x, log) for x in (min(steps), max(steps))]
    kept: list[float] = []
    for x in sorted(steps, reverse=True):
        at = (scaled(x, log) - ends[0]) / (ends[1] - ends[0] or 1.0) * room
        need = text_width(steps[x], format.small) + 2.0
        if all(abs(at - other) >= need for _, other in _places(kept, ends, log, room)):
            kept.append(x)
    return sorted(kept)


def _places(
    kept: Sequence[float], ends: Sequence[float], log: bool, room: float
) -> list[tuple[float, float]]:
    """Steps with their places on an axis ``room`` mm long."""
    span = ends[1] - ends[0] or 1.0
    return [(x, (scaled(x, log) - ends[0]) / span * room) for x in kept]


def is_wide(values: pl.Series) -> bool:
    """Whether values are so unlike that their axis is logarithmic."""
    low, high = values.min(), values.max()
    return bool(low > 0 and high > _WIDE * low)  # type: ignore[operator]


def scaled(value: float, log: bool) -> float:
    """A value as it lies on a linear or logarithmic axis."""
    return float(np.log10(value)) if log else float(value)


def _spaced(size: str) -> str:
    digits = size.rstrip("BkMG")
    return f"{digits} {size[len(digits) :]}"
