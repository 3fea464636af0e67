"""The words of a figure: what it finds, its caption, its foot line, its alt text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from analysis.declared.metrics import Metric
from analysis.declared.study import Figure
from analysis.declared.vocabulary import BASES, ORIGINS, Basis, part_words
from analysis.declared.workload import SHAPES, matches, parse_workload
from analysis.facts.fact import Fact
from analysis.facts.sentences import bases_text, basis_counts, inside, listed
from analysis.facts.units import (
    format_percent_interval,
    format_range,
    format_unit,
)
from analysis.figures.grammar.curves import PAYLOAD, x_of
from analysis.figures.kind import FigureKind
from analysis.figures.select import PANEL, groups, number_text, only
from analysis.figures.setting import Setting

ADJUSTED = {"holm": "Holm", "benjamini-hochberg": "Benjamini-Hochberg"}
_MODELS = {"generation": "generation transfer"}  # others as they are called


@dataclass(frozen=True)
class Strokes:
    """What a kind of figure draws an interval as, and a prediction and its range.

    An empty word is for what it does not draw.
    """

    interval: str
    predicted: str
    range: str


BARS = Strokes("thick line", "hatched", "thin line with ends")
STRIPS = Strokes("bar", "hatched", "bar")
SPANS = Strokes("bar", "hatched", "thin line with ends")
_UPRIGHT = "upright line, where longer than its mark"
CURVES = Strokes(_UPRIGHT, "dashed", _UPRIGHT)
ENDS = Strokes("", "hatched", "")


def origins_of(frame: pl.DataFrame) -> list[str]:
    """The origins in a frame, strongest first; none where it has no values."""
    known = set(frame["origin"]) if "origin" in frame.columns else set()
    if "model" in frame.columns and frame["model"].is_not_null().any():
        known.add("modelled")
    return [origin for origin in ORIGINS if origin in known]


def direction(better: str) -> str:
    """``lower is better``, or nothing where neither way is."""
    return "" if better == "none" else f"{better} is better"


def panel_name(metric: Metric, role: str | None) -> str:
    """``CPU cost per transaction, client``."""
    return f"{metric.label}, {part_words(role)}" if role else metric.label


def spoken_name(metric: Metric, role: str | None) -> str:
    """``client CPU cost per transaction``, as it stands inside a sentence."""
    label = metric.label
    label = label if label[:2].isupper() else label[0].lower() + label[1:]
    return f"{part_words(role)} {label}" if role else label


def unit_of(frame: pl.DataFrame) -> str:
    """The unit of a panel as a reader sees it."""
    return format_unit(frame["unit"][0])


def unit_and_better(frame: pl.DataFrame) -> str:
    """``µs, lower is better``: the aside of a panel with values."""
    return ", ".join(filter(None, (unit_of(frame), direction(frame["better"][0]))))


def bar_name(row: dict[str, Any], several: bool) -> str:
    """``RR1(1kB), Offload on``: the configuration too where there are ``several``."""
    return f"{row['workload']}, {row['name']}" if several else str(row["workload"])


def foot_line(parts: Iterable[str], frame: pl.DataFrame, marks: Strokes = BARS) -> str:
    """The foot line: how many runs, how the interval came about, the origin."""
    counts = [n for n in only(frame, "fact")["n"] if n]
    runs = ""
    if counts:
        span = " to ".join(map(str, dict.fromkeys((min(counts), max(counts)))))
        runs = f"n = {span} {'run' if max(counts) == 1 else 'runs'} each"
    every = [runs, *parts, _predictions(frame, marks), _told_origin(frame)]
    return " · ".join(filter(None, every))


def _told_origin(frame: pl.DataFrame) -> str:
    """The origins of the facts; of what was generated, how many sizes are whose.

    Values are told of where some are assumed: those that changes start from are free.
    """
    phrases = [f"origin: {listed(origins_of(only(frame, 'fact')))}"]
    changes, values = _found_bases(frame)
    if changes:
        phrases.append(f"sizes of changes: {basis_counts(changes)}")
    if BASES[1] in values:
        phrases.append(f"values: {basis_counts(values)}")
    return "; ".join(phrases)


def sizes_text(frame: pl.DataFrame) -> str:
    """``sizes assumed``, or ``sizes: 1 published and 4 assumed``, for words that quote
    them."""
    if "basis" not in frame.columns:
        return ""
    changes, values = _found_bases(frame)
    return bases_text(changes or values, "size" if changes else "value")


def _found_bases(frame: pl.DataFrame) -> tuple[list[Basis], list[Basis]]:
    """The bases of the changes and of the values of a frame."""
    facts, of_change = only(frame, "fact"), pl.col("baseline").is_not_null()
    changes, values = (facts.filter(kind)["basis"] for kind in (of_change, ~of_change))
    return changes.drop_nulls().to_list(), values.drop_nulls().to_list()


def interval_text(low: float | None, high: float | None) -> str:
    """``−56 to −54%``, or that there is none."""
    if low is None or high is None:
        return "no interval"
    return format_percent_interval(low, high)


def verdict_text(row: dict[str, Any]) -> str:
    """``better``, ``worse``, ``comparable``, ``inconclusive`` or ``predicted``."""
    if row["record"] == "stated":
        return ""
    words = {"improved": "better", "regressed": "worse"}
    return words.get(row["verdict"], row["verdict"] or "predicted" * bool(row["model"]))


def measured_facts(frame: pl.DataFrame) -> pl.DataFrame:
    """The facts of a frame that were not predicted."""
    return only(frame, "fact").filter(pl.col("model").is_null())


def is_predicted(frame: pl.DataFrame) -> bool:
    """Whether all facts of a frame were predicted."""
    return only(frame, "fact")["model"].null_count() == 0


def _predictions(frame: pl.DataFrame, marks: Strokes) -> str:
    """How values were predicted, and what their range is drawn as."""
    guessed = only(frame, "fact").filter(pl.col("model").is_not_null())
    if guessed.is_empty():
        return ""
    models = listed(dict.fromkeys(_MODELS.get(m, m) for m in guessed["model"]))
    share = max(guessed["confidence"].to_list())
    words = f"{marks.predicted}: predicted by {models}"
    return words + f" · {marks.range}: {share:.0%} range" * bool(share and marks.range)


def interval_words(frame: pl.DataFrame, marks: Strokes = BARS) -> str:
    """How the medians' intervals came about."""
    known = [share for share in measured_facts(frame)["confidence"] if share]
    how = f"{min(known, default=0):.0%} interval of the median, by order statistics"
    return f"{marks.interval}: {how}" if known else ""


def wide_words(frame: pl.DataFrame, setting: Setting) -> str:
    """Why intervals are wider than all of their runs, where any is."""
    why: dict[str, list[str]] = {}
    for (metric, role), panel in groups(only(frame, "fact"), *PANEL):
        for reason in panel["beyond"].drop_nulls().unique(maintain_order=True):
            name = spoken_name(setting.metrics[metric], role)
            why.setdefault(reason, []).append(name)
    parts = (
        f"The interval of the {listed(names)} is wider than all runs: {reason}."
        for reason, names in why.items()
    )
    return " ".join(parts)


def told_medians(frame: pl.DataFrame, setting: Setting) -> str:
    """A sentence a panel with its medians, for readers who cannot see them.

    Where there are several configurations, each number stands in their order.
    """
    sentences = []
    for (metric, role), panel in groups(only(frame, "fact"), *PANEL):
        name = spoken_name(setting.metrics[metric], role)
        drawn = panel["configuration"].unique(maintain_order=True)
        names = f", {setting.label_list(drawn)}" if len(drawn) > 1 else ""
        blocks = []
        for (workload,), block in groups(panel, "workload"):
            medians = [
                number_text(row) + " (modelled)" * bool(row["model"])
                for row in block.to_dicts()
            ]
            blocks.append(f"{workload} {listed(medians)}")
        head = f"Median {name} in {unit_of(panel)}{names}"
        if setting.metrics[metric].per:
            head = f"{name} of all runs, {unit_of(panel)}{names}"
        sentences.append(f"{head}: {'; '.join(blocks)}.")
    return " ".join(sentences)


def range_text(row: dict[str, Any]) -> str:
    """The interval of a median without its unit."""
    if row["low"] is None or row["high"] is None:
        return "no interval"
    return format_range(row["low"], row["high"], "")


# Captions


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
    drawn = ("; " if ";" in what else ", ").join(filter(None, [what, where]))
    way = better(figure.metrics, metrics) if kind.better is None else kind.better
    return Caption(f"{head}: {drawn}.", way)


def pairs(setting: Setting) -> str:
    """``Offload off relative to Offload on``; of several baselines none is named."""
    if len(setting.baselines) != 1:
        return "each test relative to its baseline"
    tests = setting.label_list(setting.tests)
    stop = ";" * (";" in tests)
    return f"{tests}{stop} relative to {setting.label(setting.baselines[0])}"


def better(ids: Iterable[str], metrics: Mapping[str, Metric]) -> str:
    """``Lower is better.``; of which metrics, where not all of a figure agree."""
    drawn = [metrics[id] for id in ids]
    ways: dict[str, list[str]] = {}
    for metric in (one for one in drawn if one.better != "none"):
        ways.setdefault(metric.better, []).append(inside(metric.label))
    if not ways:
        return ""
    if len({one.better for one in drawn}) == 1:
        return f"{drawn[0].better.capitalize()} is better."
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
