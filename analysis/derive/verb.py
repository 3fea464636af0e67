"""Derive the facts of editions from the tables of their campaigns.

It writes a folder of each edition: ``facts.json``, and ``evidence.json`` with what
these rest on, for all stages after it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import polars as pl

from analysis.declared.campaign import Campaign
from analysis.declared.checks import check_study
from analysis.declared.edition import find_editions, read_edition, read_studies
from analysis.declared.metrics import METRICS_FILE, Metric, in_units, read_metrics
from analysis.declared.published import PUBLISHED_FILE, read_published
from analysis.declared.study import TIMELINE, Study
from analysis.declared.workload import matches
from analysis.derive.basis import read_bases, with_bases
from analysis.derive.cpu_time import beyond_whole
from analysis.derive.evidence import gather_evidence
from analysis.derive.fallback.knowledge import check_setups
from analysis.derive.family import judge_studies
from analysis.derive.inside import series_of, shorter_than_left_out
from analysis.derive.runs import (
    open_database,
    other_version,
    read_campaigns,
    unreadable,
)
from analysis.derive.samples import RunEvidence, read_evidence
from analysis.derive.scope import (
    StudyScope,
    check_family,
    check_runs,
    study_runs,
    unnamed_differences,
)
from analysis.derive.study import derive_study
from analysis.derive.values import check_expressions
from analysis.errors import raise_if, user_error
from analysis.facts.evidence import (
    CampaignEvidence,
    check_digested,
    check_digests,
    write_evidence,
)
from analysis.facts.fact import (
    EVIDENCE_FILE,
    FACTS,
    FACTS_FILE,
    Facts,
    evidence_of,
    write_facts,
)
from analysis.facts.series import SERIES_FILE, RunSeries, write_series
from analysis.facts.units import how_many
from analysis.files.atomic import whole_folder
from analysis.files.checksums import check_sealed, seal
from analysis.ingest.tables.load import load
from analysis.progress import WorkDone, counted

Studies = Mapping[tuple[str, str], Study]  # by edition and study


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb, with the paths of the project as defaults."""
    parser.add_argument("--edition", help="folder name below report/; all if absent")
    parser.add_argument("--database", type=Path, help="tables that are joined already")
    parser.add_argument(
        "--tables",
        type=Path,
        default=Path("data/build/ingest"),
        help="of all campaigns",
    )
    parser.add_argument("--report", type=Path, default=Path("report"))
    parser.add_argument("--raw", type=Path, default=Path("raw"))
    parser.add_argument("--metrics", type=Path, default=METRICS_FILE)
    parser.add_argument("--published", type=Path, default=PUBLISHED_FILE)
    parser.add_argument(
        "--tables-alone", action="store_true", help="whatever the raw files are"
    )
    place = "a folder, or a file FACTS.json; data/build/facts/EDITION if absent"
    parser.add_argument("--out", type=Path, help=place)


def run(args: argparse.Namespace) -> int:
    """Write the facts, and say for which runs there could be no CPU cost."""
    editions = _editions(args.report, args.edition)
    if args.out:
        _derive(args, editions, args.out)
        return 0
    for edition in editions:
        if read_edition(args.report / edition).own_studies:
            _derive(args, [edition], FACTS / edition)
    return 0


def _metrics(args: argparse.Namespace, editions: Sequence[str]) -> dict[str, Metric]:
    """The metrics in the units that the editions want, which must be the same."""
    metrics = read_metrics(args.metrics)
    places = {edition: args.report / edition for edition in editions}
    wanted = {edition: read_edition(place).units for edition, place in places.items()}
    for edition, units in wanted.items():
        if units != wanted[editions[0]]:
            what = f"its units are not those of {editions[0]}"
            mend = "derive them one after another: --edition NAME"
            raise user_error(what, places[edition] / "edition.yaml", mend=mend)
        metrics = in_units(metrics, units, places[edition] / "edition.yaml")
    return metrics


def _derive(args: argparse.Namespace, editions: Sequence[str], out: Path) -> None:
    """The facts of some editions: declarations and tables are read, every study is
    checked against its runs and derived, its changes are judged, all is written."""
    studies = _read_studies(args.report, editions)
    names = {name for study in studies.values() for name in study.campaigns}
    campaigns = read_campaigns(names, args.raw)
    metrics = _metrics(args, editions)
    for (edition, id), study in studies.items():
        place = _path(args.report, edition, id)
        for text in unnamed_differences(study, campaigns, args.raw):
            print(f"warning: {place}: {text}", file=sys.stderr)
    raise_if(check_expressions(metrics, args.metrics))
    published = read_published(args.published, args.metrics)
    where = args.database or args.tables
    with _joined(args, campaigns) as con:
        evidence = load_evidence(con, where, campaigns, metrics)
        digests = load_digests(con, campaigns)
        raise_if(check_digested(set(campaigns), digests, where))
        if not args.tables_alone:
            raise_if(check_digests(digests, args.raw, where))
        for text in evidence.stopped:
            print(f"warning: {text}", file=sys.stderr)
        scopes = [
            StudyScope(edition, id, study, metrics, evidence, campaigns, published)
            for (edition, id), study in studies.items()
        ]
        if scopes:
            _check(scopes, args)
        work = WorkDone("facts", len(scopes), "studies")
        derived = [(scope, derive_study(scope)) for scope in counted(scopes, work)]
        parts = [
            part
            for edition in editions
            for part in _judge(edition, derived, args.report)
        ]
        show = all(read_edition(args.report / id).raw_files for id in editions)
        rests_on = gather_evidence(con, campaigns, digests, args.tables, args.raw, show)
    facts = Facts(
        tuple(fact for part in parts for fact in part.facts),
        tuple(count for part in parts for count in part.runs),
        tuple(gap for part in parts for gap in part.gaps),
        tuple(digests.items()),
    )
    bases = read_bases(campaigns, args.published.parent)
    facts = with_bases(facts, bases, studies, published)
    series = [one for scope in scopes for one in study_series(scope)]
    _write(out, facts, rests_on, series)
    predicted = sum(fact.estimate is not None for fact in facts.facts)
    predictions = f", {predicted} predicted" if predicted else ""
    predictions += f", {len(facts.gaps)} without estimate" if facts.gaps else ""
    of = f"{len(studies)} {'study' if len(studies) == 1 else 'studies'}"
    print(f"{how_many(len(facts.facts), 'fact')} of {of}{predictions}: {out}")


def _write(
    out: Path,
    facts: Facts,
    rests_on: Mapping[str, CampaignEvidence],
    series: Sequence[RunSeries],
) -> None:
    """Facts, what they rest on and series if there are some: a folder, whole, or, where
    ``out`` is a file of facts, files beside it."""
    if out.suffix == ".json":
        if series:
            write_series(series, out.with_name(SERIES_FILE))
        write_evidence(rests_on, evidence_of(out))
        write_facts(facts, out)
        return
    with whole_folder(out) as draft:
        write_evidence(rests_on, draft / EVIDENCE_FILE)
        write_facts(facts, draft / FACTS_FILE)
        if series:
            write_series(series, draft / SERIES_FILE)
        seal(draft)


@contextmanager
def _joined(
    args: argparse.Namespace, campaigns: Iterable[str]
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database of the tables of some campaigns, for as long as the block lasts."""
    if args.database:
        with open_database(args.database) as con:
            yield con
        return
    folders = [args.tables / name for name in campaigns]
    for folder in folders:
        check_sealed(folder)
    with TemporaryDirectory(prefix="derive-") as room:
        database = Path(room) / "perf.duckdb"
        load(folders, database)
        with open_database(database) as con:
            yield con


def load_evidence(
    con: duckdb.DuckDBPyConnection,
    database: Path,
    campaigns: Mapping[str, Campaign],
    metrics: Mapping[str, Metric],
) -> RunEvidence:
    """The runs in the database; a :class:`UserError` for tables of another version,
    and for more rows than there is memory for."""
    try:
        return read_evidence(con, campaigns, metrics)
    except (duckdb.BinderException, duckdb.CatalogException) as error:
        raise other_version(database, error) from None
    except (duckdb.IOException, duckdb.InvalidInputException) as error:
        raise unreadable(database, error) from None
    except duckdb.OutOfMemoryException as error:
        what = f"more rows than memory may hold (DATABASE_BYTES): {error}"
        mend = "build the campaigns in projects of their own, or raise the limit"
        raise user_error(what.splitlines()[0], database, mend=mend) from None


def load_digests(
    con: duckdb.DuckDBPyConnection, campaigns: Collection[str]
) -> dict[str, str]:
    """From which files the tables of each campaign were made."""
    rows = con.execute("SELECT campaign, digest FROM campaign ORDER BY ALL")
    return {name: digest for name, digest in rows.fetchall() if name in campaigns}


def _check(scopes: Sequence[StudyScope], args: argparse.Namespace) -> None:
    """A :class:`UserError` with all in which studies, campaigns and runs contradict
    each other; names that nothing declares are told first."""
    placed = [(s, _path(args.report, s.edition, s.id)) for s in scopes]
    campaigns, evidence = scopes[0].campaigns, scopes[0].evidence
    names = [check_study(s.study, at, campaigns, s.metrics) for s, at in placed]
    raise_if([issue for issues in names for issue in issues])
    runs = [check_runs(scope, at) for scope, at in placed]
    raise_if(
        [
            *check_setups(campaigns, args.raw),
            *beyond_whole(evidence.beyond, campaigns, args.raw),
            *shorter_than_left_out(evidence.inside, campaigns, args.raw),
            *(issue for issues in runs for issue in issues),
        ]
    )


def study_series(scope: StudyScope) -> list[RunSeries]:
    """What the figures of time of a study draw, each series once."""
    study, known = scope.study, dict[tuple[str, str], RunSeries]()
    runs = study_runs(scope).filter("used")
    several = len(study.campaigns) > 1
    for figure in study.figures:
        if figure.kind == TIMELINE:
            names = [n for n in set(runs["workload"]) if matches(n, figure.workloads)]
            drawn = runs.filter(
                pl.col("workload").is_in(names),
                pl.col("configuration").is_in(study.configurations_of(figure)),
            )
            metrics = {id: scope.metrics[id] for id in figure.metrics}
            of = scope.edition, scope.id
            made = series_of(scope.evidence.inside, drawn, metrics, of, several)
            known |= {(one.metric, one.run): one for one in made}
    return [*known.values()]


def _judge(
    edition: str, derived: Sequence[tuple[StudyScope, Facts]], report: Path
) -> list[Facts]:
    """The facts of an edition's studies, with verdicts by the family it declares."""
    of_edition = [
        (scope, facts) for scope, facts in derived if scope.edition == edition
    ]
    noises = {scope.id: scope.study.noise for scope, _ in of_edition}
    folder = report / edition
    family = read_edition(folder).family
    raise_if(check_family(family, noises, folder / "edition.yaml"))
    facts = {scope.id: facts for scope, facts in of_edition}
    return (
        judge_studies(facts, noises, of_edition[0][0].metrics, family)
        if of_edition
        else []
    )


def _editions(report: Path, wanted: str | None) -> list[str]:
    known = find_editions(report)
    if not known:
        mend = "create report/<edition>/edition.yaml"
        raise user_error("there is no edition", report, mend=mend)
    if wanted and wanted not in known:
        mend = f"choose one of: {', '.join(known)}"
        raise user_error(f"there is no edition {wanted!r}", report, mend=mend)
    return [wanted] if wanted else known


def _read_studies(report: Path, editions: Iterable[str]) -> Studies:
    """Their own studies: what an edition borrows is derived by the one that lends."""
    studies_by_key = dict[tuple[str, str], Study]()
    for id in editions:
        edition = read_edition(report / id)
        studies = read_studies(report / id, edition)
        studies_by_key |= {(id, study): studies[study] for study in edition.own_studies}
    return studies_by_key


def _path(report: Path, edition: str, study: str) -> Path:
    return report / edition / "studies" / study / "study.yaml"
