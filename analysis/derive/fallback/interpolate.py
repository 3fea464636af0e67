"""First rung: the same configuration, measured with other loads, or with other CPs.

It needs no declared model: the number of CPs comes from the runs, by the utilisation
law, where campaign.yaml tells none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from analysis.declared.workload import SHAPES, Workload
from analysis.derive.fallback.knowledge import Knowledge, Known, joint_sigma
from analysis.derive.fallback.question import Answer, Question, named_loads, refuse
from models.held_storage import LEAST, StorageLine
from models.held_storage import left_out as storage_left_out
from models.interpolate import (
    Anchor,
    Engines,
    Interpolation,
    StreamAnchor,
    StreamInterpolation,
    away,
    left_out,
    payload,
)
from models.prediction import Prediction
from models.thinking import ThinkingAnchor, ThinkingModel
from models.thinking import left_out as thinking_left_out

STORAGE = "storage"
CAPACITY = "capacity"
HOST = "server"  # the role of the system that all thinking clients call
_SIDES = ("client", "server")
_STREAM_SIDES = ("sender", "receiver")
_OF_THINKING = ("rate", "cpu_cost", CAPACITY)
_FEWEST = 3  # loads from which others of clients that think are told
_LONGER = 1.05  # than a whole cycle: no noise makes so much of thinking alone
_SERIES = 5  # loads from which each point of the published series is predicted
Point = tuple[Workload, tuple[Known, ...]]  # a load, its flow and CPU costs


def interpolate(asked: Question, known: Knowledge) -> Answer:
    """The quantity from the arm's own measurements; ``Refused`` where none fit."""
    if asked.metric == STORAGE:
        return _storage(asked, known)
    if SHAPES[asked.workload.shape].thinks:
        return _thinking(asked, known)
    declared = known.setups.get(asked.configuration)
    if asked.setup != declared and (
        asked.setup is None
        or declared is None
        or asked.setup != declared.model_copy(update={"cps": asked.setup.cps})
    ):
        raise refuse(
            "other_setup", "measurements of another setup cannot be interpolated"
        )
    if known.ran_beside(asked.configuration, asked.workload.name):
        raise refuse(
            "side_by_side", "no model tells apart workloads that run at the same time"
        )
    points = _points(asked, known)
    errors: tuple[float, ...] = ()
    if asked.workload.shape == "STR":
        prediction = _stream(asked, known, points)
    else:
        prediction, errors = _network(asked, known, points)
    tested = _tested_by(asked, known, points)
    return _answer(asked, points, prediction, errors, tested)


def _answer(
    asked: Question,
    points: Sequence[Point],
    prediction: Prediction,
    errors: tuple[float, ...],
    tested_by: str | None = None,
) -> Answer:
    """The answer from some points; ``Refused`` where it lies beyond them."""
    names = named_loads([work for work, _ in points])
    if prediction.outside:
        raise _beyond(names, prediction.outside[0])
    inputs = tuple(value for _, values in points for value in values)
    reason = f"from runs of {asked.configuration} with {names}"
    return Answer("interpolation", prediction, reason, inputs, tested_by, errors)


def _beyond(names: str, what: str) -> Exception:
    return refuse("beyond", f"from {names} it would extrapolate: {what}")


def _points(asked: Question, known: Knowledge) -> list[Point]:
    """Points measured alone, each with its flow and the CPU cost of both sides."""
    arm, work = asked.configuration, asked.workload
    streams = work.shape == "STR"
    flow, sides = ("throughput", _STREAM_SIDES) if streams else ("rate", _SIDES)
    points = []
    for load in known.workloads(arm, work.shape):
        if known.ran_beside(arm, load.name) or (streams and away(load) != away(work)):
            continue
        values = [known.measured(arm, load.name, flow)]
        values += [known.measured(arm, load.name, "cpu_cost", side) for side in sides]
        if all(values):
            points.append((load, tuple(value for value in values if value)))
    if not points:
        what = f"no {work.shape} of {arm} was run with its CPU cost known"
        raise refuse("no_point", what)
    return points


def _tested_by(
    asked: Question, known: Knowledge, points: Sequence[Point]
) -> str | None:
    """The back-test of one payload from five other loads, where just that is asked."""
    like = [work for work, _ in points if payload(work) == payload(asked.workload)]
    same = asked.setup == known.setups.get(asked.configuration)
    closed = asked.workload.shape != "STR"
    return "gateway-left-out" if same and closed and len(like) >= _SERIES else None


def _network(
    asked: Question, known: Knowledge, points: Sequence[Point]
) -> tuple[Prediction, tuple[float, ...]]:
    declared = known.setups.get(asked.configuration)
    mtu, cps = (declared.mtu, declared.cps) if declared else (None, None)
    engines = (cps, cps) if cps else _engines(asked.configuration, known)
    anchors = tuple(Anchor(w, *(value.value for value in vs)) for w, vs in points)
    sigma = joint_sigma([value for _, values in points for value in values])
    model = Interpolation(anchors, engines, mtu, sigma)
    wanted = (asked.setup.cps, asked.setup.cps) if asked.setup else engines
    prediction = model.predict(asked.workload, asked.metric, asked.role, wanted)
    errors = left_out(model, asked.metric, asked.role)
    sign = -1 if asked.metric == "latency" else 1  # the errors are those of the rate
    return prediction, tuple(100 * math.expm1(sign * error) for error in errors)


def _engines(arm: str, known: Knowledge) -> Engines:
    """CPs of both sides, as the runs of the arm tell them."""
    client, server = (known.engines(arm, side) for side in _SIDES)
    if client is None or server is None:
        raise refuse("no_cps", f"how many CPs {arm} has is not known")
    return max(round(client), 1), max(round(server), 1)


def _stream(asked: Question, known: Knowledge, points: Sequence[Point]) -> Prediction:
    if asked.setup != known.setups.get(asked.configuration):
        raise refuse("other_cps", "streams with other CPs cannot be interpolated")
    anchors = tuple(StreamAnchor(w, *(v.value for v in values)) for w, values in points)
    sigma = joint_sigma([value for _, values in points for value in values])
    model = StreamInterpolation(anchors, sigma)
    return model.predict(asked.workload, asked.metric, asked.role)


def _thinking(asked: Question, known: Knowledge) -> Answer:
    """Rate and CPU cost of clients that think, and how many of them fill the CPs."""
    arm, work = asked.configuration, asked.workload
    if asked.metric not in _OF_THINKING or asked.role not in (None, HOST):
        raise refuse("no_model", f"no model answers {asked.metric}")
    think = known.think.get(arm)
    if think is None:
        what = f"how long clients of {work.shape} think, the campaigns do not say"
        raise refuse("no_think", f"{what}, or not all alike")
    points = []
    for load in _like(work, arm, known):
        rate = known.measured(arm, load.name, "rate")
        cost = known.measured(arm, load.name, "cpu_cost", HOST)
        if rate and cost:
            points.append((load, (rate, cost)))
    if len(points) < _FEWEST:
        what = f"{arm} was run with fewer than {_FEWEST} loads like {work.name}"
        raise refuse("few_loads", f"{what} whose CPU cost is known")
    for load, (rate, _) in points:
        cycle = 1e3 * load.clients / rate.value
        if think > cycle * _LONGER:
            what = f"clients of {load.name} cannot think for {think:g} ms"
            raise refuse("long_think", f"{what}: a cycle takes {cycle:.0f}")
    engines = known.engines(arm, HOST)
    if engines is None:
        raise refuse("no_cps", f"how many CPs {arm} has is not known")
    anchors = tuple(ThinkingAnchor(w, r.value, cost.value) for w, (r, cost) in points)
    sigma = joint_sigma([value for _, values in points for value in values])
    model = ThinkingModel(anchors, round(engines), think, sigma)
    errors = thinking_left_out(model, asked.metric)
    percents = tuple(100 * math.expm1(error) for error in errors)
    return _answer(asked, points, model.predict(work, asked.metric), percents)


def _storage(asked: Question, known: Knowledge) -> Answer:
    """Storage of an area, from the arm's own numbers of sessions."""
    arm, work = asked.configuration, asked.workload
    points: list[Point] = [
        (load, (value,))
        for load in _like(work, arm, known)
        if (value := known.measured(arm, load.name, STORAGE, asked.role))
    ]
    if len(points) < LEAST:
        what = f"storage of {arm} was measured with fewer than {LEAST} loads like"
        raise refuse("few_loads", f"{what} {work.name}")
    line = StorageLine({load.clients: value.value for load, (value,) in points})
    if not line.reaches(work.clients):
        names = named_loads([load for load, _ in points])
        raise _beyond(names, f"{work.clients:,} sessions")
    return _answer(asked, points, line.predict(work.clients), storage_left_out(line))


def _like(work: Workload, arm: str, known: Knowledge) -> list[Workload]:
    """Measured loads of the arm that differ from one in their clients alone."""
    like = replace(work, clients=0)
    loads = known.workloads(arm, work.shape)
    return [load for load in loads if replace(load, clients=0) == like]
