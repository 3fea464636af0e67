"""What others say arrives while a page is open, and moves nothing that one writes."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from starlette.exceptions import HTTPException

from analysis.report.desk.server import Limits
from tests.report.browser import CHROMIUM
from tests.report.desk.conftest import ANN, Office, Visit
from tests.report.desk.test_browser import AREA, begin
from tests.report.desk.test_commenting import say, threads
from tests.report.desk.test_saving import OBSERVATIONS
from tests.report.desk.test_suggesting import suggest

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium"),
    pytest.mark.xdist_group("desk-browser"),
]
PLACE = {"text": OBSERVATIONS, "number": 0}
TOP = f"Math.round({AREA}.getBoundingClientRect().top)"
TALK = "document.querySelector('.desk-talk').textContent"


@pytest.mark.parametrize("width", [390, 1440])
def test_what_others_say_comes_to_who_writes(
    office: Office, visit: Visit, width: int
) -> None:
    page = visit("e/small/", width)
    page.until("document.querySelector('.desk-figure')")
    begin(page)
    page.write(" Mine.")
    page.ask("window.same = true")
    top = page.ask(TOP)
    assert say(office, words="Is it?", **PLACE) == 200
    page.until(f"{TALK}.includes('Is it?')")
    page.until("document.querySelector('.desk-count')?.textContent === '1 comment'")
    thread = threads(office)["threads"][0]["id"]
    assert say(office, words="It is.", about="speed", thread=thread) == 200
    page.until(f"{TALK}.includes('It is.')")
    assert suggest(office)[0] == 200
    page.until("document.querySelector('.desk-suggestion')")
    assert page.ask(f"document.activeElement === {AREA} && window.same")
    assert page.ask(f"{AREA}.value").endswith(" Mine.")
    assert abs(page.ask(TOP) - top) <= 1
    done = {"about": "speed", "thread": thread, "state": "resolved"}
    assert say(office, words="Good.", **done) == 200
    page.until("!document.querySelector('.desk-count')")
    page.until(f"!{TALK}.includes('Is it?')")


def test_who_was_signed_out_hears_again(
    office: Office, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = visit("e/small/", 390)
    page.until("document.querySelector('.desk-figure')")
    begin(page)
    page.write(" Mine.")
    page.ask("window.same = true")
    asked = []

    def refuse(*_: object) -> None:
        asked.append(1)
        raise HTTPException(403)

    with monkeypatch.context() as away:
        away.setattr(Limits, "listen", refuse)
        office.chair[0] = replace(ANN, email="else@example.org")
        office.desk.lives["small"].stage.remark()
        until = time.monotonic() + 20
        while not asked and time.monotonic() < until:
            time.sleep(0.02)
        assert asked
        office.chair[0] = ANN
    page.until(f"!window.same && {AREA}?.value.endsWith(' Mine.')")


def test_what_came_by_git_is_told_once(office: Office) -> None:
    office.client.get("e/small/")
    stage, path = office.desk.lives["small"].stage, office.texts / "comments.yaml"
    assert say(office, words="Why?", about="speed") == 200
    version, told = stage.version, stage.remarked
    path.write_text("threads: []\n")
    for _ in range(2):
        office.desk.take_up({path.absolute()}, office.project.facts)
    assert (stage.version, stage.remarked) == (version, told + 1)
