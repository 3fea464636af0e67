"""Key figures of the tables of one file, in a line or two for each."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from typing import Any

import polars as pl

from analysis.facts.units import how_many

Lines = list[str]
_LIMIT = 16
_PERCENTAGES = {
    "busy_pct": "busy",
    "mvs_busy_pct": "MVS busy",
    "parked_pct": "parked",
    "steal_pct": "stolen by the hypervisor",
}


def preview(tables: dict[str, pl.DataFrame]) -> Lines:
    """What a person wants to know first; empty for tables without a preview."""
    lines: Lines = []
    for name, make in _PREVIEWS.items():
        if name in tables and tables[name].height:
            made = make(tables[name])
            more = [f"… and {len(made) - _LIMIT} more"] if len(made) > _LIMIT else []
            lines += [*made[:_LIMIT], *more]
    return lines


def _benchmark(frame: pl.DataFrame) -> Lines:
    lines: Lines = []
    for row in frame.iter_rows(named=True):
        what = row["shape"] or "shape unknown"
        clients = "" if row["clients"] is None else f", {row['clients']} clients"
        test = f"{row['test']}: " if row["test"] else ""
        lines.append(f"{test}{what}{clients}")
        lines += _figures(
            row,
            ("rate", 1, "transactions/s in the steady part"),
            ("latency_mean_us", 1, "µs mean latency"),
            ("bytes_per_second", 1e6, "MB/s"),
            ("seconds", 1, "s steady part"),
            ("transactions", 1, "transactions in all"),
            ("errors", 1, "errors"),
        )
    return lines


def _figures(row: dict[str, Any], *figures: tuple[str, float, str]) -> Lines:
    return [
        f"{_digits(row[name] / scale):>12} {unit}"
        for name, scale, unit in figures
        if row[name] is not None
    ]


def _digits(value: float) -> str:
    """About four digits, with thousands apart; counts in full."""
    if not math.isfinite(value):
        return str(value)
    if value == int(value) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 100 else f"{value:.2f}"


def _cpu_interval(frame: pl.DataFrame) -> Lines:
    lines: Lines = []
    for keys, rows in frame.group_by("system", "cpu_type", maintain_order=True):
        system, kind = map(str, keys)
        spans = f"{how_many(rows.height, 'interval')} of {_length(rows)}"
        lines.append(f"{system} {kind}: {spans}{_online(rows)}")
        lines += [
            _range(rows[name].drop_nulls().to_list(), words)
            for name, words in _PERCENTAGES.items()
            if rows[name].drop_nulls().len()
        ]
        lines.append(f"{rows['busy_seconds'].sum():>12,.3f} CPU seconds")
    return lines


def _online(rows: pl.DataFrame) -> str:
    """How many CPUs were online, where one number holds for all intervals."""
    counts = rows["online_cpus"].drop_nulls().unique().to_list()
    return f", {how_many(round(counts[0]), 'CPU')} online" if len(counts) == 1 else ""


def _length(rows: pl.DataFrame) -> str:
    lengths = rows["seconds"].drop_nulls().to_list()
    return f"{statistics.median(lengths):g} s" if lengths else "unknown length"


def _range(values: list[float], words: str) -> str:
    line = f"{statistics.fmean(values):>11.2f}% {words}"
    if len(values) == 1:
        return line
    return f"{line}, from {min(values):.2f}% to {max(values):.2f}%"


def _run_cpu(frame: pl.DataFrame) -> Lines:
    return [
        f"{row['role']}: {row['cpu_seconds']:,.4f} CPU seconds ({row['method']})"
        for row in frame.iter_rows(named=True)
    ]


def _cpu_counter(frame: pl.DataFrame) -> Lines:
    return [
        f"{'all CPUs' if row['cpu'] == 'all' else 'CPU ' + row['cpu']}: "
        f"{row['busy_ticks']:,} busy, {row['idle_ticks']:,} idle, "
        f"{row['steal_ticks']:,} stolen ticks since boot"
        for row in frame.iter_rows(named=True)
    ]


_PREVIEWS: dict[str, Callable[[pl.DataFrame], Lines]] = {
    "benchmark": _benchmark,
    "run_cpu": _run_cpu,
    "cpu_interval": _cpu_interval,
    "cpu_counter": _cpu_counter,
}
