"""Builds or releases that can be asked: what each is, and its index."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

from analysis.ask.rank import Ranking
from analysis.declared.workload import parse_workload
from analysis.errors import user_error
from analysis.facts.fact import Fact, fact_key, read_facts
from analysis.files import limits
from analysis.publish.build import FACTS, MANIFEST, Build, read_build
from analysis.publish.release import CURRENT, ROOT
from analysis.report.beside.answers import SEARCH, IndexedStudy, SearchIndex, read_index
from analysis.report.beside.ledger import trace_id

_REBUILD = "build the edition again: make report"
_WEB = re.compile(r"https?://[A-Za-z0-9][A-Za-z0-9.:-]*(/[A-Za-z0-9._~%/+@,=-]*)?")
_MOST = 50  # builds that are asked at once


@dataclass(frozen=True)
class AskedBuild:
    """A build that is asked: its folder and index, and where readers find it.

    ``at`` is the address of its folder, or its path.
    """

    build: Build
    index: SearchIndex
    at: str

    @property
    def id(self) -> str:
        """The edition."""
        return self.build.edition

    @property
    def year(self) -> int:
        """The year in which its results were first published."""
        manifest = self.build.manifest
        return int(manifest.get("year") or str(manifest["date"])[:4])

    @cached_property
    def studies(self) -> dict[str, IndexedStudy]:
        """Its studies by id."""
        return {study.id: study for study in self.index.studies}

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """Its facts by key."""
        facts = read_facts(self.build.folder / FACTS).facts
        return {fact.key: fact for fact in facts}

    def page(self, anchor: str = "") -> str:
        """The address of its page, or of a place in it."""
        names = [section.page for section in self.index.sections if section.page]
        name = [*names, *self.build.formats.values(), "index.html"][0]
        return f"{self.at}/{name}" + (f"#{quote(anchor)}" if anchor else "")

    def place(self, study: str) -> str:
        """The address of a study: its section; of slides its rows of the explorer."""
        at = self.studies[study].at
        return self.page(at) if at else f"{self.at}/explorer.html?study={study}"

    def trace(self, key: str) -> str:
        """The address of a fact, with its runs and raw files."""
        return f"{self.at}/facts.html#{quote(trace_id(key))}"


@dataclass(frozen=True)
class AskedBuilds:
    """All builds that are asked, those of the newest results first."""

    builds: tuple[AskedBuild, ...]
    templates: Path

    @cached_property
    def ranking(self) -> Ranking:
        """The ranking of all their rows."""
        return Ranking([one.index for one in self.builds], self.templates)

    def build(self, edition: str) -> AskedBuild:
        """One of them; a :class:`UserError` names those that are there."""
        for one in self.builds:
            if one.id == edition:
                return one
        known = ", ".join(one.id for one in self.builds)
        raise user_error(f"there is no edition {edition[:80]!r}", mend=f"name {known}")

    def metric_label(self, id: str) -> str:
        """What readers call a metric."""
        every = (one.index.metrics.get(id) for one in self.builds)
        return next(filter(None, every), (id, []))[0]

    def fact(self, key: str, edition: str = "") -> tuple[AskedBuild, Fact]:
        """A fact by its key, of one edition or of the newest that has it."""
        places = [self.build(edition)] if edition else self.builds
        for one in sorted(places, key=lambda one: not self._derives(one, key)):
            if key in one.facts:
                return one, one.facts[key]
        having = [one.id for one in self.builds if key in one.facts]
        mend = f"it is of {having[0]}" if having else "take a key from an answer"
        where = f" in {edition}" if edition else ""
        raise user_error(f"there is no fact {key[:200]!r}{where}", mend=mend)

    def _derives(self, one: AskedBuild, key: str) -> bool:
        study = one.studies.get(key.partition(".")[0])
        return study is not None and study.home == one.id


def add_address(parser: argparse.ArgumentParser) -> None:
    """The option that says where readers find what is asked."""
    help = "where it is served, https://…: answers lead there, not to files"
    parser.add_argument("--address", default="", help=help)


def read_asked(place: Path, templates: Path, address: str = "") -> AskedBuilds:
    """What a folder holds: a build or release, builds, or a site with releases.

    Answers lead to its files, or below the ``address`` at which the folder is served.
    Those that were built before questions could be asked are left out. A
    :class:`analysis.errors.UserError` where all are such, where there is none, or where
    one is damaged.
    """
    if address and not _WEB.fullmatch(address):
        what = f"--address: {address[:80]!r} will not do"
        raise user_error(what, mend="write it as https://intranet.example.com/reports")
    if not place.is_dir():
        mend = "name that of a release"
        raise user_error("there is no such folder", place, mend=mend)
    found = [place] if (place / MANIFEST).is_file() else [
        path.parent
        for pattern in (f"*/{MANIFEST}", f"{ROOT}/*/{CURRENT}/{MANIFEST}")
        for path in sorted(place.glob(pattern))
    ]  # fmt: skip
    if not found:
        mend = "name a release, or run 'make report' first"
        raise user_error("there is no finished build here", place, mend=mend)
    # Older releases of a site have no index; that of a single one is asked for.
    having = [folder for folder in found if (folder / SEARCH).is_file()] or found
    known = [
        AskedBuild(read_build(folder), _index(folder), _served(folder, place, address))
        for folder in having[:_MOST]
    ]
    known.sort(key=lambda one: (one.year, one.build.manifest["date"]), reverse=True)
    return AskedBuilds(tuple(known), templates)


def _served(folder: Path, place: Path, address: str) -> str:
    parts = map(quote, folder.relative_to(place).parts)
    return "/".join([address.rstrip("/"), *parts]) if address else folder.as_posix()


def _index(folder: Path) -> SearchIndex:
    path = folder / SEARCH
    if not path.is_file():
        what = "it was built before questions could be asked"
        raise user_error(what, folder, mend=_REBUILD)
    with open(path, "rb") as stream:
        content = stream.read(limits.DOCUMENT_BYTES + 1)
    index = read_index(content) if len(content) <= limits.DOCUMENT_BYTES else None
    if index is None:
        raise user_error("not an index of answers", path, mend=_REBUILD)
    return index


def row_keys(row: Sequence[str]) -> tuple[str, str, str]:
    """The keys of a row's facts: of its change, its value, and that of its baseline;
    empty where it has none."""
    study, workload, role, metric, test, baseline, *_ = row
    slug = parse_workload(workload).slug

    def key(arm: str, delta: bool = False) -> str:
        return fact_key(study, slug, role or None, metric, arm, delta) if arm else ""

    return key(test, delta=True) if baseline else "", key(test), key(baseline)
