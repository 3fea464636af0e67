"""The number on an axis of x: what workloads differ in, and which steps are named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import polars as pl

from analysis.declared.workload import SHAPES, format_size, parse_workload
from analysis.figures.page import PageFormat, text_width

PAYLOAD = "payload of a transaction"
_WIDE = 12.0  # highest to lowest, beyond which an axis is logarithmic


def x_of(workloads: Sequence[str]) -> tuple[str, dict[str, float], dict[float, str]]:
    """The number that workloads differ in: its title, its values, and their labels.

    It is the number of clients where that differs, or of sessions, otherwise the
    payload.
    """
    works = {name: parse_workload(name) for name in workloads}
    if len({work.clients for work in works.values()}) > 1:
        values = {name: float(work.clients) for name, work in works.items()}
        words = {SHAPES[work.shape].client for work in works.values()}
        title = f"{words.pop() if len(words) == 1 else 'client'}s"
        return title, values, {x: f"{x:,.0f}" for x in values.values()}
    values = {
        name: float(max(work.request_bytes, work.response_bytes))
        for name, work in works.items()
    }
    labels = {x: _spaced(format_size(int(x))) for x in values.values()}
    return PAYLOAD, values, labels


def with_room(
    steps: dict[float, str], log: bool, room: float, format: PageFormat
) -> list[float]:
    """The steps whose labels do not run into each other, both ends among them.

    ``room`` is how far the last step lies from the first [mm].
    """
    first, *others = sorted(steps)
    low, high = (scaled(x, log) for x in (first, max(steps)))
    kept: dict[float, float] = {}
    for x in dict.fromkeys((*others[-1:], first, *reversed(others))):
        at = (scaled(x, log) - low) / (high - low or 1.0) * room
        half = text_width(steps[x], format.small) / 2
        if all(
            abs(at - place) >= half + text_width(steps[k], format.small) / 2 + 2.0
            for k, place in kept.items()
        ):
            kept[x] = at
    return sorted(kept)


def are_ratios(steps: Iterable[float]) -> bool:
    """Whether steps stand more evenly on a logarithmic axis than on a linear one."""
    known = np.array(sorted(steps))
    if len(known) < 2 or known[0] <= 0:
        return False
    linear, log = (np.diff(x).min() / np.ptp(x) for x in (known, np.log(known)))
    return bool(log > linear)


def scale_words(log_x: bool, log_y: bool) -> str:
    """Which axes of lines show ratios; nothing where none does."""
    if log_x and log_y:
        return "Equal steps on both axes are equal ratios."
    way = "to the right" * log_x + "upwards" * log_y
    return f"Equal steps {way} are equal ratios." if way else ""


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
