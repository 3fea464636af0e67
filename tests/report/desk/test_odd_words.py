"""What people say and are called holds odd characters, and no page breaks of them."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from analysis.errors import UserError
from analysis.report.desk.parts import EditedPart, with_expressions, with_words
from analysis.report.desk.people import git_person, read_team
from tests.report.desk.conftest import ANN, Office
from tests.report.desk.test_saving import OBSERVATIONS, edit, git, opened

TEAM = "host: desk.example.org\nproxies: [127.0.0.1]\npeople:\n"


@pytest.mark.parametrize(
    "words", ["Code `a {5} b`.", "```\nint x = {5};\n```", r"A set \{5\}."]
)
def test_braces_that_are_no_value_may_stand_in_code(words: str) -> None:
    assert with_expressions(words, {}) == words


def test_braces_beside_code_are_a_value_or_refused() -> None:
    known = {"{5%}": "delta(1)"}
    assert with_expressions("`{7}` {5%}", known) == "`{7}` {{ delta(1) }}"
    with pytest.raises(UserError, match=r"\{6\} is no value"):
        with_expressions("`{7}` {6} {5%}", known)


@pytest.mark.parametrize(
    ("content", "left"),
    [("- a\n- b\n", "- b\n"), ("A.\n\nB.\n", "B.\n")],
)
def test_a_part_that_is_taken_away_leaves_what_follows_it(
    content: str, left: str
) -> None:
    first = EditedPart("a.md", 0, content.split("\n")[0], first=1, last=1)
    assert with_words(content, first, "")[0] == left


def test_what_word_and_mail_copy_into_a_comment_is_said(office: Office) -> None:
    client = office.client
    client.sit()
    for words in ("one\x0btwo\u2028three\x85four", "\u202ea\x07b\u2066\ufeffc"):
        assert client.post("e/small/comment", about="speed", words=words)[0] == 200
    path = office.texts / "studies/speed/comments.yaml"
    said = [
        one["said"][0]["words"] for one in yaml.safe_load(path.read_text())["threads"]
    ]
    assert said == ["one\ntwo\nthree\nfour", "abc"]
    assert client.get("e/small/comments")[0] == client.get("e/small/review")[0] == 200


@pytest.mark.parametrize(
    ("words", "told"), [(" \n\u202e", "nothing is said"), ("x" * 10_001, "10,001")]
)
def test_what_says_nothing_or_too_much_is_told(
    office: Office, words: str, told: str
) -> None:
    office.client.sit()
    status, said = office.client.post("e/small/comment", about="speed", words=words)
    assert status == 422 and told in said["issues"][0]["what"]


@pytest.mark.parametrize(
    "name", ["Ann\x85Lee", "Ann\u2028 Lee", "Ann <b> Lee", "x" * 300]
)
def test_who_has_an_odd_name_of_git_s_can_work(
    office: Office, tmp_path: Path, name: str
) -> None:
    for entry, value in (("name", name), ("email", "ann@example.org")):
        git(tmp_path, "config", f"user.{entry}", value)
    ann = office.chair[0] = git_person(tmp_path)
    client = office.client
    client.sit()
    assert client.post("e/small/save", **edit(opened(client), "Mine."))[0] == 200
    assert client.post("e/small/comment", about="speed", words="Why?")[0] == 200
    pages = [client.get(f"e/small/{one}") for one in ("history", "review", "comments")]
    assert [status for status, _ in pages] == [200] * 3
    assert ann.name[:200] in pages[0][1] and len(ann.name) <= 200


def test_a_commit_with_odd_ends_of_lines_is_listed(
    office: Office, tmp_path: Path
) -> None:
    office.client.sit()
    said = edit(opened(office.client), "Mine.")
    assert office.client.post("e/small/save", **said)[0] == 200
    git(tmp_path, "symbolic-ref", "HEAD", "refs/heads/review/small")
    (office.texts / "note.txt").write_text("x")
    git(tmp_path, "add", "report")
    told = [
        "-c",
        "user.name=A\x85B",
        "-c",
        "user.email=a@b",
        "commit",
        "-qm",
        "One\x0ctwo",
    ]
    subprocess.run(["git", *told], cwd=tmp_path, check=True)
    assert "A\x85B" in office.client.get("e/small/history")[1]


def test_a_name_of_other_letters_is_read_as_the_proxy_sends_it(tmp_path: Path) -> None:
    path = tmp_path / "desk.yaml"
    path.write_text(
        f"{TEAM}  josé: {{name: José, email: j@example.org, role: author}}\n"
    )
    header = b"x-remote-user", "josé".encode()
    scope = {"type": "http", "client": ("127.0.0.1", 1), "headers": [header]}
    found = read_team(path).who(scope)
    assert found == replace(ANN, name="José", email="j@example.org")


@pytest.mark.parametrize(
    ("people", "told"),
    [
        ("  a: {name: A, email: a, role: author}\n", "ann@example.org"),
        ("  a: {name: A, email: a@b, role: author}\n"
         "  b: {name: A, email: c@d, role: reader}\n", "two people are called 'A'"),
    ],
)  # fmt: skip
def test_people_who_could_not_be_told_apart_or_reached_are_refused(
    tmp_path: Path, people: str, told: str
) -> None:
    path = tmp_path / "desk.yaml"
    path.write_text(TEAM + people)
    with pytest.raises(UserError) as found:
        read_team(path)
    assert told in str(found.value)


def test_one_person_may_sign_in_by_two_names(tmp_path: Path) -> None:
    path = tmp_path / "desk.yaml"
    own = "{name: A, email: a@b, role: author}"
    path.write_text(f"{TEAM}  a: {own}\n  a@b: {own}\n")
    assert set(read_team(path).people) == {"a", "a@b"}


def test_a_braces_in_code_are_saved(office: Office) -> None:
    office.client.sit()
    words = "[Write]{.unchecked} `set {x}` {falls by 37%}."
    said = edit(opened(office.client), words)
    assert office.client.post("e/small/save", **said)[0] == 200
    assert "`set {x}` {{ moves(" in (office.texts / OBSERVATIONS).read_text()
