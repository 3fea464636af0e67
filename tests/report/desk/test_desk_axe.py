"""The desk's pages as axe judges them: WCAG 2.2 AA and best practices, nothing left.

The environment variable ``AXE`` names axe-core's script, ``axe.min.js``.
"""

from __future__ import annotations

import pytest

from tests.report.browser import CHROMIUM
from tests.report.desk.conftest import Office, Visit
from tests.report.desk.test_browser import begin
from tests.report.desk.test_commenting import say
from tests.report.desk.test_saving import OBSERVATIONS
from tests.report.desk.test_standing import declare
from tests.report.desk.test_suggesting import suggest
from tests.report.devtools import Page
from tests.workflow.test_axe import AXE, LIKE, violations

pytestmark = [
    pytest.mark.skipif(not AXE, reason="needs axe-core: AXE names its script"),
    pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium"),
    pytest.mark.xdist_group("desk-browser"),
]
PAGES = (
    "", "e/small/review", "e/small/comments", "e/small/comments?show=suggested",
    "e/small/history", "e/small/release", "e/small/",
)  # fmt: skip


@pytest.mark.parametrize(("width", "dark"), LIKE)
def test_no_page_of_the_desk_has_a_violation(
    office: Office, visit: Visit, width: int, dark: bool
) -> None:
    fill(office)
    page = visit("", width, dark=dark)
    for name in PAGES:
        page.go(f"{office.client.address}{name}")
        assert axe(page) == [], name
    page.until("document.querySelector('.desk-figure')")
    begin(page)
    page.write(" It rises by 37% for RR1(1kB).")
    page.until("document.querySelector('.desk-fix')")
    page.ask("document.querySelector('.desk-ask').open = true")
    page.click(".desk-insert")
    page.until("document.querySelector('.desk-choices li')")
    page.click(".desk-claim-button")
    page.until("document.querySelector('.desk-claims ol > li')")
    page.click(".desk-plain")
    page.until("document.querySelector('.desk-field')")
    page.click(".desk-field .desk-value")
    page.until("document.querySelector('.desk-card code')")
    assert axe(page) == []
    page.ask("document.querySelector('.desk-keys-button').click()")
    page.until("document.querySelector('dialog[open]')")
    assert axe(page) == []
    page.press("Escape")
    page.click("#fig-speed-rr ~ .figure-links .desk-figure")
    page.until("document.querySelector('.desk-remark')")
    page.ask("[...document.querySelectorAll('.desk-editor .desk-tools button')]"
             ".find(one => one.textContent === 'Cancel').click()")  # fmt: skip
    page.ask("document.querySelector('h1 .desk-edit').click()")
    page.until("document.querySelector('.desk-declared')")
    assert axe(page) == []


def fill(office: Office) -> None:
    """Reviewers, threads of all kinds, and a suggestion."""
    declare(office)
    place = {"text": OBSERVATIONS, "number": 0, "quote": "Latency"}
    for said in ({"about": "speed"}, place, {"figure": "fig-speed-rr"}):
        assert say(office, words="Is this so?", **said) == 200
    assert suggest(office)[0] == 200


def axe(page: Page) -> list[str]:
    page.until("!document.querySelector('.desk-bar') || "
               "document.querySelector('.desk-suggestion')")  # fmt: skip
    return violations(page)
