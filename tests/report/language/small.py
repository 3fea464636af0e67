"""A study with few facts, made by hand so that every claim can be worked out."""

from __future__ import annotations

from dataclasses import replace

from analysis.declared.metrics import read_metrics
from analysis.declared.study import Study
from analysis.declared.workload import parse_workload
from analysis.facts.fact import Fact, Facts, fact_key
from analysis.facts.units import format_percent, format_value
from analysis.report.language.claim import Outcome
from analysis.report.language.claims import evaluate, parse_claim
from analysis.report.language.scope import Scope
from tests.report.conftest import ROOT, fact

METRICS = read_metrics(ROOT / "data/metrics.yaml")


def study(*tests: str) -> Study:
    return Study(
        title="S",
        question="?",
        campaigns=("lab",),
        baseline="old",
        tests=tests or ("new",),
        workloads=("RR1(1kB)",),
        figures=(),
    )


def change(
    workload: str,
    percent: float,
    metric: str = "latency",
    role: str | None = None,
    test: str = "new",
    half: float = 2.0,
    verdict: str | None = None,
    **fields: object,
) -> Fact:
    """A change with an interval of ± ``half`` and the verdict that fits."""
    better = METRICS[metric].better
    if verdict is None and better != "none":
        gained = (percent > 0) == (better == "higher")
        verdict = "improved" if gained else "regressed"
        if abs(percent) < 2 or abs(percent) <= half:
            verdict = "comparable" if abs(percent) + half <= 2 else "inconclusive"
    slug = parse_workload(workload).slug
    made = {
        "key": fact_key("speed", slug, role, metric, test, delta=True),
        "kind": "delta",
        "unit": "%",
        "better": better,
        "workload": workload,
        "metric": metric,
        "role": role,
        "configuration": test,
        "baseline": "old",
        "value": percent,
        "low": percent - half,
        "high": percent + half,
        "printed": format_percent(percent),
        "verdict": verdict,
        "threshold": 2.0,
        "p_adjusted": 0.001,
    }
    return fact(**(made | fields))


def value(
    workload: str,
    number: float,
    configuration: str,
    metric: str = "latency",
    role: str | None = None,
    samples: tuple[float, ...] = (),
    **fields: object,
) -> Fact:
    slug, unit = parse_workload(workload).slug, METRICS[metric].unit
    made = {
        "key": fact_key("speed", slug, role, metric, configuration),
        "unit": unit,
        "better": METRICS[metric].better,
        "workload": workload,
        "metric": metric,
        "role": role,
        "configuration": configuration,
        "value": number,
        "printed": format_value(number, unit),
        "samples": samples,
    }
    return fact(**(made | fields))


def outcome(
    text: str, *facts: Fact, tests: tuple[str, ...] = ("new",), margin: float = 1.0
) -> Outcome:
    """What the facts say about a claim, with a least margin."""
    scope = Scope(Facts(facts), {"speed": study(*tests)}, METRICS, "speed")
    claim = replace(parse_claim(text, METRICS, 7), file="o.md")
    return evaluate(claim, scope, margin)
