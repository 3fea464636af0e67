"""The caption of a figure: what it shows, of which workloads, which way is better."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from analysis.declared.metrics import Metric
from analysis.declared.study import Figure
from analysis.declared.workload import SHAPES, matches, parse_workload
from analysis.facts.fact import Fact
from analysis.facts.sentences import inside, listed
from analysis.figures.grammar.numbers import PAYLOAD, x_of
from analysis.figures.kind import FigureKind
from analysis.figures.setting import Setting


@dataclass(frozen=True)
class Caption:
    """A caption in two parts: what is drawn, and which way is better.

    On a slide, whose panels say which way is better, the ``subject`` stands alone.
    """

    subject: str
    better: str = ""

    def __str__(self) -> str:
        return f"{self.subject} {self.better}".rstrip()


def caption_of(kind: FigureKind, setting: Setting, facts: Iterable[Fact]) -> Caption:
    """The caption of a figure, its own or made from the facts of its study."""
    figure, known = setting.figure, list(facts)
    if figure.caption:
        return Caption(figure.caption)
    what = kind.caption.format(
        pairs=pairs(setting),
        all=setting.label_list(),
        x=_axis(figure, known),
        gain=_gain(setting),
    )
    if kind.setup:
        return Caption(what)
    if figure.shows == "changes":
        what = pairs(setting)
    metrics = setting.metrics
    first, *others = (metrics[id].label for id in figure.metrics)
    head = listed([first, *map(inside, others)])
    where = workloads_text(figure.workloads, {fact.workload for fact in known})
    told = ("; " if ";" in what else ", ").join(filter(None, [what, where]))
    way = better(figure.metrics, metrics) if kind.better is None else kind.better
    return Caption(f"{head}: {told}.", way)


def pairs(setting: Setting) -> str:
    """``Offload off relative to Offload on``; of several baselines none is named."""
    if len(setting.baselines) != 1:
        return "each test relative to its baseline"
    tests = setting.label_list(setting.tests)
    stop = ";" * (";" in tests)
    return f"{tests}{stop} relative to {setting.label(setting.baselines[0])}"


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


def _gain(setting: Setting) -> str:
    """What is better of the metrics: a ``saving``, a ``gain``, or either."""
    ways = {setting.metrics[id].better for id in setting.figure.metrics}
    if len(ways) == 1:
        return "saving" if ways == {"lower"} else "gain"
    return "saving or gain"


def _axis(figure: Figure, facts: Iterable[Fact]) -> str:
    """The number in which the workloads of a figure differ: ``number of clients``."""
    names = {fact.workload for fact in facts if fact.metric in figure.metrics}
    title, *_ = x_of([name for name in names if matches(name, figure.workloads)])
    return "payload" if title == PAYLOAD else f"number of {title}"


def workloads_text(pattern: str, names: Iterable[str]) -> str:
    """``streaming workloads``: what a pattern picks; nothing where it picks all."""
    known = list(names)
    picked = sorted(
        (name for name in known if matches(name, pattern)),
        key=lambda name: parse_workload(name).order,
    )
    if len(picked) == len(known):
        return ""
    if len(picked) <= 2:
        return listed(picked)
    shapes = {parse_workload(name).shape for name in picked}
    return f"{listed(SHAPES[s].label for s in SHAPES if s in shapes)} workloads"
