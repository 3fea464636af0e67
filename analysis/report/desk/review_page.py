"""The page *Review*: the state of an edition, and what changed since each approval."""

from __future__ import annotations

from typing import Any

from analysis.report.desk.approving import (
    ReviewRow,
    hindrances,
    kept_drawings,
    unread,
)
from analysis.report.desk.desk import Desk
from analysis.report.desk.drawn import side_by_side
from analysis.report.desk.live import Live
from analysis.report.desk.people import Person, allowed
from analysis.report.desk.stage import with_own
from analysis.report.desk.standing import WORDS, first_waiting, people, standings
from analysis.report.pages.fonts import CACHE, font_css
from analysis.report.pages.html_page import html_page, page_styles
from analysis.report.preview.page import Read
from analysis.report.review.margin import read_claim
from analysis.report.review.state import LOOK


def review_page(desk: Desk, live: Live, person: Person) -> str:
    """The HTML of the page for a person."""
    read = _read(live)
    found = standings(read)
    known: dict[str, Any] = {
        "title": live.title,
        "standings": found,
        "people": people(read),
        "told": WORDS,
        "drawings": {one.row.id: _drawings(desk, live, one.row) for one in found},
        "claims": {
            id: [read_claim(one, read.checked.material) for one in outcomes]
            for id, outcomes in read.checked.outcomes.items()
        },
        "hindrances": hindrances(read),
        "problem": live.stage.problem,
        "may": allowed(person),
        "mine": person.name,
        "look": LOOK,
        "styles": page_styles(desk.templates, font_css(CACHE)),
    }
    return with_own(html_page(desk.templates, "desk/review.html.j2", known))


def waiting_for(live: Live, name: str) -> str:
    """Where the first thing that waits for somebody is."""
    return first_waiting(_read(live), live.id, name)


def _read(live: Live) -> Read:
    live.open()
    if live.maker.read is None:
        raise unread(live)
    return live.maker.read


def _drawings(desk: Desk, live: Live, row: ReviewRow) -> dict[str, tuple[str, str]]:
    then = {change.name: change.before for change in row.since.get("Drawings", ())}
    study = None if row.id in (live.id, LOOK) else row.id
    return side_by_side(kept_drawings(desk.journal), _read(live).checked, study, then)
