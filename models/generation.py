"""A measured value moved to another CPC by CPU capacity."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from analysis.declared.base import Declared, read_declared
from analysis.errors import user_error
from models.prediction import FOLDER, Prediction, lognormal_points

IN_MEMORY = ("hipersockets", "smcd")  # interfaces whose data are copied by the CPUs
BIAS = (
    "no machine was measured: the range is that of published changes from z16 to z17; "
    "the capacity ratio predicted nine of them too small, and 10% where two were none"
)


class Parameter(Declared):
    """One number of a model: ``published`` in a document, fitted to published numbers
    (``calibrated``), or chosen (``assumed``)."""

    value: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    unit: str
    basis: Literal["published", "calibrated", "assumed"]
    source: Annotated[str, Field(min_length=1)]


class Capacities(Declared):
    """``capacity`` of each CPC by its number of CPs; the log deviation ``spread`` with
    which the ratio of two met published changes."""

    spread: Parameter
    capacity: dict[str, dict[Annotated[float, Field(gt=0)], Parameter]]


@dataclass(frozen=True)
class GenerationTransfer:
    """CPU time scales with the inverse of capacity, and with it all that takes CPU time
    alone: data that never leave memory, the interfaces of ``IN_MEMORY``.

    The range has the spread with which the ratio met published changes, so it reaches
    from about −22 to +4% of CPU cost between z16 and z17.
    """

    source: str
    target: str
    cps: float
    spread: float | None = None
    """The log deviation of the transfer; None for the declared one."""
    name: str = "generation transfer"
    version: str = "3"

    def predict(
        self, metric: str, anchor: float, unit: str, sigma: float = 0.0
    ) -> Prediction:
        """What the ``anchor``, measured on the source with log deviation ``sigma``, is
        on the target.

        A ``UserError`` for a CPC without capacity and a value that is none.
        """
        if not (math.isfinite(anchor) and anchor > 0):
            raise user_error(
                f"the anchor is {anchor:g}; a transfer needs a measured value",
                mend="measure the other generation first",
            )
        factor = capacity(self.source, self.cps) / capacity(self.target, self.cps)
        if metric in ("rate", "throughput"):
            factor = 1 / factor
        elif metric == "utilisation":
            raise user_error(
                "nothing published tells how the utilisation of CPs changes",
                mend="measure it there",
            )
        declared = read_capacities().spread.value
        spread = declared if self.spread is None else self.spread
        points = lognormal_points(anchor * factor, math.hypot(spread, sigma))
        low, value, high = points
        about = (unit, self.name, self.version)
        return Prediction(value, low, high, *about, "published", (BIAS,))


@lru_cache(maxsize=4)
def read_capacities(path: Path = FOLDER / "generations.yaml") -> Capacities:
    """The capacities of all CPCs."""
    return read_declared(path, Capacities)


def capacity(cpc: str, cps: float) -> float:
    """Capacity [MIPS] of some CPs of a CPC; power laws between the declared numbers."""
    known = read_capacities().capacity
    if cpc not in known:
        raise user_error(
            f"no capacity of a {cpc!r} is known",
            FOLDER / "generations.yaml",
            mend=f"use one of {', '.join(known)}, or add its capacity",
        )
    rows = sorted((n, p.value) for n, p in known[cpc].items())
    if not rows[0][0] <= cps <= rows[-1][0]:
        raise user_error(
            f"no capacity of a {cpc} with {cps:g} CPs is known",
            FOLDER / "generations.yaml",
            mend=f"ask for {rows[0][0]:g} to {rows[-1][0]:g} CPs, or add it",
        )
    numbers, values = np.log([n for n, _ in rows]), np.log([v for _, v in rows])
    return float(np.exp(np.interp(math.log(cps), numbers, values)))
