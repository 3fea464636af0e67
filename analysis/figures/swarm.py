"""Dots that would hide one another, moved aside by rule and not by chance."""

from __future__ import annotations

from collections.abc import Sequence


def swarm(places: Sequence[float], apart: float) -> list[float]:
    """How far each dot moves up (negative) or down off its line, in the same unit.

    Dots are set from left to right, each as near to the line as leaves it ``apart``
    from those already set.
    """
    offsets = [0.0] * len(places)
    done: list[tuple[float, float]] = []
    for i in sorted(range(len(places)), key=lambda i: (places[i], i)):
        offsets[i] = _nearest_free(places[i], done, apart)
        done.append((places[i], offsets[i]))
    return offsets


def stack(places: Sequence[float], width: float) -> list[tuple[float, int]]:
    """Dots of a dot plot: where each column stands, and which place up a dot takes.

    A column holds the values within ``width`` of its lowest and stands at their mean,
    or farther right by less than ``width`` where it would run into the one before
    (L. Wilkinson, Dot Plots, The American Statistician 53(3), 1999, 276-281).
    """
    columns: list[list[float]] = []
    for place in sorted(places):
        if columns and place - columns[-1][0] < width:
            columns[-1].append(place)
        else:
            columns.append([place])
    dots: list[tuple[float, int]] = []
    for column in columns:
        mean = sum(column) / len(column)
        x = max(mean, dots[-1][0] + width) if dots else mean
        dots += [(x, level) for level in range(len(column))]
    return dots


def _nearest_free(x: float, done: list[tuple[float, float]], apart: float) -> float:
    near = [(a - x, b) for a, b in done if abs(a - x) < apart]
    touching = [
        b + side * (apart**2 - a**2) ** 0.5 for a, b in near for side in (1, -1)
    ]
    free = (
        offset
        for offset in sorted([0.0, *touching], key=lambda o: (abs(o), -o))
        if all(a**2 + (b - offset) ** 2 >= apart**2 * 0.999 for a, b in near)
    )
    return next(free)  # beyond the outermost dot there always is a place
