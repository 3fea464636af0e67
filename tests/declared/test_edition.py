"""The declarations of an edition and its studies."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analysis.declared.checks import check_published_names
from analysis.declared.edition import (
    find_editions,
    read_edition,
    read_studies,
    study_folder,
    text_path,
)
from analysis.declared.published import Published
from analysis.errors import UserError

EDITION = """\
title: A report
authors: [Ann Author]
date: 2026-03-05
front: [{id: preface, title: Preface, file: front/preface.md}]
studies: [speed]
"""
STUDY = """\
title: New against old
question: How much faster?
campaigns: [lab]
baseline: old
tests: [new]
workloads: [RR1(1kB)]
figures:
  - {id: rr, kind: delta, metrics: [latency], question: Faster?}
"""


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "report" / "small"
    (folder / "studies" / "speed").mkdir(parents=True)
    (folder / "edition.yaml").write_text(EDITION)
    (folder / "studies" / "speed" / "study.yaml").write_text(STUDY)
    return folder


def test_an_edition_is_read_with_its_studies(folder):
    edition = read_edition(folder)
    studies = read_studies(folder, edition)
    assert edition.status == "draft"
    assert list(studies) == ["speed"]
    assert studies["speed"].noise.floor == 2.0


def test_studies_keep_the_edition_s_order(folder):
    (folder / "studies" / "again").mkdir()
    (folder / "studies" / "again" / "study.yaml").write_text(STUDY)
    text = EDITION.replace("[speed]", "[speed, again]")
    (folder / "edition.yaml").write_text(text)
    assert list(read_studies(folder, read_edition(folder))) == ["speed", "again"]


def test_each_baseline_comes_before_the_first_test_that_needs_it(folder):
    study = folder / "studies" / "speed" / "study.yaml"
    text = STUDY.replace("[new]", "[new, jumbo]\nbaselines: {jumbo: large}")
    study.write_text(text)
    (found,) = read_studies(folder, read_edition(folder)).values()
    assert found.configurations == ("old", "new", "large", "jumbo")
    assert found.baseline_of("new") == "old"
    assert found.baseline_of("jumbo") == "large"
    assert found.several_baselines


def test_loads_to_predict_are_declared(folder):
    study = folder / "studies" / "speed" / "study.yaml"
    (found,) = read_studies(folder, read_edition(folder)).values()
    assert found.estimate.workloads == ()
    study.write_text(STUDY + "estimate: {workloads: [RR2(1kB)]}\n")
    (found,) = read_studies(folder, read_edition(folder)).values()
    assert found.estimate.workloads == ("RR2(1kB)",)
    study.write_text(STUDY + "estimate: {allowed: true}\n")
    with pytest.raises(UserError, match="estimate → allowed: there is no such entry"):
        read_studies(folder, read_edition(folder))


def test_a_campaign_may_have_dots_in_its_name_and_no_path(folder):
    study = folder / "studies" / "speed" / "study.yaml"
    study.write_text(STUDY.replace("[lab]", "[zos-cs-3.2]"))
    (found,) = read_studies(folder, read_edition(folder)).values()
    assert found.campaigns == ("zos-cs-3.2",)
    study.write_text(STUDY.replace("[lab]", "[../lab]"))
    with pytest.raises(UserError):
        read_studies(folder, read_edition(folder))


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [("date: 2026-03-05", "date: soon", 3), ("[speed]", "[Speed Up]", 5)],
)
def test_a_mistake_in_an_edition_has_its_line(folder, old, new, line):
    (folder / "edition.yaml").write_text(EDITION.replace(old, new))
    with pytest.raises(UserError) as caught:
        read_edition(folder)
    assert caught.value.issues[0].where.line == line


@pytest.mark.parametrize("file", ["/etc/passwd.md", "../x.md", "front/../../x.md", "x"])
def test_a_text_lies_in_its_edition(folder, file):
    text = EDITION.replace("front/preface.md", file)
    (folder / "edition.yaml").write_text(text)
    with pytest.raises(UserError, match="front → entry 1 → file"):
        read_edition(folder)


def test_a_mistake_in_a_study_has_its_file_and_line(folder):
    file = folder / "studies" / "speed" / "study.yaml"
    file.write_text(STUDY.replace("question: Faster?", "colour: red"))
    with pytest.raises(UserError, match="question: this entry is missing") as caught:
        read_studies(folder, read_edition(folder))
    assert {(i.where.file, i.where.line) for i in caught.value.issues} == {
        (str(file), 8)
    }


def test_editions_are_the_folders_with_a_declaration(folder):
    report = folder.parent
    (report / "build").mkdir()
    (report / "another").mkdir()
    (report / "another" / "edition.yaml").write_text(EDITION)
    assert find_editions(report) == ["another", "small"]


@pytest.mark.parametrize(
    "file", ["../references.bib", "/etc/passwd", "a/b.bib", ".bib"]
)
def test_references_lie_in_the_edition(folder, file):
    (folder / "edition.yaml").write_text(f"{EDITION}references: {file}\n")
    with pytest.raises(UserError, match=r"edition.yaml:6: references: .* will not do"):
        read_edition(folder)


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("word " * 20 + "more", "this text is too long"),
        ("w" * 41, "will not do here"),
        ("' '", "will not do here"),
    ],
)
def test_a_title_has_room_in_contents_and_heads_of_pages(folder, title, said):
    text = re.sub("^title: .*$", f"title: {title}", EDITION, flags=re.MULTILINE)
    assert text != EDITION
    (folder / "edition.yaml").write_text(text)
    with pytest.raises(UserError, match=rf"edition.yaml:1: title: .*{said}"):
        read_edition(folder)


def test_a_study_is_named_once(folder):
    twice = EDITION.replace("[speed]", "[speed, {id: g, title: G, studies: [speed]}]")
    (folder / "edition.yaml").write_text(twice)
    with pytest.raises(UserError, match=r"yaml:5: the study 'speed' is named 2 times"):
        read_edition(folder)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("tests: [new]", "tests: [new, new]", "the test new is named twice"),
        ("figures:", "noise: {floor: true}\nfigures:", "true is no number"),
        ("{id: rr,", "{id: rr, limit: 0,", "limit: 0 is too small"),
        (
            "{id: rr,",
            "{id: rr, rows: [workload],",
            "rr has workload in rows and in col",
        ),
        (
            "  - {id: rr,",
            "  - {id: rr, kind: value, metrics: [latency], question: A?}\n  - {id: rr,",
            "two figures have the id rr",
        ),
    ],
)
def test_what_a_study_compares_is_told_apart(folder, old, new, what):
    path = folder / "studies" / "speed" / "study.yaml"
    path.write_text(STUDY.replace(old, new))
    with pytest.raises(UserError, match=what):
        read_studies(folder, read_edition(folder))


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ("[RR1(1kB), RR1(1kB/1kB)]", "RR1(1kB) is named twice"),
        ("[RR1(lots)]", "'RR1(lots)' is not a workload name"),
    ],
)
def test_a_sequence_is_a_workload_that_is_named_once(folder, names, told):
    text = f"{EDITION}sequences: {names}\n"
    (folder / "edition.yaml").write_text(text)
    with pytest.raises(UserError, match=re.escape(told)) as error:
        read_edition(folder)
    assert "edition.yaml:6" in str(error.value)


REPORT = "title: A\nauthors: [Ann]\ndate: 2026-01-31\nfront: []\nstudies:\n"
QUESTION = """\
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
    (folder / "edition.yaml").write_text(REPORT + lines, encoding="utf-8")
    for study in (one for one in studies if not one.startswith("{")):
        (folder / "studies" / study).mkdir(parents=True)
        (folder / "studies" / study / "study.yaml").write_text(QUESTION)
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
        study.write_text(QUESTION + text, encoding="utf-8")
        own = read_studies(folder, edition)
        issues.append(check_published_names(folder, edition, own, [row]))
    assert issues[0] == []
    (issue,) = issues[1]
    assert f"study.yaml:{told}" in str(issue)


@pytest.mark.parametrize(("text", "named"), [(NAMES, "theirs"), ("", "s")])
def test_published_numbers_are_in_the_units_of_the_edition(
    tmp_path: Path, text: str, named: str
) -> None:
    folder = write(tmp_path, "one", "s")
    (folder / "studies/s/study.yaml").write_text(QUESTION + text, encoding="utf-8")
    edition = read_edition(folder)
    own = read_studies(folder, edition)
    row = Published.model_construct(
        id="P001", study=named, kind="value", metric="throughput"
    )
    assert check_published_names(folder, edition, own, [row]) == []
    other = edition.model_copy(update={"units": {"throughput": "Gbit/s"}})
    (issue,) = check_published_names(folder, other, own, [row])
    assert "not in the units that edition.yaml wants" in issue.what


def test_a_text_may_be_called_as_quarto_calls_it(tmp_path: Path) -> None:
    text = tmp_path / "observations.md"
    assert text_path(text) == text
    text.with_suffix(".qmd").touch()
    assert text_path(text) == text.with_suffix(".qmd")
    text.touch()
    assert text_path(text) == text
