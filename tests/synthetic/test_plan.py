"""Who ran when: six repetitions, minute by minute, loads side by side."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from itertools import pairwise

import pytest

from synthetic.network.generator import planned
from synthetic.network.plan import MINUTE
from tests.synthetic.conftest import OF

PLANNED = planned(OF)


@pytest.mark.parametrize("study", PLANNED)
def test_runs_follow_each_other_without_a_gap_on_each_machine(study):
    for cpc in {slot.cpc for slot in PLANNED[study]}:
        starts = [slot.start for slot in PLANNED[study] if slot.cpc == cpc]
        steps = {b - a for a, b in pairwise(starts)}
        assert steps == {MINUTE}
        assert starts[0].weekday() < 5


@pytest.mark.parametrize("study", PLANNED)
def test_every_load_has_six_good_repetitions_in_the_order_of_time(study):
    seen: dict[str, list[int]] = {}
    failed: Counter[str] = Counter()
    for slot in PLANNED[study]:
        for load in slot.loads:
            seen.setdefault(load.key, []).append(slot.repetition)
            failed[load.key] += slot.failed
    for key, numbers in seen.items():
        assert numbers == list(range(1, 7 + failed[key])), key


def test_a_few_runs_fail_where_it_is_declared():
    failed = [slot for slots in PLANNED.values() for slot in slots if slot.failed]
    assert len(failed) == len(OF.making.failures) == 3


def test_studies_have_days_of_their_own_and_arms_are_shuffled():
    days = Counter(slots[0].start.date() for slots in PLANNED.values())
    assert set(days.values()) == {1}
    assert max(days) == dt.date(2026, 2, 3)
    order = [slot.configuration for slot in PLANNED["osh-osd"]]
    assert order != sorted(order)


def test_mixed_loads_share_their_minute_and_their_systems():
    mixed = [s for s in PLANNED["router-queue"] if s.configuration.startswith("mix-")]
    assert len(mixed) == 12
    for slot in mixed:
        forwarded, local = slot.loads
        assert local.systems == {"client": "SYNA", "router": "SYNB"}
        assert forwarded.systems == {"client": "SYNR", "router": "SYNB"}
        assert (set(forwarded.costs), set(local.costs)) == (
            {"client", "router"}, {"client"},
        )  # fmt: skip
    for slot in PLANNED["gre-iwq"]:
        assert [load.workload.name for load in slot.loads] == [
            "RR10(4kB)", "STR1(5MB/1B)",
        ]  # fmt: skip
        assert {*slot.loads[0].systems.values()} == {*slot.loads[1].systems.values()}
        assert not slot.loads[1].costs  # told once
    assert all(len(slot.loads) == 2 for slot in PLANNED["one-feature"])


def test_a_stream_s_client_side_sends_or_receives():
    systems = {
        load.workload.name: load.systems
        for slot in PLANNED["osh-osd"]
        for load in slot.loads
    }
    assert systems["STR1(20MB/1B)"] == {"sender": "SYNA", "receiver": "SYNB"}
    assert systems["STR1(1B/20MB)"] == {"receiver": "SYNA", "sender": "SYNB"}
