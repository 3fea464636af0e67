"""What a reader sees on the page is what facts print: each number, each banner.

A style sheet, a script or a template could hide a number or say something else in its
place. A browser tells what is really seen, and each such change is found.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analysis.report.checks.claims import check_texts
from analysis.report.document.assemble import assemble
from analysis.report.document.compose import banner
from analysis.report.document.document import read_document
from analysis.report.material import Sources, read_material
from analysis.report.outputs.html import html_page
from analysis.report.review.page import review_line
from analysis.report.review.snapshot import page_look
from analysis.report.review.state import reviews
from tests.report.browser import CHROMIUM, ask
from tests.report.conftest import ROOT, make_project

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium"),
    pytest.mark.xdist_group("page-browser"),
]

SEEN = Path(__file__).with_name("honest_page.js").read_text(encoding="utf-8")
Answers = dict[tuple[str, Any], dict[str, list[list[str]]]]
STRAIGHT = str.maketrans("“”", '""')
NUMBER = re.compile(r"[+−]?\d[\d,.]*")
# A change of a file that makes the page, and what is then found.
STYLES = {
    ".value { display: none }": "hidden",
    ".value { visibility: hidden }": "hidden",
    ".value { font-size: 0 }": "too small",
    ".value { opacity: .1 }": "faint",
    "main { opacity: .1 }": "faint",
    ".value { color: #fff }": "no contrast",
    ".value { -webkit-text-fill-color: transparent }": "no contrast",
    ".value { background: #111; color: #222 }": "no contrast",
    ".value { position: fixed; left: -99rem }": "behind nothing",
    ".value { clip-path: inset(50%) }": "behind",
    "main::after { content: ''; position: fixed; inset: 0; z-index: 9; "
    "background: #fff; pointer-events: none }": "behind <main",
    ".value::before { content: 'not ' }": "::before of A: ",
    "p:has(.value)::after { content: 'This is wrong.' }": "::after of P: ",
    ".value::after { content: ''; position: absolute; background: #fff }": "::after",
    ".value { direction: rtl; unicode-bidi: bidi-override }": "turned round",
    ".value { text-decoration: line-through !important }": "struck out",
    "p.banner { display: none }": "hidden",
    ".ribbon { color: #fbf4d9 !important }": "no contrast",
}
ON_LOAD = 'addEventListener("load", () => { document.querySelector(%s; });'
FILTER = "local function value(span, keys)"
HOUSE = "_extensions/netperf/house.lua"
TEXT = "study/observations.qmd.j2"
OTHER = '{{ study.texts.observations | replace("37%", "9%") }}'
CHANGES = {
    **{("house.css", style): told for style, told in STYLES.items()},
    ("page.js", ON_LOAD % '"p .value").textContent = "+9%"'): "another number",
    ("page.js", ON_LOAD % '".ribbon").remove()'): "other banners",
    ("page.js", ON_LOAD % '"h1").textContent = "Measured"'): "other titles",
    (HOUSE, f"{FILTER}\n  span.content = pandoc.Inlines '9%'"): "another number",
    (TEXT, OTHER): "another number",
    (TEXT, ""): "a number is missing",
    ("summary.qmd.j2", "# Summary {#sec-summary}"): "other reviews",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    """A draft of synthetic data, with templates of its own."""
    folder = tmp_path_factory.mktemp("honest")
    made = make_project(folder)
    text = made.facts.read_text("utf-8")
    made.facts.write_text(text.replace('"measured"', '"synthetic"'), "utf-8")
    own = shutil.copytree(ROOT / "templates", folder / "templates")
    return replace(made, templates=own)


def made(project: Sources, folder: Path, fonts: Path) -> Path:
    """The page with the templates as they are."""
    checked = check_texts(read_material("small", project))
    assemble(checked, reviews(checked), project.templates, folder / "document")
    page = folder / "index.html"
    page.write_bytes(html_page(read_document(folder / "document"), fonts))
    return page


def problems(project: Sources, seen: dict[str, list[list[str]]]) -> list[str]:
    """What a page shows that facts, reviews and declarations do not say, or hides."""
    checked = check_texts(read_material("small", project))
    material, states = checked.material, reviews(checked)
    facts = {fact.key: fact for fact in material.facts.facts}
    told = [one for of in seen.values() for one in of]
    found = [f"{words}: {wrong}" for words, _, wrong, _ in told if wrong]
    for words, keys, *_ in seen["values"]:
        printed = " ".join(facts[key].printed for key in keys.split())
        known = NUMBER.findall(printed)
        if {*NUMBER.findall(words)} - {*known, *(one.lstrip("+−") for one in known)}:
            found.append(f"another number: {words} of {printed}")
    printed = (one.bound for text in checked.texts.values() for one in text.printed)
    values = (one for of in printed for one in of.numbers if not one.is_average)
    wanted = Counter((one.text, one.keys) for one in values)
    shown = Counter((one[0], one[1]) for one in seen["values"] if one[3] == "prose")
    found += [f"a number is missing: {one}" for one in wanted - shown]
    both = states.matter, *states.studies.values()
    lines = (review_line(one, material) for one in both)
    expected = {
        "banners": [banner(material, states)] * 2,
        "titles": [material.title],
        "reviews": [re.sub(r"\[(.*)\]\{.*\}", r"\1", line) for line in lines],
    }
    for what, texts in expected.items():
        said = [words.translate(STRAIGHT) for words, *_ in seen[what]]
        found += [f"other {what}: {said}"] if said != texts else []
    return found


@pytest.fixture(scope="module")
def answers(
    project: Sources, tmp_path_factory: pytest.TempPathFactory, fonts: Path
) -> Answers:
    """What a browser sees of the page at two widths, and of each changed one."""
    folder = tmp_path_factory.mktemp("pages")
    page = made(project, folder / "page", fonts)
    pages: dict[tuple[str, Any], tuple[Path, int, str]] = {
        ("page", width): (page, width, SEEN) for width in (390, 1440)
    }
    for number, (name, change) in enumerate(CHANGES):
        path = project.templates / name
        before = path.read_text("utf-8")
        ways = {".j2": change, ".lua": before.replace(FILTER, change)}
        path.write_text(ways.get(path.suffix, f"{before}\n{change}\n"), "utf-8")
        try:
            pages[name, change] = made(project, folder / f"{number}", fonts), 1440, SEEN
        finally:
            path.write_text(before, "utf-8")
    asked = {f"{number}": page for number, page in enumerate(pages.values())}
    found = ask(asked, folder)
    return dict(zip(pages, (found[name] for name in asked), strict=True))


@pytest.mark.parametrize("width", [390, 1440])
def test_every_number_and_banner_is_seen_as_it_is(
    project: Sources, answers: Answers, width: int
) -> None:
    seen = answers["page", width]
    assert problems(project, seen) == []
    assert len(seen["values"]) >= 10


@pytest.mark.parametrize("change", CHANGES)
def test_what_hides_a_number_or_says_another_is_noticed(
    project: Sources, answers: Answers, change: tuple[str, str]
) -> None:
    found = problems(project, answers[change])
    assert any(CHANGES[change] in one for one in found), found


@pytest.mark.parametrize("name", sorted({name for name, _ in CHANGES}))
def test_each_file_that_can_do_so_is_part_of_what_is_approved(name: str) -> None:
    assert f"templates/{name}" in page_look(ROOT / "templates")
