"""Scales of x: changes in percent, ratios, and values from zero or logarithmic."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import plotnine as p9
from mizani.transforms import trans

from analysis.facts.units import MINUS

RATIO_FROM = 300.0  # percent; beyond it a linear axis would squash every loss
_FLOOR = -99.0  # percent; an axis of ratios cannot show −100%
_SPAN = 12.0  # highest to lowest, beyond which a linear axis squashes the lowest
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
# Ratios of test to baseline that print as round changes, from −99% to +9,900%
_RATIOS = (0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10, 20, 50, 100)
_RATIO_CHANGES = [
    (r - 1) * 100 for r in sorted(_RATIOS, key=lambda r: abs(math.log(r)))
]
_LONGEST = 11.0  # mm, the least gap of breaks that stand evenly
_LABEL = 5.0  # mm, half the length of the longest label of an axis, about
_NEARER = (1.0, 0.75, 0.5)  # of the gap, until an axis has two labels: one is no scale
_HALF = 5.5  # mm of room at both ends of an axis
Limits = tuple[float, float]


class ratio_trans(trans):  # type: ignore[no-untyped-call]
    """Changes in percent as ratios: halving and doubling are equally far from zero."""

    @staticmethod
    def transform(x: Any) -> Any:
        """The logarithm of the ratio."""
        return np.log1p(np.maximum(np.asarray(x, dtype=float), _FLOOR) / 100)

    @staticmethod
    def inverse(x: Any) -> Any:
        """The change in percent."""
        return np.expm1(np.asarray(x, dtype=float)) * 100


def is_ratio(changes: Sequence[float]) -> bool:
    """Whether changes are so unlike that their axis shows ratios."""
    return max(changes, default=0.0) > RATIO_FROM


def is_log(values: Sequence[float]) -> bool:
    """Whether positive values are so unlike that their axis is logarithmic."""
    known = [value for value in values if value > 0] or [1.0]
    return max(known) > _SPAN * min(known)


def scale_change(ratio: bool, room: float, gap: float = 15.0) -> p9.scale_x_continuous:
    """The scale of changes; ``room`` is its length and ``gap`` that of a step [mm]."""
    if ratio:
        breaks, labels = _ratio_breaks(room, gap), change_labels
        return _scale(p9.scale_x_continuous, breaks, labels, room, trans=ratio_trans())
    return _scale(p9.scale_x_continuous, _linear_breaks(room, gap), change_labels, room)


def scale_value(
    log: bool, room: float, gap: float = 15.0
) -> p9.scale_x_continuous | p9.scale_x_log10:
    """The scale of values, with a break about every ``gap`` mm."""
    if log:
        return _scale(p9.scale_x_log10, _log_breaks(room, gap), value_labels, room)
    return _scale(p9.scale_x_continuous, _linear_breaks(room, gap), value_labels, room)


def value_limits(values: Sequence[float], room: float) -> Limits:
    """From where to where a linear :func:`scale_value` goes that ``values`` are on."""
    low, high = min(values), max(values)
    beyond = (high - low or 1.0) * _HALF / room
    return low - beyond, high + beyond


def _scale(make: Any, breaks: Any, labels: Any, room: float, **more: Any) -> Any:
    """A scale with room at both ends, so that half a label does not stand out."""
    ends = (_HALF / room, 0)  # minor breaks plotnine cannot find beside a lone one
    return make(breaks=breaks, minor_breaks=None, labels=labels, expand=ends, **more)


def change_labels(breaks: Sequence[Any]) -> list[str]:
    """``−20%``, ``0`` or ``+2.5%``, with as many decimals as the steps have."""
    digits = _decimals(breaks)
    return [
        f"{b:+,.{digits}f}%".replace("-", MINUS) if round(b, 9) else "0" for b in breaks
    ]


def value_labels(breaks: Sequence[Any]) -> list[str]:
    """``1,800`` or ``0.5``."""
    return [f"{b:,.10g}".replace("-", MINUS) for b in breaks]


def linear_breaks(limits: Limits, count: float) -> list[float]:
    """Round values between limits, about ``count`` of them."""
    low, high = sorted(limits)
    least = (high - low) / max(count, 1.0) or 1.0
    scale = 10 ** math.floor(math.log10(least))
    step = next(s * scale for s in _STEPS if s * scale >= least * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(i * step, 10) for i in range(first, last + 1)]


def value_ends(values: Sequence[float], least: float = 0.0) -> Limits:
    """From where to where a linear axis of values goes.

    It begins at zero where the lowest value is less than two thirds of the highest: a
    large difference then shows in its true proportion. It covers at least the share
    ``least`` of the middle, so that a small scatter is not drawn as a large one.
    """
    low, high = min(values), max(values)
    if 0 <= low < high * 2 / 3:
        return 0.0, high * 1.03
    middle = (low + high) / 2
    half = max((high - low) * 0.56, abs(middle) * max(least, 0.02) / 2) or 1.0
    return middle - half, middle + half


def change_scale(ratio: bool) -> p9.scale_x_continuous:
    """The scale of changes that goes no further than they do, without labels."""
    trans: dict[str, Any] = {"trans": ratio_trans()} if ratio else {}
    none: dict[str, Any] = {"breaks": [], "minor_breaks": None, "expand": (0, 0)}
    return p9.scale_x_continuous(**none, **trans)


def change_breaks(
    ratio: bool, ends: Limits, room: float, gap: float = 15.0
) -> list[float]:
    """Changes to label on an axis of ``room`` mm, with place beyond its ends for half
    a label."""
    if ratio:
        return _apart(_RATIO_CHANGES, ends, _ratio_place, room, gap, beyond=True)
    return linear_breaks(ends, room / max(gap, _LONGEST))


def _linear_breaks(room: float, gap: float) -> Callable[[Limits], list[float]]:
    def breaks(limits: Limits) -> list[float]:
        low, high = _inner(*limits, room)
        for share in _NEARER:
            values = linear_breaks(limits, room / (gap * share))
            kept = [value for value in values if low <= value <= high]
            if len(kept) > 1:
                break
        return kept

    return breaks


def _ratio_place(change: float) -> float:
    return float(ratio_trans.transform(change))


def _ratio_breaks(room: float, gap: float) -> Callable[[Limits], list[float]]:
    return lambda limits: _apart(_RATIO_CHANGES, limits, _ratio_place, room, gap)


def _log_breaks(room: float, gap: float) -> Callable[[Limits], list[float]]:
    def breaks(limits: Limits) -> list[float]:
        low, high = map(math.log10, limits)
        powers = range(math.floor(low), math.ceil(high) + 1)
        values = [digit * 10.0**power for digit in (1, 5, 2) for power in powers]
        return _apart(values, limits, math.log10, room, gap)

    return breaks


def _apart(
    values: Sequence[float],
    limits: Limits,
    place: Callable[[float], float],
    room: float,
    gap: float,
    beyond: bool = False,
) -> list[float]:
    """Values within limits, the first ones first, none nearer than 0.8 of ``gap``;
    their labels may reach ``beyond``."""
    first, last = map(place, limits)
    low, high = (first, last) if beyond else _inner(first, last, room)
    least = (last - first) / room * gap * 0.8
    kept: list[float] = []
    for value in values:
        inside = low <= place(value) <= high
        if inside and all(abs(place(value) - place(k)) >= least for k in kept):
            kept.append(value)
    return sorted(kept)


def _inner(low: float, high: float, room: float) -> Limits:
    """Where a label can stand whole on an axis that has room at both its ends."""
    end = (high - low) * _LABEL / (room + 2 * _HALF)
    return low + end, high - end


def _decimals(breaks: Sequence[float]) -> int:
    """How many decimals breaks need: none for 20, one for 2.5, two for 0.25."""
    return next(
        d for d in range(12) if all(abs(b - round(b, d)) < 1e-6 for b in breaks)
    )
