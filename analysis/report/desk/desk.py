"""The desk: all editions, and what its pages need."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from watchfiles import watch

from analysis.declared.edition import Edition, find_editions, read_edition
from analysis.errors import UserError
from analysis.files.inputs import is_draft
from analysis.report.desk.exchange import Exchange
from analysis.report.desk.journal import JOURNAL, Journal
from analysis.report.desk.live import DECLARED, REMARKS, Live
from analysis.report.desk.parts import Marking
from analysis.report.desk.repository import BRANCH, Repository
from analysis.report.desk.saving import Workbench
from analysis.report.desk.stage import Stage, script_of
from analysis.report.desk.team import TeamFile
from analysis.report.material import Sources
from analysis.report.preview.page import PageMaker

FOLDER = "desk"  # of the templates
_STYLE, _SCRIPT = "text/css; charset=utf-8", "text/javascript; charset=utf-8"


@dataclass(frozen=True)
class Draft:
    """An edition in the list; ``problem`` says why it cannot be shown."""

    id: str
    title: str
    edition: Edition | None
    approved: int = 0
    stale: int = 0
    asked: int = 0
    read: bool = False
    problem: str = ""


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

    @cached_property
    def benches(self) -> Mapping[str, Workbench]:
        """Where the texts of each edition are edited."""
        return {id: Workbench(live, self.journal) for id, live in self.lives.items()}

    def problems(self, edition: str = "") -> list[str]:
        """What somebody has to look at, of an edition or in all."""
        out = self.exchange.problems if self.exchange else {}
        if edition:
            return [out[edition]] if edition in out else []
        people = [self.team.problem] if self.team and self.team.problem else []
        return [*self.notices, *people, *self.journal.waiting(), *out.values()]

    def recover(self) -> None:
        """Do what a crash left in the journal; what cannot be done is told."""
        self.notices += self.journal.recover()

    def listed(self) -> Iterator[Draft]:
        """All editions in the order of their names."""
        for id, live in self.lives.items():
            try:
                edition = read_edition(self.report / id)
            except UserError as error:
                yield Draft(id, id, None, problem=str(error))
                continue
            yield _listed(id, edition, live)

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
            watch_filter=_is_ours,
            stop_event=stop,
            recursive=True,
            debounce=100,
            step=10,
            rust_timeout=500,
        ):
            self._take_up({Path(path) for _, path in changes}, facts)

    def _take_up(self, paths: set[Path], facts: Path) -> None:
        facts = facts.absolute()
        if any(path.is_relative_to(facts) for path in paths):
            for live in self.lives.values():
                live.forget()
            return
        if any(path.is_relative_to(self.templates.absolute()) for path in paths):
            for live in self.lives.values():
                if live.page:
                    live.update()
        for id, live in self.lives.items():
            home = (self.report / id).absolute()
            own = {p for p in paths if p.is_relative_to(home)}
            if any(path.name in REMARKS for path in own):
                live.remarked()
            own = {path for path in own if path.name not in REMARKS}
            if own and live.page and not all(map(live.knows, own)):
                declared = any(path.name in DECLARED for path in own)
                (live.forget if declared else live.update_texts)()


def _listed(id: str, edition: Edition, live: Live) -> Draft:
    if live.maker.read is None:
        return Draft(id, live.title, edition, problem=live.stage.problem)
    states = [review.state for review in live.maker.read.states.asked]
    approved, stale = states.count("approved"), states.count("stale")
    problem = live.stage.problem
    return Draft(id, live.title, edition, approved, stale, len(states), True, problem)


def make_desk(
    sources: Mapping[str, Sources],
    documents: Path,
    journal: Path = JOURNAL,
    branch: str = BRANCH,
) -> Desk:
    """The desk of some editions; what it renders lies in ``documents``."""
    first = next(iter(sources.values()))
    templates = first.templates
    head = (
        '<link rel="stylesheet" href="/desk/desk.css">'
        '<script type="module" src="/desk/desk.js"></script>'
    )
    lives = {
        id: Live(
            PageMaker(id, own, documents / id, dress=Marking()),
            Stage(script_of(templates), head),
        )
        for id, own in sources.items()
    }
    repository = Repository(first.report, branch)
    kept = Journal(journal, first.report, repository if repository.there() else None)
    return Desk(lives, _assets(templates), templates, first.report, kept)


def sources_of_all(report: Path, facts: Path, figures: Path) -> dict[str, Sources]:
    """Where the files of each edition lie."""
    return {
        id: Sources(facts, figures / id, report) for id in sorted(find_editions(report))
    }


def _assets(templates: Path) -> dict[str, tuple[str, bytes]]:
    folder = templates / FOLDER
    found = {p.name: (_SCRIPT, p.read_bytes()) for p in sorted(folder.glob("*.js"))}
    styles = {p.name: (_STYLE, p.read_bytes()) for p in sorted(folder.glob("*.css"))}
    return found | styles


def _is_ours(_: object, path: str) -> bool:
    name = Path(path).name
    return not is_draft(name) and not name.endswith(".swp")
