"""Keys lead to parts, studies and open points, and are listed."""

from __future__ import annotations

import pytest

from tests.report.browser import CHROMIUM
from tests.report.desk.conftest import Office
from tests.report.desk.test_browser import AREA, FIND
from tests.report.desk.test_commenting import say
from tests.report.desk.test_saving import OBSERVATIONS
from tests.report.devtools import Page

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium"),
    pytest.mark.xdist_group("desk-browser"),
]
AT = "document.activeElement"


def key(page: Page, letter: str) -> None:
    for kind in ("keyDown", "keyUp"):
        page.call("Input.dispatchKeyEvent", type=kind, key=letter, text=letter)


def test_letters_lead_to_parts_studies_and_open_points_and_back(
    office: Office, page: Page
) -> None:
    place = {"text": OBSERVATIONS, "number": 0}
    assert say(office, words="Is it?", about="speed", **place) == 200
    page.until("document.querySelector('.desk-count')")
    page.ask("window.parts = [...document.querySelectorAll('main .desk-edit')]")
    page.ask("parts[0].focus()")
    key(page, "j")
    page.until(f"{AT} === parts[1]")
    key(page, "k")
    page.until(f"{AT} === parts[0]")
    key(page, "o")
    page.until(f"{AT}.matches('.desk-count')")
    key(page, "a")
    page.until(f"{AT}.matches('h2[id]')")
    key(page, "s")
    page.until(f"{AT}.matches('h2[id]')")


def test_a_letter_that_is_written_leads_nowhere(page: Page) -> None:
    page.ask(f"{FIND}.querySelector('button').click()")
    page.until(f"{AT} === {AREA}")
    key(page, "j")
    page.until(f"{AREA}.value.includes('j')")
    assert page.ask(f"{AT} === {AREA}")


def test_two_tabs_lead_past_all_that_stands_before_the_observations(page: Page) -> None:
    skip = "[...document.querySelectorAll('a.skip')]"
    assert page.ask(f"{skip}.map(one => one.textContent)") == [
        "Skip to the text",
        "Skip to the first observation",
        "Skip to the first open point",
    ]
    page.press("Tab")
    page.press("Tab")
    page.until(f"{AT} === {skip}[1]")
    page.press("Enter")
    page.until(f"{AT} === {FIND}.querySelector('.desk-edit')")


def test_keys_are_listed_and_letters_can_be_put_off(page: Page) -> None:
    key(page, "?")
    page.until("document.querySelector('dialog.desk-keys[open]')")
    page.click("dialog.desk-keys input")
    page.press("Escape")
    page.until("!document.querySelector('dialog.desk-keys')")
    page.ask("document.querySelectorAll('main .desk-edit')[0].focus()")
    key(page, "j")
    assert page.ask(f"{AT} === document.querySelectorAll('main .desk-edit')[0]")
    page.ask("document.querySelector('.desk-keys-button').click()")
    page.until("document.querySelector('dialog.desk-keys[open]')")
