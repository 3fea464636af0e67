"""The document folder of an edition: all that an engine reads, and nothing else.

``index.qmd``, the bibliography, ``figures/<id>/``, ``data/<id>.csv``, the pages beside
the text and the extension with filters and templates. Its build id is a hash of it all.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from analysis.errors import raise_if
from analysis.facts.fact import write_facts
from analysis.files.atomic import files_below, whole_folder
from analysis.files.templates import template_files
from analysis.report.beside.cards import cards
from analysis.report.beside.excerpts import excerpts_page
from analysis.report.beside.explorer import explorer_page
from analysis.report.beside.frame import EXPLORER, Frame, with_build
from analysis.report.beside.ledger import facts_page
from analysis.report.beside.linked_data import linked_data
from analysis.report.checks.claims import Checked
from analysis.report.document.compose import (
    Notes,
    banner,
    compose,
    front_matter,
    numbers_of,
)
from analysis.report.document.document import (
    DECK,
    HEAD,
    INDEX,
    REFERENCES,
    REPORT,
    Document,
)
from analysis.report.document.generated import Generated
from analysis.report.document.parts import DocumentParts, read_parts
from analysis.report.material import Material
from analysis.report.output import check_formats, folders_of
from analysis.report.pages.fonts import CACHE as FONTS
from analysis.report.pages.html_page import deck_head, page_head
from analysis.report.pages.inserts import CARDS, FACTS
from analysis.report.pages.look import Look, look_of
from analysis.report.pictures import KEY
from analysis.report.review.state import Reviews
from analysis.report.slides.compose import (
    CHARTS,
    REFERENCE,
    anchor,
    charts_of,
    reference_deck,
    slide_picture,
    slides_of,
    slides_text,
)
from analysis.report.slides.slide import Slide
from analysis.report.text.glossary import (
    GLOSSARY_FILE,
    glossary_json,
    read_glossary,
)
from analysis.report.text.texts import SLIDES

BUILD_LENGTH = 12


def assemble(
    checked: Checked,
    states: Reviews,
    templates: Path,
    out: Path,
    beside: Mapping[str, str] = MappingProxyType({}),
    notes: Notes = MappingProxyType({}),
    generated: Generated | None = None,
) -> dict[str, Document]:
    """Write the document folder ``out`` anew; return its documents by their folders.

    ``beside`` are texts by file name that go into it as they are, ``notes`` what was
    found that stands in no paragraph, ``generated`` what was made of the same material
    before. A false claim is a
    :class:`UserError`, as any mistake in the texts is. Nothing is left in ``out`` of
    an earlier document. On an error ``out`` stays as it was.
    """
    raise_if(checked.false_claims())
    texts, slides = composed(checked, states, templates, notes, generated)
    says = banner(checked.material, states)
    numbers = [number for parts in texts.values() for number in parts.numbers]
    first = first_slides(slides, checked.material.studies)
    frame = Frame(checked.material, says, templates, first)
    beside = {
        **beside,
        FACTS: facts_page(frame, numbers),
        EXPLORER: explorer_page(frame),
        **excerpts_page(frame),
        CARDS: cards(checked, numbers),
    }
    with whole_folder(out) as draft:
        _fill(draft, checked.material)
        for folder in texts:
            add_extension(draft / folder, templates, slides=folder == SLIDES)
            if folder != SLIDES:
                with open(
                    draft / folder / REPORT / HEAD, "a", encoding="utf-8"
                ) as head:
                    head.write(linked_data(checked.material))
        if SLIDES in texts:
            _fill_slides(draft / SLIDES, checked.material, texts[SLIDES], says)

        def write(build: str = "") -> dict[str, Document]:
            """The texts; without a build they are what its id stands for."""
            for name, page in beside.items():
                (draft / name).write_text(with_build(page, build), encoding="utf-8")
            found = {
                folder: Document(out / folder, parts.with_build(build))
                for folder, parts in texts.items()
            }
            for folder, document in found.items():
                (draft / folder / INDEX).write_text(document.text, encoding="utf-8")
            return found

        write()
        return write(folder_hash(draft)[:BUILD_LENGTH])


def composed(
    checked: Checked,
    states: Reviews,
    templates: Path,
    notes: Notes = MappingProxyType({}),
    generated: Generated | None = None,
) -> tuple[dict[str, DocumentParts], list[Slide]]:
    """The texts that the formats of an edition need, by their folder; its slides.

    That of a report is in none, that of slides in a folder of their own. A
    :class:`UserError` where the edition wants a format that nobody knows.
    """
    material = checked.material
    raise_if(check_formats(material.edition, material.folder / "edition.yaml"))
    edition, found = checked.material.edition, dict[str, DocumentParts]()
    slides: list[Slide] = []
    if "" in folders_of(edition):
        found[""] = compose(checked, states, templates, notes, generated)
    if edition.slides:
        slides = slides_of(checked, states)
        text = slides_text(slides, checked.material, front_matter(checked, states))
        numbers = numbers_of(checked, slides=True)
        found[SLIDES] = read_parts(text, numbers)
    return found, slides


def add_extension(
    folder: Path, templates: Path, slides: bool, fonts: Path = FONTS
) -> None:
    """Put the extension of a report, or those of its ``slides``, into a folder."""
    names, look = (REPORT, DECK) if slides else (REPORT,), look_of(templates)
    for room in names:
        for name, source in template_files(templates, room).items():
            place = folder / room / name
            place.parent.mkdir(parents=True, exist_ok=True)
            look.copy(source, place) if look else shutil.copyfile(source, place)
    head = deck_head if slides else page_head
    place = folder / names[-1] / HEAD
    place.write_text(head(templates, fonts), encoding="utf-8")


def folder_hash(folder: Path) -> str:
    """SHA-256 over the names and contents of all files below ``folder``."""
    total = hashlib.sha256()
    for path in files_below(folder):
        total.update(path.relative_to(folder).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def _fill(draft: Path, material: Material) -> None:
    shutil.copyfile(material.folder / material.edition.references, draft / REFERENCES)
    write_facts(material.facts, draft / "facts.json")
    if glossary := read_glossary(material.folder):
        (draft / GLOSSARY_FILE).write_text(glossary_json(glossary), "utf-8")
    (draft / "data").mkdir()
    look = look_of(material.templates)
    for picture in material.all_pictures():
        place = draft / "figures" / picture.id
        place.mkdir(parents=True)
        for name in ("figure.svg", "figure-narrow.svg"):
            _copy_drawing(picture.folder / name, place / name, look)
        if picture.reads:
            _copy_drawing(picture.folder / KEY, place / KEY, look)
        shutil.copyfile(picture.folder / "figure.csv", draft / f"data/{picture.id}.csv")


def _copy_drawing(source: Path, target: Path, look: Look | None) -> None:
    """A drawing in the look of the project."""
    if look is None:
        shutil.copyfile(source, target)
    else:
        svg = look.drawing(source.read_text(encoding="utf-8"))
        target.write_text(svg, encoding="utf-8")


def _fill_slides(
    folder: Path, material: Material, slides: DocumentParts, says: str
) -> None:
    """The folder of the slides has their pictures, and the look for PowerPoint."""
    foot = " · ".join(filter(None, (material.title, says)))
    deck = folder / DECK / REFERENCE
    deck.write_bytes(reference_deck(deck, foot, material.edition.date))
    (folder / "figures").mkdir()
    paths = (path for part in slides for path in part.content.images)
    shown = sorted({Path(path).stem for path in paths})
    for id in shown:
        source = slide_picture(material, id)
        _copy_drawing(source, folder / f"figures/{id}.svg", look_of(material.templates))
    charts = folder / "figures" / CHARTS
    charts.write_text(charts_of(material, shown), encoding="utf-8")


def first_slides(slides: Iterable[Slide], studies: Iterable[str]) -> dict[str, str]:
    """The anchor of the first slide that shows a figure or a value of each study."""
    found: dict[str, str] = {}
    known = sorted(studies, key=len, reverse=True)  # one may begin as another does
    for place, slide in enumerate(slides, 1):
        for id in slide.figures:
            study = next((one for one in known if f"{id}-".startswith(f"{one}-")), "")
            found.setdefault(study, anchor(place))
        for fact in (fact for number in slide.numbers for fact in number.facts):
            found.setdefault(fact.study, anchor(place))
    return {study: slide for study, slide in found.items() if study}
