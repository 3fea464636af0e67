"""The page of slides: nothing overflows or is asked for, each prints on a page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lxml import html
from pypdf import PdfReader

from analysis.errors import UserError
from analysis.report.outputs.revealjs import OUTPUT, deck_page
from analysis.report.pages.safe_page import check_page
from tests.report.browser import CHROMIUM, ask_alone, print_page
from tests.report.outputs.decks import SLIDES, sample_deck

COUNT = 1 + len(SLIDES)  # with the cover
BROWSER = pytest.mark.skipif(
    not CHROMIUM, reason="needs Chromium: apt install chromium"
)
# Of each slide, what sticks out of it by more than the rounding of a pixel.
MEASURE = """
const found = [];
for (let slide = 0; slide < Reveal.getTotalSlides(); slide += 1) {
  Reveal.slide(slide);
  const section = Reveal.getCurrentSlide();
  const room = section.getBoundingClientRect();
  const scale = room.width / section.offsetWidth;
  const foot = room.bottom - 44 * scale;
  for (const one of section.querySelectorAll("h1, h2, p, li, td, pre, svg")) {
    if (one.closest("aside")) continue;
    const box = one.getBoundingClientRect();
    const over = Math.max(room.left - box.left, box.right - room.right,
      room.top - box.top, box.bottom - foot) / scale;
    if (over > 1) found.push(`${slide} ${one.tagName} ${Math.round(over)}`);
  }
}
const notes = [...document.querySelectorAll("aside.notes")];
return { slides: Reveal.getTotalSlides(), found,
  hidden: notes.every(one => one.getClientRects().length === 0),
  notes: notes.map(one => one.textContent.trim()) };
"""


@pytest.fixture(scope="module")
def page(fonts: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    document = sample_deck(tmp_path_factory.mktemp("deck") / "slides")
    path = document.folder.parent / OUTPUT.file("deck")
    path.write_bytes(deck_page(document, fonts))
    facts = '<html><body><p id="trace-speed-a"></p></body></html>'
    (path.parent / "facts.html").write_text(facts)
    return path


def test_it_may_be_published_and_asks_for_nothing(page: Path) -> None:
    assert check_page(page, {"facts.html"}) == []


def test_a_script_of_an_author_is_not_published(page: Path, tmp_path: Path) -> None:
    spoilt = tmp_path / page.name
    text = page.read_text("utf-8").replace("</body>", "<script>1</script></body>")
    spoilt.write_text(text, encoding="utf-8")
    (tmp_path / "facts.html").write_bytes((page.parent / "facts.html").read_bytes())
    found = [issue.what for issue in check_page(spoilt, {"facts.html"})]
    assert found == ["a script that the page's policy does not list"]


def test_numbers_lead_to_their_facts_and_drawings_say_what_they_show(
    page: Path,
) -> None:
    root = html.document_fromstring(page.read_bytes())
    assert root.xpath("//a[@data-keys]/@href") == ["facts.html#trace-speed-a"]
    assert root.xpath("//section//svg/@aria-label") == [
        "What tall shows", "What tall shows", "What flat shows",
        "What flat shows", "What tall shows", "What flat shows",
    ]  # fmt: skip
    assert len(root.xpath("//main//section")) == COUNT


@BROWSER
@pytest.mark.parametrize("width", [1280, 500])
def test_slides_that_reach_every_limit_do_not_overflow(
    page: Path, tmp_path: Path, width: int
) -> None:
    said = ask_alone(page, width, MEASURE, tmp_path)
    assert said == {
        "slides": COUNT, "found": [], "hidden": True, "notes": ["Say it slowly."],
    }  # fmt: skip


@BROWSER
@pytest.mark.parametrize(("folder", "leads"), [("deck", True), ("other", False)])
def test_slides_lead_to_all_reports_where_there_is_a_list(
    page: Path, tmp_path: Path, folder: str, leads: bool
) -> None:
    tmp_path.joinpath(folder).mkdir()
    probe = """
    const home = document.querySelector(".foot a.home");
    return [home.getAttribute("href"), home.checkVisibility(), home.textContent];
    """
    href, seen, words = ask_alone(page, 1280, probe, tmp_path / folder)
    assert (seen, words) == (leads, "All reports")
    assert href == ("../index.html" if leads else None)


@BROWSER
def test_each_slide_prints_on_a_page_of_its_own(page: Path, tmp_path: Path) -> None:
    pdf = PdfReader(print_page(page, tmp_path))
    assert len(pdf.pages) == COUNT
    assert "A deck of wide words" in pdf.pages[0].extract_text()
    assert "Say it slowly" not in "".join(p.extract_text() for p in pdf.pages)


@pytest.mark.parametrize("name", ["deck.lua", "house.lua", "deck.html"])
def test_what_is_broken_is_named_and_nothing_is_made(
    fonts: Path, tmp_path: Path, name: str
) -> None:
    document = sample_deck(tmp_path / "slides")
    (path,) = document.folder.glob(f"_extensions/*/{name}")
    path.write_text("\n$if(x" + path.read_text("utf-8"), encoding="utf-8")
    with pytest.raises(UserError) as error:
        deck_page(document, fonts)
    assert re.search(rf"{name}\W*(:|line )\(?\d", str(error.value))
