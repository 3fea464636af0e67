from __future__ import annotations

import pytest

from analysis.declared.published import read_published
from analysis.declared.stated import CLASSES, is_mix, speaks_of
from analysis.declared.workload import parse_workload

ROW = read_published()[0]


def row(workload: str, variant: str = ""):
    return ROW.model_copy(update={"workload": workload, "variant": variant})


@pytest.mark.parametrize(
    ("pattern", "variant", "name", "expected"),
    [
        ("RR*", "", "RR10(1kB)", True),
        ("RR*", "", "CRR10(1kB)", False),
        ("RR* + STR*", "", "STR1(20MB/1B)", True),
        ("RR*", "small", "RR10(1kB)", True),
        ("RR*", "small", "RR10(4kB)", False),
        ("RR*", "medium", "RR10(4kB)", True),
        ("RR*", "large", "RR10(32kB)", True),
        ("RR*", "z/OS to Linux", "RR10(32kB)", True),
    ],
)
def test_patterns_and_payload_classes(
    pattern: str, variant: str, name: str, expected: bool
) -> None:
    assert speaks_of(row(pattern, variant), parse_workload(name)) is expected


def test_named_workloads_that_ran_at_once_are_a_mix() -> None:
    assert is_mix(row("RR10(4kB) + STR1(5MB/1B)"))
    assert not is_mix(row("RR* + STR*"))
    assert not is_mix(row("RR10(4kB)"))


def test_small_medium_and_large_leave_no_payload_out() -> None:
    for size in (1, 1024, 2048, 2049, 4096, 16383, 16384, 2**20):
        assert sum(CLASSES[c](size) for c in ("small", "medium", "large")) == 1
