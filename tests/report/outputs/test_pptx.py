"""PPTX: what its slides hold, by the parts of the file, and what stops it."""

from __future__ import annotations

import datetime as dt
import re
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from lxml import etree

from analysis.errors import UserError
from analysis.report.document.document import Document
from analysis.report.outputs.pptx import check_pptx, pptx_file
from analysis.report.slides import limits
from analysis.report.slides.compose import reference_deck
from tests.report.outputs.decks import SLIDES, sample_deck

EMU = 914_400  # in an inch
FRAME = "(ancestor::*[local-name()='graphicFrame'] | self::*)[1]"


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Document:
    return sample_deck(tmp_path_factory.mktemp("deck") / "slides")


@pytest.fixture(scope="module")
def made(document: Document, fonts: Path) -> bytes:
    return pptx_file(document, fonts)


@pytest.fixture(scope="module")
def parts(made: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(made)) as file:
        return {name: file.read(name) for name in file.namelist()}


def slide(parts: dict[str, bytes], number: int) -> etree._Element:
    return etree.fromstring(parts[f"ppt/slides/slide{number}.xml"])


def test_each_slide_of_the_text_is_one(parts: dict[str, bytes]) -> None:
    names = [name for name in parts if re.fullmatch(r"ppt/slides/slide\d+.xml", name)]
    assert len(names) == 1 + len(SLIDES)


def test_tables_are_tables(parts: dict[str, bytes]) -> None:
    assert len(slide(parts, 6).xpath("//*[local-name()='tr']")) == 8
    assert "considerable" in "".join(slide(parts, 6).itertext())


def test_columns_are_as_wide_as_their_words(parts: dict[str, bytes]) -> None:
    widths = slide(parts, 14).xpath("//*[local-name()='gridCol']/@w")
    assert len(widths) == 2 and int(widths[1]) > 2 * int(widths[0])


def test_two_pictures_or_tables_stand_side_by_side_with_their_words(
    parts: dict[str, bytes],
) -> None:
    for number, kind in ((12, "pic"), (13, "tbl")):
        root = slide(parts, number)
        found = root.xpath(f"//*[local-name()='{kind}']")
        places = [
            int(one.xpath(f"{FRAME}//*[local-name()='off']/@x")[0]) for one in found
        ]
        assert len(found) == 2 and places == sorted(set(places))
        assert root.xpath("//*[local-name()='ph'][@idx='1']")


def test_a_picture_is_sharp_and_tells_what_it_shows(parts: dict[str, bytes]) -> None:
    for number in (8, 9, 10):
        [alt] = slide(parts, number).xpath("//*[local-name()='pic']//@descr")
        assert alt.startswith("What ")
        [width] = slide(parts, number).xpath("//*[local-name()='pic']//@cx")
        media = sorted(name for name in parts if name.startswith("ppt/media/"))
        pixels = min(int.from_bytes(parts[name][16:20]) for name in media)
        assert pixels / (int(width) / EMU) >= 200


def test_each_line_of_code_is_a_line(parts: dict[str, bytes]) -> None:
    code = slide(parts, 7).xpath("//*[local-name()='r'][.//@typeface='Courier New']")
    assert len(code) == limits.CODE_LINES
    assert {"".join(run.itertext()) for run in code} == {"m" * limits.CODE}


def test_notes_are_notes(parts: dict[str, bytes]) -> None:
    notes = [parts[name] for name in parts if "notesSlides/notesSlide" in name]
    assert any(b"Say it slowly" in text for text in notes)
    assert "Say it slowly" not in "".join(slide(parts, 10).itertext())


def test_the_cover_says_that_it_is_a_draft(parts: dict[str, bytes]) -> None:
    text = "".join(slide(parts, 1).itertext())
    assert "Draft: not reviewed yet." in text and "5 March 2026" in text
    master = parts["ppt/slideMasters/slideMaster1.xml"].decode()
    assert "A deck of wide words" in master


def test_a_deck_whose_feet_would_say_nothing_is_refused(tmp_path: Path) -> None:
    deck = tmp_path / "reference.pptx"
    with zipfile.ZipFile(deck, "w") as made:
        made.writestr("ppt/slideMasters/slideMaster1.xml", "<a:t>FO</a:t><a:t>OT</a:t>")
    with pytest.raises(UserError, match="no place for what a foot says"):
        reference_deck(deck, "Draft: not reviewed yet.", dt.date(2026, 3, 5))


def test_a_divider_keeps_its_words_on_one_slide(parts: dict[str, bytes]) -> None:
    assert "interactive" in "".join(slide(parts, 3).itertext())


def test_the_deck_has_the_look_of_the_house(parts: dict[str, bytes]) -> None:
    for layout, bars in (("1", 1), ("2", 0), ("3", 1)):
        part = etree.fromstring(parts[f"ppt/slideLayouts/slideLayout{layout}.xml"])
        assert len(part.xpath("//*[local-name()='cNvPr'][@name='Bar']")) == bars
    [used] = slide(parts, 6).xpath("//*[local-name()='tableStyleId']/text()")
    styles = etree.fromstring(parts["ppt/tableStyles.xml"])
    assert styles.xpath("//*[local-name()='tblStyle']/@styleId") == [used]


def test_the_same_document_gives_the_same_bytes(
    document: Document, made: bytes, fonts: Path
) -> None:
    assert pptx_file(document, fonts) == made


def test_a_sound_file_is_published(made: bytes, tmp_path: Path) -> None:
    path = tmp_path / "deck.pptx"
    path.write_bytes(made)
    assert check_pptx(path, ()) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "what"),
    [
        ("ppt/vbaProject.bin", "", "x", "a deck with ppt/vbaProject.bin"),
        ("ppt/slides/slide8.xml", r'descr="[^"]*"', 'descr=" "', "without an alt text"),
        ("ppt/slides/_rels/slide8.xml.rels", "</Relationships>",
         '<Relationship Id="x" Type="http://x/image" Target="http://x/a.png" '
         'TargetMode="External"/></Relationships>', "asks for http://x/a.png"),
    ],
)  # fmt: skip
def test_what_would_be_loaded_is_not_published(
    parts: dict[str, bytes], tmp_path: Path, name: str, old: str, new: str, what: str
) -> None:
    path, text = tmp_path / "deck.pptx", parts.get(name, b"").decode()
    spoilt = (re.sub(old, new, text) if old else new).encode()
    with zipfile.ZipFile(path, "w") as file:
        for one, content in (parts | {name: spoilt}).items():
            file.writestr(one, content)
    assert [what in issue.what for issue in check_pptx(path, ())] == [True]


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"%PDF-1.7"])
def test_what_are_no_slides_is_not_published(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "deck.pptx"
    path.write_bytes(content)
    assert [i.what for i in check_pptx(path, ())] == ["not slides of PowerPoint"]
