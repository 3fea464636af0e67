"""What a figure finds, in one line made from its facts: an answer, not a list."""

from __future__ import annotations

from typing import Any

import polars as pl

from analysis.declared.metrics import Metric
from analysis.declared.vocabulary import part_words
from analysis.facts.sentences import inside, listed
from analysis.figures.grammar.curves import PAYLOAD, x_of
from analysis.figures.select import PANEL, groups, only
from analysis.figures.setting import Setting
from analysis.figures.words import bar_name, is_predicted, spoken_name

# Of a metric that has no better direction, a clear change has no verdict.
_CLEAR = pl.col("verdict").is_in(("improved", "regressed")) | (
    pl.col("verdict").is_null()
    & (pl.col("better") == "none")
    & ((pl.col("low") > 0) | (pl.col("high") < 0))
)
_SPREAD = 1.2  # largest to smallest change, from which on one is called the largest
_MOST = 3  # names and roles that a line has room for
_SIZES = 4  # metrics of which a line says how much
_ALIKE = 1.03  # of two values, up to which neither is called higher
_DOUBLE = 1.95  # from which on growth is told as a multiple, not in percent
_TEN = 9.95  # from which on a multiple has no decimals


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
    sizes = [_sizes(part, clear, metric) for metric, part, clear in parts[:_SIZES]]
    places = [_where(part, clear, setting) for _, part, clear in parts[:_SIZES]]
    if len(set(places)) > 1:
        sizes = [
            size + place * (not place.startswith(","))
            for size, place in zip(sizes, places, strict=True)
        ]
        places = [""]
    apart = "; ".join(sizes) if any("," in size for size in sizes) else listed(sizes)
    text = f"{apart}{places[0]}{_rest(frame)}"
    return text[0].upper() + text[1:]


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
    less, more = _ways(metric)
    ends = dict.fromkeys(map(_digits, sorted(map(abs, (min(changes), max(changes))))))
    return f"{' to '.join(ends)}%", less if max(changes) <= 0 else more


def _ways(metric: Metric) -> tuple[str, str]:
    """What a decrease and an increase are called: ``less throughput``."""
    name = inside(metric.label)
    return metric.less or f"lower {name}", metric.more or f"higher {name}"


def _mixed(clear: pl.DataFrame) -> bool:
    """Whether the changes of a role go both ways."""
    ends = clear.group_by("role").agg(low=pl.min("value"), high=pl.max("value"))
    return not ends.filter((pl.col("low") < 0) & (pl.col("high") > 0)).is_empty()


def _both_ways(clear: pl.DataFrame, metric: Metric) -> str:
    """``up to 12% more throughput (RR1(1kB)), up to 8.3% less (RR9(1kB))``: the larger
    first."""
    several = clear["configuration"].n_unique() > 1
    low, *_, high = clear.sort("value").to_dicts()
    less, more = _ways(metric)
    ends = [(low, less), (high, more)]
    first, last = sorted(ends, key=lambda end: -abs(end[0]["value"]))
    if first[1].partition(" ")[2] == last[1].partition(" ")[2]:
        last = (last[0], last[1].partition(" ")[0])
    return ", ".join(
        f"up to {_digits(abs(row['value']))}% {way} ({bar_name(row, several)})"
        for row, way in (first, last)
    )


def _sizes(frame: pl.DataFrame, clear: pl.DataFrame, metric: Metric) -> str:
    """``20 to 25% lower CPU cost at the sender, 32% at the receiver``."""
    none = [words for words in clear["printed"] if words.startswith("from 0 ")]
    if none:  # a rise from nothing has no size
        how = none[0] if clear.height == 1 else "where there were none"
        return f"{_ways(metric)[1]}, {how}"
    parts = [
        (role, "", _both_ways(part, metric))
        if _mixed(part)
        else (role, *size_words(part["value"].to_list(), metric))
        for (role,), part in groups(clear, "role")
    ]
    alike = len({way for *_, way in parts}) == 1 and not _mixed(clear)
    roles = frame["role"].n_unique()
    every = len(parts) == roles
    if alike and every and (len(parts) >= _MOST or len({s for _, s, _ in parts}) == 1):
        size, way = size_words(clear["value"].to_list(), metric)
        text = f"{size} {way}"
    else:
        text = ", ".join(
            f"{size}{'' if alike and n else f' {way}'}".lstrip()
            + (f" at the {part_words(role)}" if role and roles > 1 else "")
            for n, (role, size, way) in enumerate(parts)
        )
    predicted = clear["model"].null_count() == 0
    return text + " (predicted)" * predicted


def _where(frame: pl.DataFrame, clear: pl.DataFrame, setting: Setting) -> str:
    """With which tests or workloads, where not with all; or where it is largest."""
    if _mixed(clear):
        return ""
    names = list[str]()
    for side, name in (("workload", str), ("configuration", setting.label)):
        ids, every = clear[side].unique(maintain_order=True), frame[side].n_unique()
        if len(ids) < every:
            several = f"{len(ids)} of {every} {side}s"
            names.append(listed(map(name, ids)) if len(ids) < _MOST else several)
    if names:
        return f" with {', '.join(names)}"
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


# Values of configurations, and how they grow


def levels_of(frame: pl.DataFrame, setting: Setting) -> str:
    """Which configuration is lowest and which highest throughout, panel by panel; of
    one configuration how its values grow."""
    facts = only(frame, "fact")
    phrases = [
        told
        for (metric, role), panel in groups(facts, *PANEL)
        if (told := _level(panel, spoken_name(setting.metrics[metric], role), setting))
    ]
    text = "; ".join(dict.fromkeys(phrases))
    if text and is_predicted(frame):
        return f"Predicted: {text}"
    return text[:1].upper() + text[1:]


def _level(panel: pl.DataFrame, name: str, setting: Setting) -> str:
    ids = panel["configuration"].unique(maintain_order=True).to_list()
    if len(ids) == 1:
        return _growth(panel, name)
    ends = {end: set(ids) for end in ("lowest", "highest")}
    for _, part in groups(panel, "workload"):
        value_of = dict(part.select("configuration", "value").iter_rows())
        low, high = min(value_of.values()), max(value_of.values())
        ends["lowest"] &= {id for id, v in value_of.items() if v <= _ALIKE * low}
        ends["highest"] &= {id for id, v in value_of.items() if v * _ALIKE >= high}
    if ends["lowest"] == set(ids):
        return f"{name} is alike with all configurations"
    if len(ids) == 2 and all(ends.values()):
        way = "highest" if panel["better"][0] == "higher" else "lowest"
        of = setting.label(next(iter(ends[way])))
        return f"{of} has the {way.removesuffix('est')}er {name}{_throughout(panel)}"
    parts = [
        f"{end} with {setting.label_list([id for id in ids if id in kept])}"
        for end, kept in ends.items()
        if kept and len(kept) < len(ids)
    ]
    if len(parts) == len(ends) and panel["value"].min() > 0:  # type: ignore[operator]
        parts[-1] += f" ({_farthest(panel)})"
    return f"{name} is {listed(parts)}{_throughout(panel)}" if parts else ""


def _farthest(panel: pl.DataFrame) -> str:
    """``up to 1.9 times as high``: the highest value of a workload over its lowest."""
    spans = panel.group_by("workload").agg(
        low=pl.col("value").min(), high=pl.col("value").max()
    )
    times = max(high / low for _, low, high in spans.iter_rows())
    if times >= _DOUBLE:
        return f"up to {_times(times)} times as high"
    return f"up to {_digits((times - 1) * 100)}% higher"


def _throughout(panel: pl.DataFrame) -> str:
    names = panel["workload"].unique().to_list()
    if len(names) == 1:
        return ""
    title, *_ = x_of(names)
    return " at every payload" if title == PAYLOAD else f" at every number of {title}"


def _growth(panel: pl.DataFrame, name: str) -> str:
    """``14 times the transaction rate with 16 times the sessions``."""
    title, x, _ = x_of(panel["workload"].to_list())
    line = sorted((x[row["workload"]], row["value"]) for row in panel.to_dicts())
    (x0, first), (x1, last) = line[0], line[-1]
    if not (x0 > 0 and first > 0) or x0 == x1:
        return ""
    what = "payload" if title == PAYLOAD else title
    by, times = f"with {_times(x1 / x0)} times the {what}", last / first
    if 1 / _ALIKE < times < _ALIKE:
        return f"{name} is the same {by}"
    if times >= _DOUBLE:
        return f"{_times(times)} times the {name} {by}"
    way = "higher" if times > 1 else "lower"
    return f"{_digits(abs(times - 1) * 100)}% {way} {name} {by}"


def _times(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= _TEN else f"{ratio:.1f}".removesuffix(".0")


# Runs


def runs_of(frame: pl.DataFrame, setting: Setting) -> str:
    """Whether every run of one configuration is above every run of another; of several
    workloads, or of one configuration, how far runs lie from their median."""
    phrases = [
        told
        for (metric, role, _), panel in groups(only(frame, "run"), *PANEL, "workload")
        if (told := _above(panel, setting.metrics[metric], role, setting))
    ]
    facts = only(frame, "fact")
    if facts["workload"].n_unique() > 1:
        return scatter_of(frame, setting)
    ids = facts["configuration"].unique(maintain_order=True).to_list()
    overlap = f"Runs of {setting.label_list(ids)} overlap" if len(ids) == 2 else ""
    return "; ".join(phrases) or overlap or scatter_of(frame, setting)


def _above(
    runs: pl.DataFrame, metric: Metric, role: str | None, setting: Setting
) -> str:
    """``every run of Offload on has a higher throughput than any of Offload off``."""
    spans = {
        id: (float(min(part["value"])), float(max(part["value"])))
        for (id,), part in groups(runs, "configuration")
    }
    if len(spans) != 2:
        return ""
    (one, a), (other, b) = spans.items()
    if a[1] < b[0]:
        one, other, a, b = other, one, b, a
    if a[0] <= b[1]:
        return ""
    more = f"a higher {spoken_name(metric, role)}"
    if metric.per and metric.more:
        more = metric.more
    sides = setting.label(one), setting.label(other)
    return f"Every run of {sides[0]} has {more} than any of {sides[1]}"


def scatter_of(frame: pl.DataFrame, setting: Setting) -> str:
    """``Runs lie up to 41% from their median, farthest with RR1(1kB), Offload on``."""
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
    return f"Runs lie up to {_digits(size)}% from their median{where}"


def _which(facts: pl.DataFrame, row: dict[str, Any], setting: Setting) -> str:
    """Workload and configuration of a row, where a figure has several of them."""
    names = {
        "workload": row["workload"],
        "configuration": setting.label(row["configuration"]),
    }
    parts = [name for side, name in names.items() if facts[side].n_unique() > 1]
    return f", farthest with {', '.join(parts)}" if parts else ""
