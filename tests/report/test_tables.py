from __future__ import annotations

import pytest

from analysis.report.fact_tables import (
    StudyTables,
    anchor,
    excluded_table,
    short_notes,
    verdict_cell,
)
from analysis.report.material import Sources, read_material
from analysis.report.tables import Column, Notes, escape, table
from tests.report.conftest import fact


def test_a_table_carries_widths_alignment_and_caption() -> None:
    text = table([Column("A", 4), Column("n", 3, number=True)], [["x", "1"]], "C.", "t")
    assert text.splitlines() == [
        "| A | n |",
        "| ---- | --: |",
        "| x | 1 |",
        "",
        ": C. {#tbl-t}",
    ]


def test_a_wide_table_says_so() -> None:
    assert ".table-wide" in table([Column("A", 4)] * 6, [], "C.", "t")
    assert ".table-wide" not in table([Column("A", 4)] * 5, [], "C.", "t")


def test_notes_share_letters_and_stand_below() -> None:
    notes = Notes()
    assert notes.mark([]) == ""
    assert notes.mark(["two modes"]) == "^a^"
    assert notes.mark(["few runs", "two modes"]) == "^a,b^"
    assert notes.markdown().splitlines()[2:] == [
        "::: {.table-notes}",
        "^a^ two modes.",
        "^b^ few runs.",
        ":::",
    ]


def test_after_z_letters_go_on() -> None:
    notes = Notes()
    marks = [notes.mark([str(i)]) for i in range(28)]
    assert marks[25:] == ["^z^", "^aa^", "^ab^"]


@pytest.mark.parametrize("text", ["a|b", "*x*", "[x](y)", "{#id}", "<b>", "@x", "p_q"])
def test_escaped_text_has_no_markup_left(text: str) -> None:
    escaped = escape(text)
    assert escaped.replace("\\", "") == text
    assert all(escaped[escaped.index(c) - 1] == "\\" for c in "|*[]{}<>@_" if c in text)


def test_verdicts_are_told_by_glyph_and_word() -> None:
    cell = verdict_cell(fact(verdict="regressed"))
    assert cell == "[▼ regressed]{.verdict .regressed}"
    assert verdict_cell(fact(verdict=None)) == "–"


def test_anchors_are_keys_with_dashes() -> None:
    expected = "[]{#fact-speed-rr1-1kb---latency-old}"
    assert anchor(fact()) == expected


def test_short_notes_say_each_kind_once() -> None:
    warnings = ["bimodal: A: 3 runs", "bimodal: B: 2 runs", "strange: x"]
    assert short_notes(warnings) == ["The runs fall into two groups.", "strange"]


def tables(project: Sources) -> StudyTables:
    return read_material("small", project).tables("speed")


def test_the_glance_has_the_drawn_metrics_in_order(project: Sources) -> None:
    rows = [r for r in tables(project).glance().splitlines() if "verdict" in r]
    names = [tuple(c.strip() for c in row.split("|")[1:3]) for row in rows]
    assert names == [
        ("Latency", "RR1(1kB)"),
        ("Latency", "RR10(4kB)"),
        ("Throughput", "STR3(1B/20MB)"),
    ]


def test_every_fact_has_one_anchor_in_the_appendix(project: Sources) -> None:
    made = tables(project)
    text = made.values() + made.changes()
    for wanted in made.facts.facts:
        assert text.count(anchor(wanted)) == 1


def test_excluded_runs_are_named_with_their_reason(project: Sources) -> None:
    runs = read_material("small", project).runs()
    assert "| run-09 | connection reset |" in excluded_table(runs)
    assert excluded_table([]) == "No run was excluded."
