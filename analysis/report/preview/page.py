"""The page of an edition, made again and again while its texts are edited.

Of the document only the sections whose text changed go through Pandoc; the others
keep their HTML. Where more changed than words (headings, labels, citations,
footnotes), the whole document is rendered. :meth:`PageMaker.whole` renders all of it,
by the same steps as a report.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from html import unescape
from itertools import pairwise
from pathlib import Path

import yaml

from analysis.errors import raise_if
from analysis.report.claims.checked import Checked, begin_checks
from analysis.report.document.assemble import assemble
from analysis.report.document.compose import Reviews, compose
from analysis.report.document.document import Document, read_document, without_code
from analysis.report.material import Material, Sources, read_material
from analysis.report.output import outputs_of
from analysis.report.outputs.html import html_page, html_piece
from analysis.report.pages.fonts import CACHE
from analysis.report.review.state import reviews
from analysis.report.text.texts import Text

_HEAD = re.compile(r"^#{1,4} .*\{[^{}\n]*#(sec-[\w-]+)[^{}\n]*\}$", re.MULTILINE)
_HTML_HEAD = re.compile(r'<h[2-5]\b[^>]*\bid="(sec-[\w-]+)".*?</h[2-5]>', re.DOTALL)
_REFERENCE = re.compile(r'<a href="#([\w-]+)"\s+class="reference">([^<]*)</a>')
_TABLE = re.compile(r'id="(tbl-[\w-]+)"[^"]*<caption>\s*<span\s+class="label">([^<]*)')
_SHAPE = re.compile(
    r"^#{1,6} .*$|\{[^{}\n]*#[\w-]+[^{}\n]*\}|\[\^[^\]]+\]|@[\w:-]+", re.MULTILINE
)
_GLOSSARY = "sec-glossary"
_WHOLE = re.compile(r"\[\^|!\[|(?<![\w.])@(?!(?:fig|tbl|sec)-)\w")


@dataclass(frozen=True)
class Page:
    """A page, and the parts of its source by section."""

    html: str
    sections: Mapping[str, str]
    document: Document
    labels: Mapping[str, str]


@dataclass
class PageMaker:
    """Makes the page of one edition; keeps facts and campaigns between two texts.

    ``document`` is the folder that the maker assembles the document in.
    """

    edition: str
    sources: Sources
    document: Path
    fonts: Path = CACHE
    _material: Material | None = None
    _texts: Mapping[str, Text] = field(default_factory=dict)

    def forget(self) -> None:
        """Read facts, figures, campaigns and declarations anew the next time."""
        self._material, self._texts = None, {}

    def whole(self) -> Page:
        """The whole page; a :class:`analysis.errors.UserError` for any mistake."""
        checked, states = self._checked()
        assemble(checked, states, self.sources.templates, self.document)
        self._texts = checked.texts
        document = read_document(self.document)
        html = html_page(document, self.fonts).decode("utf-8")
        return Page(html, sections(document.text), document, labels(html))

    def quick(self, last: Page) -> Page | None:
        """``last`` with its changed sections rendered; None where that cannot do."""
        checked, states = self._checked()
        raise_if(checked.false_claims())
        text = compose(checked, states, self.sources.templates)
        self._texts = checked.texts
        now = sections(text)
        changed = [id for id, part in now.items() if last.sections.get(id) != part]
        # A term that the glossary has anew may be marked in any section.
        if (
            _GLOSSARY in changed
            or list(now) != list(last.sections)
            or not all(_same_shape(last.sections[id], now[id]) for id in changed)
        ):
            return None
        html = self._splice(last, {id: now[id] for id in changed})
        return replace(last, html=html, sections=now) if html else None

    def beside(self, page: Page) -> dict[str, tuple[str, bytes]]:
        """A page that :meth:`whole` made in other formats: type and bytes, by name."""
        document = page.document
        return {
            output.file(self.edition): (
                output.media_type,
                output.pandoc(document, self.fonts),
            )
            for output in outputs_of(document)
            if output.pandoc is not html_page
        }

    def _checked(self) -> tuple[Checked, Reviews]:
        if self._material is None:
            self._material = read_material(self.edition, self.sources)
        checked = begin_checks(self._material, self._texts)
        return checked, reviews(checked)

    def _splice(self, last: Page, changed: Mapping[str, str]) -> str:
        if not changed:
            return last.html
        meta = yaml.safe_dump({"labels": dict(last.labels)}, allow_unicode=True)
        text = f"---\n{meta}---\n\n" + "\n\n".join(
            f"# x {{#{id}}}\n\n{_body(part)}" for id, part in changed.items()
        )
        fragment = html_piece(last.document, text)
        return replace_sections(last.html, html_sections(fragment))


def sections(text: str) -> dict[str, str]:
    """The parts of a document from each heading with an id to the next one."""
    heads = list(_HEAD.finditer(without_code(text)))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return {
        head[1]: text[head.start() : end] for head, end in zip(heads, ends, strict=True)
    }


def html_sections(html: str) -> dict[str, str]:
    """The HTML between each heading with an id and the next one."""
    heads = list(_HTML_HEAD.finditer(html))
    ends = [head.start() for head in heads[1:]] + [len(html)]
    return {
        head[1]: html[head.end() : end] for head, end in zip(heads, ends, strict=True)
    }


def replace_sections(html: str, new: Mapping[str, str]) -> str:
    """The page with the content of some sections replaced; empty where one lacks."""
    heads = list(_HTML_HEAD.finditer(html))
    missing = set(new) - {head[1] for head in heads[:-1]}
    if missing:
        return ""
    for head, after in reversed(list(pairwise(heads))):
        if head[1] in new:
            html = (
                f"{html[: head.end()]}\n{new[head[1]].strip()}\n{html[after.start() :]}"
            )
    return html


def labels(html: str) -> dict[str, str]:
    """What a reference to each section, figure and table reads."""
    found = [*_REFERENCE.findall(html), *_TABLE.findall(html)]
    return {id: unescape(text) for id, text in found}


def _body(section: str) -> str:
    return section.partition("\n")[2]


def _same_shape(old: str, new: str) -> bool:
    """Whether only words differ: headings, labels, references and notes are equal."""
    if _WHOLE.search(new) or _WHOLE.search(old):
        return False
    return _SHAPE.findall(old) == _SHAPE.findall(new)
