"""Questions to the ladder, and what one rung answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from analysis.declared.campaign import ModelSetup
from analysis.declared.workload import Workload
from analysis.derive.fallback.knowledge import Known
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
class Accuracy:
    """The mean error [%] of ``n`` hidden numbers: loads left out of those that a
    prediction was made from, measured loads elsewhere, or published numbers."""

    error: float
    n: int
    kind: Literal["left out", "measured", "published"]


@dataclass(frozen=True)
class Answer:
    """What a rung predicts, from which inputs, and why in words.

    The rung is None where the quantity itself was taken from runs. ``tested`` tells how
    far predictions of this kind were off.
    """

    rung: Rung | None
    prediction: Prediction
    reason: str
    inputs: tuple[Known, ...] = ()
    tested: Accuracy | None = None


def refuse(kind: str, words: str) -> Refused:
    """Why a rung does not apply; the ladder goes on with the next one."""
    return Refused(refusal(kind, words))


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
