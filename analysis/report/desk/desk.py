"""The desk: an edition as it is shown, all of them, and what their pages need.

An edition is rendered when asked for, and after each change. It has one lock: who
renders is alone, and whoever saves knows what is there.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from watchfiles import watch

from analysis.declared.edition import Edition, find_editions, read_edition
from analysis.errors import UserError
from analysis.files.hashes import state_of
from analysis.files.inputs import is_draft
from analysis.files.templates import template_files
from analysis.report.beside.frame import pages_in
from analysis.report.builds.built import BUILDS
from analysis.report.builds.third_party import PAGE, third_party_page
from analysis.report.checks.claims import Checked
from analysis.report.desk.exchange import Exchange
from analysis.report.desk.looks import Looks, seen_of
from analysis.report.desk.parts import Marking
from analysis.report.desk.people import ActionLog, TeamFile
from analysis.report.desk.stage import Stage, script_of
from analysis.report.desk.store import JOURNAL, Journal, Repository
from analysis.report.material import Sources
from analysis.report.preview.page import NOTHING, Page, PageMaker, Unsaved
from analysis.report.review.authors import BRANCH
from analysis.report.review.remarks import COMMENTS
from analysis.report.text.reviewed import read_reviewed
from analysis.report.text.texts import OBSERVATIONS, Text, own_texts

_PRESENT_SECONDS = 120.0
# Of these facts and pages are made.
DECLARED = "study.yaml", "edition.yaml", "glossary.yaml", "references.bib"
_BESIDE = {
    ".json": "application/json",
    ".html": "text/html; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".svg": "image/svg+xml",
}
_States = dict[Path, list[int]]


@dataclass
class Live:
    """One edition on a stage. ``page`` is None until it could be rendered once.

    ``release`` is what was begun of one. ``editing`` has by person and part the
    person's name and when they had it open last, in seconds.
    """

    maker: PageMaker
    stage: Stage
    journal: Journal
    page: Page | None = None
    lock: threading.RLock = field(default_factory=threading.RLock)
    undone: list[str] = field(default_factory=list)
    release: object = None
    editing: dict[tuple[str, str], tuple[str, float]] = field(default_factory=dict)
    _remarks: _States = field(default_factory=dict)
    _declared: _States = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The edition."""
        return self.maker.edition

    @property
    def title(self) -> str:
        """The edition's title, with what its numbers are; its id until it is read."""
        read = self.maker.read
        return read.checked.material.title if read else self.id

    @property
    def checked(self) -> Checked:
        """Texts and claims as the files have them."""
        return self.maker.checked_texts()

    def text(self, name: str) -> Text:
        """A text of the edition; a LookupError where it has none of that name."""
        checked = self.checked
        return own_texts(checked.texts, checked.material.edition)[name]

    def open(self) -> Stage:
        """The stage, with a page on it if there can be one; a save delays none."""
        if self.page is None:
            with self.lock:
                if self.page is None:
                    self._declared = self._states(DECLARED)
                    self.update()
        return self.stage

    @property
    def stamps(self) -> dict[str, str]:
        """What there is to see now of each review, by its id."""
        read = self.maker.read
        return {one.id: one.now.stamp for one in read.states.asked} if read else {}

    @cached_property
    def looks(self) -> Looks:
        """What each person looked at last."""
        return Looks(self.journal.folder / "looks" / f"{self.id}.json")

    def look(self, email: str, before: Mapping[str, str] | None = None) -> None:
        """Somebody looks at the page; or changed it, who had seen all ``before``."""
        now = self.stamps
        if before is not None:
            now = {
                id: stamp
                for id, stamp in now.items()
                if id in before and self.looks.last(email, id) == seen_of(before[id])
            }
        self.looks.note(email, now)

    def meet(self, name: str, email: str, part: str) -> list[str]:
        """Somebody has a part open; returns who else had, a moment ago."""
        now = time.monotonic()
        for key, (_, when) in list(self.editing.items()):
            if now - when > _PRESENT_SECONDS:
                self.editing.pop(key, None)
        others = [
            other
            for (who, what), (other, _) in list(self.editing.items())
            if what == part and who != email
        ]
        if email:
            self.editing[email, part] = name, now
        return sorted(set(others))

    def update(self, texts_only: bool = False) -> None:
        """Show the page of the files as they are, or what is wrong with them."""
        try:
            with self.lock:
                self.show(self.render(NOTHING, texts_only))
        except (UserError, OSError) as error:
            self.stage.fail(f"error: {error}")

    def forget(self) -> None:
        """Facts or declarations changed: read them anew."""
        with self.lock:
            self._declared = self._states(DECLARED)
            self.maker.forget()
            if self.page or self.stage.problem:
                self.update()

    def refresh(self) -> None:
        """Read facts and declarations anew where what is declared changed meanwhile."""
        if self._states(DECLARED) != self._declared:
            self.forget()

    def update_texts(self) -> None:
        """Texts changed, and nothing else."""
        self.update(texts_only=True)

    def take_up(self, paths: set[Path]) -> None:
        """Files changed on disk: show what is new in them."""
        home = self.maker.sources.report.absolute() / self.id
        mine = {path for path in paths if path.is_relative_to(home)}
        changed = {
            path for path in mine if path.name != COMMENTS
        }  # no page is made of these
        spoken = mine != changed and self.remarked()
        if spoken or not all(map(self._knows, changed)):
            self.see_undone()
        if self.page and not all(map(self._knows, changed)):
            declared = any(path.name in DECLARED for path in changed)
            (self.forget if declared else self.update_texts)()

    def see_undone(self) -> None:
        """Look whether Git took what was saved off the page."""
        git = self.journal.repository
        self.undone = git.undone(self.id) if git else []

    @property
    def undoing(self) -> str:
        """What Git took off the page and how it comes back, in words."""
        git = self.journal.repository
        if not self.undone or not git:
            return ""
        branch, files = git.branch.format(edition=self.id), " ".join(self.undone)
        return (
            f"{self.id}: Git put {', '.join(self.undone)} back to before what was "
            "saved at the desk, as a stash or a switch does. History has all of it; to "
            f"bring it back: git -C {git.folder} restore --source={branch} -- {files}"
        )

    def remarked(self) -> bool:
        """Let who has the page open know of what was said since the last time.

        Returns whether anything was.
        """
        before, self._remarks = self._remarks, self._states((COMMENTS,))
        if before != self._remarks:
            self.stage.remark()
        return before != self._remarks

    def render(self, unsaved: Unsaved, quick: bool = True) -> Page:
        """The page with some texts as they would be; an error where it cannot be."""
        page = self.maker.quick(self.page, unsaved) if quick and self.page else None
        return page or self.maker.whole(unsaved)

    def show(self, page: Page) -> None:
        """Put a page that was rendered on the stage."""
        if page.changed is None:
            self.stage.files |= files_beside(self.maker.document)
            about = third_party_page(self.maker.sources.templates).encode()
            self.stage.files[PAGE] = _BESIDE[".html"], about
        if page.changed == {}:
            self.stage.fail("")
        else:
            self.stage.show(page.html, page.changed)
        self.page = page

    def _knows(self, path: Path) -> bool:
        """Whether a file holds what the page was made from."""
        if path.name in DECLARED:
            return path.is_file() and self._declared.get(path) == state_of(path)
        read = self.maker.read
        for text in read.checked.texts.values() if read else ():
            if text.path.absolute() == path:
                claims = text.study is not None and path.stem == OBSERVATIONS
                try:
                    return read_reviewed(text.path, claims) == text.source
                except UserError:
                    return False
        return False

    def _states(self, names: tuple[str, ...]) -> _States:
        """The states of the files of some names, as they are about to be read."""
        home = (self.maker.sources.report / self.id).absolute()
        files = (path for name in names for path in sorted(home.rglob(name)))
        return {path: state_of(path) for path in files if path.is_file()}


def files_beside(document: Path) -> dict[str, tuple[str, bytes]]:
    """What a page leads to in its document's folder: type and bytes, by name."""
    files = {
        "facts.json": document / "facts.json",
        **{name: document / name for name in pages_in(document)},
        **{f"data/{path.name}": path for path in document.glob("data/*.csv")},
        **{f"figures/{path.parent.name}.svg": path
           for path in document.glob("figures/*/figure.svg")},
    }  # fmt: skip
    return {n: (_BESIDE[p.suffix], p.read_bytes()) for n, p in files.items()}


_ASSETS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}
_HEAD = (
    '<link rel="stylesheet" href="/desk/desk.css">'
    '<script type="module" src="/desk/desk.js"></script>'
)


@dataclass(frozen=True)
class Draft:
    """An edition in the list; ``problem`` says why it cannot be shown, and ``states``
    are those of its reviews, None until it was read."""

    id: str
    title: str
    edition: Edition | None
    problem: str = ""
    states: Sequence[str] | None = None


@dataclass
class Desk:
    """``assets`` are scripts and styles of the desk: type and bytes, by name.

    ``notices`` are what somebody has to look at, ``exchange`` is with a remote, and
    ``team`` has the people of a desk that is not one person's alone. ``mailing`` says
    why no mail could be sent, and ``building`` which editions a build has not finished.
    """

    lives: Mapping[str, Live]
    assets: Mapping[str, tuple[str, bytes]]
    templates: Path
    report: Path
    journal: Journal
    notices: list[str] = field(default_factory=list)
    exchange: Exchange | None = None
    team: TeamFile | None = None
    log: ActionLog = field(default_factory=lambda: ActionLog(None))
    mailing: str = ""
    building: Callable[[], str] = str

    def problems(self, edition: str = "") -> list[str]:
        """What somebody has to look at, of an edition or in all."""
        remote = self.exchange.problems if self.exchange else {}
        undone = [live.undoing for live in self.lives.values() if live.undone]
        if edition:
            return [*filter(None, (self.lives[edition].undoing, remote.get(edition)))]
        people = self.team.problem if self.team else ""
        others = people, self.log.problem, self.mailing, self.building()
        waiting = self.journal.waiting()
        return [*self.notices, *undone, *filter(None, others), *waiting,
                *remote.values()]  # fmt: skip

    def recover(self) -> None:
        """Do what a crash left in the journal; what cannot be done is a notice."""
        self.notices += self.journal.recover()
        for live in self.lives.values():
            live.see_undone()

    def drafts(self) -> Iterator[Draft]:
        """All editions in the order of their names."""
        for id, live in self.lives.items():
            try:
                edition = read_edition(self.report / id)
            except UserError as error:
                yield Draft(id, id, None, str(error))
                continue
            read = live.maker.read
            states = [review.state for review in read.states.asked] if read else None
            yield Draft(id, live.title, edition, live.stage.problem, states)

    def warm(self) -> None:
        """Read all editions, so that nobody waits for the first page."""
        for live in self.lives.values():
            live.open()

    def follow(self, stop: threading.Event | None = None) -> None:
        """Take up what changes on disk, until ``stop``."""
        id, live = next(iter(self.lives.items()))
        facts, figures = live.maker.sources.facts, live.maker.sources.figures
        made = facts, figures.parent if figures.name == id else figures
        for folder in (folder for folder in made if not folder.exists()):
            folder.mkdir(parents=True)  # which a build fills
        folders = (self.report, self.templates, *made)
        for changes in watch(
            *(folder for folder in folders if folder.exists()),
            watch_filter=_counts,
            stop_event=stop,
            recursive=True,
            debounce=100,
            step=10,
            rust_timeout=500,
        ):
            self.take_up({Path(path) for _, path in changes}, *made)

    def take_up(self, paths: set[Path], *made: Path) -> None:
        """Show what changed in files of these paths; facts and figures are ``made``."""
        places, templates = [m.absolute() for m in made], self.templates.absolute()
        measured = any(path.is_relative_to(one) for path in paths for one in places)
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
            Stage(script, _HEAD, BUILDS / id),
            journal,
        )
        for id, one in sources.items()
    }
    assets = {
        name: (_ASSETS[path.suffix], path.read_bytes())
        for name, path in template_files(templates, "desk").items()
        if path.suffix in _ASSETS
    }
    return Desk(lives, assets, templates, first.report, journal)


def sources_of_all(report: Path, facts: Path, figures: Path) -> dict[str, Sources]:
    """Where the files of each edition lie."""
    return {
        id: Sources(facts, figures / id, report) for id in sorted(find_editions(report))
    }


def _counts(_: object, path: str) -> bool:
    name = Path(path).name
    return not is_draft(name) and not name.endswith(".swp")
