"""Gather the catalogue: from declarations, the database and the sizes of files.

No raw file but ``campaign.yaml`` is opened. What cannot be read is told in its place,
and what is before or after it in the catalogue stays whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from analysis.catalogue.catalogue import CampaignEntry, Catalogue, ConfigurationRuns
from analysis.catalogue.gaps import CountedRun, find_gaps
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
from analysis.derive.runs import open_database
from analysis.derive.samples import RunEvidence
from analysis.derive.verb import load_evidence
from analysis.errors import UserError, told
from analysis.facts.sentences import labelled
from analysis.files.inputs import folder_bytes

READ, NOT_READ, UNREADABLE = "read", "not read yet", "cannot be read"


@dataclass(frozen=True)
class Places:
    """Where the catalogue looks; ``tables`` has a folder of each campaign."""

    raw: Path = Path("raw")
    report: Path = Path("report")
    database: Path = Path("data/build/perf.duckdb")
    metrics: Path = Path("data/metrics.yaml")
    tables: Path = Path("data/build/ingest")


def gather(places: Places) -> tuple[Catalogue, list[UserError]]:
    """The catalogue, and what could not be read of the project."""
    reader = _Reader(places)
    declared = {name: reader.declared(name) for name in _names(places.raw)}
    known = {name: campaign for name, campaign in declared.items() if campaign}
    used = reader.editions()
    read, rows, trends = reader.runs(known)
    entries = [
        _entry(name, campaign, places, used, name in read, rows.get(name, []))
        for name, campaign in declared.items()
    ]
    ordered = sorted(entries, key=lambda entry: (entry.start, entry.name))
    notes = tuple(_notes(places, known))
    return Catalogue(tuple(ordered), trends, notes), reader.errors


def _names(raw: Path) -> list[str]:
    generated, generators = raw.parent / GENERATED, raw.parent / GENERATORS
    folders = (raw, generated, generators)
    return sorted({name for folder in folders for name in find_campaigns(folder)})


@dataclass
class _Reader:
    """Reads what is there; ``errors`` are of what cannot be read."""

    places: Places
    errors: list[UserError] = field(default_factory=list)

    def declared(self, name: str) -> Campaign | None:
        """What is declared of a campaign."""
        raw = self.places.raw
        folder = campaign_folder(raw, name)
        if not (folder / CAMPAIGN_FILE).is_file():  # a build is yet to generate it
            folder = raw.parent / GENERATORS / name
        try:
            return read_campaign(folder)
        except (UserError, OSError) as error:
            self.errors.append(told(error))
            return None

    def editions(self) -> dict[str, list[str]]:
        """The editions that use each campaign, also by studies that they borrow."""
        report = self.places.report
        used: dict[str, list[str]] = {}
        for id in find_editions(report):
            try:
                studies = read_studies(report / id, read_edition(report / id))
            except (UserError, OSError) as error:
                self.errors.append(told(error))
                continue
            for name in sorted({n for one in studies.values() for n in one.campaigns}):
                used.setdefault(name, []).append(id)
        return used

    def runs(
        self, known: Mapping[str, Campaign]
    ) -> tuple[set[str], dict[str, list[CountedRun]], tuple[Trend, ...]]:
        """Which campaigns the database has, their runs, and the trends over them."""
        places = self.places
        if not places.database.is_file():
            return set(), {}, ()
        try:
            metrics = read_metrics(places.metrics)
            with open_database(places.database) as con:
                found = con.execute("SELECT campaign FROM campaign ORDER BY ALL")
                read = {name for (name,) in found.fetchall()}
                there = {name: known[name] for name in known if name in read}
                evidence = load_evidence(con, places.database, there, metrics)
        except (UserError, OSError) as error:
            self.errors.append(told(error))
            return set(), {}, ()
        trends = find_trends(evidence, there, metrics)
        return read, _rows(evidence, metrics), trends


def _rows(
    evidence: RunEvidence, metrics: Mapping[str, Metric]
) -> dict[str, list[CountedRun]]:
    cpu = {id for id, metric in metrics.items() if metric.evidence == "cpu"}
    with_cpu = evidence.values.filter(pl.col("metric").is_in(cpu))["id"].unique()
    told = evidence.runs.select(
        *("campaign", "run", "configuration", "workload", "repetition", "used"),
        pl.col("id").is_in(with_cpu.implode()),
    )
    rows: dict[str, list[CountedRun]] = {}
    for campaign, *run in told.iter_rows():
        rows.setdefault(campaign, []).append(CountedRun(*run))
    return rows


def _entry(
    name: str,
    campaign: Campaign | None,
    places: Places,
    used: Mapping[str, list[str]],
    is_read: bool,
    rows: list[CountedRun],
) -> CampaignEntry:
    folder = campaign_folder(places.raw, name)
    sizes = folder_bytes(folder), folder_bytes(places.tables / name)
    generated = not (places.raw / name / CAMPAIGN_FILE).is_file()
    editions = tuple(used.get(name, ()))
    if campaign is None:
        return CampaignEntry(name, UNREADABLE, generated, *sizes, editions, ())
    systems = (f"{id} ({s.cps} CPs)" for id, s in campaign.systems.items())
    workloads = {row.workload for row in rows}
    return CampaignEntry(
        name,
        READ if is_read else NOT_READ,
        generated,
        *sizes,
        editions,
        tuple(find_gaps(campaign, rows)) if is_read else (),
        labelled(campaign.title, (campaign.origin,)),
        campaign.origin,
        campaign.measured.start.isoformat(),
        campaign.measured.end.isoformat(),
        tuple(systems),
        tuple(_counted(campaign, rows)),
        tuple(sorted(workloads, key=lambda w: parse_workload(w).order)),
    )


def _counted(campaign: Campaign, rows: list[CountedRun]) -> Iterator[ConfigurationRuns]:
    for id, configuration in campaign.configurations.items():
        own = [row.usable for row in rows if row.configuration == id]
        yield ConfigurationRuns(id, configuration.label, sum(own), own.count(False))


def _notes(places: Places, known: Mapping[str, Campaign]) -> Iterator[str]:
    if known and not places.database.is_file():
        yield f"nothing is read yet: {places.database} is made by 'make report'"
