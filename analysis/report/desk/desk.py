"""The desk: all editions, and what its pages need."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from watchfiles import watch

from analysis.declared.edition import Edition, find_editions, read_edition
from analysis.errors import UserError
from analysis.files.inputs import is_draft
from analysis.report.desk.exchange import Exchange
from analysis.report.desk.live import Live
from analysis.report.desk.passages import Marking
from analysis.report.desk.people import TeamFile
from analysis.report.desk.stage import Stage, script_of
from analysis.report.desk.store import BRANCH, JOURNAL, Journal, Repository
from analysis.report.material import Sources
from analysis.report.preview.page import PageMaker

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}
_HEAD = (
    '<link rel="stylesheet" href="/desk/desk.css">'
    '<script type="module" src="/desk/desk.js"></script>'
)


@dataclass(frozen=True)
class Draft:
    """An edition in the list; ``problem`` says why it cannot be shown."""

    id: str
    title: str
    edition: Edition | None
    problem: str = ""
    approved: int = 0
    stale: int = 0
    asked: int = 0
    read: bool = False


@dataclass
class Desk:
    """``assets`` are scripts and styles of the desk: type and bytes, by name.

    ``notices`` are what somebody has to look at, ``exchange`` is with a remote, and
    ``team`` has the people of a desk that is not one person's alone.
    """

    lives: Mapping[str, Live]
    assets: Mapping[str, tuple[str, bytes]]
    templates: Path
    report: Path
    journal: Journal
    notices: list[str] = field(default_factory=list)
    exchange: Exchange | None = None
    team: TeamFile | None = None

    def problems(self, edition: str = "") -> list[str]:
        """What somebody has to look at, of an edition or in all."""
        remote = self.exchange.problems if self.exchange else {}
        if edition:
            return [remote[edition]] if edition in remote else []
        people = [self.team.problem] if self.team and self.team.problem else []
        return [*self.notices, *people, *self.journal.waiting(), *remote.values()]

    def recover(self) -> None:
        """Do what a crash left in the journal; what cannot be done is a notice."""
        self.notices += self.journal.recover()

    def drafts(self) -> Iterator[Draft]:
        """All editions in the order of their names."""
        for id, live in self.lives.items():
            try:
                edition = read_edition(self.report / id)
            except UserError as error:
                yield Draft(id, id, None, str(error))
                continue
            draft = id, live.title, edition, live.stage.problem
            if read := live.maker.read:
                states = [review.state for review in read.states.asked]
                counts = states.count("approved"), states.count("stale"), len(states)
                yield Draft(*draft, *counts, read=True)
            else:
                yield Draft(*draft)

    def warm(self) -> None:
        """Read all editions, so that nobody waits for the first page."""
        for live in self.lives.values():
            live.open()

    def follow(self, stop: threading.Event | None = None) -> None:
        """Take up what changes on disk, until ``stop``."""
        facts = next(iter(self.lives.values())).maker.sources.facts
        folders = (self.report, self.templates, facts)
        for changes in watch(
            *(folder for folder in folders if folder.exists()),
            watch_filter=_counts,
            stop_event=stop,
            recursive=True,
            debounce=100,
            step=10,
            rust_timeout=500,
        ):
            self.take_up({Path(path) for _, path in changes}, facts)

    def take_up(self, paths: set[Path], facts: Path) -> None:
        """Show what changed in files of these paths."""
        facts, templates = facts.absolute(), self.templates.absolute()
        measured = any(path.is_relative_to(facts) for path in paths)
        styled = any(path.is_relative_to(templates) for path in paths)
        for live in self.lives.values():
            if measured:
                live.forget()
                continue
            if styled and live.page:
                live.update()
            live.take_up(paths)


def make_desk(
    sources: Mapping[str, Sources],
    documents: Path,
    folder: Path = JOURNAL,
    branch: str = BRANCH,
) -> Desk:
    """The desk of some editions; what it renders lies in ``documents``.

    ``folder`` is that of the journal.
    """
    first = next(iter(sources.values()))
    templates, repository = first.templates, Repository(first.report, branch)
    there = repository if repository.there() else None
    journal, script = Journal(folder, first.report, there), script_of(templates)
    lives = {
        id: Live(
            PageMaker(id, one, documents / id, dress=Marking()),
            Stage(script, _HEAD),
            journal,
        )
        for id, one in sources.items()
    }
    files = sorted((templates / "desk").glob("*.*s"))
    assets = {path.name: (_TYPES[path.suffix], path.read_bytes()) for path in files}
    return Desk(lives, assets, templates, first.report, journal)


def sources_of_all(report: Path, facts: Path, figures: Path) -> dict[str, Sources]:
    """Where the files of each edition lie."""
    return {
        id: Sources(facts, figures / id, report) for id in sorted(find_editions(report))
    }


def _counts(_: object, path: str) -> bool:
    name = Path(path).name
    return not is_draft(name) and not name.endswith(".swp")
