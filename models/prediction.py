"""What every model has in common: a question goes in, a value with its range comes out.

A model has a ``name``, a ``version`` that changes whenever equal questions may get
other answers, and ``predict``.

A prediction is the middle of its distribution (50%) with the 5% and 95% points, so a
range covers 90%. What a model cannot answer within the errors that were seen is a
:class:`~analysis.errors.UserError` that says what to measure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from scipy.special import ndtri, stdtrit

FOLDER = Path(__file__).resolve().parent / "params"
REACH = 1.6448536269514722  # of the 5% and 95% points, in standard deviations
# Units of what models predict: those of the metrics of the same names.
UNITS = {
    "rate": "1/s",
    "latency": "µs",
    "throughput": "MB/s",
    "cpu_cost": "µs/tran",
    "cpu_cost_per_mb": "µs/MB",
    "utilisation": "%",
    "storage": "MB",
}
Basis = Literal["measured", "published", "calibrated", "assumed"]
BASES: tuple[Basis, ...] = ("measured", "published", "calibrated", "assumed")


@dataclass(frozen=True)
class Prediction:
    """A predicted value in ``unit`` with its 5% and 95% points.

    ``basis`` is the weakest basis among the parameters that it rests on. ``notes`` hold
    what a reader must know, such as a known bias.
    """

    value: float
    low: float
    high: float
    unit: str
    model: str
    version: str
    basis: Basis
    notes: tuple[str, ...] = ()


def weakest_basis(bases: Iterable[Basis]) -> Basis:
    """The weakest basis: measured > published > calibrated > assumed."""
    return max(bases, key=BASES.index, default="measured")


def lognormal_points(middle: float, sigma: float) -> tuple[float, float, float]:
    """The 5%, 50% and 95% points of a lognormal with median and log deviation."""
    reach = float(np.exp(ndtri(0.95) * sigma))
    return middle / reach, middle, middle * reach


def spread_of(errors: Sequence[float]) -> float:
    """The log deviation whose 90% range holds a further error like these, in logs.

    Their root mean square, as a bias is an error too, times what Student's t reaches
    beyond the normal distribution for so few.
    """
    few = float(stdtrit(len(errors), 0.95) / ndtri(0.95))
    return few * float(np.sqrt(np.mean(np.square(errors))))
