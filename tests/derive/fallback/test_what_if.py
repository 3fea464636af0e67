"""Entries of a what-if question: the ends of what may be asked."""

import pytest

from analysis.declared.workload import parse_workload
from analysis.derive.fallback.point import Point
from analysis.derive.fallback.predict import quantities, read_what_if
from analysis.derive.samples import Cell
from analysis.errors import UserError
from models.streams import away
from tests.derive.fallback.conftest import interactive, knowledge, sample, study


@pytest.mark.parametrize(
    ("entry", "low", "high"), [("cps", 1, 16), ("clients", 1, 600)]
)
def test_the_ends_of_a_range_may_be_asked_and_nothing_beyond(entry, low, high):
    for value in (low, high):
        assert read_what_if([f"{entry}={value}"], [], None)
    for value in (low - 1, high + 1):
        with pytest.raises(UserError, match="out of range"):
            read_what_if([f"{entry}={value}"], [], None)


def test_roles_are_asked_of_that_the_arm_or_its_partner_has_in_such_work():
    samples = {
        **interactive("B", "RR10(1kB)", 100.0, 6.0, 7.0),
        Cell("A", "RR1(1kB)", "cpu_cost", "receiver"): sample(1.0),
        Cell("C", "RR1(1kB)", "cpu_cost", "sender"): sample(1.0),
        Cell("B", "STR1(1B/1MB)", "cpu_cost", "distributor"): sample(1.0),
        Cell("B", "RR1(1kB)", "utilisation", "target"): sample(1.0),
    }
    point = Point("A", parse_workload("RR2(1kB)"), None)
    found = quantities(point, knowledge(study(), samples))
    assert found[:2] == [("latency", None), ("rate", None)]
    assert list(dict.fromkeys(role for _, role in found[2:])) == [
        "client", "server", "receiver",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("work", "sends"),
    [("STR1(1MB/1B)", True), ("STR1(1MB)", True), ("STR1(1B/1MB)", False)],
)
def test_the_client_sends_a_stream_unless_it_receives_more(work, sends):
    assert away(parse_workload(work)) == sends
