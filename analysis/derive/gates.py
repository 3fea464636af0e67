"""Checks of a run against itself: does its evidence fit together?

A run that fails a gate stays in, and every fact made from it says so. The identities
are Little's law for closed workloads and the utilisation law; see J. D. C. Little,
Operations Research 9 (1961), 383-387.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import polars as pl

from analysis.declared.campaign import Campaign
from analysis.declared.metrics import Metric
from analysis.derive.identities import doubtful, little_ratio, utilisation_ratio
from analysis.facts.kind import Values
from analysis.facts.remark import Remark

TICK_COVERAGE = 0.95
# More than all of the time: ticks of another length than declared, or CPUs that came.
TICK_EXCESS = 1.05
Concern = Callable[[Metric], bool]


def any_derived(metric: Metric) -> bool:
    """All that is derived from runs."""
    return metric.evidence is not None


def of_benchmark(metric: Metric) -> bool:
    """What the benchmark tells."""
    return metric.evidence == "benchmark"


def of_cpu(metric: Metric) -> bool:
    """What rests on CPU time."""
    return metric.evidence == "cpu"


def of_smf(metric: Metric) -> bool:
    """What may rest on records of SMF."""
    return metric.evidence in ("cpu", "service")


def of_service(metric: Metric) -> bool:
    """What services tell of a run, and not of one of its systems."""
    return metric.evidence == "service" and not metric.roles


def of_cp_alone(metric: Metric) -> bool:
    """What has no other CPU time in it than that of CPs."""
    return metric.times == ("CP",)


def of_ziip_alone(metric: Metric) -> bool:
    """What has no other CPU time in it than that of zIIPs."""
    return metric.times == ("zIIP",)


def with_cp(metric: Metric) -> bool:
    """What has time of CPs in it."""
    return "CP" in metric.times


_OF_NOTES = {"types": of_cp_alone, "normalisation": of_ziip_alone, "idle": with_cp}


@dataclass(frozen=True)
class Flag:
    """One finding about one run; ``value`` is what the gate saw, if it is a number.

    It ``concerns`` some metrics and, unless None, one ``role`` only. ``values`` are
    those of the remark that it becomes, and do not depend on the run.
    """

    id: str
    kind: str
    concerns: Concern
    values: Values = field(default_factory=dict)
    value: float | None = None
    role: str | None = None


def flag_runs(runs: pl.DataFrame, campaigns: Mapping[str, Campaign]) -> list[Flag]:
    """What the benchmark and the machine's state say of each run."""
    found: list[Flag] = []
    for run in doubtful(runs, campaigns).iter_rows(named=True):
        campaign = campaigns[run["campaign"]]
        gates = campaign.gates
        think = campaign.think_of(run["workload"], run["configuration"])
        found += _status(run)
        found += _little(run, gates.little, think)
        found += _idle_before(run, gates.idle_before)
        found += _tick_coverage(run)
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


def describe_flags(flags: Sequence[Flag], n: int) -> tuple[Remark, ...]:
    """One remark for each kind and its values: how many of ``n`` runs, the range."""
    alike: dict[tuple, list[Flag]] = {}
    for flag in flags:
        alike.setdefault((flag.kind, *flag.values.items()), []).append(flag)
    return tuple(sorted((_remark(group, n) for group in alike.values()), key=str))


def _remark(group: Sequence[Flag], n: int) -> Remark:
    seen = [flag.value for flag in group if flag.value is not None]
    ends = {"low": min(seen), "high": max(seen)} if seen else {}
    runs = {"runs": len(group), "of": n}
    return Remark(group[0].kind, values={**runs, **ends, **group[0].values})


def _status(run: Mapping[str, object]) -> list[Flag]:
    if run["status"] != "degraded":
        return []
    reason = {"reason": str(run["reason"])}
    return [Flag(str(run["id"]), "degraded", any_derived, reason)]


def _little(run: Mapping[str, float], tolerance: float, think_ms: float) -> list[Flag]:
    """Rate, latency and think time that do not make up the time of the clients."""
    rate, latency, clients = run["rate"], run["latency_mean_us"], run["clients"]
    if not rate or not latency or not clients:
        return []
    seen = little_ratio(rate, latency, clients, think_ms)
    unseen = (run["latency_mean_us_resolution"] or 0.0) / latency / 2
    if abs(seen - 1) <= tolerance + unseen:
        return []
    kind = "little_thinking" if think_ms else "little"
    return [Flag(str(run["id"]), kind, of_benchmark, {"tolerance": tolerance}, seen)]


def _idle_before(run: Mapping[str, float], least: float) -> list[Flag]:
    """Runs before which less than this share of the CPU time was idle."""
    idle = run["idle_before"]
    if idle is None or idle >= least:
        return []
    return [Flag(str(run["id"]), "idle_before", any_derived, {"least": least}, idle)]


def _tick_coverage(run: Mapping[str, float]) -> list[Flag]:
    """Runs whose clock ticks are not about as much as their time."""
    share = run["tick_coverage"]
    if share is None or TICK_COVERAGE <= share <= TICK_EXCESS:
        return []
    if share < TICK_COVERAGE:
        kind, bound = "few_ticks", {"least": TICK_COVERAGE}
    else:
        kind, bound = "many_ticks", {"most": TICK_EXCESS}
    return [Flag(str(run["id"]), kind, of_cpu, bound, share)]


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
    return [
        flag
        for machine, seconds in used.items()
        if (ticks := counted.get((id, machine)))
        for flag in _beyond(id, "against_ticks", seconds / ticks, tolerance)
    ]


def _utilisation(id: str, roles: Sequence[dict], tolerance: float) -> list[Flag]:
    found = []
    for row in roles:
        if row["seconds"] and row["rate"] and row["cpu_cost"] and row["busy_pct"]:
            ratio = utilisation_ratio(
                row["rate"], row["cpu_cost"], row["cps"], row["busy_pct"]
            )
            kind = "against_utilisation"
            found += _beyond(id, kind, ratio, tolerance, row["role"])
    return found


def _beyond(
    id: str, kind: str, ratio: float, tolerance: float, role: str | None = None
) -> list[Flag]:
    if abs(ratio - 1) <= tolerance:
        return []
    return [Flag(id, kind, of_cpu, {"tolerance": tolerance}, ratio, role)]


def _cpu_notes(row: dict) -> list[Flag]:
    """What is to be said of a run's CPU evidence itself."""
    absent = tuple(sorted(set(row["wanted"] or ()) - set(row["parts"])))
    unknown = row["ziip_seconds"] and row["factor"] is None
    found = {
        "overlap": row["overlap"] and {},
        "types": row["other_types"] and {"types": row["other_types"]},
        "normalisation": unknown and {},
        "idle": row["idle"] > 0 and {"cpus": row["idle"]},
        "waits": row["waits"] and {},
        "absent": absent and {"parts": absent},
        "uneven": row["uneven"] and {"parts": tuple(row["parts"])},
    }
    value = {"overlap": row["coverage"]}
    return [
        Flag(
            row["id"],
            kind,
            _OF_NOTES.get(kind, of_cpu),
            values,
            value.get(kind),
            row["role"],
        )
        for kind, values in found.items()
        if isinstance(values, dict)
    ]
