"""Deltas derived from the raw bytes are those that the targets ask for."""

from __future__ import annotations

import csv
import math
from statistics import fmean, stdev

import pytest

from analysis.derive.gates import little_ratio
from analysis.facts.kinds import KINDS
from synthetic.campaign import TARGETS as TARGETS_FILE
from synthetic.plan import LEFT_OUT
from synthetic.targets import Target, read_targets
from tests.synthetic.conftest import FOLDER, ROOT

pytestmark = pytest.mark.xdist_group("synthetic")
TOLERANCE = 0.005  # of the ratio
TARGETS = read_targets(FOLDER / TARGETS_FILE)
THERE = [
    t
    for t in TARGETS
    if not {t.baseline.configuration, t.test.configuration} & {*LEFT_OUT}
]
SMALL, LARGE = ("RR10(1kB)", "RR10(4kB)"), ("RR10(32kB)",)
# Published number: study, test, metric, workloads, role (none: all of them).
GROUPS = {
    "P010": ("osh-osd", "osh", "latency", "RR", None),
    "P011": ("osh-osd", "osh", "throughput", "STR", None),
    "P012": ("osh-osd", "osh", "cpu_cost", "STR", None),
    "P019": ("shared-osh", "osh-shared", "cpu_cost", "RR", None),
    "P020": ("shared-osh", "osh-shared", "cpu_cost", "STR", None),
    "P005": ("smcr-neth", "z17-neth", "latency", "RR", None),
    "P006": ("smcr-neth", "z17-neth", "cpu_cost", "STR", None),
    "P021": ("linux-sharing", "linux-shared", "latency", "RR", None),
    "P023": ("linux-sharing", "linux-shared", "throughput", "STR", None),
    "P024": ("linux-sharing", "linux-shared", "cpu_cost", "STR", "sender"),
    "P025": ("linux-sharing", "linux-shared", "cpu_cost", "STR", "receiver"),
    "P038": ("ee-osh", "ee-osh", "latency", "RR", None),
    "P044": ("smcd-z17", "smcd-z17", "latency", SMALL, None),
    "P045": ("smcd-z17", "smcd-z17", "cpu_cost", SMALL, None),
    "P048": ("smcd-z17", "smcd-z17", "throughput", "STR", None),
    "P049": ("smcd-z17", "smcd-z17", "cpu_cost", "STR", "sender"),
    "P050": ("smcd-z17", "smcd-z17", "cpu_cost", "STR", "receiver"),
    "P051": ("hipersockets-smcd", "smcd", "latency", SMALL, None),
    "P052": ("hipersockets-smcd", "smcd", "cpu_cost", SMALL, None),
    "P053": ("hipersockets-smcd", "smcd", "latency", LARGE, None),
    "P054": ("hipersockets-smcd", "smcd", "cpu_cost", LARGE, None),
    "P055": ("hipersockets-smcd", "smcd", "throughput", "STR", None),
    "P057": ("hipersockets-smcd", "smcd", "cpu_cost", "STR", None),
}


def asked(target: Target) -> list[tuple[str, str | None, float]]:
    """Metric, role and percentage of every change of a target."""
    of_time = {"rate": target.rate_delta, "latency": target.latency_delta}
    if target.test.workload.shape == "STR":
        of_time = {"throughput": target.rate_delta}
    costs = [("cpu_cost", role, pct) for role, pct in target.cost_deltas.items()]
    return [*((name, None, pct) for name, pct in of_time.items()), *costs]


@pytest.mark.parametrize("target", THERE, ids=lambda target: target.test.key)
def test_a_derived_change_is_the_target(derived, target):
    for metric, role, percent in asked(target):
        (delta,) = derived.find(
            kind="delta", study=target.test.study, metric=metric, role=role,
            workload=target.test.workload.name,
            configuration=target.test.configuration,
        )  # fmt: skip
        assert delta.baseline == target.baseline.configuration
        assert delta.n == 5
        wanted = 1 + percent / 100
        assert 1 + delta.value / 100 == pytest.approx(wanted, rel=TOLERANCE), delta.key


def published() -> dict[str, dict[str, str]]:
    with (ROOT / "data" / "published.csv").open(encoding="utf-8") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


@pytest.mark.parametrize("id", GROUPS)
def test_the_published_rule_of_a_group_holds(derived, id):
    study, test, metric, workloads, role = GROUPS[id]
    found = [
        fact.value
        for fact in derived.find(
            kind="delta", study=study, configuration=test, metric=metric
        )
        if role in (None, fact.role)
        if fact.workload.startswith(workloads)
    ]
    row = published()[id]
    value, rule = float(row["value"]), row["qualifier"]
    assert rule in ("up to", "average")
    group = fmean(found) if rule == "average" else max(found, key=abs)
    assert 1 + group / 100 == pytest.approx(1 + value / 100, rel=TOLERANCE)


def test_the_absolute_values_of_icsf_are_the_published_ones(derived):
    rates = {"sessobj-no": 3067, "sessobj-yes": 645}
    costs = {"sessobj-no": (282, 261), "sessobj-yes": (5790, 3260)}
    stem = "icsf-audit.crr40-64b-8kb"
    for id, rate in rates.items():
        assert derived.facts[f"{stem}.-.rate.{id}"].value == pytest.approx(rate, 1e-3)
        for role, cost in zip(("client", "server"), costs[id], strict=True):
            found = derived.facts[f"{stem}.{role}.cpu_cost.{id}"]
            assert found.value == pytest.approx(cost, 1e-3)


def test_every_arm_has_its_absolute_values_within_the_session_s_factor(derived):
    arms = {a.key: a for t in TARGETS for a in (t.baseline, t.test)}
    there = [a for a in arms.values() if a.configuration not in LEFT_OUT]
    assert len(there) == 138
    for arm in there:
        for role, cost in arm.costs.items():
            (fact,) = derived.find(
                kind="value", study=arm.study, configuration=arm.configuration,
                workload=arm.workload.name, metric="cpu_cost", role=role,
            )  # fmt: skip
            assert fact.value == pytest.approx(cost, rel=0.02), fact.key


def test_runs_scatter_as_declared(derived):
    for workload, rate, cost in (
        ("RR60(4kB)", 0.008, 0.007),
        ("CRR40(64B/8kB)", 0.015, 0.010),
        ("STR3(1B/20MB)", 0.015, 0.010),
    ):
        by_metric = {"throughput" if workload.startswith("STR") else "rate": rate}
        for metric, cv in (by_metric | {"cpu_cost": cost}).items():
            for fact in derived.find(
                kind="value", study="release-3-2", workload=workload, metric=metric
            ):
                logs = [math.log(value) for value in fact.samples]
                assert stdev(logs) == pytest.approx(cv, rel=0.05), fact.key


def test_no_interval_is_busier_than_its_machine_allows(derived):
    busy = derived.table("cpu_interval")["busy_pct"]
    assert busy.len() > 1300
    assert 90 < busy.max() < 98


def test_rate_and_latency_of_every_run_obey_little_s_law(derived):
    rows = derived.table("benchmark").to_dicts()
    assert len(rows) == 695
    for row in rows:
        ratio = little_ratio(row["rate"], row["latency_mean_us"], row["clients"])
        assert ratio == pytest.approx(1, abs=0.003), row["run"]


def test_all_facts_are_synthetic_and_no_gate_flags_a_run(derived):
    facts = derived.facts.values()
    assert {fact.origin for fact in facts} == {"synthetic"}
    said = {KINDS[w.kind].name for fact in facts for w in fact.warnings}
    order = {"in blocks", "alike runs"}  # in which five runs a side may come by chance
    assert said <= {"few", "few for a verdict", "side by side"} | order
