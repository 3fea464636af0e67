"""What a study knows before anything is predicted, and what it lacks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from analysis.declared.base import line_of, load_yaml
from analysis.declared.campaign import (
    CAMPAIGN_FILE,
    Campaign,
    Configuration,
    ModelSetup,
    campaign_folder,
    mtus,
)
from analysis.declared.published import Published
from analysis.declared.study import Study
from analysis.declared.vocabulary import Origin
from analysis.declared.workload import Workload, parse_workload
from analysis.derive.overlaps import overlaps
from analysis.derive.samples import Cell, Sample
from analysis.derive.scope import StudyScope
from analysis.errors import Issue, Place

if TYPE_CHECKING:  # the models import scipy, which few studies need
    from models.loads import References

Beside = Mapping[tuple[str, str], tuple[str, ...]]
# How fast a workload of each shape flows.
FLOWS = {
    "RR": ("latency", "rate"),
    "CRR": ("latency", "rate"),
    "STR": ("throughput",),
    "ECI": ("rate",),
    "TN": ("rate",),
}
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

    ``setups`` are by configuration. ``controls`` repeat a configuration to show noise.
    ``beside`` holds the workloads that ran at the same time as another one, by
    configuration and workload. ``references`` are the errors of measured loads
    elsewhere, None for the declared ones.
    """

    study: Study
    samples: Mapping[Cell, Sample]
    setups: Mapping[str, ModelSetup] = field(default_factory=dict)
    controls: frozenset[str] = frozenset()
    published: tuple[Published, ...] = ()
    beside: Beside = field(default_factory=dict)
    references: References | None = None

    def measured(
        self, configuration: str, workload: str, metric: str, role: str | None = None
    ) -> Known | None:
        """The median of a sample; None where there is none or it is not positive."""
        sample = self.samples.get(Cell(configuration, workload, metric, role))
        if sample is None or float(np.min(sample.values)) <= 0:
            return None
        return Known(
            self.median(sample),
            _sigma(sample),
            sample.origins,
            sample.runs,
            sample.files,
        )

    @staticmethod
    def median(sample: Sample) -> float:
        """The value of a sample."""
        return float(np.median(sample.values))

    def workloads(self, configuration: str, shape: str) -> list[Workload]:
        """The workloads of a shape that a configuration was measured with, in order."""
        names = {c.workload for c in self.samples if c.configuration == configuration}
        known = [w for w in map(parse_workload, names) if w.shape == shape]
        return sorted(known, key=lambda workload: workload.order)

    def partners(self, configuration: str) -> tuple[str, ...]:
        """What a configuration is compared with: its baseline, tests against it."""
        study = self.study
        baselines = (
            [study.baseline_of(configuration)] if configuration in study.tests else []
        )
        tests = [t for t in study.tests if study.baseline_of(t) == configuration]
        partners = dict.fromkeys([*baselines, *tests])
        return tuple(
            c for c in partners if c not in self.controls and c != configuration
        )

    def ran_beside(self, configuration: str, workload: str) -> tuple[str, ...]:
        """Workloads that ran, or would run, at the same time as this one."""
        for arm in (configuration, *self.partners(configuration)):
            if (arm, workload) in self.beside:
                return self.beside[arm, workload]
        return ()


def gather_knowledge(scope: StudyScope, samples: Mapping[Cell, Sample]) -> Knowledge:
    """All that the ladder may start from in one study."""
    study = scope.study
    campaigns = [scope.campaigns[name] for name in study.campaigns]
    declared = [pair for c in campaigns for pair in c.configurations.items()]
    controls = {id for id, configuration in declared if configuration.control_of}
    if study.noise.control:
        controls.add(study.noise.control)
    runs = scope.evidence.runs.filter(
        pl.col("used"), pl.col("campaign").is_in(study.campaigns)
    )
    return Knowledge(
        study,
        samples,
        setups={id: c.model for id, c in declared if c.model is not None},
        controls=frozenset(controls),
        published=scope.published,
        beside=find_beside(runs),
    )


def asked_cells(scope: StudyScope) -> Iterator[Cell]:
    """Cells of loads that nobody ran, which the study asks the models for."""
    for asked in scope.study.asks:
        for metric in asked.metrics:
            for configuration in scope.configurations:
                for workload in asked.workloads:
                    yield Cell(configuration, workload, metric, asked.role)


def missing_cells(scope: StudyScope, known: Knowledge) -> Iterator[Cell]:
    """Cells without measurement that an arm's partner has, or that the study asks for.

    None of controls, and of CPU only the roles that loads of the shape have.
    """
    asked = set(scope.study.estimate.workloads)
    for cell in scope.cells():
        arm = cell.configuration
        if cell in known.samples or arm in known.controls:
            continue
        partners = (cell._replace(configuration=p) for p in known.partners(arm))
        if any(partner in known.samples for partner in partners) or (
            cell.workload in asked and _has_like(cell, known)
        ):
            yield cell


def _has_like(cell: Cell, known: Knowledge) -> bool:
    """Whether the arm was measured like that with another workload of the shape."""
    shape = parse_workload(cell.workload).shape
    return any(
        known.measured(cell.configuration, work.name, cell.metric, cell.role)
        for work in known.workloads(cell.configuration, shape)
    )


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
    one, other = (spans[touching[side]] for side in ("first", "second"))
    pairs = one.hstack(other.select(pl.all().name.suffix("_other")))
    common = pl.min_horizontal("stop", "stop_other") - pl.max_horizontal(
        "start", "start_other"
    )
    shorter = pl.min_horizontal("seconds", "seconds_other")
    together = pairs.filter(
        pl.col("workload") != pl.col("workload_other"), common > shorter / 2
    )
    names = together.group_by("configuration", "workload").agg(
        pl.col("workload_other").unique().sort()
    )
    return {(c, w): tuple(others) for c, w, others in names.iter_rows()}


def joint_sigma(known: Sequence[Known]) -> float:
    """One log deviation for several measured values: their root mean square."""
    return math.sqrt(float(np.mean([k.sigma**2 for k in known])))


def payload(work: Workload) -> int:
    """Bytes of a transaction, both ways."""
    return work.request_bytes + work.response_bytes


def _sigma(sample: Sample) -> float:
    if len(sample.values) < 2:
        return _SINGLE
    spread = float(np.std(np.log(sample.values), ddof=1))
    return _OF_MEDIAN * spread / math.sqrt(len(sample.values))


def check_setups(campaigns: Mapping[str, Campaign], raw: Path) -> list[Issue]:
    """Models of configurations that contradict their campaign."""
    issues = []
    for name, campaign in campaigns.items():
        cps = {system.cps for system in campaign.systems.values()}
        path = campaign_folder(raw, name) / CAMPAIGN_FILE
        for id, configuration in campaign.configurations.items():
            for entry, what, mend in _mistakes(id, configuration, campaign, cps):
                keys = ("configurations", id, "model", entry)
                line = line_of(load_yaml(path)[1], keys)
                issues.append(Issue(what, Place(str(path), line), mend))
    return issues


def _mistakes(
    id: str, configuration: Configuration, campaign: Campaign, cps: set[int]
) -> Iterator[tuple[str, str, str]]:
    """Of the model of a configuration: the entry, what is wrong, how to mend it."""
    setup = configuration.model
    if setup is None:
        return
    printed = mtus(configuration.details)
    if setup.mtu is not None and printed and setup.mtu not in printed:
        said = " and ".join(map(str, printed))
        yield "mtu", f"the details say MTU {said}", "make them agree"
    if setup.cps not in cps:
        what = f"no system of this campaign has {setup.cps} CPs"
        yield "cps", what, f"there is {', '.join(map(str, sorted(cps)))}"
    control_of = campaign.configurations.get(configuration.control_of or "")
    if control_of is not None and control_of.model != setup:
        what = f"{id} repeats {configuration.control_of}, but not its model"
        yield "", what, "declare the same model for both"
