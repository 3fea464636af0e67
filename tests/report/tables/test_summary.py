"""The executive summary, and sums that an edition declares: ends and averages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from lxml import html
from lxml.html import HtmlElement

from analysis.declared.edition import read_edition
from analysis.errors import UserError
from analysis.facts.fact import Estimate, Fact
from analysis.facts.units import format_percent
from analysis.report.document.document import Document
from analysis.report.engines.pandoc import PandocEngine
from analysis.report.language.printed import average_change
from analysis.report.language.scope import UnknownError
from analysis.report.material import Material, Sources, read_material
from analysis.report.tables.summary import Comparison, sum_table, summary_table
from tests.report.conftest import CHANGES, EDITION, ROOT, STUDY
from tests.report.document.test_assemble import build, text_of
from tests.report.grouped import group, pair, remake
from tests.report.language.small import change
from tests.report.sample_document import html_piece, sample_document

SUMMARY = ROOT / "templates/summary.qmd.j2"
ESTIMATE = Estimate("generation", "transfer", "1", "so", "published")


def rows(material: Material) -> list[str]:
    lines = str(summary_table(material)).splitlines()
    return [line for line in lines if line.startswith("|")][2:]


def estimated(material: Material, metric: str, estimate: Estimate) -> Material:
    def changed(fact: Fact) -> Fact:
        if fact.metric != metric or fact.kind != "delta":
            return fact
        return replace(fact, estimate=estimate, verdict=None)

    facts = tuple(map(changed, material.facts.facts))
    return replace(material, facts=replace(material.facts, facts=facts))


def test_a_study_shows_its_best_and_its_worst_change(project: Sources) -> None:
    (row,) = rows(read_material("small", project))
    assert (
        "[New against old](#sec-speed)[. How much faster is the new one?]{.asked}"
        in row
    )
    assert "| The old one → The new one |" in row
    best, worst = row.index("−37%"), row.index("−12%")
    assert best < worst
    assert "[✓]{.verdict .improved}\u00a0[−37%]{.value key=" in row
    assert 'origin="measured"' in row


def test_ends_that_print_alike_are_printed_once(project: Sources) -> None:
    material = read_material("small", project)
    alike = {"value": -37.0, "printed": "−37%", "verdict": "improved"}
    facts = tuple(
        replace(fact, **alike) if fact.printed == "−12%" else fact
        for fact in material.facts.facts
    )
    made = replace(material, facts=replace(material.facts, facts=facts))
    (row,) = rows(made)
    assert row.count("[−37%]") == 1


def test_each_comparison_has_its_row_and_its_own_baseline(project: Sources) -> None:
    pair(project)
    first, second = rows(read_material("small", project))
    assert "| The old one → The new one |" in first
    assert second.startswith("|  | Another → Another |")


def test_a_study_may_stay_out_of_the_summary(project: Sources) -> None:
    material = read_material("small", project)
    out = {
        id: study.model_copy(update={"summary": False})
        for id, study in material.studies.items()
    }
    assert rows(material) and rows(replace(material, studies=out)) == []


def test_its_comparisons_are_counted_once(project: Sources) -> None:
    assert text_of(project).count(" comparisons: ") == 2  # and in the study


def test_a_prediction_is_marked_as_one(project: Sources) -> None:
    predicted = estimated(read_material("small", project), "latency", ESTIMATE)
    assert "[◊]{.verdict .predicted}\u00a0[−37%]" in "".join(rows(predicted))


@pytest.fixture
def summary(project: Sources, fonts: Path, tmp_path: Path) -> HtmlElement:
    """The table on the page."""
    PandocEngine(fonts).render(build(project), tmp_path)
    page = html.fromstring((tmp_path / "index.html").read_text("utf-8"))
    return page.get_element_by_id("tbl-summary")


def test_on_a_phone_each_cell_carries_its_head(summary: HtmlElement) -> None:
    heads = summary.xpath(".//tbody/tr[1]/td/@data-head")
    assert heads == ["Compared", "Latency", "Throughput"]


def test_the_best_stands_above_the_worst(summary: HtmlElement) -> None:
    caption = summary.xpath("string(caption)")
    assert "Best (upper) and worst (lower) change of each study." in caption
    (cell,) = summary.xpath(".//tbody/tr[1]/*[3]")
    (line,) = cell.xpath("span[@class='leading']/br")
    assert line.xpath("string(preceding-sibling::a)") == "−37%"
    assert line.xpath("string(following-sibling::a)") == "−12%"


@pytest.mark.parametrize(
    ("latency", "throughput", "leading"),
    [
        ("comparable", "regressed", "throughput"),
        ("improved", "regressed", "latency"),
        ("comparable", "inconclusive", "latency"),
    ],
)
def test_on_a_phone_a_study_shows_what_moved(
    latency: str, throughput: str, leading: str
) -> None:
    facts = [
        change("STR3(1B/20MB)", -37, verdict=throughput, metric="throughput"),
        change("RR1(1kB)", -3, verdict=latency, metric="latency"),
    ]
    assert Comparison("", "", facts).leading == leading


def test_on_a_phone_a_cell_without_a_value_is_not_shown(tmp_path: Path) -> None:
    document = Document(sample_document(tmp_path / "document"), "")
    table = "| a | b | c |\n|---|---|---|\n| – | – | 1 |\n"
    piece = html_piece(document, f":::: {{.summary}}\n{table}::::\n")
    cells = html.fragment_fromstring(piece, create_parent=True).xpath(".//td")
    assert [cell.get("class") for cell in cells] == ["no-value", None]
    assert [cell.get("data-head") for cell in cells] == ["b", "c"]


TABLE = {
    "id": "closing",
    "caption": "New against old",
    "columns": [
        {"head": "Time or throughput", "metrics": ["latency", "throughput"]},
        {"head": "CPU cost of the server", "metrics": ["cpu_cost"], "role": "server"},
    ],
    "rows": [
        {"words": "Interactive", "studies": ["speed", "alone"], "workloads": "RR*"},
        {"words": "Streams", "studies": ["speed"], "workloads": "STR*"},
    ],
}


def declare(project: Sources, **changes: Any) -> Path:
    """Two studies, and the table in the edition with some of its entries changed."""
    group(project)
    path = project.report / "small/edition.yaml"
    told = yaml.safe_dump({"tables": [TABLE | changes]}, sort_keys=False)
    path.write_text(path.read_text("utf-8") + told, encoding="utf-8")
    return path


def cells(project: Sources, row: str) -> list[str]:
    text = str(sum_table(read_material("small", project), "closing"))
    line = next(line for line in text.splitlines() if line.startswith(f"| {row} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_several_results_are_their_ends_and_their_average(project: Sources) -> None:
    declare(project)
    _, time, _ = cells(project, "Interactive")
    assert "[−37]{.value key=" in time
    assert "[−12%]{.value key=" in time
    facts = read_material("small", project).facts.facts
    changes = [f for f in facts if (f.kind, f.metric) == ("delta", "latency")]
    own = [f for f in changes if f.workload in CHANGES]
    assert len(own) == 4, "of both studies"
    assert f"average [{round(average_change(own))}%".replace("-", "−") in time


def test_one_result_has_its_verdict_and_a_column_its_role(project: Sources) -> None:
    declare(project)
    _, throughput, cost = cells(project, "Streams")
    assert throughput.startswith("[+59%]{.value")
    assert throughput.endswith("[✓]{.verdict .improved}")
    assert ".server.cpu_cost." in cost
    assert ".client." not in cost


def test_a_row_of_several_shapes_has_what_each_of_them_has(project: Sources) -> None:
    declare(project, rows=[{"words": "All", "studies": ["speed"]}])
    _, both, _ = cells(project, "All")
    facts = read_material("small", project).facts.facts
    changes = [
        f
        for f in facts
        if (f.study, f.kind) == ("speed", "delta")
        and f.metric == ("throughput" if f.workload.startswith("STR") else "latency")
    ]
    assert {f.metric for f in changes} == {"latency", "throughput"}
    assert "[+59%]{.value" in both
    assert f"average [{format_percent(average_change(changes))}" in both


def test_in_an_average_each_pattern_counts_alike(project: Sources) -> None:
    """Four changes of latency and one of throughput: a half each."""
    rows = [{"words": "All", "studies": ["speed"], "workloads": "RR*, STR*"}]
    declare(project, rows=rows)
    _, both, _ = cells(project, "All")
    facts = read_material("small", project).facts.facts
    deltas = [f for f in facts if (f.study, f.kind) == ("speed", "delta")]
    parts = [
        average_change([f for f in deltas if f.metric == metric and of(f.workload)])
        for metric, of in (
            ("latency", lambda name: name.startswith("RR")),
            ("throughput", lambda name: name.startswith("STR")),
        )
    ]
    first, second = (1 + part / 100 for part in parts)
    mean = ((first * second) ** 0.5 - 1) * 100
    assert f"average [{format_percent(mean)}" in both


def test_a_text_places_it_and_refers_to_it(project: Sources) -> None:
    declare(project)
    runs = project.report / "small/back/runs.md"
    runs.write_text('See @tbl-closing.\n\n{{ summary_table("closing") }}\n', "utf-8")
    text = text_of(project)
    assert "{#tbl-closing}" in text
    assert "Averages are geometric means of the ratios." in text
    assert "| Work | Time or throughput | CPU cost of the server |" in text


def test_values_have_ends_and_no_average(project: Sources) -> None:
    declare(project)
    study = project.report / "small/studies/alone/study.yaml"
    study.write_text(STUDY.replace("[new]", "[]").replace("kind: delta", "kind: value"))
    rows = [{"words": "Alone", "studies": ["alone"]}]
    path = project.report / "small/edition.yaml"
    path.write_text(EDITION.replace("[speed]", "[speed, alone]"), "utf-8")
    told = yaml.safe_dump({"tables": [TABLE | {"rows": rows}]}, sort_keys=False)
    path.write_text(path.read_text("utf-8") + told, "utf-8")
    remake(project)
    _, time, _ = cells(project, "Alone")
    assert "average" not in time
    assert "alone.rr1-1kb.-.latency.old" in time


def test_a_row_without_a_result_is_told(project: Sources) -> None:
    declare(project, rows=[{"words": "None", "studies": ["speed"], "workloads": "TN*"}])
    with pytest.raises(UnknownError, match="'None' of table closing has no result"):
        sum_table(read_material("small", project), "closing")


def test_a_study_that_is_none_of_the_edition_is_told(project: Sources) -> None:
    path = declare(project, rows=[{"words": "None", "studies": ["speeed"]}])
    with pytest.raises(UserError, match="there is no study 'speeed'") as caught:
        read_edition(path.parent)
    assert f"{path}:" in str(caught.value)
