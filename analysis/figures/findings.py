"""What a figure shows, in one line made from its facts."""

from __future__ import annotations

from typing import Any

import polars as pl

from analysis.declared.metrics import Metric
from analysis.declared.vocabulary import part_words
from analysis.facts.sentences import inside, listed
from analysis.figures.select import PANEL, groups, number_text, only
from analysis.figures.setting import Setting
from analysis.figures.words import bar_name, is_predicted, spoken_name, unit_of

# Of a metric that has no better direction, a clear change has no verdict.
_CLEAR = pl.col("verdict").is_in(("improved", "regressed")) | (
    pl.col("verdict").is_null()
    & (pl.col("better") == "none")
    & ((pl.col("low") > 0) | (pl.col("high") < 0))
)
_SPREAD = 1.2  # largest to smallest change, from which on one is called the largest
_MOST = 3  # metrics and roles that a line has room for


def finding_of(frame: pl.DataFrame, setting: Setting) -> str:
    """``38 to 60% sooner, most with RR10(1kB)``: the clear changes, metric by metric.

    What did not change clearly comes last, together.
    """
    parts = [
        (setting.metrics[metric], part, clear)
        for (metric,), part in groups(frame, "metric")
        if (clear := _known(part)).height
    ]
    if not parts:
        return _nothing_clear(frame, setting)
    sizes = [_sizes(part, clear, metric) for metric, part, clear in parts[:_MOST]]
    places = [_where(part, clear, setting) for _, part, clear in parts[:_MOST]]
    if len(set(places)) > 1:
        sizes = [
            size + place * (not place.startswith(","))
            for size, place in zip(sizes, places, strict=True)
        ]
        places = [""]
    apart = "; ".join(sizes) if any("," in size for size in sizes) else listed(sizes)
    return f"{apart}{places[0]}{_rest(frame)}"


def _known(frame: pl.DataFrame) -> pl.DataFrame:
    """The clear changes; where there are none, those that are predicted."""
    clear = frame.filter(_CLEAR)
    return clear if clear.height else frame.filter(pl.col("model").is_not_null())


def _nothing_clear(frame: pl.DataFrame, setting: Setting) -> str:
    """``Latency and CPU cost per transaction stay within 3%``."""
    names = [
        setting.metrics[id].label for id in frame["metric"].unique(maintain_order=True)
    ]
    text = listed([names[0], *map(inside, names[1:])])
    text = "All metrics" if len(names) > _MOST else text
    if set(frame["verdict"]) == {"comparable"}:
        limit = max(frame["threshold"].drop_nulls())
        return f"{text} {'stay' if names[1:] else 'stays'} within {limit:.2g}%"
    if len(names) > _MOST:
        return "No clear change in any metric"
    return f"No clear change in {inside(text)}"


def size_words(changes: list[float], metric: Metric) -> tuple[str, str]:
    """How much and which way: ``42 to 55%``, ``sooner``."""
    low, high = min(changes), max(changes)
    name = inside(metric.label)
    less, more = metric.less or f"lower {name}", metric.more or f"higher {name}"
    if low < 0 < high:
        (fewer, _, what), (_, _, same) = less.partition(" "), more.partition(" ")
        if what != same:
            fewer, more = "lower", f"higher {name}"
        return f"{_digits(-low)}% {fewer} to {_digits(high)}%", more
    ends = list(dict.fromkeys(map(_digits, sorted((abs(low), abs(high))))))
    return f"{' to '.join(ends)}%", less if high <= 0 else more


def _sizes(frame: pl.DataFrame, clear: pl.DataFrame, metric: Metric) -> str:
    """``20 to 25% lower CPU cost at the sender, 32% at the receiver``."""
    parts = [
        (role, *size_words(part["value"].to_list(), metric))
        for (role,), part in groups(clear, "role")
    ]
    alike = len({way for *_, way in parts}) == 1
    every = len(parts) == frame["role"].n_unique()
    if alike and every and (len(parts) >= _MOST or len({s for _, s, _ in parts}) == 1):
        size, way = size_words(clear["value"].to_list(), metric)
        text = f"{size} {way}"
    else:
        text = ", ".join(
            f"{size}{'' if alike and n else f' {way}'}"
            + (f" at the {part_words(role)}" if role else "")
            for n, (role, size, way) in enumerate(parts)
        )
    predicted = clear["model"].null_count() == 0
    return text + " (predicted)" * predicted


def _where(frame: pl.DataFrame, clear: pl.DataFrame, setting: Setting) -> str:
    """With which tests or workloads, where not with all; or where it is largest."""
    told = list[str]()
    for side, name in (("workload", str), ("configuration", setting.label)):
        ids, every = clear[side].unique(maintain_order=True), frame[side].n_unique()
        if len(ids) < every:
            several = f"{len(ids)} of {every} {side}s"
            told.append(listed(map(name, ids)) if len(ids) < _MOST else several)
    if told:
        return f" with {', '.join(told)}"
    sizes: list[float] = clear["value"].to_list()
    largest = max(sizes, key=abs)
    alike = min(map(abs, sizes)) * _SPREAD > abs(largest)
    if alike or min(sizes) < 0 < max(sizes) or frame["workload"].n_unique() == 1:
        return ""
    row = clear.row(sizes.index(largest), named=True)
    tests = frame.filter(workload=row["workload"])["configuration"]
    return f", most with {bar_name(row, tests.n_unique() > 1)}"


def _rest(frame: pl.DataFrame) -> str:
    """What is to be said of all other changes."""
    others = set(frame.filter(~_CLEAR)["verdict"].drop_nulls())
    if not others:
        return ""
    return f"; otherwise {others.pop() if len(others) == 1 else 'no clear change'}"


def _digits(size: float) -> str:
    return f"{size:,.0f}" if size >= 9.95 else f"{size:.1f}"


def medians_of(frame: pl.DataFrame, setting: Setting) -> str:
    """``Latency 47.4 µs (Offload on) and 49 µs (Offload off)``."""
    text = "; ".join(
        f"{spoken_name(setting.metrics[metric], role)} {_medians(panel, setting)}"
        for (metric, role), panel in groups(only(frame, "fact"), *PANEL)
    )
    if is_predicted(frame):
        return f"Predicted: {text}"
    return text[0].upper() + text[1:]


def _medians(panel: pl.DataFrame, setting: Setting) -> str:
    unit, told = unit_of(panel), []
    several = panel["configuration"].n_unique() > 1
    for (configuration,), part in groups(panel, "configuration"):
        ends = list(dict.fromkeys(map(number_text, part.sort("value").to_dicts())))
        span = ends[0] if len(ends) == 1 else f"{ends[0]} to {ends[-1]}"
        predicted = ", predicted" * is_predicted(part)
        name = f" ({setting.label(configuration)}{predicted})" * several
        told.append(f"{span}{unit if unit == '%' else f' {unit}'}{name}")
    return listed(told)


def spread_of(frame: pl.DataFrame, setting: Setting) -> str:
    """The medians of one workload, or how far those of several are apart; then runs."""
    facts = only(frame, "fact")
    several = all(facts[name].n_unique() > 1 for name in ("workload", "configuration"))
    told = _apart(facts, setting) if several else medians_of(frame, setting)
    return "; ".join(filter(None, [told, scatter_of(frame, setting)]))


def _apart(facts: pl.DataFrame, setting: Setting) -> str:
    """``Medians of latency differ by at most 4.0%``, panel by panel."""
    told = []
    for (metric, role), panel in groups(facts, *PANEL):
        sides = (part["value"].to_list() for _, part in groups(panel, "workload"))
        size = (max(max(values) / min(values) for values in sides) - 1) * 100
        name = spoken_name(setting.metrics[metric], role)
        told.append(f"of {name} differ by at most {_digits(size)}%")
    return f"Medians {', '.join(told)}"


def scatter_of(frame: pl.DataFrame, setting: Setting) -> str:
    """``runs lie up to 41% from their median, farthest with RR1(1kB), Offload on``."""
    facts = only(frame, "fact")
    medians = dict(facts.select("key", "value").iter_rows())
    runs = [
        (abs(row["value"] / medians[row["key"]] - 1) * 100, row)
        for row in only(frame, "run").iter_rows(named=True)
        if medians[row["key"]]  # of nothing, there is no share
    ]
    if not runs:
        return ""
    size, top = max(runs, key=lambda run: run[0])
    where = _which(facts, top, setting)
    return f"runs lie up to {_digits(size)}% from their median{where}"


def _which(facts: pl.DataFrame, row: dict[str, Any], setting: Setting) -> str:
    """Workload and configuration of a row, where a figure has several of them."""
    names = {
        "workload": row["workload"],
        "configuration": setting.label(row["configuration"]),
    }
    told = [name for side, name in names.items() if facts[side].n_unique() > 1]
    return f", farthest with {', '.join(told)}" if told else ""
