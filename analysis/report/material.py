"""Everything that a report is made from, read and checked once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

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
from analysis.declared.metrics import METRICS_FILE, Metric, in_units, read_metrics
from analysis.declared.mistakes import did_you_mean
from analysis.declared.published import (
    ISSUES_FILE,
    PUBLISHED_FILE,
    Published,
    PublishedIssue,
    read_issues,
    read_published,
)
from analysis.declared.study import Study
from analysis.declared.vocabulary import BASES, Basis, Origin
from analysis.declared.workload import workload_order
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
from analysis.report.pictures import (
    Picture,
    read_overview,
    read_pictures,
    read_sequences,
)
from analysis.report.study_facts import StudyFacts


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

    ``drawn`` is the folder of its figures, ``ingest`` that of the tables which lie
    beside a report.
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
        return study_folder(self.folder, self.edition, study)

    def of_study(self, study: str) -> StudyFacts:
        """The facts of one study."""
        return self._of_studies[study]

    @cached_property
    def _of_studies(self) -> dict[str, StudyFacts]:
        made = {}
        for id, study in self.studies.items():
            facts, names = self.facts.of_studies((id,)), self.names(id)
            named = replace(facts, facts=tuple(_named(f, names) for f in facts.facts))
            made[id] = StudyFacts(id, study, named, self.metrics, names)
        return made

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
        found = counted_once(self.facts.runs, self.studies)
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

    def metrics_used(self) -> dict[str, Metric]:
        """The metrics that have facts, by id, in the order of the declaration."""
        used = {fact.metric for fact in self.facts.facts}
        return {id: metric for id, metric in self.metrics.items() if id in used}

    @property
    def title(self) -> str:
        """The edition's title, with what its numbers are."""
        return labelled(self.edition.title, self.origins())

    def origins(self) -> list[Origin]:
        """The origins of all facts and figures, strongest first."""
        return self.facts.origins()

    def bases(self) -> dict[str, list[Basis]]:
        """What the sizes rest on that somebody chose: of the results of all studies
        those of changes and of values, under ``delta`` and ``value``."""
        found: dict[str, list[Basis]] = {"delta": [], "value": []}
        for fact in self.facts.facts:
            if fact.basis and (fact.kind == "value" or fact.better != "none"):
                found[fact.kind].append(fact.basis)
        return found

    def usual_bases(self) -> dict[str, Basis]:
        """What most changes and most values rest on, where somebody chose them: only
        what rests on anything else is marked."""
        return {
            kind: max(BASES, key=lambda basis: (own.count(basis), BASES.index(basis)))
            for kind, own in self.bases().items()
            if own
        }


def read_material(id: str, sources: Sources) -> Material:
    """All inputs of one edition; every mistake is a :class:`UserError`."""
    folder = sources.report / id
    if not (folder / "edition.yaml").is_file():
        known = find_editions(sources.report)
        raise user_error(
            f"there is no edition {id!r}", folder, mend=did_you_mean(id, known)
        )
    for place in (folder, sources.templates):
        text_files(place)  # what is no file is told before it is opened
    edition = read_edition(folder)
    studies = read_studies(folder, edition)
    place = folder / "edition.yaml"
    metrics = in_units(read_metrics(sources.metrics), edition.units, place)
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


def counted_once(
    runs: Iterable[RunCount], studies: Mapping[str, Study]
) -> list[RunCount]:
    """Counts of runs, sorted; a run that serves two studies is counted once, with
    those of the study that has more campaigns."""
    counts = {
        (frozenset(studies[r.study].campaigns), r.configuration, r.workload): r
        for r in runs
    }
    found = (
        count
        for (campaigns, *of), count in counts.items()
        if not any(of == same and campaigns < more for more, *same in counts)
    )
    return sorted(found, key=lambda r: (r.configuration, workload_order(r.workload)))


def _named(fact: Fact, names: Mapping[str, str]) -> Fact:
    """A fact whose estimate says with names what it was made from."""
    estimate = fact.estimate
    if estimate is None:
        return fact
    reason = named(estimate.reason, names)
    return replace(fact, estimate=replace(estimate, reason=reason))


def _of_campaigns(run: RunCount, campaigns: Sequence[str]) -> RunCount:
    prefix = run_prefix(campaigns)
    return replace(
        run,
        configuration=f"{run.configuration} in {' and '.join(campaigns)}",
        reasons=tuple((f"{prefix}{name}", reason) for name, reason in run.reasons),
    )
