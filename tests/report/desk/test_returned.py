"""A DOCX that came back: its comments and changes are told at their places."""

from __future__ import annotations

import os
import zipfile
from argparse import Namespace
from io import BytesIO
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.files import limits
from analysis.programs.child import pandoc_program, run_child
from analysis.report.desk import returned
from analysis.report.material import Sources
from tests.report.desk.tracking import Tracked

PRINTED = """\
Edition small · Build 1

# Preface

Measured *with* much care [1].

Twice, and once more.

# Speed

Latency falls by 37% (Figure 1).
"""


@pytest.fixture
def word(project: Sources, tmp_path: Path) -> Tracked:
    preface = project.report / "small/front/preface.md"
    preface.write_text("Measured *with* much care [@smith].\n\nTwice, and once more.\n")
    command = [pandoc_program(), "--to=docx", "--output=-"]
    return Tracked(run_child(command, tmp_path, PRINTED.encode()).output)


def told(
    data: bytes, project: Sources, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> list[str]:
    file = tmp_path / "small, with remarks.docx"
    file.write_bytes(data)
    args = Namespace(file=file, edition=None, **vars(project))
    args.figures = tmp_path / "drawn"
    args.figures.mkdir(exist_ok=True)
    (args.figures / "small").unlink(missing_ok=True)
    (args.figures / "small").symlink_to(project.figures)
    assert returned.run(args) == 0
    return capsys.readouterr().out.splitlines()


def test_remarks_are_listed_at_their_files_and_lines(
    word: Tracked,
    project: Sources,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    word.change("Ann", "much care", "great care")
    word.comment("Bo\u202e", "once more", "How\noften?")
    word.change("Ann", "Twice, and ", "")
    word.comment("Cy", "falls by 37%", "Really?")
    lines = told(word.data(), project, tmp_path, capsys)
    small = f"{project.report}/small"
    assert lines == [
        f"{small}/front/preface.md:1",
        "  Ann, 2026-02-03: ‘great care’ instead of ‘much care’",
        f"{small}/front/preface.md:3",
        "  Ann, 2026-02-03: takes away ‘Twice, and’",
        "  Bo, 2026-02-03 on ‘once more’: How often?",
        f"{small}/studies/speed/observations.md:1",
        "  Cy, 2026-02-03 on ‘falls by 37%’: Really?",
        "2 comments and 2 changes by Ann, Bo, Cy",
    ]


def test_what_is_in_no_text_is_told_below_its_heading(
    word: Tracked,
    project: Sources,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert told(word.data(), project, tmp_path, capsys) == ["0 comments and 0 changes"]
    word.comment("Bo", "Build", "Which?")
    lines = told(word.data(), project, tmp_path, capsys)
    assert lines[0].startswith("in no text, below ‘") and "Edition small" in lines[0]
    assert lines[1] == "  Bo, 2026-02-03 on ‘Build’: Which?"


def test_what_is_no_word_file_is_told(
    word: Tracked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty, broken, data = BytesIO(), BytesIO(), word.data()
    with zipfile.ZipFile(empty, "w") as file:
        file.writestr("a", "b")
    with zipfile.ZipFile(broken, "w") as file:
        file.writestr("word/document.xml", "<w")
    path = tmp_path / "small.docx"
    for wrong in (b"", b"text", data[:-30], empty.getvalue(), broken.getvalue()):
        path.write_bytes(wrong)
        with pytest.raises(UserError, match="not a document of Word"):
            returned.remarked_paragraphs(path)
    path.write_bytes(data)
    for limit in ("WORD_BYTES", "WORD_UNPACKED_BYTES"):
        with monkeypatch.context() as patch:
            patch.setattr(returned, limit, len(data) - 1)
            with pytest.raises(UserError, match=limit):
                returned.remarked_paragraphs(path)
    assert limits.WORD_BYTES < limits.WORD_UNPACKED_BYTES


@pytest.mark.parametrize("kind", ["device", "pipe", "folder"])
def test_what_is_no_file_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    path = {"device": Path("/dev/zero"), "folder": tmp_path}.get(kind)
    if path is None:
        os.mkfifo(path := tmp_path / "small.docx")
    with pytest.raises(UserError, match=rf"this is a (named )?{kind}"):
        returned.remarked_paragraphs(path)
