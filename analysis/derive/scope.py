"""What one study's facts are derived from, which cells its tables have, and whether
its runs are what it asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from analysis.declared.base import line_of, load_yaml
from analysis.declared.campaign import (
    CAMPAIGN_FILE,
    Campaign,
    Configuration,
    campaign_folder,
)
from analysis.declared.checks import places_in, unknown_name
from analysis.declared.edition import Family
from analysis.declared.metrics import COST_PARTS, Metric
from analysis.declared.published import Published
from analysis.declared.study import Noise, Study
from analysis.declared.vocabulary import PARTS
from analysis.declared.workload import matches, parse_workload
from analysis.derive.samples import Cell, RunEvidence
from analysis.errors import Issue, Place
from analysis.facts.fact import RunCount, fact_key
from analysis.facts.units import gaps

_WORDS = {"mtu": ("mtu", "jumbo", "frame", "packet"), "offload": ("offload", "segment")}
_SETTING = re.compile("|".join(_WORDS))
APART = "waterfall"  # the kind of figure that takes a cost apart
Counts = Mapping[tuple[str, str], RunCount]


@dataclass(frozen=True)
class StudyScope:
    """One study of one edition, and all that its facts are derived from.

    Where it knows its ``campaigns``, models stand in for arms that nobody measured.
    """

    edition: str
    id: str
    study: Study
    metrics: Mapping[str, Metric]
    evidence: RunEvidence
    campaigns: Mapping[str, Campaign] = field(default_factory=dict)
    published: tuple[Published, ...] = ()

    @property
    def configurations(self) -> tuple[str, ...]:
        """Baselines and tests, each baseline before the first test that needs it."""
        return self.study.configurations

    def key(self, cell: Cell, delta: bool = False) -> str:
        """The key of the cell's fact in this study."""
        slug = parse_workload(cell.workload).slug
        return fact_key(
            self.id, slug, cell.role, cell.metric, cell.configuration, delta
        )

    def about(self, cell: Cell) -> dict[str, Any]:
        """The fields of a :class:`Fact` that say what it is a fact of."""
        return cell._asdict() | {
            "edition": self.edition,
            "study": self.id,
            "better": self.metrics[cell.metric].better,
        }

    def cells(self) -> Iterator[Cell]:
        """Every cell that the study's tables may have, in the order of its tables."""
        wanted = self._asked() or tuple(self.metrics)
        for workload in study_workloads(self.evidence.runs, self.study):
            shape = parse_workload(workload).shape
            for metric in wanted:
                declared = self.metrics[metric]
                if shape not in declared.shapes:
                    continue
                if not self.study.metrics and self._falls_back(declared, shape):
                    continue  # who wants it names it
                parts = self.study.roles.get(metric, PARTS)
                for role in parts if declared.roles else (None,):
                    for configuration in self.configurations:
                        yield Cell(configuration, workload, metric, role)

    def _asked(self) -> tuple[str, ...]:
        """The metrics that the study names, and the parts of costs whose change a
        figure takes apart."""
        named = dict.fromkeys(self.study.metrics)
        apart = [f for f in self.study.figures if f.kind == APART]
        for id in (id for figure in apart if named for id in figure.metrics):
            named |= dict.fromkeys(COST_PARTS.get(id, ()))
        return tuple(named)

    def _falls_back(self, metric: Metric, shape: str) -> bool:
        """Whether a metric of services is, without these, one of the benchmark that
        the shape has too: response time is latency then, or the time of a transfer."""
        return metric.evidence == "service" and any(
            other.evidence == "benchmark"
            and shape in other.shapes
            and other.expression in metric.expression
            for other in self.metrics.values()
        )


def study_workloads(runs: pl.DataFrame, study: Study) -> list[str]:
    """Names of the workloads that the study asks for: those run, those to predict."""
    of_study = runs.filter(pl.col("campaign").is_in(study.campaigns))
    ran = set(of_study["workload"].unique())
    asked = {n for n in ran if any(matches(n, p) for p in study.workloads)}
    asked.update(study.estimate.workloads)
    return sorted(asked, key=lambda name: parse_workload(name).order)


def study_runs(scope: StudyScope) -> pl.DataFrame:
    """The runs of the study's configurations and workloads, failed ones too."""
    runs, study = scope.evidence.runs, scope.study
    return runs.filter(
        pl.col("campaign").is_in(study.campaigns),
        pl.col("configuration").is_in(scope.configurations),
        pl.col("workload").is_in(study_workloads(runs, study)),
    )


def count_runs(scope: StudyScope) -> Counts:
    """Used, excluded and missing runs by configuration and workload, with reasons."""
    several = len(scope.study.campaigns) > 1
    groups = study_runs(scope).partition_by(
        "configuration", "workload", as_dict=True, maintain_order=True
    )
    return {
        (configuration, workload): RunCount(
            scope.edition,
            scope.id,
            configuration,
            workload,
            used=int(group["used"].sum()),
            excluded=int((~group["used"]).sum()),
            sessions=_sessions(group.filter("used"), several),
            reasons=tuple(
                (run["id"] if several else run["run"], _reason(run))
                for run in group.filter(~pl.col("used")).to_dicts()
            ),
            missing=tuple(_missing(group, several)),
        )
        for (configuration, workload), group in groups.items()
    }


def _sessions(used: pl.DataFrame, several: bool) -> tuple[str, ...]:
    if used["session"].null_count():
        return ()
    ids = used["session"].unique().sort().to_list()
    return tuple(id if several else id.partition("/")[2] for id in ids)


def _reason(run: Mapping[str, str]) -> str:
    status = run["status"] if run["status"] != "ok" else "failed"
    return f"{status}: {run['reason'] or 'no benchmark result'}"


def _missing(group: pl.DataFrame, several: bool) -> Iterator[str]:
    """Gaps in the repetitions, which each campaign counts from 1."""
    for (campaign,), rows in group.group_by("campaign", maintain_order=True):
        missing = gaps(rows["repetition"].to_list())
        yield from (f"{gap} in {campaign}" if several else gap for gap in missing)


def check_runs(scope: StudyScope, path: Path) -> list[Issue]:
    """Workloads that no run has, and comparisons of measured with synthetic runs."""
    at, study = places_in(path), scope.study
    runs = scope.evidence.runs.filter(pl.col("campaign").is_in(study.campaigns))
    ran = sorted(runs["workload"].unique())
    issues = [
        unknown_name("workload", pattern, ran, at("workloads", i))
        for i, pattern in enumerate(study.workloads)
        if not any(matches(name, pattern) for name in ran)
    ]
    compared = [*scope.configurations, study.noise.control]
    used = runs.filter(pl.col("used"), pl.col("configuration").is_in(compared))
    for workload in study_workloads(runs, study):
        origins = set(used.filter(workload=workload)["origin"].unique())
        if {"measured", "synthetic"} <= origins:
            what = f"{workload} would compare measured runs with synthetic ones"
            mend = "a delta never mixes them: use campaigns of one origin"
            issues.append(Issue(what, at("campaigns"), mend))
    return issues


def unnamed_differences(
    study: Study, campaigns: Mapping[str, Campaign], raw: Path
) -> Iterator[str]:
    """MTU and offload settings that differ between a test and its baseline beside what
    is compared: neither title, question nor label names them.

    Names that nothing declares are left to :func:`check_study`.
    """
    of = {
        id: (name, configuration)
        for name in study.campaigns
        if name in campaigns
        for id, configuration in campaigns[name].configurations.items()
    }
    for test in study.tests:
        pair = (study.baselines.get(test, study.baseline), test)
        if not of.keys() >= {*pair}:
            continue
        before, after = (of[id][1].details for id in pair)
        texts = (study.title, study.question, *(of[id][1].label for id in pair))
        words = " ".join(texts).casefold()
        unlike = [n for n in {**before, **after} if before.get(n) != after.get(n)]
        yield from _captured(study, pair, of, unlike, raw)
        for name in unlike:
            terms = _SETTING.findall(name.casefold())
            named = any(word in words for term in terms for word in _WORDS[term])
            if (
                terms
                and not named
                and len(unlike) > 1
                and name in before.keys() & after
            ):
                values = (f"{of[id][1].details[name]} in {id}" for id in pair)
                places = (_place_of(raw, of[id][0], id, name) for id in pair)
                said = " and ".join(map("{} ({})".format, values, places))
                yield f"{name} is {said}; no question or label says that it differs"


def _captured(
    study: Study,
    pair: tuple[str, str],
    of: Mapping[str, tuple[str, Configuration]],
    unlike: Sequence[str],
    raw: Path,
) -> Iterator[str]:
    """What was captured of both, differs, and is not what is compared."""
    texts = (study.title, study.question, *(of[id][1].label for id in pair))
    words = set(re.findall(r"\w+", " ".join(texts).casefold()))
    campaign, first = of[pair[0]]
    for name in unlike:
        system = name.rpartition(" (")[2].rstrip(")")
        both = all(name in of[id][1].details for id in pair)
        if system not in first.snapshots or not both:
            continue
        terms = set(re.findall(r"\w{3,}", name.rpartition(" (")[0].casefold()))
        if not terms & words:
            file = campaign_folder(raw, campaign) / first.snapshots[system]
            values = " and ".join(f"{of[id][1].details[name]} in {id}" for id in pair)
            yield f"{name} is {values}, and is not what is compared ({file})"


def _place_of(raw: Path, campaign: str, configuration: str, detail: str) -> Place:
    path = campaign_folder(raw, campaign) / CAMPAIGN_FILE
    keys = ("configurations", configuration, "details", detail)
    return Place(str(path), line_of(load_yaml(path)[1], keys))


def check_family(
    family: Family, noises: Mapping[str, Noise], path: Path
) -> list[Issue]:
    """Studies that are judged as one family, by several procedures."""
    methods = sorted({noise.adjust for noise in noises.values()})
    if family == "study" or len(methods) == 1:
        return []
    what = f"a family of all studies needs one adjustment, not {' and '.join(methods)}"
    mend = "give all studies the same 'noise: adjust', or declare family: study"
    return [Issue(what, places_in(path)("family"), mend)]
