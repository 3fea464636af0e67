"""Who ran when: six repetitions, minute by minute, loads side by side."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from itertools import pairwise

import pytest

from synthetic.network.plan import MINUTE, planned
from tests.synthetic.conftest import OF

PLANNED = planned(OF)


@pytest.mark.parametrize("study", PLANNED)
def test_runs_follow_each_other_without_a_gap_on_each_machine(study):
    for cpc in {turn.arm.cpc for turn in PLANNED[study]}:
        starts = [turn.start for turn in PLANNED[study] if turn.arm.cpc == cpc]
        steps = {b - a for a, b in pairwise(starts)}
        assert steps == {MINUTE}
        assert starts[0].weekday() < 5


@pytest.mark.parametrize("study", PLANNED)
def test_every_load_has_six_good_repetitions_in_the_order_of_time(study):
    seen: dict[str, list[int]] = {}
    failed: Counter[str] = Counter()
    for turn in PLANNED[study]:
        for load in turn.arm.loads:
            seen.setdefault(load.key, []).append(turn.repetition)
            failed[load.key] += turn.failed
    for key, numbers in seen.items():
        assert numbers == list(range(1, 7 + failed[key])), key


def test_a_few_runs_fail_where_it_is_declared():
    failed = [turn for turns in PLANNED.values() for turn in turns if turn.failed]
    assert len(failed) == len(OF.making.failures) == 3


def test_studies_have_days_of_their_own_and_arms_are_shuffled():
    days = Counter(turns[0].start.date() for turns in PLANNED.values())
    assert set(days.values()) == {1}
    assert max(days) == dt.date(2026, 2, 3)
    order = [turn.arm.configuration for turn in PLANNED["osh-osd"]]
    assert order != sorted(order)


def test_mixed_loads_share_their_minute_and_their_systems():
    mixed = [
        s for s in PLANNED["router-queue"] if s.arm.configuration.startswith("mix-")
    ]
    assert len(mixed) == 12
    for turn in mixed:
        forwarded, local = turn.arm.loads
        assert local.systems == {"client": "SYNA", "router": "SYNB"}
        assert forwarded.systems == {"client": "SYNR", "router": "SYNB"}
        assert (set(forwarded.costs), set(local.costs)) == (
            {"client", "router"}, {"client"},
        )  # fmt: skip
    for turn in PLANNED["gre-iwq"]:
        assert [load.workload.name for load in turn.arm.loads] == [
            "RR10(4kB)", "STR1(5MB/1B)",
        ]  # fmt: skip
        first, second = turn.arm.loads
        assert {*first.systems.values()} == {*second.systems.values()}
        assert not second.costs  # counted once
    assert all(len(turn.arm.loads) == 2 for turn in PLANNED["one-feature"])


def test_a_stream_s_client_side_sends_or_receives():
    systems = {
        load.workload.name: load.systems
        for turn in PLANNED["osh-osd"]
        for load in turn.arm.loads
    }
    assert systems["STR1(20MB/1B)"] == {"sender": "SYNA", "receiver": "SYNB"}
    assert systems["STR1(1B/20MB)"] == {"receiver": "SYNA", "sender": "SYNB"}
