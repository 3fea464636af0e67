"""The pages of a destination beside its releases.

They are the list of all releases, their Atom feed, what each release changed against
the one before, and where ``current`` leads without symbolic links.
"""

from __future__ import annotations

import datetime as dt
import re
import tempfile
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from analysis.errors import UserError, user_error
from analysis.facts.sentences import listed
from analysis.facts.units import date_text
from analysis.publish.build import (
    FACTS,
    MANIFEST,
    PROVENANCE,
    Build,
    Manifest,
    parse,
    read_build,
    safe_name,
)
from analysis.publish.bundle import Bundle
from analysis.publish.comparison import BuildComparison, compare
from analysis.publish.destination import Destination
from analysis.publish.diff import as_page
from analysis.publish.release import CURRENT, PAGE, ROOT, Release
from analysis.report.beside.answers import SearchIndex
from analysis.report.builds.site_search import site_search
from analysis.report.output import link_words
from analysis.report.pages.html_page import Filters, html_page

LIST_MARK = b'<meta name="generator" content="netperf-report publish">'
FEED_MARK = b"<generator>netperf-report publish</generator>"
LLMS_MARK = b"<!-- netperf-report publish -->"
_CURRENT = re.compile(rb'<meta name="current" content="([^"/]+)/([^"/]+)">')
_ENTRIES = 50  # of the feed; readers of feeds keep older ones
_BEFORE_ALL = "1970-01-01T00:00:00Z"
_NAMES = uuid.uuid5(uuid.NAMESPACE_URL, "netperf-report:feed")
_COMPARED = ("data/", "figures/")
_FOR_PROGRAMS = {
    "facts.json": "Values",
    "provenance.json": "Texts, claims and raw files",
    "ro-crate-metadata.json": "Research object",
}


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


def listed_editions(releases: Sequence[Release]) -> list[ListedEdition]:
    """The editions of the releases, the newest date first."""
    editions = []
    for edition, group in groupby(releases, key=lambda release: release.edition):
        members = tuple(group)
        shown = next((release for release in members if release.current), members[0])
        editions.append(ListedEdition(edition, shown, members))
    return sorted(editions, key=_newest, reverse=True)


def _newest(entry: ListedEdition) -> tuple[int, str]:
    return entry.shown.of_year, entry.shown.date


def list_page(
    releases: Sequence[Release],
    templates: Path,
    searched: Mapping[str, SearchIndex] = MappingProxyType({}),
) -> str:
    """The list of all editions and their releases.

    ``searched`` is what releases are searched by, by their folders.
    """
    editions = listed_editions(releases)
    pages = [
        (e.shown.title, e.address, searched.get(e.shown.path, SearchIndex()))
        for e in editions
    ]
    known = {
        "editions": editions,
        **site_search(pages, templates),
    }
    filters: Filters = {
        "address": _address,
        "compared": lambda release: quote(release.changes),
        "day": lambda text: date_text(dt.date.fromisoformat(text)),
        "moment": _moment,
        "words": link_words,
    }
    return html_page(templates, "releases.html.j2", known, filters)


def listed_current(page: bytes) -> dict[str, str]:
    """Which release of each edition a list page calls the current one."""
    return {
        edition.decode(): id.decode(errors="replace")
        for edition, id in _CURRENT.findall(page)
        if edition.isascii()
    }


def pointer_page(to: Release, templates: Path) -> str:
    """The small page that leads to a release where there are no symbolic links."""
    known = {"id": to.build, "address": quote(f"../{to.build}/{to.main}")}
    return html_page(templates, "current.html.j2", known)


def feed(releases: Sequence[Release], templates: Path) -> str:
    """The releases as an Atom feed, newest first.

    Its addresses are relative to it, as nobody says where it is served.
    """
    newest = sorted(releases, key=lambda release: release.published, reverse=True)
    known = {
        "id": _NAMES,
        "updated": newest[0].published if newest else _BEFORE_ALL,
        "entries": [_entry(release) for release in newest[:_ENTRIES]],
    }
    return html_page(templates, "feed.xml.j2", known)


def llms_text(releases: Sequence[Release]) -> str:
    """What programs that read the site are told of it, as https://llmstxt.org has it:
    each edition with its first finding, and where its values are."""
    lines = ["# Performance reports", ""]
    lines += ["> Each number is in facts.json, with interval, runs and raw files.", ""]
    lines += ["## Reports", ""]
    for entry in listed_editions(releases):
        shown = entry.shown
        says = " ".join(filter(None, ["Draft." * shown.draft, shown.headline]))
        lines.append(f"- [{_plain(shown.title)}]({_address(shown)}): {_plain(says)}")
        for file, words in _FOR_PROGRAMS.items():
            if file in shown.files:
                lines.append(f"    - [{words}]({_address(shown, file)})")
    return "\n".join([*lines, "", LLMS_MARK.decode(), ""])


def _plain(text: str) -> str:
    return re.sub(r"([\[\]<>])", r"\\\1", text)


def _entry(release: Release) -> dict[str, Any]:
    state = "Draft. " if release.draft else ""
    news = release.news or "first release"
    return {
        "id": uuid.uuid5(_NAMES, f"{release.edition}/{release.build}"),
        "edition": release.edition,
        "title": release.title,
        "updated": release.published,
        "address": _address(release),
        "summary": f"{state}Build {release.build}: {news}.",
    }


def _address(release: Release, file: str = "") -> str:
    """Where a file of a release is, from the list; its main one if none is named."""
    return quote(f"{release.path}/{file or release.main}")


def _moment(text: str) -> str:
    moment = dt.datetime.fromisoformat(text)
    return f"{date_text(moment)}, {moment:%H:%M} UTC"


def changes_of(
    destination: Destination, before: Release, bundle: Bundle, templates: Path
) -> tuple[str, str] | None:
    """What a bundle changes against a release: a page, and its news in a few words.

    None where that release cannot be read as a build, which is said.
    """
    after = _compared(read_build(bundle.files[MANIFEST].parent))
    release = bundle.release
    links = [
        (f"../../{release.path}/{release.main}", "This release"),
        (f"../../{before.path}/{before.main}", "The one before"),
        (f"../../{PAGE}", "All reports"),
    ]
    with tempfile.TemporaryDirectory() as name:
        try:
            _fetch(destination, before, Path(name))
            comparison = compare(_compared(read_build(Path(name))), after)
        except UserError as error:
            print(f"note: not compared with {before.path}: {error}")
            return None
        return as_page(comparison, templates, links), news(comparison)


def news(comparison: BuildComparison) -> str:
    """``3 values, 1 figure and 2 texts changed``."""
    counts = (
        (len(comparison.visible_facts), "value"),
        (len(comparison.claims), "claim"),
        (len(comparison.figures), "figure"),
        (len(comparison.texts), "text"),
        (len(comparison.raw), "raw file"),
    )
    words = [f"{n:,} {word}{'s' if n > 1 else ''}" for n, word in counts if n]
    return f"{listed(words)} changed" if words else "no value, figure or text changed"


def _wanted(name: str) -> bool:
    return name in (FACTS, PROVENANCE) or name.startswith(_COMPARED)


def _compared(build: Build) -> Build:
    """A build with the files alone that a comparison reads."""
    return replace(build, files={n: d for n, d in build.files.items() if _wanted(n)})


def _fetch(destination: Destination, release: Release, folder: Path) -> None:
    """Bring what a comparison reads of a release into a folder."""
    path = f"{release.path}/{MANIFEST}"
    manifest = destination.read([path]).get(path, b"")
    try:
        names = filter(safe_name, parse(manifest, Manifest).files)
        paths = [f"{release.path}/{name}" for name in names if _wanted(name)]
    except ValueError as error:
        mend = "publish the release before again"
        raise user_error(f"cannot be read: {error}", path, mend=mend) from None
    for place, content in {**destination.read(paths), path: manifest}.items():
        target = folder / place.removeprefix(f"{release.path}/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
