"""What an edition derives from generated campaigns is what their targets ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.declared.campaign import find_campaigns
from analysis.facts.fact import Fact, read_facts
from synthetic.campaign import DECLARED, declared

pytestmark = pytest.mark.xdist_group("synthetic")
TOLERANCE = 0.002  # of the ratio
EDITION = "zos-cs-3.1"
CAMPAIGNS = [id for id in find_campaigns(DECLARED) if id.startswith(EDITION)]
RELEASES = ("", "-smcr", "-distributor", "-ipv6")


@pytest.fixture(scope="module")
def facts(derived: Path) -> list[Fact]:
    found = read_facts(derived).facts
    return [fact for fact in found if fact.edition == EDITION]


@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_each_change_is_its_target_and_has_its_basis(campaign: str, facts: list[Fact]):
    changes = [t for t in declared(campaign).targets if t.kind == "change"]
    assert changes
    deltas = {
        (f.study, f.workload, f.configuration, f.baseline, f.metric, f.role): f
        for f in facts
        if f.kind == "delta"
    }
    for target in changes:
        pair = (target.test, target.baseline)
        key = (target.study, target.load.name, *pair, target.metric, target.role)
        fact = deltas[key]
        ratio = 1 + target.value / 100
        assert 1 + fact.value / 100 == pytest.approx(ratio, rel=TOLERANCE), target.words
        assert fact.basis == target.basis, target.words


@pytest.mark.parametrize("study", RELEASES)
def test_no_comparison_of_releases_is_improved_or_regressed(
    study: str, facts: list[Fact]
):
    own = [f for f in facts if f.study == f"release-3-1{study}" and f.verdict]
    assert own
    assert {fact.verdict for fact in own} == {"comparable"}


def test_delay_and_duration_of_files_follow_from_their_throughput(facts: list[Fact]):
    changes = {
        (f.workload, f.metric): 1 + f.value / 100
        for f in facts
        if f.study == "zhpf-ftp" and f.kind == "delta" and f.role is None
    }
    for load in ("GET1(1B/200MB)", "PUT1(200MB/1B)"):
        for metric in ("delay", "duration"):
            product = changes[load, metric] * changes[load, "throughput"]
            assert product == pytest.approx(1, abs=0.002)
