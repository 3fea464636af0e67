from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.facts.estimate import Estimate
from analysis.facts.fact import Gap, RunCount
from analysis.facts.remark import Remark, refusal
from analysis.report.material import Sources, read_material
from analysis.report.pipe_table import (
    NONE,
    Column,
    Notes,
    beside,
    breakable,
    escape,
    table,
    told_once,
)
from analysis.report.tables.appendix import AppendixTables
from analysis.report.tables.cells import (
    anchor,
    backtest_text,
    shared_notes,
    short_notes,
    verdict_cell,
)
from analysis.report.tables.runs import excluded_table, runs_table
from tests.report.conftest import fact
from tests.report.grouped import PAIRS, pair


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
        "^a^ two modes.\\",
        "^b^ few runs.",
        ":::",
    ]


def test_what_all_rows_need_a_note_for_is_said_once_without_a_mark() -> None:
    notes = Notes(everywhere=["Few runs."])
    assert notes.mark(["Few runs."]) == ""
    assert notes.markdown() == ""
    assert notes.mark(["Few runs.", "two modes"]) == "^a^"
    assert told_once(COLUMNS, [], ["n"], notes)[2] == (
        "[In all rows: few runs.]{.in-all-rows}"
    )


def test_notes_are_shared_by_facts_that_all_have_them() -> None:
    noisy, both = (
        fact(warnings=(Remark("noisy"),)),
        fact(warnings=(Remark("noisy"), Remark("bimodal"))),
    )
    assert shared_notes([noisy, both]) == ["The runs scatter widely."]
    assert shared_notes([noisy]) == shared_notes([noisy, fact()]) == []
    assert shared_notes([]) == []


COLUMNS = [Column("A", 4), Column("Origin", 8), Column("n", 3), Column("Interval", 8)]


def test_columns_whose_cells_are_alike_are_told_once() -> None:
    rows = [["x", "measured", "5", NONE], ["y", "measured", "6", NONE]]
    columns, left, told = told_once(COLUMNS, rows, ["Origin", "n", "Interval"], Notes())
    assert [column.head for column in columns] == ["A", "n"]
    assert left == [["x", "5"], ["y", "6"]]
    assert told == "[In all rows: origin measured.]{.in-all-rows}"
    few = Notes(everywhere=["Few runs."])
    told = told_once(COLUMNS, rows, ["Origin"], few)[2]
    assert told == "[In all rows: origin measured; few runs.]{.in-all-rows}"


@pytest.mark.parametrize("rows", [[], [["x", "measured", "5", NONE]]])
def test_a_table_of_one_row_keeps_its_columns(rows: list[list[str]]) -> None:
    assert told_once(COLUMNS, rows, ["Origin"], Notes()) == (COLUMNS, rows, "")


def test_columns_that_were_not_asked_for_stay() -> None:
    rows = [["x", "measured", "5", "a"]] * 2
    assert told_once(COLUMNS, rows, ["n"], Notes())[1] == [["x", "measured", "a"]] * 2


def test_numbers_of_several_configurations_stand_beside_each_other() -> None:
    columns = [Column("A", 4), Column("Of", 8), Column("Median", 9, number=True)]
    rows = [["x", "late", "2"], ["y", "new", "3"], ["x", "old", "1"]]
    made, cells = beside(columns, rows, ["old", "late", "new", "none"])
    assert [column.head for column in made] == ["A", "old", "late", "new"]
    assert all(column.number for column in made[1:])
    assert cells == [["x", "1", "2", NONE], ["y", NONE, NONE, "3"]]


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
    warnings = [Remark("bimodal", "A"), Remark("bimodal", "B"), Remark("noisy")]
    assert short_notes(warnings) == [
        "The runs fall into two groups.",
        "The runs scatter widely.",
    ]


def tables(project: Sources) -> AppendixTables:
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


def test_repetitions_that_are_missing_are_told_once() -> None:
    lost = RunCount("small", "speed", "new", "RR1(1kB)", 7, 0, (), ("2", "4 to 5"))
    whole = replace(lost, workload="RR10(4kB)", missing=())
    told = excluded_table([lost, whole, replace(lost, study="another")])
    assert told == (
        "No run was excluded.\n\nRepetitions that are missing, though later ones are "
        "there: 2 and 4 to 5 of RR1(1kB) on new."
    )
    failed = replace(lost, reasons=("run-09: failed: timed out",))
    assert excluded_table([failed]).endswith("2 and 4 to 5 of RR1(1kB) on new.")


ESTIMATE = Estimate(
    "generation", "generation transfer", "1", "from the z17", "published", 6.2, 9
)


def test_an_interpolation_has_the_error_of_points_left_out() -> None:
    told = backtest_text(replace(ESTIMATE, backtest_of="left out"))
    assert told == "mean error of points left out 6.2% (n = 9)"


def estimated(project: Sources) -> AppendixTables:
    """The tables where the change of throughput is predicted, and one value lacks."""
    made = tables(project)
    warned = (Remark("predicted"),)
    facts = tuple(
        replace(f, estimate=ESTIMATE, verdict=None, n=0, warnings=warned)
        if f.metric == "throughput" and f.kind == "delta"
        else f
        for f in made.facts.facts
    )
    why = refusal("no_rate")
    gap = Gap("small", "speed", "new", "RR1(1kB)", "client", "cpu_cost", why)
    gaps = (replace(gap, baseline="old"), replace(gap, workload="RR10(4kB)"), gap)
    return replace(made, facts=replace(made.facts, facts=facts, gaps=gaps))


def test_an_estimate_is_called_a_prediction_and_says_what_it_rests_on(
    project: Sources,
) -> None:
    made = estimated(project)
    for text in (made.glance(), made.changes()):
        assert "[◊ predicted]{.verdict .predicted}" in text
        assert text.count("^a^ Predicted, from the z17; model generation") == 1
        assert "rung 2 \\(" not in text
        assert "rung 2 (generation); mean back-test error 6.2% (n = 9)." in text
    assert "| modelled over measured\u00a0(r2) |" in made.changes()
    assert "predicted" not in made.values()


def test_what_has_no_estimate_says_why(project: Sources) -> None:
    text = estimated(project).gaps()
    assert "client | RR1(1kB) | new against old | no rate is known |" in text
    assert "client | RR1(1kB), RR10(4kB) | new | no rate is known |" in text
    assert tables(project).gaps() == ""


def test_several_baselines_are_told_apart(project: Sources) -> None:
    pair(project)
    made = tables(project)
    glance = made.glance()
    assert ": The changes at a glance, each test against its own baseline. {" in glance
    tests = [
        row.split("|")[3].strip() for row in glance.splitlines() if "verdict" in row
    ]
    assert tests == ["new against old"] * 3 + ["late against early"] * 3
    changes = made.changes()
    told = "[In all rows: n 10, p <0.001, limit 2%, origin measured.]{.in-all-rows}"
    for pair_of, test in (("new against old", "new"), ("late against early", "late")):
        caption = f"Every change of {pair_of}. {told} {{#tbl-speed-changes-{test}}}"
        assert caption in changes
    values = made.values()
    assert "Every value of old and new." in values
    assert "Every value of early and late." in values
    for value in made.facts.facts:
        assert (values + changes).count(anchor(value)) == 1


def test_three_tests_stand_beside_each_other(project: Sources) -> None:
    pair(project, PAIRS.replace("[new, late]", "[new, late, more]"))
    glance = tables(project).glance()
    heads = "| Metric | Workload | new against old | late against early |"
    assert heads in glance
    row = next(line for line in glance.splitlines() if "| RR1(1kB) |" in line)
    assert row.count("[▲]{.verdict .improved}") == 3


def test_a_study_without_figures_shows_all_its_metrics(project: Sources) -> None:
    made = tables(project)
    bare = replace(made, study=made.study.model_copy(update={"figures": ()}))
    assert "CPU cost per transaction, server" in bare.glance()
    assert "CPU cost per transaction, server" not in made.glance()


def test_runs_of_a_configuration_share_a_row(project: Sources) -> None:
    text = runs_table(read_material("small", project).runs())
    assert "| old | RR1(1kB), RR10(4kB), STR3(1B/20MB) | 10 | 0 |" in text
    assert "| new | STR3(1B/20MB) | 8 | 2 |" in text


def test_only_long_names_may_break_at_an_underscore() -> None:
    cipher = "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384"
    text = breakable(escape(f"{cipher} and MSG_WAITALL"))
    assert text.replace("\\", "").replace("\u200b", "") == f"{cipher} and MSG_WAITALL"
    assert text.count("\u200b") == cipher.count("_")
    assert "MSG\\_WAITALL" in text


def test_facts_of_a_configuration_that_the_study_had_are_left_out(
    project: Sources,
) -> None:
    made = tables(project)
    old = replace(made.facts.facts[0], configuration="gone", kind="delta")
    facts = replace(made.facts, facts=(*made.facts.facts, old))
    assert replace(made, facts=facts).changes() == made.changes()
