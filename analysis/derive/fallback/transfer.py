"""Second rung: the same interface, measured on another CPC or on two."""

from __future__ import annotations

from analysis.declared.campaign import ModelSetup
from analysis.derive.fallback.knowledge import Knowledge, Known, transactions
from analysis.derive.fallback.question import Answer, Question, needed, refuse
from models.generation import (
    IN_MEMORY,
    GenerationTransfer,
    MachineInterpolation,
    MachineValue,
    capacity,
    cpu_factor,
    cpu_share,
)
from models.prediction import UNITS


def transfer(asked: Question, known: Knowledge) -> Answer:
    """The quantity moved from other generations; ``Refused`` where none fits.

    Between two measured machines it is interpolated, from one alone scaled.
    """
    setup = asked.setup
    if setup is None:
        arm = asked.configuration
        raise refuse("no_setup", f"campaign.yaml declares no model of {arm}")
    sources = _sources(asked, known, setup)
    size = capacity(setup.cpc, setup.cps)
    sizes = {arm: _size(known, arm, setup.cps) for arm in sources}
    smaller = [arm for arm in sources if sizes[arm] < size]
    larger = [arm for arm in sources if sizes[arm] > size]
    if smaller and larger:
        return _between(asked, known, (smaller[0], larger[0]), setup)
    return _moved(asked, known, sources[0], setup)


def _moved(asked: Question, known: Knowledge, source: str, setup: ModelSetup) -> Answer:
    """The quantity of one machine, scaled to another."""
    origin = known.setups[source]
    anchor = needed(known, asked, source)
    share, used = _cpu_share(asked, known, source, origin, setup)
    model = GenerationTransfer(origin.cpc, setup.cpc, setup.cps)
    unit = UNITS[asked.metric]
    prediction = model.predict(asked.metric, anchor.value, unit, share, anchor.sigma)
    reason = f"from runs of {source} on {origin.cpc}; CPU time scaled to {setup.cpc}"
    if asked.metric != "cpu_cost":
        reason += f", {share:.0%} of the time of a transaction"
    return Answer("generation", prediction, reason, (anchor, *used), "generation")


def _between(
    asked: Question, known: Knowledge, arms: tuple[str, str], setup: ModelSetup
) -> Answer:
    """The quantity of a machine between two, and how far each is from the other's."""
    anchors = [needed(known, asked, arm) for arm in arms]
    smaller, larger = (
        MachineValue(_size(known, arm, setup.cps), anchor.value, anchor.sigma)
        for arm, anchor in zip(arms, anchors, strict=True)
    )
    model = MachineInterpolation(smaller, larger)
    prediction = model.predict(capacity(setup.cpc, setup.cps), UNITS[asked.metric])
    errors = [
        100 * _moved(asked, known, source, known.setups[target]).prediction.value
        / anchor.value - 100
        for source, target, anchor in zip(arms[::-1], arms, anchors, strict=True)
    ]  # fmt: skip
    reason = (
        f"from runs of {arms[0]} and {arms[1]}, by the capacity of the CPs between; "
        "the error is that of scaling each to the other by capacity alone"
    )
    inputs = tuple(anchors)
    return Answer("generation", prediction, reason, inputs, left_out=tuple(errors))


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
        what = f"no configuration with {setup.interface} differs in its CPC alone"
        raise refuse("no_other_cpc", what)
    name = asked.workload.name
    measured = [
        arm
        for arm in like
        if known.measured(arm, name, asked.metric, asked.role) is not None
    ]
    if not measured:
        raise refuse("others_lack_it", f"{' and '.join(like)} lacks {name} too")
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
    if asked.metric == "cpu_cost" or origin.interface in IN_MEMORY:
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
    flow = "throughput" if work.shape == "STR" else "rate"
    measured = known.measured(source, work.name, flow)
    if not used or measured is None:
        raise refuse("no_cpu_cost", f"the CPU cost of {source} is not known")
    rate = transactions(work, measured.value)
    factor = cpu_factor(origin.cpc, setup.cpc, origin.cps)
    demands = [cost.value for cost in used]
    if work.shape == "STR":  # stages of a pipe: the busiest CPU sets the pace at most
        return min(1.0, max(demands) * rate * 1e-6 / work.clients), used
    return cpu_share(rate, work.clients, demands, origin.cps, factor), used
