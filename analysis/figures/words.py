"""The words of a figure: title, subtitle, foot line and alt text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import polars as pl

from analysis.declared.metrics import Metric
from analysis.declared.origin import ORIGINS
from analysis.facts.sentences import listed
from analysis.facts.units import format_unit
from analysis.figures.select import only
from analysis.figures.setting import Setting

_MARKED = ("modelled", "synthetic")
_ADJUSTED = {"holm": "Holm", "benjamini-hochberg": "Benjamini-Hochberg"}
_MODELS = {"generation": "generation transfer"}  # others as they are called


def origins_of(frame: pl.DataFrame) -> list[str]:
    """The origins in a frame, strongest first; none where it has no values."""
    found = set(frame["origin"]) if "origin" in frame.columns else set()
    if "model" in frame.columns and frame["model"].is_not_null().any():
        found.add("modelled")
    return [origin for origin in ORIGINS if origin in found]


def title_of(setting: Setting, frame: pl.DataFrame) -> str:
    """The question; predicted, modelled and synthetic data say so behind it."""
    marked = [o for o in origins_of(frame) if o in _MARKED]
    data = f"{listed(marked)} data" if marked else ""
    facts = only(frame, "fact")
    predicted = facts.filter(pl.col("model").is_not_null()).height
    if predicted:
        share = "modelled" if predicted == facts.height else "partly modelled"
        data = f"{share} from synthetic data" if "synthetic" in marked else share
    question = setting.figure.question
    return f"{question} ({data})" if data else question


def direction(better: str) -> str:
    """``lower is better``, or nothing where neither way is."""
    return "" if better == "none" else f"{better} is better"


def panel_name(metric: Metric, role: str | None) -> str:
    """``CPU cost per transaction, client``."""
    return f"{metric.label}, {role}" if role else metric.label


def spoken_name(metric: Metric, role: str | None) -> str:
    """``client CPU cost per transaction``, as it stands inside a sentence."""
    label = metric.label
    label = label if label[:2].isupper() else label[0].lower() + label[1:]
    return f"{role} {label}" if role else label


def compared(setting: Setting) -> str:
    """``B (Offload off) against A (Offload on)``, or several such pairs."""
    pairs = [
        f"{listed([setting.named(t) for t in tests])} against {setting.named(baseline)}"
        for baseline in setting.baselines
        if (
            tests := [
                t for t in setting.tests if setting.study.baseline_of(t) == baseline
            ]
        )
    ]
    return listed(pairs)


def unit_of(frame: pl.DataFrame) -> str:
    """The unit of a panel as a reader sees it."""
    return format_unit(frame["unit"][0])


def unit_and_better(frame: pl.DataFrame) -> str:
    """``µs, lower is better``: the aside of a panel with values."""
    return ", ".join(filter(None, (unit_of(frame), direction(frame["better"][0]))))


def marked_name(row: dict[str, Any]) -> str:
    """The configuration of a row, with its origin where origins differ."""
    return f"{row['configuration']}{row['mark']}"


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


def foot_line(parts: Iterable[str], frame: pl.DataFrame) -> str:
    """The foot line: how many runs, how the interval came about, the origin."""
    origin = "origin: " + listed(origins_of(frame))
    found = [count_of(frame), *parts, _told_predictions(frame), origin]
    return " · ".join(filter(None, found))


def seen(frame: pl.DataFrame) -> pl.DataFrame:
    """The facts of a frame that were not predicted."""
    return only(frame, "fact").filter(pl.col("model").is_null())


def _told_predictions(frame: pl.DataFrame) -> str:
    """How the hatched values were predicted, and what their range is."""
    found = only(frame, "fact").filter(pl.col("model").is_not_null())
    if found.is_empty():
        return ""
    models = list(dict.fromkeys(_MODELS.get(m, m) for m in found["model"]))
    share = max(found["confidence"].to_list())
    range_ = f", {share:.0%} range" if share else ""
    return f"hatched: predicted by {listed(models)}{range_}"
