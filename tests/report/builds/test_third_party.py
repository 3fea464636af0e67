"""Each part that others made is listed with its licence, and no other is embedded."""

from __future__ import annotations

import io
import re
from base64 import b64decode
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from lxml import etree, html

from analysis.errors import UserError
from analysis.report.builds.third_party import (
    PARTS,
    Part,
    licence_text,
    third_party_page,
)
from analysis.report.pages.fonts import (
    font_css,
    font_folder,
    package_folder,
    print_fonts,
)
from analysis.report.pages.safe_page import check_page
from tests.conftest import ROOT

TEMPLATES = ROOT / "templates"
NAMES = {part.name: part for part in PARTS}


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_the_page_has_name_version_source_and_licence(part: Part, fonts: Path) -> None:
    page = html.fromstring(third_party_page(TEMPLATES, fonts))
    words = page.text_content()
    for text in (part.name, part.version, part.licence, part.source):
        assert text in words
    assert licence_text(part) in words
    assert page.xpath(f"//a[@href='{part.source}']")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Source Sans Pro", ("SIL OPEN FONT LICENSE Version 1.1", "Adobe Systems")),
        (
            "DejaVu Sans Mono",
            ("Bitstream Vera Fonts Copyright", "Arev Fonts Copyright"),
        ),
    ],
)
def test_the_texts_of_fonts_are_those_of_their_makers(
    name: str, words: tuple[str, ...]
) -> None:
    assert all(text in licence_text(NAMES[name]) for text in words)


def test_the_page_may_be_published(tmp_path: Path, fonts: Path) -> None:
    path = tmp_path / "third-party.html"
    path.write_text(third_party_page(TEMPLATES, fonts), encoding="utf-8")
    assert check_page(path, []) == []


def test_a_licence_that_is_gone_is_a_mistake() -> None:
    part = Part("A", "1", "", "", "", package="matplotlib", file="none")
    with pytest.raises(UserError, match="the licence of A is missing"):
        licence_text(part)


def test_the_pdf_knows_only_listed_typefaces(tmp_path: Path) -> None:
    families = set()
    for path in print_fonts(tmp_path).iterdir():
        names = TTFont(path)["name"]
        family = str(names.getDebugName(16) or names.getDebugName(1))
        families.add(re.sub(r"^(Source Sans Pro).*", r"\1", family))
        part = NAMES[re.sub(r"^(Source Sans Pro).*", r"\1", family)]
        (version,) = re.findall(r"Version ([\d.]+)", str(names.getDebugName(5)))
        assert version in part.version
    assert families == {"Source Sans Pro", "DejaVu Sans Mono"}


def test_the_folder_of_the_pdf_is_made_once(tmp_path: Path) -> None:
    made = print_fonts(tmp_path)
    before = {path.name: path.stat().st_mtime_ns for path in made.iterdir()}
    assert print_fonts(tmp_path) == made
    assert {p.name: p.stat().st_mtime_ns for p in made.iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == [made.name]


def test_a_typeface_that_is_lost_or_cut_short_comes_back(tmp_path: Path) -> None:
    made = print_fonts(tmp_path)
    before = {path.name: path.read_bytes() for path in made.iterdir()}
    lost, cut, *_ = sorted(made.iterdir())
    lost.unlink()
    cut.write_bytes(b"")
    assert print_fonts(tmp_path) == made
    assert {path.name: path.read_bytes() for path in made.iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == [made.name]


def test_two_editions_may_make_it_at_a_time(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        (made,) = set(pool.map(print_fonts, [tmp_path] * 8))
    assert len(list(made.iterdir())) > 4
    assert [path.name for path in tmp_path.iterdir()] == [made.name]


def test_each_typeface_on_a_page_tells_its_licence(fonts: Path) -> None:
    found = re.findall(r"base64,([^\"]+)", font_css(fonts))
    for text in found:
        names = TTFont(io.BytesIO(b64decode(text)))["name"]
        assert "SIL Open Font License" in str(names.getDebugName(13))
        assert "Adobe" in str(names.getDebugName(0))
    assert len(found) == 3


def test_the_style_of_references_has_the_listed_licence() -> None:
    style = etree.parse(TEMPLATES / "_extensions/netperf/ieee.csl")
    (rights,) = style.xpath("//*[local-name()='rights']")
    part = next(part for part in PARTS if "Citation" in part.name)
    assert part.statement == f"{rights.text}: {rights.get('license')}"
    (title,) = style.xpath("/*/*[local-name()='info']/*[local-name()='title']")
    assert title.text.endswith(part.version)


def test_no_package_is_needed_but_those_installed() -> None:
    assert (font_folder() / "LICENSE.txt").is_file()
    with pytest.raises(UserError, match="the package nowhere_to_be_found is missing"):
        package_folder("nowhere_to_be_found")
