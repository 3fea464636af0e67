"""DOCX: numbers, references and pictures as Word shows them, and what stops it."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from lxml import etree

from analysis.report.document.document import Document, read_document
from analysis.report.outputs.docx import check_docx, docx_file
from tests.report.sample_document import edit, sample_document

EMU = 914_400  # in an inch
SUMMARY = """
:::: {.summary}
| Study | Latency |
|-------|--------:|
| One | [−37%]{.value key="a" origin="modelled"}\u200b[▲]{.verdict .improved} +5% |

: Both. {#tbl-both}
::::

# Noise"""


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Document:
    folder = sample_document(tmp_path_factory.mktemp("word") / "document")
    edit(folder, "\n# Noise", SUMMARY)
    return read_document(folder)


@pytest.fixture(scope="module")
def made(document: Document, fonts: Path) -> bytes:
    return docx_file(document, fonts)


@pytest.fixture(scope="module")
def word(made: bytes) -> etree._Element:
    with zipfile.ZipFile(BytesIO(made)) as file:
        return etree.fromstring(file.read("word/document.xml"))


def texts(root: etree._Element, style: str) -> list[str]:
    """The paragraphs of a style."""
    path = f".//*[local-name()='pStyle'][@*='{style}']/../.."
    return ["".join(found.itertext()) for found in root.xpath(path)]


def test_captions_have_the_numbers_of_the_page(word: etree._Element) -> None:
    assert [text[:8] for text in texts(word, "ImageCaption")] == [
        "Figure\u00a01", "Figure\u00a02",
    ]  # fmt: skip
    numbers = [text.split()[1] for text in texts(word, "TableCaption")]
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]
    assert len(numbers) > 5


def test_every_reference_leads_to_something(word: etree._Element) -> None:
    marks = set(word.xpath("//*[local-name()='bookmarkStart']/@*[local-name()='name']"))
    links = word.xpath("//*[local-name()='hyperlink']/@*[local-name()='anchor']")
    assert {"fig-noise-runs", "tbl-verdicts", "sec-noise"} <= set(links)
    assert set(links) <= marks


def test_pictures_are_sharp_and_tell_what_they_show(
    made: bytes, word: etree._Element
) -> None:
    alts = word.xpath("//*[local-name()='docPr']/@descr")
    assert "Dots of every run of two configurations; they overlap." in alts
    widths = word.xpath("//*[local-name()='inline']/*[local-name()='extent']/@cx")
    with zipfile.ZipFile(BytesIO(made)) as file:
        names = sorted(n for n in file.namelist() if n.startswith("word/media/"))
        sizes = [int.from_bytes(file.read(name)[16:20]) for name in names]  # of a PNG
    assert len(sizes) == len(widths) == len(alts) == 2
    assert min(sizes) / (max(map(int, widths)) / EMU) >= 199


def test_values_of_a_pair_stand_below_each_other(word: etree._Element) -> None:
    [cell] = [
        cell
        for cell in word.xpath("//*[local-name()='tc']")
        if "+5%" in "".join(cell.itertext())
    ]
    assert "\u200b" not in "".join(cell.itertext())
    assert len(cell.xpath(".//*[local-name()='br']")) == 1
    assert "(predicted)" in "".join(cell.itertext())


def test_the_head_says_what_the_cover_says(word: etree._Element) -> None:
    text = "".join(word.itertext())
    assert "Edition sample" in text
    assert "Status: " in text


def test_the_same_document_gives_the_same_bytes(
    document: Document, made: bytes, fonts: Path
) -> None:
    assert docx_file(document, fonts) == made


def test_a_sound_file_is_published(made: bytes, tmp_path: Path) -> None:
    path = tmp_path / "report.docx"
    path.write_bytes(made)
    assert check_docx(path, ()) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "what"),
    [
        ("word/vbaProject.bin", "", "x", "a document with word/vbaProject.bin"),
        ("word/document.xml", r'descr="[^"]*"', 'descr=" "', "without an alt text"),
        ("word/_rels/document.xml.rels", "</Relationships>",
         '<Relationship Id="x" Type="http://x/image" Target="http://x/a.png" '
         'TargetMode="External"/></Relationships>', "asks for http://x/a.png"),
    ],
)  # fmt: skip
def test_what_word_would_load_is_not_published(
    made: bytes, tmp_path: Path, name: str, old: str, new: str, what: str
) -> None:
    path = tmp_path / "report.docx"
    with zipfile.ZipFile(BytesIO(made)) as file, zipfile.ZipFile(path, "w") as spoilt:
        parts = {one: file.read(one) for one in file.namelist()}
        text = parts.get(name, b"").decode()
        parts[name] = (re.sub(old, new, text) if old else new).encode()
        for one, content in parts.items():
            spoilt.writestr(one, content)
    assert [what in issue.what for issue in check_docx(path, ())] == [True]


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"%PDF-1.7"])
def test_what_is_no_document_is_not_published(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "report.docx"
    path.write_bytes(content)
    assert [issue.what for issue in check_docx(path, ())] == ["not a document of Word"]
