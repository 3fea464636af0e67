"""The page of an edition, made again and again while its texts are edited.

Only the parts whose text changed go through Pandoc; the others, and the frame round
them, keep their HTML. Where more changed than bodies of parts (headings, labels,
citations, footnotes), the whole document is rendered. :meth:`PageMaker.whole` renders
all of it, by the same steps as a report.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import unescape
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType

from analysis.errors import raise_if
from analysis.files.inputs import text_files
from analysis.report.checks.check import TextChecks
from analysis.report.checks.claims import Checked, check_texts
from analysis.report.document.assemble import assemble
from analysis.report.document.compose import Notes, compose
from analysis.report.document.document import Document
from analysis.report.document.generated import Generated
from analysis.report.document.kept_sections import Rendered
from analysis.report.document.noted import noted
from analysis.report.document.parts import DocumentPart, DocumentParts
from analysis.report.engines.engine import Renderer
from analysis.report.engines.pandoc import PandocEngine
from analysis.report.finding import Finding
from analysis.report.material import Material, Sources, read_material
from analysis.report.output import asked_outputs, outputs_of
from analysis.report.outputs.html import OUTPUT as PAGE
from analysis.report.outputs.html import changed_page, rendered_page
from analysis.report.review.state import Reviews, reviews
from analysis.report.text.texts import Text

_GLOSSARY = "sec-glossary"
_LINK = re.compile(
    r'<a href="#(?:ref-)?([^"]{1,200})" (?:class="reference"|role="doc-biblioref")>'
    "([^<]{1,200})</a>"
)
Unsaved = Mapping[str, str]
NOTHING: Unsaved = MappingProxyType({})


def _as_it_is(checked: Checked) -> Checked:
    return checked


@dataclass(frozen=True)
class Read:
    """The texts and claims of an edition, its reviews, and what the checks find."""

    checked: Checked
    states: Reviews
    findings: Sequence[Finding]


@dataclass(frozen=True)
class Page:
    """A page as it was rendered, and the parts that it was rendered from.

    ``changed`` is the HTML of the sections that differ from the page before, by their
    anchors; None where it is not known to be all that differs.
    """

    rendered: Rendered
    parts: DocumentParts
    document: Document
    changed: Mapping[str, str] | None = None

    @cached_property
    def html(self) -> str:
        """The whole page."""
        return self.rendered.text

    @cached_property
    def references(self) -> dict[str, str]:
        """What references are called on it, by what they lead to: ``Figure 1``."""
        found: dict[str, str] = {}
        for link in _LINK.finditer(self.html):
            found.setdefault(link[1], unescape(link[2]))
        return found


@dataclass
class PageMaker:
    """Makes the page of one edition; keeps facts and campaigns between two texts.

    ``document`` is the folder that the maker assembles the document in. ``dress`` may
    put marks into texts that were checked; ``read`` is what was last found of them.
    ``unsaved`` are texts by name that are read instead
    of their files.
    """

    edition: str
    sources: Sources
    document: Path
    engine: Renderer = field(default_factory=PandocEngine)
    dress: Callable[[Checked], Checked] = _as_it_is
    read: Read | None = None
    _material: Material | None = None
    _checks: TextChecks | None = None
    _generated: Generated | None = None
    _texts: Mapping[str, Text] = field(default_factory=dict)
    _documents: Mapping[str, Document] = field(default_factory=dict)

    def forget(self) -> None:
        """Read facts, figures, campaigns and declarations anew the next time."""
        self._material, self._texts = None, {}

    def whole(self, unsaved: Unsaved = NOTHING) -> Page:
        """The whole page; a :class:`analysis.errors.UserError` for any mistake."""
        checked, states = self._checked(unsaved)
        shown, notes = self._noted(checked, states)
        templates, out = self.sources.templates, self.document
        generated = self._generated_of(checked.material)
        made = assemble(shown, states, templates, out, {}, notes, generated)
        self._documents = made
        self._texts = checked.texts
        output, document = asked_outputs(self._documents)[0]
        if output is PAGE:
            return Page(rendered_page(document), document.parts, document)
        # Slides alone: their page, in the first format.
        html = PandocEngine(self.engine.fonts).made(document, output).decode("utf-8")
        return Page(Rendered("", (html,), (), {}), document.parts, document)

    def quick(self, last: Page, unsaved: Unsaved = NOTHING) -> Page | None:
        """``last`` with its changed parts rendered; None where that cannot do."""
        if "" not in self._documents:
            return None
        checked, states = self._checked(unsaved)
        raise_if(checked.false_claims())
        shown, notes = self._noted(checked, states)
        generated = self._generated_of(checked.material)
        parts = compose(shown, states, self.sources.templates, notes, generated)
        self._texts = checked.texts
        # A term that the glossary has anew may be marked in any section.
        if _glossary(parts) != _glossary(last.parts):
            return None
        rendered = changed_page(last.document, last.rendered, parts)
        if rendered is None:
            return None
        changed = _changed(parts, last.rendered, rendered)
        return replace(last, rendered=rendered, parts=parts, changed=changed)

    def final(self, page: Page) -> str:
        """A page that :meth:`whole` made, as the engine makes it."""
        document = page.document
        if type(self.engine) is PandocEngine or PAGE not in outputs_of(document):
            return page.html
        return self.engine.made(document, PAGE).decode("utf-8")

    def other_formats(self) -> dict[str, tuple[str, bytes]]:
        """What :meth:`whole` assembled in other formats: type and bytes, by name."""
        return {
            output.file(self.edition): (
                output.media_type,
                self.engine.made(document, output),
            )
            for output, document in asked_outputs(self._documents)
            if output is not PAGE
        }

    def checked_texts(self, unsaved: Unsaved = NOTHING) -> Checked:
        """Texts and claims; see :func:`check_texts`.

        A :class:`analysis.errors.UserError` where a link leads out of the project.
        """
        text_files(self.sources.report / self.edition)
        if self._material is None:
            self._material = read_material(self.edition, self.sources)
        last = self.read.checked if self.read else None
        return check_texts(self._material, self._texts, unsaved, last)

    def findings(self, checked: Checked, saved: bool = True) -> list[Finding]:
        """What the checks find; of texts that nobody ``saved`` nothing is kept."""
        checks = self.checks_of(checked.material)
        return (checks if saved else checks.for_unsaved()).of_edition(checked)

    def checks_of(self, material: Material) -> TextChecks:
        """The checks, which know the material."""
        if self._checks is None or self._checks.material is not material:
            self._checks = TextChecks(material)
        return self._checks

    def _generated_of(self, material: Material) -> Generated:
        """What pages have of the material, which edits of texts leave as it is."""
        if self._generated is None or self._generated.material is not material:
            self._generated = Generated(material)
        return self._generated

    def _noted(self, checked: Checked, states: Reviews) -> tuple[Checked, Notes]:
        """What a page shows of texts and findings; both are kept for who asks."""
        self.read = Read(checked, states, self.findings(checked))
        shown, notes = noted(checked, self.read.findings)
        return self.dress(shown), notes

    def _checked(self, unsaved: Unsaved) -> tuple[Checked, Reviews]:
        checked = self.checked_texts(unsaved)
        return checked, reviews(checked, self.read.states if self.read else None)


def _changed(
    parts: DocumentParts, last: Rendered, now: Rendered
) -> dict[str, str] | None:
    """The sections that differ, where anchors of sections stand before and after.

    None where something else differs as well, as what a note says.
    """
    if last.frame != now.frame:
        return None
    found: dict[str, str] = {}
    sections, place = _sections(parts), 0
    for own, after in zip_longest(sections, sections[1:]):
        end = place + sum(part.stands_alone for part in own)
        if last.keys[place:end] != now.keys[place:end]:
            bounds = (own[0], *(after or ())[:1])
            whole = all(p.stands_alone or not p.body.strip() for p in own)
            if not (whole and all(p.id.startswith("sec-") for p in bounds)):
                return None
            found[own[0].id] = now.between(place, end)
        place = end
    return found


def _sections(parts: DocumentParts) -> list[list[DocumentPart]]:
    """The parts, those together that follow one heading."""
    found: list[list[DocumentPart]] = []
    for part in parts:
        if found and part.goes_on:
            found[-1].append(part)
        else:
            found.append([part])
    return found


def _glossary(parts: DocumentParts) -> list[str]:
    return [part.body for part in parts if part.id == _GLOSSARY]
