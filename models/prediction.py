"""What every model has in common: a question goes in, a value with its range comes out.

A model has a ``name``, a ``version`` that changes whenever equal questions may get
other answers, its numeric ``inputs`` with their valid ranges, and ``predict``.

A prediction is the middle of its distribution (50%) with the 5% and 95% points, so a
range covers 90%. A question outside a model's valid range is answered and marked, so
that whoever prints the answer can mark or refuse it; one that makes no sense at all is
a :class:`~analysis.errors.UserError`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from analysis.errors import Issue, raise_if, user_error

Floats = NDArray[np.float64]
REACH = 1.6448536269514722  # of the 5% and 95% points, in standard deviations
# Units of what models predict: those of the metrics of the same names.
UNITS = {
    "rate": "1/s",
    "latency": "µs",
    "throughput": "MB/s",
    "cpu_cost": "µs/tran",
    "cpu_cost_per_mb": "µs/MB",
    "utilisation": "%",
    "capacity": "clients",
    "storage": "MB",
}
Basis = Literal["measured", "published", "calibrated", "assumed"]
BASES: tuple[Basis, ...] = ("measured", "published", "calibrated", "assumed")


@dataclass(frozen=True)
class Input:
    """One input of a model and the range in which the model is valid."""

    name: str
    unit: str
    low: float
    high: float


@dataclass(frozen=True)
class Prediction:
    """A predicted value in ``unit`` with its 5% and 95% points.

    ``basis`` is the weakest basis among the parameters that it rests on. ``outside``
    says in words which inputs lie outside the model's valid range. ``notes`` hold what
    a reader must know, such as a known bias.
    """

    value: float
    low: float
    high: float
    unit: str
    model: str
    version: str
    basis: Basis
    outside: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def measured_spans(
    clients: Sequence[int], payloads: Sequence[float]
) -> tuple[Input, ...]:
    """The spans of clients and payload [bytes] between measured points.

    Where nothing was measured there is no span, which is a ``UserError``.
    """
    if not clients:
        raise user_error("nothing was measured", mend="use another rung")
    return (
        Input("clients", "", min(clients), max(clients)),
        Input("payload", "bytes", min(payloads), max(payloads)),
    )


def outside(inputs: Iterable[Input], values: Mapping[str, float]) -> tuple[str, ...]:
    """In words, the values that lie outside the valid range of their inputs.

    A value that is not a positive finite number is a ``UserError``.
    """
    checked = [(each, values[each.name]) for each in inputs]
    raise_if(
        [
            Issue(
                f"{each.name} is {value:g}; it must be a positive number",
                mend=f"give {each.name} from {_span(each)}",
            )
            for each, value in checked
            if not (math.isfinite(value) and value > 0)
        ]
    )
    return tuple(
        f"{each.name} {_beside(value, each)} is outside {_span(each)}"
        for each, value in checked
        if not each.low <= value <= each.high
    )


def weakest_basis(bases: Iterable[Basis]) -> Basis:
    """The weakest basis: measured > published > calibrated > assumed."""
    return max(bases, key=BASES.index, default="measured")


def lognormal_points(middle: float, sigma: float) -> tuple[float, float, float]:
    """The 5%, 50% and 95% points of a lognormal with median and log deviation."""
    reach = float(np.exp(ndtri(0.95) * sigma))
    return middle / reach, middle, middle * reach


def _span(each: Input) -> str:
    return f"{_rounded(each.low)} to {_rounded(each.high)} {each.unit}".rstrip()


def _beside(value: float, each: Input) -> str:
    """A value outside its range, in full where rounding would put it on the edge."""
    shown = _rounded(value)
    edges = (_rounded(each.low), _rounded(each.high))
    return f"{value:.9g}" if shown in edges else shown


def _rounded(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
