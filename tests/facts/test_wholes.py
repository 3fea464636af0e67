"""Wholes and their parts."""

from dataclasses import replace

import pytest

from analysis.facts.fact import without_parts
from tests.facts.test_fact import FACT


@pytest.mark.parametrize(
    ("roles", "left"),
    [
        (("server", "tcpip", "vtam"), ["server"]),
        (("total", "total-above", "csm"), ["total"]),
        (("tcpip", "vtam"), ["tcpip", "vtam"]),  # of nothing that is there
        ((None, "tcpip"), [None, "tcpip"]),  # another metric's whole
    ],
)
def test_what_is_summed_up_is_the_whole_and_not_its_parts(roles, left):
    metrics = {None: "rate"}
    found = [
        replace(FACT, role=role, metric=metrics.get(role, "cpu_cost")) for role in roles
    ]
    assert [fact.role for fact in without_parts(found)] == left
