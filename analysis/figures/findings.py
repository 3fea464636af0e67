"""What a figure of changes shows, in a few words made from its facts."""

from __future__ import annotations

from typing import Any

import polars as pl

from analysis.declared.metrics import Metric
from analysis.facts.sentences import inside, listed
from analysis.facts.units import format_number, format_percent_range
from analysis.figures.select import PANEL, groups, only
from analysis.figures.setting import Setting
from analysis.figures.words import medians_said, spoken_name, unit_of

# Of a metric that has no better direction, a clear change has no verdict.
_CLEAR = pl.col("verdict").is_in(("improved", "regressed")) | (
    pl.col("verdict").is_null()
    & (pl.col("better") == "none")
    & ((pl.col("low") > 0) | (pl.col("high") < 0))
)
_SPREAD = 1.2  # largest to smallest change, from which on one is called the largest
_MANY_METRICS, _MANY_ROLES = 4, 3  # of so many, a heading has no room for each


def finding_of(frame: pl.DataFrame, setting: Setting) -> str:
    """``42 to 55% sooner, most with RR10(1kB)``: each metric, then its roles.

    Those without a clear change come last, together. Of many metrics none says where
    it changed most.
    """
    told, still = list[str](), list[str]()
    parts = groups(frame, "metric")
    for (metric,), part in parts:
        declared = setting.metrics[metric]
        if words := _told(part, declared, most=len(parts) < _MANY_METRICS):
            told.append(words)
        else:
            still.append(inside(declared.label))
    if still:
        told.append(f"no clear change of {listed(still)}")
    text = "; ".join(told)
    return text[0].upper() + text[1:]


def size_words(changes: list[float], metric: Metric) -> tuple[str, str]:
    """How much and which way: ``42 to 55%``, ``sooner``; both signs are no way."""
    low, high = min(changes), max(changes)
    if low < 0 < high:
        return f"{inside(metric.label)} changes by", format_percent_range(low, high)
    size = _range(*sorted((abs(low), abs(high))))
    own = metric.less if high <= 0 else metric.more
    way = f"{'lower' if high <= 0 else 'higher'} {inside(metric.label)}"
    return size, own or way


def _told(frame: pl.DataFrame, metric: Metric, most: bool) -> str:
    """How much the clear changes of a metric are, role by role where these differ."""
    clear = frame.filter(_CLEAR)
    predicted = frame.filter(pl.col("model").is_not_null())
    if clear.is_empty() and predicted.is_empty():
        return ""
    known = clear if clear.height else predicted
    parts = [
        (role, *size_words(part["value"].to_list(), metric))
        for (_, role), part in groups(known, *PANEL)
    ]
    all_roles = len(parts) == frame["role"].n_unique()
    if all_roles and len(parts) >= _MANY_ROLES and len({way for *_, way in parts}) == 1:
        parts = [(None, *size_words(known["value"].to_list(), metric))]
    text = _joined(parts, all_roles)
    if clear.is_empty():
        return f"{text} (predicted)"
    return text + _where(frame, clear, most) + _rest(frame)


def _joined(parts: list[tuple[str | None, str, str]], all_roles: bool) -> str:
    """``20 to 25% (sender) and 32% (receiver) lower CPU cost``."""
    sizes, ways = {size for _, size, _ in parts}, {way for _, _, way in parts}
    if len(parts) == 1 or (len(sizes) == len(ways) == 1 and all_roles):
        role, size, way = parts[0]
        named = f" on the {role}" if role and not all_roles else ""
        return f"{size} {way}{named}"
    if len(ways) == 1:
        told = [f"{size} ({role})" for role, size, _ in parts]
        return f"{listed(told)} {parts[0][2]}"
    return listed([f"{size} {way} ({role})" for role, size, way in parts])


def _where(frame: pl.DataFrame, clear: pl.DataFrame, most: bool) -> str:
    """The only workload that changed, or where a change is much larger than others."""
    sizes: list[float] = clear["value"].abs().to_list()
    if clear["workload"].n_unique() == 1:
        return f" with {clear['workload'][0]}" * (frame["workload"].n_unique() > 1)
    if not most or min(sizes) * _SPREAD > max(sizes):
        return ""
    top: dict[str, Any] = clear.row(sizes.index(max(sizes)), named=True)
    tests = frame.filter(pl.col("workload") == top["workload"])["configuration"]
    on = f" on {top['configuration']}" if tests.n_unique() > 1 else ""
    return f", most with {top['workload']}{on}"


def _rest(frame: pl.DataFrame) -> str:
    """Which other changes are comparable, and which inconclusive."""
    told = [
        f"{verdict} on the {role}" if role else f"{rows.height} {verdict}"
        for verdict in ("comparable", "inconclusive")
        if (rows := frame.filter(pl.col("verdict") == verdict)).height
        for role in [_role_of_all(rows, frame)]
    ]
    return f"; {listed(told)}" if told else ""


def _role_of_all(rows: pl.DataFrame, frame: pl.DataFrame) -> str:
    """The role whose changes the rows are, all of them and no others; else none."""
    role: str | None = rows["role"][0]
    of_role = frame.filter(pl.col("role").eq_missing(role))
    return role if role and rows.equals(of_role) else ""


def _range(low: float, high: float) -> str:
    """``42 to 55%``; one number where both print alike."""
    first, last = _digits(low), _digits(high)
    return f"{last}%" if first == last else f"{first} to {last}%"


def _digits(size: float) -> str:
    return f"{size:,.0f}" if size >= 9.95 else f"{size:.1f}"


def medians_of(frame: pl.DataFrame, setting: Setting) -> str:
    """``Latency 47.4 µs on A and 49 µs on B``; of several workloads, from and to."""
    told = [
        f"{spoken_name(setting.metrics[metric], role)} {_medians(panel)}"
        for (metric, role), panel in groups(only(frame, "fact"), *PANEL)
    ]
    text = "; ".join(told)
    if medians_said(frame) == "Prediction":
        return f"Predicted: {text}"
    return text[0].upper() + text[1:]


def spread_of(frame: pl.DataFrame, setting: Setting) -> str:
    """The medians of one workload, or how far those of several are apart; then runs."""
    facts = only(frame, "fact")
    several = all(facts[name].n_unique() > 1 for name in ("workload", "configuration"))
    told = [_apart(facts, setting) if several else medians_of(frame, setting)]
    return "; ".join(filter(None, [*told, scatter_of(frame)]))


def _apart(facts: pl.DataFrame, setting: Setting) -> str:
    """``Medians of latency on A and B differ by at most 4.0%``, panel by panel."""
    told = []
    for (metric, role), panel in groups(facts, *PANEL):
        sides = (part["value"].to_list() for _, part in groups(panel, "workload"))
        size = (max(max(values) / min(values) for values in sides) - 1) * 100
        name = spoken_name(setting.metrics[metric], role)
        on = listed(panel["configuration"].unique(maintain_order=True))
        told.append(f"medians of {name} on {on} differ by at most {_digits(size)}%")
    text = "; ".join(told)
    return text[0].upper() + text[1:]


def scatter_of(frame: pl.DataFrame) -> str:
    """``runs lie up to 41% from their median, with RR1(1kB) on A``; "" without runs."""
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
    where = f", with {top['workload']} on {top['configuration']}"
    several = facts["workload"].n_unique() > 1
    return f"runs lie up to {_digits(size)}% from their median" + where * several


def _medians(panel: pl.DataFrame) -> str:
    unit = unit_of(panel)
    told = []
    for (configuration,), part in groups(panel, "configuration"):
        ends = list(dict.fromkeys(format_number(x) for x in sorted(part["value"])))
        span = ends[0] if len(ends) == 1 else f"{ends[0]} to {ends[-1]}"
        told.append(f"{span}{unit if unit == '%' else f' {unit}'} on {configuration}")
    return listed(told)
