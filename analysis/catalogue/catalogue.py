"""The catalogue: all campaigns with what is declared, read and missing of each.

It is gathered from declarations, the database and the sizes of files; no raw file but
``campaign.yaml`` is opened. What cannot be read is told in its place, and what is
before or after it in the catalogue stays whole.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from analysis.catalogue.trends import Trend, find_trends
from analysis.declared.campaign import (
    CAMPAIGN_FILE,
    GENERATED,
    GENERATORS,
    Campaign,
    campaign_folder,
    find_campaigns,
    read_campaign,
)
from analysis.declared.edition import find_editions, read_edition, read_studies
from analysis.declared.metrics import Metric, read_metrics
from analysis.declared.workload import parse_workload
from analysis.derive.completeness import (
    Completeness,
    SmcConnections,
    read_completeness,
    read_smc,
)
from analysis.derive.runs import open_database
from analysis.derive.samples import RunEvidence
from analysis.derive.verb import load_evidence
from analysis.errors import UserError, as_user_error
from analysis.facts.sentences import labelled, listed
from analysis.facts.units import gaps
from analysis.files.inputs import folder_bytes
from analysis.statistics.median import STATISTIC

READ, NOT_READ, UNREADABLE = "read", "not read yet", "cannot be read"
_NAMED = 3  # of what there is more of, only so many are named


@dataclass(frozen=True)
class ConfigurationRuns:
    """A declared configuration, and how many runs the database has of it."""

    id: str
    label: str
    usable: int
    failed: int


@dataclass(frozen=True)
class CampaignEntry:
    """One campaign. Dates are ISO 8601; ``raw_bytes`` are those of its files as they
    are, ``built_bytes`` of the tables read from them. ``state`` is ``read``, ``not read
    yet`` or ``cannot be read``; ``origin`` is empty in the last case."""

    name: str
    state: str
    generated: bool
    raw_bytes: int
    built_bytes: int
    editions: tuple[str, ...]
    gaps: tuple[str, ...]
    title: str = ""
    origin: str = ""
    start: str = ""
    end: str = ""
    systems: tuple[str, ...] = ()
    configurations: tuple[ConfigurationRuns, ...] = ()
    workloads: tuple[str, ...] = ()
    dumps: tuple[Completeness, ...] = ()
    smc: tuple[SmcConnections, ...] = ()

    @property
    def usable(self) -> int:
        """Runs that worked and have a result."""
        return sum(one.usable for one in self.configurations)

    @property
    def failed(self) -> int:
        """Runs that did not."""
        return sum(one.failed for one in self.configurations)


@dataclass(frozen=True)
class Catalogue:
    """All campaigns by date and name, and all trends; ``notes`` are about both."""

    campaigns: tuple[CampaignEntry, ...]
    trends: tuple[Trend, ...]
    notes: tuple[str, ...] = ()

    def data(self) -> dict[str, Any]:
        """The catalogue as JSON has it."""
        campaigns = [
            asdict(one) | {"usable": one.usable, "failed": one.failed}
            for one in self.campaigns
        ]
        return {
            "schema": 1,
            "campaigns": campaigns,
            "trends": [asdict(trend) for trend in self.trends],
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Places:
    """Where the catalogue looks; ``tables`` has a folder of each campaign."""

    raw: Path = Path("raw")
    report: Path = Path("report")
    database: Path = Path("data/build/perf.duckdb")
    metrics: Path = Path("data/metrics.yaml")
    tables: Path = Path("data/build/ingest")


class CountedRun(NamedTuple):
    """A run as the catalogue counts it; ``with_cpu`` where its CPU time is known."""

    run: str
    configuration: str
    workload: str
    repetition: int
    usable: bool
    with_cpu: bool


def gather(places: Places) -> tuple[Catalogue, list[UserError]]:
    """The catalogue, and what could not be read of the project."""
    notebook, raw = _Notebook(), places.raw
    folders = (raw, raw.parent / GENERATED, raw.parent / GENERATORS)
    names = sorted({name for folder in folders for name in find_campaigns(folder)})
    known: dict[str, Campaign] = {}
    for name in names:
        folder = campaign_folder(raw, name)
        if not (folder / CAMPAIGN_FILE).is_file():  # a build is yet to generate it
            folder = raw.parent / GENERATORS / name
        with notebook.noted():
            known[name] = read_campaign(folder)
    used: dict[str, list[str]] = defaultdict(list)  # also by studies that are borrowed
    for id in find_editions(places.report):
        with notebook.noted():
            folder = places.report / id
            studies = read_studies(folder, read_edition(folder)).values()
            for name in sorted({n for study in studies for n in study.campaigns}):
                used[name].append(id)
    read, rows, dumps, smc, trends = _read_runs(places, known, notebook)
    entries = [
        _entry(name, known.get(name), places, tuple(used[name]),
               rows.get(name, []) if name in read else None,
               tuple(one for one in dumps if one.campaign == name),
               tuple(one for one in smc if one.campaign == name))
        for name in names
    ]  # fmt: skip
    ordered = sorted(entries, key=lambda entry: (entry.start, entry.name))
    unbuilt = f"nothing is read yet: {places.database} is made by 'make report'"
    notes = (unbuilt,) if known and not places.database.is_file() else ()
    return Catalogue(tuple(ordered), trends, notes), notebook.errors


@dataclass
class _Notebook:
    """What could not be read so far."""

    errors: list[UserError] = field(default_factory=list)

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Goes on after the block where something cannot be read, and keeps why."""
        try:
            yield
        except (UserError, OSError) as error:
            self.errors.append(as_user_error(error))


def _read_runs(
    places: Places, known: Mapping[str, Campaign], notebook: _Notebook
) -> tuple[
    set[str],
    dict[str, list[CountedRun]],
    tuple[Completeness, ...],
    tuple[SmcConnections, ...],
    tuple[Trend, ...],
]:
    """Which campaigns the database has, their runs, dumps and connections over SMC, and
    the trends."""
    if not places.database.is_file():
        return set(), {}, (), (), ()
    with notebook.noted():
        metrics = read_metrics(places.metrics)
        with open_database(places.database) as con:
            campaigns = con.execute("SELECT campaign FROM campaign ORDER BY ALL")
            read = {name for (name,) in campaigns.fetchall()}
            there = {name: known[name] for name in known if name in read}
            evidence = load_evidence(con, places.database, there, metrics)
            dumps, smc = read_completeness(con), read_smc(con)
        rows = _counted_runs(evidence, metrics)
        return read, rows, dumps, smc, find_trends(evidence, there, metrics)
    return set(), {}, (), (), ()


def _counted_runs(
    evidence: RunEvidence, metrics: Mapping[str, Metric]
) -> dict[str, list[CountedRun]]:
    cpu = {id for id, metric in metrics.items() if metric.evidence == "cpu"}
    with_cpu = evidence.values.filter(pl.col("metric").is_in(cpu))["id"].unique()
    runs = evidence.runs.select(
        *("campaign", "run", "configuration", "workload", "repetition", "used"),
        pl.col("id").is_in(with_cpu.implode()),
    )
    rows: dict[str, list[CountedRun]] = {}
    for campaign, *run in runs.iter_rows():
        rows.setdefault(campaign, []).append(CountedRun(*run))
    return rows


def _entry(
    name: str,
    campaign: Campaign | None,
    places: Places,
    editions: tuple[str, ...],
    rows: list[CountedRun] | None,
    dumps: tuple[Completeness, ...],
    smc: tuple[SmcConnections, ...],
) -> CampaignEntry:
    """A campaign; without ``rows`` it was not read."""
    folder = campaign_folder(places.raw, name)
    sizes = folder_bytes(folder), folder_bytes(places.tables / name)
    generated = not (places.raw / name / CAMPAIGN_FILE).is_file()
    if campaign is None:
        return CampaignEntry(name, UNREADABLE, generated, *sizes, editions, ())
    configurations = []
    for id, configuration in campaign.configurations.items():
        usable = [row.usable for row in rows or () if row.configuration == id]
        counts = sum(usable), usable.count(False)
        configurations.append(ConfigurationRuns(id, configuration.label, *counts))
    workloads = {row.workload for row in rows or ()}
    return CampaignEntry(
        name,
        NOT_READ if rows is None else READ,
        generated,
        *sizes,
        editions,
        () if rows is None else (*find_gaps(campaign, rows), *find_holes(dumps)),
        labelled(campaign.title, (campaign.origin,)),
        campaign.origin,
        campaign.measured.start.isoformat(),
        campaign.measured.end.isoformat(),
        tuple(f"{id} ({campaign.processors(id)})" for id in campaign.systems),
        tuple(configurations),
        tuple(sorted(workloads, key=lambda workload: parse_workload(workload).order)),
        dumps,
        smc,
    )


def find_gaps(campaign: Campaign, runs: Iterable[CountedRun]) -> Iterator[str]:
    """What a campaign that was read declares and has no runs of, too few, or no CPU
    time of, in words."""
    samples: dict[tuple[str, str], list[CountedRun]] = {}
    for run in runs:
        samples.setdefault((run.configuration, run.workload), []).append(run)
    ran = {configuration for configuration, _ in samples}
    if absent := [id for id in campaign.configurations if id not in ran]:
        yield f"no runs of {some(absent)}"
    usable = {
        " ".join(name): [run for run in sample if run.usable]
        for name, sample in samples.items()
    }
    if none := [name for name, sample in usable.items() if not sample]:
        yield f"no usable run of {some(none)}"
    counts = [len(sample) for sample in usable.values() if sample]
    if few := sum(count < STATISTIC.smallest for count in counts):
        yield (
            f"{few} of {len(samples)} samples have fewer than {STATISTIC.smallest} "
            f"usable runs (the fewest {min(counts)}): their medians have no interval"
        )
    missing = [
        f"{' '.join(name)} ({listed(numbers)})"
        for name, sample in samples.items()
        if (numbers := list(gaps(run.repetition for run in sample)))
    ]
    if missing:
        yield f"missing repetitions: {some(missing)}"
    bare = {
        name: sum(not run.with_cpu for run in sample) for name, sample in usable.items()
    }
    if total := sum(bare.values()):
        words = [f"{name}: {count}" for name, count in bare.items() if count]
        share = f"{total} of {sum(counts)} usable runs"
        yield f"no CPU time in {share} ({some(words)})"


def find_holes(dumps: Iterable[Completeness]) -> Iterator[str]:
    """Which intervals the dumps lack while runs lasted."""
    for one in dumps:
        if one.lacks:
            whose = f"{one.records or one.table} of {one.system}"
            yield (
                f"{whose} lacks part of {one.runs - one.covered} of {one.runs} runs: "
                f"its intervals of {one.length} cover {100 * (one.share or 0):.1f}% "
                "of their time"
            )


def some(names: list[str]) -> str:
    """The first of the names, and how many more there are."""
    more = len(names) - _NAMED
    return listed(names[:_NAMED] + ([f"{more} more"] if more > 0 else []))
