"""What a study knows before anything is predicted: measured values and declarations."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from analysis.declared.campaign import ModelSetup
from analysis.declared.published import Published
from analysis.declared.study import Study
from analysis.declared.vocabulary import Origin
from analysis.declared.workload import Workload, parse_workload
from analysis.derive.at_a_time import overlaps
from analysis.derive.samples import Cell, Sample

Beside = Mapping[tuple[str, str], tuple[str, ...]]
# The standard error of a median of normal values over that of their mean.
_OF_MEDIAN = math.sqrt(math.pi / 2)
_SINGLE = 0.02  # log deviation of one run, which cannot tell it


@dataclass(frozen=True)
class Known:
    """A value that a prediction starts from; ``sigma`` is its log deviation."""

    value: float
    sigma: float
    origins: tuple[Origin, ...]
    runs: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class Knowledge:
    """One study's measured samples, what is declared of its arms, what is published.

    ``beside`` holds the workloads that ran at the same time as another one, by
    configuration and workload. ``controls`` repeat a configuration to show noise.
    ``think`` has think times of clients [ms] by configuration, where all campaigns
    agree.
    """

    id: str
    study: Study
    samples: Mapping[Cell, Sample]
    setups: Mapping[str, ModelSetup] = field(default_factory=dict)
    published: tuple[Published, ...] = ()
    beside: Beside = field(default_factory=dict)
    controls: frozenset[str] = frozenset()
    think: Mapping[str, float] = field(default_factory=dict)

    def measured(
        self, configuration: str, workload: str, metric: str, role: str | None = None
    ) -> Known | None:
        """The median of a sample; None where there is none or it is not positive."""
        sample = self.samples.get(Cell(configuration, workload, metric, role))
        if sample is None or float(np.min(sample.values)) <= 0:
            return None
        value = float(np.median(sample.values))
        return Known(value, _sigma(sample), sample.origins, sample.runs, sample.files)

    def workloads(self, configuration: str, shape: str) -> list[Workload]:
        """The workloads of a shape that a configuration was measured with, in order."""
        names = {c.workload for c in self.samples if c.configuration == configuration}
        found = [w for w in map(parse_workload, names) if w.shape == shape]
        return sorted(found, key=lambda workload: workload.order)

    def partners(self, configuration: str) -> tuple[str, ...]:
        """What a configuration is compared with: its baseline, tests against it."""
        study = self.study
        own = [study.baseline_of(configuration)] if configuration in study.tests else []
        tests = [t for t in study.tests if study.baseline_of(t) == configuration]
        found = dict.fromkeys([*own, *tests])
        return tuple(c for c in found if c not in self.controls and c != configuration)

    def ran_beside(self, configuration: str, workload: str) -> tuple[str, ...]:
        """Workloads that ran, or would run, at the same time as this one."""
        for arm in (configuration, *self.partners(configuration)):
            if (arm, workload) in self.beside:
                return self.beside[arm, workload]
        return ()


def find_beside(runs: pl.DataFrame) -> Beside:
    """Workloads whose runs share most of their time, by configuration and workload."""
    spans = runs.select(
        "campaign",
        "configuration",
        "workload",
        start="started",
        stop=pl.col("started") + pl.col("window_seconds"),
        seconds="window_seconds",
    ).drop_nulls()
    touching = overlaps(spans, spans, ("campaign", "configuration"))
    own, other = (spans[touching[side]] for side in ("first", "second"))
    pairs = own.hstack(other.select(pl.all().name.suffix("_other")))
    common = pl.min_horizontal("stop", "stop_other") - pl.max_horizontal(
        "start", "start_other"
    )
    shorter = pl.min_horizontal("seconds", "seconds_other")
    together = pairs.filter(
        pl.col("workload") != pl.col("workload_other"), common > shorter / 2
    )
    found = together.group_by("configuration", "workload").agg(
        pl.col("workload_other").unique().sort()
    )
    return {(c, w): tuple(others) for c, w, others in found.iter_rows()}


def joint_sigma(known: Sequence[Known]) -> float:
    """One log deviation for several measured values: their root mean square."""
    return math.sqrt(float(np.mean([k.sigma**2 for k in known])))


def _sigma(sample: Sample) -> float:
    if len(sample.values) < 2:
        return _SINGLE
    spread = float(np.std(np.log(sample.values), ddof=1))
    return _OF_MEDIAN * spread / math.sqrt(len(sample.values))
