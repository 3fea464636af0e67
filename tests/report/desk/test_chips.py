"""The field with chips in a real browser: values stay whole, Markdown is not seen."""

from __future__ import annotations

import pytest

from tests.report.browser import CHROMIUM
from tests.report.desk.conftest import Office, Visit
from tests.report.desk.test_browser import AREA, FIND, SAID
from tests.report.desk.test_saving import OBSERVATIONS
from tests.report.devtools import Page

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium"),
    pytest.mark.xdist_group("desk-browser"),
]
FIELD = "document.querySelector('.desk-field .cm-content')"
SEEN = f"{FIELD}.innerText.replace(/[\\u200b\\s]+/g, ' ').trim()"
TEXT = """---
claims:
  - latency falls for RR1(1kB)
---
- **Less waits.** Latency
  [{{ moves("latency", "RR1(1kB)") }} for
  RR1(1kB)]{claim="latency falls for RR1(1kB)"} (@fig-speed-rr).
"""
SHOWS = "• Less waits. Latency falls by 37% for RR1(1kB)claim (Figure 1)."


@pytest.fixture
def page(office: Office, visit: Visit) -> Page:
    (office.texts / OBSERVATIONS).write_text(TEXT)
    office.desk.lives["small"].update()
    page = visit("e/small/", 1440, chips=True)
    page.until(f"{FIND}?.querySelector('button')")
    return page


def begin(page: Page) -> None:
    page.ask(f"{FIND}.querySelector('button').focus()")
    page.press("Enter")
    page.until(f"document.activeElement === {FIELD}")


def press(page: Page, key: str, code: int, modifiers: int = 0) -> None:
    given = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
    for kind in ("keyDown", "keyUp"):
        page.call("Input.dispatchKeyEvent", type=kind, **given)


def test_values_and_references_have_names_and_no_markdown_is_seen(page: Page) -> None:
    begin(page)
    assert page.ask(SEEN) == SHOWS
    names = page.ask(
        f"[...{FIELD}.querySelectorAll('[role=img]')].map(one => one.ariaLabel)"
    )
    assert names[1].startswith("value falls by 37%, Latency, RR1(1kB)")
    assert names[2:] == ["claim: latency falls for RR1(1kB)", "reference Figure 1"]


def test_a_value_goes_whole_comes_back_and_is_saved_as_it_is_bound(
    office: Office, page: Page
) -> None:
    begin(page)
    page.click(".desk-field .desk-value")
    page.until("document.querySelector('.desk-card')?.innerText.includes('Latency')")
    assert "delta" not in page.ask(SEEN)
    press(page, "Backspace", 8)
    page.until(f"!{FIELD}.querySelector('.desk-value')")
    assert page.ask(SEEN) == SHOWS.replace("falls by 37% ", "")
    press(page, "z", 90, modifiers=2)
    page.until(f"{SEEN} === {SHOWS!r}")
    press(page, "End", 35, modifiers=2)
    page.write(" So it is.")
    page.click(".desk-main")
    page.until(f"{SAID}.startsWith('Saved')")
    assert (office.texts / OBSERVATIONS).read_text() == TEXT[:-1] + " So it is.\n"


def test_a_claim_that_is_taken_out_leaves_its_words(page: Page) -> None:
    begin(page)
    page.click(".desk-field .desk-claim")
    page.until("document.querySelector('.desk-card')?.innerText.includes('falls for')")
    page.ask("[...document.querySelectorAll('.desk-card button')].at(-1).click()")
    page.until(f"{SEEN} === {SHOWS.replace('claim', '')!r}")
    assert page.ask(f"{AREA}.value").endswith("RR1(1kB) (@fig-speed-rr).")


def test_the_caret_stands_where_one_clicked(page: Page) -> None:
    x, y = page.ask(f"""(() => {{
      const host = {FIND}.closest("li");
      host.scrollIntoView({{ block: "center", behavior: "instant" }});
      const words = document.createTreeWalker(host, NodeFilter.SHOW_TEXT);
      while (words.nextNode() && !words.currentNode.data.includes("for"));
      const range = document.createRange();
      range.setStart(words.currentNode, words.currentNode.data.indexOf("for") + 1);
      range.collapse(true);
      const {{ left, top, height }} = range.getBoundingClientRect();
      return [left, top + height / 2];
    }})()""")
    at = {"x": x, "y": y, "button": "left", "clickCount": 1}
    for kind in ("mousePressed", "mouseReleased"):
        page.call("Input.dispatchMouseEvent", type=kind, **at)
    page.until(f"document.activeElement === {FIELD}")
    page.write("|")
    assert page.ask(SEEN) == SHOWS.replace(" for", " f|or")


def test_the_plain_text_is_one_click_away_and_stays_chosen(page: Page) -> None:
    begin(page)
    page.click(".desk-plain")
    page.until(
        f"document.activeElement === {AREA} && !document.querySelector('.desk-field')"
    )
    plain = page.ask(f"{AREA}.value")
    assert plain.startswith("- **Less waits.** Latency\n  [{falls by 37%} for\n")
    press(page, "Escape", 27)
    page.until("!document.querySelector('.desk-editor')")
    page.ask(f"{FIND}.querySelector('button').click()")
    page.until(f"document.activeElement === {AREA}")
    page.click(".desk-plain")
    page.until(f"document.activeElement === {FIELD}")
    assert page.ask(SEEN) == SHOWS


def test_without_the_script_of_chips_the_plain_text_is_edited(
    office: Office, page: Page
) -> None:
    page.call("Network.setBlockedURLs", urls=["*codemirror.js"])
    page.ask(f"{FIND}.querySelector('button').click()")
    page.until(f"document.activeElement === {AREA}")
    assert not page.ask("document.querySelector('.desk-plain')")
    page.ask(f"{AREA}.setSelectionRange(1e6, 1e6)")
    page.write(" So it is.")
    page.click(".desk-main")
    page.until(f"{SAID}.startsWith('Saved')")
    assert (office.texts / OBSERVATIONS).read_text() == TEXT[:-1] + " So it is.\n"


def test_a_finger_sees_that_words_can_be_edited(page: Page) -> None:
    if not page.ask("matchMedia('(hover: none)').matches"):
        pytest.skip("this browser has a mouse")
    width = "getBoundingClientRect().width"
    assert page.ask(f"{FIND}.querySelector('.desk-edit').{width}") >= 24


def test_a_claim_is_added_changed_and_removed_without_a_word_typed(
    office: Office, page: Page
) -> None:
    begin(page)
    page.click(".desk-claim-button")
    page.until("document.querySelector('.desk-weighed')?.innerText.includes('holds')")
    sentence = "document.querySelectorAll('.desk-claims > ol > li')[0]"
    declared = page.ask("document.querySelector('.desk-declared-claims').innerText")
    assert "head of its file" in declared and "holds" in declared
    assert "latency falls for RR1(1kB)" in declared
    button = f"[...{sentence}.querySelectorAll('button')]"
    page.ask(f"{button}.find(one => one.textContent === 'Add a claim').click()")
    page.until(f"{sentence}.querySelector('[role=option]')")
    press(page, "Enter", 13)
    added = '- **[Less waits.]{claim="latency falls for RR1(1kB)"}** Latency'
    page.until(f"{AREA}.value.startsWith({added!r})")
    page.until(f"{sentence}.querySelector('.desk-weighed')")
    page.ask(f"{button}.find(one => one.textContent === 'Change').click()")
    page.until(f"{sentence}.querySelectorAll('[role=option]').length > 1")
    page.ask(f"{sentence}.querySelectorAll('[role=option]')[1].click()")
    page.until(f"{sentence}.querySelector('input[type=number]')?.value === '30'")
    page.ask(f"""(number => {{
      number.value = "20";
      number.dispatchEvent(new Event("change"));
    }})({sentence}.querySelector("input[type=number]"))""")
    page.until(f"{AREA}.value.includes('falls by at least 20% for RR1(1kB)')")
    page.until(f"{sentence}.innerText.includes('at least 20%')")
    page.ask(f"{button}.find(one => one.textContent === 'Remove').click()")
    page.until(f"{AREA}.value.startsWith('- **Less waits.** Latency')")
    page.until(f"!{sentence}.querySelector('.desk-weighed')")
    assert page.ask(SEEN) == SHOWS
