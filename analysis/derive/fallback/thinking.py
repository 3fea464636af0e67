"""Loads whose clients think: other numbers of clients, and how many fill the CPs."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, cast

from analysis.declared.workload import Workload
from analysis.derive.fallback.knowledge import Knowledge, Known, joint_sigma
from analysis.derive.fallback.question import Answer, Question, named_loads, refuse
from models.thinking import ThinkingAnchor, ThinkingModel, ThinkingQuestion, left_out

HOST = "server"  # the role of the system that all clients call
CAPACITY = "capacity"
_ANSWERED = ("rate", "cpu_cost", CAPACITY)
_FEWEST = 3  # loads from which others are told
_LONGER = 1.05  # than a whole cycle: no noise makes so much of thinking alone
Point = tuple[Workload, Known, Known]  # with rate and CPU cost


def think(asked: Question, known: Knowledge) -> Answer:
    """The quantity from the arm's own loads of that payload; ``Refused`` where none
    fit, or where the answer lies beyond them."""
    if asked.metric not in _ANSWERED or asked.role not in (None, HOST):
        raise refuse("no_model", metric=asked.metric)
    think_ms = known.think.get(asked.configuration)
    if think_ms is None:
        raise refuse("no_think", shape=asked.workload.shape)
    points = _points(asked, known)
    for load, rate, _ in points:
        cycle = 1e3 * load.clients / rate.value
        if think_ms > cycle * _LONGER:
            of = {"workload": load.name, "think": think_ms, "cycle": cycle}
            raise refuse("long_think", **of)
    values = [value for _, *both in points for value in both]
    anchors = tuple(
        ThinkingAnchor(w, rate.value, cost.value) for w, rate, cost in points
    )
    cps = _cps(asked, points, known)
    model = ThinkingModel(anchors, cps, think_ms, joint_sigma(values))
    metric = cast("Any", asked.metric)
    prediction = model.predict(ThinkingQuestion(asked.workload, metric))
    names = named_loads([work for work, _, _ in points])
    if prediction.outside:
        raise refuse("beyond", workloads=names, beyond=prediction.outside[0])
    errors = tuple(100 * math.expm1(error) for error in left_out(model, metric))
    reason = f"from runs of {asked.configuration} with {names}"
    return Answer("interpolation", prediction, reason, tuple(values), None, errors)


def _points(asked: Question, known: Knowledge) -> list[Point]:
    arm, work = asked.configuration, asked.workload
    like = replace(work, clients=0)
    found = []
    for load in known.workloads(arm, work.shape):
        rate = known.measured(arm, load.name, "rate")
        cost = known.measured(arm, load.name, "cpu_cost", HOST)
        if replace(load, clients=0) == like and rate and cost:
            found.append((load, rate, cost))
    if len(found) < _FEWEST:
        raise refuse("no_point", shape=work.shape, configuration=arm)
    return found


def _cps(asked: Question, points: list[Point], known: Knowledge) -> int:
    """CPs of the system, by the utilisation law."""
    load, rate, cost = points[-1]
    busy = known.measured(asked.configuration, load.name, "utilisation", HOST)
    if busy is None:
        raise refuse("no_cps")
    return round(rate.value * cost.value / 1e6 * 100 / busy.value)
