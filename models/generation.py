"""A measured value moved to another CPC by CPU capacity, from one machine or two."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Field
from scipy.special import ndtri, stdtrit

from analysis.declared.base import Declared, read_declared
from analysis.errors import user_error
from models.network import Station, calibrate_delay, solve
from models.prediction import REACH, Input, Prediction, lognormal_points, outside

FOLDER = Path(__file__).resolve().parent / "params"
IN_MEMORY = ("hipersockets", "smcd")  # interfaces whose data are copied by the CPUs
BIAS = (
    "the capacity ratio alone predicted too small a gain in all nine published changes "
    "from z16 to z17, and a gain of 10% where two were published as none"
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
    """CPU time scales with the inverse of capacity; the rest of the time stays.

    The range has the spread with which the ratio met published changes, so it reaches
    from about −22 to +4% of CPU cost between z16 and z17.
    """

    source: str
    target: str
    cps: float
    spread: float | None = None
    """The log deviation of the transfer; None for the declared one."""
    name: str = "generation transfer"
    version: str = "2"
    inputs: tuple[Input, ...] = (Input("cps", "CPs", 1, 4),)

    def predict(
        self, metric: str, anchor: float, unit: str, share: float = 1.0,
        sigma: float = 0.0,
    ) -> Prediction:  # fmt: skip
        """What the ``anchor``, measured on the source with log deviation ``sigma``, is
        on the target; ``share`` of the time of a transaction is taken by CPUs.

        A ``UserError`` for a CPC without capacity and a value that is none.
        """
        marks = outside(self.inputs, {"cps": self.cps})
        if not (math.isfinite(anchor) and anchor > 0):
            raise user_error(
                f"the anchor is {anchor:g}; a transfer needs a measured value",
                mend="measure the other generation first",
            )
        if not 0 <= share <= 1:
            what = f"the share of the CPU is {share:g}"
            raise user_error(what, mend="give a share from 0 to 1")
        factor = 1 - share + share * cpu_factor(self.source, self.target, self.cps)
        if metric in ("rate", "throughput"):
            factor = 1 / factor
        moved = self.source != self.target
        declared = read_capacities().spread.value
        spread = declared if self.spread is None else self.spread
        low, middle, high = lognormal_points(
            anchor * factor, math.hypot(spread if moved else 0.0, sigma)
        )
        basis: Literal["published", "measured"] = "published" if moved else "measured"
        notes = (BIAS,) if moved else ()
        about = (unit, self.name, self.version, basis)
        return Prediction(middle, low, high, *about, marks, notes)


@dataclass(frozen=True)
class MachineValue:
    """A value on a machine: the capacity [MIPS] of its CPs, and the log deviation."""

    capacity: float
    value: float
    sigma: float = 0.0


@dataclass(frozen=True)
class MachineInterpolation:
    """A power law of the capacity through the values of two machines.

    The range reaches from one value to the other, and as far beyond as the noise of
    each: between two machines nothing is known but that it lies between.
    """

    smaller: MachineValue
    larger: MachineValue
    name: str = "machine interpolation"
    version: str = "1"
    inputs: tuple[Input, ...] = ()

    def predict(self, capacity: float, unit: str) -> Prediction:
        """The value at a capacity between; a ``UserError`` where it is not."""
        ends = (self.smaller, self.larger)
        if not ends[0].capacity < capacity < ends[1].capacity:
            raise user_error(
                f"a capacity of {capacity:g} is not between "
                f"{ends[0].capacity:g} and {ends[1].capacity:g}",
                mend="ask for a machine between the two",
            )
        reach = math.log(capacity / ends[0].capacity)
        share = reach / math.log(ends[1].capacity / ends[0].capacity)
        return Prediction(
            ends[0].value ** (1 - share) * ends[1].value ** share,
            min(end.value * math.exp(-REACH * end.sigma) for end in ends),
            max(end.value * math.exp(REACH * end.sigma) for end in ends),
            unit,
            self.name,
            self.version,
            "measured",
        )


def spread_of(errors: Sequence[float]) -> float:
    """The log deviation whose 90% range holds a further error like these, in logs.

    Their root mean square, as a bias is an error too, times what Student's t reaches
    beyond the normal distribution for so few.
    """
    few = float(stdtrit(len(errors), 0.95) / ndtri(0.95))
    return few * float(np.sqrt(np.mean(np.square(errors))))


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
    numbers, values = np.log([n for n, _ in rows]), np.log([v for _, v in rows])
    return float(np.exp(np.interp(math.log(cps), numbers, values)))


def cpu_factor(source: str, target: str, cps: float) -> float:
    """CPU time on the target over CPU time on the source, for equal work."""
    return capacity(source, cps) / capacity(target, cps)


def cpu_share(
    rate: float, clients: int, demands: Sequence[float], cps: int, factor: float
) -> float:
    """The share of a closed workload's latency that scales with its CPU time.

    ``demands`` [µs] are those of each side, ``factor`` multiplies them. A delay is
    fitted to the measured rate [1/s], and the network solved with the other demands:
    queueing is CPU time too.
    """
    stations = [Station(demand, cps) for demand in demands]
    delay = calibrate_delay(rate / 1e6, clients, stations)
    before = float(solve(clients, delay, stations))
    moved = [Station(demand * factor, cps) for demand in demands]
    after = float(solve(clients, delay, moved))
    if factor == 1:
        return 1.0
    share = (before / after - 1) / (factor - 1)
    return min(1.0, max(0.0, share))
