"""The desk in a real browser: keys alone, another person meanwhile, a lost server."""

from __future__ import annotations

import pytest
import yaml

from analysis.report.desk.people import Person
from tests.report.browser import CHROMIUM
from tests.report.desk.conftest import Office
from tests.report.desk.test_saving import OBSERVATIONS, edit, opened
from tests.report.devtools import Page

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium"),
    pytest.mark.xdist_group("desk-browser"),
]
FIND = f"[...document.querySelectorAll('.part[data-text=\"{OBSERVATIONS}\"]')][0]"
END = "(a => a.setSelectionRange(a.value.length, a.value.length))(%s)"
AREA = "document.querySelector('.desk-editor textarea')"
SAID = (
    "(document.querySelector('.desk-status')?.textContent ?? '')"  # a page comes anew
)


def begin(page: Page) -> None:
    """Open the part by keys: its button has the focus, as by Tab."""
    page.ask(f"{FIND}.querySelector('button').focus()")
    page.press("Enter")
    page.until(f"document.activeElement === {AREA}")
    page.ask(END % AREA)


def test_a_sentence_is_corrected_with_keys_alone(office: Office, page: Page) -> None:
    begin(page)
    assert page.ask(f"{AREA}.value") == "Latency {falls by 37%} (@fig-speed-rr)."
    page.write(" It falls by 37%.")
    page.until("document.querySelector('.desk-fix')")
    page.ask("document.querySelector('.desk-fix').focus()")
    page.press("Enter")
    page.until(f"{AREA}.value.endsWith('It falls by {{37%}}.')".replace("{{", "{")
               .replace("}}", "}"))  # fmt: skip
    page.ask("document.querySelector('.desk-main').focus()")
    page.press("Enter")
    page.until(f"{SAID}.startsWith('Saved: ')")
    assert (
        '{{ delta("latency", "RR1(1kB)") | size }}.'
        in (office.texts / OBSERVATIONS).read_text()
    )
    page.until("document.querySelector('main').textContent.includes('It falls by 37%')")
    page.until(f"document.activeElement === {FIND}.querySelector('button')")


def test_the_slower_of_two_sees_both_texts(office: Office, page: Page) -> None:
    begin(page)
    page.write(" Mine.")
    office.client.sit()
    theirs = edit(opened(office.client), "Theirs.")
    assert office.client.post("e/small/save", **theirs)[0] == 200
    page.until("document.querySelector('main').textContent.includes('Theirs.')")
    assert page.ask(f"{AREA}.value.endsWith(' Mine.')")
    page.click(".desk-main")
    page.until("document.querySelector('.desk-theirs')")
    assert page.ask("document.querySelector('.desk-theirs').textContent") == "Theirs."
    page.click(".desk-fix")
    page.click(".desk-main")
    page.until(f"{SAID}.startsWith('Saved: ')")
    text = (office.texts / OBSERVATIONS).read_text()
    assert text.endswith("(@fig-speed-rr). Mine.\n")


def test_the_slower_of_two_goes_on_with_both_texts(office: Office, page: Page) -> None:
    begin(page)
    page.write(" Mine.")
    office.client.sit()
    part = opened(office.client)
    theirs = edit(part, f"{part['words']} Theirs.", base=part["words"])
    assert office.client.post("e/small/save", **theirs)[0] == 200
    page.click(".desk-main")
    page.until("document.querySelector('.desk-fix')?.textContent.includes('both')")
    page.click(".desk-fix")
    page.click(".desk-main")
    page.until(f"{SAID}.startsWith('Saved: ')")
    text = (office.texts / OBSERVATIONS).read_text()
    assert text.endswith("(@fig-speed-rr). Theirs. Mine.\n")


def test_what_was_cancelled_comes_back(office: Office, page: Page) -> None:
    begin(page)
    assert page.ask("document.querySelector('.desk-back').offsetWidth") == 0
    page.write(" Mine.")
    page.ask("[...document.querySelectorAll('.desk-editor button')]"
             ".find(one => one.textContent === 'Cancel').click()")  # fmt: skip
    page.until("!document.querySelector('.desk-editor')")
    begin(page)
    assert not page.ask(f"{AREA}.value.endsWith(' Mine.')")
    page.click(".desk-back")
    page.until(f"{AREA}.value.endsWith(' Mine.')")
    assert page.ask("document.querySelector('.desk-back').offsetWidth") == 0


def test_a_text_outlives_a_refusal_a_reload_and_a_lost_server(
    office: Office, page: Page
) -> None:
    begin(page)
    page.write(" Raw <b>HTML</b>.")
    page.click(".desk-main")
    page.until("document.querySelector('.desk-findings .error')")
    page.ask("window.old = true; location.reload()")
    page.until(f"!window.old && {AREA}?.value")  # open again, as it was
    assert page.ask(f"{AREA}.value.endsWith('HTML</b>.')")
    page.call("Network.emulateNetworkConditions", offline=True, latency=0,
              downloadThroughput=-1, uploadThroughput=-1)  # fmt: skip
    page.click(".desk-main")
    page.until("document.querySelector('.desk-findings').textContent.includes('kept')")
    assert page.ask(f"{AREA}.value.endsWith('HTML</b>.')")


def test_words_of_an_older_text_do_not_take_the_place_of_a_newer_one(
    office: Office, page: Page
) -> None:
    begin(page)
    page.write(" Mine.")
    page.go("data:text/html,Elsewhere")
    office.client.sit()
    theirs = edit(opened(office.client), "Theirs.")
    assert office.client.post("e/small/save", **theirs)[0] == 200
    page.go(f"{office.client.address}e/small/")
    page.until("document.querySelector('.desk-theirs')?.textContent === 'Theirs.'")
    assert page.ask(f"{AREA}.value.endsWith(' Mine.')")
    page.ask("sessionStorage.clear()")  # as of a browser that was closed
    page.go(f"{office.client.address}e/small/")
    page.until("document.querySelector('.desk-rest:not([hidden])')")
    page.click(".desk-rest")
    page.until("document.querySelector('.desk-fix')")
    page.ask("[...document.querySelectorAll('.desk-fix')].at(-1).click()")
    page.until(f"{AREA}.value === 'Theirs.'")
    page.ask("document.querySelector('.desk-main').click()")
    page.until("document.querySelector('.desk-rest[hidden]') && "
               "!document.querySelector('.desk-editor')")  # fmt: skip
    assert (office.texts / OBSERVATIONS).read_text() == "Theirs.\n"


def test_a_comment_is_made_answered_and_resolved(office: Office, page: Page) -> None:
    begin(page)
    page.click(".desk-ask summary")
    page.click(".desk-ask textarea")
    page.write("Is this so?")
    page.click(".desk-ask button")
    page.until("document.querySelector('.desk-count')")
    assert page.ask("document.querySelector('.desk-comments').textContent") == (
        "Comments (1)"
    )
    page.click(".desk-talk section > button")
    page.until("!document.querySelector('.desk-count')")
    assert (
        "state: resolved" in (office.texts / "studies/speed/comments.yaml").read_text()
    )


SELECT = """(words => {
  const mark = document.querySelector('.part[data-text$="observations.md"]');
  const host = mark.closest("p");
  const node = [...host.childNodes].find(one => one.data?.includes(words));
  const range = document.createRange();
  range.setStart(node, node.data.indexOf(words));
  range.setEnd(node, node.data.indexOf(words) + words.length);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
})(%r)"""
REMARK = ".desk-remark .desk-ask[open]"


def test_words_a_number_and_a_figure_are_commented_where_they_stand(
    office: Office, page: Page
) -> None:
    for begins in (
        lambda: (page.ask(SELECT % "Latency"), page.click(".desk-float")),
        lambda: (page.click("main p a.value"), page.click(".desk-remark-value")),
        lambda: page.click("#fig-speed-rr ~ .figure-links .desk-figure"),
        lambda: (page.click("td a.value"), page.click(".desk-remark-value")),
    ):
        begins()
        page.until(f"document.activeElement.closest('{REMARK}')")
        page.write("Is this so?")
        page.ask(f"document.querySelector('{REMARK} button').click()")
        page.until("!document.querySelector('.desk-remark')")
    held = yaml.safe_load((office.texts / "studies/speed/comments.yaml").read_text())
    words, number, figure, cell = held["threads"]
    assert (words["text"], words["quote"]) == (OBSERVATIONS, "Latency")
    assert number["text"] == OBSERVATIONS and "37%" in number["quote"]
    assert number["value"].startswith("speed.rr1-1kb.")
    assert figure["figure"] == "fig-speed-rr"
    assert "text" not in cell and cell["value"].startswith("speed.")
    page.until("document.querySelector('td a.value.desk-commented')")
    page.until("CSS.highlights.get('desk-quoted')?.size === 2")
    page.until("document.querySelectorAll('.desk-figure').length === "
               "document.querySelectorAll('main figure[id]').length")  # fmt: skip


def test_who_may_comment_alone_is_offered_no_save(office: Office, page: Page) -> None:
    office.chair[0] = Person("Cy Commenter", "cy@example.org", "commenter")
    page.go(f"{office.client.address}e/small/")
    page.until("document.querySelector('h1 .desk-edit')")
    shown = "[...document.querySelectorAll('form button')].map(b => b.textContent)"
    buttons = "h1 .desk-edit", f'.part[data-text="{OBSERVATIONS}"] .desk-edit'
    for made, button in enumerate(buttons, 1):
        page.ask(f"document.querySelector({button!r}).click()")
        page.until("document.querySelector('.desk-editor')")
        offered = page.ask(shown)
        assert "Suggest" in offered and "Save" not in offered
        page.ask("document.querySelector('.desk-editor button').closest('form')"
                 ".querySelector('textarea, input').focus()")  # fmt: skip
        page.write(" Newer.")
        page.ask("document.querySelector('.desk-editor').requestSubmit()")
        page.until(f"document.querySelectorAll('.desk-suggestion').length === {made}")
        page.until("!document.querySelector('.desk-editor')")  # the answer is there
        tools = "[...document.querySelectorAll('.desk-suggestion .desk-tools')].map("
        assert (
            page.ask(f"{tools}one => one.innerText.trim())")
            == ["Withdraw\nReason"] * made
        )


SUGGESTION = "document.querySelector('.desk-suggestion')"


def test_a_suggestion_is_declined_with_a_reason_where_it_stands_and_that_is_undone(
    office: Office, page: Page
) -> None:
    office.client.sit()
    part = opened(office.client)
    more = edit(part, f"{part['words']} So.")
    assert office.client.post("e/small/suggest", **more)[0] == 200
    page.until(SUGGESTION)
    page.click(".desk-why input")
    page.write("Twice.")
    page.press("Enter")
    page.until(f"{SAID}.startsWith('Declined.') && !{SUGGESTION}")
    kept = (office.texts / "studies/speed/comments.yaml").read_text()
    assert "declined: Twice." in kept
    page.click(".desk-undo")
    page.until(f"{SAID}.startsWith('Undone.')")
    page.until(SUGGESTION)
    page.click(".desk-suggestion .desk-tools button:nth-of-type(3)")
    page.until(f"{SAID}.startsWith('Withdrawn.') && !{SUGGESTION}")


def test_a_value_is_inserted_by_words_and_enter(office: Office, page: Page) -> None:
    begin(page)
    page.write(" Streams move ")
    page.ask("document.querySelector('.desk-insert').focus()")
    page.press("Enter")
    page.write("throughput str3 size change")
    page.until("document.querySelectorAll('.desk-choices li').length === 1")
    page.press("Enter")
    page.until(f"document.activeElement === {AREA}")
    assert page.ask(f"{AREA}.value").endswith(" Streams move {59%}")
    page.ask("document.querySelector('.desk-main').click()")
    page.until(f"{SAID}.startsWith('Saved: ')")
    written = '{{ delta("throughput", "STR3(1B/20MB)") | size }}'
    assert written in (office.texts / OBSERVATIONS).read_text()
