"""One level a situation; targets that contradict or cannot be met are told."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from analysis.declared.vocabulary import BASES
from analysis.errors import UserError
from synthetic.network.levels import Levels
from synthetic.network.plan import planned
from tests.synthetic.conftest import OF, ROOT

LEVELS = Levels(OF)


def changed(line: int, **values: object):
    """The declaration with one target changed."""
    targets = [t.model_copy(update=values) if t.line == line else t for t in OF.targets]
    return replace(OF, targets=tuple(targets))


def line_of(*named: object) -> int:
    """The line of the target of a test, workload and quantity."""
    return next(t.line for t in OF.targets if (t.test, t.workload, t.quantity) == named)


@pytest.mark.parametrize(
    ("one", "other", "workload"),
    [
        ("smcd", "smcd-z17", "RR10(1kB)"),
        ("hipersockets", "hs-z17", "RR10(32kB)"),
        ("osh", "tcp-osh", "STR1(20MB/1B)"),
        ("osh", "osh-1500-32", "STR3(1B/20MB)"),
        ("osd", "osd-1500-32", "RR60(4kB)"),
        ("z17-neth", "smcr-neth-port", "STR1(20MB/1B)"),
        ("pss-0804", "tls12-c030", "CRR40(64B/8kB)"),
    ],
)
def test_a_situation_has_one_level_in_all_studies(one, other, workload):
    roles = LEVELS.systems(one, workload)
    for quantity in ("rate", *roles):
        first, second = (
            LEVELS.level(id, workload, quantity).value for id in (one, other)
        )
        assert first == pytest.approx(second, rel=1e-9)


def test_every_target_is_met_by_its_levels():
    for target in OF.targets:
        test = LEVELS.level(target.test, target.workload, target.quantity).value
        if target.baseline is None:
            assert test == pytest.approx(target.value)
            continue
        base = LEVELS.level(target.baseline, target.workload, target.quantity).value
        assert test / base == pytest.approx(target.ratio, rel=1e-6), target.words


def test_targets_that_contradict_each_other_are_told_with_both_lines():
    line = line_of("smcd", "RR10(1kB)", "rate")
    other = line_of("smcd-z17", "RR10(1kB)", "rate")
    base = OF.targets[-1].model_copy(
        update={
            "study": "hipersockets-smcd", "workload": "RR10(1kB)", "line": 999,
            "baseline": "hs-z17", "test": "smcd-z17", "metric": "latency",
            "role": None, "value": -55.0,
        }
    )  # fmt: skip
    with pytest.raises(UserError) as raised:
        Levels(replace(OF, targets=(*OF.targets, base)))
    said = str(raised.value)
    assert said.count("two targets contradict each other") == 1
    assert f"{OF.targets_file}:999: " in said or f"{OF.targets_file}:999\n" in said
    assert any(f"{OF.targets_file}:{at}" in said for at in (line, other))


def test_a_system_that_would_be_too_busy_is_told_with_both_lines():
    line = line_of("osh", "RR60(4kB)", "client")
    with pytest.raises(UserError) as raised:
        planned(changed(line, value=60.0))
    rate = line_of("osh", "RR60(4kB)", "rate")
    said = str(raised.value)
    assert f"{OF.targets_file}:{rate}: RR60(4kB) over osh would make SYNA" in said
    assert f"or the CPU cost of {OF.targets_file}:{line}" in said


def test_more_than_the_line_carries_is_told():
    line = line_of("osh", "STR1(20MB/1B)", "rate")
    with pytest.raises(UserError, match=r"one way, more than the 2,942 MB/s"):
        planned(changed(line, value=180.0))


def test_the_table_of_bases_counts_the_targets():
    text = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    counts: dict[str, Counter[str]] = {"**all**": Counter()}
    for target in OF.targets:
        counts.setdefault(target.study, Counter())[target.basis] += 1
        counts["**all**"][target.basis] += 1
    for study, count in counts.items():
        cells = " | ".join(str(count[basis]) for basis in BASES)
        assert f"| {study} | {cells} |\n" in text
