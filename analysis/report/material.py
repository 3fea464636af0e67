"""Everything that a report is made from, read and checked once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from analysis.declared.campaign import Campaign
from analysis.declared.checks import check_published_names
from analysis.declared.edition import (
    Edition,
    check_lent,
    find_editions,
    read_edition,
    read_studies,
    study_folder,
)
from analysis.declared.metrics import METRICS_FILE, Metric, read_metrics
from analysis.declared.published import (
    ISSUES_FILE,
    PUBLISHED_FILE,
    Published,
    PublishedIssue,
    read_issues,
    read_published,
)
from analysis.declared.study import Study
from analysis.declared.vocabulary import Origin
from analysis.errors import raise_if, user_error
from analysis.facts.evidence import CampaignEvidence, check_fit, read_evidence
from analysis.facts.fact import (
    Fact,
    Facts,
    RunCount,
    evidence_of,
    read_facts,
    run_prefix,
)
from analysis.facts.sentences import labelled, named
from analysis.files.inputs import text_files
from analysis.report.expressions.lookup import Scope, nearest, workload_order
from analysis.report.output import check_formats
from analysis.report.pictures import (
    Picture,
    read_overview,
    read_pictures,
    read_sequences,
)
from analysis.report.tables.study import StudyTables

T = TypeVar("T")


@dataclass(frozen=True)
class Sources:
    """Where a report's inputs lie.

    ``raw`` and ``ingest`` are not read: digests of the one are compared, unless it is
    None, and the tables of the other lie beside a report as they are.
    """

    facts: Path
    figures: Path
    report: Path = Path("report")
    raw: Path | None = Path("raw")
    templates: Path = Path("templates")
    metrics: Path = METRICS_FILE
    ingest: Path = Path("data/build/ingest")
    published: Path = PUBLISHED_FILE
    issues: Path = ISSUES_FILE
    backtest: Path = Path("data/build/backtest.json")


@dataclass(frozen=True)
class Material:
    """The inputs of one edition; ``facts`` are the edition's own.

    ``drawn`` is the folder of its figures, and ``agreed`` the file with the digests of
    texts that both parsers read alike. ``kept`` has what was made of all that before.
    """

    id: str
    folder: Path
    edition: Edition
    studies: Mapping[str, Study]
    evidence: Mapping[str, CampaignEvidence]
    metrics: Mapping[str, Metric]
    facts: Facts
    pictures: Mapping[str, list[Picture]]
    overview: Picture | None
    sequences: list[Picture]
    drawn: Path
    ingest: Path
    published: tuple[Published, ...]
    issues: tuple[PublishedIssue, ...]
    backtest: Path
    templates: Path
    kept: dict[Hashable, Any] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def once(self, name: Hashable, make: Callable[[], T]) -> T:
        """What ``make`` gives, which rests on these inputs alone and is made once."""
        if name not in self.kept:
            self.kept[name] = make()
        found: T = self.kept[name]
        return found

    @property
    def campaigns(self) -> dict[str, Campaign]:
        """What is declared of the campaigns, as it was when facts were derived."""
        return {name: found.declared for name, found in self.evidence.items()}

    def all_pictures(self) -> list[Picture]:
        """The figures of all studies and of workloads, then those of each study."""
        own = [picture for found in self.pictures.values() for picture in found]
        first = [self.overview] if self.overview else []
        return [*first, *self.sequences, *own]

    def study_folder(self, study: str) -> Path:
        """Where the texts of a study lie; a borrowed one stays where it is."""
        own = self.folder, self.edition
        return self.once(("folder", study), lambda: study_folder(*own, study))

    def scope(self, study: str | None = None) -> Scope:
        """What the prose of a study, or of front and back matter, may refer to."""
        return Scope(self.facts, self.studies, self.metrics, study)

    def tables(self, study: str) -> StudyTables:
        """The tables of one study."""

        def tables() -> StudyTables:
            facts, names = self.facts.of_studies((study,)), self.names(study)
            read = replace(facts, facts=tuple(_spoken(f, names) for f in facts.facts))
            return StudyTables(study, self.studies[study], read, self.metrics, names)

        return self.once(("tables", study), tables)

    def names(self, study: str) -> dict[str, str]:
        """What people call the configurations of a study, by id."""
        campaigns = [self.campaigns[name] for name in self.studies[study].campaigns]
        return {
            id: configuration.label or id
            for campaign in reversed(campaigns)
            for id, configuration in campaign.configurations.items()
        }

    def workloads(self) -> list[str]:
        """The workloads that have facts, in the order of tables."""
        return sorted({f.workload for f in self.facts.facts}, key=workload_order)

    def runs(self) -> list[RunCount]:
        """How many runs the edition has; one that serves two studies counts once.

        Configurations have their names for readers. Of one that studies of other
        campaigns have too, the campaigns are named, with each run that was excluded.
        """
        found = self.scope().runs(None, None, "*")
        where = {(r.configuration, self.studies[r.study].campaigns) for r in found}
        several = Counter(configuration for configuration, _ in where)
        return [
            _of_campaigns(own, self.studies[run.study].campaigns)
            if several[run.configuration] > 1
            else own
            for run in found
            for names in [self.names(run.study)]
            for label in [names.get(run.configuration, run.configuration)]
            for own in [replace(run, configuration=label)]
        ]

    def metrics_used(self) -> list[Metric]:
        """The metrics that have facts, in the order of the declaration."""
        used = {fact.metric for fact in self.facts.facts}
        return [metric for id, metric in self.metrics.items() if id in used]

    @property
    def title(self) -> str:
        """The edition's title, with what its numbers are."""
        return labelled(self.edition.title, self.origins())

    def origins(self) -> list[Origin]:
        """The origins of all facts and figures, strongest first."""
        return self.facts.origins()


def read_material(id: str, sources: Sources) -> Material:
    """All inputs of one edition; every mistake is a :class:`UserError`."""
    folder = sources.report / id
    if not (folder / "edition.yaml").is_file():
        known = find_editions(sources.report)
        raise user_error(f"there is no edition {id!r}", folder, mend=nearest(id, known))
    for place in (folder, sources.templates):
        text_files(place)  # what is no file is told before it is opened
    edition = read_edition(folder)
    raise_if(check_formats(edition, folder / "edition.yaml"))
    studies = read_studies(folder, edition)
    metrics = read_metrics(sources.metrics)
    homes = edition.homes(id)
    facts = read_facts(sources.facts, homes.values()).of_homes(homes)
    raise_if(check_lent(folder, edition, {fact.study for fact in facts.facts}))
    evidence = _evidence(studies, facts, evidence_of(sources.facts), homes.values())
    published = read_published(sources.published, sources.metrics)
    raise_if(check_published_names(folder, edition, studies, published))
    return Material(
        id=id,
        folder=folder,
        edition=edition,
        studies=studies,
        evidence=evidence,
        metrics=metrics,
        facts=facts.of_campaigns(evidence),
        pictures=read_pictures(
            sources.figures, studies, metrics, folder, edition.borrowed
        ),
        overview=read_overview(sources.figures, edition.numbered_overview),
        sequences=read_sequences(sources.figures, edition.sequences),
        drawn=sources.figures,
        ingest=sources.ingest,
        published=published,
        issues=read_issues(sources.issues, published),
        backtest=sources.backtest,
        templates=sources.templates,
    )


def _evidence(
    studies: Mapping[str, Study], facts: Facts, path: Path, editions: Iterable[str]
) -> dict[str, CampaignEvidence]:
    """What the studies' campaigns hand over; it must be of the same files as facts."""
    names = (name for study in studies.values() for name in study.campaigns)
    evidence = read_evidence(path, names, editions)
    raise_if(check_fit(dict(facts.digests), evidence, path))
    return evidence


def _spoken(fact: Fact, names: Mapping[str, str]) -> Fact:
    """A fact whose estimate says with names what it was made from."""
    told = fact.estimate
    if told is None:
        return fact
    return replace(fact, estimate=replace(told, reason=named(told.reason, names)))


def _of_campaigns(run: RunCount, campaigns: Sequence[str]) -> RunCount:
    prefix = run_prefix(campaigns)
    return replace(
        run,
        configuration=f"{run.configuration} in {' and '.join(campaigns)}",
        reasons=tuple((f"{prefix}{name}", reason) for name, reason in run.reasons),
    )
