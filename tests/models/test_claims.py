from __future__ import annotations

import pytest

from analysis.declared.published import read_published
from analysis.declared.workload import parse_workload
from models.claims import WantedClaim, find_changes

ROWS = read_published()


def ids(study, baseline, test, name, metric, role=None, beside=()):
    work = parse_workload(name)
    wanted = WantedClaim(study, baseline, test, work, metric, role, beside)
    return [row.id for row in find_changes(ROWS, wanted)]


@pytest.mark.parametrize(
    ("name", "id"),
    [("RR10(1kB)", "P016"), ("RR10(4kB)", "P017"), ("RR10(32kB)", "P018")],
)
def test_the_payload_class_decides(name, id):
    assert ids("shared-osh", "hipersockets", "osh-shared", name, "latency") == [id]


def test_both_stands_for_each_role_and_for_none():
    study = ("osh-osd", "osd", "osh", "STR1(20MB/1B)", "cpu_cost")
    assert ids(*study, "sender") == ids(*study, "receiver") == ["P012"]
    assert ids(*study) == ids(*study, "router") == []


def test_a_mix_says_nothing_of_one_workload_alone():
    asked = ("gre-iwq", "osd", "osh", "RR10(4kB)", "cpu_cost", "target")
    assert ids(*asked) == ids(*asked, beside=("STR1(20MB/1B)",)) == []
    assert ids(*asked, beside=("STR1(5MB/1B)",)) == ["P004", "P031"]


def test_other_shapes_metrics_and_directions_do_not_count():
    assert ids("osh-osd", "osd", "osh", "RR1(1kB)", "latency") == ["P010"]
    assert ids("osh-osd", "osh", "osd", "RR1(1kB)", "latency") == []
    assert ids("osh-osd", "osd", "osh", "STR1(1B/20MB)", "latency") == []
    assert ids("osh-osd", "osd", "osh", "RR1(1kB)", "rate") == []


def test_values_are_no_changes_and_exact_comes_first():
    study = ("icsf-audit", "sessobj-no", "sessobj-yes", "CRR40(64B/8kB)")
    assert ids(*study, "rate") == ["P007", "P076"]
    assert ids(*study, "cpu_cost", "client") == ["P009", "P077"]


def test_a_bar_of_which_nothing_tells_the_workload_predicts_none():
    wanted = WantedClaim("s", "a", "b", parse_workload("RR1(1kB)"), "latency")
    names = {"study": "s", "baseline": "a", "test": "b", "metric": "latency"}
    row = ROWS[0].model_copy(
        update={
            "kind": "delta",
            "workload": "RR*",
            "role": None,
            "variant": "",
            **names,
        }
    )
    assert find_changes([row], wanted) == (row,)
    bar = row.model_copy(update={"variant": "bar 1 of 4"})
    assert find_changes([bar], wanted) == ()
