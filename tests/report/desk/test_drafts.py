"""Words that no build would take are a draft of their author, and no text."""

from __future__ import annotations

import json
import time
from dataclasses import replace

import pytest

from tests.report.browser import CHROMIUM
from tests.report.desk.conftest import ANN, Office
from tests.report.desk.test_browser import AREA
from tests.report.desk.test_saving import OBSERVATIONS, edit, opened
from tests.report.devtools import Page

WORDS = "It is <b>so</b>, by 99%."


def refused(office: Office) -> dict[str, object]:
    office.client.sit()
    part = opened(office.client)
    said = edit(part, WORDS, base=part["words"])
    status, answer = office.client.post("e/small/save", **said)
    assert (status, answer["draft"]) == (422, True)
    return said


def test_refused_words_are_kept_for_their_author_alone(office: Office) -> None:
    before = (office.texts / OBSERVATIONS).read_text()
    refused(office)
    draft = opened(office.client)["draft"]
    assert draft["words"] == WORDS and "HTML" in draft["why"][0]
    page = office.client.get("e/small/comments")[1]
    assert "Your drafts" in page and "&lt;b&gt;so" in page
    assert (office.texts / OBSERVATIONS).read_text() == before
    assert "99%" not in office.client.get("e/small/")[1]
    office.chair[0] = replace(ANN, name="Bob", email="bob@example.org")
    assert opened(office.client)["draft"] is None
    assert "Your drafts" not in office.client.get("e/small/comments")[1]


@pytest.mark.parametrize("way", ["save", "suggest", "discard"])
def test_a_draft_ends_by_each_way_out(office: Office, way: str) -> None:
    said = refused(office)
    words = f"{said['base']} So." if way != "discard" else WORDS
    assert office.client.post(f"e/small/{way}", **{**said, "words": words})[0] == 200
    assert opened(office.client)["draft"] is None


def test_a_later_draft_takes_the_place_of_an_earlier_one(office: Office) -> None:
    said = refused(office)
    for n in range(3):
        more = {**said, "words": f"{WORDS} {n}"}
        assert office.client.post("e/small/save", **more)[0] == 422
    [path] = (office.desk.journal.folder / "drafts").glob("*.json")
    [kept] = json.loads(path.read_text())
    assert kept["edit"]["words"] == f"{WORDS} 2"


def test_where_no_draft_can_be_written_the_refusal_is_the_same(
    office: Office,
) -> None:
    folder = office.desk.journal.folder
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "drafts").write_text("in the way")
    office.client.sit()
    said = edit(opened(office.client), WORDS)
    status, answer = office.client.post("e/small/save", **said)
    assert status == 422 and "draft" not in answer and answer["issues"]


@pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium")
@pytest.mark.xdist_group("desk-browser")
def test_another_browser_opens_the_draft(office: Office, page: Page) -> None:
    refused(office)
    page.go(f"{office.client.address}e/small/?open={OBSERVATIONS}&number=0")
    page.until(f"{AREA}?.value === {json.dumps(WORDS)}")
    page.until("document.querySelector('.desk-editor').textContent"
               ".includes('in no text yet')")  # fmt: skip
    page.ask("[...document.querySelectorAll('.desk-editor button')]"
             ".find(one => one.textContent === 'Cancel').click()")  # fmt: skip
    page.until("!document.querySelector('.desk-editor')")
    deadline = time.monotonic() + 60  # it is discarded behind the page
    while opened(office.client)["draft"] and time.monotonic() < deadline:
        time.sleep(0.05)
    assert opened(office.client)["draft"] is None
