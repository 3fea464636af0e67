"""Interactive work and a stream at once over one interface, by simulation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np

from analysis.declared.workload import Workload
from analysis.errors import user_error
from models.parameters import basis_of, find, read_interfaces
from models.prediction import UNITS, Input, Prediction, outside
from models.queueing import Setup, capacity_factor, central_path
from models.simulate import FlowKind, Visit, simulate
from models.spread import lognormal_points
from models.streaming import MB, UNIT

_CLIENT, _THERE, _SERVER, _BACK = range(4)
_ROUNDS, _SEEDS = 12_000, (1, 2, 3, 4)
# Log deviation that is left: no published absolute value tells how good this model is.
_SIGMA = 0.25
NOTE = "waiting behind a stream grows with its window, which is assumed"


@dataclass(frozen=True)
class MixedQuestion:
    """One quantity of RR clients beside streams that use the same adapter.

    ``window`` is how many units of 64 kB a stream has under way, that of the interface
    unless given. ``queues``: ``one`` puts all data in the order of arrival,
    ``separate`` serves interactive data first, as inbound workload queueing does.
    """

    setup: Setup
    stream: Workload
    metric: Literal["latency", "rate", "throughput"]
    queues: Literal["one", "separate"] = "one"
    window: int | None = None


@dataclass(frozen=True)
class MixedModel:
    """RR and STR at once. The order in a queue is what matters, so it is simulated."""

    name: str = "mixed simulation"
    version: str = "1"
    inputs: tuple[Input, ...] = (
        Input("clients", "", 1, 100),
        Input("streams", "", 1, 4),
        Input("cps", "CPs", 1, 4),
    )

    def predict(self, question: MixedQuestion) -> Prediction:
        """The quantity, over all seeds; its range is mostly that of the parameters."""
        setup = question.setup
        given = {
            "clients": setup.workload.clients,
            "streams": question.stream.clients,
            "cps": setup.cps,
        }
        marks = outside(self.inputs, given)
        rr, units = _rates(replace(question, metric="rate"))
        clients = setup.workload.clients
        values = {
            "rate": rr * 1e6,
            "latency": clients / rr,
            "throughput": units * UNIT,
        }
        sample = np.log(values[question.metric])
        sigma = float(np.hypot(_SIGMA, sample.std(ddof=1)))
        low, middle, high = lognormal_points(float(np.exp(sample.mean())), sigma)
        interface = find(setup.interface, read_interfaces())
        return Prediction(
            middle,
            low,
            high,
            UNITS[question.metric],
            self.name,
            self.version,
            basis_of(list(interface.parameters.values())),
            marks,
            (NOTE,),
        )


@lru_cache(maxsize=64)
def _rates(question: MixedQuestion) -> tuple[np.ndarray, np.ndarray]:
    """Rates [1/µs] of RR transactions and of stream units, one for each seed."""
    setup, stream = question.setup, question.stream
    if setup.workload.shape != "RR" or stream.shape != "STR":
        raise user_error(
            f"{setup.workload.name} with {stream.name} is no mix of RR and STR",
            mend="give an RR workload and an STR stream",
        )
    kinds = (_interactive(setup), _bulk(question))
    servers = (setup.cps, 1, setup.cps, 1)
    found = [simulate(kinds, servers, _ROUNDS, seed) for seed in _SEEDS]
    rr, units = np.array(found).T
    return rr, units


def _interactive(setup: Setup) -> FlowKind:
    path = central_path(setup)
    visits = (
        Visit(_CLIENT, float(path.client)),
        Visit(_THERE, float(path.there)),
        Visit(_SERVER, float(path.server)),
        Visit(_BACK, float(path.back)),
        Visit(None, float(path.delay)),
    )
    return FlowKind(setup.workload.clients, visits)


def _bulk(question: MixedQuestion) -> FlowKind:
    """Units of 64 kB under way from the sender's CPU to the receiver's."""
    setup, stream = question.setup, question.stream
    interface = find(setup.interface, read_interfaces())
    value = {name: p.value for name, p in interface.parameters.items()}
    factor = capacity_factor(setup)
    send, receive = (value[n] * factor * UNIT / MB for n in ("send_cpu", "receive_cpu"))
    away = stream.request_bytes >= stream.response_bytes
    sender, line, receiver = (
        (_CLIENT, _THERE, _SERVER) if away else (_SERVER, _BACK, _CLIENT)
    )
    visits = (
        Visit(sender, send),
        Visit(line, UNIT / (value["fabric"] * 1e3)),
        Visit(receiver, receive),
    )
    window = question.window or max(1, round(value["window"]))
    priority = int(question.queues == "separate")
    return FlowKind(stream.clients * window, visits, priority)
