"""Groups of studies, from their declaration to both rendered formats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from lxml import html
from pypdf import PdfReader

from analysis.errors import UserError
from analysis.facts.units import MINUS
from analysis.report.checks.claims import Checked, check_texts
from analysis.report.document.assemble import assemble
from analysis.report.document.compose import (
    MOST_FINDINGS,
    chapters,
    check_summary,
    compose,
    first_finding,
    headline,
    key_values,
)
from analysis.report.document.generated import Generated, check_setups
from analysis.report.engines.pandoc import PandocEngine
from analysis.report.material import Sources, read_material
from analysis.report.review.state import reviews
from analysis.report.text.texts import Text
from tests.report.document.test_assemble import build
from tests.report.grouped import group, pair

WriteText = Callable[[str, str], Path]
SUMMARY = "front/summary.md"
ANSWER = "studies/speed/answer.md"
CONDITIONS = "studies/speed/conditions.md"
CHANGE = '{{ delta("latency", "RR1(1kB)", study="speed") }}'


def text_of(project: Sources) -> str:
    checked = check_texts(read_material("small", project))
    return compose(checked, reviews(checked), project.templates).text


def test_a_study_in_a_group_is_one_level_deeper(project: Sources) -> None:
    group(project)
    lines = text_of(project).splitlines()
    heads = [line for line in lines if line.startswith("#") and "#sec-" in line]
    assert heads[2:6] == [
        "# Networks {#sec-nets .group}",
        "## New against old {#sec-speed .study}",
        "### Observations {#sec-speed-observations}",
        "### All results {#sec-speed-results}",
    ]
    assert "# New against old {#sec-alone .study}" in heads
    assert "## Background {#sec-alone-background}" in heads


def test_the_introduction_of_a_group_is_reviewed_prose(
    project: Sources, write_text: WriteText
) -> None:
    group(project)
    write_text("nets.md", 'Falls by {{ delta("latency", "RR1(1kB)", study="speed") }}.')
    assert "Falls by [−37%]{.value" in text_of(project)


def test_headings_within_a_text_go_down_with_their_study(
    project: Sources, write_text: WriteText
) -> None:
    group(project)
    text = "### Deeper\n\nSo.\n\n```\n### code\n```\n"
    write_text("studies/speed/background.md", text)
    made = text_of(project)
    assert "\n#### Deeper\n" in made
    assert "\n### code\n" in made


def test_every_pair_has_its_chips(project: Sources) -> None:
    pair(project)
    checked = check_texts(read_material("small", project))
    (chapter,) = chapters(checked, reviews(checked), {}, Generated(checked.material))
    assert chapter["studies"][0]["chips"] == [
        ["The old one", "The new one"],
        ["Another", "Another"],
    ]


def test_both_formats_number_through_groups(
    project: Sources, fonts: Path, tmp_path: Path
) -> None:
    group(project)
    PandocEngine(fonts).render(build(project), tmp_path / "out")
    page = html.fromstring((tmp_path / "out/index.html").read_text("utf-8"))
    labels = page.xpath("//figcaption/span[@class='label']")
    assert [label.text_content() for label in labels] == [
        f"Figure\xa0{number}" for number in (1, 2, 3, 4)
    ]
    contents = page.get_element_by_id("contents")
    third = contents.xpath("./ul/li/ul/li/ul/li/a/@href")
    assert "#sec-speed-observations" in third
    words = "".join(
        sheet.extract_text() for sheet in PdfReader(tmp_path / "out/small.pdf").pages
    )
    assert "3.1.1 Observations" in " ".join(words.split())
    assert "Figure 4" in words


def shares(project: Sources, other: str) -> None:
    """Let the study ``alone`` say that its set-up is that of another one."""
    group(project)
    path = project.report / "small/studies/alone/study.yaml"
    path.write_text(f"setup-of: {other}\n{path.read_text('utf-8')}", encoding="utf-8")


def test_a_study_may_refer_to_the_set_up_of_another(project: Sources) -> None:
    shares(project, "speed")
    made = text_of(project)
    assert "Systems, settings and runs are those of @sec-speed." in made
    assert "{#sec-speed-configuration}" in made
    assert "{#sec-alone-configuration}" not in made
    assert "{#sec-alone-background}" not in made


@pytest.mark.parametrize(
    ("other", "told"),
    [("nowhere", "'nowhere' is no study"), ("alone", "'alone' is no study")],
)
def test_a_set_up_that_is_not_there_is_refused_with_its_line(
    project: Sources, other: str, told: str
) -> None:
    shares(project, other)
    with pytest.raises(UserError) as caught:
        text_of(project)
    assert f"studies/alone/study.yaml:1: setup-of: {told}" in str(caught.value)
    assert "name one of: speed" in str(caught.value)


def test_runs_that_the_other_study_does_not_have_are_told(project: Sources) -> None:
    shares(project, "speed")
    path = project.report / "small/studies/speed/study.yaml"
    text = path.read_text("utf-8").replace("tests: [new]", "tests: []")
    path.write_text(text, encoding="utf-8")
    found = check_setups(read_material("small", project))
    assert [issue.what for issue in found] == [
        "setup-of: new has runs here, and is no configuration of speed"
    ]


def declare(project: Sources) -> None:
    """Let the edition have a summary."""
    path = project.report / "small/edition.yaml"
    about = yaml.safe_load(path.read_text("utf-8"))
    path.write_text(yaml.safe_dump(about | {"summary": SUMMARY}), "utf-8")


def checked(project: Sources) -> Checked:
    return check_texts(read_material("small", project))


@pytest.fixture
def summary(project: Sources, write_text: WriteText) -> Callable[[str], Text]:
    """The summary of the edition with these words."""
    declare(project)

    def made(words: str) -> Text:
        write_text(SUMMARY, words)
        return checked(project).texts[SUMMARY]

    return made


def test_a_summary_of_some_findings_is_sound(summary: Callable[[str], Text]) -> None:
    text = summary(f"- **Change.** Latency falls by {CHANGE}.\n- Again {CHANGE}.\n")
    assert list(check_summary(text)) == []


def test_a_summary_without_a_finding_is_told(
    project: Sources, summary: Callable[[str], Text]
) -> None:
    text = summary("- All is well.\n- It was measured with care.\n")
    (issue,) = check_summary(text)
    assert "the summary has no finding" in issue.what
    assert issue.mend and "delta(" in issue.mend
    found = checked(project)
    with pytest.raises(UserError, match=r"summary\.md:1: the summary has no finding"):
        compose(found, reviews(found), project.templates)


def test_a_summary_of_more_than_a_reader_keeps_is_told(
    summary: Callable[[str], Text],
) -> None:
    text = summary(f"- Latency changes by {CHANGE}.\n" * (MOST_FINDINGS + 1))
    (issue,) = check_summary(text)
    assert f"has {MOST_FINDINGS + 1} findings" in issue.what
    assert issue.where and issue.where.line == MOST_FINDINGS + 1  # the first too many


def test_a_finding_whose_claim_fails_stops_the_build(
    project: Sources, write_text: WriteText, summary: Callable[[str], Text]
) -> None:
    summary(f"- Latency changes by {CHANGE}.\n")
    moves = '{{ moves("latency", "RR1(1kB)") }}'
    claim = "---\nclaims:\n  - latency rises for RR1(1kB)\n---\n"
    write_text("studies/speed/observations.md", f"{claim}Latency {moves}.\n")
    found = checked(project)
    with pytest.raises(UserError, match=r"observations\.md:3: .*latency rises"):
        assemble(found, reviews(found), project.templates, project.facts.parent / "d")


def test_a_summary_makes_no_claims_of_its_own(summary: Callable[[str], Text]) -> None:
    claim = "---\nclaims:\n  - latency falls for RR1(1kB)\n---\n"
    with pytest.raises(UserError, match="claims stand in observations"):
        summary(f"{claim}- Latency changes by {CHANGE}.\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            f"- **[Keep *it* on.]{{.unchecked}}** Latency falls by {CHANGE}.",
            "Keep it on. Latency falls by −37%.",
        ),
        (f"- **Move.** Latency changes by {CHANGE} (@sec-speed). More.\n",
         "Move. Latency changes by −37%."),
        (f"Nothing bound here.\n\nIt is {CHANGE} and `so` on. Next.\n",
         "It is −37% and so on."),
        ("Nothing is bound.\n", ""),
    ],
)  # fmt: skip
def test_a_headline_is_the_first_finding_in_plain_words(
    summary: Callable[[str], Text], words: str, told: str
) -> None:
    assert headline(summary(words)) == told


def test_a_headline_has_nothing_of_what_a_draft_notes(
    summary: Callable[[str], Text],
) -> None:
    text = summary(f"Latency changes by {CHANGE}.\n")
    noted = replace(text, notes=((len(text.marked.text), " [Look]{.found}"),))
    assert "Look" in noted.markdown()
    assert headline(noted) == headline(text)


def test_an_edition_without_a_summary_has_no_headline(project: Sources) -> None:
    assert first_finding(checked(project)) == ""


def shown(project: Sources, write_text: WriteText, words: str) -> list[dict[str, str]]:
    """The values of an answer with these words."""
    write_text(ANSWER, words)
    found = checked(project)
    tables = found.material.of_study("speed")
    return key_values(found.texts[ANSWER], tables)


def test_conditions_stand_in_a_box_below_the_values_of_the_answer(
    project: Sources, write_text: WriteText
) -> None:
    write_text(ANSWER, f"Yes, by {CHANGE}.\n")
    write_text(CONDITIONS, "- **When:** at 25GbE.\n- **When not:** at 10GbE.\n")
    text = text_of(project)
    box = "::: {.conditions}\n- "
    assert text.index("::: {.answer}") < text.index("{.key-values}") < text.index(box)
    assert text.index(box) < text.index("{#fig-speed-rr")
    assert ".own-words}" in text[text.index(box) :].partition(":::\n")[0]


def test_a_box_of_conditions_has_three_lines_at_most(
    project: Sources, write_text: WriteText
) -> None:
    write_text(CONDITIONS, "- One.\n- Two.\n- Three.\n")
    assert "Three." in text_of(project)
    path = write_text(CONDITIONS, "- One.\n- Two.\n- Three.\n- Four.\n")
    with pytest.raises(UserError, match="have 4 lines; a box has 3") as raised:
        text_of(project)
    assert f"{path}:4" in str(raised.value)


def test_the_values_of_an_answer_have_a_label_and_both_sides(
    project: Sources, write_text: WriteText
) -> None:
    (value,) = shown(project, write_text, f"Latency changes by {CHANGE}.\n")
    assert ">" not in str(value["value"])
    assert "[−37%]{.value key=" in str(value["value"])
    assert value["label"] == "Latency: RR1(1kB)"
    assert "→" in value["pair"]


def test_what_two_print_of_the_same_facts_is_shown_once(
    project: Sources, write_text: WriteText
) -> None:
    words = f"Latency changes by {CHANGE}: by {CHANGE}.\n"
    assert len(shown(project, write_text, words)) == 1


def test_a_range_of_changes_is_one_value_without_sides(
    project: Sources, write_text: WriteText
) -> None:
    ranged = '{{ delta("latency", "RR*") | span }}'
    (value,) = shown(project, write_text, f"Latency changes by {ranged}.\n")
    assert " to " in str(value["value"])
    assert value["label"].endswith("RR1(1kB) to RR10(4kB)")
    assert value["pair"] == ""


def test_an_average_is_of_its_first_workload_to_its_last(
    project: Sources, write_text: WriteText
) -> None:
    """Whichever of them changed most."""
    write_text(ANSWER, 'Latency changes by {{ average("latency", "RR*") }}.\n')
    found = checked(project)
    tables = found.material.of_study("speed")
    turned = tuple(replace(fact, value=-fact.value) for fact in tables.facts.facts)
    of_both = (tables, replace(tables, facts=replace(tables.facts, facts=turned)))
    for own in of_both:
        (value,) = key_values(found.texts[ANSWER], own)
        assert value["label"] == "Latency: average of RR1(1kB) to RR10(4kB)"


def test_an_average_has_its_sign_whatever_its_sentence_makes_of_it(
    project: Sources, write_text: WriteText
) -> None:
    sized = '{{ average("latency", "RR*") | size }}'
    (value,) = shown(project, write_text, f"Latency falls by {sized}.\n")
    assert str(value["value"]).startswith(f"[{MINUS}")


def test_words_without_a_fact_have_no_values(
    project: Sources, write_text: WriteText
) -> None:
    assert shown(project, write_text, "All is as it was.\n") == []
