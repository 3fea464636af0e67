"""What the resolution of the sources leaves of a value, of a change and of its print.

A number that a source tells in steps lies up to half a step on either side. An interval
is widened by that after all that the runs and their order leave of it, and so is never
narrower than the resolution.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analysis.derive.order import Pair
from analysis.facts.fact import Fact
from analysis.facts.units import format_percent, format_value
from analysis.statistics.median_change import Change, percent

_A_DIGIT = 1.0  # points of percent from which a resolution takes one of a change's


def resolved_value(value: Fact, resolution: float | None) -> Fact:
    """The value with its resolution, in its interval and its print. The interval of
    what cannot be negative begins at zero, and is a step long at least. Equal runs
    whose resolution is not known have no interval."""
    printed = format_value(value.value, value.unit, resolution)
    value = replace(value, printed=printed, resolution=resolution)
    if value.low is None or value.high is None:
        return value
    if not resolution and value.low == value.high:
        return replace(value, low=None, high=None, confidence=0.0)
    half = (resolution or 0.0) / 2
    low, high = value.low - half, value.high + half
    if low < 0 <= value.low:
        low, high = 0.0, max(high, 2 * half)
    return replace(value, low=low, high=high)


def resolution_alone(pair: Pair) -> Change | None:
    """The change with the interval that the resolution of both sides alone leaves it;
    None where the baseline may be zero, so that there is no ratio."""
    sides = [(float(np.median(s.values)), (s.resolution or 0.0) / 2) for s in pair[:2]]
    (before, less), (after, more) = sides
    if before <= less:
        return None
    low = percent(max(after - more, 0.0), before + less)
    return Change(percent(after, before), low, percent(after + more, before - less))


def widen(change: Change, alone: Change) -> Change:
    """The change with the interval widened by that of the resolution alone; without
    one where nothing tells why all runs are equal."""
    if change.interval is None or alone.interval is None:
        return change
    low, high = (
        end + by - change.value
        for end, by in zip(change.interval, alone.interval, strict=True)
    )
    if low == high:
        return Change(change.value)
    return replace(change, low=max(low, -100.0), high=high)


def change_text(alone: Change) -> str:
    """A change in print, to the digit of what the resolution leaves open on either
    side; ``< 67%`` where the resolution alone hides it."""
    low, high = alone.interval or (0.0, 0.0)
    if low <= 0 <= high and high - low >= _A_DIGIT:
        return f"< {format_percent(max(-low, high)).lstrip('+')}"
    return format_percent(alone.value, (high - low) / 2)
