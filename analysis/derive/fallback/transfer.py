"""Second rung: an interface in memory, measured on another CPC."""

from __future__ import annotations

import math
from functools import lru_cache

from analysis.declared.campaign import ModelSetup
from analysis.declared.published import Published
from analysis.derive.fallback.knowledge import Knowledge, Known
from analysis.derive.fallback.question import Accuracy, Answer, Question, refuse
from models.backtest import backtest
from models.generation import IN_MEMORY, GenerationTransfer, capacity
from models.prediction import UNITS


def transfer(asked: Question, known: Knowledge) -> Answer:
    """The quantity scaled from the CPC of the nearest capacity; ``Refused`` where none
    fits, a ``UserError`` of the model where no capacity is known."""
    setup = asked.setup
    if setup is None:
        arm = asked.configuration
        raise refuse("no_setup", f"campaign.yaml declares no model of {arm}")
    if setup.interface not in IN_MEMORY:
        what = f"nothing published tells how {setup.interface} does on another CPC"
        raise refuse("not_in_memory", f"{what}; measure it on {setup.cpc}")
    here = capacity(setup.cpc, setup.cps)

    def apart(arm: str) -> float:
        return abs(math.log(capacity(known.setups[arm].cpc, setup.cps) / here))

    sources = _sources(asked, known, setup)
    source = min(sources, key=apart)
    anchor, cpc = sources[source], known.setups[source].cpc
    model = GenerationTransfer(cpc, setup.cpc, setup.cps)
    unit = UNITS[asked.metric]
    prediction = model.predict(asked.metric, anchor.value, unit, anchor.sigma)
    reason = f"from runs of {source} on {cpc}; CPU time scaled to {setup.cpc}"
    return Answer("generation", prediction, reason, (anchor,), _tested(known.published))


@lru_cache(maxsize=4)
def _tested(rows: tuple[Published, ...]) -> Accuracy | None:
    """The error of the model on published numbers; None without them."""
    test = backtest("generation", rows) if rows else None
    if test is None or test.mean_error is None:
        return None
    return Accuracy(100 * test.mean_error, len(test.points), "published")


def _sources(asked: Question, known: Knowledge, setup: ModelSetup) -> dict[str, Known]:
    """The measured values of arms that differ in their CPC alone."""
    arms = dict.fromkeys((asked.configuration, *known.study.configurations))
    like = [
        arm
        for arm in arms
        if (other := known.setups.get(arm)) is not None
        and arm not in known.controls
        and other.cpc != setup.cpc
        and other == setup.model_copy(update={"cpc": other.cpc})
    ]
    if not like:
        what = f"no configuration with {setup.interface} differs in its CPC alone"
        raise refuse("no_other_cpc", what)
    name = asked.workload.name
    values = {a: known.measured(a, name, asked.metric, asked.role) for a in like}
    measured = {arm: value for arm, value in values.items() if value is not None}
    if not measured:
        raise refuse("others_lack_it", f"{' and '.join(like)} lacks {name} too")
    return measured
