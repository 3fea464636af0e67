"""Where keys lead after each thing that is done, and what a lost answer leaves."""

from __future__ import annotations

import pytest

from tests.report.browser import CHROMIUM
from tests.report.desk.conftest import Office
from tests.report.desk.test_browser import AREA, FIND, SAID, begin
from tests.report.desk.test_commenting import say, threads
from tests.report.desk.test_journey import button, one, press
from tests.report.desk.test_saving import OBSERVATIONS
from tests.report.desk.test_suggesting import suggest
from tests.report.devtools import Page

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium"),
    pytest.mark.xdist_group("desk-browser"),
]
PLACE = {"text": OBSERVATIONS, "number": 0}
AT = "document.activeElement"


def test_who_accepted_is_at_the_part(office: Office, page: Page) -> None:
    assert suggest(office)[0] == 200
    press(page, button("Accept"))
    page.until(f"{SAID}.startsWith('Accepted')")
    page.until(f"{AT} === {FIND}.querySelector('.desk-edit')")


def test_who_resolved_is_at_what_stands_there_now(office: Office, page: Page) -> None:
    assert say(office, words="Is it?", about="speed", **PLACE) == 200
    page.until("document.querySelector('.desk-count')")
    press(page, one(".desk-count"))
    press(page, button("Resolve"))
    page.until("!document.querySelector('.desk-talk section')")
    page.until(f"{AT}.closest('.desk-remark')")


def test_who_approved_is_at_the_row_and_is_told(office: Office, page: Page) -> None:
    page.go(f"{office.client.address}e/small/review")
    press(page, one("li[data-id=speed] button.approve"))
    page.until(
        "document.querySelector('#status')?.textContent.startsWith('Approved: ')"
    )
    page.until(f"{AT}.id === 'review-speed'")
    page.ask("document.querySelector('.back textarea').value = '  '")
    page.ask("document.querySelector('.back form').requestSubmit()")
    page.until(
        "document.querySelector('#status').textContent.includes('nothing is said')"
    )
    assert not threads(office)["threads"]


def test_each_edit_says_of_what_it_is(page: Page) -> None:
    named = page.ask(
        "[...document.querySelectorAll('.desk-edit')].map(b => b.ariaLabel)"
    )
    assert "Edit: Latency falls by 37% (Figure 1)." in named
    assert "Edit: 3 New against old" in named
    assert len(set(named)) == len(named)


def test_a_save_whose_answer_was_lost_is_a_save(office: Office, page: Page) -> None:
    begin(page)
    page.write(" Once more.")
    page.ask("window.real = fetch; window.lost = 0;"
             "window.fetch = async (path, ...all) => {"
             " const answer = await real(path, ...all);"
             " if (path === 'save' && !lost++) throw new TypeError('lost');"
             " return answer; }")  # fmt: skip
    page.click(".desk-main")
    page.until("document.querySelector('.desk-findings').textContent.includes('kept')")
    page.click(".desk-main")
    page.until(f"{SAID}.startsWith('Saved')")
    assert not page.ask("Boolean(document.querySelector('.desk-theirs'))")
    assert (office.texts / OBSERVATIONS).read_text().count("Once more.") == 1


def test_an_inserted_value_is_taken_back_by_the_browser_s_undo(page: Page) -> None:
    begin(page)
    page.write(" It falls by 37%.")
    before = page.ask(f"{AREA}.value")
    page.until("document.querySelector('.desk-fix')")
    press(page, one(".desk-fix"))
    page.until(
        f"{AREA}.value.endsWith('{{37%}}.')".replace("{{", "{").replace("}}", "}")
    )
    page.ask("document.execCommand('undo')")
    assert page.ask(f"{AREA}.value") == before


def test_a_value_that_is_copied_goes_with_its_words(office: Office, page: Page) -> None:
    text = office.texts / OBSERVATIONS
    text.write_text(f"{text.read_text()}\nAnother one [goes on]{{.unchecked}}.\n")
    office.desk.lives["small"].update()
    page.go(f"{office.client.address}e/small/")
    page.until("document.querySelector('.desk-figure')")
    begin(page)
    page.ask(f"{AREA}.select(); document.execCommand('copy')")
    copied = page.ask(f"{AREA}.value")
    page.press("Escape")
    page.ask("document.querySelectorAll('.part[data-text$=\"observations.md\"]')[1]"
             ".querySelector('.desk-edit').click()")  # fmt: skip
    page.until(f"{AREA}?.value.startsWith('Another')")
    page.ask(f"{AREA}.setSelectionRange(0, 0);"
             "const clipboardData = new DataTransfer();"
             f"clipboardData.setData('text/plain', {copied!r});"
             "const paste = { clipboardData, cancelable: true };"
             f"{AREA}.dispatchEvent(new ClipboardEvent('paste', paste))")  # fmt: skip
    if not page.ask(f"{AREA}.value.includes('Latency')"):
        page.write(copied)
    page.click(".desk-main")
    page.until(f"{SAID}.startsWith('Saved')")
    assert text.read_text().count('{{ moves("latency", "RR1(1kB)") }}') == 2


@pytest.mark.parametrize("closed", [False, True])
def test_words_of_a_title_that_nobody_saved_are_not_put_away(
    office: Office, page: Page, closed: bool
) -> None:
    press(page, one("h1 .desk-edit"))
    page.until("document.querySelector('.desk-declared input')")
    page.write("Newer")
    page.press("Escape")
    page.until(
        "document.querySelector('.desk-declared').textContent.includes('not saved')"
    )
    if not closed:
        press(page, button("Cancel"))
        page.until("!document.querySelector('.desk-declared')")
        assert page.ask("document.querySelector('.desk-rest').hidden")
        page.until(f"{AT} === document.querySelector('h1 .desk-edit')")
        return
    page.ask("sessionStorage.clear()")  # as of a browser that was closed
    page.go(f"{office.client.address}e/small/")
    page.until("document.querySelector('.desk-rest:not([hidden])')")
    page.click(".desk-rest")
    page.until(
        "document.querySelector('.desk-declared input')?.value.includes('Newer')"
    )


HELD_TITLE = """window.real = fetch; window.fetch = async (path, ...all) => {
  if (path === "save") await new Promise(go => { window.free = go; });
  return real(path, ...all);
}; 1"""
TITLE = "String(document.querySelector('h1')?.textContent)"  # of a page that loads


@pytest.mark.parametrize("refused", [False, True])
def test_a_title_is_shown_at_once_and_taken_back_where_it_is_refused(
    office: Office, page: Page, refused: bool
) -> None:
    press(page, one("h1 .desk-edit"))
    page.until("document.querySelector('.desk-declared input')")
    before = page.ask(TITLE)
    new = "T" * 101 if refused else "Newer $& words"
    page.ask(f"document.querySelector('.desk-declared input').value = '{new}'")
    page.ask(HELD_TITLE)
    page.click(".desk-declared .desk-main")
    page.until(f"window.free && {TITLE}.includes('{new}')")
    page.ask("free()")
    if refused:
        page.until("document.querySelector('.desk-declared .found.error')")
        assert page.ask(TITLE) == before
        return
    page.until(f"{SAID}.startsWith('Saved: ') && {TITLE}.includes('{new}')")


HELD = """window.real = fetch; window.free = {};
window.fetch = async (path, ...all) => {
  const answer = await real(path, ...all);
  if (["suggest", "decide"].includes(path))
    await new Promise(go => { free[path] = go; });
  return answer;
}"""
BUSY = "'busy' in document.documentElement.dataset"


def test_no_answer_is_lost_to_a_page_that_is_loaded_anew(page: Page) -> None:
    begin(page)
    page.write(" [Newer.]{.unchecked}")
    page.ask(f"{HELD}; 1")
    press(page, button("Suggest"))
    page.until("document.querySelector('.desk-suggestion ins') && window.free.suggest")
    press(page, button("Accept"))
    page.until("window.free.decide")
    page.ask("free.suggest()")
    page.until(f"{SAID} === 'Suggested.'")
    assert page.ask(BUSY)
    page.ask("free.decide()")
    page.until(f"!({BUSY}) && {SAID}.startsWith('Accepted')")
