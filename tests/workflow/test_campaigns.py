"""A campaign or an edition that cannot be read stops no other edition: which jobs go on
where some fail is Snakemake's to decide, so each test builds."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workflow.projects import (
    BUILD,
    DECLARED,
    EDITION,
    OWN,
    STUDY,
    Project,
    copy_built,
    end,
)

# One worker builds the project, once, for all of these.
pytestmark = pytest.mark.xdist_group("campaigns")

BROKEN = "2026"  # no number, though the name of a folder
CANNOT = f"error: {EDITION} is not built: the reason is above"


@pytest.fixture(scope="module")
def built_two(
    built_stand_in: Project, tmp_path_factory: pytest.TempPathFactory
) -> Project:
    """An edition on a campaign, another one on another, and a third on none; built
    once, to be copied."""
    done = copy_built(built_stand_in, tmp_path_factory.mktemp("two") / "project")
    raw, report = done / "raw", done / "report"
    shutil.copytree(raw / "lab", raw / BROKEN)
    study = report / EDITION / "studies/offload/study.yaml"
    study.write_text(STUDY.replace("lab", f'"{BROKEN}"'))
    for name, text in {
        "second/edition.yaml": OWN,
        "second/studies/offload/study.yaml": STUDY,
        "second/studies/offload/observations.md": "All is well.\n",
        "third/edition.yaml": DECLARED,
    }.items():
        (report / name).parent.mkdir(parents=True, exist_ok=True)
        (report / name).write_text(text)
    code, said, _ = done.build()
    assert code == 0, said
    return done


@pytest.fixture
def two(built_two: Project, tmp_path: Path) -> Iterator[Project]:
    """A copy of it."""
    project = copy_built(built_two, tmp_path / "project")
    yield project
    end(project)


def pages(project: Project, edition: str) -> dict[str, tuple[bytes, int]]:
    told = project.report()
    return {name: of for name, of in told.items() if name.startswith(f"{edition}/")}


def change(project: Project) -> None:
    """New bytes of both campaigns, and a new sentence of each edition."""
    for campaign in ("lab", BROKEN):
        (project / f"raw/{campaign}/run-1.txt").write_text("2\n")
    for edition in (EDITION, "second"):
        text = project / f"report/{edition}/studies/offload/observations.md"
        text.write_text("Another sentence.\n")


def break_reader(project: Project) -> None:
    (project / f"fail-ingest-{BROKEN}").touch()


def break_folder(project: Project) -> None:
    (project / f"raw/{BROKEN}/loop").symlink_to("loop")


@pytest.mark.parametrize("break_it", [break_reader, break_folder])
def test_what_rests_on_another_campaign_is_built(two: Project, break_it) -> None:
    before = pages(two, EDITION)
    change(two)
    break_it(two)
    code, said, _ = two.build()
    assert code == 2
    assert pages(two, EDITION) == before
    assert "Another" in (two / "report/build/second/index.html").read_text()
    assert (two / f"report/build/.begun/{EDITION}").exists()
    lines = said.splitlines()
    assert {"report/build/second/index.html", "report/build/third/index.html"} < {
        *lines
    }
    assert f"report/build/{EDITION}/index.html" not in lines
    assert CANNOT in lines
    assert BROKEN in said
    assert "Traceback" not in said


def test_it_is_told_until_it_is_mended(two: Project) -> None:
    change(two)
    break_reader(two)
    assert two.build()[0] == 2
    code, said, _ = two.build()
    assert code == 2
    assert CANNOT in said
    (two / f"fail-ingest-{BROKEN}").unlink()
    code, said, _ = two.build()
    assert code == 0, said
    assert "Another" in (two / f"report/build/{EDITION}/index.html").read_text()


def test_an_edition_that_is_asked_for_needs_its_own_campaigns_alone(
    two: Project,
) -> None:
    change(two)
    break_reader(two)
    code, said, _ = two.build(*BUILD, "--edition", "second")
    assert code == 0, said
    assert "Another" in (two / "report/build/second/index.html").read_text()
    code, said, _ = two.build(*BUILD, "--edition", EDITION)
    assert code == 2
    assert CANNOT in said


def test_an_unfinished_campaign_of_no_edition_is_left_out(two: Project) -> None:
    (two / f"report/{EDITION}/studies/offload/study.yaml").write_text(STUDY)
    change(two)
    break_reader(two)
    code, said, _ = two.build()
    assert code == 0, said
    assert f"raw/{BROKEN} is left out: no edition uses it" in said


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("edition.yaml", "title: [\n", "edition.yaml:"),
        ("studies/offload/study.yaml", "titel: A\n", "study.yaml:"),
    ],
)
def test_an_edition_that_cannot_be_read_stops_no_other(
    two: Project, file: str, text: str, told: str
) -> None:
    change(two)
    before = pages(two, "second")
    (two / "report/second" / file).write_text(text)
    code, said, _ = two.build()
    assert code == 2
    assert f"error: report/second/{file}:" in said
    assert "error: second is not built" in said
    assert pages(two, "second") == before
    assert "Another" in (two / f"report/build/{EDITION}/index.html").read_text()
    if file == "edition.yaml":
        assert two.build(*BUILD, "--edition", EDITION)[0] == 0
        assert two.build(*BUILD, "--edition", "second")[0] == 2


def test_a_text_that_will_not_do_stops_no_other_edition(two: Project) -> None:
    change(two)
    (two / f"fail-report-{EDITION}").touch()
    code, said, _ = two.build()
    assert code == 2
    assert CANNOT in said
    assert "Another" in (two / "report/build/second/index.html").read_text()
