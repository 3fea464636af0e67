"""Checks of a run against itself: does its evidence fit together?

A run that fails a gate stays in, and every fact made from it says so. The identities
are Little's law for closed workloads and the utilisation law; see J. D. C. Little,
Operations Research 9 (1961), 383-387.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import polars as pl

from analysis.campaign import Campaign

TICK_COVERAGE = 0.95
# More than all of the time: ticks of another length than declared, or CPUs that came.
TICK_EXCESS = 1.05
_TIMES = frozenset({"rate", "latency", "throughput"})
_CP = frozenset({"cpu_cost", "cpu_cost_per_mb", "utilisation"})
CPU_METRICS = _CP | {"cpu_cost_ziip", "cpu_cost_equivalent"}


@dataclass(frozen=True)
class _State:
    """A gate on one column of a run that must lie within bounds."""

    column: str
    name: str
    words: str
    metrics: frozenset[str]


_IDLE = _State(
    "idle_before",
    "idle before",
    "{values} of the CPU time was idle before the run",
    _TIMES | CPU_METRICS,
)
_TICKS = _State(
    "tick_coverage",
    "tick coverage",
    "{values} of the time is in clock ticks",
    CPU_METRICS,
)


@dataclass(frozen=True)
class Flag:
    """One finding about one run; ``value`` is what the gate saw, if it is a number.

    It concerns ``metrics`` and, unless None, one ``role`` only.
    """

    id: str
    gate: str
    text: str
    metrics: frozenset[str]
    value: float | None = None
    role: str | None = None


def little_ratio(rate: float, latency_us: float, clients: float) -> float:
    """rate [1/s] × latency [µs] ÷ clients: 1 where every client always waits."""
    return rate * latency_us / 1e6 / clients


def utilisation_ratio(
    rate: float, cost_us: float, cps: float, utilisation_pct: float
) -> float:
    """rate [1/s] × cost [µs/tran] ÷ CPs ÷ utilisation [%]: 1 where all CPU is in."""
    return rate * cost_us / 1e6 / cps / (utilisation_pct / 100)


def flag_runs(runs: pl.DataFrame, campaigns: Mapping[str, Campaign]) -> list[Flag]:
    """What the benchmark and the machine's state say of each run."""
    found: list[Flag] = []
    for run in runs.iter_rows(named=True):
        gates = campaigns[run["campaign"]].gates
        found += _status(run)
        found += _little(run, gates.little)
        found += _below(run, _IDLE, gates.idle_before)
        found += _below(run, _TICKS, TICK_COVERAGE)
        found += _above(run, _TICKS, TICK_EXCESS)
    return found


def flag_cpu(
    costs: pl.DataFrame,
    counted: Mapping[tuple[str, str], float],
    campaigns: Mapping[str, Campaign],
) -> list[Flag]:
    """What the CPU evidence says of each run; ``costs`` as ``derive_cpu_cost`` gives.

    ``counted`` is busy CPU seconds by run and machine from a second source, the clock
    ticks; the control groups of the machine's roles together are held against them.
    """
    found: list[Flag] = []
    rows = costs.sort("id", "role").to_dicts()
    for id, group in groupby(rows, lambda row: row["id"]):
        roles = list(group)
        gates = campaigns[roles[0]["campaign"]].gates
        found += _ticks(id, roles, counted, gates.utilisation)
        found += _utilisation(id, roles, gates.utilisation)
        for row in roles:
            found += _cpu_notes(row)
    return found


def describe_flags(flags: Sequence[Flag], n: int) -> tuple[str, ...]:
    """One warning for each gate and text: how many of ``n`` runs, and the range."""
    texts: dict[tuple[str, str], list[Flag]] = {}
    for flag in flags:
        texts.setdefault((flag.gate, flag.text), []).append(flag)
    return tuple(
        f"{gate}: {len(group)} of {n} runs: {text.format(values=_range(group))}"
        for (gate, text), group in sorted(texts.items())
    )


def _status(run: Mapping[str, object]) -> list[Flag]:
    if run["status"] != "degraded":
        return []
    text = str(run["reason"]).replace("{", "{{").replace("}", "}}")
    return [Flag(str(run["id"]), "degraded", text, _TIMES | CPU_METRICS)]


def _little(run: Mapping[str, float], tolerance: float) -> list[Flag]:
    rate, latency, clients = run["rate"], run["latency_mean_us"], run["clients"]
    if not rate or not latency or not clients:
        return []
    ratio = little_ratio(rate, latency, clients)
    if abs(ratio - 1) <= tolerance:
        return []
    text = f"rate × latency ÷ clients is {{values}}, not within 1 ± {tolerance:g}"
    return [Flag(str(run["id"]), "Little's law", text, _TIMES, ratio)]


def _below(run: Mapping[str, float], gate: _State, least: float) -> list[Flag]:
    value = run[gate.column]
    if value is None or value >= least:
        return []
    text = f"{gate.words}, less than {least:g}"
    return [Flag(str(run["id"]), gate.name, text, gate.metrics, value)]


def _above(run: Mapping[str, float], gate: _State, most: float) -> list[Flag]:
    value = run[gate.column]
    if value is None or value <= most:
        return []
    text = f"{gate.words}, more than {most:g}"
    return [Flag(str(run["id"]), gate.name, text, gate.metrics, value)]


def _ticks(
    id: str,
    roles: Sequence[dict],
    counted: Mapping[tuple[str, str], float],
    tolerance: float,
) -> list[Flag]:
    """Machines whose clock ticks and control groups do not agree."""
    used: dict[str, float] = {}
    for row in roles:
        if row["method"] == "cgroup":
            before = used.get(row["machine"], 0.0)
            used[row["machine"]] = before + row["cpu_seconds"]
    against = "the busy time in clock ticks"
    return [
        flag
        for machine, seconds in used.items()
        if (ticks := counted.get((id, machine)))
        for flag in _beyond(id, seconds / ticks, tolerance, against)
    ]


def _utilisation(id: str, roles: Sequence[dict], tolerance: float) -> list[Flag]:
    found = []
    for row in roles:
        if row["seconds"] and row["rate"] and row["cpu_cost"] and row["utilisation"]:
            ratio = utilisation_ratio(
                row["rate"], row["cpu_cost"], row["cps"], row["utilisation"]
            )
            found += _beyond(id, ratio, tolerance, "the utilisation", row["role"])
    return found


def _beyond(
    id: str, ratio: float, tolerance: float, against: str, role: str | None = None
) -> list[Flag]:
    if abs(ratio - 1) <= tolerance:
        return []
    text = f"rate × cost is {{values}} of {against}, not within 1 ± {tolerance:g}"
    return [Flag(id, "utilisation law", text, CPU_METRICS, ratio, role)]


def _cpu_notes(row: dict) -> list[Flag]:
    absent = sorted(set(row["wanted"] or ()) - set(row["parts"]))
    unknown = row["ziip_seconds"] and row["factor"] is None
    notes = {
        "overlap": row["overlap"]
        and "no interval lies inside the run; weighted by overlap, coverage {values}",
        "types": row["other_types"]
        and f"{row['other_types']} time was used and is not in here",
        "normalisation": unknown
        and "no record tells the factor of zIIP time: no CP-equivalent cost",
        "idle": row["idle"] > 0 and f"an idle load of {row['idle']:g} CPs is taken off",
        "waits": row["waits"]
        and "dispatch time holds waits, as with dedicated CPs or wait completion",
        "absent": absent and f"there is no interval of {', '.join(absent)}",
        "uneven": row["uneven"]
        and f"the intervals of {', '.join(row['parts'])} do not cover the same time",
    }
    metrics = {
        "types": _CP,
        "normalisation": frozenset({"cpu_cost_ziip"}),
        "idle": CPU_METRICS - {"cpu_cost_ziip"},
    }
    value = {"overlap": row["coverage"]}
    return [
        Flag(
            row["id"],
            gate,
            text,
            metrics.get(gate, CPU_METRICS),
            value.get(gate),
            row["role"],
        )
        for gate, text in notes.items()
        if text
    ]


def _range(flags: Sequence[Flag]) -> str:
    values = [flag.value for flag in flags if flag.value is not None]
    if not values:
        return ""
    low, high = f"{min(values):.3g}", f"{max(values):.3g}"
    return low if low == high else f"{low} to {high}"
