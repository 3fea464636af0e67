"""A reviewer's whole way in a real browser by keys alone, narrow and wide.

A link leads to what waits. A sentence is corrected, a number bound, a comment made and
answered, a study approved. Then data change: the approval lapses, the page says why,
and one key gives it again. A suggestion is accepted, and the release goes out.
"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from analysis.cli import main
from analysis.facts.fact import read_facts, write_facts
from analysis.report.builds.check import check_edition
from analysis.report.verb import make_report
from tests.report.browser import CHROMIUM
from tests.report.desk.conftest import Office, Visit
from tests.report.desk.test_browser import AREA, begin
from tests.report.desk.test_saving import OBSERVATIONS, git
from tests.report.desk.test_standing import declare
from tests.report.devtools import Page

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium"),
    pytest.mark.xdist_group("desk-browser"),
]
REVIEWER = "reviewers:\n  - {name: Ann Author, email: ann@example.org}\n"
NARROW = 390
KEY = "%s.focus()"
TOLD = "document.querySelector('.desk-status')?.textContent.startsWith('%s')"
FITS = "document.documentElement?.scrollWidth <= innerWidth"
INNER = "document.querySelector('main')?.textContent"


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


@pytest.mark.parametrize("width", [NARROW, 1440])
def test_from_a_link_to_a_release(office: Office, visit: Visit, width: int) -> None:
    declare(office, REVIEWER)
    address = f"{office.client.address}e/small/"
    page = visit("e/small/next", width)
    page.until("location.href.endsWith('review#review-speed')")
    page.go(address)
    page.until("document.querySelector('.desk-edit')")
    correct_and_bind(page)
    comment(page)
    approve(page, address)
    assert "1 open comment" in page.ask(INNER)
    resolve(page, address)
    measure_anew(office)
    see_why(page, address)
    approve(page, address)
    accept(page, office, address)
    approve(page, address)
    approve(page, address, "small")
    page.until(f"{INNER}?.includes('is ready to be published')")
    page.until(FITS)
    declare(office, "status: final\n")
    assert check_edition("small", office.project).errors == 0
    if width > NARROW:  # once: it is the same release
        go_out(office)


def go_out(office: Office) -> None:
    """The release: built as a final one, published, and what readers get."""
    home = office.project.facts.parent
    builds, site = home / "builds", home / "site"
    make_report("small", office.project, "pandoc", home / "scratch", builds / "small")
    folders = {"--to": site, "--builds": builds, "--report": office.project.report,
               "--raw": office.project.raw, "--settings": home / "none.yaml",
               "--templates": office.project.templates}  # fmt: skip
    assert main(["publish", *(f"{name}={path}" for name, path in folders.items())]) == 0
    [page] = site.glob("releases/small/current/index.html")
    told = page.read_text()
    assert "All of it was seen." in told and "not reviewed" not in told
    about = json.loads((page.parent / "provenance.json").read_text())
    for review in (about["studies"]["speed"], about["matter"]):
        assert [one["by"] for one in review["approvals"]] == ["Ann Author"]


def measure_anew(office: Office) -> None:
    """Data change, as a build leaves them: a value, its figure, all printed of them."""
    facts = read_facts(office.project.facts)
    told = [
        replace(f, value=-20.1, low=-22.1, high=-18.1, printed="−20%")
        if f.key == "speed.rr1-1kb.-.latency.new.delta" else f
        for f in facts.facts
    ]  # fmt: skip
    write_facts(replace(facts, facts=tuple(told)), office.project.facts)
    drawn = office.project.figures / "speed-rr/figure.svg"
    drawn.write_text(drawn.read_text().replace("9mm", "8mm"))
    office.desk.lives["small"].forget()


def see_why(page: Page, address: str) -> None:
    """The approval is gone: the words, the numbers, the picture then and now."""
    page.go(f"{address}next")
    page.until("location.href.endsWith('review#review-speed')")
    page.until(f"{INNER}?.includes('1 changed since the approval')")
    told = page.ask("document.querySelector('li[data-id=speed]').innerText")
    assert "−37%" in told and "−20%" in told and "beyond noise" in told
    assert {"falls by 37%", "falls by 20%"} <= set(page.ask(
        "[...document.querySelectorAll('li[data-id=speed] :is(del, ins)')]"
        ".flatMap(one => one.textContent.match(/falls by \\d+%/) || [])"))  # fmt: skip
    page.until("document.querySelectorAll('.pair img').length === 2")
    assert page.ask("[...document.querySelectorAll('.pair img')]"
                    ".every(one => one.complete && one.naturalWidth)")  # fmt: skip
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
    page.until(TOLD % "Saved: ")
    page.until(f"{INNER}?.includes('Streams move 59% more.')")


def comment(page: Page) -> None:
    begin(page)
    press(page, one(".desk-ask summary"))
    page.ask(KEY % one(".desk-ask textarea"))
    page.write("Is this so?")
    press(page, one(".desk-ask button"))
    page.until("document.querySelector('.desk-count')")
    page.press("Escape")


def resolve(page: Page, address: str) -> None:
    page.go(f"{address}comments")
    press(page, button("Resolve"))
    page.until(f"{INNER}?.includes('There is none.')")


def approve(page: Page, address: str, id: str = "speed") -> None:
    page.go(f"{address}review")
    press(page, one(f"li[data-id={id}] button.approve"))
    page.until(f"{one(f'li[data-id={id}]')}?.innerText.includes('Approved by Ann')")
    page.until(f"!document.querySelector('li[data-id={id}] button.approve')")


def accept(page: Page, office: Office, address: str) -> None:
    page.go(address)
    page.until("document.querySelector('.desk-edit')")
    begin(page)
    page.write(" [All of it was seen.]{.unchecked}")
    press(page, button("Suggest"))
    page.until("document.querySelector('.desk-suggestion ins')")
    assert "All of it was seen." not in (office.texts / OBSERVATIONS).read_text()
    press(page, button("Accept"))
    page.until(TOLD % "Accepted")
    page.until(f"!{one('.desk-suggestion')} && {INNER}?.includes('All of it was seen')")
    assert "All of it was seen." in (office.texts / OBSERVATIONS).read_text()
    told = git(office.texts, "log", "-2", "--format=%s", "review/small").splitlines()
    assert told[0].endswith("accepted what Ann Author suggested")
