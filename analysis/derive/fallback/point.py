"""All quantities of one arm's workload, predicted so that they agree with each other.

Only the flow (latency, rate or throughput), CPU cost and utilisation of each role are
asked of the ladder. The rest follows: rate and latency by Little's law at the number of
clients, cost per MB by the payload.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from analysis.declared.campaign import ModelSetup
from analysis.declared.workload import Workload
from analysis.derive.fallback.interpolate import interpolate
from analysis.derive.fallback.knowledge import (
    FLOWS,
    Knowledge,
    payload,
)
from analysis.derive.fallback.question import Answer, Question
from analysis.derive.fallback.transfer import transfer
from analysis.errors import UserError
from analysis.facts.fact import Rung
from analysis.facts.remark import Refusal, Refused, Remark, refusal, remark
from models.prediction import UNITS, Prediction, lognormal_points

Quantity = tuple[str, str | None]  # metric, role
Found = Answer | Refusal
ABSENT = refusal("not_told", "its runs were measured, and do not tell it")
RESPONSE = "response_time"
_OF_ROLES = ("cpu_cost", "utilisation")
_PER_S = 1e6  # microseconds, bytes of a MB
# The first rung that answers wins: each rests on less than the one before.
LADDER: Mapping[Rung, Callable[[Question, Knowledge], Answer]] = {
    "interpolation": interpolate,
    "generation": transfer,
}


@dataclass(frozen=True)
class Point:
    """What is asked of an arm: a workload, with a setup that may be another one."""

    configuration: str
    workload: Workload
    setup: ModelSetup | None

    def question(self, metric: str, role: str | None = None) -> Question:
        """The question for one quantity."""
        return Question(self.configuration, self.workload, metric, role, self.setup)


def climb(questions: tuple[Question, ...], known: Knowledge) -> Found:
    """The answer of the first rung that answers one of the questions.

    The questions ask for the same thing, such as latency and rate, the first the most
    wanted. Without an answer, why each rung does not apply to the first.
    """
    shape = questions[0].workload.shape
    if shape not in FLOWS:
        what = f"no model answers workloads of the shape {shape}"
        return refusal("no_model_of_shape", what)
    refused: list[Remark] = []
    for rung, answer in LADDER.items():
        for asked in questions:
            try:
                return answer(asked, known)
            except Refused as error:
                reasons = error.refusal.remarks
            except UserError as error:  # what a model says to its user
                words = (f"{i.what}; {i.mend}" for i in error.issues)
                reasons = tuple(remark("model", each) for each in words)
            if asked is questions[0]:
                refused += [replace(reason, subject=rung) for reason in reasons]
    return Refusal(tuple(refused))


def predict_point(
    point: Point, wanted: Iterable[Quantity], known: Knowledge
) -> dict[Quantity, Found]:
    """Each wanted quantity's answer, or why there is none."""
    asked = list(wanted)
    flows = _flows(point, asked, known)
    answers: dict[Quantity, Found] = {}
    for metric, role in asked:
        unknown = refusal("no_such_model", f"no model answers {metric}")
        if metric == "storage" and role:
            answers[metric, role] = climb((point.question(metric, role),), known)
        elif metric == RESPONSE:
            answers[metric, role] = _divided(flows.get("latency", unknown), 1000, "ms")
        elif role is None:
            answers[metric, role] = flows.get(metric, unknown)
        elif metric in _OF_ROLES:
            answers[metric, role] = _of_role(point, metric, role, known)
        elif metric == "cpu_cost_per_mb":
            mega = payload(point.workload) / _PER_S
            cost = _of_role(point, "cpu_cost", role, known)
            answers[metric, role] = _divided(cost, mega, "µs/MB")
        else:
            answers[metric, role] = unknown
    return answers


def _flows(point: Point, asked: list[Quantity], known: Knowledge) -> dict[str, Found]:
    """Latency and rate, or throughput: measured, or from one answer alone."""
    work = point.workload
    names = FLOWS.get(work.shape, ())
    have = {name: measure(point, name, None, known) for name in names}
    measured = {name: answer for name, answer in have.items() if answer is not None}
    if measured:
        return {name: measured.get(name, ABSENT) for name in names}
    if not {name for name, role in asked} & {*names, RESPONSE}:
        return {}
    climbed = climb(tuple(point.question(name) for name in names), known)
    if isinstance(climbed, Refusal):
        return dict.fromkeys(names, climbed)
    if len(names) == 1:
        return {names[0]: climbed}
    given = "rate" if climbed.prediction.unit == UNITS["rate"] else "latency"
    other = "latency" if given == "rate" else "rate"
    return {given: climbed, other: _by_little(climbed, work.clients, UNITS[other])}


def _divided(answer: Found, by: float, unit: str) -> Found:
    """The answer in another unit: a latency in ms, a cost of a transaction per MB."""
    if isinstance(answer, Refusal):
        return answer
    p = answer.prediction
    low, value, high = (x / by for x in (p.low, p.value, p.high))
    prediction = replace(p, value=value, low=low, high=high, unit=unit)
    return replace(answer, prediction=prediction)


def _by_little(answer: Answer, clients: int, unit: str) -> Answer:
    """The rate of a latency, or the latency of a rate, with all clients waiting."""
    p = answer.prediction
    low, value, high = (clients * _PER_S / x for x in (p.high, p.value, p.low))
    prediction = replace(p, value=value, low=low, high=high, unit=unit)
    reason = f"{answer.reason}; by Little's law"
    return replace(answer, prediction=prediction, reason=reason)


def _of_role(point: Point, metric: str, role: str, known: Knowledge) -> Found:
    measured = measure(point, metric, role, known)
    return measured or climb((point.question(metric, role),), known)


def measure(
    point: Point, metric: str, role: str | None, known: Knowledge
) -> Answer | None:
    """A quantity as the arm was measured; None where it was not, or not so set up."""
    if point.setup != known.setups.get(point.configuration):
        return None
    known_value = known.measured(point.configuration, point.workload.name, metric, role)
    if known_value is None:
        return None
    low, middle, high = lognormal_points(known_value.value, known_value.sigma)
    unit = UNITS[metric]
    prediction = Prediction(middle, low, high, unit, "measured", "", "measured")
    return Answer(None, prediction, "taken from runs", (known_value,))
