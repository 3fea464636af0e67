"""The figures of an edition as the report uses them: files, caption, alt text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from analysis.declared import line_of, load_yaml
from analysis.edition import Figure, Study
from analysis.errors import Issue, Place, UserError, raise_if, user_error
from analysis.fact import Fact, Verdict
from analysis.metrics import Metric
from analysis.report.filters import number_word
from analysis.report.lookup import workload_order
from analysis.report.tables import escape
from analysis.workload import SHAPES, matches, parse_workload

FILES = ("figure.svg", "figure-narrow.svg", "figure.csv")
TOPOLOGY = "topology"
_PREDICTED = "predicted"
_KINDS = {
    "delta": "change of {pairs}",
    "value": "{all}, every run",
    "distribution": "{all}, distribution of runs",
    "trend": "saving of {pairs} by payload",
    "absolute-relative": "{all}, and the change of {pairs}",
}

_SHOWS = {
    "delta": "the changes of {pairs}",
    "value": "every run",
    "distribution": "where the runs lie",
    "compare": "the values side by side",
    "trend": "how the saving of {pairs} grows or shrinks with payload",
    "absolute-relative": "values and changes of {pairs}",
}


@dataclass(frozen=True)
class Picture:
    """One figure: where its files are, and the words around it.

    The question is the title of the picture itself, and the first words of ``alt``.
    """

    id: str
    folder: Path
    caption: str
    lead: str
    alt: str
    width_mm: float
    kind: str


def read_pictures(
    folder: Path,
    studies: Mapping[str, Study],
    metrics: Mapping[str, Metric],
    deltas: Mapping[str, Iterable[Fact]],
    edition: Path,
) -> dict[str, list[Picture]]:
    """The figures of each study, in the order in which the study declares them.

    ``folder`` holds one folder a figure; ``deltas`` are the changes that have a
    verdict or are predicted, by study; ``edition`` is the edition's folder. A figure
    that is absent or has no alt text is an error.
    """
    issues: list[Issue] = []
    pictures = {}
    for id, study in studies.items():
        own = [folder / f"{id}-{figure.id}" for figure in study.figures]
        issues += [issue for place in own for issue in check_picture(place)]
        issues += _unknown(study, edition / "studies" / id / "study.yaml", metrics)
        if not issues:
            pictures[id] = [
                _picture(place, figure, study, metrics, deltas[id])
                for place, figure in zip(own, study.figures, strict=True)
            ]
    raise_if(issues)
    return pictures


def _unknown(study: Study, path: Path, metrics: Mapping[str, Metric]) -> list[Issue]:
    """Metrics of figures that nobody declared, at the line of their figure."""
    found = [
        (number, figure.id, metric)
        for number, figure in enumerate(study.figures)
        for metric in figure.metrics
        if metric not in metrics
    ]
    node = load_yaml(path)[1] if found else None
    mend = f"use one of: {', '.join(metrics)}"
    return [
        Issue(
            f"figure {figure}: there is no metric {metric!r}",
            Place(str(path), line_of(node, ("figures", number))),
            mend,
        )
        for number, figure, metric in found
    ]


def check_picture(folder: Path) -> list[Issue]:
    """Issues of one figure's folder: files that are missing, alt text that is."""
    about = folder / "figure.json"
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing or not about.is_file():
        names = ", ".join([*missing, *([] if about.is_file() else ["figure.json"])])
        mend = "run 'python -m analysis figures'; does study.yaml declare the figure?"
        return [Issue(f"figure files are missing: {names}", Place(str(folder)), mend)]
    try:
        alt = _read(about).get("alt")
    except UserError as error:
        return error.issues
    if isinstance(alt, str) and alt.strip():
        return []
    mend = "say in words what the figure shows: 'alt' of the figure in study.yaml"
    return [Issue("the figure has no alt text", Place(str(about)), mend)]


def caption(
    figure: Figure,
    study: Study,
    metrics: Mapping[str, Metric],
    workloads: Iterable[str],
) -> str:
    """What is drawn and which way is better, in one or two sentences."""
    if figure.caption:
        return escape(figure.caption)
    if figure.kind == TOPOLOGY:
        return f"Set-up of {escape(join(study.configurations_of(figure)))}."
    labels = [metrics[m].label for m in figure.metrics]
    kind = _KINDS.get(figure.kind, "{all}").format(
        pairs=pairs(figure, study), all=join(study.configurations_of(figure))
    )
    head = join([labels[0], *map(_inside, labels[1:])])
    where = workloads_text(figure.workloads, workloads)
    return escape(f"{head}: {kind}, {where}. {direction(figure.metrics, metrics)}")


def pairs(figure: Figure, study: Study) -> str:
    """What a figure compares: ``osh against osd``, each test with its baseline."""
    groups: dict[str, list[str]] = {}
    for test in study.tests_of(figure):
        groups.setdefault(study.baseline_of(test), []).append(test)
    if len(groups) > 2:
        return "each test against its own baseline"
    return join(f"{join(tests)} against {base}" for base, tests in groups.items())


def direction(ids: Iterable[str], metrics: Mapping[str, Metric]) -> str:
    """``Lower is better.``; per metric where the metrics of a figure disagree."""
    better = {metrics[m].label: metrics[m].better for m in ids}
    told = {label: b for label, b in better.items() if b != "none"}
    if len(set(told.values())) == 1:
        return f"{next(iter(told.values())).capitalize()} is better."
    return " ".join(f"{label}: {b} is better." for label, b in told.items())


def workloads_text(pattern: str, names: Iterable[str]) -> str:
    """The workloads that a pattern picks, in words."""
    known = list(names)
    picked = sorted((n for n in known if matches(n, pattern)), key=workload_order)
    if len(picked) == len(known):
        return "all workloads"
    if len(picked) <= 2:
        return join(picked)
    shapes = [s for s in SHAPES if s in {parse_workload(n).shape for n in picked}]
    return f"{join(shapes)} workloads"


def lead(figure: Figure, id: str, study: Study, facts: Iterable[Fact]) -> str:
    """The sentences before a figure: its verdicts first, then what it shows."""
    if figure.kind == TOPOLOGY:
        return f"@fig-{id} shows the set-up."
    tests = study.tests_of(figure)
    verdicts = [
        f.verdict
        for f in facts
        if f.metric in figure.metrics
        and matches(f.workload, figure.workloads)
        and f.configuration in tests
        and figure.draws_role(f.role)
    ]
    shows = _SHOWS.get(figure.kind, "the runs behind this").format(
        pairs=pairs(figure, study)
    )
    return f"[{_headline(verdicts)}.]{{.figure-lead}} @fig-{id} shows {shows}."


def _headline(verdicts: list[Verdict | None]) -> str:
    if len(verdicts) == 1:
        return (verdicts[0] or _PREDICTED).capitalize()
    if len(set(verdicts)) == 1:
        count = "Both" if len(verdicts) == 2 else f"All {number_word(len(verdicts))}"
        return f"{count} {verdicts[0] or _PREDICTED}"
    return tally(verdicts).capitalize() or "Not compared"


def tally(verdicts: Iterable[Verdict | None]) -> str:
    """``2 regressed and 5 comparable``; what has no verdict is predicted."""
    found = [verdict or _PREDICTED for verdict in verdicts]
    names = (*get_args(Verdict), _PREDICTED)
    counts = {verdict: found.count(verdict) for verdict in names}
    return join([f"{count} {verdict}" for verdict, count in counts.items() if count])


def join(words: Iterable[str]) -> str:
    """``a, b and c``."""
    items = list(words)
    return " and ".join([", ".join(items[:-1]), items[-1]] if items[1:] else items)


def _inside(label: str) -> str:
    """A label inside a sentence: ``latency``, but ``CPU cost``."""
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]


def _picture(
    folder: Path,
    figure: Figure,
    study: Study,
    metrics: Mapping[str, Metric],
    facts: Iterable[Fact],
) -> Picture:
    about = _read(folder / "figure.json")
    return Picture(
        id=folder.name,
        folder=folder,
        caption=caption(figure, study, metrics, {f.workload for f in facts}),
        lead=lead(figure, folder.name, study, facts),
        alt=f"{figure.question} {' '.join(about['alt'].split())}",
        width_mm=about.get("width_mm", 170),
        kind=figure.kind,
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise user_error(f"not JSON: {error}", path, mend="rebuild it") from None
    if not isinstance(found, dict):
        raise user_error("not a JSON object", path, mend="rebuild it")
    return found
