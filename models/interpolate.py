"""Interpolation: measured RR or CRR points of one configuration to other loads.

Demands are refitted to the measured CPU costs, adapter time and delay to the measured
rates of all points, and the network is solved for the load asked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from analysis.declared.workload import Workload
from analysis.errors import user_error
from models.fitted import ROLES, Anchor, fit_network, payload
from models.prediction import UNITS, Input, Prediction, measured_spans, outside
from models.spread import lognormal_points, structural_sigma

# Log deviation where no point can be left out. It counts as one more error beside those
# of few points, which are small by luck as easily as by merit.
_UNTESTED = 0.05


@dataclass(frozen=True)
class InterpolationQuestion:
    """One quantity of another load, of other numbers of CPs if ``cps`` is given."""

    workload: Workload
    metric: Literal["rate", "latency", "cpu_cost", "utilisation"]
    role: Literal["client", "server"] | None = None
    cps: int | None = None


@dataclass(frozen=True)
class Interpolation:
    """A configuration's measured points; ``sigma`` is their log deviation.

    Valid between the measured clients and payloads. With one payload alone another one
    cannot be predicted; with one MTU alone another MTU cannot, so it is no input.
    """

    anchors: tuple[Anchor, ...]
    cps: int
    mtu: int | None = None
    sigma: float = 0.01
    name: str = "interpolation"
    version: str = "2"

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The measured spans of clients and payload, and up to 16 CPs."""
        clients = [a.workload.clients for a in self.anchors]
        sizes = [payload(a.workload) for a in self.anchors]
        return (*measured_spans(clients, sizes), Input("cps", "CPs", 1, 16))

    def predict(self, question: InterpolationQuestion) -> Prediction:
        """The quantity at the load asked for; its error is that of leaving one out."""
        work, cps = question.workload, question.cps or self.cps
        given = {"clients": work.clients, "payload": payload(work), "cps": cps}
        marks = outside(self.inputs, given)
        self._check(question)
        value, busiest = self._value(question, cps)
        errors = left_out(self, question.metric, question.role)
        error = math.sqrt(float(np.mean(np.square([_UNTESTED, *errors]))))
        structure = 0.0  # what a transaction costs does not hang on how busy it is
        if question.metric != "cpu_cost":
            structure = float(structural_sigma(np.array(busiest)))
        sigma = math.hypot(self.sigma, structure, error)
        low, middle, high = lognormal_points(value, sigma)
        if question.metric == "utilisation":
            high = min(high, 100.0)
        unit = UNITS[question.metric]
        return Prediction(
            middle, low, high, unit, self.name, self.version, "measured", marks
        )

    def _value(self, question: InterpolationQuestion, cps: int) -> tuple[float, float]:
        """The quantity, and the utilisation of the busiest station."""
        work = question.workload
        fitted = fit_network(self.anchors, self.cps, self.mtu)
        rate, busiest = fitted.rate(work, cps)
        if question.role is None:
            value = rate * 1e6 if question.metric == "rate" else work.clients / rate
            return value, busiest
        cost = fitted.cost(work, question.role)
        value = cost if question.metric == "cpu_cost" else 100 * rate * cost / cps
        return value, busiest

    def _check(self, question: InterpolationQuestion) -> None:
        shapes = {a.workload.shape for a in self.anchors}
        work = question.workload
        if shapes != {work.shape} or work.shape == "STR":
            raise user_error(
                f"{work.name} cannot be interpolated from {', '.join(sorted(shapes))}",
                mend="interpolate RR from RR and CRR from CRR",
            )
        if (question.metric in ("cpu_cost", "utilisation")) != (question.role in ROLES):
            raise user_error(
                f"{question.metric} of role {question.role} does not exist",
                mend="cpu_cost and utilisation have the role client or server",
            )


@lru_cache(maxsize=512)
def left_out(
    model: Interpolation, metric: str, role: Literal["client", "server"] | None
) -> tuple[float, ...]:
    """Log errors of the measured points, each predicted from the others; maybe none.

    A point is left out where the others still enclose its clients and its payload.
    Latency and utilisation err as the rate does.
    """
    errors = []
    for anchor in model.anchors:
        rest = tuple(a for a in model.anchors if a is not anchor)
        if not rest or not _encloses(rest, anchor.workload):
            continue
        other = Interpolation(rest, model.cps, model.mtu, model.sigma)
        if metric == "cpu_cost" and role is not None:
            asked = InterpolationQuestion(anchor.workload, "cpu_cost", role)
            measured = anchor.cost(role)
        else:
            asked = InterpolationQuestion(anchor.workload, "rate")
            measured = anchor.rate
        value, _ = other._value(asked, model.cps)
        errors.append(math.log(value / measured))
    return tuple(errors)


def _encloses(anchors: Sequence[Anchor], work: Workload) -> bool:
    clients = [a.workload.clients for a in anchors]
    sizes = [payload(a.workload) for a in anchors]
    return min(clients) <= work.clients <= max(clients) and min(sizes) <= payload(
        work
    ) <= max(sizes)
