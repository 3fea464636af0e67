"""Storage with other numbers of sessions: a straight line through measured ones."""

from __future__ import annotations

from dataclasses import replace

from analysis.derive.fallback.knowledge import Knowledge
from analysis.derive.fallback.question import Answer, Question, named_loads, refuse
from models.held_storage import LEAST, StorageLine, left_out

STORAGE = "storage"


def hold(asked: Question, known: Knowledge) -> Answer:
    """Storage of an area, from the arm's own numbers of sessions; ``Refused`` where
    these are too few, or where the answer lies beyond them."""
    arm, work = asked.configuration, asked.workload
    like = replace(work, clients=0)
    found = {
        load: value
        for load in known.workloads(arm, work.shape)
        if replace(load, clients=0) == like
        and (value := known.measured(arm, load.name, STORAGE, asked.role))
    }
    if len(found) < LEAST:
        raise refuse("no_point", shape=work.shape, configuration=arm)
    line = StorageLine({load.clients: value.value for load, value in found.items()})
    names = named_loads(list(found))
    if not line.reaches(work.clients):
        raise refuse("beyond", workloads=names, beyond=f"{work.clients:,} sessions")
    reason = f"from runs of {arm} with {names}"
    inputs = tuple(found.values())
    prediction = line.predict(work.clients)
    return Answer("interpolation", prediction, reason, inputs, None, left_out(line))
