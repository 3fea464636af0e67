"""First rung: the same configuration, measured with other numbers of clients.

It needs no declared model, and the ids of machines and interfaces are nothing to it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from analysis.declared.workload import Workload
from analysis.derive.fallback.knowledge import Knowledge, Known, joint_sigma
from analysis.derive.fallback.question import (
    Accuracy,
    Answer,
    Question,
    named_loads,
    refuse,
)
from models.loads import BetweenLoads, read_references

_REFERRED = "RR"  # the shape of the measured loads that the models were tested on
_ELSEWHERE = (
    "fewer than two of its own loads can be left out: the range is that of loads left "
    "out between two Linux network namespaces"
)
Points = Mapping[Workload, Known]


def interpolate(asked: Question, known: Knowledge) -> Answer:
    """The quantity from the arm's own measurements; ``Refused`` where none fit."""
    arm, work = asked.configuration, asked.workload
    if asked.setup != known.setups.get(arm):
        what = "measurements of another setup cannot be interpolated"
        raise refuse("other_setup", what)
    if known.ran_beside(arm, work.name):
        what = "no model tells apart workloads that run at the same time"
        raise refuse("side_by_side", what)
    payloads = _by_payload(asked, known)
    points = payloads.pop(replace(work, clients=0), {})
    series, *others = (
        {load.clients: value.value for load, value in each.items()}
        for each in (points, *payloads.values())
    )
    sigma = joint_sigma([*points.values()]) if points else 0.0
    refer = None
    if work.shape == _REFERRED:
        refer = known.references or read_references()
    model = BetweenLoads(asked.metric, series, tuple(others), refer, sigma)
    prediction = model.predict(work.clients)
    if seen := model.reference(work.clients):
        prediction = replace(prediction, notes=(_ELSEWHERE,))
        tested = Accuracy(seen.mean_error, seen.n, "measured")
    else:
        percents = [abs(100 * math.expm1(error)) for error in model.errors]
        tested = Accuracy(sum(percents) / len(percents), len(percents), "left out")
    reason = f"from runs of {arm} with {named_loads([*points])}"
    inputs = tuple(points.values())
    return Answer("interpolation", prediction, reason, inputs, tested)


def _by_payload(
    asked: Question, known: Knowledge
) -> dict[Workload, dict[Workload, Known]]:
    """Loads of the shape that were measured alone, by what but clients they have."""
    arm, payloads = asked.configuration, dict[Workload, dict[Workload, Known]]()
    for load in known.workloads(arm, asked.workload.shape):
        value = known.measured(arm, load.name, asked.metric, asked.role)
        if value and not known.ran_beside(arm, load.name):
            payloads.setdefault(replace(load, clients=0), {})[load] = value
    return payloads
