"""Claims that stand with their sentences: read, checked, printed as plain words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.report.checks.claims import check_texts
from analysis.report.material import Sources, read_material
from analysis.report.text.texts import Text

WriteText = Callable[[str, str], Path]
OBSERVATIONS = "studies/speed/observations.md"
TWO = (
    '**[It answers sooner.]{claim="latency falls for RR1(1kB);\n'
    '  latency falls by at least 90% for RR1(1kB)"}** So.\n'
)


def test_each_claim_of_a_sentence_is_checked_with_its_line_and_its_words(
    project: Sources, write_text: WriteText
) -> None:
    path = write_text(OBSERVATIONS, f"First.\n\n{TWO}")
    found = check_texts(read_material("small", project)).outcomes["speed"]
    assert [(one.claim.text, one.state) for one in found] == [
        ("latency falls for RR1(1kB)", "holds"),
        ("latency falls by at least 90% for RR1(1kB)", "fails"),
    ]
    assert {(one.claim.file, one.claim.line) for one in found} == {(str(path), 3)}
    assert {one.claim.sentence for one in found} == {"It answers sooner."}


def test_a_claim_outside_a_study_names_its_study(
    project: Sources, write_text: WriteText
) -> None:
    claim = '[It answers sooner.]{claim="latency falls for RR1(1kB)"OF}\n'
    write_text("front/preface.md", claim.replace("OF", ' study="speed"'))
    [found] = check_texts(read_material("small", project)).outcomes[""]
    assert found.holds
    write_text("front/preface.md", claim.replace("OF", ""))
    with pytest.raises(UserError, match="add study="):
        check_texts(read_material("small", project))


@pytest.mark.parametrize("name", ['claim=""', 'onclick="x"', 'claims="latency falls"'])
def test_other_attributes_are_refused(
    project: Sources, write_text: WriteText, name: str
) -> None:
    write_text(OBSERVATIONS, f"[It answers sooner.]{{{name}}}\n")
    with pytest.raises(UserError, match=r"attribute|script"):
        check_texts(read_material("small", project))


def test_a_paragraph_is_known_by_its_words_without_its_claim(
    project: Sources, write_text: WriteText
) -> None:
    write_text(OBSERVATIONS, '[It answers.]{claim="latency falls"} So.\n')
    text: Text = check_texts(read_material("small", project)).texts[OBSERVATIONS]
    assert text.paragraphs[0].start == "It answers. So."
