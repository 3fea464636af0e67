"""Titles and questions are edited where they stand, and nothing else of their file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.report.desk.editing import Edit, save
from analysis.report.desk.parts import rewritten
from tests.report.desk.conftest import ANN, Office
from tests.report.desk.test_saving import edit, git

STUDY = "studies/speed/study.yaml"


def declared(office: Office, file: str, entry: str) -> dict:
    known = json.loads(office.client.get("e/small/declared")[1])["words"]
    [one] = [o for o in known if (o["text"], o["entry"]) == (file, entry)]
    return one


def declare(office: Office, file: str, entry: str, words: str) -> tuple[int, dict]:
    office.client.sit()
    said = edit(declared(office, file, entry), words)
    return office.client.post("e/small/save", **said)


def test_only_the_bytes_of_the_words_change_and_a_commit_has_them(
    office: Office,
) -> None:
    path = office.texts / STUDY
    path.write_text(f"# kept\n{path.read_text()}")
    before = path.read_text()
    status, said = declare(office, STUDY, "title", "Newer: against older")
    assert status == 200, said
    assert path.read_text() == before.replace(
        "title: New against old", 'title: "Newer: against older"'
    )
    assert "Newer: against older" in office.client.get("e/small/")[1]
    shown = git(office.texts, "show", "-s", "--format=%an %s", said["commit"])
    assert shown == f"Ann Author {STUDY}: title reads ‘Newer: against older’"
    status, said = declare(office, STUDY, "figures.0.question", "Is it, then, faster?")
    assert status == 200, said
    assert 'question: "Is it, then, faster?"}' in path.read_text()


def test_a_title_that_somebody_changed_meanwhile_is_not_overwritten(
    office: Office,
) -> None:
    office.client.sit()
    said = edit(declared(office, STUDY, "title"), "Mine")
    path = office.texts / STUDY
    path.write_text(path.read_text().replace("New against old", "Another"))
    status, answer = office.client.post("e/small/save", **said)
    assert (status, answer["now"]["words"]) == (409, "Another")
    assert "title: Another\n" in path.read_text()
    said |= {"text": "../edition.yaml"}
    assert office.client.post("e/small/save", **said)[0] == 404


@pytest.mark.parametrize("words", ["x" * 60, "  "])
def test_words_that_cannot_stand_there_leave_the_file(
    office: Office, words: str
) -> None:
    before = (office.texts / STUDY).read_bytes()
    status, said = declare(office, STUDY, "title", words)
    assert status == 422 and said["issues"][0]["what"]
    assert (office.texts / STUDY).read_bytes() == before


def test_a_failure_that_nobody_foresaw_leaves_the_file_and_no_entry(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, before = office.desk.lives["small"], (office.texts / STUDY).read_bytes()
    live.open()
    title = declared(office, STUDY, "title")
    monkeypatch.setattr(live.maker, "whole", lambda _: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        save(live, Edit(STUDY, title["number"], title["hash"], "New"), ANN)
    assert (office.texts / STUDY).read_bytes() == before
    assert not list(office.desk.journal.folder.glob("*.json*"))


def test_words_are_text_and_no_html(office: Office) -> None:
    words = "1 < 2 <script>alert(1)</script> 🐇"
    assert declare(office, STUDY, "title", words)[0] == 200
    page = office.client.get("e/small/")[1]
    assert "&lt;script&gt;alert(1)" in page and "<script>alert(1)" not in page
    assert "🐇" in (office.texts / STUDY).read_text()


def test_a_declaration_that_is_broken_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text("title: One\nquestion: Two\n")
    with pytest.raises(UserError):
        rewritten(path, "title", "Other")
