from __future__ import annotations

import pytest

from analysis.declared.published import (
    CLASSES,
    is_mix,
    is_of_a_set,
    parts_of,
    read_published,
    set_of,
    speaks_of,
)
from analysis.declared.workload import parse_workload

ROWS = read_published()
ROW = ROWS[0]


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


def test_clients_are_one_number_several_or_a_range():
    def speaks(told: str, clients: int) -> bool:
        said = row("RR*").model_copy(update={"clients": told})
        return speaks_of(said, parse_workload(f"RR{clients}(1B)"))

    assert [n for n in (1, 10, 40, 50) if speaks("1,10,50", n)] == [1, 10, 50]
    assert [n for n in (10, 40, 64, 65) if speaks("40-64", n)] == [40, 64]
    assert speaks("", 7) and not speaks("1", 10)


def test_names_of_the_sources_are_those_of_shapes():
    assert parts_of(row("FTP")) == ["GET*", "PUT*"]
    assert parts_of(row("RR* + STR*")) == ["RR*", "STR*"]
    assert not is_mix(row("FTP"))


def test_the_bars_that_nothing_tells_apart_are_sets():
    ids: dict[str, list[str]] = {}
    for bar in filter(is_of_a_set, ROWS):
        same = [other.id for other in set_of(bar, ROWS)]
        assert bar.id in same
        ids[min(same)] = sorted(same)
    assert [(first, of[-1], len(of)) for first, of in sorted(ids.items())] == [
        ("P115", "P118", 4),
        ("P119", "P122", 4),
        ("P129", "P136", 8),
        ("P139", "P142", 4),
        ("P143", "P146", 4),
        ("P149", "P152", 4),
        ("P153", "P156", 4),
    ]
    values = [other.value for other in set_of(ROWS[118], ROWS)]
    assert values == [-8.3, -7.9, 2.5, 12.0]


def test_small_medium_and_large_leave_no_payload_out() -> None:
    for size in (1, 1024, 2048, 2049, 4096, 16383, 16384, 2**20):
        assert sum(CLASSES[c](size) for c in ("small", "medium", "large")) == 1
