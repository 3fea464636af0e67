"""Narrow windows, forced colours, a slow desk: all is told and can be read."""

from __future__ import annotations

import pytest

from tests.report.browser import CHROMIUM
from tests.report.desk.conftest import Office
from tests.report.desk.test_browser import AREA, SAID, begin
from tests.report.desk.test_commenting import say
from tests.report.desk.test_journey import FITS, one, press
from tests.report.desk.test_mistaken import broken
from tests.report.desk.test_suggesting import suggest
from tests.report.devtools import Page

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium"),
    pytest.mark.xdist_group("desk-browser"),
]
LONG = "Donaudampfschifffahrtsgesellschaftskapitaen" * 6


def test_a_very_long_word_widens_no_page(office: Office, page: Page) -> None:
    assert say(office, words=LONG, about="speed") == 200
    assert (
        suggest(office, f"Latency [{LONG}]{{.unchecked}} {{falls by 37%}}.")[0] == 200
    )
    for name in ("", "comments", "comments?show=suggested", "review", "history"):
        page.go(f"{office.client.address}e/small/{name}")
        page.until("document.querySelector('.desk-suggestion, main .formats')")
        assert page.ask(FITS), name


def test_the_pages_of_an_edition_lead_to_each_other(office: Office, page: Page) -> None:
    for name in ("review", "comments", "history"):
        page.go(f"{office.client.address}e/small/{name}")
        links = "[...document.querySelectorAll('.where a')].map(a => a.textContent)"
        assert page.ask(links) == [
            "All drafts",
            "Draft",
            "Review",
            "Comments",
            "History",
            "Release",
        ]
        at = "document.querySelector('.where [aria-current]').textContent"
        assert page.ask(at).lower() == name
    broken(office)
    page.go(f"{office.client.address}e/small/history")
    page.until("document.querySelectorAll('.where a').length === 6")


def test_a_chosen_value_is_seen_in_forced_colours(page: Page) -> None:
    forced = {"name": "forced-colors", "value": "active"}
    page.call("Emulation.setEmulatedMedia", features=[forced])
    begin(page)
    press(page, one(".desk-insert"))
    page.until("document.querySelector('.desk-choices li[aria-selected=true]')")
    outline = "getComputedStyle(%s).outlineStyle"
    chosen, other = ("[aria-selected=true]", "[aria-selected=false]")
    shown = [page.ask(outline % one(f".desk-choices li{at}")) for at in (chosen, other)]
    assert shown == ["solid", "none"]


def test_who_saves_hears_that_nobody_answers_yet(page: Page) -> None:
    begin(page)
    page.write(" [Newer.]{.unchecked}")
    page.ask("window.real = fetch; window.fetch = async (path, ...all) => {"
             "  if (path === 'save') await new Promise(go => { window.free = go; });"
             "  return real(path, ...all);"
             "}; 1")  # fmt: skip
    page.click(".desk-main")
    page.until(
        "document.querySelector('.desk-findings').textContent.includes('not answer')"
    )
    assert page.ask(f"{AREA}.value.endsWith('[Newer.]{{.unchecked}}')")
    page.ask("free()")
    page.until(f"{SAID}.startsWith('Saved: ')")
