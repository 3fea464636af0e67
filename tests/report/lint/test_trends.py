from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.report.claims.checked import Checked, check_texts
from analysis.report.lint.trends import check_predictions, check_trends, check_unused
from analysis.report.material import Sources, read_material

WriteText = Callable[[str, str], Path]
OBSERVATIONS = "studies/speed/observations.md"


def checked_of(project: Sources) -> Checked:
    return check_texts(read_material("small", project))


def write(write_text: WriteText, body: str, *claims: str) -> Path:
    front = "".join(f"  - {claim}\n" for claim in claims)
    return write_text(OBSERVATIONS, f"---\nclaims:\n{front}---\n{body}\n")


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("Latency of RR1(1kB) falls.", "latency falls for RR1(1kB)"),
        ("Latency of RR1(1kB) improves.", "latency falls for RR1(1kB)"),
        ("RR1(1kB): significant latency.", "latency falls for RR* beyond noise"),
        ("RR1(1kB) is faster: latency.", "latency of new is above latency of old"),
        ('{{ delta("latency", "RR1(1kB)") }}: it drops.', "latency falls for RR*"),
        ("Throughput of STR3(1B/20MB) rises.", "throughput rises for STR*"),
    ],
)  # fmt: skip
def test_a_trend_word_with_its_claim_passes(
    project: Sources, write_text: WriteText, sentence: str, claim: str
) -> None:
    write(write_text, sentence, claim)
    checked = checked_of(project)
    assert check_trends(checked.texts[OBSERVATIONS], checked) == []
    assert check_unused(checked) == []


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("Latency of RR1(1kB) rises.", "rises"),
        ("Latency of RR1(1kB) is comparable.", "comparable"),
        ("Throughput of STR3(1B/20MB) doubles.", "doubles"),
        ("Latency of RR10(4kB) is significantly lower.", "significantly"),
        ("It is the best.", "best"),
        ("It costs more.", "costs more"),
    ],
)
def test_a_trend_word_without_its_claim_is_found(
    project: Sources, write_text: WriteText, sentence: str, word: str
) -> None:
    path = write(write_text, f"Fine.\n\n{sentence}", "latency falls for RR*")
    checked = checked_of(project)
    issues = check_trends(checked.texts[OBSERVATIONS], checked)
    assert any(f"{word!r}" in issue.what for issue in issues)
    assert str(issues[0].where) == f"{path}:7"
    assert "such as: " in issues[0].mend


def test_words_that_an_expression_prints_need_no_claim(project: Sources) -> None:
    checked = checked_of(project)
    assert "falls by" in checked.texts[OBSERVATIONS].markdown()
    assert check_trends(checked.texts[OBSERVATIONS], checked) == []


def test_background_may_explain_in_trend_words(
    project: Sources, write_text: WriteText
) -> None:
    write_text("studies/speed/background.md", "Cost grows with every packet.\n")
    checked = checked_of(project)
    assert check_trends(checked.texts["studies/speed/background.md"], checked) == []


def test_an_exception_quiets_a_trend_word(
    project: Sources, write_text: WriteText
) -> None:
    allow = "allow:\n  - {text: best effort, reason: the name of a service}\n"
    write_text(OBSERVATIONS, f"---\n{allow}---\nIt is best effort.\n")
    checked = checked_of(project)
    assert check_trends(checked.texts[OBSERVATIONS], checked) == []


def test_a_claim_that_no_sentence_uses_is_found(
    project: Sources, write_text: WriteText
) -> None:
    path = write(write_text, "Nothing to say.", "latency falls for RR*")
    (issue,) = check_unused(checked_of(project))
    assert str(issue.where) == f"{path}:3"
    assert "no sentence uses this claim: latency falls for RR*" in issue.what


def test_modelled_values_must_be_called_so(
    project: Sources, write_text: WriteText
) -> None:
    text = project.facts.read_text(encoding="utf-8")
    project.facts.write_text(text.replace('"measured"', '"modelled"'), encoding="utf-8")
    bound = '{{ delta("latency", "RR1(1kB)") }}'
    write_text(OBSERVATIONS, f"It changes by {bound}.\n")
    checked = checked_of(project)
    (issue,) = check_predictions(checked.texts[OBSERVATIONS], checked)
    assert "predicted values" in issue.what
    for fine in (
        f"The model predicts {bound}.\n",
        f"The modelled change is {bound}.\n",
    ):
        write_text(OBSERVATIONS, fine)
        checked = checked_of(project)
        assert check_predictions(checked.texts[OBSERVATIONS], checked) == []
    write_text(OBSERVATIONS, 'Latency {{ moves("latency", "RR1(1kB)") }}.\n')
    assert "is predicted to fall by [37%]" in checked_of(project).texts[
        OBSERVATIONS
    ].markdown()  # fmt: skip


def test_synthetic_runs_are_told_of_in_ordinary_words(
    project: Sources, write_text: WriteText
) -> None:
    text = project.facts.read_text(encoding="utf-8")
    text = text.replace('"measured"', '"synthetic"')
    project.facts.write_text(text, encoding="utf-8")
    write_text(OBSERVATIONS, 'It changes by {{ delta("latency", "RR1(1kB)") }}.\n')
    checked = checked_of(project)
    assert check_predictions(checked.texts[OBSERVATIONS], checked) == []
    write_text(OBSERVATIONS, 'Latency {{ moves("latency", "RR1(1kB)") }}.\n')
    assert (
        "Latency falls by [37%]" in checked_of(project).texts[OBSERVATIONS].markdown()
    )
