"""The same question in two editions: who says what, and where it is declared."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace

import pytest
from lxml import html

from analysis.cli import main
from analysis.declared.edition import read_edition
from analysis.declared.questions import (
    AskedStudy,
    NamedArm,
    SharedQuestion,
    read_questions,
)
from analysis.facts.fact import read_facts, write_facts
from analysis.report.across.answers import (
    AnswerRow,
    AnswerSide,
    Continued,
    SharedAnswer,
    change_text,
)
from analysis.report.across.library import Library
from analysis.report.across.page import write_across
from analysis.report.material import Sources
from tests.report.conftest import ROOT, fact

SPEED = "{edition: %s, study: speed}"
ASKED = f"""\
questions:
  - id: speed
    title: How much faster is the new one?
    metrics: [latency]
    of:
      - {SPEED % "small"}
      - {SPEED % "later"}
    same:
      - - {{edition: small, study: speed, configuration: new}}
        - {{edition: later, study: speed, configuration: old}}
"""
Compare = Callable[..., int]


@pytest.fixture
def compare(project: Sources) -> Compare:
    """The verb on two editions, the later of which has changes of its own."""
    shutil.copytree(project.report / "small", project.report / "later")
    facts = read_facts(project.facts)
    later = (
        replace(f, edition="later", printed="−9%", basis="assumed", origin="synthetic")
        if f.kind == "delta"
        else replace(f, edition="later")
        for f in facts.facts
    )
    write_facts(replace(facts, facts=(*facts.facts, *later)), project.facts)
    (project.report / "questions.yaml").write_text(ASKED, encoding="utf-8")
    where = ["--facts", str(project.facts), "--report", str(project.report)]
    where += ["--templates", str(ROOT / "templates")]
    return lambda *more: main(["compare", *more, *where])


def test_each_value_has_its_origin_and_its_place(
    compare: Compare, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare("small", "later") == 0
    said = capsys.readouterr().out
    assert "[2] later, speed: The new one relative to The old one" in said
    assert "declared in report/later/studies/speed/study.yaml" in said
    row = said.split("Latency, RR1(1kB)\n")[1]
    assert row.splitlines()[0].startswith("    [1] −37%")
    assert "measured" in row.splitlines()[0]
    assert row.splitlines()[1].endswith("synthetic, assumed")


def test_where_one_ended_the_next_begins(
    compare: Compare, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare() == 0
    said = capsys.readouterr().out.split("its baseline\n")[1]
    assert said.startswith("    differs in CPC: z17 → z16\n")
    assert "values rest on: measured → measured" in said
    assert "not compared: the systems differ in CPC\n" in said
    assert "Latency, RR1(1kB): 1,370 µs → 1,000 µs\n" in said


def test_systems_that_are_the_same_are_compared_with_an_interval() -> None:
    runs = (10.0, 10.1, 9.9, 10.05, 9.95, 10.02)
    earlier = fact(kind="value", value=10.01, samples=runs)
    later = replace(earlier, value=20.02, samples=tuple(2 * run for run in runs))
    arm = NamedArm(edition="a", study="s", configuration="c")
    both = Continued(
        (arm, arm), ("c", "c"), ("A", "B"), (), (("Rate", earlier, later),)
    )
    assert both.reason == ""
    (change,) = both.changes
    assert change.startswith("+100% (+9") and change.endswith("%)")
    bare = replace(earlier, samples=())
    assert change_text(bare, replace(bare, value=5.005)) == "−50%"
    coarse = replace(later, resolution=1.0)
    assert change_text(earlier, coarse) == "+100%"


def test_values_of_two_origins_are_not_compared() -> None:
    earlier = fact(kind="value", origin="measured")
    later = replace(earlier, origin="synthetic", basis="assumed")
    arm = NamedArm(edition="a", study="s", configuration="c")
    both = Continued(
        (arm, arm), ("c", "c"), ("A", "B"), (), (("Rate", earlier, later),)
    )
    assert both.reason == "values are measured, then synthetic, assumed"
    assert both.changes == []


def test_each_edition_answers_in_its_own_words(
    compare: Compare, project: Sources, capsys: pytest.CaptureFixture[str]
) -> None:
    study = {
        "id": "speed",
        "home": "small",
        "title": "T",
        "question": "Is it?",
        "finding": "Yes, by far.",
    }
    place = project.report / "build/small"
    place.mkdir(parents=True)
    (place / "search.json").write_text(json.dumps({"studies": [study]}), "utf-8")
    assert compare() == 0
    said = capsys.readouterr().out
    assert "  small: Is it? Yes, by far.\n" in said
    assert "  later: " in said


def test_the_page_has_both_beside_each_other(
    compare: Compare, project: Sources
) -> None:
    page = project.report / "across.html"
    assert compare("--format", "html", "--out", str(page)) == 0
    text = page.read_text(encoding="utf-8")
    assert text.index("small/index.html#sec-speed") < text.index(
        "later/index.html#sec-speed"
    )
    assert "<b>−37%</b>" in text
    assert "<b>−9%</b>" in text


def test_a_study_that_is_not_in_the_table_is_named_with_its_verdicts_and_why(
    compare: Compare, project: Sources, capsys: pytest.CaptureFixture[str]
) -> None:
    left = "    omitted: [{edition: later, study: speed, why: It is odd}]\n    same:"
    asked = project.report / "questions.yaml"
    asked.write_text(ASKED.replace("    same:", left), encoding="utf-8")
    page = project.report / "across.html"
    assert compare("--format", "html", "--out", str(page)) == 0
    text = html.document_fromstring(page.read_text(encoding="utf-8"))
    (item,) = text.xpath("//ul[@class='answers'][2]/li")
    assert item.xpath("a/@href") == ["later/index.html#sec-speed"]
    words = " ".join(item.text_content().split())
    assert re.search(r", 2026\b.*\): \d+ improved.*\. It is odd\.$", words), words
    assert compare() == 0
    assert "  not here: " in capsys.readouterr().out
    asked.write_text(
        ASKED.replace("    same:", left.replace("study: speed", "study: x"))
    )
    assert compare() == 2
    assert ":8: there is no study of later 'x'" in capsys.readouterr().err


def test_all_that_reports_have_on_a_question_is_shown_or_named() -> None:
    questions = {one.id: one for one in read_questions(ROOT / "report")[0]}
    release, heap = questions["release"], questions["heap-pools"]
    named = {(one.edition, one.study) for one in (*release.of, *release.omitted)}
    own = {
        (id, study)
        for id in ("zos-cs-v1r2", "zos-cs-3.1", "zos-cs-3.2")
        for study in read_edition(ROOT / "report" / id).own_studies
        if study.startswith("release") or study in ("netmarks", "ftp", "claw-packing")
    }
    assert named == own
    assert "response_time" in release.metrics
    assert not any(one.tests for one in heap.of if one.edition == "zos-cs-3.1")
    tls = [(one.edition, one.study) for one in questions["tls-versions"].of]
    assert tls[0] == ("zos-cs-3.1", "heappools-versions")


def test_a_build_leaves_out_what_is_gone_and_tells_what_is_wrong(
    compare: Compare, project: Sources
) -> None:
    out = project.report / "build"
    out.mkdir(exist_ok=True)
    library = Library(project.report, project.facts)
    assert write_across(out, library, ROOT / "templates") == []
    assert (out / "across.html").is_file()

    asked = project.report / "questions.yaml"
    asked.write_text(ASKED.replace("[latency]", "[lateness]"), encoding="utf-8")
    (issue,) = write_across(out, library, ROOT / "templates")
    assert "no metric 'lateness'" in str(issue)
    assert not (out / "across.html").exists()
    asked.write_text(ASKED.replace("edition: later", "edition: gone"), encoding="utf-8")
    assert write_across(out, library, ROOT / "templates") == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("{edition: small, study: speed}", "{edition: small, study: sped}",
         ":6: there is no study of small 'sped'"),
        ("{edition: later, study: speed}", "{edition: lost, study: speed}",
         ":7: there is no edition 'lost'"),
        ("configuration: new", "configuration: newer",
         ":9: there is no configuration of speed 'newer'"),
        ("[latency]", "[lateness]", ":4: there is no metric 'lateness'"),
    ],
)  # fmt: skip
def test_names_that_nobody_declared_are_told_with_their_line(
    compare: Compare, project: Sources, capsys: pytest.CaptureFixture[str],
    old: str, new: str, told: str,
) -> None:  # fmt: skip
    path = project.report / "questions.yaml"
    path.write_text(ASKED.replace(old, new, 1), encoding="utf-8")
    assert compare() == 2
    assert told in capsys.readouterr().err


def test_one_edition_is_compared_with_nothing(
    compare: Compare, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare("small") == 2
    assert compare("small", "smal") == 2
    said = capsys.readouterr().err
    assert "name two editions" in said
    assert "'smal'" in said


def test_an_edition_that_was_not_built_is_told_with_its_cure(
    compare: Compare, project: Sources, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = read_facts(project.facts)
    own = tuple(fact for fact in facts.facts if fact.edition == "small")
    write_facts(replace(facts, facts=own), project.facts)
    assert compare("small", "later") == 2
    assert "make report EDITION=later" in capsys.readouterr().err
    page = project.report / "none.html"
    assert compare("--format", "html", "--out", str(page)) == 0
    told = "small alone has facts: build another edition to compare"
    assert told in page.read_text(encoding="utf-8")


def answer(*rows: tuple[str, float | None, float | None]) -> SharedAnswer:
    """Two editions' latencies of workloads."""
    asked = AskedStudy(edition="a", study="s")
    question = SharedQuestion(
        id="q", title="Q?", metrics=("latency",), of=(asked, asked)
    )
    sides = tuple(AnswerSide(edition, "s", "new", edition, "", "") for edition in "ab")
    found = tuple(
        AnswerRow(
            "Latency",
            f"Latency, {workload}",
            tuple(
                None if v is None else fact(printed=f"{v:+.0f}%", value=v)
                for v in values
            ),
        )
        for workload, *values in rows
    )
    return SharedAnswer(question, sides, found)


def test_a_span_reaches_from_the_lowest_to_the_highest_change() -> None:
    rows = ("RR1(1B)", -20, 20), ("RR2(1B)", -10, None), ("RR3(1B)", -15, None)
    first, second = answer(*rows).reaches["Latency"]
    assert first and second
    assert (first.printed, first.start, first.width) == ("-20% to -10%", 0, 25)
    assert (first.zero, second.zero) == (50, 50)
    assert (second.printed, second.verdicts) == ("+20%", "1 predicted")
    assert second.start + second.width == 100


def test_noise_does_not_fill_the_axis() -> None:
    rows = ("RR1(1B)", 0.5, None), ("RR2(1B)", -0.5, None)
    span, nothing = answer(*rows).reaches["Latency"]
    assert nothing is None
    assert span
    assert span.width == pytest.approx(10)


def test_rows_that_one_edition_has_are_its_own() -> None:
    both = answer(("RR1(1B)", -20, 20), ("RR2(1B)", -10, None))
    assert [row.label for row in both.shared_rows] == ["Latency, RR1(1B)"]
    assert both.shared_sides == [0, 1]
    assert answer(("RR2(1B)", -10, None)).shared_rows == []


def test_each_edition_answers_in_a_sentence_and_axes_have_ends() -> None:
    known = answer(("RR1(1B)", -20, 20), ("RR2(1B)", -10, None))
    assert {side.edition: words for side, words in known.findings.items()} == {
        "a": "Both comparisons are predicted.",
        "b": "1 comparison: predicted.",
    }
    assert list(known.findings) == list(known.sides)
    assert known.axes == {"Latency": "−20% to +20%"}


def test_a_bar_has_the_verdict_that_all_its_changes_have() -> None:
    known = answer(("RR1(1B)", -20, -5), ("RR2(1B)", -10, None))
    verdicts = [("improved", "improved"), ("improved", "comparable")]
    for pair, verdict in zip(verdicts, ("improved", ""), strict=True):
        rows = tuple(
            replace(row, facts=(replace(row.facts[0], verdict=own), None))
            for row, own in zip(known.rows, pair, strict=True)
            if row.facts[0]
        )
        span, _ = replace(known, rows=rows).reaches["Latency"]
        assert span and span.verdict == verdict
