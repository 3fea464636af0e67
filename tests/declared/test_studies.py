"""Studies that an edition borrows: where they are, and what cannot be borrowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.declared.checks import check_published_names
from analysis.declared.edition import read_edition, read_studies, study_folder
from analysis.declared.published import Published
from analysis.errors import UserError

EDITION = "title: A\nauthors: [Ann]\ndate: 2026-01-31\nfront: []\nstudies:\n"
STUDY = """\
title: One
question: Why?
campaigns: [lab]
baseline: a
tests: [b]
workloads: [RR1(1kB)]
figures: []
"""


def write(report: Path, id: str, *studies: str) -> Path:
    """An edition; the studies that have no braces are its own."""
    folder = report / id
    folder.mkdir(parents=True)
    lines = "".join(f"  - {study}\n" for study in studies)
    (folder / "edition.yaml").write_text(EDITION + lines, encoding="utf-8")
    for study in (one for one in studies if not one.startswith("{")):
        (folder / "studies" / study).mkdir(parents=True)
        (folder / "studies" / study / "study.yaml").write_text(STUDY)
    return folder


def refused(folder: Path) -> str:
    with pytest.raises(UserError) as error:
        read_studies(folder, read_edition(folder))
    return str(error.value)


def test_a_borrowed_study_stays_where_it_is(tmp_path: Path) -> None:
    lender = write(tmp_path, "lender", "speed")
    folder = write(tmp_path, "talk", "{from: lender, study: speed}", "own")
    edition = read_edition(folder)
    assert list(read_studies(folder, edition)) == ["speed", "own"]
    assert study_folder(folder, edition, "speed") == lender / "studies/speed"
    assert edition.own_studies == ("own",)
    assert edition.homes("talk") == {"speed": "lender", "own": "talk"}


def test_a_group_may_hold_borrowed_studies(tmp_path: Path) -> None:
    write(tmp_path, "lender", "speed")
    group = "{id: g, title: G, studies: [{from: lender, study: speed}]}"
    edition = read_edition(write(tmp_path, "talk", group))
    assert edition.study_ids == ("speed",)
    found = edition.group_of("speed")
    assert found is not None and found.id == "g"


@pytest.mark.parametrize(
    ("studies", "what", "mend"),
    [
        ("{from: nobody, study: speed}",
         "there is no edition 'nobody' to borrow from", "name one of: lender"),
        ("{from: lender, study: sped}", "lender has no study 'sped'",
         "name one of: speed"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_told_with_its_line(
    tmp_path: Path, studies: str, what: str, mend: str
) -> None:
    write(tmp_path, "lender", "speed")
    folder = write(tmp_path, "talk", "own", studies)
    said = refused(folder)
    assert f"{folder / 'edition.yaml'}:7: {what}" in said
    assert mend in said


def test_a_circle_is_told_on_both_sides(tmp_path: Path) -> None:
    one = write(tmp_path, "one", "{from: two, study: speed}")
    two = write(tmp_path, "two", "{from: one, study: speed}")
    assert "'speed' is borrowed in a circle: one → two → one" in refused(one)
    assert "'speed' is borrowed in a circle: two → one → two" in refused(two)


def test_borrowing_from_a_borrower_names_who_has_it(tmp_path: Path) -> None:
    write(tmp_path, "lender", "speed")
    write(tmp_path, "middle", "{from: lender, study: speed}")
    last = write(tmp_path, "last", "{from: middle, study: speed}")
    said = refused(last)
    assert "middle borrows 'speed' itself" in said and "write from: lender" in said


NAMES = """\
published:
  study: theirs
  configurations: {a: old, b: new}
  rows:
    P001: {test: b, workloads: RR*}
"""


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("study: theirs", "study: their", "9: no row of data/published.csv is of"),
        ("{a: old,", "{c: old,", "10: 'c' is no configuration of this study"),
        ("P001", "P002", "12: data/published.csv has no row 'P002'"),
        ("test: b", "test: bb", "12: 'bb' is no configuration of this study"),
        ("RR*", "CRR*", "12: 'CRR*' is no workload of this study"),
    ],
)
def test_names_of_published_rows_that_nothing_has(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    folder = write(tmp_path, "one", "s")
    study, edition = folder / "studies/s/study.yaml", read_edition(folder)
    row = Published.model_construct(id="P001", study="theirs")
    issues = []
    for text in (NAMES, NAMES.replace(old, new)):
        study.write_text(STUDY + text, encoding="utf-8")
        own = read_studies(folder, edition)
        issues.append(check_published_names(folder, edition, own, [row]))
    assert issues[0] == []
    (issue,) = issues[1]
    assert f"study.yaml:{told}" in str(issue)
