"""Fourth rung: models whose parameters are assumed, where the study allows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast

from analysis.declared.campaign import ModelSetup
from analysis.declared.workload import parse_workload
from analysis.derive.fallback.knowledge import Knowledge, Known
from analysis.derive.fallback.ladder import LadderRung
from analysis.derive.fallback.question import (
    REACH,
    Answer,
    Question,
    ends,
    halves,
    model_setup,
    refuse,
)
from analysis.facts.estimate import Rung
from models.mixed import MixedModel, MixedQuestion
from models.prediction import Prediction
from models.queueing import QueueingModel, QueueingQuestion
from models.streaming import StreamingModel, StreamingQuestion

ALONE = "no measured value stands beside it"
_RUNG: Rung = "assumed parameters"


@dataclass(frozen=True)
class _Model:
    """What a model says of a setup, and of test over base as a multiple."""

    of: Callable[[ModelSetup], Prediction]
    change: Callable[[ModelSetup, ModelSetup], Prediction]
    tested_by: str | None


def assume(asked: Question, known: Knowledge) -> Answer:
    """A measured arm times the change that a model sees, or the model alone."""
    if not known.study.estimate.allow_assumed:
        raise refuse("not_allowed")
    setup = asked.needed_setup
    model = _model(asked, known)
    for arm in (asked.configuration, *known.partners(asked.configuration)):
        name, base = asked.workload.name, known.setups.get(arm)
        anchor = known.measured(arm, name, asked.metric, asked.role)
        if base is not None and anchor is not None:
            prediction = _anchored(anchor, model.change(base, setup), model.of(setup))
            reason = f"from runs of {arm}, times the change that the model sees"
            return Answer(_RUNG, prediction, reason, (anchor,), model.tested_by)
    alone = model.of(setup)
    prediction = replace(alone, notes=(*alone.notes, ALONE))
    reason = f"parameters of {setup.interface} on {setup.cpc}"
    return Answer(_RUNG, prediction, reason, (), model.tested_by)


def _anchored(anchor: Known, ratio: Prediction, test: Prediction) -> Prediction:
    """The anchor times a multiple; both of their errors count."""
    value, measured = anchor.value * ratio.value, REACH * anchor.sigma
    low, high = ends(value, halves(ratio), (measured, measured))
    return replace(ratio, value=value, low=low, high=high, unit=test.unit)


def _model(asked: Question, known: Knowledge) -> _Model:
    beside = known.ran_beside(asked.configuration, asked.workload.name)
    if beside:
        return _mixed(asked, beside)
    if asked.workload.shape == "STR":
        return _single(asked, StreamingModel(), StreamingQuestion, "one-cp-streams")
    return _single(asked, QueueingModel(), QueueingQuestion, "audit")


def _single(
    asked: Question, model: Any, question: Callable[..., Any], tested_by: str
) -> _Model:
    """A model of one workload that has its systems to itself."""

    def about(setup: ModelSetup) -> Any:
        inputs = model_setup(asked.workload, setup)
        return question(inputs, asked.metric, asked.role)

    return _Model(
        lambda setup: model.predict(about(setup)),
        lambda base, test: _multiple(
            model.predict_change(about(base), about(test).setup)
        ),
        tested_by,
    )


def _mixed(asked: Question, beside: tuple[str, ...]) -> _Model:
    """The simulation of interactive work beside one stream."""
    works = {w.shape: w for w in (asked.workload, *map(parse_workload, beside))}
    if asked.role is not None or len(beside) != 1 or set(works) != {"RR", "STR"}:
        raise refuse("simulation")

    def simulated(setup: ModelSetup) -> Prediction:
        inputs = model_setup(works["RR"], setup)
        question = MixedQuestion(
            inputs, works["STR"], cast("Any", asked.metric), setup.queues
        )
        return MixedModel().predict(question)

    def change(base: ModelSetup, test: ModelSetup) -> Prediction:
        first, second = simulated(base), simulated(test)
        value = second.value / first.value
        low, high = ends(value, halves(second), halves(first)[::-1])
        return replace(second, value=value, low=low, high=high)

    return _Model(simulated, change, None)


def _multiple(change: Prediction) -> Prediction:
    """A change in percent as test over base."""
    value, low, high = (
        1 + percent / 100 for percent in (change.value, change.low, change.high)
    )
    return replace(change, value=value, low=low, high=high, unit="")


RUNG = LadderRung("assumed parameters", assume)
