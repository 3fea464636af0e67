"""The pages of a destination: the list of all releases, and where current leads."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from analysis.publish.release import CURRENT, ROOT, Release

TEMPLATE, POINTER, STYLE = "releases.html.j2", "current.html.j2", "house.css"
PAGE = "index.html"
MARK = b'<meta name="generator" content="netperf-report publish">'


@dataclass(frozen=True)
class Listed:
    """One edition on the list: its current release first, and all others."""

    edition: str
    shown: Release
    releases: tuple[Release, ...]

    @property
    def address(self) -> str:
        """Where the current release is, from the list; that of the newest without."""
        name = CURRENT if self.shown.current else self.shown.id
        return quote(f"{ROOT}/{self.edition}/{name}/{PAGE}")


def listed(releases: Sequence[Release]) -> list[Listed]:
    """The editions of the releases, the newest date first."""
    found = []
    for edition, group in groupby(releases, key=lambda release: release.edition):
        own = tuple(group)
        shown = next((release for release in own if release.current), own[0])
        found.append(Listed(edition, shown, own))
    return sorted(found, key=lambda entry: str(entry.shown.about["date"]), reverse=True)


def list_page(releases: Sequence[Release], templates: Path, fonts: str) -> bytes:
    """The list of all editions and their releases."""
    style = (templates / STYLE).read_text(encoding="utf-8")
    page = _environment(templates).get_template(TEMPLATE)
    text = page.render(editions=listed(releases), styles=f"{fonts}\n{style}")
    return text.encode()


def pointer_page(id: str, templates: Path) -> bytes:
    """The small page that leads to a release where there are no symbolic links."""
    page = _environment(templates).get_template(POINTER)
    return page.render(id=id, address=quote(f"../{id}/{PAGE}")).encode()


def _environment(templates: Path) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["address"] = lambda r: quote(f"{r.path}/{PAGE}")
    environment.filters["day"] = _day
    environment.filters["moment"] = _moment
    return environment


def _day(text: str) -> str:
    day = dt.date.fromisoformat(text)
    return f"{day.day} {day:%B %Y}"


def _moment(text: str) -> str:
    moment = dt.datetime.fromisoformat(text)
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"
