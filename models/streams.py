"""Interpolation of streams: straight lines in logarithms between measured points."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.declared.workload import Workload
from analysis.errors import user_error
from models.prediction import UNITS, Input, Prediction, measured_spans, outside
from models.spread import lognormal_points
from models.streaming import bulk

# Log deviation between two measured points, about which nothing is known.
_BETWEEN = 0.05


@dataclass(frozen=True)
class StreamAnchor:
    """One measured STR point: throughput [MB/s], CPU cost [µs/tran] of both sides."""

    workload: Workload
    throughput: float
    sender: float
    receiver: float


@dataclass(frozen=True)
class StreamInterpolationQuestion:
    """One quantity of another number of streams or another payload."""

    workload: Workload
    metric: Literal["throughput", "cpu_cost"]
    role: Literal["sender", "receiver"] | None = None


@dataclass(frozen=True)
class StreamInterpolation:
    """Measured points of one configuration; ``sigma`` is their log deviation.

    Valid between the measured clients and payloads of streams in the same direction.
    """

    anchors: tuple[StreamAnchor, ...]
    sigma: float = 0.015
    name: str = "stream interpolation"
    version: str = "1"

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The measured spans of clients and payload."""
        clients = [a.workload.clients for a in self.anchors]
        return measured_spans(clients, [bulk(a.workload) for a in self.anchors])

    def predict(self, question: StreamInterpolationQuestion) -> Prediction:
        """The quantity; exact at a measured point but for the error of measuring."""
        work = question.workload
        given = {"clients": work.clients, "payload": bulk(work)}
        marks = outside(self.inputs, given)
        self._check(question)
        value = math.exp(self._log(question))
        measured = any(_place(a.workload) == _place(work) for a in self.anchors)
        sigma = math.hypot(self.sigma, 0.0 if measured else _BETWEEN)
        low, middle, high = lognormal_points(value, sigma)
        unit = UNITS[question.metric]
        return Prediction(
            middle, low, high, unit, self.name, self.version, "measured", marks
        )

    def _log(self, question: StreamInterpolationQuestion) -> float:
        groups: dict[int, list[tuple[float, float]]] = defaultdict(list)
        for anchor in self.anchors:
            value = getattr(anchor, question.role or question.metric)
            point = math.log(anchor.workload.clients), math.log(value)
            groups[bulk(anchor.workload)].append(point)
        sizes = sorted(groups)
        lines = [np.array(sorted(groups[size])).T for size in sizes]
        clients = math.log(question.workload.clients)
        logs = [float(np.interp(clients, line[0], line[1])) for line in lines]
        return float(np.interp(math.log(bulk(question.workload)), np.log(sizes), logs))

    def _check(self, question: StreamInterpolationQuestion) -> None:
        work = question.workload
        if (question.metric == "cpu_cost") != (question.role is not None):
            raise user_error(
                f"{question.metric} of role {question.role} does not exist",
                mend="cpu_cost has the role sender or receiver, throughput none",
            )
        kinds = {(a.workload.shape, _away(a.workload)) for a in self.anchors}
        if kinds != {("STR", _away(work))} or work.shape != "STR":
            raise user_error(
                f"{work.name} cannot be interpolated from these streams",
                mend="use streams in the same direction",
            )


def _away(work: Workload) -> bool:
    """Whether the client is the sender."""
    return work.request_bytes >= work.response_bytes


def _place(work: Workload) -> tuple[int, int]:
    return work.clients, bulk(work)
