"""The text of a report: reviewed prose and generated parts, as plain Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from analysis.errors import Issue, Place, raise_if
from analysis.facts.sentences import data_words
from analysis.facts.units import date_text
from analysis.report.beside.frame import published_file
from analysis.report.bound import Number, numbers_in
from analysis.report.checks.claims import Checked
from analysis.report.document.chapters import (
    Notes,
    chapters,
    listed,
    placed,
)
from analysis.report.document.findings import check_summary, headline
from analysis.report.document.generated import Generated, check_setups
from analysis.report.document.parts import DocumentParts, read_parts
from analysis.report.language.syntax import COMMENT_END, COMMENT_START
from analysis.report.material import Material
from analysis.report.review.page import look_line, review_line, review_section
from analysis.report.review.sentences import own_words
from analysis.report.review.state import Reviews
from analysis.report.table import attribute, escape
from analysis.report.tables.backtest import backtest
from analysis.report.tables.reproduction import reproduction
from analysis.report.tables.setup import usual_lines
from analysis.report.text.bibliography import bibliography_keys
from analysis.report.text.glossary import glossary_entries, read_glossary
from analysis.report.text.refusals import check_references
from analysis.report.text.texts import of_slides

_WRITTEN = (
    "title", "declared-title", "subtitle", "author", "number", "description",
    "keywords", "banner", "headline",
)  # fmt: skip


def compose(
    checked: Checked,
    states: Reviews,
    templates: Path,
    notes: Notes = MappingProxyType({}),
    generated: Generated | None = None,
) -> DocumentParts:
    """The whole ``index.qmd``, but for its build id, which hashes its text.

    ``notes`` are what was found that stands in no paragraph, which a draft shows;
    ``generated`` is what was made of the same material before.
    """
    material, edition = checked.material, checked.material.edition
    generated = generated or Generated(material)
    placed_here = {
        "metadata": front_matter(checked, states),
        "front": [_section(checked, s.id, s.title, s.file) for s in edition.front],
        "common": generated.environment,
        "usual": usual_lines(generated.usual),
        "summary": _summary(checked, states, generated),
        "synthetic": "synthetic" in material.origins(),
        "sequences": checked.material.sequences,
        "chapters": chapters(checked, states, notes, generated),
        "glossary": glossary_entries(read_glossary(material.folder)),
        "draft": edition.status == "draft",
        "notes": listed(notes.get("", ())),
        "back": [_section(checked, s.id, s.title, s.file) for s in edition.back],
        "reproduction": _reproduction(material),
        "backtest": backtest(material),
        "sections": {section.id for section in (*edition.front, *edition.back)},
    }
    text = _environment(templates).get_template("index.qmd.j2").render(placed_here)
    numbers = (*numbers_of(checked), *numbers_in(placed_here))
    parts = read_parts(text, numbers)
    summary = checked.texts.get(edition.summary or "")
    told = [*(check_summary(summary) if summary else ()), *check_setups(material)]
    raise_if([*told, *_check(checked, parts)])
    return parts


def numbers_of(checked: Checked, slides: bool = False) -> Iterator[Number]:
    """The numbers of the edition's texts: those of its slides, or of its report."""
    edition = checked.material.edition
    for text in checked.texts.values():
        if of_slides(edition, text.name, text.study) is slides:
            yield from (n for one in text.printed for n in one.bound.numbers)


def _reproduction(material: Material) -> dict[str, Any] | None:
    keys = tuple(bibliography_keys(material.folder / material.edition.references))
    return reproduction(material, keys)


def front_matter(checked: Checked, states: Reviews) -> str:
    """The metadata of a document of the edition, for engines, as YAML."""
    about = metadata(checked.material, states) | _headline(checked)
    return yaml.safe_dump(
        _literal(about), sort_keys=False, allow_unicode=True, width=10_000
    ).strip()


def metadata(material: Material, states: Reviews) -> dict[str, Any]:
    """The document's metadata; nothing in it depends on the time of the build."""
    edition = material.edition
    found: dict[str, Any] = {
        "title": material.title,
        "declared-title": edition.title,
        "subtitle": edition.subtitle,
        "author": list(edition.authors),
        "date": edition.date.isoformat(),
        "date-text": date_text(edition.date),
        "edition": material.id,
        "number": edition.number,
        "status": edition.status,
        "is-draft": edition.status == "draft",  # the banner says so, and once is enough
        "formats": list(edition.formats),
        "origins": material.origins(),
        "data": data_words(material.origins()),
        "lang": edition.language,
        "description": edition.description or edition.subtitle,
        "keywords": list(edition.keywords),
    }
    page, says = published_file(material), banner(material, states)
    return found | {k: v for k, v in {"published": page, "banner": says}.items() if v}


def first_finding(checked: Checked) -> str:
    """The first finding of the edition's summary in plain words; empty without one."""
    file = checked.material.edition.summary
    return headline(checked.texts[file]) if file else ""


def _headline(checked: Checked) -> dict[str, str]:
    told = first_finding(checked)
    return {"headline": told} if told else {}


def _summary(checked: Checked, states: Reviews, generated: Generated) -> dict[str, Any]:
    material, file = checked.material, checked.material.edition.summary
    texts = [checked.texts[file]] if file else []
    draft = material.edition.status == "draft"
    return {
        **generated.summary,
        "text": placed(checked, file, review=states.matter) if file else "",
        "review_line": review_line(states.matter, draft, own_words(checked, texts)),
        "review": review_section(states.matter, checked, states.look),
    }


def _section(checked: Checked, id: str, title: str, file: str) -> dict[str, str]:
    return {"id": id, "title": title, "text": placed(checked, file)}


def banner(material: Material, states: Reviews) -> str:
    """What each page says of itself: that it is a draft, what its data are, whether it
    looks as it was approved."""
    draft = material.edition.status == "draft"
    told = data_words(material.origins())
    data = f"{told[0].upper()}{told[1:]}." if told else ""
    look = look_line(states.look) if states.look else ""
    return " ".join(filter(None, [_progress(states) if draft else "", data, look]))


def _progress(states: Reviews) -> str:
    approved = sum(own.state == "approved" for own in states.studies.values())
    if not (approved or (states.matter.state == "approved" and not states.studies)):
        return "Draft: not reviewed yet."
    if not states.studies:
        return "Draft: reviewed."
    if approved == len(states.studies):
        return "Draft: all studies are reviewed."
    return f"Draft: {approved} of {len(states.studies)} studies are reviewed."


def _check(checked: Checked, parts: DocumentParts) -> list[Issue]:
    """Issues of the whole text: references to nothing, anchors that occur twice."""
    folder, edition = checked.material.folder, checked.material.edition
    known = {*parts.ids, *bibliography_keys(folder / edition.references)}
    twice = [id for id, count in Counter(parts.ids).items() if count > 1]
    where = Place(str(folder / "edition.yaml"))
    return [
        issue
        for source in checked.texts.values()
        for issue in check_references(source.tree, source.path, known)
    ] + [Issue(f"the anchor #{id} occurs twice", where, "rename one") for id in twice]


@cache
def _environment(templates: Path) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(templates),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - it makes Markdown
        comment_start_string=COMMENT_START,
        comment_end_string=COMMENT_END,
    )
    environment.filters |= {"attribute": attribute, "escape": escape}
    return environment


def _literal(about: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata for an engine, which would read what people wrote as Markdown."""
    written = {name: about[name] for name in _WRITTEN if name in about}
    return {**about} | {
        name: escape(text) if isinstance(text, str) else list(map(escape, text))
        for name, text in written.items()
    }
