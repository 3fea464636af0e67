"""An edition as the desk shows it: rendered when asked for, and after each change.

One lock an edition: who renders is alone, and whoever saves knows what is there.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path

from analysis.errors import UserError
from analysis.files.hashes import state_of
from analysis.report.beside.frame import PAGES
from analysis.report.builds.third_party import PAGE, third_party_page
from analysis.report.desk.stage import Stage
from analysis.report.preview.page import NOTHING, Page, PageMaker, Unsaved
from analysis.report.review.remarks import COMMENTS, SUGGESTIONS
from analysis.report.text.reviewed import read_reviewed
from analysis.report.text.texts import OBSERVATIONS, Text

REMARKS = COMMENTS, SUGGESTIONS  # no page is made of them
DECLARED = frozenset(
    ("study.yaml", "edition.yaml", "glossary.yaml", "references.bib")
)  # of which facts and pages are made
_TYPES = {
    ".json": "application/json",
    ".html": "text/html; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass
class Live:
    """One edition on a stage. ``page`` is None until it could be rendered once."""

    maker: PageMaker
    stage: Stage
    page: Page | None = None
    lock: threading.RLock = field(default_factory=threading.RLock)
    _said: list[tuple[int, ...]] = field(default_factory=list)
    _declared: dict[Path, list[int]] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The edition."""
        return self.maker.edition

    @property
    def title(self) -> str:
        """The edition's title, with what its numbers are; its id until it is read."""
        read = self.maker.read
        return read.checked.material.title if read else self.id

    def open(self) -> Stage:
        """The stage, with a page on it if there can be one."""
        with self.lock:
            if self.page is None:
                self._declared = self._declarations()
                self.update()
        return self.stage

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
            self._declared = self._declarations()
            self.maker.forget()
            if self.page:
                self.update()

    def refresh(self) -> None:
        """Read facts and declarations anew where what is declared changed meanwhile."""
        if self._declarations() != self._declared:
            self.forget()

    def update_texts(self) -> None:
        """Texts changed, and nothing else."""
        self.update(texts_only=True)

    def knows(self, path: Path) -> bool:
        """Whether a file holds what the page was made from."""
        if path.name in DECLARED:
            return path.is_file() and self._declared.get(path) == state_of(path)
        read = self.maker.read
        for text in read.checked.texts.values() if read else ():
            if text.path.absolute() == path:
                return self._is_read(text)
        return False

    def remarked(self) -> None:
        """Tell who has the page open of what was said of it since the last time."""
        home = self.maker.sources.report / self.id
        files = [path for name in REMARKS for path in home.rglob(name)]
        now = [tuple(state_of(path)) for path in sorted(files) if path.is_file()]
        if now != self._said:
            self._said = now
            self.stage.remark()

    def _declarations(self) -> dict[Path, list[int]]:
        """The states of what is declared, as it is about to be read."""
        home = (self.maker.sources.report / self.id).absolute()
        files = (path for name in DECLARED for path in home.rglob(name))
        return {path: state_of(path) for path in files if path.is_file()}

    def _is_read(self, text: Text) -> bool:
        try:
            claims = text.study is not None and text.path.stem == OBSERVATIONS
            return read_reviewed(text.path, claims) == text.source
        except UserError:
            return False

    def render(self, unsaved: Unsaved, quick: bool = True) -> Page:
        """The page with some texts as they would be; an error where it cannot be."""
        found = self.maker.quick(self.page, unsaved) if quick and self.page else None
        return found or self.maker.whole(unsaved)

    def show(self, page: Page) -> None:
        """Put a page that was rendered on the stage."""
        if page.changed is None:
            self.stage.files |= files_beside(self.maker.document)
            about = third_party_page(self.maker.sources.templates).encode()
            self.stage.files[PAGE] = _TYPES[".html"], about
        if page.changed == {}:
            self.stage.fail("")
        else:
            self.stage.show(page.html, page.changed)
        self.page = page


def files_beside(document: Path) -> dict[str, tuple[str, bytes]]:
    """What a page leads to in its document's folder: type and bytes, by name."""
    drawings = document.glob("figures/*/figure.svg")
    found = {
        "facts.json": document / "facts.json",
        **{name: document / name for name in PAGES},
        **{f"data/{path.name}": path for path in document.glob("data/*.csv")},
        **{f"figures/{path.parent.name}.svg": path for path in drawings},
    }
    return {n: (_TYPES[p.suffix], p.read_bytes()) for n, p in found.items()}
