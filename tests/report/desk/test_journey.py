"""A reviewer's whole way in a real browser by keys alone, narrow and then wide.

A sentence is corrected, a number bound, a comment made, the study approved; then the
text changes and the approval lapses, is given again, and a suggestion is accepted.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.report.browser import CHROMIUM
from tests.report.desk.conftest import Office
from tests.report.desk.test_browser import AREA, begin
from tests.report.desk.test_saving import OBSERVATIONS, edit, git, opened
from tests.report.devtools import Browser, Page, browser

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="Chromium is not installed"),
    pytest.mark.xdist_group("desk-browser"),
]
KEY = "%s.focus()"
TOLD = "document.querySelector('.desk-said')?.textContent.startsWith('%s')"
FITS = "document.documentElement?.scrollWidth <= innerWidth"
INNER = "document.querySelector('main')?.textContent"


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Browser]:
    with browser(tmp_path / "profile") as found:
        yield found


def press(page: Page, element: str) -> None:
    """Reach an element as by Tab, and press Enter."""
    page.until(element)
    page.ask(KEY % element)
    page.press("Enter")


def one(selector: str) -> str:
    return f'document.querySelector("{selector}")'


def button(words: str) -> str:
    all = "[...document.querySelectorAll('button')]"
    return f"{all}.find(own => own.textContent === '{words}')"


def test_from_a_link_to_an_approval_and_back(office: Office, running: Browser) -> None:
    address = f"{office.client.address}e/small/"
    page = running.open(address, 390)
    page.until("document.querySelector('.desk-edit')")
    correct_and_bind(page)
    comment(page)
    approve(page, address)
    page.until(FITS)
    page.be(1440)
    office.client.sit()
    part = opened(office.client)
    assert (
        office.client.post(
            "e/small/save",
            **edit(part, part["words"].replace("Streams", "All streams")),
        )[0]
        == 200
    )
    page.go(f"{address}review")
    page.until(f"{INNER}?.includes('1 changed since the approval')")
    assert page.ask("document.querySelector('ins').textContent") == "All streams"
    approve(page, address)
    accept(page, office, address)
    page.until(FITS)


def correct_and_bind(page: Page) -> None:
    begin(page)
    page.write(" Streams move ")
    press(page, button("Insert a value"))
    page.write("throughput str3 size change")
    page.until("document.querySelectorAll('.desk-choices li').length === 1")
    page.press("Enter")
    page.until(f"document.activeElement === {AREA}")
    page.write(" more.")
    press(page, one(".desk-main"))
    page.until(TOLD % "Saved as ")
    page.until(f"{INNER}?.includes('Streams move 59% more.')")


def comment(page: Page) -> None:
    begin(page)
    press(page, one(".desk-ask summary"))
    page.ask(KEY % one(".desk-ask textarea"))
    page.write("Is this so?")
    press(page, one(".desk-ask button"))
    page.until("document.querySelector('.desk-count')")
    page.press("Escape")


def approve(page: Page, address: str) -> None:
    page.go(f"{address}review")
    press(page, one("li[data-id=speed] button.approve"))
    page.until(f"{INNER}?.includes('Approved by Ann Author')")
    page.until("!document.querySelector('li[data-id=speed] button.approve')")


def accept(page: Page, office: Office, address: str) -> None:
    page.go(address)
    page.until("document.querySelector('.desk-edit')")
    begin(page)
    page.write(" All of it was seen.")
    press(page, button("Suggest"))
    page.until("document.querySelector('.desk-suggestion ins')")
    assert "All of it was seen." not in (office.texts / OBSERVATIONS).read_text()
    press(page, button("Accept"))
    page.until(TOLD % "Accepted")
    assert "All of it was seen." in (office.texts / OBSERVATIONS).read_text()
    told = git(office.texts, "log", "-2", "--format=%s", "review/small").splitlines()
    assert told[0].endswith("accepted what Ann Author suggested")
