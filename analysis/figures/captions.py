"""The words around a figure: its caption, and the sentence that leads to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from analysis.declared.figure import Figure
from analysis.declared.metrics import Metric
from analysis.declared.shapes import SHAPES
from analysis.declared.study import Study
from analysis.declared.workload import matches, parse_workload
from analysis.facts.fact import Fact
from analysis.facts.sentences import headline, inside, listed
from analysis.figures.grammar.numbers import x_of
from analysis.figures.kind import FigureKind
from analysis.figures.setting import Setting


@dataclass(frozen=True)
class Around:
    """The words around one figure, as kept in ``figure.json``.

    ``lead`` says how the figure's changes were judged, and is empty where its kind asks
    another question. The sentence after it ends with what the figure ``shows``.
    """

    caption: str
    lead: str
    shows: str


def words_around(kind: FigureKind, setting: Setting, facts: Iterable[Fact]) -> Around:
    """The words around a figure, from the facts of its study."""
    figure, study = setting.figure, setting.study
    known = list(facts)
    judged = [fact for fact in known if _is_judged(fact, study)]
    changes = known if study.of_values else judged
    drawn = {
        "pairs": pairs(figure, study),
        "all": listed(study.configurations_of(figure)),
        "x": _axis(figure, known),
    }
    return Around(
        figure.caption or _caption(kind, setting, drawn, changes),
        lead(figure, study, changes) if kind.judges else "",
        kind.shows.format(**drawn),
    )


def _is_judged(fact: Fact, study: Study) -> bool:
    """Whether it is a change with a verdict, or one that is predicted instead."""
    better = fact.kind == "delta" and fact.better != "none"
    judged = fact.verdict is not None or fact.estimate is not None
    return better and judged and fact.configuration in study.configurations


def _caption(
    kind: FigureKind, setting: Setting, drawn: Mapping[str, str], changes: list[Fact]
) -> str:
    """What is drawn and which way is better, in one or two sentences."""
    what = kind.caption.format(**drawn)
    if kind.setup:
        return what
    figure, metrics = setting.figure, setting.metrics
    first, *others = (metrics[id].label for id in figure.metrics)
    head = listed([first, *map(inside, others)])
    where = workloads_text(figure.workloads, {fact.workload for fact in changes})
    return f"{head}: {what}, {where}. {kind.better or better(figure.metrics, metrics)}"


def lead(figure: Figure, study: Study, changes: Iterable[Fact]) -> str:
    """How the changes that a figure shows were judged: ``All five improved.``"""
    tests = study.tests_of(figure)
    return headline(
        [
            change.verdict
            for change in changes
            if change.metric in figure.metrics
            and matches(change.workload, figure.workloads)
            and change.configuration in tests
            and figure.draws_role(change.role)
        ]
    )


def pairs(figure: Figure, study: Study) -> str:
    """What a figure compares: ``osh against osd``, each test with its baseline."""
    groups: dict[str, list[str]] = {}
    for test in study.tests_of(figure):
        groups.setdefault(study.baseline_of(test), []).append(test)
    if len(groups) > 2:
        return "each test against its own baseline"
    return listed(f"{listed(tests)} against {base}" for base, tests in groups.items())


def better(ids: Iterable[str], metrics: Mapping[str, Metric]) -> str:
    """``Lower is better.``; of which metrics, where those of a figure disagree."""
    ways: dict[str, list[str]] = {}
    for metric in (metrics[id] for id in ids):
        if metric.better != "none":
            ways.setdefault(metric.better, []).append(inside(metric.label))
    if len(ways) < 2:
        return "".join(f"{way.capitalize()} is better." for way in ways)
    (first, labels), *others = ways.items()
    more = (f", {way} for {listed(of)}" for way, of in others)
    return f"{first.capitalize()} is better for {listed(labels)}{''.join(more)}."


def _axis(figure: Figure, facts: Iterable[Fact]) -> str:
    """The number in which the workloads of a figure differ: ``clients``."""
    names = {fact.workload for fact in facts if fact.metric in figure.metrics}
    return x_of([name for name in names if matches(name, figure.workloads)])[0]


def workloads_text(pattern: str, names: Iterable[str]) -> str:
    """The workloads that a pattern picks, in words."""
    known = list(names)
    picked = sorted(
        (name for name in known if matches(name, pattern)),
        key=lambda name: parse_workload(name).order,
    )
    if len(picked) == len(known):
        return "all workloads"
    if len(picked) <= 2:
        return listed(picked)
    shapes = [s for s in SHAPES if s in {parse_workload(n).shape for n in picked}]
    return f"{listed(shapes)} workloads"
