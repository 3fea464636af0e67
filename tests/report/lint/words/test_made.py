"""What texts say of how runs were made, and no campaign declares."""

from __future__ import annotations

import pytest

from analysis.declared.campaign import Campaign
from analysis.report.lint.words.made import (
    DeclaredCampaigns,
    declared_campaigns,
    undeclared,
)
from analysis.report.lint.words.mention import Mention
from analysis.report.lint.words.text_blocks import TextBlock, block_of, text_blocks
from analysis.report.text.parse import parse

CAMPAIGN = {
    "title": "Two namespaces",
    "origin": "measured",
    "measured": {
        "by": "us",
        "from": "2026-01-01",
        "to": "2026-01-02",
        "how": "Ten repetitions with uperf, in shuffled order.",
    },
    "zone": "UTC",
    "licence": "none",
    "systems": {
        "cli": {"role": "client", "cps": 2, "host": "vm"},
        "srv": {"role": "server", "cps": 2, "host": "vm"},
    },
    "configurations": {
        "A": {"label": "On", "details": {"Congestion control": "bbr"}},
        "B": {"label": "Off", "details": {"Congestion control": "bbr"}},
    },
    "cpu": {"source": "cgroup", "minimum_coverage": 0.8},
    "hardware": {"Processor": "Intel Xeon"},
    "software": {"Operating system": "Debian 12.11"},
}


@pytest.fixture(scope="module")
def declared() -> DeclaredCampaigns:
    return declared_campaigns([Campaign.model_validate(CAMPAIGN)])


def found(block: TextBlock, declared: DeclaredCampaigns) -> list[str]:
    return [
        words
        for sentence in block.sentences
        for _, words in undeclared(block, sentence, (), declared)
    ]


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("Congestion control was cubic.", "cubic; declared is bbr"),
        ("The workloads were driven by iperf3.", "iperf3; declared is uperf"),
        ("It has an AMD processor.", "AMD; declared is intel"),
        ("It ran Debian 11.", "Debian 11; declared is 12.11"),
        ("Client and server ran on two machines.", "two machines"),
        ("All runs succeeded.", "All runs succeeded"),
        ("Each run lasted a full minute.", "lasted a full minute"),
        ("Failed runs were repeated.", "repeated"),
        ("Slow runs were left out.", "Slow runs were left out"),
        ("The order of the runs was not shuffled.", "shuffled"),
        ("We tuned the kernel.", "tuned the kernel"),
    ],
)
def test_what_no_campaign_declares_is_told(
    declared: DeclaredCampaigns, sentence: str, told: str
) -> None:
    assert told in found(block_of(sentence), declared)


@pytest.mark.parametrize(
    "sentence",
    [
        "Congestion control was bbr.",
        "uperf drives the workloads on Debian 12.",
        "The runs were shuffled.",
        "Two machines were not compared.",
        "If runs were repeated, a drift would show.",
        "Both sides ran on one machine.",
        "uperf [@netperf] makes the load.",
    ],
)
def test_what_is_declared_passes(declared: DeclaredCampaigns, sentence: str) -> None:
    assert found(block_of(sentence), declared) == []


def test_what_its_author_takes_upon_himself_passes(declared: DeclaredCampaigns) -> None:
    (block,) = text_blocks(parse("[All runs succeeded with cubic.]{.unchecked}"))
    assert found(block, declared) == []


def test_a_switch_that_another_configuration_has_is_told(
    declared: DeclaredCampaigns,
) -> None:
    block = block_of("Receive offload on in B.")
    mentions = [
        Mention("configuration", 0, 18, frozenset({"A"}), text="Receive offload on"),
        Mention("configuration", 22, 23, frozenset({"B"}), text="B"),
    ]
    (sentence,) = block.sentences
    ((_, said),) = undeclared(block, sentence, mentions, declared)
    assert said == "Receive offload on in B"
    mentions[1] = Mention("configuration", 22, 23, frozenset({"A"}), text="A")
    assert list(undeclared(block, sentence, mentions, declared)) == []
