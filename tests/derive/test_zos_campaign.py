"""From the bytes of SMF and RMF to facts, through the verbs: every CPU source."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from analysis.errors import UserError
from analysis.facts.kinds import KINDS
from tests.derive.zos_lab import Lab, Usage

HALF = {"NETSTC": (2.0, 0.5), "OTHER": (2.5, 0.5)}


@pytest.fixture
def lab(tmp_path: Path):
    """A lab with a baseline A and a test B, which uses half of A's CPU time."""

    def make(b: Usage | None = None, **options) -> Lab:
        return Lab(
            tmp_path, {"A": Usage(), "B": b or Usage(busy=5.0, classes=HALF)}, **options
        )

    return make


def told(fact) -> str:
    return "\n".join(map(str, fact.warnings))


def gates(fact) -> list[str]:
    return [KINDS[warning.kind].name for warning in fact.warnings]


def test_the_published_worked_example_from_the_bytes_of_smf_on(lab):
    made = lab()
    facts = made.derive()
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


def test_ziip_time_stays_apart_and_counts_by_its_factor(lab):
    facts = lab().derive()
    assert facts["A.server.cpu_cost_ziip"].value == pytest.approx(2)
    assert facts["A.server.cpu_cost_equivalent"].value == pytest.approx(10 + 2 * 1.5)
    assert "types" in gates(facts["A.server.cpu_cost"])
    assert "types" not in gates(facts["A.server.cpu_cost_equivalent"])
    assert "A.client.cpu_cost_ziip" not in facts  # it never used one


@pytest.mark.parametrize(
    ("cpu", "cost", "ziip", "equivalent", "rule"),
    [
        ({"source": "dispatch"}, 12, 2, 15, "dispatch time of the LPAR"),
        ({"source": "class", "classes": ["NETSTC"]}, 4, 1, 5.5, "class NETSTC"),
        (
            {"source": "class", "classes": ["OTHER", "NETSTC"]},
            9, 2, 12, "service class OTHER, NETSTC",
        ),
        (
            {"source": "address_space", "jobs": ["TCPIP"]},
            3, 0.5, 3 + 0.5 * 1.25, "job TCPIP",
        ),
        (
            {"source": "address_space", "jobs": ["TCPIP", "FTPD1"]},
            4, 0.5, 4 + 0.5 * 1.25, "job TCPIP, FTPD1",
        ),
    ],
)  # fmt: skip
def test_each_source_gives_its_own_cost(lab, cpu, cost, ziip, equivalent, rule):
    facts = lab().derive(cpu=cpu)
    found = facts["A.server.cpu_cost"]
    assert found.value == pytest.approx(cost)
    assert facts["A.server.cpu_cost_ziip"].value == pytest.approx(ziip)
    assert facts["A.server.cpu_cost_equivalent"].value == pytest.approx(equivalent)
    assert rule in found.lineage.rule
    whole = cpu["source"] == "dispatch"
    busy = cost * 10 / (4 if whole else 1)  # % of four CPs, or of one for a part
    assert facts["A.server.utilisation"].value == pytest.approx(busy)
    assert ("waits" in gates(found)) is (cpu["source"] == "dispatch")


def test_idle_time_is_taken_off_and_said(lab):
    facts = lab().derive(cpu={"source": "lpar_busy", "idle": {"SYSA": 0.25}})
    cost = facts["A.server.cpu_cost"]
    assert cost.value == pytest.approx(10 - 2.5)
    assert "idle load of 0.25 CPs" in told(cost)
    assert facts["A.client.cpu_cost"].value == pytest.approx(20)


def test_a_run_that_the_intervals_do_not_cover_has_no_cost(lab, capsys):
    made = lab(window=13)  # 10 of 13 s lie in an interval: 0.77
    assert "A.server.cpu_cost" not in made.derive()
    assert "covers 0.77 of it, less than the declared 0.8" in capsys.readouterr().err
    facts = made.derive(cpu={"source": "lpar_busy", "minimum_coverage": 0.7})
    # the transactions are those of the span that is covered
    assert facts["A.server.cpu_cost"].value == pytest.approx(10 * 13 / 10)


def test_boost_is_not_comparable(lab):
    facts = lab(Usage(busy=5.0, flags=0x0020)).derive()
    warnings = told(facts["B.server.cpu_cost"])
    assert "not comparable: 1 of 1 runs" in warnings
    assert "speed boost" in warnings
    assert "not comparable" not in gates(facts["A.server.cpu_cost"])
    assert "not comparable" not in gates(facts["B.None.rate"])


def test_a_changed_capacity_is_not_comparable(lab):
    facts = lab(Usage(busy=5.0, capacity=80)).derive()
    for configuration in "AB":
        warnings = told(facts[f"{configuration}.server.cpu_cost"])
        assert "between capacity adjustment 80 and full capacity" in warnings
    assert "not comparable" not in gates(facts["A.client.cpu_cost"])


def test_records_that_smf_lost_are_told_beside_the_values_of_their_run(lab):
    made = lab(lost=(64,))  # 4 s into the run of B
    facts = made.derive()
    assert "SMF of SYSA lost 99 records" in told(facts["B.server.cpu_cost"])
    for other in ("A.server.cpu_cost", "B.client.cpu_cost", "B.None.rate"):
        assert "SMF data lost" not in gates(facts[other])
    assert "SMF of SYSA lost 99 records at 2026-03-02T14:01:04 UTC" in made.problems()


def test_an_odd_capture_ratio_travels_to_the_facts(lab):
    made = lab(Usage(classes={"NETSTC": (4.0, 0.0), "OTHER": (1.0, 0.0)}))
    facts = made.derive()
    (warning,) = (w for w in facts["B.server.cpu_cost"].warnings if w.kind == "capture")
    assert "50% of the busy CP time" in warning.words
    assert "capture ratio" not in gates(facts["A.server.cpu_cost"])
    assert "capture ratio" in made.problems()


def captured(made: Lab) -> list[float | None]:
    """The capture ratio of each CP interval of SYSA, in the order of time."""
    rows = pl.read_parquet(made.root / "tables" / "cpu_interval.parquet")
    own = rows.filter(system="SYSA", cpu_type="CP").sort("start_utc")
    return own["capture_pct"].to_list()


@pytest.mark.parametrize("files", ["xml alone", "smf and xml"])
def test_the_capture_ratio_is_known_whichever_files_tell(lab, files):
    if files == "xml alone":
        made = lab(smf=False, xml={"A": 10.0, "B": 5.0}, classes={"A": 9.0, "B": 2.0})
    else:
        made = lab(records=(70,), classes={"A": 9.0, "B": 2.0})
    facts = made.derive()
    assert captured(made) == [pytest.approx(90), pytest.approx(40)]
    said = told(facts["B.server.cpu_cost"])
    assert "capture ratio: 1 of 1 runs: 40% of the busy CP time" in said
    assert "capture ratio" not in gates(facts["A.server.cpu_cost"])
    assert "lies outside 70 to 100% in 1 intervals, first 40.0%" in made.problems()


def test_classes_of_another_time_tell_no_capture_ratio(lab):
    made = lab(records=(70,), classes={"A": 9.0})
    made.derive()
    assert captured(made) == [pytest.approx(90), None]
    assert "capture" not in made.problems()


def test_a_class_that_is_not_there_is_said(lab, capsys):
    facts = lab().derive(cpu={"source": "class", "classes": ["NETSTC", "GONE"]})
    assert "there is no interval of GONE" in told(facts["A.server.cpu_cost"])
    facts = lab().derive(cpu={"source": "class", "classes": ["GONE"]})
    assert "A.server.cpu_cost" not in facts
    said = capsys.readouterr().err
    assert "no CPU time of SYSA is known in any run" in said
    assert "service class GONE" in said


def test_service_classes_are_no_report_classes(lab):
    cpu = {"source": "class", "classes": ["NETSTC"], "class_kind": "report"}
    assert "A.server.cpu_cost" not in lab().derive(cpu=cpu)


def test_smf_and_xml_of_the_same_intervals_count_once(lab):
    made = lab(xml={"A": 10.0, "B": 5.0})
    facts = made.derive()
    assert facts["A.server.cpu_cost"].value == pytest.approx(10)
    assert facts["B.server.cpu_cost"].value == pytest.approx(5)
    assert "in the file that was taken" not in made.problems()
    assert "capture" not in made.problems()


def test_where_smf_and_xml_differ_the_declared_order_chooses(lab):
    made = lab(xml={"A": 12.0, "B": 5.0})
    assert made.derive()["A.server.cpu_cost"].value == pytest.approx(10)
    assert "is 30 here and 25 in the file that was taken" in made.problems()
    facts = made.derive(sources=["rmf_xml", "smf"])
    assert facts["A.server.cpu_cost"].value == pytest.approx(12)
    assert facts["A.client.cpu_cost"].value == pytest.approx(20)  # SMF alone has it
    assert "is 25 here and 30 in the file that was taken" in made.problems()


def test_xml_alone_serves_too(lab):
    facts = lab(xml={"A": 10.0, "B": 5.0}, smf=False).derive()
    assert facts["A.server.cpu_cost"].value == pytest.approx(10)
    assert "A.client.cpu_cost" not in facts
    facts = lab(xml={"A": 10.0, "B": 5.0}, smf=False).derive(cpu={"source": "dispatch"})
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
def test_a_source_without_its_names_is_an_error(lab, cpu):
    from analysis.declared.campaign import read_campaign

    made = lab()
    with pytest.raises(UserError, match=r"campaign\.yaml:\d+: .*(classes|jobs)"):
        read_campaign(made._campaign({"cpu": cpu}))
