"""The cases: what a user does, and what is measured of it.

A case is a generator over one side, that is, over copies of one checkout. Up to its
first ``yield`` it prepares; each ``next`` is one round, whose numbers it yields. Sides
are asked by turns. Of a checkout only what every state of the project has is used:
``workflow.build``, ``analysis ingest`` and files.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchmarks import campaigns
from benchmarks.cost import CPU, Numbers, run
from benchmarks.project import copy_project

ALL, EDITION = "all", "linux-veth"
SENTENCE = "\nThis sentence is new.\n"
_BUILT = ("data/build", "report/build", ".snakemake")
_SETTLED = 3  # seconds after which a file's date alone says that it is as it was


@dataclass
class Side:
    """A checkout and its Python; ``folder`` is for copies of it, ``shared`` for input
    that is the same on all sides."""

    checkout: Path
    python: str
    folder: Path
    shared: Path
    options: argparse.Namespace

    @cached_property
    def project(self) -> Path:
        """A copy of the checkout."""
        return copy_project(self.folder / "project", root=self.checkout)

    @cached_property
    def made(self) -> Path:
        """A copy whose one edition and campaign, of ``--runs`` runs, are made."""
        project = campaigns.project(self.folder / "made", self.checkout)
        campaigns.write_logs(project / "raw/lab", self.options.runs)
        campaigns.write_edition(project, ["lab"])
        time.sleep(_SETTLED)
        return project

    def editions(self) -> list[Path]:
        """Folders of the texts of the chosen editions."""
        if self.options.edition != ALL:
            return [self.project / "report" / self.options.edition]
        return sorted(p.parent for p in self.project.glob("report/*/edition.yaml"))

    def build(self, project: Path, edition: str = ALL) -> Numbers:
        """Build one edition or all, cold where nothing is built."""
        command = [self.python, "-m", "workflow.build"]
        return run(command + ["--edition", edition] * (edition != ALL), project)

    def build_chosen(self) -> Numbers:
        """Build what ``--edition`` says."""
        return self.build(self.project, self.options.edition)

    def ingest(self, name: str, write: Callable[[Path, int], None]) -> Numbers:
        """Read a campaign that is made once, of the size that the option has."""
        campaign, tables = self.shared / name, self.folder / "tables"
        size = self.options.logs if name == "logs" else self.options.megabytes
        if not campaign.exists():
            write(campaign, size)
        shutil.rmtree(tables, ignore_errors=True)
        command = [self.python, "-m", "analysis", "ingest", "--campaign", str(campaign)]
        numbers = run([*command, "--out", str(tables)], self.project)
        if name == "logs":
            return numbers | {"logs per CPU s": size / numbers[CPU]}
        read = sum(p.stat().st_size for p in campaign.rglob("*") if p.is_file())
        return numbers | {"MB per CPU s": read / 1e6 / numbers[CPU]}


_PAGES = ("index.html", "explorer.html", "facts.html")
_PHONE, _SLOW = 390, 4  # CSS pixels; how many times slower its processor is
_MEASURED = """document.fonts.ready.then(() => ({
  elements: document.querySelectorAll("*").length,
  ready: performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd }))"""
Rounds = Iterator[Numbers]


def cold(side: Side) -> Rounds:
    """build an edition (or all) from nothing: raw files to HTML and PDF"""
    while True:
        _forget(side.project)
        yield side.build_chosen()


def sentence(side: Side) -> Rounds:
    """build again after one sentence was edited"""
    side.build_chosen()
    texts = (p for e in side.editions() for p in e.glob("studies/*/observations.md"))
    text = min(texts)
    while True:
        with text.open("a", encoding="utf-8") as opened:
            opened.write(SENTENCE)
        yield side.build_chosen()


def file(side: Side) -> Rounds:
    """build again after one log was added to a made campaign of --runs runs"""
    side.build(side.made)
    while True:
        campaigns.more_log(side.made / "raw/lab")
        yield side.build(side.made)


def nothing(side: Side) -> Rounds:
    """build again when there is nothing to do"""
    side.build_chosen()
    while True:
        yield side.build_chosen()


def smf(side: Side) -> Rounds:
    """read a dump of SMF, of --megabytes: types 30, 70 to 74 and 119"""
    while True:
        yield side.ingest("smf", campaigns.write_dumps)


def xml(side: Side) -> Rounds:
    """read RMF's XML, of --megabytes: CPU, workload, channel and device reports"""
    while True:
        yield side.ingest("xml", campaigns.write_xml)


def logs(side: Side) -> Rounds:
    """read --logs logs of netperf and uperf"""
    while True:
        yield side.ingest("logs", campaigns.write_logs)


def runs(side: Side) -> Rounds:
    """build a made campaign of --runs runs from nothing"""
    while True:
        _forget(side.made)
        yield side.build(side.made)


def page(side: Side) -> Rounds:
    """weight of the built pages, and time until ready on a phone of a slow processor"""
    side.build_chosen()
    editions = [folder.name for folder in side.editions()]
    while True:
        yield {
            f"{edition} {name}" if len(editions) > 1 else name: number
            for edition in editions
            for name, number in _measure_pages(
                side.project / "report/build" / edition
            ).items()
        }


def _measure_pages(build: Path) -> Numbers:
    """Words and pages of an edition, and of each of its pages MB, elements and, where
    Chromium is installed, seconds until it answers on a slow phone.

    A first visit is not counted, as a browser that has just started takes seconds for
    its own work.
    """
    from tests.report.amount import amount
    from tests.report.browser import CHROMIUM
    from tests.report.devtools import browser

    reading = amount(build / "index.html")
    numbers: Numbers = {
        "words": reading.words,
        "pages of PDF": reading.pages,
        "bad page breaks": len(reading.faults),
    }
    pages = [page for name in _PAGES if (page := build / name).exists()]
    for page in pages:
        numbers[f"{page.name}, MB"] = page.stat().st_size / 1e6
    if not CHROMIUM:
        return numbers
    with (
        # Parts of the browser write for a moment after it was asked to end.
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        browser(Path(folder)) as running,
    ):
        for page in pages:
            tab = running.open(page.as_uri(), _PHONE, slow=_SLOW)
            tab.go(page.as_uri())
            answer = tab.ask(_MEASURED)
            tab.close()
            numbers[f"{page.name}, elements"] = answer["elements"]
            numbers[f"{page.name}, s until ready"] = answer["ready"] / 1000
    return numbers


def _forget(project: Path) -> None:
    for name in _BUILT:
        shutil.rmtree(project / name, ignore_errors=True)


CASES: dict[str, Callable[[Side], Rounds]] = {
    case.__name__: case
    for case in (cold, sentence, file, nothing, smf, xml, logs, runs, page)
}
