"""Names in declarations that nothing declares, told before anything is built.

Whatever ``check`` says of words needs facts; a slip of the pen is told without them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from analysis.declared.base import line_of, load_yaml
from analysis.declared.campaign import (
    GENERATORS,
    Campaign,
    campaign_folder,
    find_campaigns,
    read_campaign,
)
from analysis.declared.edition import Edition, read_edition, read_studies, study_folder
from analysis.declared.figure_file import read_figure_file
from analysis.declared.metrics import Metric, read_metrics
from analysis.declared.mistakes import nearest_of
from analysis.declared.published import PUBLISHED_FILE, Published
from analysis.declared.study import PYTHON, Figure, Study
from analysis.declared.study import Published as PublishedNames
from analysis.declared.workload import matches
from analysis.errors import Issue, Place, UserError

At = Callable[..., Place]
Mistake = tuple[tuple[Any, ...], str, str]  # where it is, what it is, what to do
RAW = "raw"
_KINDS = "analysis.figures.kinds"
# What other programs call a chart, and the kind that shows the same.
CALLED = {
    "box": "distribution", "boxplot": "distribution", "histogram": "distribution",
    "violin": "distribution", "cdf": "ecdf", "bar": "compare", "barchart": "compare",
    "bars": "compare", "scatter": "value", "dots": "value", "points": "value",
    "line": "scaling", "lines": "scaling", "timeseries": "trend", "diff": "delta",
    "change": "delta", "stack": "stacked", "diagram": "topology",
}  # fmt: skip


def check_declared_edition(folder: Path) -> list[Issue]:
    """Mistakes in an edition, its own studies and their campaigns; none, all is well.

    The campaigns lie in ``raw`` beside the folder of the reports.
    """
    try:
        edition = read_edition(folder)
        studies = read_studies(folder, edition)
        return [
            issue
            for id in edition.own_studies
            for issue in _check_alone(
                studies[id], study_folder(folder, edition, id), folder.parent.parent
            )
        ] + _check_files(folder, edition, studies)
    except UserError as error:
        return error.issues


def _check_files(
    folder: Path, edition: Edition, studies: Mapping[str, Study]
) -> list[Issue]:
    """What keeps Python files from drawing figures of an edition."""
    issues: list[Issue] = []
    for id, study in studies.items():
        home = study_folder(folder, edition, id)
        for number, figure in enumerate(study.figures):
            if figure.kind == PYTHON:
                place = places_in(home / "study.yaml")("figures", number)
                try:
                    read_figure_file(home, figure, edition.python_figures, place)
                except UserError as error:
                    issues += error.issues
    return issues


def _check_alone(study: Study, folder: Path, project: Path) -> Iterator[Issue]:
    path, metrics = folder / "study.yaml", read_metrics()
    at, campaigns = places_in(path), dict[str, Campaign]()
    generated = sorted(p.name for p in (project / GENERATORS).glob("*") if p.is_dir())
    for number, name in enumerate(study.campaigns):
        place = campaign_folder(project / RAW, name)
        if place.is_dir():
            campaigns[name] = read_campaign(place)
        elif name not in generated:
            known = [*find_campaigns(project / RAW), *generated]
            yield unknown_name("campaign", name, known, at("campaigns", number))
    if len(campaigns) == len(study.campaigns):
        yield from check_study(study, path, campaigns, metrics)
    yield from check_figures(study, metrics, lambda number: at("figures", number))


def check_study(
    study: Study,
    path: Path,
    campaigns: Mapping[str, Campaign],
    metrics: Mapping[str, Metric],
) -> list[Issue]:
    """Names in a study that nothing declares, each with its line in ``path``."""
    at = places_in(path)
    declared = {name: campaigns[name] for name in study.campaigns if name in campaigns}
    known = sorted({id for one in declared.values() for id in one.configurations})
    named: list[tuple[str, str | None, Collection[str], tuple[Any, ...]]] = [
        *(("campaign", n, campaigns, ("campaigns", i))
          for i, n in enumerate(study.campaigns)),
        *(("configuration", n, known, ("tests", i)) for i, n in enumerate(study.tests)),
        *(("metric", n, metrics, ("metrics", i)) for i, n in enumerate(study.metrics)),
        ("configuration", study.baseline, known, ("baseline",)),
        ("configuration", study.noise.control, known, ("noise", "control")),
        *(("metric", n, metrics, ("noise", "primary", i))
          for i, n in enumerate(study.noise.primary)),
        *(("metric", n, metrics, ("asks", number, "metrics", i))
          for number, asked in enumerate(study.asks)
          for i, n in enumerate(asked.metrics)),
    ]  # fmt: skip
    unknown = [
        unknown_name(kind, name, names, at(*keys))
        for kind, name, names, keys in named
        if name is not None and name not in names
    ]
    contradictions = [
        *_labelled_alike(study, declared),
        *_declared_unlike(study, declared),
        *_wrong_roles(study, metrics),
        *_wrong_baselines(study, known),
    ]
    return unknown + [Issue(what, at(*k), mend) for k, what, mend in contradictions]


def _labelled_alike(
    study: Study, campaigns: Mapping[str, Campaign]
) -> Iterator[Mistake]:
    """Configurations that are compared and that no reader could tell apart."""
    first: dict[str, str] = {}
    for id in study.configurations:
        for label in {c.configurations[id].label for c in campaigns.values()
                      if id in c.configurations}:  # fmt: skip
            if first.setdefault(label, id) != id:
                what = f"{first[label]!r} and {id!r} have one label: {label!r}"
                mend = "label them apart in campaign.yaml, as the pages name them by it"
                yield ("tests",), what, mend


def _declared_unlike(
    study: Study, campaigns: Mapping[str, Campaign]
) -> Iterator[Mistake]:
    """Configurations whose runs would be pooled, and that campaigns declare unlike."""
    for id in dict.fromkeys((*study.configurations, study.noise.control)):
        declared = {
            name: campaign.configurations[id]
            for name, campaign in campaigns.items()
            if id in campaign.configurations
        }
        first, *others = declared or [""]
        for name in others:
            if declared[name] != declared[first]:
                what = f"{first} and {name} declare {id!r} unlike, and its runs count"
                mend = f"give it another id in campaign.yaml and runs.csv of {name}"
                yield ("campaigns",), f"{what} as of one configuration", mend


def _wrong_roles(study: Study, metrics: Mapping[str, Metric]) -> Iterator[Mistake]:
    """Metrics that are kept to some roles: unknown ones, and those without roles."""
    for id in study.roles:
        if id not in metrics:
            yield ("roles", id), f"there is no metric {id!r}", nearest_of(id, metrics)
        elif not metrics[id].roles:
            what = f"{id!r} is of a whole run, and has no roles"
            yield ("roles", id), what, f"take {id} out of roles"


def _wrong_baselines(study: Study, known: Collection[str]) -> Iterator[Mistake]:
    """Baselines of single tests: that both exist, and that no test is its own."""
    other = "compare it with another configuration"
    if study.baseline in study.tests and study.baseline not in study.baselines:
        yield ("tests",), f"the baseline {study.baseline!r} is also a test", other
    for test, baseline in study.baselines.items():
        keys = ("baselines", test)
        if test not in study.tests:
            yield keys, f"there is no test {test!r}", nearest_of(test, study.tests)
        if baseline not in known:
            what = f"there is no configuration {baseline!r}"
            yield keys, what, nearest_of(baseline, known)
        if test == baseline:
            yield keys, f"{test!r} would be its own baseline", other


def places_in(path: Path) -> At:
    """Where the entries of a file stand, by their keys."""
    node: Any = load_yaml(path)[1]
    return lambda *keys: Place(str(path), line_of(node, keys))


def unknown_name(kind: str, name: str, known: Iterable[str], where: Place) -> Issue:
    """A name that is none of those known, and the one that may be meant."""
    return Issue(f"there is no {kind} {name!r}", where, nearest_of(name, known))


def figure_kinds() -> tuple[str, ...]:
    """The ids of all kinds of figures, sorted; none is imported to be known."""
    spec = find_spec(_KINDS)
    folders = (spec and spec.submodule_search_locations) or ()
    return tuple(sorted(p.stem for f in folders for p in Path(f).glob("[a-z]*.py")))


def check_figures(
    study: Study, metrics: Iterable[str], place: Callable[[int], Place]
) -> list[Issue]:
    """Names in figures of a study that mean nothing, each at its place."""
    kinds, known = figure_kinds(), tuple(metrics)
    return [
        Issue(f"figure {figure.id}: {what}", place(number), mend)
        for number, figure in enumerate(study.figures)
        for what, mend in _wrong_figure(figure, study, kinds, known)
    ]


def _wrong_figure(
    figure: Figure, study: Study, kinds: tuple[str, ...], metrics: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    if figure.kind not in kinds:
        mend = nearest_of(CALLED.get(figure.kind, figure.kind), kinds)
        yield f"there is no kind {figure.kind!r}", mend
    asked = [*figure.metrics, *filter(None, [figure.potential])]
    for metric in (m for m in asked if m not in metrics):
        yield f"there is no metric {metric!r}", nearest_of(metric, metrics)
    for test in (t for t in figure.tests if t not in study.tests):
        yield f"{test!r} is no test of this study", nearest_of(test, study.tests)
    if not any(
        _meet(name, figure.workloads) or ("*" in name and "*" in figure.workloads)
        for name in study.loads
    ):
        what = f"the study has no workload {figure.workloads!r}"
        yield what, nearest_of(figure.workloads, study.loads)


def check_published_names(
    folder: Path,
    edition: Edition,
    studies: Mapping[str, Study],
    published: Iterable[Published],
) -> list[Issue]:
    """What ``published:`` of an edition's own studies names and nothing has."""
    published = list(published)
    rows, issues = {row.id: row.study for row in published}, []
    chosen = {row.study for row in published if edition.units
              and row.kind == "value" and row.metric in edition.units}  # fmt: skip
    for id in edition.own_studies:
        named = studies[id].published
        at = places_in(study_folder(folder, edition, id) / "study.yaml")
        for keys, what, mend in _wrong_published(named, studies[id], rows):
            issues.append(Issue(what, at("published", *keys), mend))
        if (named.study if named else id) in chosen:
            what = "its published numbers are not in the units that edition.yaml wants"
            mend = f"leave them out of units: {', '.join(edition.units)}"
            issues.append(Issue(what, at("published"), mend))
    return issues


def _wrong_published(
    named: PublishedNames | None, study: Study, rows: Mapping[str, str]
) -> Iterator[Mistake]:
    if named is None:
        return
    absent = "{!r} is no {} of this study".format
    if named.study not in rows.values():
        what = f"no row of {PUBLISHED_FILE} is of a study {named.study!r}"
        yield ("study",), what, nearest_of(named.study, rows.values())
    for id in named.configurations:
        if id not in study.configurations:
            mend = nearest_of(id, study.configurations)
            yield ("configurations", id), absent(id, "configuration"), mend
    for id, row in named.rows.items():
        keys = ("rows", id)
        if id not in rows:
            yield keys, f"{PUBLISHED_FILE} has no row {id!r}", nearest_of(id, rows)
        if row.test not in study.configurations:
            mend = nearest_of(row.test, study.configurations)
            yield keys, absent(row.test, "configuration"), mend
        if not any(_meet(name, row.workloads) for name in study.workloads):
            mend = nearest_of(row.workloads, study.workloads)
            yield keys, absent(row.workloads, "workload"), mend


def _meet(one: str, other: str) -> bool:
    """Whether two names or patterns may be of one workload."""
    return matches(one, other) or any(matches(o.strip(), one) for o in other.split(","))
