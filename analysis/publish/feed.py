"""The releases of a destination as an Atom feed, newest first."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from analysis.publish.release import Release
from analysis.report.pages.html_page import html_page

FEED, TEMPLATE = "feed.xml", "feed.xml.j2"
MARK = b"<generator>netperf-report publish</generator>"
_MOST = 50  # entries; readers of feeds keep older ones
_BEFORE_ALL = "1970-01-01T00:00:00Z"
_NAMES = uuid.uuid5(uuid.NAMESPACE_URL, "netperf-report:feed")


def feed(releases: Sequence[Release], templates: Path) -> bytes:
    """The feed; its addresses are relative to it, as nobody says where it is served."""
    newest = sorted(releases, key=lambda release: release.published, reverse=True)
    known = {
        "id": _NAMES,
        "updated": newest[0].published if newest else _BEFORE_ALL,
        "entries": [_entry(release) for release in newest[:_MOST]],
    }
    return html_page(templates, TEMPLATE, known).encode()


def _entry(release: Release) -> dict[str, Any]:
    about = release.about
    state = "Draft. " if release.draft else ""
    news = about.get("news") or "first release"
    return {
        "id": uuid.uuid5(_NAMES, f"{release.edition}/{release.id}"),
        "edition": release.edition,
        "title": about["title"],
        "updated": release.published,
        "address": quote(f"{release.path}/{release.main}"),
        "summary": f"{state}Build {release.id}: {news}.",
    }
