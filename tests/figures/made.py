"""Made facts for the figures, shaped and sized like the real ones."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from analysis.declared.vocabulary import Origin
from analysis.declared.workload import parse_workload
from analysis.facts.fact import Estimate, Fact, Facts, Lineage, Verdict, fact_key
from analysis.facts.series import RunSeries
from analysis.facts.units import format_percent, format_value

ROOT = Path(__file__).parents[2]
WORKLOADS = ("RR1(100B)", "RR10(100B)", "RR40(100B)", "CRR10(64B/8kB)", "STR3(1B/20MB)")
UNITS = {
    "rate": ("1/s", "higher"),
    "latency": ("µs", "lower"),
    "throughput": ("MB/s", "higher"),
    "cpu_cost": ("µs/tran", "lower"),
    "instructions_per_transaction": ("instr/tran", "lower"),
    "cycles_per_instruction": ("cycles/instr", "lower"),
    "cpu_frequency": ("GHz", "higher"),
}
# Medians of configuration A by workload; what is not here does not exist
TRUTH = {
    "rate": (16_000, 211_000, 193_000, 28_200, None),
    "latency": (62.5, 47.4, 207.0, 355.0, None),
    "throughput": (None, None, None, None, 3159),
    ("cpu_cost", "client"): (21.5, 4.4, 4.7, 42.0, 5867),
    ("cpu_cost", "server"): (21.8, 4.2, 4.8, 25.0, 4467),
}
CHANGED = {
    ("B", "throughput", None, "STR3(1B/20MB)"): 1980,
    ("B", "cpu_cost", "client", "STR3(1B/20MB)"): 9303,
    ("B", "cpu_cost", "server", "STR3(1B/20MB)"): 7034,
    ("B", "cpu_cost", "client", "CRR10(64B/8kB)"): 40.5,
    ("B", "cpu_cost", "server", "CRR10(64B/8kB)"): 30.0,
}
# What makes a fact one that was predicted from synthetic inputs
PREDICTED = {
    "origin": "synthetic",
    "n": 0,
    "verdict": None,
    "confidence": 0.9,
    "samples": (),
    "lineage": Lineage("estimate"),
    "estimate": Estimate("generation", "generation", "1", "from z17", "published"),
}
BEGINS = (0.5, 0.75, *[1.0] * 10)  # of the seconds of a run that warms up
PRODUCT = (
    "cpu_cost", "instructions_per_transaction", "cycles_per_instruction",
    "cpu_frequency",
)  # fmt: skip
STUDIES = {"offload": ("A", ("B",)), "noise": ("A", ("A2",))}


def samples_of(
    configuration: str, metric: str, role: str | None, workload: str
) -> tuple[float, ...]:
    """Ten runs around the true median: 1% of scatter, two modes for RR1(100B)."""
    key = (metric, role) if role else metric
    centre = CHANGED.get((configuration, metric, role, workload))
    centre = centre or TRUTH[key][WORKLOADS.index(workload)]
    if centre is None:
        return ()
    rng = random.Random(f"{configuration}.{metric}.{role}.{workload}")  # noqa: S311
    slow = {3, 5, 6, 9} if configuration == "A" else {1, 2, 4, 7, 8}
    factor = 0.72 if metric == "rate" else 1.4
    return tuple(
        centre
        * rng.gauss(1, 0.012)
        * (factor if workload == "RR1(100B)" and i in slow else 1)
        for i in range(10)
    )


def make_series(
    facts: Facts, shares: Sequence[float] = BEGINS
) -> tuple[RunSeries, ...]:
    """What happened inside each run of the values: seconds that are so large a share of
    the run's value, with 3% of scatter; of the first two, a warm-up is proposed."""
    rng = random.Random("inside")  # noqa: S311
    return tuple(
        RunSeries(
            edition=fact.edition,
            study=fact.study,
            workload=fact.workload,
            metric=fact.metric,
            configuration=fact.configuration,
            run=f"{fact.configuration}-{nth}",
            origin=fact.origin,
            unit=fact.unit,
            starts=tuple(map(float, range(len(shares)))),
            seconds=(1.0,) * len(shares),
            values=tuple(value * share * rng.gauss(1, 0.03) for share in shares),
            kept=(True,) * len(shares),
            warm_up=2.0,
        )
        for fact in facts.facts
        if fact.kind == "value" and fact.role is None
        for nth, value in enumerate(fact.samples)
    )


def scattered(centre: float, seed: str) -> tuple[float, ...]:
    """Ten runs with 2% of scatter around a centre."""
    rng = random.Random(seed)  # noqa: S311
    return tuple(centre * rng.gauss(1, 0.02) for _ in range(10))


def make_facts(edition: str = "linux-veth", origin: Origin = "measured") -> Facts:
    """Both studies' values and deltas."""
    found = [
        fact
        for study, (baseline, tests) in STUDIES.items()
        for key in TRUTH
        for workload in WORKLOADS
        for fact in _facts(study, baseline, tests, key, workload, edition, origin)
    ]
    return Facts(tuple(found))


def make_fact(
    study: str,
    workload: str,
    role: str | None,
    metric: str,
    configuration: str,
    samples: tuple[float, ...],
    against: tuple[str, tuple[float, ...]] | None = None,
    edition: str = "linux-veth",
    origin: Origin = "measured",
) -> Fact:
    """One value fact; with ``against`` (baseline, its samples) the delta to it."""
    unit, better = UNITS[metric]
    value, low, high, verdict = _spread(samples), *_ends(samples), None
    if against:
        value, low, high = _change(samples, against[1])
        verdict, unit = _verdict(value, low, high, better), "%"
    slug = parse_workload(workload).slug
    return Fact(
        key=fact_key(study, slug, role, metric, configuration, bool(against)),
        edition=edition,
        study=study,
        workload=workload,
        role=role,
        metric=metric,
        kind="delta" if against else "value",
        configuration=configuration,
        baseline=against[0] if against else None,
        value=value,
        unit=unit,
        better=better,
        n=len(samples),
        low=low,
        high=high,
        confidence=0.95 if against else 0.979,
        origin=origin,
        printed=format_percent(value) if against else format_value(value, unit),
        verdict=verdict,
        threshold=5.0 if against else None,
        samples=() if against else samples,
        lineage=Lineage("test", tuple(f"{configuration}-{i}" for i in range(10))),
    )


def _facts(study, baseline, tests, key, workload, edition, origin) -> Iterator[Fact]:
    metric, role = key if isinstance(key, tuple) else (key, None)
    base = samples_of(baseline, metric, role, workload)
    if not base:
        return
    common = {"edition": edition, "origin": origin}
    yield make_fact(study, workload, role, metric, baseline, base, **common)
    for test in tests:
        own = samples_of(test, metric, role, workload)
        yield make_fact(study, workload, role, metric, test, own, **common)
        yield make_fact(
            study, workload, role, metric, test, own, (baseline, base), **common
        )


def _spread(samples: tuple[float, ...]) -> float:
    return median(samples)


def _ends(samples: tuple[float, ...]) -> tuple[float, float]:
    ordered = sorted(samples)
    return ordered[1], ordered[-2]


def _change(
    test: tuple[float, ...], base: tuple[float, ...]
) -> tuple[float, float, float]:
    low, high = _ends(test)
    middle = median(base)
    return tuple((x / middle - 1) * 100 for x in (median(test), low, high))


def _verdict(value: float, low: float, high: float, better: str) -> Verdict:
    if low >= -5 and high <= 5:
        return "comparable"
    if low <= 0 <= high or abs(value) < 5:
        return "inconclusive"
    return "improved" if (value > 0) == (better == "higher") else "regressed"


def make_study(
    study: str,
    changes: dict[tuple[str, str | None, str], tuple[float, float]],
    baseline: str = "A",
    test: str = "B",
) -> Facts:
    """Values and changes from (metric, role, workload) to medians before and after."""
    found = []
    for (metric, role, workload), (before, after) in changes.items():
        base = scattered(before, f"{metric}{role}{workload}before")
        own = scattered(after, f"{metric}{role}{workload}after")
        made = (study, workload, role, metric)
        found += [
            make_fact(*made, baseline, base),
            make_fact(*made, test, own),
            make_fact(*made, test, own, (baseline, base)),
        ]
    return Facts(tuple(found))


def make_costs(
    cells: dict[tuple[str, str], tuple[tuple[float, float, float], ...]],
    study: str = "s",
    baseline: str = "A",
    test: str = "B",
) -> Facts:
    """Costs and what makes them, from (role, workload) to instructions, cycles per
    instruction and GHz before and after; the cost of each run is their product."""
    found = []
    for (role, workload), sides in cells.items():
        runs = []
        for side, centres in zip("AB", sides, strict=True):
            each = [
                scattered(centre, f"{role}{workload}{i}{side}")
                for i, centre in enumerate(centres)
            ]
            costs = tuple(i * c / f / 1e3 for i, c, f in zip(*each, strict=True))
            runs.append(dict(zip(PRODUCT, (costs, *each), strict=True)))
        for metric in PRODUCT:
            of = (study, workload, role, metric)
            base, own = (side[metric] for side in runs)
            found += [
                make_fact(*of, baseline, base),
                make_fact(*of, test, own),
                make_fact(*of, test, own, (baseline, base)),
            ]
    return Facts(tuple(found))
