"""The pages of reviews and of history in a browser: asked again, undone."""

from __future__ import annotations

import pytest

from tests.report.browser import CHROMIUM
from tests.report.desk.conftest import Office, Visit
from tests.report.desk.test_saving import OBSERVATIONS, edit, opened

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium"),
    pytest.mark.xdist_group("desk-browser"),
]
STATUS = "(document.getElementById('status')?.textContent ?? '')"


def test_approving_over_an_open_suggestion_takes_a_second_click(
    office: Office, visit: Visit
) -> None:
    office.client.sit()
    part = opened(office.client)
    said = edit(part, f"{part['words']} So.")
    assert office.client.post("e/small/suggest", **said)[0] == 200
    page = visit("e/small/review", 390)
    page.click("button.approve")
    page.until(f"{STATUS}.includes('1 suggestion waits')")
    record = office.texts / "studies/speed/review.yaml"
    assert not record.exists()
    assert page.ask("document.querySelector('.approve').textContent").startswith(
        "Approve all the same"
    )
    page.click("button.approve")
    page.until(f"{STATUS}.startsWith('Approved: ')")
    assert record.exists()


def test_a_save_is_undone_with_one_click(office: Office, visit: Visit) -> None:
    office.client.sit()
    path = office.texts / OBSERVATIONS
    before, part = path.read_text(), opened(office.client)
    said = edit(part, f"{part['words']} So.")
    assert office.client.post("e/small/save", **said)[0] == 200
    page = visit("e/small/history", 390)
    page.click("button.undo")
    page.until(f"{STATUS} === 'Undone.'")
    assert path.read_text() == before
    width = page.ask("document.documentElement.scrollWidth")
    assert width <= 390
