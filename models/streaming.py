"""Streaming: hard bounds of line, window and CPU, and a chain of windows between them.

Each connection has ``window`` units of 64 kB under way. They circulate through the
sender's CPU, the adapter or fabric, and the receiver's CPU; the line caps the result.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from analysis.declared.workload import Workload
from analysis.errors import user_error
from models.network import Station, solve, utilisation
from models.parameters import Interface, basis_of
from models.path import ETHERNET_BYTES, IP_TCP_BYTES, KB
from models.prediction import UNITS, Input, Prediction, outside
from models.queueing import Setup, capacity_factor, find_interface
from models.spread import Floats, normals, paired_normals, points, structural_sigma

UNIT = 64 * KB
MB = 1e6
_DRAWN = ("fixed_cpu", "send_cpu", "receive_cpu", "fabric", "latency_1kb")


@dataclass(frozen=True)
class StreamingQuestion:
    """One quantity of a stream; ``role`` for CPU cost alone."""

    setup: Setup
    metric: Literal["throughput", "cpu_cost", "latency"]
    role: Literal["sender", "receiver"] | None = None


@dataclass(frozen=True)
class StreamingModel:
    """Throughput of STR workloads with its bounds, time and CPU cost a transaction."""

    name: str = "streaming"
    version: str = "1"
    inputs: tuple[Input, ...] = (
        Input("clients", "", 1, 16),
        Input("cps", "CPs", 1, 4),
        Input("mtu", "bytes", 576, 9000),
        Input("payload", "bytes", 2**20, 64 * 2**20),
    )

    def predict(self, question: StreamingQuestion) -> Prediction:
        """The quantity of one setup."""
        sample = _pick(question, None)
        return self._prediction(sample, UNITS[question.metric], (question.setup,))

    def predict_change(self, base: StreamingQuestion, test: Setup) -> Prediction:
        """The change of a quantity from one setup to another, in percent."""
        other = StreamingQuestion(test, base.metric, base.role)
        sample = (_pick(other, 1) / _pick(base, 0) - 1) * 100
        return self._prediction(sample, "%", (base.setup, test))

    def _prediction(
        self, sample: Floats, unit: str, setups: tuple[Setup, ...]
    ) -> Prediction:
        low, middle, high = points(sample)
        marks, used = [], []
        for setup in setups:
            interface = _find(setup)
            marks += [m for m in self._outside(setup, interface) if m not in marks]
            used += [interface.parameters[name] for name in _DRAWN]
        basis = basis_of(used)
        return Prediction(
            middle, low, high, unit, self.name, self.version, basis, tuple(marks)
        )

    def _outside(self, setup: Setup, interface: Interface) -> tuple[str, ...]:
        given = {
            "clients": setup.workload.clients,
            "cps": setup.cps,
            "mtu": interface.mtu or 9000,
            "payload": bulk(setup.workload),
        }
        return outside(self.inputs, given)


def goodput(link: float, mtu: int) -> float:
    """Most payload [MB/s] over a line of ``link`` Gbit/s: headers taken off."""
    if not (math.isfinite(link) and link > 0 and mtu > IP_TCP_BYTES):
        raise user_error(
            f"a line of {link:g} Gbit/s with MTU {mtu} carries nothing",
            mend="give a line rate above 0 and an MTU from 576 bytes",
        )
    return link * 1e3 / 8 * (mtu - IP_TCP_BYTES) / (mtu + ETHERNET_BYTES)


def window_bound(window: float, round_trip: float) -> float:
    """Most payload [MB/s] of one connection: window [bytes] ÷ round trip [µs]."""
    if not (window > 0 and round_trip > 0):
        raise user_error(
            f"window {window:g} and round trip {round_trip:g} give no bound",
            mend="give both above 0",
        )
    return window / round_trip


def bulk(workload: Workload) -> int:
    """Bytes of a transaction in the direction that streams."""
    return max(workload.request_bytes, workload.response_bytes)


def _pick(question: StreamingQuestion, side: int | None) -> Floats:
    quantities = _quantities(question.setup, side)
    if (question.metric, question.role) not in quantities:
        raise user_error(
            f"{question.metric} of role {question.role} does not exist",
            mend="cpu_cost has the role sender or receiver, others none",
        )
    return quantities[question.metric, question.role]


@lru_cache(maxsize=512)
def _quantities(setup: Setup, side: int | None) -> dict[tuple[str, str | None], Floats]:
    """Draws of all quantities of a setup, alone or as one side (0, 1) of a change."""
    interface = _find(setup)
    width = len(_DRAWN) + 1
    z = normals(width) if side is None else paired_normals(width)[side]
    values = {}
    for column, name in enumerate(_DRAWN):
        parameter = interface.parameters[name]
        values[name] = parameter.value * np.exp(parameter.sigma * z[:, column])
    size, clients = bulk(setup.workload), setup.workload.clients
    factor = capacity_factor(setup)
    send, receive = values["send_cpu"] * factor, values["receive_cpu"] * factor
    fabric = values["fabric"] / (factor if interface.memory else 1.0)
    tokens = clients * max(1, round(interface.parameters["window"].value))
    cps = min(setup.cps, clients)
    stations = [
        Station(send * UNIT / MB, cps),
        Station(UNIT / (fabric * 1e3)),
        Station(receive * UNIT / MB, cps),
    ]
    chain = solve(tokens, 0.0, stations)
    busiest = np.max([utilisation(chain, s) for s in stations], axis=0)
    ceiling = chain / busiest * UNIT
    through = np.minimum(chain * UNIT * np.exp(_structure(busiest) * z[:, -1]), ceiling)
    if interface.link is not None:
        through = np.minimum(through, goodput(interface.link, interface.mtu or 9000))
    time = size * clients / through + values["latency_1kb"]
    fixed = values["fixed_cpu"] * factor
    return {
        ("throughput", None): size * clients / time,
        ("latency", None): time,
        ("cpu_cost", "sender"): fixed + send * size / MB,
        ("cpu_cost", "receiver"): fixed + receive * size / MB,
    }


def _structure(busiest: Floats) -> Floats:
    """A saturated chain is a bound and surer than a queue near its knee."""
    return np.where(busiest > 0.98, 0.02, structural_sigma(busiest))


def _find(setup: Setup) -> Interface:
    if setup.workload.shape != "STR":
        raise user_error(
            f"{setup.workload.name} is no stream; this model answers STR",
            mend="use the queueing model",
        )
    return find_interface(setup)
