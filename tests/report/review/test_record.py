"""A record of a review: edited, damaged, written by two at once."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from analysis import cli
from analysis.errors import UserError
from analysis.report.checks.claims import Checked, check_texts
from analysis.report.material import Sources, read_material
from analysis.report.review import record as record_module
from analysis.report.review import verb
from analysis.report.review.record import Approval, read_record, record_text
from analysis.report.review.snapshot import Snapshot
from analysis.report.review.state import Review, review
from analysis.report.review.verb import approve

DAY = dt.date(2026, 3, 5)
RECORD = "studies/speed/review.yaml"
OBSERVATIONS = "studies/speed/observations.md"
WriteText = Callable[[str, str], Path]
Change = Callable[[str], str]


def checked_of(project: Sources) -> Checked:
    return check_texts(read_material("small", project))


def state_of(project: Sources) -> Review:
    return review(checked_of(project), "speed")


@pytest.fixture
def record(project: Sources) -> Path:
    return approve(checked_of(project), "speed", "Ann Author", DAY)


def edited(path: Path, change: Change) -> int:
    """Edits a record; gives the number of the first line that is another one."""
    before = path.read_text(encoding="utf-8")
    after = change(before)
    assert after != before
    path.write_text(after, encoding="utf-8")
    pairs = zip(before.splitlines(), after.splitlines(), strict=False)
    return next(at for at, (a, b) in enumerate(pairs, 1) if a != b)


def with_line(start: str, other: str) -> Change:
    def change(text: str) -> str:
        lines = text.splitlines(keepends=True)
        return "".join(
            f"{other}\n" if line.startswith(start) else line for line in lines
        )

    return change


@pytest.mark.parametrize(
    ("change", "entry", "what"),
    [
        (with_line("by:", "by: Bo"), "sum:", "do not fit their checksum"),
        (with_line("date:", "date: 2026-03-04"), "sum:", "do not fit their checksum"),
        (with_line("date:", "date: 2999-03-04"), "date:", "a day to come: 2999-03-04"),
        (with_line("stamp:", "stamp: " + "-".join(["0" * 8] * 6)), "seen:", "stamp"),
        (with_line("    latency", "    latency: 9%"), "", ""),
        (lambda text: text.replace("−37%", "−36%"), "seen:", "does not fit its stamp"),
        (with_line("sum:", ""), "by:", "do not fit their checksum"),
        (with_line("by:", "<<<<<<< HEAD"), "date:", "not valid YAML"),
        (with_line("stamp:", "stamp: 12"), "stamp:", "stamp"),
        (lambda text: text[: len(text) // 2], "", ""),
        (with_line("by:", "by: [Ann]"), "by:", "by"),
    ],
)  # fmt: skip
def test_an_edited_record_is_told_with_its_line(
    project: Sources, record: Path, change: Change, entry: str, what: str
) -> None:
    if not what and not entry:
        record.write_text(record.read_text("utf-8")[:300], encoding="utf-8")
    else:
        edited(record, change)
    damaged = record.read_bytes()
    with pytest.raises(UserError) as caught:
        state_of(project)
    [issue, *_] = caught.value.issues
    assert issue.where is not None and issue.where.file == str(record)
    assert issue.where.line is not None
    if entry:
        line = record.read_text("utf-8").splitlines()[issue.where.line - 1]
        assert line.startswith(entry)
        assert what in issue.what
    assert "'python -m analysis review approve speed'" in issue.mend
    with pytest.raises(UserError):
        approve(checked_of(project), "speed", "Bo", DAY)
    assert record.read_bytes() == damaged  # nothing is lost


def test_a_comment_is_no_edit(project: Sources, record: Path) -> None:
    record.write_text(record.read_text("utf-8") + "# read on a train\n", "utf-8")
    assert state_of(project).state == "approved"


def test_who_approves_the_same_stands_beside_who_did_before(project: Sources) -> None:
    for by in ("Ann Author", "Bo", "Ann Author"):
        path = approve(checked_of(project), "speed", by, DAY)
    found = read_record(path.parent)
    assert found is not None
    assert [one.by for one in found.approvals] == ["Bo", "Ann Author"]
    assert state_of(project).state == "approved"


def test_two_reviewers_at_once_are_both_kept(project: Sources) -> None:
    checked, names = checked_of(project), [f"Reviewer {n}" for n in range(8)]
    threads = [
        threading.Thread(target=approve, args=(checked, "speed", name, DAY))
        for name in names
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = read_record(project.report / "small/studies/speed")
    assert found is not None
    assert sorted(one.by for one in found.approvals) == names


def test_an_approval_that_came_meanwhile_is_not_overwritten(
    project: Sources, write_text: WriteText, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = checked_of(project)
    found = review(mine, "speed")
    write_text(OBSERVATIONS, "Nothing is printed here.\n")
    path = approve(checked_of(project), "speed", "Bo", DAY)
    before = path.read_bytes()
    monkeypatch.setattr(verb, "review", lambda *_: found)
    with pytest.raises(UserError, match="Bo approved study speed meanwhile"):
        approve(mine, "speed", "Ann Author", DAY)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("hour", "day", "well"),
    [(9, 5, True), (9, 6, False), (10, 6, True), (10, 7, False)],
)
def test_an_approval_may_be_of_the_day_that_it_is_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hour: int, day: int, well: bool
) -> None:
    """Kiribati is 14 hours ahead: at 10:00 UTC it is the next day there."""
    now = dt.datetime(2026, 3, 5, hour, tzinfo=dt.UTC)
    clock = SimpleNamespace(now=lambda zone: now.astimezone(zone))
    module = SimpleNamespace(datetime=clock, UTC=dt.UTC, timedelta=dt.timedelta)
    monkeypatch.setattr(record_module, "dt", module)
    lines = f"by: Ann\ndate: 2026-03-{day:02}\nstamp: {'-'.join(['0' * 8] * 6)}\n"
    (tmp_path / "review.yaml").write_text(lines)
    if well:
        assert read_record(tmp_path)
    else:
        with pytest.raises(UserError, match=rf":2: .* day to come: 2026-03-0{day}"):
            read_record(tmp_path)


@pytest.mark.parametrize(
    ("stamp", "mend"),
    [("12", "write a text; "), ("[", "see this line")],
)
def test_a_mistake_says_how_it_is_mended_and_the_way_back(
    tmp_path: Path, stamp: str, mend: str
) -> None:
    (tmp_path / "review.yaml").write_text(f"by: Ann\nstamp: {stamp}\n")
    with pytest.raises(UserError) as caught:
        read_record(tmp_path)
    mends = [issue.mend for issue in caught.value.issues]
    assert any(one.startswith(mend) for one in mends), mends
    assert all("take the file back from version control" in one for one in mends)


def test_a_checksum_has_sixteen_digits(tmp_path: Path) -> None:
    """The first of the hash of who, when and what, as JSON has them."""
    stamp = Snapshot().stamp
    two = tuple(Approval(by=by, date=DAY) for by in ("Ann", "Bö"))
    text = record_text(two, stamp, Snapshot())
    told = f'[[["Ann", "2026-03-05"], ["Bö", "2026-03-05"]], "{stamp}"]'
    assert f"\nsum: {hashlib.sha256(told.encode()).hexdigest()[:16]}\n" in text


def test_an_entry_of_any_length_stays_on_its_line(tmp_path: Path) -> None:
    long = Snapshot(text={"a": "word " * 3900 + "end"})
    path = tmp_path / "review.yaml"
    path.write_text(record_text((Approval(by="Ann", date=DAY),), long.stamp, long))
    [line] = [x for x in path.read_text("utf-8").splitlines() if "word" in x]
    assert line.endswith("end")
    found = read_record(tmp_path)
    assert found and found.details() == long


@pytest.mark.parametrize("by", ["", " ", "Ann\nBo", "x" * 201])
def test_a_name_that_is_none_is_refused(
    project: Sources, capsys: pytest.CaptureFixture[str], by: str
) -> None:
    with pytest.raises(
        UserError, match=rf"--by: {re.escape(repr(by[:40]))} is no name"
    ):
        approve(checked_of(project), "speed", by, DAY)
    assert not list(project.report.rglob("review.yaml"))
    assert capsys.readouterr().out == ""


def test_a_damaged_record_ends_the_verb_with_two(
    project: Sources, record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edited(record, with_line("by:", "by: Bo"))
    project.figures.rename(project.figures.with_name("small"))
    options = ["--facts", str(project.facts), "--report", str(project.report)]
    options += ["--figures", str(project.figures.parent)]
    assert cli.main(["review", "status", *options]) == 2
    said = capsys.readouterr().err
    assert f"{record}:" in said and "Traceback" not in said


def test_a_folder_is_no_approval(tmp_path: Path) -> None:
    (tmp_path / "review.yaml").mkdir()
    with pytest.raises(UserError, match=r"review\.yaml: this is a folder"):
        read_record(tmp_path)
