"""Questions to the ladder, and what one rung answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.declared.campaign import ModelSetup
from analysis.declared.workload import Workload
from analysis.derive.fallback.knowledge import Knowledge, Known
from analysis.facts.fact import RUNGS, Rung
from analysis.facts.remark import Refused, refusal
from models.prediction import Prediction

_EACH = 3  # loads that are named one by one


@dataclass(frozen=True)
class Question:
    """One quantity of one arm; ``setup`` is as declared, or changed for a what-if."""

    configuration: str
    workload: Workload
    metric: str
    role: str | None = None
    setup: ModelSetup | None = None


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


def refuse(kind: str, words: str) -> Refused:
    """Why a rung does not apply; the ladder goes on with the next one."""
    return Refused(refusal(kind, words))


def needed(known: Knowledge, asked: Question, configuration: str) -> Known:
    """The quantity asked for as another arm was measured; else :class:`Refused`."""
    name = asked.workload.name
    measured = known.measured(configuration, name, asked.metric, asked.role)
    if measured is None:
        raise refuse("no_run", f"there is no run of {configuration} with {name}")
    return measured


def named_loads(works: Sequence[Workload]) -> str:
    """``RR1(1kB), RR5(1kB)``; ``ECI100(4kB) to ECI600(4kB)`` of many that differ in
    nothing but clients."""
    names = [work.name for work in works]
    alike = len({replace(work, clients=0) for work in works}) == 1
    if not alike or len(works) <= _EACH:
        return ", ".join(names)
    ordered = sorted(works, key=lambda work: work.clients)
    return f"{ordered[0].name} to {ordered[-1].name}"


def rank(answer: Answer | None) -> int:
    """How weak an answer is: its rung, counted from the strongest; −1 if measured."""
    return -1 if answer is None or answer.rung is None else RUNGS.index(answer.rung)


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
