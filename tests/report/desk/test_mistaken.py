"""An edition whose files break while it is open: pages say so, no word is lost."""

from __future__ import annotations

from analysis.report.desk.people import Person
from tests.report.desk.conftest import Office
from tests.report.desk.test_approving import approve
from tests.report.desk.test_saving import OBSERVATIONS
from tests.report.desk.test_standing import declare


def broken(office: Office) -> str:
    """Break the declaration, and return what it was."""
    path = office.texts / "edition.yaml"
    before = path.read_text()
    path.write_text(f"{before}front: [\n")
    return before


def test_a_page_that_cannot_be_made_leads_on(office: Office) -> None:
    office.client.get("e/small/")
    broken(office)
    office.desk.lives["small"].forget()
    status, told = office.client.get("e/small/comments")
    assert status == 422
    assert "edition.yaml:11: not valid YAML" in told and '<a href="./">Draft' in told
    assert office.client.get("e/small/history")[0] == 200  # Git has that


def test_no_edition_that_cannot_be_built_is_ready(office: Office) -> None:
    assert approve(office) == 200
    assert "is ready to be published" in office.client.get("e/small/review")[1]
    (office.texts / OBSERVATIONS).write_text("It {{ falls() }}.\n")
    office.desk.lives["small"].update()
    told = office.client.get("e/small/review")[1]
    assert "is ready to be published" not in told and "cannot be built" in told
    assert "observations.md:1:" in told


def test_approve_is_offered_to_who_has_not(office: Office) -> None:
    declare(office)
    assert approve(office) == 200
    offered = 'class="approve">Approve<span class="unseen">: New against old'
    for name, expected in (("Ann Author", False), ("Ann", True)):
        office.chair[0] = Person(name, "ann@example.org", "reviewer")
        assert (offered in office.client.get("e/small/review")[1]) == expected
