"""Axes: where a value lies on the sheet, and which ticks a reader needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from analysis.facts.units import MINUS, format_percent

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
# Ratios of test to baseline that print as round changes, from −99% to +9,900%
_RATIOS = (0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10, 20, 50, 100)
RATIO_FROM = 300.0  # percent; beyond it a linear axis would squash every loss
_SPAN = 12.0  # highest to lowest, beyond which a linear axis squashes the lowest
_FLOOR = -99.0  # percent; a ratio axis cannot show −100%


@dataclass(frozen=True)
class Axis:
    """A piece of the sheet from ``left`` to ``right`` (mm) that shows values."""

    left: float
    right: float
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    ratio: bool = False
    log: bool = False

    def at(self, value: float) -> float:
        """The place of a value in mm; beyond the ends is at the ends."""
        low, high, here = map(self._scaled, (self.low, self.high, value))
        share = (here - low) / (high - low)
        return self.left + min(max(share, 0.0), 1.0) * (self.right - self.left)

    def _scaled(self, value: float) -> float:
        if self.log:
            return math.log(max(value, self.low))
        return math.log1p(max(value, _FLOOR) / 100) if self.ratio else value


def value_axis(
    values: Iterable[float], span: tuple[float, float], gap: float, least: float = 0
) -> Axis:
    """A linear axis over values, with a tick about every ``gap`` mm.

    It begins at zero where the lowest value is less than two thirds of the highest:
    a large difference then shows in its true proportion. It covers at least the share
    ``least`` of the middle, so that a small scatter is not drawn as a large one.
    """
    known = list(values)
    low, high = min(known), max(known)
    if 0 < low < high * 2 / 3:
        return _linear(0.0, high * 1.03, span, gap, plain_tick)
    middle = (low + high) / 2
    half = max((high - low) * 0.56, abs(middle) * max(least, 0.02) / 2) or 1.0
    return _linear(middle - half, middle + half, span, gap, plain_tick)


def scale_axis(values: Iterable[float], span: tuple[float, float], gap: float) -> Axis:
    """An axis over values: from zero, or logarithmic where that would squash them."""
    known = [value for value in values if value > 0] or [1.0]
    low, high = min(known), max(known)
    if high <= _SPAN * low:
        return _linear(0.0, high * 1.05, span, gap, plain_tick)
    low, high = low / 1.12, high * 1.12
    bare = Axis(*span, low, high, (), log=True)
    kept: list[float] = []
    for tick in _log_ticks(low, high):
        if all(abs(bare.at(tick) - bare.at(other)) >= gap * 0.7 for other in kept):
            kept.append(tick)
    ticks = tuple((tick, format_tick(tick)) for tick in sorted(kept))
    return Axis(*span, low, high, ticks, log=True)


def format_tick(value: float) -> str:
    """``20``, ``1,000`` or ``0.5``."""
    return f"{value:,.10g}"


def ratio_axis(values: Iterable[float], span: tuple[float, float], gap: float) -> Axis:
    """An axis of changes in percent whose ticks are factors: ``×0.5``, ``×10``."""
    known = [0.0, *values]
    axis = _ratio(min(known), max(known), span, gap)
    ticks = tuple((c, f"×{1 + c / 100:.3g}") for c, _ in axis.ticks)
    return replace(axis, ticks=ticks)


def change_axis(values: Iterable[float], span: tuple[float, float], gap: float) -> Axis:
    """An axis of changes in percent that holds zero.

    Beyond +300% it shows ratios: halving and doubling are equally far from zero.
    """
    known = [0.0, *values]
    low, high = min(known), max(known)
    if high > RATIO_FROM:
        return _ratio(low, high, span, gap)
    room = max((high - low) * 0.05, 0.2)
    return _linear(low - room, high + room, span, gap, change_tick)


def plain_tick(value: float, step: float) -> str:
    """``1,800`` or ``0.5``: as many decimals as the step between ticks has."""
    return f"{value:,.{_decimals(step)}f}".replace("-", MINUS)


def change_tick(value: float, step: float) -> str:
    """``−20%``, ``0`` or ``+2.5%``."""
    if value == 0:
        return "0"
    return f"{value:+,.{_decimals(step)}f}%".replace("-", MINUS)


def _linear(
    low: float,
    high: float,
    span: tuple[float, float],
    gap: float,
    label: Callable[[float, float], str],
) -> Axis:
    step = _step((high - low) * gap / (span[1] - span[0]))
    first, last = math.ceil(low / step), math.floor(high / step)
    values = [round(i * step, 10) for i in range(first, last + 1)]
    ticks = tuple((v, label(v, step)) for v in values)
    return Axis(*span, low, high, ticks)


def _ratio(low: float, high: float, span: tuple[float, float], gap: float) -> Axis:
    low = max((1 + max(low, _FLOOR) / 100) * 0.9 - 1, _FLOOR / 100) * 100
    high = ((1 + high / 100) * 1.1 - 1) * 100
    bare = Axis(*span, low, high, (), ratio=True)
    kept = [0.0]
    for change in sorted(((r - 1) * 100 for r in _RATIOS), key=abs):
        apart = all(abs(bare.at(change) - bare.at(k)) >= gap * 0.8 for k in kept)
        if low <= change <= high and apart:
            kept.append(change)
    ticks = tuple((c, format_percent(c) if c else "0") for c in sorted(kept))
    return Axis(*span, low, high, ticks, ratio=True)


def _log_ticks(low: float, high: float) -> list[float]:
    """Round values within the ends: powers of ten first, then fives, then twos."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    found = [digit * 10.0**power for digit in (1, 5, 2) for power in powers]
    return [value for value in found if low <= value <= high]


def _step(least: float) -> float:
    scale = 10 ** math.floor(math.log10(least))
    return next(s * scale for s in _STEPS if s * scale >= least * 0.999)


def _decimals(step: float) -> int:
    """How many decimals a step needs: none for 20, one for 2.5, two for 0.25."""
    return next(d for d in range(12) if abs(step * 10**d - round(step * 10**d)) < 1e-6)
