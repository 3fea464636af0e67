"""Queueing model of RR and CRR: rate, latency, CPU cost and utilisation of a path."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from analysis.declared.workload import Workload
from analysis.errors import user_error
from models.generation import cpu_factor
from models.network import solve, utilisation
from models.parameters import (
    FOLDER,
    Handshake,
    Interface,
    Parameter,
    basis_of,
    find,
    read_handshakes,
    read_interfaces,
)
from models.path import Path, find_path
from models.prediction import UNITS, Input, Prediction, outside
from models.spread import Floats, normals, paired_normals, points, structural_sigma

REFERENCE_CPC, REFERENCE_CPS = "z17", 4
_RR = ("fixed_cpu", "packet_cpu", "byte_cpu", "adapter")
_LATENCIES = ("latency_1kb", "latency_4kb", "latency_32kb")
_SETUP = ("handshake_client", "handshake_server", "handshake_delay")


@dataclass(frozen=True)
class Setup:
    """What runs: a workload over an interface between two equal LPARs.

    ``interface`` and ``handshake`` are ids of the parameter files; a handshake is for
    CRR alone and ``plain`` unless given.
    """

    workload: Workload
    interface: str
    cpc: str = REFERENCE_CPC
    cps: int = REFERENCE_CPS
    mtu: int | None = None
    handshake: str = "plain"


@dataclass(frozen=True)
class QueueingQuestion:
    """One quantity of a setup; ``role`` for CPU cost and utilisation."""

    setup: Setup
    metric: Literal["rate", "latency", "cpu_cost", "utilisation"]
    role: Literal["client", "server"] | None = None


@dataclass(frozen=True)
class _Answer:
    quantities: dict[tuple[str, str | None], Floats]
    outside: tuple[str, ...]
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True)
class QueueingModel:
    """Clients that go round CPU → adapter → CPU → adapter → delay without a pause.

    Inputs: clients, CPs, MTU and mean payload; the parameters are drawn from lognormal
    distributions around their values. Two setups of one change share most of their
    draws, so that a change is tighter than its parts.
    """

    name: str = "queueing"
    version: str = "1"
    inputs: tuple[Input, ...] = (
        Input("clients", "", 1, 600),
        Input("cps", "CPs", 1, 4),
        Input("mtu", "bytes", 576, 9000),
        Input("payload", "bytes", 1, 32 * 1024),
    )

    def predict(self, question: QueueingQuestion) -> Prediction:
        """The quantity of one setup."""
        answer = _answer(self, question.setup, None)
        sample = _pick(answer, question)
        return self._prediction(sample, UNITS[question.metric], answer)

    def predict_change(self, base: QueueingQuestion, test: Setup) -> Prediction:
        """The change of a quantity from one setup to another, in percent."""
        first = _answer(self, base.setup, 0)
        second = _answer(self, test, 1)
        sample = (_pick(second, base) / _pick(first, base) - 1) * 100
        both = _Answer(
            {},
            (*first.outside, *(m for m in second.outside if m not in first.outside)),
            first.parameters + second.parameters,
        )
        return self._prediction(sample, "%", both)

    def _prediction(self, sample: Floats, unit: str, answer: _Answer) -> Prediction:
        low, middle, high = points(sample)
        basis = basis_of(list(answer.parameters))
        return Prediction(
            middle, low, high, unit, self.name, self.version, basis, answer.outside
        )


def central_path(setup: Setup) -> Path:
    """The path of a setup at the values of its parameters, without their spread."""
    interface, handshake = _find(setup)
    named = _named(interface, handshake)
    values = {name: np.array(p.value) for name, p in named.items()}
    factor = capacity_factor(setup)
    return find_path(setup.workload, interface, values, handshake, factor)


def _pick(answer: _Answer, question: QueueingQuestion) -> Floats:
    key = (question.metric, question.role)
    if key not in answer.quantities:
        raise user_error(
            f"{question.metric} of role {question.role} does not exist",
            mend="cpu_cost and utilisation have the role client or server, others none",
        )
    return answer.quantities[key]


@lru_cache(maxsize=512)
def _answer(model: QueueingModel, setup: Setup, side: int | None) -> _Answer:
    """Draws of all quantities of a setup, alone or as one side (0, 1) of a change."""
    interface, handshake = _find(setup)
    work = setup.workload
    given = {
        "clients": work.clients,
        "cps": setup.cps,
        "mtu": interface.mtu or 9000,
        "payload": (work.request_bytes + work.response_bytes) / 2,
    }
    marks = outside(model.inputs, given)
    named = _named(interface, handshake)
    width = len(_RR) + len(_LATENCIES) + len(_SETUP) + 1
    z = normals(width) if side is None else paired_normals(width)[side]
    values = {
        name: p.value * np.exp(p.sigma * _column(z, name)) for name, p in named.items()
    }
    path = find_path(work, interface, values, handshake, capacity_factor(setup))
    quantities = _solve(path, setup, z[:, -1])
    return _Answer(quantities, marks, tuple(named.values()))


def _solve(path: Path, setup: Setup, z: Floats) -> dict[tuple[str, str | None], Floats]:
    stations = path.stations(setup.cps)
    clients = setup.workload.clients
    rate = solve(clients, path.delay, stations)
    busiest = np.max([utilisation(rate, station) for station in stations], axis=0)
    ceiling = rate / busiest  # an error of the structure cannot exceed capacity
    rate = np.minimum(rate * np.exp(structural_sigma(busiest) * z), ceiling)
    client, _, server, _ = (100 * utilisation(rate, station) for station in stations)
    return {
        ("rate", None): rate * 1e6,
        ("latency", None): clients / rate,
        ("cpu_cost", "client"): path.client,
        ("cpu_cost", "server"): path.server,
        ("utilisation", "client"): client,
        ("utilisation", "server"): server,
    }


def _find(setup: Setup) -> tuple[Interface, Handshake | None]:
    interface = find_interface(setup)
    if setup.workload.shape != "CRR":
        return interface, None
    known = read_handshakes()
    if setup.handshake not in known:
        raise user_error(
            f"no handshake {setup.handshake!r} has parameters",
            FOLDER / "handshakes.yaml",
            mend=f"use one of {', '.join(known)}",
        )
    return interface, known[setup.handshake]


def _named(interface: Interface, handshake: Handshake | None) -> dict[str, Parameter]:
    named = {name: interface.parameters[name] for name in (*_RR, *_LATENCIES)}
    if handshake is not None:
        parts = (handshake.client, handshake.server, handshake.delay)
        named |= dict(zip(_SETUP, parts, strict=True))
    return named


def _column(z: Floats, name: str) -> Floats:
    """The draws of one parameter; the three latencies of an interface share theirs."""
    columns = (*_RR, "latency", *_SETUP)
    return z[:, columns.index("latency" if name in _LATENCIES else name)]


def find_interface(setup: Setup) -> Interface:
    """The interface of a setup with the setup's MTU, if it gives one."""
    interface = find(setup.interface, read_interfaces())
    if setup.mtu is None:
        return interface
    if interface.mtu is None:
        raise user_error(
            f"{setup.interface} has no MTU", mend="leave the MTU out of the setup"
        )
    return interface.model_copy(update={"mtu": setup.mtu})


def capacity_factor(setup: Setup) -> float:
    """CPU time on the CPC of a setup over that on the reference CPC."""
    return cpu_factor(REFERENCE_CPC, setup.cpc, REFERENCE_CPS)
