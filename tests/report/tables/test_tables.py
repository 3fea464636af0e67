from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.facts.fact import Estimate, Gap, RunCount
from analysis.facts.remark import Refusal, Remark, refusal, remark
from analysis.report.material import Sources, read_material
from analysis.report.study_facts import StudyFacts
from analysis.report.table import (
    Column,
    Notes,
    breakable,
    escape,
    table,
)
from analysis.report.tables.cells import (
    backtest_text,
    legend,
    short_notes,
)
from analysis.report.tables.gaps import gaps_table
from analysis.report.tables.glance import changes_glance
from analysis.report.tables.setup import excluded_table, runs_table
from tests.report.grouped import pair
from tests.report.language.small import change


def test_a_table_carries_widths_alignment_and_caption() -> None:
    columns = [Column("A", 4, str), Column("n", 3, lambda row: "1", number=True)]
    text = str(table(columns, ["x"], "C.", "t"))
    assert text.splitlines() == [
        "| A | n |",
        "| ---- | --: |",
        "| x | 1 |",
        "",
        ": C. {#tbl-t}",
    ]


def test_a_wide_table_says_so() -> None:
    assert ".table-wide" in str(table([Column("A", 4, str)] * 6, [], "C.", "t"))
    assert ".table-wide" not in str(table([Column("A", 4, str)] * 5, [], "C.", "t"))


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


def test_after_z_letters_go_on() -> None:
    notes = Notes()
    marks = [notes.mark([str(i)]) for i in range(28)]
    assert marks[25:] == ["^z^", "^aa^", "^ab^"]


@pytest.mark.parametrize("text", ["a|b", "*x*", "[x](y)", "{#id}", "<b>", "@x", "p_q"])
def test_escaped_text_has_no_markup_left(text: str) -> None:
    escaped = escape(text)
    assert escaped.replace("\\", "") == text
    assert all(escaped[escaped.index(c) - 1] == "\\" for c in "|*[]{}<>@_" if c in text)


def test_short_notes_say_each_kind_once() -> None:
    warnings = [Remark("bimodal", "A"), Remark("bimodal", "B"), Remark("noisy")]
    assert short_notes(warnings) == [
        "The runs fall into two groups.",
        "The runs scatter widely.",
    ]


def tables(project: Sources) -> StudyFacts:
    return read_material("small", project).of_study("speed")


def test_excluded_runs_are_named_with_their_reason(project: Sources) -> None:
    runs = read_material("small", project).runs()
    assert "| run-09 | connection reset |" in excluded_table(runs)
    assert excluded_table([]) == "No run was excluded."


def test_repetitions_that_are_missing_are_told_once() -> None:
    lost = RunCount("small", "speed", "new", "RR1(1kB)", 7, 0, (), ("2", "4 to 5"))
    whole = replace(lost, workload="RR10(4kB)", missing=())
    told = excluded_table([lost, whole, replace(lost, study="another")])
    assert told == (
        "No run was excluded.\n\nMissing repetitions: 2 and 4 to 5 of RR1(1kB) on new."
    )
    failed = replace(lost, reasons=(("run-09", "failed: timed out"),))
    assert excluded_table([failed]).endswith("2 and 4 to 5 of RR1(1kB) on new.")


ESTIMATE = Estimate(
    "generation", "generation transfer", "1", "from the z17", "published", 6.2, 9
)


def test_an_interpolation_has_the_error_of_points_left_out() -> None:
    told = backtest_text(replace(ESTIMATE, backtest_of="left out"))
    assert told == "mean error of loads left out 6.2% (n = 9)"


def estimated(project: Sources) -> StudyFacts:
    """The tables where the change of throughput is predicted, and one value lacks."""
    made = tables(project)
    warned = (Remark("predicted"),)
    facts = tuple(
        replace(f, estimate=ESTIMATE, verdict=None, n=0, warnings=warned)
        if f.metric == "throughput" and f.kind == "delta"
        else f
        for f in made.facts.facts
    )
    why = refusal("no_rate", "no rate is known")
    gap = Gap("small", "speed", "new", "RR1(1kB)", "client", "cpu_cost", why)
    gaps = (replace(gap, baseline="old"), replace(gap, workload="RR10(4kB)"), gap)
    return replace(made, facts=replace(made.facts, facts=facts, gaps=gaps))


def test_reasons_of_all_rows_are_said_once(project: Sources) -> None:
    made = estimated(project)
    no_cps = remark("no_cps", "how many CPs it has is not known")
    both = Refusal((*made.facts.gaps[0].why.remarks, no_cps))
    first, *others = made.facts.gaps
    gaps = (replace(first, why=both), *others)
    text = gaps_table(replace(made, facts=replace(made.facts, gaps=gaps)))
    assert text.count("no rate is known") == 1
    assert "predicted. In all rows: no rate is known. {#tbl-speed-gaps}" in text
    assert text.count(no_cps.words) == 1


def test_a_legend_has_the_glyphs_of_its_table_alone(project: Sources) -> None:
    made = tables(project)
    facts = [f for f in made.comparisons() if f.verdict == "improved"]
    assert legend(facts) == "✓\u00a0improved"
    assert legend([]) == ""


def test_a_legend_says_what_inconclusive_changes_could_have_shown() -> None:
    facts = [
        change("RR1(1kB)", 1, verdict="inconclusive", detectable=size)
        for size in (15.0, 50.0)
    ]
    assert legend(facts) == "?\u00a0inconclusive (a change shows from 15 to 50% on)"


def test_what_has_no_estimate_says_why(project: Sources) -> None:
    text = gaps_table(estimated(project))
    assert (
        "client | RR1(1kB) | The new one relative to The old one | no rate is known |"
        in text
    )
    assert "client | RR1(1kB), RR10(4kB) | The new one | no rate is known |" in text
    assert gaps_table(tables(project)) == ""


def test_runs_of_a_configuration_share_a_row(project: Sources) -> None:
    text = runs_table(read_material("small", project).runs())
    assert "| The old one | RR1(1kB), RR10(4kB), STR3(1B/20MB) | 10 | 0 |" in text
    assert "| The new one | STR3(1B/20MB) | 8 | 2 |" in text


def test_equal_numbers_of_runs_are_a_sentence(project: Sources) -> None:
    runs = [replace(r, used=6) for r in read_material("small", project).runs()]
    told = "Each workload has six used runs on each configuration."
    assert runs_table(runs) == f"{told} Sessions are not recorded."


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ([0, 0], "Sessions are not recorded."),
        ([0, 2], "The sessions of some runs are not recorded."),
        ([1, 1], "on a configuration were made in one session."),
        ([3, 3], "on a configuration were made in three sessions."),
        ([1, 3], "on a configuration were made in one to three sessions."),
    ],
)  # fmt: skip
def test_runs_say_in_how_many_sessions_they_were_made(
    project: Sources, counts: list[int], told: str
) -> None:
    runs = read_material("small", project).runs()[:2]
    made = [
        replace(run, sessions=tuple(map(str, range(count))), used=5)
        for run, count in zip(runs, counts, strict=True)
    ]
    assert runs_table(made).endswith(told)
    assert "\n\n" in runs_table([*made, replace(made[0], used=9)])


def test_only_long_names_may_break_at_an_underscore() -> None:
    cipher = "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384"
    text = breakable(escape(f"{cipher} and MSG_WAITALL"))
    assert text.replace("\\", "").replace("\u200b", "") == f"{cipher} and MSG_WAITALL"
    assert text.count("\u200b") == cipher.count("_")
    assert "MSG\\_WAITALL" in text


def bare(made: StudyFacts) -> StudyFacts:
    """The tables of the same study without figures."""
    return replace(made, study=made.study.model_copy(update={"figures": ()}))


def heads(glance: str) -> list[str]:
    line = next(line for line in glance.splitlines() if line.startswith("|"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_glance_has_what_no_figure_shows(project: Sources) -> None:
    made = tables(project)
    named = [f"CPU cost per transaction, {role}" for role in ("client", "server")]
    assert heads(str(changes_glance(made))) == ["Workload", *named]
    assert heads(str(changes_glance(bare(made)))) == [
        "Workload",
        "Latency",
        "Throughput",
        *named,
    ]


def test_loads_that_share_no_column_have_tables_of_their_own(
    project: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = bare(tables(project))
    own = tuple(f for f in made.facts.facts if f.metric in ("latency", "throughput"))
    both = replace(made, facts=replace(made.facts, facts=own))
    assert heads(str(changes_glance(both))) == ["Workload", "Latency", "Throughput"]
    monkeypatch.setattr("analysis.report.tables.glance._MANY", 1)
    apart = str(changes_glance(both))
    assert "Other changes of RR: " in apart
    assert "{#tbl-speed-glance-str" in apart


def test_the_glance_is_empty_where_figures_draw_all(project: Sources) -> None:
    made = tables(project)
    facts = tuple(f for f in made.facts.facts if f.metric == "latency")
    assert (
        str(changes_glance(replace(made, facts=replace(made.facts, facts=facts)))) == ""
    )


def test_a_change_stands_above_the_values_that_it_is_between(project: Sources) -> None:
    text = str(changes_glance(bare(tables(project))))
    row = next(line for line in text.splitlines() if line.startswith("| RR1(1kB) |"))
    assert "[−37%]{.value key=" in row
    assert "[✓]{.verdict .improved} \u200b 1,000 → 1,370" in row


def test_a_change_without_its_values_stands_alone(project: Sources) -> None:
    made = bare(tables(project))
    facts = tuple(f for f in made.facts.facts if f.kind == "delta")
    assert "→" not in str(
        changes_glance(replace(made, facts=replace(made.facts, facts=facts)))
    )


def test_an_estimate_is_called_a_prediction_and_says_what_it_rests_on(
    project: Sources,
) -> None:
    text = str(changes_glance(bare(estimated(project))))
    assert "[◊]{.verdict .predicted}" in text
    assert text.count("^a^ Predicted, from the z17; model generation") == 1
    assert "rung 2 (generation); mean error on published numbers 6.2% (n = 9)." in text


def test_several_tests_have_rows_of_their_own(project: Sources) -> None:
    pair(project)
    text = str(changes_glance(tables(project)))
    assert ": Other changes: each test relative to its baseline." in text
    tests = [
        line.split("|")[2].strip() for line in text.splitlines()[2:] if "%" in line
    ]
    assert tests[0] == "The new one, relative to The old one"
    assert tests[-1] == "Another, relative to Another"


def test_one_metric_of_several_tests_has_a_column_each(project: Sources) -> None:
    made = bare(tables(project))
    own = [f for f in made.facts.facts if f.metric == "latency"]
    test = made.study.tests[0]
    newer = [
        replace(f, configuration="old2", key=f.key.replace(test, "old2"))
        for f in own
        if f.configuration == test
    ]
    study = made.study.model_copy(update={"tests": (test, "old2")})
    facts = replace(made.facts, facts=(*own, *newer))
    text = str(changes_glance(replace(made, study=study, facts=facts)))
    assert heads(text) == ["Workload", *map(made.name, study.tests)]
    assert ": Other changes, Latency: " in text
    rows = [line for line in text.splitlines() if line.startswith("| RR")]
    assert len(rows) == len({fact.workload for fact in newer})
    assert all(row.count("%") == 2 for row in rows)


def test_facts_of_a_configuration_that_the_study_had_are_left_out(
    project: Sources,
) -> None:
    made = bare(tables(project))
    old = replace(made.facts.facts[0], configuration="gone", kind="delta")
    facts = replace(made.facts, facts=(*made.facts.facts, old))
    assert str(changes_glance(replace(made, facts=facts))) == str(changes_glance(made))


def test_one_number_is_no_table(project: Sources) -> None:
    made = bare(tables(project))
    (one, *_) = made.comparisons()
    alone = replace(made, facts=replace(made.facts, facts=(one,)))
    text = str(changes_glance(alone))
    assert "|" not in text
    assert text.startswith(f"{alone.label(one)} of {one.workload}: [")
