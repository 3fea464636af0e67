from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lxml import html

from analysis.fact import Estimate, Fact
from analysis.report.material import Material, Sources, read_material
from analysis.report.pandoc_engine import PandocEngine
from analysis.report.summary import left_out, summary_table
from tests.report.grouped import pair
from tests.report.test_assemble import build

ESTIMATE = Estimate("assumed parameters", "simulation", "1", "so", "assumed")


def rows(material: Material) -> list[str]:
    lines = summary_table(material).splitlines()
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
    assert "[New against old](#sec-speed). How much faster is the new one?" in row
    assert "| old → new |" in row
    best, worst = row.index("−37%"), row.index("−12%")
    assert best < worst
    assert "[▲]{.verdict .improved}\u00a0[−37%]{.value key=" in row
    assert 'origin="measured"' in row


def test_each_comparison_has_its_row_and_its_own_baseline(project: Sources) -> None:
    pair(project)
    first, second = rows(read_material("small", project))
    assert "| old → new |" in first
    assert second.startswith("|  | early → late |")


def test_what_rests_on_assumptions_is_left_out_and_counted(project: Sources) -> None:
    material = read_material("small", project)
    assumed = estimated(material, "latency", ESTIMATE)
    assert "−37%" not in "".join(rows(assumed))
    assert left_out(assumed) == 2
    better = replace(ESTIMATE, rung="published ratio")
    predicted = estimated(material, "latency", better)
    assert "[◊]{.verdict .predicted}\u00a0[−37%]" in "".join(rows(predicted))
    assert left_out(predicted) == 0


def test_on_a_phone_each_cell_carries_its_head(
    project: Sources, fonts: Path, tmp_path: Path
) -> None:
    PandocEngine(fonts).render(build(project)[1], tmp_path)
    page = html.fromstring((tmp_path / "index.html").read_text("utf-8"))
    table = page.get_element_by_id("tbl-summary")
    heads = table.xpath(".//tbody/tr[1]/td/span[@class='cell-head']")
    assert [head.text_content() for head in heads] == [
        "Compared", "Latency", "Throughput",
    ]  # fmt: skip
