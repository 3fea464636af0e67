"""The findings of a summary, its headline, and the values of an answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from analysis.errors import UserError
from analysis.facts.units import MINUS
from analysis.report.checks.claims import Checked, check_texts
from analysis.report.document.assemble import assemble
from analysis.report.document.compose import (
    MOST_FINDINGS,
    check_summary,
    compose,
    first_finding,
    headline,
    key_values,
)
from analysis.report.material import Sources, read_material
from analysis.report.review.state import reviews
from analysis.report.text.texts import Text

WriteText = Callable[[str, str], Path]
SUMMARY = "front/summary.md"
ANSWER = "studies/speed/answer.md"
CHANGE = '{{ delta("latency", "RR1(1kB)", study="speed") }}'


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
