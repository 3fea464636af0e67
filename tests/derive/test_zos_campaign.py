"""From the bytes of SMF and RMF to facts, through the verbs: every CPU source."""

from __future__ import annotations

import io
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from analysis.declared.campaign import read_campaign
from analysis.errors import UserError
from analysis.facts.kinds import KINDS
from tests.derive.zos_lab import Lab, Usage, derive_labs, values

HALF = {"NETSTC": (2.0, 0.5), "OTHER": (2.5, 0.5)}


def lab(root: Path, name: str = "lab", b: Usage | None = None, **options: Any) -> Lab:
    """A lab with a baseline A and a test B, which uses half of A's CPU time."""
    server = {"A": Usage(), "B": b or Usage(busy=5.0, classes=HALF)}
    return Lab(root, server, name=name, **options)


# What each campaign has of its own, and what it declares of its CPU time.
LABS: dict[str, dict[str, Any]] = {
    "plain": {},
    "long": {"window": 13},  # 10 of 13 s lie in an interval: 0.77
    "long-allowed": {"window": 13},
    "boost": {"b": Usage(busy=5.0, flags=0x0020)},
    "capacity": {"b": Usage(busy=5.0, capacity=80)},
    "lost": {"lost": (64,)},  # 4 s into the run of B
    "odd-capture": {"b": Usage(classes={"NETSTC": (4.0, 0.0), "OTHER": (1.0, 0.0)})},
    "xml-classes": {
        "smf": False, "xml": {"A": 10.0, "B": 5.0}, "classes": {"A": 9.0, "B": 2.0},
    },
    "smf-classes": {"records": (70,), "classes": {"A": 9.0, "B": 2.0}},
    "other-time": {"records": (70,), "classes": {"A": 9.0}},
    "both": {"xml": {"A": 10.0, "B": 5.0}},
    "differ": {"xml": {"A": 12.0, "B": 5.0}},
    "differ-xml": {"xml": {"A": 12.0, "B": 5.0}},
    "xml": {"xml": {"A": 10.0, "B": 5.0}, "smf": False},
    "xml-dispatch": {"xml": {"A": 10.0, "B": 5.0}, "smf": False},
}  # fmt: skip
SOURCES: list[tuple[str, dict[str, Any], float, float, float, str]] = [
    ("dispatch", {"source": "dispatch"}, 12, 2, 15, "dispatch time of the LPAR"),
    ("class", {"source": "class", "classes": ["NETSTC"]}, 4, 1, 5.5, "class NETSTC"),
    (
        "classes", {"source": "class", "classes": ["OTHER", "NETSTC"]},
        9, 2, 12, "service class OTHER, NETSTC",
    ),
    (
        "job", {"source": "address_space", "jobs": ["TCPIP"]},
        3, 0.5, 3 + 0.5 * 1.25, "job TCPIP",
    ),
    (
        "jobs", {"source": "address_space", "jobs": ["TCPIP", "FTPD1"]},
        4, 0.5, 4 + 0.5 * 1.25, "job TCPIP, FTPD1",
    ),
]  # fmt: skip
CPU: dict[str, dict[str, Any]] = {
    **{name: cpu for name, cpu, *_ in SOURCES},
    "idle": {"source": "lpar_busy", "idle": {"SYSA": 0.25}},
    "long-allowed": {"source": "lpar_busy", "minimum_coverage": 0.7},
    "half-gone": {"source": "class", "classes": ["NETSTC", "GONE"]},
    "gone": {"source": "class", "classes": ["GONE"]},
    "report-class": {"source": "class", "classes": ["NETSTC"], "class_kind": "report"},
    "xml-dispatch": {"source": "dispatch"},
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """All labs and their facts, and what was warned of as they were derived."""
    root = tmp_path_factory.mktemp("labs")
    labs = {name: lab(root, name, **LABS.get(name, {})) for name in {**LABS, **CPU}}
    for name, one in labs.items():
        changes = {"cpu": CPU[name]} if name in CPU else {}
        order = {"sources": ["rmf_xml", "smf"]} if name == "differ-xml" else {}
        one.ingest(changes | order)
    with redirect_stderr(io.StringIO()) as said:
        facts = derive_labs(root, labs.values())
    return labs, {name: values(facts.of(name)) for name in labs}, said.getvalue()


@pytest.fixture(scope="module")
def labs(made) -> dict[str, Lab]:
    return made[0]


@pytest.fixture(scope="module")
def facts_of(made) -> dict[str, dict]:
    """The value facts of each lab."""
    return made[1]


@pytest.fixture(scope="module")
def said(made) -> str:
    return made[2]


def told(fact) -> str:
    return "\n".join(map(str, fact.warnings))


def gates(fact) -> list[str]:
    return [KINDS[warning.kind].name for warning in fact.warnings]


def test_the_published_worked_example_from_the_bytes_of_smf_on(facts_of):
    facts = facts_of["plain"]
    # 25% × 4 CPs × 10 s ÷ 1,000,000 transactions = 10 µs
    cost = facts["A.server.cpu_cost"]
    assert cost.value == pytest.approx(10)
    assert cost.unit == "µs/tran"
    assert facts["A.None.rate"].value == pytest.approx(100_000)
    assert facts["A.server.utilisation"].value == pytest.approx(25)
    assert facts["A.client.cpu_cost"].value == pytest.approx(20)
    assert facts["A.client.utilisation"].value == pytest.approx(50)
    assert "LPAR busy of RMF" in cost.lineage.rule
    assert cost.lineage.runs == ("A-1",)
    assert len(cost.lineage.files) == 2  # the log and the dump


def test_ziip_time_stays_apart_and_counts_by_its_factor(facts_of):
    facts = facts_of["plain"]
    assert facts["A.server.cpu_cost_ziip"].value == pytest.approx(2)
    assert facts["A.server.cpu_cost_equivalent"].value == pytest.approx(10 + 2 * 1.5)
    assert "types" in gates(facts["A.server.cpu_cost"])
    assert "types" not in gates(facts["A.server.cpu_cost_equivalent"])
    assert "A.client.cpu_cost_ziip" not in facts  # it never used one


@pytest.mark.parametrize(("name", "cpu", "cost", "ziip", "equivalent", "rule"), SOURCES)
def test_each_source_gives_its_own_cost(
    facts_of, name, cpu, cost, ziip, equivalent, rule
):
    facts = facts_of[name]
    found = facts["A.server.cpu_cost"]
    assert found.value == pytest.approx(cost)
    assert facts["A.server.cpu_cost_ziip"].value == pytest.approx(ziip)
    assert facts["A.server.cpu_cost_equivalent"].value == pytest.approx(equivalent)
    assert rule in found.lineage.rule
    whole = cpu["source"] == "dispatch"
    busy = cost * 10 / (4 if whole else 1)  # % of four CPs, or of one for a part
    assert facts["A.server.utilisation"].value == pytest.approx(busy)
    assert ("waits" in gates(found)) is (cpu["source"] == "dispatch")


def test_idle_time_is_taken_off_and_said(facts_of):
    facts = facts_of["idle"]
    cost = facts["A.server.cpu_cost"]
    assert cost.value == pytest.approx(10 - 2.5)
    assert "idle load of 0.25 processors" in told(cost)
    assert facts["A.client.cpu_cost"].value == pytest.approx(20)


def test_a_run_that_the_intervals_do_not_cover_has_no_cost(facts_of, said):
    assert "A.server.cpu_cost" not in facts_of["long"]
    assert "covers 0.77 of it, less than the declared 0.8" in said
    # the transactions are those of the span that is covered
    cost = facts_of["long-allowed"]["A.server.cpu_cost"]
    assert cost.value == pytest.approx(10 * 13 / 10)


def test_boost_is_not_comparable(facts_of):
    facts = facts_of["boost"]
    warnings = told(facts["B.server.cpu_cost"])
    assert "not comparable: 1 of 1 runs" in warnings
    assert "speed boost" in warnings
    assert "not comparable" not in gates(facts["A.server.cpu_cost"])
    assert "not comparable" not in gates(facts["B.None.rate"])


def test_a_changed_capacity_is_not_comparable(facts_of):
    facts = facts_of["capacity"]
    for configuration in "AB":
        warnings = told(facts[f"{configuration}.server.cpu_cost"])
        assert "between capacity adjustment 80 and full capacity" in warnings
    assert "not comparable" not in gates(facts["A.client.cpu_cost"])


def test_records_that_smf_lost_are_told_beside_the_values_of_their_run(facts_of, labs):
    facts = facts_of["lost"]
    assert "SMF of SYSA lost 99 records" in told(facts["B.server.cpu_cost"])
    for other in ("A.server.cpu_cost", "B.client.cpu_cost", "B.None.rate"):
        assert "SMF data lost" not in gates(facts[other])
    problem = "SMF of SYSA lost 99 records at 2026-03-02T14:01:04 UTC"
    assert problem in labs["lost"].problems()


def test_an_odd_capture_ratio_travels_to_the_facts(facts_of, labs):
    facts = facts_of["odd-capture"]
    (warning,) = (w for w in facts["B.server.cpu_cost"].warnings if w.kind == "capture")
    assert "50% of the busy CP time" in warning.words
    assert "capture ratio" not in gates(facts["A.server.cpu_cost"])
    assert "capture ratio" in labs["odd-capture"].problems()


def captured(made: Lab) -> list[float | None]:
    """The capture ratio of each CP interval of SYSA, in the order of time."""
    rows = pl.read_parquet(made.tables / "cpu_interval.parquet")
    own = rows.filter(system="SYSA", cpu_type="CP").sort("start_utc")
    return own["capture_pct"].to_list()


@pytest.mark.parametrize("name", ["xml-classes", "smf-classes"])
def test_the_capture_ratio_is_known_whichever_files_tell(facts_of, labs, name):
    facts = facts_of[name]
    assert captured(labs[name]) == [pytest.approx(90), pytest.approx(40)]
    said = told(facts["B.server.cpu_cost"])
    assert "capture ratio: 1 of 1 runs: 40% of the busy CP time" in said
    assert "capture ratio" not in gates(facts["A.server.cpu_cost"])
    problem = "lies outside 70 to 100% in 1 intervals, first 40.0%"
    assert problem in labs[name].problems()


def test_classes_of_another_time_tell_no_capture_ratio(labs):
    assert captured(labs["other-time"]) == [pytest.approx(90), None]
    assert "capture" not in labs["other-time"].problems()


def test_a_class_that_is_not_there_is_said(facts_of, said):
    cost = facts_of["half-gone"]["A.server.cpu_cost"]
    assert "there is no interval of GONE" in told(cost)
    assert "A.server.cpu_cost" not in facts_of["gone"]
    assert [
        line
        for line in said.splitlines()
        if "no CPU time of SYSA is known in any run" in line
        if "service class GONE" in line
    ]


def test_service_classes_are_no_report_classes(facts_of):
    assert "A.server.cpu_cost" not in facts_of["report-class"]


def test_smf_and_xml_of_the_same_intervals_count_once(facts_of, labs):
    facts = facts_of["both"]
    assert facts["A.server.cpu_cost"].value == pytest.approx(10)
    assert facts["B.server.cpu_cost"].value == pytest.approx(5)
    assert "in the file that was taken" not in labs["both"].problems()
    assert "capture" not in labs["both"].problems()


def test_where_smf_and_xml_differ_the_declared_order_chooses(facts_of, labs):
    assert facts_of["differ"]["A.server.cpu_cost"].value == pytest.approx(10)
    problem = "is {} here and {} in the file that was taken"
    assert problem.format(30, 25) in labs["differ"].problems()
    facts = facts_of["differ-xml"]
    assert facts["A.server.cpu_cost"].value == pytest.approx(12)
    assert facts["A.client.cpu_cost"].value == pytest.approx(20)  # SMF alone has it
    assert problem.format(25, 30) in labs["differ-xml"].problems()


def test_xml_alone_serves_too(facts_of):
    facts = facts_of["xml"]
    assert facts["A.server.cpu_cost"].value == pytest.approx(10)
    assert "A.client.cpu_cost" not in facts
    facts = facts_of["xml-dispatch"]
    assert facts["A.server.cpu_cost"].value == pytest.approx(10)
    assert "waits" not in gates(facts["A.server.cpu_cost"])


@pytest.mark.parametrize(
    "cpu",
    [
        {"source": "class"},
        {"source": "address_space", "classes": ["A"]},
        {"source": "lpar_busy", "jobs": ["TCPIP"]},
        {"source": "address_space", "jobs": ["TCPIP", "TCPIP"]},
    ],
)
def test_a_source_without_its_names_is_an_error(tmp_path, cpu):
    with pytest.raises(UserError, match=r"campaign\.yaml:\d+: .*(classes|jobs)"):
        read_campaign(lab(tmp_path)._campaign({"cpu": cpu}))
