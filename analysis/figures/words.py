"""The words of a figure: title, subtitle, foot line and alt text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import polars as pl

from analysis.declared.metrics import Metric
from analysis.declared.vocabulary import BASES, ORIGINS, part_words
from analysis.facts.sentences import listed
from analysis.facts.units import (
    format_percent_interval,
    format_range,
    format_unit,
)
from analysis.figures.select import PANEL, groups, number_text, only
from analysis.figures.setting import Setting

_ADJUSTED = {"holm": "Holm", "benjamini-hochberg": "Benjamini-Hochberg"}
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
    found = set(frame["origin"]) if "origin" in frame.columns else set()
    if "model" in frame.columns and frame["model"].is_not_null().any():
        found.add("modelled")
    return [origin for origin in ORIGINS if origin in found]


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


def count_of(frame: pl.DataFrame) -> str:
    """``n = 10 runs each`` or ``n = 8 to 10 runs each``; nothing without runs."""
    counts = [n for n in only(frame, "fact")["n"] if n]
    if not counts:
        return ""
    low, high = min(counts), max(counts)
    span = f"{low}" if low == high else f"{low} to {high}"
    return f"n = {span} {'run' if high == 1 else 'runs'} each"


def adjustment(setting: Setting) -> str:
    """The name of the adjustment for many tests."""
    return _ADJUSTED[setting.study.noise.adjust]


def foot_line(parts: Iterable[str], frame: pl.DataFrame, marks: Strokes = BARS) -> str:
    """The foot line: how many runs, how the interval came about, the origin."""
    predictions = _told_predictions(frame, marks)
    found = [count_of(frame), *parts, predictions, _told_origin(frame)]
    return " · ".join(filter(None, found))


def _told_origin(frame: pl.DataFrame) -> str:
    """The origins of the facts; of what was generated, how many sizes are whose.

    Values are told of where some are assumed: those that changes start from are free.
    """
    told = [f"origin: {listed(origins_of(only(frame, 'fact')))}"]
    changes, values = _found_bases(frame)
    if changes:
        told.append(f"sizes of changes: {_bases(changes)}")
    if BASES[1] in values:
        told.append(f"values: {_bases(values)}")
    return "; ".join(told)


def assumed_sizes(frame: pl.DataFrame) -> str:
    """``sizes assumed`` or ``2 of 5 sizes assumed``, for words that quote them."""
    if "basis" not in frame.columns:
        return ""
    changes, values = _found_bases(frame)
    bases, noun = (changes, "sizes") if changes else (values, "values")
    count = bases.count(BASES[1])
    of = f"{count} of {len(bases)} " if count < len(bases) else ""
    return f"{of}{noun} assumed" if count else ""


def _found_bases(frame: pl.DataFrame) -> tuple[list[str], list[str]]:
    """The bases of the changes and of the values of a frame."""
    facts, of_change = only(frame, "fact"), pl.col("baseline").is_not_null()
    changes, values = (facts.filter(own)["basis"] for own in (of_change, ~of_change))
    return changes.drop_nulls().to_list(), values.drop_nulls().to_list()


def _bases(found: list[str]) -> str:
    """``3 published and 11 assumed``."""
    counts = [(basis, found.count(basis)) for basis in BASES]
    return listed(f"{count} {basis}" for basis, count in counts if count)


def interval_text(low: float | None, high: float | None) -> str:
    """``−56 to −54%``, or that there is none."""
    if low is None or high is None:
        return "no interval"
    return format_percent_interval(low, high)


def value_text(row: dict[str, Any]) -> str:
    """``105 → 44 µs``: the values of a change; nothing where they are unknown."""
    return row["sides"] or ""


VERDICT_WORDS = {
    "improved": "better",
    "regressed": "worse",
    "comparable": "comparable",
    "inconclusive": "inconclusive",
}


def verdict_text(row: dict[str, Any]) -> str:
    """``better``, ``worse``, ``comparable``, ``inconclusive`` or ``predicted``."""
    if row["record"] == "stated":
        return ""
    return VERDICT_WORDS.get(row["verdict"] or "", "predicted" if row["model"] else "")


def seen(frame: pl.DataFrame) -> pl.DataFrame:
    """The facts of a frame that were not predicted."""
    return only(frame, "fact").filter(pl.col("model").is_null())


def is_predicted(frame: pl.DataFrame) -> bool:
    """Whether all facts of a frame were predicted."""
    return only(frame, "fact")["model"].null_count() == 0


def _told_predictions(frame: pl.DataFrame, marks: Strokes) -> str:
    """How such values were predicted, and what their range is drawn as."""
    found = only(frame, "fact").filter(pl.col("model").is_not_null())
    if found.is_empty():
        return ""
    models = list(dict.fromkeys(_MODELS.get(m, m) for m in found["model"]))
    share = max(found["confidence"].to_list())
    told = f"{marks.predicted}: predicted by {listed(models)}"
    if not (share and marks.range):
        return told
    return f"{told} · {marks.range}: {share:.0%} range"


def interval_words(frame: pl.DataFrame, marks: Strokes = BARS) -> str:
    """How the medians' intervals came about."""
    known = [share for share in seen(frame)["confidence"] if share]
    if not known:
        return ""
    confidence = min(known)
    of = f"{confidence:.0%} interval of the median"
    return f"{marks.interval}: {of}, by order statistics"


def told_medians(frame: pl.DataFrame, setting: Setting) -> str:
    """A sentence a panel with its medians, for readers who cannot see them.

    Where there are several configurations, each number stands in their order.
    """
    told = []
    for (metric, role), panel in groups(only(frame, "fact"), *PANEL):
        name = spoken_name(setting.metrics[metric], role)
        drawn = panel["configuration"].unique(maintain_order=True)
        names = f", {setting.label_list(drawn)}" if len(drawn) > 1 else ""
        blocks = [
            f"{workload} {listed([_told(row) for row in block.to_dicts()])}"
            for (workload,), block in groups(panel, "workload")
        ]
        head = f"Median {name} in {unit_of(panel)}{names}"
        told.append(f"{head}: {'; '.join(blocks)}.")
    return " ".join(told)


def _told(row: dict[str, Any]) -> str:
    """A median; where a model gave it, with the word that it did."""
    told = number_text(row)
    return f"{told} (modelled)" if row["model"] else told


def range_text(row: dict[str, Any]) -> str:
    """The interval of a median without its unit."""
    if row["low"] is None or row["high"] is None:
        return "no interval"
    return format_range(row["low"], row["high"], "")
