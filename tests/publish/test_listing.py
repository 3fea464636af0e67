"""Which release of an edition the list shows first."""

from __future__ import annotations

from analysis.publish.listing import listed
from analysis.publish.release import Release


def made(edition: str, id: str, date: str, current: bool = False) -> Release:
    about = {"edition": edition, "date": date, "files": {"index.html": "0" * 64}}
    return Release(edition, id, about, current)


def test_the_current_release_is_shown_else_the_newest() -> None:
    older, newer = made("a", "1", "2026-01-01", True), made("a", "2", "2026-02-01")
    third, fourth = made("b", "3", "2026-04-01"), made("b", "4", "2026-03-01")
    first, second = listed([newer, older, third, fourth])
    assert (first.edition, first.shown, first.releases) == ("b", third, (third, fourth))
    assert (second.shown, second.releases) == (older, (newer, older))
    assert first.address == "releases/b/3/index.html"
    assert second.address == "releases/a/current/index.html"
