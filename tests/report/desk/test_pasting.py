"""What is typed and pasted: lists of Word, words from right to left, nothing at all."""

from __future__ import annotations

import pytest

from tests.report.browser import CHROMIUM
from tests.report.desk.conftest import Office, Visit
from tests.report.desk.test_browser import AREA, SAID, begin
from tests.report.desk.test_saving import OBSERVATIONS
from tests.report.devtools import Page

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium"),
    pytest.mark.xdist_group("desk-browser"),
]
WORD = "Two things:\\r\\n·\\tOne\\r\\no   Within\\r\\n–\\tDeeper\\r\\n·\\tTwo\\r\\nEnd."
LIST = "Two things:\n\n- One\n  - Within\n    - Deeper\n- Two\n\nEnd."
HEBREW = "ההשהיה יורדת ב־"
PASTE = """(words => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", words);
  document.activeElement.dispatchEvent(
    new ClipboardEvent("paste", { clipboardData, cancelable: true, bubbles: true }));
})("%s")"""


@pytest.fixture
def page(visit: Visit) -> Page:
    found = visit("e/small/", 1440)
    found.until("document.querySelector('.desk-figure')")
    begin(found)
    return found


def save(page: Page) -> None:
    page.ask("document.querySelector('.desk-main').click()")
    page.until(f"{SAID}.startsWith('Saved: ')")


def test_bullets_of_word_become_a_list(office: Office, page: Page) -> None:
    page.ask(f"{AREA}.select()")
    page.ask(PASTE % WORD)
    assert page.ask(f"{AREA}.value") == LIST
    page.ask("document.execCommand('undo')")
    assert page.ask(f"{AREA}.value").startswith("Latency ")
    page.ask(f"{AREA}.setSelectionRange(0, 7)")
    page.ask(PASTE % "·\\tOne\\n·\\tTwo")
    assert page.ask(f"{AREA}.value").startswith("- One\n- Two {falls by 37%}")
    save(page)
    page.until("[...document.querySelectorAll('main li')].some("
               "one => one.textContent.startsWith('Two falls by 37%'))")  # fmt: skip


def test_words_from_right_to_left_stand_as_they_were_typed(
    office: Office, page: Page
) -> None:
    page.ask(f"{AREA}.value = `{HEBREW}{{falls by 37%}}.`")
    page.ask(f"{AREA}.dispatchEvent(new Event('input'))")
    assert page.ask(f"getComputedStyle({AREA}).direction") == "rtl"
    save(page)
    text = (office.texts / OBSERVATIONS).read_text()
    assert text == f'{HEBREW}{{{{ moves("latency", "RR1(1kB)") }}}}.\n'
    page.until(f"document.querySelector('main').textContent.includes('{HEBREW}')")


def test_what_no_text_can_hold_is_not_pasted(page: Page) -> None:
    before = page.ask(f"{AREA}.value")
    page.ask(f"window.words = 'word '.repeat(400000); {PASTE}".replace('"%s"', "words"))
    page.until(f"{SAID}.startsWith('Not pasted: 2,000,000 characters')")
    assert page.ask(f"{AREA}.value") == before


def test_the_last_words_of_a_text_are_not_taken_away(
    office: Office, page: Page
) -> None:
    before = (office.texts / OBSERVATIONS).read_text()
    page.ask(f"{AREA}.select()")
    page.ask("document.execCommand('delete')")
    found = "document.querySelector('.desk-findings').textContent"
    page.until(f"{found}.includes('cannot be empty')")
    page.ask("document.querySelector('.desk-findings').replaceChildren()")
    page.ask("document.querySelector('.desk-main').click()")
    page.until(f"{found}.includes('cannot be empty')")
    assert (office.texts / OBSERVATIONS).read_text() == before
