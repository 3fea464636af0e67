"""The slides of an edition as a document for engines, beside that of its report.

First come the slides of the edition's own text, then those of its studies, each behind
a divider, and last what the edition's text has as backup.
"""

from __future__ import annotations

import datetime as dt
import html
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path

from lxml import etree

from analysis.errors import Issue, NotBuiltError, Place, raise_if, user_error
from analysis.facts.sentences import sizes_text
from analysis.report.checks.check import tells_results
from analysis.report.checks.claims import Checked
from analysis.report.material import Material
from analysis.report.review.sentences import own_marks
from analysis.report.review.state import Reviews
from analysis.report.slides.limits import (
    PAIR,
    check_agenda,
    check_slide,
    check_titles,
    displays,
    few,
    layout,
)
from analysis.report.slides.slide import AGENDA, BACKUP, DIVIDER, Slide, read_slides
from analysis.report.table import attribute, escape
from analysis.report.text.bibliography import bibliography_keys
from analysis.report.text.refusals import check_references
from analysis.report.text.texts import SLIDES, Text, of_slides, study_text

REFERENCE = "reference.pptx"  # from which PowerPoint files take their look
_FOOT = b"<a:t>FOOT</a:t>"  # the foot of its slides
_OWN = "{.own-words}"
_ALTS = "alts.json"  # the alt text of each picture for slides
CHARTS = "charts.json"  # those that office programs draw themselves, by figure
_SIZE = re.compile(r"0 0 (\d+(?:\.\d+)?) (\d+(?:\.\d+)?)")
_MEND = "delete that file and run 'make report'"
_SVG = "{http://www.w3.org/2000/svg}svg"


def slides_of(checked: Checked, states: Reviews) -> list[Slide]:
    """All slides in order; a :class:`analysis.errors.UserError` where one overflows."""
    texts, material = checked.texts, checked.material
    text = texts[material.edition.slides or ""]
    if not (own := read_slides(_dotted(text, states, material))):
        raise user_error("no slide", text.path, mend="begin one with ## and a title")
    at = next((n for n, slide in enumerate(own) if slide.kind == BACKUP), len(own))
    found = [*own[:at], *_of_studies(checked, states), *own[at:]]
    find = partial(slide_picture, material)
    placed = dict.fromkeys(id for slide in found for id in slide.figures)
    raise_if([issue for id in placed for issue in check_drawing(find(id))])
    issues = [i for slide in found for i in check_slide(slide, find)]
    raise_if([*issues, *check_agenda(found), *check_titles(found)])
    raise_if([*_references(checked)])
    return found


def _references(checked: Checked) -> Iterator[Issue]:
    """What is said to slides refers to entries of the bibliography alone."""
    edition, folder = checked.material.edition, checked.material.folder
    keys = bibliography_keys(folder / edition.references)
    for name, text in checked.texts.items():
        if of_slides(edition, name, text.study):
            yield from check_references(text.tree, text.path, keys)


def _dotted(text: Text, states: Reviews, material: Material) -> Text:
    """A text with its author's own words marked, until they are approved."""
    review = states.of(text.study) if text.study else states.matter
    waits = review.state != "approved" and tells_results(text, material)
    return replace(text, notes=tuple(own_marks(text)) if waits else ())


def _of_studies(checked: Checked, states: Reviews) -> Iterator[Slide]:
    for id, study in checked.material.studies.items():
        if text := checked.texts.get(study_text(id, SLIDES)):
            yield Slide(text.path, 1, escape(study.title), DIVIDER)
            yield from read_slides(_dotted(text, states, checked.material))


def slide_picture(material: Material, id: str) -> Path:
    """The drawing of a figure for slides; a :class:`UserError` if there is none."""
    return slide_file(material, f"{id}.svg")


def slide_file(material: Material, name: str) -> Path:
    """A file that was drawn for slides; a :class:`UserError` if there is none."""
    path = material.drawn / SLIDES / name
    if not path.is_file():
        where, mend = Place(str(path)), "run 'make report'"
        raise NotBuiltError([Issue("no figure is drawn for slides yet", where, mend)])
    return path


def slides_text(slides: list[Slide], material: Material, about: str) -> str:
    """The document of some slides, but for its build id; ``about`` is its metadata."""
    if any(_OWN in block.markdown for slide in slides for block in slide.blocks):
        about += "\nown-words: true"
    dividers = [slide.title for slide in slides if slide.kind == DIVIDER]
    alts = read_alts(slide_file(material, _ALTS), slides)
    find = partial(slide_picture, material)
    body = "\n\n".join(
        _slide(number, slide, layout(slide, find), (alts, dividers))
        for number, slide in enumerate(slides, 1)
    )
    return f"---\n{about}\n---\n\n{body}\n"


def _slide(
    number: int, slide: Slide, place: str, told: tuple[Mapping[str, str], list[str]]
) -> str:
    """A part of the talk is of the first level, a slide of the second.

    ``told`` are the alt texts of all figures and the titles of all dividers.
    """
    alts, dividers = told
    level = "#" if slide.parts else "##"
    sizes = sizes_text({f: None for n in slide.numbers for f in n.facts})
    title = f"{slide.title} [{sizes}]{{.sizes}}" if sizes else slide.title
    look = f".{slide.kind or place}" + " .few" * few(slide)
    parts = [f"{level} {title} {{#{anchor(number)} {look}}}"]
    for id in slide.figures:
        alt = f'fig-alt="{attribute(alts[id])}"'
        parts.append(f"::: {{.picture}}\n![](figures/{id}.svg){{{alt}}}\n:::")
    code = displays(slide) if place == PAIR else []
    parts += [f"::: {{.display}}\n{block.markdown}\n:::" for block in code]
    words = [block.markdown for block in slide.blocks if block not in code]
    if slide.kind == AGENDA and not words:  # without words of its own
        words = ["\n".join(f"1. {title}" for title in dividers)]
    for name, texts in (("points", words), ("notes", [slide.notes])):
        if text := "\n\n".join(filter(None, texts)):
            parts.append(f":::: {{.{name}}}\n{text}\n\n::::")
    return "\n\n".join(parts)


def anchor(number: int) -> str:
    """The anchor of a slide by its number, from 1."""
    return f"slide-{number}"


def check_drawing(path: Path) -> list[Issue]:
    """Why a file is no drawing: it is damaged, or something else, or has no size."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(path.read_bytes(), parser)
    except etree.XMLSyntaxError as error:
        where = Place(str(path), error.lineno or None)
        return [Issue("this drawing is damaged: no whole SVG", where, _MEND)]
    size = _SIZE.fullmatch(root.get("viewBox", "")) if root.tag == _SVG else None
    if size is None or not float(size[1]) or not float(size[2]):
        return [Issue("this is no drawing that has a size", Place(str(path)), _MEND)]
    return []


def read_alts(path: Path, slides: Iterable[Slide]) -> dict[str, str]:
    """The alt text of each drawing; a :class:`UserError` if one of slides has none."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise user_error("these alt texts are damaged: no JSON", path, mend=_MEND)
    issues = [
        Issue(f"{path} has no alt text of {id}", Place(str(slide.path), line), _MEND)
        for slide in slides
        for id, line in zip(slide.figures, slide.lines, strict=True)
        if not str(found.get(id, "")).strip()
    ]
    raise_if(issues)
    return found


def charts_of(material: Material, figures: Iterable[str]) -> str:
    """JSON of the charts of some figures, by their ids, as they were drawn."""
    path = slide_file(material, CHARTS)
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        return json.dumps({id: known[id] for id in figures if id in known})
    except (ValueError, TypeError):
        raise user_error(
            "these charts are damaged: no JSON", path, mend=_MEND
        ) from None


def reference_deck(deck: Path, foot: str, date: dt.date) -> bytes:
    """The deck with words at the foot of its slides; a :class:`UserError` where it has
    no place for them, as they say what the data are.

    Its parts have the date of the document, so that equal documents give equal bytes.
    """
    with zipfile.ZipFile(deck) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    if not any(_FOOT in content for content in parts.values()):
        mend = "write the word FOOT into the foot of its master, in one piece"
        raise user_error("the deck has no place for what a foot says", deck, mend=mend)
    made, moment = BytesIO(), (date.year, date.month, date.day, 0, 0, 0)
    words = f"<a:t>{html.escape(foot, quote=False)}</a:t>".encode()
    with zipfile.ZipFile(made, "w") as new:
        for name, content in parts.items():
            new.writestr(zipfile.ZipInfo(name, moment), content.replace(_FOOT, words))
    return made.getvalue()
