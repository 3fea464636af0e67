"""Who wrote words does not approve them, where an edition says so."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from analysis import cli
from analysis.errors import UserError
from analysis.report.checks.claims import check_texts
from analysis.report.material import Sources, read_material
from analysis.report.review.authors import raise_if_author

OBSERVATIONS = "studies/speed/observations.md"


def git(folder: Path, *command: str, by: str = "Ann") -> None:
    who = f"user.name={by} Author", f"user.email={by.lower()}@example.org"
    settings = [word for one in who for word in ("-c", one)]
    subprocess.run(["git", *settings, *command], cwd=folder, check=True)


@pytest.fixture
def texts(project: Sources) -> Path:
    """The texts of an edition, in a repository of Ann's."""
    folder = project.report / "small"
    declared = folder / "edition.yaml"
    reviewer = "reviewers: [{name: Ann Author, email: ann@example.org}]\n"
    declared.write_text(
        f"{declared.read_text()}\n{reviewer}review: {{authors: false}}\n"
    )
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "Begin")
    return folder


def approves(project: Sources, by: str, email: str = "") -> bool:
    checked = check_texts(read_material("small", project))
    try:
        raise_if_author(checked, "speed", by, email)
    except UserError as error:
        assert "review: {authors: false}" in str(error)
        return False
    return True


def test_an_author_is_known_by_name_address_or_as_a_reviewer(
    project: Sources, texts: Path
) -> None:
    for by, email, may in (
        ("ann author", "", False),
        ("A. Author", "ANN@example.org", False),
        ("ann@example.org", "", False),
        ("Ann Author <ann@example.org>", "", False),
        ("Bob", "bob@example.org", True),
    ):
        assert approves(project, by, email) is may, by
    declared = texts / "edition.yaml"
    declared.write_text(declared.read_text().replace("authors: false", "authors: true"))
    assert approves(project, "Ann Author")


def test_lines_of_a_desks_branch_and_those_of_nobody_count(
    project: Sources, texts: Path
) -> None:
    path = texts / OBSERVATIONS
    path.write_text(f"{path.read_text().strip()}\n\nMore here.\n")
    assert not approves(project, "Bob")  # whose line is the last?
    git(texts, "switch", "-q", "-c", "review/small")
    git(texts, "commit", "-qam", "A line", by="Bob")
    git(texts, "switch", "-q", "main")
    path.write_text(
        f"{path.read_text().strip()}\n\nMore here.\n"
    )  # as a desk leaves it
    assert not approves(project, "Bob Author") and approves(project, "Cy")
    path.write_text(path.read_text().partition("\n\nMore")[0] + "\n")
    git(texts, "branch", "-qD", "review/small")
    git(texts, "commit", "-qam", "Less", "--allow-empty")
    assert approves(project, "Bob Author")


def test_the_command_refuses_as_the_desk_does(
    project: Sources, texts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project.figures.rename(project.figures.with_name("small"))
    options = ["--facts", str(project.facts), "--report", str(project.report)]
    options += ["--figures", str(project.figures.parent)]
    command = ["review", "approve", "speed", *options]
    assert cli.main([*command, "--by", "Ann Author"]) == 2
    assert "do not approve their own" in capsys.readouterr().err
    assert not (texts / "studies/speed/review.yaml").exists()
    assert cli.main([*command, "--by", "Bob"]) == 0
    assert (texts / "studies/speed/review.yaml").exists()
