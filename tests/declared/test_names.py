"""Names of campaigns, editions, studies, configurations and runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.declared.campaign import find_campaigns
from analysis.declared.edition import find_editions
from analysis.declared.names import FOLDER, ID, NAME, RUN, WORDS, fits
from analysis.errors import UserError

HOSTILE = (
    "$(touch P)",
    "`touch P`",
    "a;b",
    "a b",
    "it's",
    'a"b',
    "{a}",
    "-rf",
    "a\nb",
    "a\n",
    "ä",
    "..",
    "*",
    "a|b",
    "a&b",
    "~",
    "a\\b",
    "\udcff",
    "",
)
LEADING_NOWHERE = ("a..b", "a.", "a" * 300)


@pytest.mark.parametrize("pattern", [NAME, ID, FOLDER, RUN])
@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_holds_nothing_that_a_shell_reads(pattern: str, name: str) -> None:
    assert not fits(name, pattern)


@pytest.mark.parametrize("pattern", [NAME, FOLDER])
@pytest.mark.parametrize("name", LEADING_NOWHERE)
def test_a_name_of_a_folder_suits_every_file_system(pattern: str, name: str) -> None:
    assert not fits(name, pattern)


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        (NAME, "zos-cs-3.2"),
        (ID, "A_1-b"),
        (FOLDER, "Lab_2026.1"),
        (RUN, "B-CRR10(64B/8kB)-05"),
    ],
)
def test_plain_names_do(pattern: str, name: str) -> None:
    assert fits(name, pattern)


@pytest.mark.parametrize(
    ("find", "file", "pattern"),
    [
        (find_editions, "edition.yaml", NAME),
        (find_campaigns, "campaign.yaml", FOLDER),
    ],
)
@pytest.mark.parametrize(
    "name",
    [
        "$(touch P)",
        "a b",
        "-x",
        "a\nb",
        "build",
        "index.html",
        "nul",
        "com1.x",
        "a" * 250,
    ],
)
def test_a_folder_of_another_name_is_refused_with_the_pattern(
    tmp_path: Path, find, file: str, pattern: str, name: str
) -> None:
    for folder in (name, "good"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / file).touch()
    with pytest.raises(UserError) as caught:
        find(tmp_path)
    [issue] = caught.value.issues
    assert repr(name) in issue.what
    assert pattern in issue.mend
    assert WORDS[pattern] in issue.mend


def test_a_folder_that_is_no_edition_may_have_any_name(tmp_path: Path) -> None:
    (tmp_path / "$(x)").mkdir()
    (tmp_path / ".draft.part").mkdir()
    (tmp_path / ".draft.part" / "edition.yaml").touch()
    assert find_editions(tmp_path) == []
