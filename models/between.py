"""A value measured on two machines, for a machine whose capacity is between."""

from __future__ import annotations

import math
from dataclasses import dataclass

from analysis.errors import user_error
from models.prediction import Input, Prediction

_REACH = 1.6448536269514722  # of the 5% and 95% points, in standard deviations


@dataclass(frozen=True)
class MachineValue:
    """A value on a machine: the capacity [MIPS] of its CPs, and the log deviation."""

    capacity: float
    value: float
    sigma: float = 0.0


@dataclass(frozen=True)
class MachineQuestion:
    """What a value measured on two machines is where the capacity is another one."""

    smaller: MachineValue
    larger: MachineValue
    capacity: float
    unit: str


@dataclass(frozen=True)
class MachineInterpolation:
    """A power law of the capacity through the values of two machines.

    The range reaches from one value to the other, and as far beyond as the noise of
    each: between two machines nothing is known but that it lies between.
    """

    name: str = "machine interpolation"
    version: str = "1"
    inputs: tuple[Input, ...] = ()

    def predict(self, question: MachineQuestion) -> Prediction:
        """The value between; a ``UserError`` where the capacity is not."""
        ends = (question.smaller, question.larger)
        if not ends[0].capacity < question.capacity < ends[1].capacity:
            raise user_error(
                f"a capacity of {question.capacity:g} is not between "
                f"{ends[0].capacity:g} and {ends[1].capacity:g}",
                mend="ask for a machine between the two",
            )
        reach = math.log(question.capacity / ends[0].capacity)
        share = reach / math.log(ends[1].capacity / ends[0].capacity)
        value = ends[0].value ** (1 - share) * ends[1].value ** share
        return Prediction(
            value,
            min(end.value * math.exp(-_REACH * end.sigma) for end in ends),
            max(end.value * math.exp(_REACH * end.sigma) for end in ends),
            question.unit,
            self.name,
            self.version,
            "measured",
        )
