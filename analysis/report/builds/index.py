"""Write the page that lists all built editions, with links to their files.

It reads the manifest.json of each build and needs no other file.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from analysis.errors import user_error
from analysis.facts.fact import FACTS
from analysis.facts.sentences import listed
from analysis.facts.units import date_text
from analysis.files.atomic import alone_in, write_all
from analysis.report.across.library import Library
from analysis.report.across.page import PAGE as ACROSS
from analysis.report.across.page import write_across
from analysis.report.builds.built import BUILDS, REPORT, find_builds, left_out
from analysis.report.builds.site_search import SECTIONS, read_sections, site_search
from analysis.report.output import OUTPUTS, known_files, link_words
from analysis.report.pages.fonts import CACHE, font_css
from analysis.report.pages.html_page import html_page, page_styles

TEMPLATE = "editions.html.j2"
CATALOGUE = "catalogue.html"  # the page of all campaigns
BESIDE = (ACROSS, CATALOGUE)
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
    for issue in write_across(
        args.out.parent, Library(args.report, args.facts), args.templates
    ):
        print(f"warning: {issue}", file=sys.stderr)
    gone, count = write_index(
        args.out, args.builds, args.report, args.templates, args.fonts
    )
    for folder in gone:
        print(left_out(folder, args.report))
    print(f"{args.out}: {_editions(count)}")
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
        beside = [name for name in BESIDE if (out.parent / name).is_file()]
        page = index_page(entries, templates, font_css(fonts), beside)
        write_all(out.parent, {out.name: page.encode()})
    return gone, len(entries)


def _editions(count: int) -> str:
    if not count:
        return "begun; each edition is added when it is built"
    return f"{count} {'edition' if count == 1 else 'editions'}"


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
    number: str
    status: str
    build: str
    engine: str
    about: tuple[str, ...]
    sections: tuple[dict[str, str], ...]
    links: tuple[FormatLink, ...]


def read_entries(builds: Sequence[Path], start: Path) -> list[Entry]:
    """The finished builds in these folders, newest first, linked from ``start``.

    A manifest that cannot be read is a :class:`analysis.errors.UserError`.
    """
    paths = [folder / "manifest.json" for folder in builds]
    entries = [_entry(path, _read(path), start) for path in paths]
    by_title = sorted(entries, key=lambda entry: entry.title)
    return sorted(by_title, key=lambda entry: entry.date, reverse=True)


def index_page(
    entries: list[Entry],
    templates: Path,
    fonts: str,
    beside: Sequence[str] = (),
) -> str:
    """The page as HTML; it holds its style and asks the network for nothing.

    ``beside`` are the pages of :data:`BESIDE` that are there.
    """
    styles = page_styles(templates, fonts)
    pages = [
        (entry.title, entry.links[0].address, list(entry.sections))
        for entry in entries
        if entry.links
    ]
    searched = site_search(pages, templates)
    known = {"editions": entries, "styles": styles, "each": _each(entries), **searched}
    known |= {"across": ACROSS in beside, "catalogue": CATALOGUE in beside}
    return html_page(templates, TEMPLATE, known)


def _each(entries: list[Entry]) -> str:
    """What each edition is, where all of them come in the same formats."""
    alike = {tuple(link.format for link in entry.links) for entry in entries}
    known = [OUTPUTS[id].whole for ids in alike for id in ids if id in OUTPUTS]
    return f"Each is {listed(known)}." if known and len(alike) == 1 else ""


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise user_error(f"not JSON: {error}", path, mend="build it again") from None
    wanted = ("edition", "title", "date", "status", "build")
    missing = [n for n in wanted if not isinstance(found, dict) or n not in found]
    if missing:
        names = ", ".join(missing)
        raise user_error(f"the manifest lacks {names}", path, mend="build it again")
    if not isinstance(found.get("formats", {}), dict):
        raise user_error("formats is no mapping", path, mend="build it again")
    return dict(found)


def _entry(path: Path, manifest: Mapping[str, Any], start: Path) -> Entry:
    folder = path.parent
    files = known_files(manifest, lambda name: (folder / name).exists())
    return Entry(
        id=manifest["edition"],
        title=manifest["title"],
        subtitle=manifest.get("subtitle") or "",
        headline=str(manifest.get("headline") or ""),
        date=manifest["date"],
        date_text=_date_text(manifest["date"], path),
        number=manifest.get("number") or "",
        status=manifest["status"],
        build=manifest["build"],
        engine=manifest.get("engine") or "",
        about=_about(manifest),
        sections=tuple(_sections(folder / SECTIONS)),
        links=tuple(
            FormatLink(id, link_words(id), _address(folder / name, start))
            for id, name in files.items()
        ),
    )


def _sections(path: Path) -> list[dict[str, str]]:
    return read_sections(path.read_bytes() if path.is_file() else None)


def _about(manifest: Mapping[str, Any]) -> tuple[str, ...]:
    counts = manifest.get("counts") or {}
    told = [_count(name, counts[name]) for name in _COUNTED if counts.get(name)]
    origins = manifest.get("origins") or ()
    return (*told, *([", ".join(origins)] if origins else []))


def _count(name: str, number: int) -> str:
    noun, _, rest = name.partition("_")
    word = _ONE.get(noun, noun.removesuffix("s")) if number == 1 else noun
    return f"{number:,} {word} {rest}".rstrip()


def _date_text(date: str, path: Path) -> str:
    try:
        day = dt.date.fromisoformat(date)
    except ValueError:
        raise user_error(
            f"not a date: {date!r}", path, mend="write it as 2026-01-31"
        ) from None
    return date_text(day)


def _address(path: Path, start: Path) -> str:
    return quote(Path(os.path.relpath(path, start)).as_posix())
