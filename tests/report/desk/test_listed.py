"""The pages of reviews and of history in a browser: asked again, undone."""

from __future__ import annotations

import pytest

from tests.report.browser import CHROMIUM
from tests.report.desk.conftest import Office, Visit
from tests.report.desk.test_journey import REVIEWER
from tests.report.desk.test_saving import OBSERVATIONS, edit, opened
from tests.report.desk.test_standing import declare

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium"),
    pytest.mark.xdist_group("desk-browser"),
]
BUTTON = "document.querySelector('.several-approve')"
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


@pytest.mark.parametrize("width", [390, 1440])
def test_several_are_approved_at_once_and_what_is_refused_is_listed(
    office: Office, visit: Visit, width: int
) -> None:
    declare(office, REVIEWER)
    office.client.sit()
    part = opened(office.client)
    said = edit(part, f"{part['words']} So.")
    assert office.client.post("e/small/suggest", **said)[0] == 200
    page = visit("e/small/review", width)
    assert page.ask(f"{BUTTON}.disabled")
    page.click(".several .all")
    page.until(f"{BUTTON}.textContent === 'Approve 2 selected'")
    page.click(".several-approve")
    told = "(document.querySelector('.several [role=status]')?.textContent ?? '')"
    page.until(f"{told} === 'Approved: 1 of 2.'")
    listed = "[...document.querySelectorAll('.several li')].map(li => li.innerText)"
    [line] = page.ask(listed)
    assert "1 suggestion waits" in line
    assert page.ask("document.querySelector('.several li a').hash") == "#review-speed"
    assert not (office.texts / "studies/speed/review.yaml").exists()
    assert page.ask("document.documentElement.scrollWidth <= innerWidth")
    page.until(f"{BUTTON}.textContent === 'Approve 1 selected all the same'")
    page.click(".several-approve")
    page.until(f"{told} === 'Approved: 1 of 1.'")
    assert (office.texts / "studies/speed/review.yaml").exists()
    for box in ("li:nth-child(1) .pick", "li:nth-child(2) .pick", ".several summary"):
        page.click(box)
    page.click(".several textarea")
    page.write("Shorter, please.")
    page.click(".several-back")
    page.until(f"{told} === 'Sent back: 2 of 2.'")
    assert page.ask("document.querySelectorAll('.desk-rows > li .found').length") == 2


def test_a_save_is_undone_with_one_click(office: Office, visit: Visit) -> None:
    office.client.sit()
    path = office.texts / OBSERVATIONS
    before, part = path.read_text(), opened(office.client)
    said = edit(part, f"{part['words']} So.")
    assert office.client.post("e/small/save", **said)[0] == 200
    page = visit("e/small/history", 390)
    page.click("button.undo")
    page.until(f"{STATUS}.startsWith('Undone.')")
    assert path.read_text() == before
    width = page.ask("document.documentElement.scrollWidth")
    assert width <= 390
