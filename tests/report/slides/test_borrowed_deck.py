"""Slides of an edition that borrows: facts and data are those of the lending one."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.facts.fact import read_facts
from analysis.report.checks.claims import check_texts
from analysis.report.document.assemble import assemble, composed
from analysis.report.engines.pandoc import PandocEngine
from analysis.report.material import Sources, read_material
from analysis.report.preview.page import PageMaker
from analysis.report.review.state import reviews
from analysis.report.review.verb import approve
from tests.report.conftest import REFERENCES, ROOT
from tests.report.slides.made_text import drawing

TALK = """\
title: A talk
authors: [Ann Author]
date: 2026-03-05
formats: [revealjs, pptx]
slides: slides.md
front: []
studies:
  - {from: small, study: speed}
"""
SLIDES = """\
## Agenda {.agenda}

## Speed {.divider}

## It is faster

{{ figure("speed-rr") }}

- Latency {{ moves("latency", "RR1(1kB)", study="speed") }}.

::: {.notes}
Say why.
:::
"""


@pytest.fixture
def talk(project: Sources) -> Sources:
    folder = project.report / "talk"
    folder.mkdir()
    (folder / "edition.yaml").write_text(TALK, encoding="utf-8")
    (folder / "slides.md").write_text(SLIDES, encoding="utf-8")
    (folder / "references.bib").write_text(REFERENCES, encoding="utf-8")
    place = project.figures.parent / "drawn"
    project.figures.rename(place.parent / "small")
    place.mkdir()
    (place.parent / "small").rename(place / "small")
    drawing(place / "talk/slides/speed-rr.svg", 363, 200)
    told = json.loads((place / "small/speed-rr/figure.json").read_text("utf-8"))
    alts = json.dumps({"speed-rr": told["alt"]})
    (place / "talk/slides/alts.json").write_text(alts, encoding="utf-8")
    (place / "talk/slides/charts.json").write_text("{}", encoding="utf-8")
    made = {name: getattr(project, name) for name in project.__dataclass_fields__}
    return Sources(**made | {"figures": place / "talk"})


def deck(sources: Sources, out: Path) -> str:
    checked = check_texts(read_material("talk", sources))
    assemble(checked, reviews(checked), ROOT / "templates", out)
    return (out / "slides/index.qmd").read_text(encoding="utf-8")


def test_its_facts_are_those_of_the_lending_edition(talk: Sources) -> None:
    facts = read_material("talk", talk).facts.facts
    assert facts == read_facts(talk.facts).of("small", "speed").facts
    assert len(facts) > 5


@pytest.mark.parametrize("key", ["nobody", "fig-speed-rr"])
def test_notes_refer_to_the_bibliography_alone(talk: Sources, key: str) -> None:
    path = talk.report / "talk/slides.md"
    path.write_text(SLIDES.replace("Say why.", f"[@smith], [@{key}]."), "utf-8")
    checked = check_texts(read_material("talk", talk))
    with pytest.raises(UserError, match=f"slides.md:12: @{key} refers to nothing"):
        composed(checked, reviews(checked), ROOT / "templates")


def test_the_data_of_a_figure_are_the_very_same(talk: Sources, tmp_path: Path) -> None:
    deck(talk, tmp_path / "out")
    lent = talk.figures.parent / "small/speed-rr/figure.csv"
    digests = [
        hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (lent, tmp_path / "out/data/speed-rr.csv")
    ]
    assert digests[0] == digests[1]


def test_slides_print_bound_values_and_alt_texts(talk: Sources, tmp_path: Path) -> None:
    text = deck(talk, tmp_path / "out")
    assert 'key="speed.rr1-1kb.-.latency.new.delta"' in text
    assert "figures/speed-rr.svg" in text and "fig-alt=" in text
    assert "1. Speed" in text  # the agenda
    assert not (tmp_path / "out/index.qmd").exists()


def test_a_deck_marks_the_words_of_its_author_and_says_so(
    talk: Sources, tmp_path: Path
) -> None:
    assert "own-words: true" not in deck(talk, tmp_path / "none")
    slides = talk.report / "talk/slides.md"
    slides.write_text(SLIDES.replace("\n::: {.n", "- Keep it.\n\n::: {.n"))
    text = deck(talk, tmp_path / "out")
    assert "- [Keep it.]{.own-words}" in text
    assert "own-words: true" in text.partition("\n---\n")[0]


def test_the_table_of_changes_leads_to_the_first_slide_of_a_study(
    talk: Sources, tmp_path: Path
) -> None:
    assert "## It is faster {#slide-3" in deck(talk, tmp_path / "out")
    page = (tmp_path / "out/explorer.html").read_text(encoding="utf-8")
    assert 'href="talk-slides.html#slide-3"' in page  # not the agenda or the divider


@pytest.mark.parametrize(
    "damage",
    [b"", b"\xff\xfe\x00", b"<html/>", b'<svg xmlns="http://www.w3.org/2000/svg" viewB',
     b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 0"/>'],
)  # fmt: skip
def test_a_damaged_drawing_is_told_with_its_cure(
    talk: Sources, tmp_path: Path, damage: bytes
) -> None:
    drawn = talk.figures / "slides/speed-rr.svg"
    drawn.write_bytes(damage)
    with pytest.raises(UserError, match=r"speed-rr\.svg.*\n.*make report") as told:
        deck(talk, tmp_path / "out")
    assert "drawing" in str(told.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("damage", ["{", "[]", '{"speed-rr": " "}', "{}"])
def test_damaged_alt_texts_are_told_with_their_cure(
    talk: Sources, tmp_path: Path, damage: str
) -> None:
    (talk.figures / "slides/alts.json").write_text(damage, "utf-8")
    with pytest.raises(UserError, match=r"alts\.json.*\n.*make report"):
        deck(talk, tmp_path / "out")


@pytest.mark.parametrize(
    ("text", "what"),
    [("", "no slide"), ("## Agenda {.agenda}\n", "an agenda of no parts"),
     ("## One\n\na\n\n## one\n\nb\n", "a title that the slide at")],
)  # fmt: skip
def test_a_deck_that_leads_nowhere_is_told(
    talk: Sources, tmp_path: Path, text: str, what: str
) -> None:
    (talk.report / "talk/slides.md").write_text(text, "utf-8")
    with pytest.raises(UserError, match=what):
        deck(talk, tmp_path / "out")


def test_an_approval_covers_slides_and_what_they_borrow(talk: Sources) -> None:
    checked = check_texts(read_material("talk", talk))
    approve(checked, None, "Ann Author", checked.material.edition.date)
    assert reviews(checked).matter.state == "approved"
    path = talk.report / "small/studies/speed/observations.md"
    path.write_text("Another text.\n", encoding="utf-8")
    again = reviews(check_texts(read_material("talk", talk)))
    assert again.matter.state == "stale"
    slides = talk.report / "talk/slides.md"
    slides.write_text(SLIDES.replace("faster", "quicker"), encoding="utf-8")
    again = reviews(check_texts(read_material("talk", talk)))
    assert any("It is quicker" in words for words in again.matter.moved)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('"speed-rr"', '"speed-x"', "slides.md:7: there is no figure 'speed-x'"),
        ("- Latency", "- a\n" * 5 + "- Latency", "slides.md:14: 6 bullets on a slide"),
    ],
)
def test_mistakes_are_told_with_their_lines(
    talk: Sources, tmp_path: Path, old: str, new: str, what: str
) -> None:
    path = talk.report / "talk/slides.md"
    path.write_text(SLIDES.replace(old, new), encoding="utf-8")
    with pytest.raises(UserError) as error:
        deck(talk, tmp_path / "out")
    assert what in str(error.value)


def test_what_was_not_derived_is_told_where_it_is_borrowed(talk: Sources) -> None:
    told = json.loads(talk.facts.read_text(encoding="utf-8"))
    talk.facts.write_text(json.dumps(told | {"facts": [], "runs": []}))
    with pytest.raises(UserError) as error:
        read_material("talk", talk)
    assert "edition.yaml:8: small has no facts of 'speed'" in str(error.value)


def test_a_study_is_not_borrowed_in_other_units(talk: Sources) -> None:
    lender = talk.report / "small/edition.yaml"
    with lender.open("a", encoding="utf-8") as file:
        file.write("units: {throughput: Gbit/s}\n")
    with pytest.raises(UserError, match=r"edition\.yaml:8: small has other units"):
        read_material("talk", talk)


def test_a_class_of_slides_is_refused_elsewhere(talk: Sources) -> None:
    path = talk.report / "small/studies/speed/background.md"
    path.write_text("::: {.notes}\nThe new one is new.\n:::\n", encoding="utf-8")
    with pytest.raises(UserError) as error:
        check_texts(read_material("talk", talk))
    assert "a class of slides" in str(error.value)


def test_a_preview_shows_the_slides(talk: Sources, tmp_path: Path, fonts: Path) -> None:
    maker = PageMaker("talk", talk, tmp_path / "out", PandocEngine(fonts))
    page = maker.whole()
    assert "It is faster" in page.html and "Reveal.initialize" in page.html
    assert maker.quick(page) is None
    assert maker.final(page) == page.html


def test_slides_need_a_text(talk: Sources) -> None:
    path = talk.report / "talk/edition.yaml"
    path.write_text(TALK.replace("slides: slides.md\n", ""), encoding="utf-8")
    checked = check_texts(read_material("talk", talk))
    with pytest.raises(UserError) as error:
        composed(checked, reviews(checked), talk.templates)
    assert "edition.yaml:4: the format revealjs needs slides" in str(error.value)
