"""All quantities of one arm's workload, predicted so that they agree with each other.

Only the flow (latency, rate or throughput) and the CPU cost of each role are asked of
the ladder. The rest follows: rate and latency by Little's law at the number of clients,
cost per MB by the payload, utilisation by its law.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from analysis.declared.campaign import ModelSetup
from analysis.declared.workload import Workload
from analysis.derive.fallback.interpolate import CAPACITY, STORAGE, interpolate
from analysis.derive.fallback.knowledge import (
    FLOWS,
    Knowledge,
    payload,
    transactions,
)
from analysis.derive.fallback.question import Answer, Question, ends, halves, rank
from analysis.derive.fallback.transfer import transfer
from analysis.errors import UserError
from analysis.facts.fact import Rung
from analysis.facts.remark import Refusal, Refused, Remark, refusal, remark
from models.prediction import UNITS, Prediction, lognormal_points, weakest_basis

Quantity = tuple[str, str | None]  # metric, role
Found = Answer | Refusal
ABSENT = refusal("not_told", "its runs were measured, and do not tell it")
RESPONSE = "response_time"
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
                reasons = tuple(remark("model", f"{i.what}") for i in error.issues)
            if asked is questions[0]:
                refused += [replace(reason, subject=rung) for reason in reasons]
    return Refusal(tuple(refused))


def predict_point(
    point: Point, wanted: Iterable[Quantity], known: Knowledge
) -> dict[Quantity, Found]:
    """Each wanted quantity's answer, or why there is none."""
    asked = list(wanted)
    roles = dict.fromkeys(role for _, role in asked if role is not None)
    flows = _flows(point, asked, known)
    costs = {role: _cost(point, role, known) for role in roles}
    answers: dict[Quantity, Found] = {}
    for metric, role in asked:
        unknown = refusal("no_such_model", f"no model answers {metric}")
        if metric == CAPACITY or (metric == STORAGE and role):
            answers[metric, role] = climb((point.question(metric, role),), known)
        elif metric == RESPONSE:
            answers[metric, role] = _divided(flows.get("latency", unknown), 1000, "ms")
        elif role is None:
            answers[metric, role] = flows.get(metric, unknown)
        elif metric == "cpu_cost":
            answers[metric, role] = costs[role]
        elif metric == "cpu_cost_per_mb":
            mega = payload(point.workload) / _PER_S
            answers[metric, role] = _divided(costs[role], mega, "µs/MB")
        elif metric == "utilisation":
            answers[metric, role] = _utilisation(point, role, flows, costs[role], known)
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
    if not {name for name, role in asked} & {*names, "utilisation", RESPONSE}:
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
    errors = tuple(100 / (1 + error / 100) - 100 for error in answer.left_out)
    return replace(answer, prediction=prediction, reason=reason, left_out=errors)


def _cost(point: Point, role: str, known: Knowledge) -> Found:
    measured = measure(point, "cpu_cost", role, known)
    return measured or climb((point.question("cpu_cost", role),), known)


def _utilisation(
    point: Point,
    role: str,
    flows: dict[str, Found],
    cost: Found,
    known: Knowledge,
) -> Found:
    """Rate × CPU cost ÷ CPs, with the errors of both factors, called by the weaker one;
    refused where that is more than there is."""
    no_rate = refusal("no_rate", "no rate is known")
    flow = flows.get("rate") or flows.get("throughput", no_rate)
    if isinstance(flow, Refusal):
        return flow
    if isinstance(cost, Refusal):
        return cost
    if flow.rung is None and cost.rung is None:
        return ABSENT
    cps = _cps(point, role, known)
    if cps is None:
        return refusal("no_engines", "how many CPs it has is not known")
    rate = transactions(point.workload, flow.prediction.value)
    value = 100 * rate * cost.prediction.value / (cps * _PER_S)
    if value > 100:
        what = f"rate and CPU cost would need {value:.0f}% of the CPs"
        return refusal("over_capacity", what)
    low, high = ends(value, halves(flow.prediction), halves(cost.prediction))
    weaker = max((flow, cost), key=rank)
    prediction = replace(
        weaker.prediction,
        value=value,
        low=low,
        high=min(100.0, high),
        unit="%",
        basis=weakest_basis([flow.prediction.basis, cost.prediction.basis]),
    )
    reason = f"{weaker.reason}; by the utilisation law"
    inputs = (*flow.inputs, *cost.inputs)
    return replace(weaker, prediction=prediction, reason=reason, inputs=inputs)


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


def _cps(point: Point, role: str, known: Knowledge) -> float | None:
    """CPs of a role: as measured loads of the arm or a partner tell, else as declared.

    An arm whose declared number differs has its CPs in that proportion.
    """
    asked = point.setup
    for arm in (point.configuration, *known.partners(point.configuration)):
        engines, declared = known.engines(arm, role), known.setups.get(arm)
        if engines is not None:
            if asked is None or declared is None:
                return engines
            return engines * asked.cps / declared.cps
    return None if asked is None else float(asked.cps)
