"""All quantities of one arm's workload, predicted so that they agree with each other.

Only the flow (latency, rate or throughput) and the CPU cost of each role are asked of
the ladder. The rest follows: rate and latency by Little's law at the number of clients,
cost per MB by the payload, utilisation by its law.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from analysis.declared.campaign import ModelSetup
from analysis.declared.workload import Workload
from analysis.derive.fallback.held_storage import STORAGE
from analysis.derive.fallback.knowledge import Knowledge
from analysis.derive.fallback.ladder import climb
from analysis.derive.fallback.question import (
    FLOWS,
    Answer,
    Question,
    ends,
    halves,
    payload,
    rank,
    transactions,
)
from analysis.derive.fallback.thinking import CAPACITY
from analysis.facts.remark import Refusal, refusal
from models.prediction import UNITS, Prediction, weakest_basis
from models.spread import lognormal_points

Quantity = tuple[str, str | None]  # metric, role
ABSENT = refusal("not_told")
RESPONSE = "response_time"
_PER_S = 1e6  # microseconds, bytes of a MB


@dataclass(frozen=True)
class Point:
    """What is asked of an arm: a workload, with a setup that may be another one."""

    configuration: str
    workload: Workload
    setup: ModelSetup | None

    def question(self, metric: str, role: str | None = None) -> Question:
        """The question for one quantity."""
        return Question(self.configuration, self.workload, metric, role, self.setup)


def predict_point(
    point: Point, wanted: Iterable[Quantity], known: Knowledge
) -> dict[Quantity, Answer | Refusal]:
    """Each wanted quantity's answer, or why there is none."""
    asked = list(wanted)
    roles = dict.fromkeys(role for _, role in asked if role is not None)
    flows = _flows(point, asked, known)
    costs = {role: _cost(point, role, known) for role in roles}
    found: dict[Quantity, Answer | Refusal] = {}
    for metric, role in asked:
        unknown = refusal("no_model", metric=metric)
        if metric == CAPACITY or (metric == STORAGE and role):
            found[metric, role] = climb((point.question(metric, role),), known)
        elif metric == RESPONSE:
            found[metric, role] = _in_ms(flows.get("latency", unknown))
        elif role is None:
            found[metric, role] = flows.get(metric, unknown)
        elif metric == "cpu_cost":
            found[metric, role] = costs[role]
        elif metric == "cpu_cost_per_mb":
            found[metric, role] = _per_mb(point, costs[role])
        elif metric == "utilisation":
            found[metric, role] = _utilisation(point, role, flows, costs[role], known)
        else:
            found[metric, role] = unknown
    return found


def _flows(
    point: Point, asked: list[Quantity], known: Knowledge
) -> dict[str, Answer | Refusal]:
    """Latency and rate, or throughput: measured, or from one answer alone."""
    work = point.workload
    names = FLOWS.get(work.shape, ())
    have = {name: measure(point, name, None, known) for name in names}
    measured = {name: answer for name, answer in have.items() if answer is not None}
    if measured:
        return {name: measured.get(name, ABSENT) for name in names}
    if not {name for name, role in asked} & {*names, "utilisation", RESPONSE}:
        return {}
    found = climb(tuple(point.question(name) for name in names), known)
    if isinstance(found, Refusal):
        return dict.fromkeys(names, found)
    if len(names) == 1:
        return {names[0]: found}
    given = "rate" if found.prediction.unit == UNITS["rate"] else "latency"
    other = "latency" if given == "rate" else "rate"
    return {given: found, other: _by_little(found, work.clients, UNITS[other])}


def _in_ms(found: Answer | Refusal) -> Answer | Refusal:
    """A latency [µs] as a response time [ms]."""
    if isinstance(found, Refusal):
        return found
    p = found.prediction
    low, value, high = (x / 1000 for x in (p.low, p.value, p.high))
    prediction = replace(p, value=value, low=low, high=high, unit="ms")
    return replace(found, prediction=prediction)


def _by_little(found: Answer, clients: int, unit: str) -> Answer:
    """The rate of a latency, or the latency of a rate, with all clients waiting."""
    p = found.prediction
    low, value, high = (clients * _PER_S / x for x in (p.high, p.value, p.low))
    prediction = replace(p, value=value, low=low, high=high, unit=unit)
    reason = f"{found.reason}; by Little's law"
    errors = tuple(100 / (1 + error / 100) - 100 for error in found.left_out)
    return replace(found, prediction=prediction, reason=reason, left_out=errors)


def _cost(point: Point, role: str, known: Knowledge) -> Answer | Refusal:
    measured = measure(point, "cpu_cost", role, known)
    return measured or climb((point.question("cpu_cost", role),), known)


def _per_mb(point: Point, cost: Answer | Refusal) -> Answer | Refusal:
    """The cost of a transaction over its payload."""
    if isinstance(cost, Refusal):
        return cost
    mega = payload(point.workload) / _PER_S
    p = cost.prediction
    low, value, high = (x / mega for x in (p.low, p.value, p.high))
    prediction = replace(p, value=value, low=low, high=high, unit="µs/MB")
    return replace(cost, prediction=prediction)


def _utilisation(
    point: Point,
    role: str,
    flows: dict[str, Answer | Refusal],
    cost: Answer | Refusal,
    known: Knowledge,
) -> Answer | Refusal:
    """Rate × CPU cost ÷ CPs; refused where that is more than there is."""
    flow = flows.get("rate") or flows.get("throughput", refusal("no_rate"))
    if isinstance(flow, Refusal):
        return flow
    if isinstance(cost, Refusal):
        return cost
    if flow.rung is None and cost.rung is None:
        return ABSENT
    cps = _cps(point, role, known)
    if cps is None:
        return refusal("no_cps")
    rate = transactions(point.workload, flow.prediction.value)
    value = 100 * rate * cost.prediction.value / (cps * _PER_S)
    if value > 100:
        return refusal("over_capacity", percent=value)
    return _product(flow, cost, value)


def _product(flow: Answer, cost: Answer, value: float) -> Answer:
    """Utilisation [%] with the errors of both its factors, called by the weaker one."""
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
    found = known.measured(point.configuration, point.workload.name, metric, role)
    if found is None:
        return None
    low, middle, high = lognormal_points(found.value, found.sigma)
    unit = UNITS[metric]
    prediction = Prediction(middle, low, high, unit, "measured", "", "measured")
    return Answer(None, prediction, "taken from runs", (found,))


def _cps(point: Point, role: str, known: Knowledge) -> float | None:
    """CPs of a role: as measured loads of the arm or a partner tell, else as declared.

    An arm whose declared number differs has its CPs in that proportion.
    """
    asked = point.setup
    for arm in (point.configuration, *known.partners(point.configuration)):
        implied, declared = _implied_cps(arm, role, known), known.setups.get(arm)
        if implied is not None:
            if asked is None or declared is None:
                return implied
            return implied * asked.cps / declared.cps
    return None if asked is None else float(asked.cps)


def _implied_cps(arm: str, role: str, known: Knowledge) -> float | None:
    """CPs of a measured arm by the utilisation law."""
    for shape in FLOWS:
        for work in known.workloads(arm, shape):
            flow = "throughput" if shape == "STR" else "rate"
            rate = known.measured(arm, work.name, flow)
            cost = known.measured(arm, work.name, "cpu_cost", role)
            busy = known.measured(arm, work.name, "utilisation", role)
            if rate and cost and busy:
                used = transactions(work, rate.value) * cost.value / _PER_S
                return used * 100 / busy.value
    return None
