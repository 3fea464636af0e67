"""Letters that hide a word, signs instead of words, sentences of other languages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.report.claims.checked import check_texts
from analysis.report.lint.finding import Finding
from analysis.report.lint.letters import check_letters
from analysis.report.material import Sources, read_material
from analysis.report.text.characters import is_invisible, reader_text
from tests.report.lint.page_texts import page_texts

WriteText = Callable[[str, str], Path]
OBSERVATIONS = "studies/speed/observations.md"


def findings(project: Sources) -> list[Finding]:
    said = page_texts(check_texts(read_material("small", project)))
    return [found for passage in said for found in check_letters(passage)]


@pytest.mark.parametrize(
    ("text", "severity", "what"),
    [
        ("It h\u0430lves.", "error", "two scripts"),
        ("It d\u03bfubles.", "error", "two scripts"),
        ("It \u043f\u0430\u0434\u0430\u0435\u0442.", "held", "not Latin"),
        ("It h a l v e s now.", "held", "set apart"),
        ("It takes l0 or 7O.", "error", "letters for digits"),
        ("Latency \u2193 and rate \u2191.", "held", "in the place of words"),
        ("The new one: \U0001f44d.", "held", "in the place of words"),
        ("Here new > old.", "held", "a comparison by a sign: 'new > old'"),
        ("For its rate, A = B.", "held", "a comparison by a sign: 'A = B'"),
        ("Die Latenz ist mit dem Neuen nicht hoch.", "held", "not English"),
        ("Le temps est dans tous les cas le m\u00eame.", "held", "not English"),
        ("It is dimidium of that.", "held", "not English: dimidium"),
    ],
)
def test_what_no_check_can_read_is_told(
    project: Sources, write_text: WriteText, text: str, severity: str, what: str
) -> None:
    path = write_text(OBSERVATIONS, f"Words.\n\n{text}\n")
    found = findings(project)[0]
    assert found.severity == severity
    assert what in found.issue.what
    assert str(found.issue.where) == f"{path}:3"


@pytest.mark.parametrize(
    "text",
    [
        "It takes 3 \u00b5s, as J\u00fcrgen M\u00fcller and Poincar\u00e9 said.",
        "Run `a < b \u2193`, and see {{ delta('latency', 'RR1(1kB)') }}.",
        "The vehicle is a Corsa, en route to Le Mans.",
        "Plan A, plan B and plan C.",
        "The mean \u2248 the median, 3 \u00d7 4.",
    ],
)
def test_names_code_and_signs_of_arithmetic_are_fine(
    project: Sources, write_text: WriteText, text: str
) -> None:
    write_text(OBSERVATIONS, f"{text}\n")
    assert findings(project) == []


@pytest.mark.parametrize(
    "text",
    ["fal\u200bls", "hal\u00adves", "fa\u2060lls", "7\ufe0e3", "di\ufb00er",
     "\uff46alls", "\U0001d421alves", "&shy;", "&#8203;", "a\ufffcb"],
)  # fmt: skip
def test_what_does_not_show_is_refused(
    project: Sources, write_text: WriteText, text: str
) -> None:
    path = write_text(OBSERVATIONS, f"Words.\n\nIt {text} now.\n")
    with pytest.raises(UserError) as refused:
        check_texts(read_material("small", project))
    (issue,) = refused.value.issues
    assert str(issue.where) == f"{path}:3"
    assert "character" in issue.what or "letter" in issue.what


def test_a_declaration_has_no_hidden_characters_either(project: Sources) -> None:
    path = project.report / "small/studies/speed/study.yaml"
    path.write_text(path.read_text().replace("New against", "New aga\u200binst"))
    (found,) = findings(project)
    assert (found.severity, str(found.issue.where)) == ("error", f"{path}:1")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("\u0667\u0663\u066a", "73%"),
        ("\uff17\uff13\uff05", "73%"),
        ("\u2079\u2070 \u216b \u2468 \u00bd", "90 XII 9 1/2"),
        ("h\u00e0lves no\u00a0more ten\u2011fold", "halves no more ten-fold"),
        ("\u00b5s and \u03bcs", "\u00b5s and \u00b5s"),
        ("m\u00b2 and 10\u00b2", "m and 102"),
        ("plain\nlines", "plain\nlines"),
    ],
)
def test_a_reader_s_letters(text: str, plain: str) -> None:
    assert reader_text(text) == plain


def test_lines_stay_and_blanks_show() -> None:
    assert reader_text("\u00e4\n\u00df\n").count("\n") == 2
    assert [c for c in "a \u00a0\u200b\u00ad\u2060\u2800" if is_invisible(c)] == list(
        "\u200b\u00ad\u2060\u2800"
    )
