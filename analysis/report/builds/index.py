"""Pages that list what was built: all editions, or the files of one.

They read the manifest.json of each build and need no other file.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from analysis.errors import user_error
from analysis.facts.fact import FACTS
from analysis.facts.sentences import listed
from analysis.facts.units import date_text
from analysis.files.atomic import MANIFEST, alone_in, write_all
from analysis.report.across.library import Library
from analysis.report.across.page import PAGE as ACROSS
from analysis.report.across.page import write_across
from analysis.report.beside.answers import SEARCH, SearchIndex, read_index
from analysis.report.builds.built import BUILDS, REPORT, find_builds, left_out
from analysis.report.builds.site_search import site_search
from analysis.report.document.compose import metadata
from analysis.report.material import Material
from analysis.report.output import OUTPUTS, files_of, known_files, link_words
from analysis.report.pages.fonts import CACHE
from analysis.report.pages.html_page import html_page
from analysis.report.review.state import Reviews

START = "index.html"
CATALOGUE = "catalogue.html"  # the page of all campaigns
_WANTED = ("edition", "title", "date", "status", "build")
_COUNTED = ("studies", "figures", "tables", "facts", "runs_used", "runs_excluded")
_ONE = {"studies": "study"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis index``."""
    parser.add_argument("--builds", type=Path, default=BUILDS)
    parser.add_argument("--report", type=Path, default=REPORT, help="the editions")
    parser.add_argument("--out", type=Path, default=Path("report/build/index.html"))
    parser.add_argument("--templates", type=Path, default=Path("templates"))
    parser.add_argument("--facts", type=Path, default=FACTS)
    parser.add_argument("--fonts", type=Path, default=CACHE, help="cache of web fonts")


def run(args: argparse.Namespace) -> int:
    """Write the page; 0 also where there is no edition yet."""
    # Before the first edition, the folder of the builds is made for the page.
    if not args.builds.is_dir() and args.builds != args.out.parent:
        mend = "name the folder of the builds, or run 'make report' first"
        raise user_error("there is no such folder", args.builds, mend=mend)
    library = Library(args.report, args.facts)
    for issue in write_across(args.out.parent, library, args.templates):
        print(f"warning: {issue}", file=sys.stderr)
    places = args.out, args.builds, args.report, args.templates, args.fonts
    gone, count = write_index(*places)
    for folder in gone:
        print(left_out(folder, args.report))
    many = f"{count} {'edition' if count == 1 else 'editions'}"
    begun = "begun; each edition is added when it is built"
    print(f"{args.out}: {many if count else begun}")
    return 0


def write_index(
    out: Path,
    builds: Path,
    report: Path = REPORT,
    templates: Path = Path("templates"),
    fonts: Path = CACHE,
) -> tuple[list[Path], int]:
    """Write the page; the builds of editions that are gone, and how many are listed.

    Where several editions are built at a time, the last page lists all of them: each
    looks for builds while no other writes.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    with alone_in(out.parent):
        folders, gone = find_builds(builds, report)
        entries = read_entries(folders, out.parent)
        beside = {name for name in (ACROSS, CATALOGUE) if (out.parent / name).is_file()}
        page = index_page(entries, templates, beside, fonts)
        write_all(out.parent, {out.name: page.encode()})
    return gone, len(entries)


@dataclass(frozen=True)
class FormatLink:
    """A file of an edition: its format, and the words and address of a link to it."""

    format: str
    words: str
    address: str


@dataclass(frozen=True)
class Entry:
    """One edition on the page; ``links`` are relative to it."""

    id: str
    title: str
    subtitle: str
    headline: str
    date: str
    date_text: str
    year: int
    number: str
    status: str
    build: str
    engine: str
    about: tuple[str, ...]
    searched: SearchIndex
    links: tuple[FormatLink, ...]
    product: str = ""

    @property
    def is_talk(self) -> bool:
        """Whether it comes as slides alone."""
        known = [OUTPUTS[link.format] for link in self.links if link.format in OUTPUTS]
        return bool(known) and all(output.folder for output in known)


def read_entries(builds: Sequence[Path], start: Path) -> list[Entry]:
    """The finished builds in these folders, newest first, linked from ``start``.

    A manifest that cannot be read is a :class:`analysis.errors.UserError`.
    """
    by_title = sorted((_entry(b, start) for b in builds), key=lambda entry: entry.title)
    return sorted(by_title, key=lambda one: (one.year, one.date), reverse=True)


def by_product(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """Entries, which are newest first, by their products: reports before talks.

    The product with the newest entry is first; what names no product is last.
    """
    products = sorted((entry.product for entry in entries), key=lambda name: not name)
    return {
        product: sorted(
            (entry for entry in entries if entry.product == product),
            key=lambda entry: entry.is_talk,
        )
        for product in dict.fromkeys(products)
    }


def _entry(folder: Path, start: Path) -> Entry:
    manifest, date = _read(folder / MANIFEST)
    files = known_files(manifest, lambda name: (folder / name).exists())
    relative = os.path.relpath(folder, start)
    searched = folder / SEARCH
    text = searched.read_bytes() if searched.is_file() else None
    return Entry(
        id=manifest["edition"],
        title=manifest["title"],
        subtitle=manifest.get("subtitle") or "",
        headline=str(manifest.get("headline") or ""),
        date=manifest["date"],
        date_text=date_text(date),
        year=manifest.get("year") or date.year,
        number=manifest.get("number") or "",
        status=manifest["status"],
        build=manifest["build"],
        engine=manifest.get("engine") or "",
        about=_about(manifest),
        product=str(manifest.get("product") or ""),
        searched=read_index(text) or SearchIndex(),
        links=tuple(
            FormatLink(id, link_words(id), quote(Path(relative, name).as_posix()))
            for id, name in files.items()
        ),
    )


def _read(path: Path) -> tuple[dict[str, Any], dt.date]:
    """A manifest and its date."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise user_error(f"not JSON: {error}", path, mend="build it again") from None
    known = found if isinstance(found, dict) else {}
    if missing := ", ".join(name for name in _WANTED if name not in known):
        raise user_error(f"the manifest lacks {missing}", path, mend="build it again")
    if not isinstance(known.get("formats", {}), dict):
        raise user_error("formats is no mapping", path, mend="build it again")
    try:
        return known, dt.date.fromisoformat(known["date"])
    except ValueError:
        what = f"not a date: {known['date']!r}"
        raise user_error(what, path, mend="write it as 2026-01-31") from None


def _about(manifest: Mapping[str, Any]) -> tuple[str, ...]:
    """``1 study``, ``1,200 facts``, and what these are."""
    counts, found = manifest.get("counts") or {}, list[str]()
    for name in _COUNTED:
        if number := counts.get(name):
            noun, _, rest = name.partition("_")
            word = _ONE.get(noun, noun.removesuffix("s")) if number == 1 else noun
            found.append(f"{number:,} {word} {rest}".rstrip())
    origins = ", ".join(manifest.get("origins") or ())
    return (*found, *filter(None, [origins, str(manifest.get("sizes") or "")]))


def index_page(
    entries: list[Entry],
    templates: Path,
    beside: Collection[str] = (),
    fonts: Path = CACHE,
) -> str:
    """The page as HTML; it holds its style and asks the network for nothing.

    ``beside`` are the pages across editions and of campaigns that are there.
    """
    pages = [
        (entry.title, entry.links[0].address, entry.searched)
        for entry in entries
        if entry.links
    ]
    # What each edition is, where all of them come in the same formats.
    alike = {tuple(link.format for link in entry.links) for entry in entries}
    whole = [OUTPUTS[id].whole for ids in alike for id in ids if id in OUTPUTS]
    known: dict[str, Any] = {
        "products": by_product(entries),
        "count": len(entries),
        "each": f"Each is {listed(whole)}." if whole and len(alike) == 1 else "",
        "across": ACROSS in beside,
        "catalogue": CATALOGUE in beside,
        **site_search(pages, templates),
    }
    return html_page(templates, "editions.html.j2", known, fonts=fonts)


def start_page(
    material: Material, states: Reviews, templates: Path, fonts: Path = CACHE
) -> dict[str, str]:
    """``index.html`` of an edition that comes in no format of that name: its files.

    A web server shows a folder by that page. Without it, who opens the address of an
    edition that is a PDF alone meets a list of files or an error. The page by its name;
    empty where a format of the edition is that file.
    """
    files = files_of(material.edition, material.id)
    if START in files.values():
        return {}
    known: dict[str, Any] = {
        "about": metadata(material, states),
        "files": [(OUTPUTS[id], quote(name)) for id, name in files.items()],
    }
    return {START: html_page(templates, "start.html.j2", known, fonts=fonts)}
