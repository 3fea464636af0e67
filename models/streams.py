"""Interpolation of streams: straight lines in logarithms between measured points."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from analysis.declared.workload import Workload
from analysis.errors import user_error
from models.prediction import (
    UNITS,
    Input,
    Prediction,
    lognormal_points,
    measured_spans,
    outside,
)

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

    def predict(
        self, work: Workload, metric: str, role: str | None = None
    ) -> Prediction:
        """``throughput``, or ``cpu_cost`` of a role; exact at a measured point but for
        the error of measuring."""
        given = {"clients": work.clients, "payload": bulk(work)}
        marks = outside(self.inputs, given)
        self._check(work, metric, role)
        value = math.exp(self._log(work, role or metric))
        measured = any(_place(a.workload) == _place(work) for a in self.anchors)
        sigma = math.hypot(self.sigma, 0.0 if measured else _BETWEEN)
        low, middle, high = lognormal_points(value, sigma)
        unit = UNITS[metric]
        return Prediction(
            middle, low, high, unit, self.name, self.version, "measured", marks
        )

    def _log(self, work: Workload, name: str) -> float:
        groups: dict[int, list[tuple[float, float]]] = defaultdict(list)
        for anchor in self.anchors:
            value = getattr(anchor, name)
            point = math.log(anchor.workload.clients), math.log(value)
            groups[bulk(anchor.workload)].append(point)
        sizes = sorted(groups)
        lines = [np.array(sorted(groups[size])).T for size in sizes]
        clients = math.log(work.clients)
        logs = [float(np.interp(clients, line[0], line[1])) for line in lines]
        return float(np.interp(math.log(bulk(work)), np.log(sizes), logs))

    def _check(self, work: Workload, metric: str, role: str | None) -> None:
        if (metric == "cpu_cost") != (role is not None):
            raise user_error(
                f"{metric} of role {role} does not exist",
                mend="cpu_cost has the role sender or receiver, throughput none",
            )
        kinds = {(a.workload.shape, away(a.workload)) for a in self.anchors}
        if kinds != {("STR", away(work))} or work.shape != "STR":
            raise user_error(
                f"{work.name} cannot be interpolated from these streams",
                mend="use streams in the same direction",
            )


def bulk(work: Workload) -> int:
    """Bytes of a transaction in the direction that streams."""
    return max(work.request_bytes, work.response_bytes)


def away(work: Workload) -> bool:
    """Whether the client is the sender."""
    return work.request_bytes >= work.response_bytes


def _place(work: Workload) -> tuple[int, int]:
    return work.clients, bulk(work)
