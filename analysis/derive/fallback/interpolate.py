"""First rung: the same configuration, measured with other clients, payloads or CPs."""

from __future__ import annotations

import math
from typing import Any, cast

from analysis.declared.campaign import ModelSetup
from analysis.declared.workload import SHAPES, Workload
from analysis.derive.fallback.held_storage import STORAGE, hold
from analysis.derive.fallback.knowledge import Knowledge, Known, joint_sigma
from analysis.derive.fallback.ladder import LadderRung
from analysis.derive.fallback.question import Answer, Question, named_loads, refuse
from analysis.derive.fallback.thinking import think
from models.fitted import Anchor, payload
from models.interpolate import Interpolation, InterpolationQuestion, left_out
from models.prediction import Prediction
from models.streams import (
    StreamAnchor,
    StreamInterpolation,
    StreamInterpolationQuestion,
)

_SIDES = {"RR": ("client", "server"), "CRR": ("client", "server")}
_STREAM = ("sender", "receiver")
_SERIES = 5  # loads from which each point of the published series is predicted
Point = tuple[Workload, tuple[Known, Known, Known]]


def interpolate(asked: Question, known: Knowledge) -> Answer:
    """The quantity from the arm's own measurements; ``Refused`` where none fit."""
    if asked.metric == STORAGE:
        return hold(asked, known)
    if SHAPES[asked.workload.shape].thinks:
        return think(asked, known)
    declared = _same_but_cps(asked, known)
    points = _points(asked, known)
    names = named_loads([work for work, _ in points])
    inputs = tuple(value for _, values in points for value in values)
    errors: tuple[float, ...] = ()
    if asked.workload.shape == "STR":
        prediction = _stream(asked, points, declared)
    else:
        prediction, errors = _network(asked, points, declared)
    if prediction.outside:
        beyond = prediction.outside[0]
        raise refuse("beyond", workloads=names, beyond=beyond)
    reason = f"from runs of {asked.configuration} with {names}"
    tested = _tested_by(asked, points, declared)
    return Answer("interpolation", prediction, reason, inputs, tested, errors)


def _same_but_cps(asked: Question, known: Knowledge) -> ModelSetup:
    """The declared setup, where at most the number of CPs asked for differs."""
    setup = asked.needed_setup
    declared = known.setups.get(asked.configuration)
    if declared is None or setup != declared.model_copy(update={"cps": setup.cps}):
        raise refuse("other_setup")
    return declared


def _points(asked: Question, known: Knowledge) -> list[Point]:
    """Points measured alone, each with its flow and the CPU cost of both sides."""
    arm, shape = asked.configuration, asked.workload.shape
    if known.ran_beside(arm, asked.workload.name):
        raise refuse("side_by_side")
    flow = "throughput" if shape == "STR" else "rate"
    found = []
    for work in known.workloads(arm, shape):
        if known.ran_beside(arm, work.name):
            continue
        if shape == "STR" and _away(work) != _away(asked.workload):
            continue
        values = [
            known.measured(arm, work.name, flow),
            *(
                known.measured(arm, work.name, "cpu_cost", side)
                for side in _SIDES.get(shape, _STREAM)
            ),
        ]
        if all(values):
            found.append((work, cast("tuple[Known, Known, Known]", tuple(values))))
    if not found:
        raise refuse("no_point", shape=shape, configuration=arm)
    return found


def _tested_by(
    asked: Question, points: list[Point], declared: ModelSetup
) -> str | None:
    """The back-test of one payload from five other loads, where just that is asked."""
    like = [work for work, _ in points if payload(work) == payload(asked.workload)]
    same = asked.setup == declared and asked.workload.shape != "STR"
    return "gateway-left-out" if same and len(like) >= _SERIES else None


def _network(
    asked: Question, points: list[Point], declared: ModelSetup
) -> tuple[Prediction, tuple[float, ...]]:
    anchors = tuple(
        Anchor(work, *(value.value for value in values)) for work, values in points
    )
    sigma = joint_sigma([value for _, values in points for value in values])
    model = Interpolation(anchors, declared.cps, declared.mtu, sigma)
    cps = asked.needed_setup.cps
    question: Any = InterpolationQuestion(
        asked.workload,
        cast("Any", asked.metric),
        cast("Any", asked.role),
        cps if cps != declared.cps else None,
    )
    prediction = model.predict(question)
    errors = left_out(model, asked.metric, cast("Any", asked.role))
    sign = -1 if asked.metric == "latency" else 1  # the errors are those of the rate
    return prediction, tuple(100 * math.expm1(sign * error) for error in errors)


def _stream(asked: Question, points: list[Point], declared: ModelSetup) -> Prediction:
    if asked.needed_setup.cps != declared.cps:
        raise refuse("other_cps")
    anchors = tuple(
        StreamAnchor(work, *(value.value for value in values))
        for work, values in points
    )
    sigma = joint_sigma([value for _, values in points for value in values])
    question = StreamInterpolationQuestion(
        asked.workload, cast("Any", asked.metric), cast("Any", asked.role)
    )
    return StreamInterpolation(anchors, sigma).predict(question)


def _away(work: Workload) -> bool:
    """Whether the client is the sender."""
    return work.request_bytes >= work.response_bytes


RUNG = LadderRung("interpolation", interpolate)
