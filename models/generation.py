"""Generation transfer: a measured value moved to another CPC by CPU capacity."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import ndtri, stdtrit

from analysis.errors import user_error
from models.demand import calibrate_delay
from models.network import Station, solve
from models.parameters import FOLDER, read_generations, read_numbers
from models.prediction import Input, Prediction, outside
from models.spread import lognormal_points

Quantity = Literal["cpu_cost", "cpu_cost_per_mb", "latency", "rate", "throughput"]
BIAS = (
    "the capacity ratio alone predicted too small a gain in all nine published changes "
    "from z16 to z17, and a gain of 10% where two were published as none"
)


@dataclass(frozen=True)
class GenerationQuestion:
    """What a value measured on one CPC would be on another.

    ``anchor`` is the measured value and ``sigma`` its log deviation. ``cpu_share`` is
    the share of the time of one transaction that CPUs take: all of it for CPU cost.
    ``spread`` is the log deviation of the transfer; None for the declared one.
    """

    metric: Quantity
    anchor: float
    unit: str
    source: str
    target: str
    cps: float
    cpu_share: float = 1.0
    sigma: float = 0.0
    spread: float | None = None


@dataclass(frozen=True)
class GenerationTransfer:
    """CPU time scales with the inverse of capacity; the rest of the time stays.

    Inputs: an anchor, two CPCs, the number of CPs. The range has the spread with which
    the ratio met published changes, so it reaches from about −22 to +4% of CPU cost
    between z16 and z17.
    """

    name: str = "generation transfer"
    version: str = "2"
    inputs: tuple[Input, ...] = (Input("cps", "CPs", 1, 4),)

    def predict(self, question: GenerationQuestion) -> Prediction:
        """The value on the other CPC; a ``UserError`` for a CPC without capacity."""
        marks = outside(self.inputs, {"cps": question.cps})
        _check(question)
        factor = time_factor(
            question.source, question.target, question.cps, question.cpu_share
        )
        if question.metric in ("rate", "throughput"):
            factor = 1 / factor
        moved = question.source != question.target
        spread = _spread(question) if moved else 0.0
        low, middle, high = lognormal_points(
            question.anchor * factor, math.hypot(spread, question.sigma)
        )
        return Prediction(
            middle,
            low,
            high,
            question.unit,
            self.name,
            self.version,
            "published" if moved else "measured",
            marks,
            (BIAS,) if moved else (),
        )


def spread_of(errors: Sequence[float]) -> float:
    """The log deviation whose 90% range holds a further error like these, in logs.

    Their root mean square, as a bias is an error too, times what Student's t reaches
    beyond the normal distribution for so few.
    """
    few = float(stdtrit(len(errors), 0.95) / ndtri(0.95))
    return few * float(np.sqrt(np.mean(np.square(errors))))


def capacity(cpc: str, cps: float) -> float:
    """Capacity [MIPS] of some CPs of a CPC; power laws between the declared numbers."""
    known = read_generations()
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


def time_factor(source: str, target: str, cps: float, cpu_share: float) -> float:
    """Time of a transaction on the target over that on the source."""
    return 1 - cpu_share + cpu_share * cpu_factor(source, target, cps)


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


def _spread(question: GenerationQuestion) -> float:
    if question.spread is None:
        return read_numbers()["generation"].value
    return question.spread


def _check(question: GenerationQuestion) -> None:
    if not (math.isfinite(question.anchor) and question.anchor > 0):
        raise user_error(
            f"the anchor is {question.anchor:g}; a transfer needs a measured value",
            mend="measure the other generation first",
        )
    if not 0 <= question.cpu_share <= 1:
        raise user_error(
            f"cpu_share is {question.cpu_share:g}", mend="give a share from 0 to 1"
        )
