"""A number as a source prints it, with its resolution, which arithmetic carries on.

The resolution is the step between two numbers that the source can tell apart: the
place of the last digit, a tick of its clock, the unit of its counter. A table has it in
the column ``<column>_resolution``, in the unit of the column; null where it is
negligible or not known.
"""

from __future__ import annotations

from math import hypot
from typing import Any


class Resolved(float):
    """A number with its ``resolution``; sums, products and quotients have one too, as
    independent errors have: that of a mean of many is less than that of each.

    Other numbers are exact, but for a whole one that is divided by a printed one: that
    is a count, known to one unit.
    """

    __slots__ = ("resolution",)
    resolution: float

    def __new__(cls, value: float, resolution: float = 0.0) -> Resolved:
        """``value``, known to the nearest ``resolution``."""
        number = super().__new__(cls, value)
        number.resolution = abs(resolution)
        return number

    def __add__(self, other: float) -> Resolved:
        return Resolved(float(self) + other, hypot(self.resolution, _step(other)))

    def __sub__(self, other: float) -> Resolved:
        return Resolved(float(self) - other, hypot(self.resolution, _step(other)))

    def __rsub__(self, other: float) -> Resolved:
        return Resolved(other - float(self), hypot(self.resolution, _step(other)))

    def __mul__(self, other: float) -> Resolved:
        step = hypot(other * self.resolution, float(self) * _step(other))
        return Resolved(float(self) * other, step)

    def __truediv__(self, other: float) -> Resolved:
        return _quotient(float(self), self.resolution, other)

    def __rtruediv__(self, other: float) -> Resolved:
        count = isinstance(other, int)
        return _quotient(other, 1.0 if count else _step(other), self)

    def __round__(self, digits: Any = None) -> Any:
        value = round(float(self), digits)
        return value if digits is None else Resolved(value, self.resolution)

    __radd__, __rmul__ = __add__, __mul__


def printed(text: str) -> Resolved:
    """The number in ``text``, known to its last digit; a ValueError for none."""
    digits, _, exponent = text.lower().partition("e")
    places = len(digits.partition(".")[2])
    return Resolved(float(text), 10.0 ** (int(exponent or 0) - places))


def _step(number: float) -> float:
    return number.resolution if isinstance(number, Resolved) else 0.0


def _quotient(number: float, step: float, by: float) -> Resolved:
    value = float(number) / float(by)
    return Resolved(value, hypot(step, value * _step(by)) / float(by))
