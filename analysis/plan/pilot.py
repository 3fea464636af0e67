"""How runs scatter, and how long they take, by a pilot or an older campaign."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path
from typing import TypeAlias

import numpy as np
import polars as pl

from analysis.declared.metrics import Metric
from analysis.declared.mistakes import nearest_of
from analysis.declared.workload import matches, parse_workload, workload_order
from analysis.derive.raw import read_raw
from analysis.derive.samples import Cell, RunEvidence, Sample, gather_samples
from analysis.errors import user_error
from analysis.statistics.log_ratio import welch
from analysis.statistics.power import median_error
from analysis.statistics.statistic import Values

BySession: TypeAlias = Mapping[str, Values]
_FEWEST = 2  # runs or sessions, of which a spread can be told


@dataclass(frozen=True)
class Scatter:
    """How far values scatter, as standard deviations of logarithms.

    ``within`` is of the runs of a session, told by so many ``degrees`` of freedom.
    ``between`` is of the change between two sides of a session, from session to
    session, beyond what their runs explain; None where it is not known.
    """

    workload: str
    metric: str
    within: float
    between: float | None = None
    degrees: int = 0


@dataclass(frozen=True)
class Pilot:
    """What a campaign tells a plan: how each value scatters, the configurations, the
    number of comparisons and the seconds from the start of a run to the next one."""

    name: str
    runs: int
    sides: tuple[str, ...]
    scatters: tuple[Scatter, ...]
    comparisons: int
    seconds: float | None = None


@dataclass(frozen=True)
class Asked:
    """What of a campaign is looked at: configurations, workloads by name or pattern,
    metrics; all of them, where none is named."""

    sides: Sequence[str] = ()
    workloads: Sequence[str] = ()
    metrics: Sequence[str] = ()


def read_pilot(folder: Path, asked: Asked) -> Pilot:
    """What the raw files of a campaign tell; see :func:`pilot_of`."""
    evidence, sessions = read_raw(folder)
    return pilot_of(folder, evidence, sessions, asked)


def pilot_of(
    folder: Path, evidence: RunEvidence, sessions: Mapping[str, str], asked: Asked
) -> Pilot:
    """What the runs of a campaign tell; ``sessions`` are those of runs that have one.

    A :class:`UserError` where what is asked for is not there, or no value has two runs.
    """
    name, metrics = folder.resolve().name, evidence.metrics
    runs = evidence.runs.filter("used")
    there = sorted(runs["configuration"].unique())
    for what, wanted, known in (
        ("configuration", asked.sides, there),
        ("metric", asked.metrics, list(metrics)),
    ):
        for id in wanted:
            if id not in known:
                what = f"there is no {what} {id!r}"
                raise user_error(what, folder, mend=nearest_of(id, known))
    sides, samples = (
        tuple(asked.sides) or tuple(there),
        gather_samples(evidence, [name]),
    )
    alike: dict[Cell, list[Sample]] = {}
    for cell in samples:
        if cell.configuration in sides and _is_compared(cell, metrics, asked):
            value = cell._replace(configuration="")
            alike.setdefault(value, []).append(samples[cell])
    found = [
        _scatter(cell, [_by_session(sample, sessions) for sample in of_value])
        for cell, of_value in alike.items()
        if asked.metrics or metrics[cell.metric].better != "none"
    ]
    scatters = list(_widest([scatter for scatter in found if scatter]))
    if not scatters:
        what = "no value of it has two runs on one configuration that differ"
        mend = "measure four runs or more as a pilot, or write --spread PERCENT"
        raise user_error(what, folder, mend=mend)
    order = list(metrics)
    scatters.sort(key=lambda s: (workload_order(s.workload), order.index(s.metric)))
    comparisons = len(alike) * max(len(sides) - 1, 1)
    found_in = (name, runs.height, sides, tuple(scatters), comparisons)
    return Pilot(*found_in, _seconds(runs))


def _is_compared(cell: Cell, metrics: Mapping[str, Metric], asked: Asked) -> bool:
    """Whether a change is asked for, or else among the comparisons of a study."""
    loads, metric = asked.workloads, metrics[cell.metric]
    if loads and not any(matches(cell.workload, pattern) for pattern in loads):
        return False
    if parse_workload(cell.workload).shape not in metric.shapes:
        return False
    return cell.metric in asked.metrics if asked.metrics else not metric.repeats


def _scatter(cell: Cell, alike: Sequence[BySession]) -> Scatter | None:
    """How the runs of a value scatter, over all configurations; None where no session
    has two runs, or a value is not above zero."""
    squares, degrees = 0.0, 0
    for part in (part for sessions in alike for part in sessions.values()):
        ratio = welch(part, part) if len(part) >= _FEWEST else None
        if ratio:  # without outliers, as verdicts have it
            squares += ratio.error**2 / 2 * len(part) * (len(part) - 1)
            degrees += len(part) - 1
    if not squares:
        return None
    within = math.sqrt(squares / degrees)
    between = _between(alike, within)
    return Scatter(cell.workload, cell.metric, within, between, degrees)


def _by_session(sample: Sample, sessions: Mapping[str, str]) -> BySession:
    """The values of each session; of one without a name, where a run has none."""
    names = [sessions.get(run, "") for run in sample.runs]
    names = names if all(names) else [""] * len(names)
    places = np.array(names)
    return {name: sample.values[places == name] for name in dict.fromkeys(names)}


def _between(alike: Sequence[BySession], within: float) -> float | None:
    """How far the change between two sides differs from session to session.

    Of sides that share two sessions or more, the variance of the ratios of medians less
    what runs explain of it. Of one side alone twice that of its medians, as if nothing
    that a session does were done to both.
    """
    pairs = [(a, b) for a, b in pairwise(alike) if len(a.keys() & b.keys()) >= _FEWEST]
    changes = [[(a[name], b[name]) for name in a if name in b] for a, b in pairs]
    levels = [[(part,) for part in side.values()] for side in alike]
    series: Sequence[Sequence[tuple[Values, ...]]] = changes or levels
    variances, degrees = 0.0, 0
    for sessions in (one for one in series if len(one) >= _FEWEST):
        medians = [[math.log(float(np.median(p))) for p in parts] for parts in sessions]
        moved = [logs[-1] - logs[0] if len(logs) > 1 else logs[0] for logs in medians]
        explained = [sum(_explained(within, p) for p in parts) for parts in sessions]
        left = float(np.var(moved, ddof=1)) - math.fsum(explained) / len(explained)
        variances += left * (len(sessions) - 1) * (1 if changes else 2)
        degrees += len(sessions) - 1
    return math.sqrt(max(variances / degrees, 0.0)) if degrees else None


def _explained(within: float, part: Values) -> float:
    """The variance of the median of some runs."""
    return (within * median_error(len(part))) ** 2 / len(part)


def _widest(scatters: Iterable[Scatter]) -> Iterator[Scatter]:
    """Of the roles of a metric the one that scatters most."""

    def value(one: Scatter) -> tuple[str, str]:
        return one.workload, one.metric

    for _, alike in groupby(sorted(scatters, key=value), value):
        yield max(alike, key=lambda one: (one.between or 0.0, one.within))


def _seconds(runs: pl.DataFrame) -> float | None:
    """From the start of a run to that of the next one, as it is most often; without
    starts the length of their windows."""
    starts = sorted(runs["started"].drop_nulls().to_list())
    apart = [after - before for before, after in pairwise(starts) if after > before]
    lasted = runs["window_seconds"].drop_nulls().to_list()
    known = apart if len(starts) == runs.height and apart else lasted
    return float(np.median(known)) if known else None
