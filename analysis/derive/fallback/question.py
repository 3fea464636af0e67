"""Questions to the ladder, and what one rung answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis.declared.campaign import ModelSetup
from analysis.declared.workload import Workload
from analysis.derive.fallback.knowledge import Knowledge, Known
from analysis.facts.estimate import RUNGS, Rung
from analysis.facts.remark import Refused, refusal
from models.prediction import Prediction
from models.queueing import Setup

# How fast a workload of each shape flows.
FLOWS = {
    "RR": ("latency", "rate"),
    "CRR": ("latency", "rate"),
    "STR": ("throughput",),
    "ECI": ("rate",),
    "TN": ("rate",),
}
_EACH = 3  # loads that are named one by one
REACH = 1.6448536269514722  # of the 5% and 95% points, in standard deviations


@dataclass(frozen=True)
class Question:
    """One quantity of one arm; ``setup`` is as declared, or changed for a what-if."""

    configuration: str
    workload: Workload
    metric: str
    role: str | None = None
    setup: ModelSetup | None = None

    @property
    def needed_setup(self) -> ModelSetup:
        """The setup; :class:`Refused` where none is declared."""
        if self.setup is None:
            raise refuse("no_setup", configuration=self.configuration)
        return self.setup


@dataclass(frozen=True)
class Answer:
    """What a rung predicts, from which inputs, and why in words.

    The rung is None where the quantity itself was taken from runs.
    ``left_out`` holds the errors [%] of the very points used, each predicted from the
    others; ``tested_by`` is the id of the back-test on published numbers that tells how
    far the model may be off, where it is of the same kind as the prediction.
    """

    rung: Rung | None
    prediction: Prediction
    reason: str
    inputs: tuple[Known, ...] = ()
    tested_by: str | None = None
    left_out: tuple[float, ...] = ()


def named_loads(works: Sequence[Workload]) -> str:
    """``RR1(1kB), RR5(1kB)``; ``ECI100(4kB) to ECI600(4kB)`` of many that differ in
    nothing but clients."""
    names = [work.name for work in works]
    alike = len({replace(work, clients=0) for work in works}) == 1
    if not alike or len(works) <= _EACH:
        return ", ".join(names)
    ends = (min(works, key=_clients), max(works, key=_clients))
    return " to ".join(end.name for end in ends)


def _clients(work: Workload) -> int:
    return work.clients


def refuse(kind: str, **values: Any) -> Refused:
    """Why a rung does not apply; the ladder goes on with the next one."""
    return Refused(refusal(kind, **values))


def changed(asked: Question, known: Knowledge) -> bool:
    """Whether a what-if asks for another setup than the declared one."""
    return asked.setup != known.setups.get(asked.configuration)


def needed(known: Knowledge, asked: Question, configuration: str) -> Known:
    """The quantity asked for as another arm was measured; else :class:`Refused`."""
    name = asked.workload.name
    found = known.measured(configuration, name, asked.metric, asked.role)
    if found is None:
        raise refuse("no_run", configuration=configuration, workload=name)
    return found


def model_setup(workload: Workload, setup: ModelSetup) -> Setup:
    """What a model is asked about: a declared setup with a workload."""
    handshake = setup.handshake or "plain"
    return Setup(workload, setup.interface, setup.cpc, setup.cps, setup.mtu, handshake)


def rank(answer: Answer | None) -> int:
    """How weak an answer is: its rung, counted from the strongest; −1 if measured."""
    return -1 if answer is None or answer.rung is None else RUNGS.index(answer.rung)


def transactions(work: Workload, flow: float) -> float:
    """Transactions a second of a rate [1/s], or of a stream's throughput [MB/s]."""
    return flow * 1e6 / payload(work) if work.shape == "STR" else flow


def payload(work: Workload) -> int:
    """Bytes of a transaction, both ways."""
    return work.request_bytes + work.response_bytes


def halves(prediction: Prediction) -> tuple[float, float]:
    """Logs of the middle over the 5% point, and of the 95% point over the middle."""
    return (
        math.log(prediction.value / prediction.low),
        math.log(prediction.high / prediction.value),
    )


def ends(value: float, *errors: tuple[float, float]) -> tuple[float, float]:
    """The 5% and 95% points of a value with independent errors, each as its halves."""
    below, above = (math.hypot(*each) for each in zip(*errors, strict=True))
    return value / math.exp(below), value * math.exp(above)
