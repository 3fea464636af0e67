"""Deltas derived from the raw bytes are those that the targets ask for."""

from __future__ import annotations

import csv
import math
from statistics import fmean, median, stdev

import pytest

from analysis.declared.targets import Target
from analysis.derive.gates import little_ratio
from analysis.facts.kinds import KINDS
from tests.synthetic.conftest import OF, ROOT

pytestmark = pytest.mark.xdist_group("synthetic")
TOLERANCE = 0.002  # of the ratio
CHANGES = [t for t in OF.targets if t.kind == "change"]
VALUES = [t for t in OF.targets if t.kind == "value"]
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


@pytest.mark.parametrize("target", CHANGES, ids=lambda target: target.words)
def test_a_derived_change_is_the_target_and_has_its_basis(derived, target: Target):
    (delta,) = derived.find(
        kind="delta", study=target.study, metric=target.metric, role=target.role,
        workload=target.load.name, configuration=target.test,
    )  # fmt: skip
    assert delta.baseline == target.baseline
    assert delta.n == 6
    wanted = 1 + target.value / 100
    assert 1 + delta.value / 100 == pytest.approx(wanted, rel=TOLERANCE), delta.key
    assert delta.basis == target.basis


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


@pytest.mark.parametrize("target", VALUES, ids=lambda target: target.words)
def test_a_published_value_is_derived(derived, target: Target):
    (fact,) = derived.find(
        kind="value", study=target.study, metric=target.metric, role=target.role,
        workload=target.load.name, configuration=target.test,
    )  # fmt: skip
    assert fact.value == pytest.approx(target.value, rel=1e-3)
    assert fact.basis == "published"


def test_a_change_between_published_values_is_published(derived):
    stem = "icsf-audit.crr40-64b-8kb"
    assert derived.facts[f"{stem}.-.rate.sessobj-yes.delta"].basis == "published"
    both = derived.facts["osh-osd.rr10-1kb.client.utilisation.osh.delta"]
    assert both.basis == "free"  # the weaker one of rate and CPU cost
    assert derived.facts["osh-osd.rr10-1kb.-.rate.osh.delta"].basis == "published"


def test_every_value_has_an_interval(derived):
    values = derived.find(kind="value")
    assert len(values) > 700
    assert all(fact.low is not None and fact.n == 6 for fact in values)


def test_runs_scatter_as_declared(derived):
    for workload in ("RR60(4kB)", "CRR40(64B/8kB)", "STR3(1B/20MB)"):
        cvs = OF.making.noise[workload.rstrip("(0123456789kB/M)")]
        by_metric = {"throughput" if workload.startswith("STR") else "rate": cvs.rate}
        for metric, cv in (by_metric | {"cpu_cost": cvs.cpu}).items():
            found = derived.find(
                kind="value", study="release-3-2", workload=workload, metric=metric
            )
            spreads = [stdev(map(math.log, fact.samples)) for fact in found]
            assert 0.6 * cv < median(spreads) < 1.8 * cv, (workload, metric)


def test_no_interval_is_busier_than_its_machine_allows(derived):
    busy = derived.table("cpu_interval")["busy_pct"]
    assert busy.len() > 1300
    assert 90 < busy.max() < 98


def test_rate_times_cost_is_the_utilisation(derived):
    """It covers the time of the load and not the rest of the interval."""
    values = {fact.key: fact for fact in derived.find(kind="value")}
    found = [f for f in values.values() if f.metric == "utilisation"]
    assert len(found) > 200
    told = "icsf-audit.crr40-64b-8kb.client.{}.sessobj-yes"
    assert values[told.format("utilisation")].value == pytest.approx(93.4, abs=0.3)


def test_the_cpu_time_of_a_mix_is_told_once(derived):
    costs = derived.find(kind="value", study="router-queue", role="router")
    assert {fact.workload for fact in costs} == {"RR20(1kB)"}
    for system in ("client", "server"):
        told = derived.find(
            kind="value", study="one-feature", role=system, metric="cpu_cost"
        )
        assert {fact.workload for fact in told} == {"RR60(4kB)", "CRR40(64B/8kB)"}
    assert not derived.find(study="gre-iwq", workload="STR1(5MB/1B)", role="sender")


def test_rate_and_latency_of_every_run_obey_little_s_law(derived):
    rows = derived.table("benchmark").to_dicts()
    assert len(rows) == 909
    for row in rows:
        if row["transactions"]:
            ratio = little_ratio(row["rate"], row["latency_mean_us"], row["clients"])
            assert ratio == pytest.approx(1, abs=0.003), row["run"]


def test_all_facts_are_synthetic_and_no_gate_flags_a_run(derived):
    facts = derived.facts.values()
    assert {fact.origin for fact in facts} == {"synthetic"}
    said = {KINDS[w.kind].name for fact in facts for w in fact.warnings}
    order = {"in blocks", "alike runs"}  # in which six runs a side may come by chance
    own = {"outlier", "excluded", "drift"}  # as real campaigns have them
    assert said <= {"side by side", "few for a verdict"} | order | own
    assert {"outlier", "excluded"} <= said
