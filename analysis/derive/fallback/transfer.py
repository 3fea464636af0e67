"""Third rung: the same interface, measured on another CPC or on two."""

from __future__ import annotations

from typing import cast

from analysis.declared.campaign import ModelSetup
from analysis.derive.fallback.knowledge import Knowledge, Known
from analysis.derive.fallback.ladder import LadderRung
from analysis.derive.fallback.question import (
    Answer,
    Question,
    needed,
    refuse,
    transactions,
)
from models.between import MachineInterpolation, MachineQuestion, MachineValue
from models.generation import (
    GenerationQuestion,
    GenerationTransfer,
    Quantity,
    capacity,
    cpu_factor,
    cpu_share,
)
from models.parameters import find, read_interfaces
from models.prediction import UNITS


def transfer(asked: Question, known: Knowledge) -> Answer:
    """The quantity moved from other generations; ``Refused`` where none fits.

    Between two measured machines it is interpolated, from one alone scaled.
    """
    setup = asked.needed_setup
    sources = _sources(asked, known, setup)
    size = capacity(setup.cpc, setup.cps)
    sizes = {arm: _size(known, arm, setup.cps) for arm in sources}
    smaller = [arm for arm in sources if sizes[arm] < size]
    larger = [arm for arm in sources if sizes[arm] > size]
    if smaller and larger:
        return _between(asked, known, smaller[0], larger[0])
    return _moved(asked, known, sources[0], setup)


def _moved(asked: Question, known: Knowledge, source: str, setup: ModelSetup) -> Answer:
    """The quantity of one machine, scaled to another."""
    origin = known.setups[source]
    anchor = needed(known, asked, source)
    share, used = _cpu_share(asked, known, source, origin, setup)
    question = GenerationQuestion(
        cast("Quantity", asked.metric),
        anchor.value,
        UNITS[asked.metric],
        origin.cpc,
        setup.cpc,
        setup.cps,
        share,
        anchor.sigma,
    )
    prediction = GenerationTransfer().predict(question)
    reason = f"from runs of {source} on {origin.cpc}; CPU time scaled to {setup.cpc}"
    if asked.metric != "cpu_cost":
        reason += f", {share:.0%} of the time of a transaction"
    inputs = (anchor, *used)
    return Answer("generation", prediction, reason, inputs, "generation")


def _between(asked: Question, known: Knowledge, smaller: str, larger: str) -> Answer:
    """The quantity of a machine between two, and how far each is from the other's."""
    setup, arms = asked.needed_setup, (smaller, larger)
    anchors = [needed(known, asked, arm) for arm in arms]
    ends = [
        MachineValue(_size(known, arm, setup.cps), anchor.value, anchor.sigma)
        for arm, anchor in zip(arms, anchors, strict=True)
    ]
    size = capacity(setup.cpc, setup.cps)
    question = MachineQuestion(ends[0], ends[1], size, UNITS[asked.metric])
    errors = [
        100 * _moved(asked, known, source, known.setups[target]).prediction.value
        / anchor.value - 100
        for source, target, anchor in zip(arms[::-1], arms, anchors, strict=True)
    ]  # fmt: skip
    reason = (
        f"from runs of {smaller} and {larger}, by the capacity of the CPs between; "
        "the error is that of scaling each to the other by capacity alone"
    )
    prediction = MachineInterpolation().predict(question)
    return Answer(
        "generation", prediction, reason, tuple(anchors), left_out=tuple(errors)
    )


def _size(known: Knowledge, arm: str, cps: int) -> float:
    return capacity(known.setups[arm].cpc, cps)


def _sources(asked: Question, known: Knowledge, setup: ModelSetup) -> list[str]:
    """The measured arms that differ in their CPC alone."""
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
        raise refuse("no_other_cpc", interface=setup.interface)
    name = asked.workload.name
    measured = [
        arm
        for arm in like
        if known.measured(arm, name, asked.metric, asked.role) is not None
    ]
    if not measured:
        raise refuse("others_lack_it", arms=tuple(like), workload=name)
    return measured


def _cpu_share(
    asked: Question,
    known: Knowledge,
    source: str,
    origin: ModelSetup,
    setup: ModelSetup,
) -> tuple[float, tuple[Known, ...]]:
    """The share of a transaction's time that scales with the CPU, and its inputs.

    All of it for CPU cost, and where the data never leaves memory: CPUs copy it.
    """
    in_memory = find(origin.interface, read_interfaces()).memory
    if asked.metric == "cpu_cost" or in_memory:
        return 1.0, ()
    work = asked.workload
    roles = sorted(
        {
            cell.role
            for cell in known.samples
            if cell[:3] == (source, work.name, "cpu_cost") and cell.role
        }
    )
    costs = [known.measured(source, work.name, "cpu_cost", role) for role in roles]
    used = tuple(cost for cost in costs if cost is not None)
    rate = _rate(known, source, asked)
    if not used or rate is None:
        raise refuse("no_cpu_cost", configuration=source)
    factor = cpu_factor(origin.cpc, setup.cpc, origin.cps)
    demands = [cost.value for cost in used]
    if work.shape == "STR":  # stages of a pipe: the busiest CPU sets the pace at most
        return min(1.0, max(demands) * rate * 1e-6 / work.clients), used
    return cpu_share(rate, work.clients, demands, origin.cps, factor), used


def _rate(known: Knowledge, source: str, asked: Question) -> float | None:
    """Transactions a second of the source."""
    work = asked.workload
    flow = "throughput" if work.shape == "STR" else "rate"
    found = known.measured(source, work.name, flow)
    return None if found is None else transactions(work, found.value)


RUNG = LadderRung("generation", transfer)
