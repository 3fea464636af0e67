"""What stays together on the pages of the PDF, wherever on a page it begins."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from analysis.report.document.document import read_document
from analysis.report.outputs.pdf import pdf_file
from tests.report.paper import Paper
from tests.report.sample_document import edit, sample_document

pytestmark = pytest.mark.xdist_group("paper")  # which takes a while to make
COPIES = 12
STUDY = """## Study {n} {{#sec-study{n} .study}}

::: {{.chips}}
[A{n}]{{.chip .baseline}} → [B{n}]{{.chip .test}}
:::

::: {{.question}}
*Question {n}?*
:::

::: {{.answer}}
Answer{n} is a sentence of some words that takes more than one line of the page, as it
is set in larger type.
:::

::::: {{.key-values}}
:::: {{.key-value}}
[−{n}%]{{.large}}\\
[Value{n}]{{.what}}
::::
:::::

:::: {{.shown figure="lead{n}"}}
@fig-lead{n} shows it.

![Latency.](figures/offload-latency/figure.svg){{#fig-lead{n} fig-alt="A" width=170mm}}

::::

{filler}

### Configuration {n} {{#sec-study{n}-configuration}}

The same on all configurations:

::: {{.facts-list}}
- CPC: z17
- MTU: 1500
- Release: 3.2
- Linux: none
:::

| Name | Number |
|------|-------:|
{rows}

: The rows of a table. {{#tbl-rows{n}}}

"""
HEAD_OF_TEXT = "# Studies {#sec-studies .group}\n\nA chapter.\n\n"
PIECES, LONG = 40, range(20, 60)
PIECE = """## Piece {n} {{#sec-piece{n}}}

It announces:

- one
- two
{more}

"""
TABLE = """| Name | Number |
|------|-------:|
{rows}

: Long. {{#tbl-long{n}}}

"""


def studies(copies: int = COPIES) -> str:
    """Studies with more and more text, so that their parts begin at all heights."""
    return "".join(
        STUDY.format(
            n=n,
            filler="\n\n".join(f"Line {line} of the text." for line in range(n)),
            rows=rows(14),
        )
        for n in range(1, copies + 1)
    )


def pieces() -> str:
    """Short sections with lists."""
    return "".join(PIECE.format(n=n, more="- more\n" * (n % 4)) for n in range(PIECES))


def tables() -> str:
    """Tables of all lengths about that of a page."""
    return "".join(TABLE.format(n=count, rows=rows(count)) for count in LONG)


def rows(count: int) -> str:
    return "\n".join(f"| row {row} | {row} |" for row in range(count))


def document_of(folder: Path, text: str) -> Path:
    """The sample document with another text in place of its own."""
    sample_document(folder)
    index = folder / "index.qmd"
    metadata = index.read_text("utf-8").split("\n---\n")[0]
    index.write_text(f"{metadata}\n---\n\n{HEAD_OF_TEXT}{text}", "utf-8")
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("paper") / "document"
    return document_of(folder, studies() + pieces() + tables())


@pytest.fixture(scope="module")
def pdf(folder: Path, fonts: Path) -> bytes:
    return pdf_file(read_document(folder), fonts)


@pytest.fixture(scope="module")
def paper(pdf: bytes) -> Paper:
    return Paper(BytesIO(pdf))


def test_no_page_is_broken_at_a_bad_place(paper: Paper) -> None:
    assert len(paper.words) > COPIES
    assert paper.faults() == []


def test_answers_stand_with_their_questions_and_values(paper: Paper) -> None:
    for n in range(1, COPIES + 1):
        parts = {f"Question {n}?", f"−{n}%", f"Value{n}"}
        answer = f"Answer{n} is a sentence"
        pages = [
            len([w for w in words if w.text in parts or w.text.startswith(answer)])
            for words in paper.words
        ]
        assert max(pages) == sum(pages) == len(parts) + 1


def test_figures_of_answers_stand_below_their_headings_in_order(paper: Paper) -> None:
    tops = {h.title.split()[-1]: h for h in paper.headings if "Study" in h.title}
    at = [
        (number, word.y)
        for number, words in enumerate(paper.words)
        for word in words
        if word.text == "Figure" and word.x < 60
    ]
    assert at == sorted(at, key=lambda place: (place[0], -place[1]))
    for (page, y), study in zip(at, tops.values(), strict=True):
        assert (study.page, -study.top) < (page, -y)
        assert page <= study.page + 1


def test_figures_stand_on_the_page_of_their_text(paper: Paper) -> None:
    assert len(paper.captions) > COPIES
    assert {*paper.far_figures()} == set()


def test_what_is_kept_of_the_last_time_changes_no_page(
    tmp_path: Path, fonts: Path
) -> None:
    folder = document_of(tmp_path / "document", studies(3))
    pdf = pdf_file(read_document(folder), fonts)
    file = folder.with_name(f".{folder.name}.kept") / "floats.json"
    assert json.loads(file.read_text("utf-8"))
    for kept in ("no list", '["lead1", "lead2", "nobody"]'):
        file.write_text(kept, "utf-8")
        assert pdf_file(read_document(folder), fonts) == pdf


@pytest.mark.parametrize(
    ("parts", "template", "old", "new", "said"),
    [
        (
            [studies, tables],
            "paper.lua",
            "foot:insert(1, rows:remove())",
            "break",
            "one row of a",
        ),
        ([pieces], "paper.lua", "match ':$'", "match '!$'", "nothing follows 'It ann"),
        ([studies], "house.typ", "sticky: true", "sticky: false", "stands alone"),
    ],
)
def test_without_a_rule_pages_have_faults(
    tmp_path: Path,
    fonts: Path,
    parts: list[Callable[[], str]],
    template: str,
    old: str,
    new: str,
    said: str,
) -> None:
    folder = document_of(tmp_path / "document", "".join(part() for part in parts))
    file = folder / "_extensions/netperf" / template
    before = file.read_text("utf-8")
    assert old in before
    file.write_text(before.replace(old, new), "utf-8")
    worse = Paper(BytesIO(pdf_file(read_document(folder), fonts)))
    assert any(said in fault for fault in worse.faults())


def test_titles_that_are_too_long_for_one_line_leave_the_nearer_one(
    tmp_path: Path, fonts: Path
) -> None:
    document = sample_document(tmp_path / "document")
    chapter, part = "chapter with many words " * 4, "part with many words " * 4
    lines = "\n\n".join(f"Line {line}." for line in range(60))
    text = (
        f"# A {chapter} {{#sec-a}}\n\n## A {part} {{#sec-b}}\n\n{lines}\n\n# References"
    )
    edit(document, "# References", text)
    pages = PdfReader(BytesIO(pdf_file(read_document(document), fonts))).pages
    second = next(p for p in pages if "Line 59." in p.extract_text())
    banner, head, *_ = second.extract_text().splitlines()
    assert banner == "Draft: not reviewed yet."
    assert head == f"A {part}".strip()


def test_a_picture_that_is_taller_than_a_page_is_made_smaller(
    tmp_path: Path, fonts: Path
) -> None:
    text = STUDY.format(n=1, filler="", rows=rows(3))
    folder = document_of(tmp_path / "document", text)
    tall = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 200"><g/></svg>'
    for picture in folder.rglob("figure.svg"):
        picture.write_text(tall, "utf-8")
    paper = Paper(BytesIO(pdf_file(read_document(folder), fonts)))
    pages = [" ".join(word.text for word in page) for page in paper.words]
    (shown,) = [page for page in pages if "Latency." in page]
    assert "shows it." in shown  # with what leads to it, between head and foot
