"""A brand changes the look of all that is made, and its absence nothing."""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path

import pytest
from lxml import etree
from pypdf import PdfReader

from analysis.declared.brand import BRAND_FILE
from analysis.errors import UserError
from analysis.report.document.assemble import add_extension
from analysis.report.document.document import DECK, REPORT, read_document
from analysis.report.outputs.docx import check_docx, docx_file
from analysis.report.outputs.html import html_page
from analysis.report.outputs.pdf import pdf_file
from analysis.report.outputs.pptx import check_pptx, pptx_file
from analysis.report.pages.fonts import package_folder
from analysis.report.pages.html_page import deck_head, page_head
from analysis.report.pages.inserts import PALETTE, inline_svg
from analysis.report.pages.look import Look, contrast, look_of, mixed, readable, styles
from tests.conftest import ROOT
from tests.report.outputs.decks import sample_deck
from tests.report.sample_document import SAMPLE

BRAND = """\
color:
  palette: {series-2: "#00618a"}
  foreground: {light: "#1a1a40", dark: "#e8e8ff"}
  primary: "#6f2da8"
  danger: "#b00020"
logo: {images: {mark: {path: logo.svg, alt: 'Sea & "Co" $1'}}, medium: mark}
typography:
  fonts:
    - {family: DejaVu Serif, source: file, files: [{path: serif.ttf}]}
  base: {family: DejaVu Serif}
"""
LOGO = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><path d="M0 0h2"/></svg>'
)


@pytest.fixture
def templates(tmp_path: Path) -> Path:
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / BRAND_FILE).write_text(BRAND)
    (folder / "logo.svg").write_text(LOGO)
    code = package_folder("matplotlib") / "mpl-data/fonts/ttf"
    shutil.copyfile(code / "DejaVuSerif.ttf", folder / "serif.ttf")
    return folder


@pytest.fixture
def look(templates: Path) -> Look:
    found = look_of(templates)
    assert found
    return found


def test_variables_of_the_style_take_both_shades(templates: Path) -> None:
    style = styles(templates, "house.css")
    assert "--ink: light-dark(#1a1a40, #e8e8ff);" in style
    assert re.search(r"--accent: light-dark\(#6f2da8, #(?!78a9ff)\w{6}\);", style)
    assert '"DejaVu Serif", "Source Sans Pro"' in style
    untouched = (ROOT / "templates/house.css").read_text()
    assert "--ink-2: light-dark(#525252, #c6c6c6);" in style
    assert styles(ROOT / "templates", "house.css") == untouched


def test_pages_and_slides_hold_the_typeface_and_its_colours(
    templates: Path, fonts: Path
) -> None:
    for head in (page_head(templates, fonts), deck_head(templates, fonts)):
        assert 'font-family: "DejaVu Serif"; font-weight: 400' in head
        assert "#6f2da8" in head
        assert "#0f62fe" not in head


def test_each_colour_of_a_drawing_is_still_known_by_its_use(look: Look) -> None:
    svg = "".join(f'<path fill="{colour}"/>' for colour in PALETTE)
    drawing = look.drawing(f"<svg viewBox='0 0 1 1'>{svg}</svg>")
    assert "#0072b2" not in drawing
    assert drawing.count("#6f2da") >= 2  # links, and the first series
    inline = inline_svg(drawing, "plot", "")
    for name in PALETTE.values():
        assert inline.count(f"var(--{name}, ") == 1, name


def test_a_document_has_the_look_in_all_formats(
    templates: Path, tmp_path: Path, fonts: Path
) -> None:
    folder = tmp_path / "document"
    shutil.copytree(SAMPLE, folder)
    add_extension(folder, templates, slides=True, fonts=fonts)
    add_extension(folder, templates, slides=False, fonts=fonts)
    document = read_document(folder)
    page = html_page(document, fonts).decode()
    bar = page.partition('<div class="bar">\n')[2].partition("\n")[0]
    assert bar.startswith('<img class="logo" src="data:image/svg+xml;base64,')
    assert 'alt="Sea &amp; &quot;Co&quot; $1"' in bar
    pdf = tmp_path / "made.pdf"
    pdf.write_bytes(pdf_file(document, fonts))
    first = PdfReader(pdf).pages[0]
    fonts_used = first["/Resources"]["/Font"].values()
    names = {font.get_object()["/BaseFont"] for font in fonts_used}
    assert any("DejaVuSerif" in name for name in names)
    assert 'image("logo.svg"' in (folder / REPORT / "parts.typ").read_text()
    for name in (f"{REPORT}/reference.docx", f"{DECK}/reference.pptx"):
        with zipfile.ZipFile(folder / name) as office:
            text = b"".join(map(office.read, office.namelist())).decode(
                "utf-8", "replace"
            )
        assert "6F2DA8" in text
        assert "0F62FE" not in text
        assert '<a:latin typeface="DejaVu Serif"' in text


@pytest.mark.parametrize("name", ["logo.svg", "logo.png"])
def test_files_for_an_office_have_the_logo(
    templates: Path, tmp_path: Path, fonts: Path, name: str
) -> None:
    brand = (templates / BRAND_FILE).read_text().replace("logo.svg", name)
    (templates / BRAND_FILE).write_text(brand)
    shutil.copyfile(next(ROOT.glob("docs/*.png")), templates / "logo.png")
    folder = tmp_path / "document"
    shutil.copytree(SAMPLE, folder)
    add_extension(folder, templates, slides=False, fonts=fonts)
    deck = sample_deck(tmp_path / "deck")
    add_extension(deck.folder, templates, slides=True, fonts=fonts)
    alt = 'Sea & "Co" $1'
    for data, check, part in (
        (docx_file(read_document(folder), fonts), check_docx, "word/document.xml"),
        (pptx_file(deck, fonts), check_pptx, "ppt/slides/slide1.xml"),
    ):
        path = tmp_path / "made"
        path.write_bytes(data)
        assert check(path) == []
        with zipfile.ZipFile(path) as office:
            shown = etree.fromstring(office.read(part))
            assert alt in shown.xpath("//@descr")
            assert any(".png" in each for each in office.namelist())


def test_what_cannot_be_read_is_warned_of(templates: Path) -> None:
    colours = 'color: {primary: "#ffd400", danger: "#eeeeee", success: "#ffd401"}\n'
    (templates / BRAND_FILE).write_text(colours)
    look = look_of(templates)
    assert look
    told = "\n".join(map(str, look.doubts()))
    assert "primary #ffd400 has a contrast of 1.4 to #ffffff; text needs 4.5" in told
    assert "danger #eeeeee has a contrast of 1.2 to #ffffff; a mark needs 3.0" in told
    assert "a series, is near that of what is better" in told
    assert contrast(look.colours["bad"][0], "#ffffff") >= 4.5  # words are made readable


def test_headings_have_a_colour_in_all_formats(
    templates: Path, tmp_path: Path, fonts: Path
) -> None:
    (templates / BRAND_FILE).write_text(
        "typography: {headings: {color: '#00618a', weight: 600}}\n"
    )
    look = look_of(templates)
    assert look
    [unused] = look.doubts()
    assert str(unused).startswith(
        f"{templates}/_brand.yml:1: typography.headings.weight is not used"
    )
    assert "h2, h3, h4, h5 { color: light-dark(#00618a, #" in styles(
        templates, "house.css"
    )
    folder = tmp_path / "document"
    add_extension(folder, templates, slides=True, fonts=fonts)
    paper = (folder / REPORT / "house.typ").read_text()
    assert 'set text(fill: rgb("#00618a"))' in paper
    for name, part, count in (
        (f"{REPORT}/reference.docx", "word/styles.xml", 7),
        (f"{DECK}/reference.pptx", "ppt/slideMasters/slideMaster1.xml", 1),
    ):
        with zipfile.ZipFile(folder / name) as office:
            assert office.read(part).upper().count(b'VAL="00618A"') == count


def test_a_good_brand_is_not_warned_of(look: Look) -> None:
    assert list(look.doubts()) == []


def test_each_theme_has_its_logo(templates: Path) -> None:
    (templates / BRAND_FILE).write_text("logo: {small: {light: logo.svg, dark: b.svg}}")
    (templates / "b.svg").write_text(LOGO)
    look = look_of(templates)
    assert look
    page = look.page('<div class="bar">\n')
    assert re.findall('class="(logo.*?)"', page) == ["logo", "logo for-dark"]
    (templates / "b.svg").write_text("GIF89a")
    with pytest.raises(UserError, match=r"b.svg: this is no SVG"):
        look_of(templates)


@pytest.mark.parametrize("name", ["logo.svg", "logo.png"])
def test_a_logo_that_is_none_is_refused(templates: Path, name: str) -> None:
    (templates / BRAND_FILE).write_text(f"logo: {name}\n")
    (templates / name).write_text("GIF89a")
    with pytest.raises(UserError, match=r"this is no (SVG|PNG)"):
        look_of(templates)


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == 21
    assert round(contrast("#767676", "#ffffff"), 2) == 4.54
    assert mixed("#ff0000", "#0000ff", 0.5) == "#800080"
    assert contrast(readable("#6f2da8", "#161616", 4.5), "#161616") >= 4.5
    assert readable("#000000", "#ffffff", 4.5) == "#000000"
