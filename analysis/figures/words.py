"""The words of a figure: title, subtitle, foot line and alt text."""

from __future__ import annotations

import polars as pl

from analysis.fact import ORIGINS
from analysis.figures.select import only
from analysis.figures.setting import Setting
from analysis.metrics import Metric
from analysis.units import format_unit

_MARKED = {"modelled": "modelled", "synthetic": "synthetic"}
_ADJUSTED = {"holm": "Holm", "benjamini-hochberg": "Benjamini-Hochberg"}


def origins_of(frame: pl.DataFrame) -> list[str]:
    """The origins in a frame, strongest first."""
    found = set(frame["origin"])
    return [origin for origin in ORIGINS if origin in found]


def title_of(setting: Setting, frame: pl.DataFrame) -> str:
    """The question; modelled and synthetic data say so behind it."""
    marked = [o for o in origins_of(frame) if o in _MARKED]
    question = setting.figure.question
    return f"{question} ({' and '.join(marked)} data)" if marked else question


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


def unit_of(frame: pl.DataFrame) -> str:
    """The unit of a panel as a reader sees it."""
    return format_unit(frame["unit"][0])


def count_of(frame: pl.DataFrame) -> str:
    """``n = 10 runs each`` or ``n = 8 to 10 runs each``."""
    counts = only(frame, "fact")["n"].to_list()
    low, high = min(counts), max(counts)
    span = f"{low}" if low == high else f"{low} to {high}"
    return f"n = {span} {'run' if high == 1 else 'runs'} each"


def adjustment(setting: Setting) -> str:
    """The name of the adjustment for many tests."""
    return _ADJUSTED[setting.study.noise.adjust]


def foot_line(parts: list[str], frame: pl.DataFrame) -> str:
    """The foot line: how many runs, how the interval came about, the origin."""
    origin = "origin: " + listed(origins_of(frame))
    return " · ".join([count_of(frame), *filter(None, parts), origin])


def listed(items: list[str]) -> str:
    """``a``, ``a and b`` or ``a, b and c``."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"
