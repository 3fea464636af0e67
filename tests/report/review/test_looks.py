"""An approval covers how pages look: what changes that is told, and approved once."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from analysis import cli
from analysis.errors import UserError
from analysis.report.builds.check import check_edition
from analysis.report.builds.provenance import MadeBy, provenance_text
from analysis.report.document.compose import banner
from analysis.report.material import Sources
from analysis.report.review.record import read_record
from analysis.report.review.snapshot import page_look
from analysis.report.review.state import LOOK, Review, Reviews, reviews
from analysis.report.review.verb import approve, status_line
from tests.report.conftest import ROOT
from tests.report.review.test_review import DAY, checked_of

HIDDEN = {
    "house.css": ".value { display: none }",
    "page.js": "document.body.textContent = 'All is well'",
    "study.qmd.j2": "Nobody measured this.",
    "_extensions/netperf/house.lua": "-- other words",
    "slides/deck.css": ".value::before { content: 'not' }",
}
LATER = DAY.replace(day=9)


@pytest.fixture
def approved(project: Sources, tmp_path: Path) -> Sources:
    """A project with templates of its own, whose only study Ann approved."""
    own = shutil.copytree(ROOT / "templates", tmp_path / "templates")
    project = replace(project, templates=own)
    approve(checked_of(project), "speed", "Ann Author", DAY)
    return project


def change(project: Sources, name: str = "house.css") -> None:
    path = project.templates / name
    path.write_text(f"{path.read_text('utf-8')}\n{HIDDEN[name]}\n", encoding="utf-8")


def declare(project: Sources, text: str) -> None:
    path = project.report / "small/edition.yaml"
    path.write_text(path.read_text("utf-8") + text, encoding="utf-8")


def states_of(project: Sources) -> Reviews:
    return reviews(checked_of(project))


def look_of(project: Sources) -> Review:
    found = states_of(project).look
    assert found is not None
    return found


def found_by_checks(project: Sources) -> list[tuple[str, str]]:
    found = check_edition("small", project).findings
    return [(f.severity, f.issue.what) for f in found if f.check == "review"]


@pytest.mark.parametrize("name", HIDDEN)
def test_whatever_gives_a_page_words_or_hides_them_is_named(
    approved: Sources, name: str
) -> None:
    assert states_of(approved).look is None
    change(approved, name)
    assert look_of(approved).moved == (f"templates/{name} changed",)


def test_templates_that_came_or_went_are_named(
    approved: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = approved.templates.resolve()
    monkeypatch.setattr("analysis.files.templates.TEMPLATES", program)
    (approved.templates / "new.css").write_text("p { opacity: 0 }")
    (approved.templates / "cite.js").unlink()
    assert set(look_of(approved).moved) == {
        "templates/new.css is new", "templates/cite.js is gone",
    }  # fmt: skip


def test_a_brand_and_its_logo_wait_for_a_look_and_nothing_else(
    approved: Sources,
) -> None:
    (approved.templates / "_brand.yml").write_text("logo: logo.svg\n")
    (approved.templates / "logo.svg").write_text("<svg/>")
    states = states_of(approved)
    assert states.studies["speed"].state == "approved"
    assert set(look_of(approved).moved) == {
        "templates/_brand.yml is new", "templates/logo.svg is new",
    }  # fmt: skip
    approve(checked_of(approved), LOOK, "Bo Editor", LATER)
    (approved.templates / "logo.svg").write_text("<svg> </svg>")
    assert look_of(approved).moved == ("templates/logo.svg changed",)


@pytest.mark.parametrize("name", ["desk/desk.css", "new/preface.md.j2", "preview.js"])
def test_what_no_reader_meets_is_no_part_of_it(approved: Sources, name: str) -> None:
    before = page_look(approved.templates)
    (approved.templates / name).write_text("another")
    assert page_look(approved.templates) == before


def test_the_approvals_stand_and_one_more_is_needed(approved: Sources) -> None:
    change(approved)
    states = states_of(approved)
    assert states.studies["speed"].state == "approved"
    assert states.look is not None and states.look.state == "stale"
    assert status_line(states.look).startswith("the look of the pages: stale, approved")
    path = approve(checked_of(approved), LOOK, "Bo Editor", LATER)
    assert path == approved.report / "small/looks.yaml"
    assert look_of(approved).state == "approved"
    record = read_record(approved.report / "small/studies/speed")
    assert record is not None and record.by == "Ann Author"
    change(approved, "page.js")
    assert look_of(approved).moved == ("templates/page.js changed",)


def test_who_approves_the_study_again_approved_its_look(approved: Sources) -> None:
    change(approved)
    approve(checked_of(approved), "speed", "Ann Author", LATER)
    assert states_of(approved).look is None


def test_another_who_approves_takes_no_approval_away(approved: Sources) -> None:
    declare(approved, "review: {signatures: 2}\n")
    change(approved)
    approve(checked_of(approved), "speed", "Bo Editor", LATER)
    states = states_of(approved)
    assert [one.approval.by for one in states.studies["speed"].trust] == [
        "Ann Author", "Bo Editor",
    ]  # fmt: skip
    assert states.look is not None and states.look.state == "stale"


def test_a_look_that_never_changed_needs_no_approval(approved: Sources) -> None:
    with pytest.raises(UserError, match="did not change since they were approved"):
        approve(checked_of(approved), LOOK, "Ann Author", DAY)


@pytest.mark.parametrize(
    ("status", "severity"), [("draft", "warning"), ("final", "error")]
)
def test_the_checks_tell_it(approved: Sources, status: str, severity: str) -> None:
    declare(approved, f"status: {status}\n")
    assert found_by_checks(approved) == []
    change(approved)
    what = (
        "the approval of the look of the pages is stale:\n  templates/house.css changed"
    )
    assert found_by_checks(approved) == [(severity, what)]
    approve(checked_of(approved), LOOK, "Ann Author", LATER)
    assert found_by_checks(approved) == []


def test_only_a_reviewer_can_approve_it(approved: Sources) -> None:
    declare(approved, "reviewers: [{name: Ann Author, email: ann@example.org}]\n")
    approve(checked_of(approved), None, "Ann Author", DAY)
    change(approved)
    approve(checked_of(approved), LOOK, "Anybody", LATER)
    [(_, what)] = found_by_checks(approved)
    assert what.startswith("the look of the pages: Anybody is unverified: not among")


@pytest.mark.parametrize("status", ["draft", "final"])
def test_every_page_says_it_at_the_top(approved: Sources, status: str) -> None:
    declare(approved, f"status: {status}\n")
    for name in ("house.css", "page.js"):
        change(approved, name)
    checked = checked_of(approved)
    said = "The look of these pages changed after they were approved (templates/house"
    told = banner(checked.material, reviews(checked))
    assert f"{said}.css changed; 1 more)." in told
    approve(checked, LOOK, "Ann Author", LATER)
    assert "look" not in banner(checked.material, reviews(checked))


def test_an_approval_of_a_version_without_looks_stands_but_for_the_look(
    approved: Sources,
) -> None:
    path = approved.report / "small/studies/speed/review.yaml"
    stamp = states_of(approved).studies["speed"].now.stamp.rpartition("-")[0]
    path.write_text(f"by: Ann Author\ndate: 2026-03-05\nstamp: {stamp}\n")
    states = states_of(approved)
    assert states.studies["speed"].state == "approved"
    assert states.look is not None and states.look.moved == (
        "the approval does not say with which templates the pages were made",
    )
    approve(checked_of(approved), LOOK, "Ann Author", LATER)
    assert look_of(approved).state == "approved"


def test_a_record_that_was_edited_is_refused(approved: Sources) -> None:
    change(approved)
    path = approve(checked_of(approved), LOOK, "Bo Editor", LATER)
    path.write_text(path.read_text().replace("Bo Editor", "Ann Author"))
    with pytest.raises(UserError, match=r"(?s)looks\.yaml:\d+: who approved.*--look"):
        states_of(approved)


def test_a_build_keeps_what_it_looks_like_for_who_publishes(approved: Sources) -> None:
    change(approved)
    checked = checked_of(approved)
    made = provenance_text(checked, reviews(checked), [], {}, MadeBy())
    assert '"look": {\n  "state": "stale"' in made
    digest = page_look(approved.templates)["templates/house.css"]
    assert f'"templates/house.css": "{digest}"' in made


def test_the_verb_approves_it(
    approved: Sources,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    approved.figures.rename(approved.figures.with_name("small"))
    options = ["--facts", str(approved.facts), "--report", str(approved.report)]
    options += ["--figures", str(approved.figures.parent)]
    change(approved)
    (approved.facts.parent / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(approved.facts.parent)
    assert cli.main(["review", "status", "small", *options]) == 1
    assert "small/the look of the pages: stale" in capsys.readouterr().out
    assert cli.main(["review", "show", "small", "--look", *options]) == 0
    assert "templates/house.css changed" in capsys.readouterr().out
    person = ["--by", "Ann Author", "--on", "2026-03-09"]
    assert cli.main(["review", "approve", "small", "--look", *person, *options]) == 0
    assert cli.main(["review", "status", "small", *options]) == 0
    capsys.readouterr()
    assert cli.main(["review", "approve", "speed", "--look", *person, *options]) == 2
    assert "--look: 'speed' is no edition" in capsys.readouterr().err
