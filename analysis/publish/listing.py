"""The pages of a destination: the list of all releases, and where current leads."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote

from analysis.facts.units import date_text
from analysis.publish.changes import changes_path
from analysis.publish.release import CURRENT, PAGE, ROOT, Release
from analysis.report.builds.site_search import site_search
from analysis.report.output import link_words
from analysis.report.pages.html_page import Filters, html_page, page_styles

TEMPLATE, POINTER = "releases.html.j2", "current.html.j2"
MARK = b'<meta name="generator" content="netperf-report publish">'
_CURRENT = re.compile(rb'<meta name="current" content="([^"/]+)/([^"/]+)">')


@dataclass(frozen=True)
class ListedEdition:
    """One edition on the list: its current release first, and all others."""

    edition: str
    shown: Release
    releases: tuple[Release, ...]

    @property
    def address(self) -> str:
        """Where the current release is, from the list; that of the newest without.

        By the name of the current one a page can be found, but not another file: where
        there are no symbolic links, a page that leads to the release has that name.
        """
        if self.shown.current and self.shown.main == PAGE:
            return quote(f"{ROOT}/{self.edition}/{CURRENT}/{PAGE}")
        return _address(self.shown)


def listed(releases: Sequence[Release]) -> list[ListedEdition]:
    """The editions of the releases, the newest date first."""
    found = []
    for edition, group in groupby(releases, key=lambda release: release.edition):
        own = tuple(group)
        shown = next((release for release in own if release.current), own[0])
        found.append(ListedEdition(edition, shown, own))
    return sorted(found, key=lambda entry: str(entry.shown.about["date"]), reverse=True)


def list_page(
    releases: Sequence[Release],
    templates: Path,
    fonts: str,
    changes: Collection[str] = (),
    sections: Mapping[str, list[dict[str, str]]] = MappingProxyType({}),
) -> bytes:
    """The list of all editions and their releases.

    ``changes`` are the folders of those that have a page of what they changed, and
    ``sections`` by folder what releases are searched by.
    """
    editions = listed(releases)
    pages = [
        (str(e.shown.about["title"]), e.address, sections.get(e.shown.path, []))
        for e in editions
    ]
    known = {
        "editions": editions,
        "changes": changes,
        "styles": page_styles(templates, fonts),
        **site_search(pages, templates),
    }
    filters: Filters = {
        "address": _address,
        "compared": _compared,
        "day": _day,
        "moment": _moment,
        "words": link_words,
    }
    return html_page(templates, TEMPLATE, known, filters).encode()


def listed_current(page: bytes) -> dict[str, str]:
    """Which release of each edition a list page calls the current one."""
    return {
        edition.decode(): id.decode(errors="replace")
        for edition, id in _CURRENT.findall(page)
        if edition.isascii()
    }


def pointer_page(to: Release, templates: Path) -> bytes:
    """The small page that leads to a release where there are no symbolic links."""
    known = {"id": to.id, "address": quote(f"../{to.id}/{to.main}")}
    return html_page(templates, POINTER, known).encode()


def _address(release: Release, file: str = "") -> str:
    """Where a file of a release is, from the list; its main one if none is named."""
    return quote(f"{release.path}/{file or release.main}")


def _compared(release: Release) -> str:
    """Where the comparison of a release with the one before is, from the list."""
    return quote(changes_path(release.edition, release.id))


def _day(text: str) -> str:
    return date_text(dt.date.fromisoformat(text))


def _moment(text: str) -> str:
    moment = dt.datetime.fromisoformat(text)
    return f"{date_text(moment)}, {moment:%H:%M} UTC"
