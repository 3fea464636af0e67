"""The sections of a document come back as they were, unless something changed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.report.document.document import Document
from analysis.report.document.kept_sections import (
    Marks,
    Rendered,
    Source,
    kept_file,
    read_kept,
    write_kept,
)
from analysis.report.document.parts import read_parts
from analysis.report.engines import pandoc as pandoc_engine
from analysis.report.material import Sources
from analysis.report.outputs.html import html_page
from analysis.report.outputs.pdf import pdf_file
from analysis.report.pages.inserts import put_inserts
from tests.report.document.test_assemble import build

META = "---\ntitle: T\n---\n"
SPEED = "## Speed {#sec-speed}\n"
BODY = "\nIt is fast [@a].\n\n: Values. {#tbl-speed}\n\n"
COST = "## Cost {#sec-cost}\n"
TEXT = f"{META}\n# All {{#sec-all}}\n\n{SPEED}{BODY}{COST}\nSee @tbl-speed.\n\n"


@pytest.fixture
def document(project: Sources) -> Document:
    return build(project)[""]


@pytest.fixture
def passed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that Pandoc was given."""
    texts: list[str] = []
    pandoc = pandoc_engine.run_pandoc

    def listen(
        document: Document, options: tuple[str, ...], text: str, nice: int = 0
    ) -> bytes:
        texts.append(text)
        return pandoc(document, options, text, nice)

    monkeypatch.setattr(pandoc_engine, "run_pandoc", listen)
    return texts


def without_blank_lines(page: bytes) -> str:
    return re.sub(r"\n\s*\n+", "\n", page.decode())


def whole(document: Document) -> str:
    """The page of a document of which nothing is kept, or marked."""
    options = (*pandoc_engine._COMMON, "--to=html5", "--mathml")
    page = pandoc_engine.run_pandoc(document, options, document.text).decode()
    return without_blank_lines(put_inserts(page, document.folder).encode())


def test_a_page_of_kept_sections_is_the_page_rendered_whole(
    document: Document, fonts: Path, passed: list[str]
) -> None:
    first, second = html_page(document, fonts), html_page(document, fonts)
    assert first == second
    assert len(passed[1]) < len(passed[0]) / 2
    body = without_blank_lines(second)
    assert whole(document) in body
    assert not re.search("kept[0-9a-f]{32}", body)


def test_only_the_section_that_changed_is_rendered(
    document: Document, fonts: Path, passed: list[str]
) -> None:
    html_page(document, fonts)
    heading = "{#sec-speed-background}\n"
    assert heading in document.text
    text = document.text.replace(heading, f"{heading}\nA new sentence.\n")
    page = html_page(replace(document, parts=read_parts(text)), fonts).decode()
    assert "<p>A new sentence.</p>" in page
    assert len(re.findall(r"^kept[0-9a-f]{32}b", passed[1], re.MULTILINE)) == 1


@pytest.mark.parametrize("text", ["[x]{#tbl-false}", ": x {#fig-false}"])
def test_an_anchor_of_no_figure_or_table_is_refused(
    document: Document, fonts: Path, text: str
) -> None:
    heading = "{#sec-speed-background}\n"
    false = document.text.replace(heading, f"{heading}\n{text}\n")
    with pytest.raises(
        UserError, match=r"index.qmd:\d+: #(tbl|fig)-false is the anchor"
    ):
        html_page(replace(document, parts=read_parts(false)), fonts)


def keys(text: str, filters: str = "") -> set[str]:
    return set(Source(read_parts(text), filters).keys.values())


def test_a_section_is_rendered_anew_when_it_changed() -> None:
    edited = keys(TEXT.replace("is fast", "is slow"))
    assert len(keys(TEXT) & edited) == 1


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace("## Cost", "## Price"),
        TEXT.replace("[@a]", "[@b]"),
        TEXT.replace(SPEED, f"{SPEED}\n: First. {{#tbl-first}}\n\n"),
        f"{TEXT}\n## Links {{#sec-links}}\n\n[name]: https://example.com\n",
    ],
    ids=["a heading", "a reference", "a table before", "a link's target"],
)
def test_all_sections_are_rendered_anew_when_what_they_tell_of_changed(
    text: str,
) -> None:
    assert not keys(TEXT) & keys(text)


def test_all_sections_are_rendered_anew_when_a_filter_changed() -> None:
    assert not keys(TEXT) & keys(TEXT, "another filter")


def test_references_keep_the_order_in_which_the_text_cites_them() -> None:
    text = "One.[^n] Two [@b].\n\n[^n]: As in @a.\n\n`@c` three [-@d; @b]."
    marked = Source(read_parts(text), "").marked({}, Marks("m"))
    assert marked.startswith("\nmc0x [@a] [@b] [@d] md0x\n")


def rendered(first: int, second: int, extra: str = "") -> str:
    """What an engine makes of two bodies of which it keeps the first."""
    return (
        "<p>mc0x [1] md0x</p>\n<h1>All</h1>\n"
        f"<p>mh{first}x</p>\n"
        f"<p>mb{second}x</p>\n<p>New</p>\n{extra}"
        f"<p>me{second}x</p>\n<p>Foot</p>"
    )


def test_marks_are_taken_out_of_what_comes_back() -> None:
    source = Source(read_parts(TEXT), "")
    (first, one), (second, two) = source.keys.items()
    known = {one: "<p>Old</p>\n", "x": "gone"}
    found = source.cut(rendered(first, second), known, Marks("m"))
    assert found == Rendered(
        source.frame_key,
        ("<h1>All</h1>\n", "", "<p>Foot</p>"),
        (one, two),
        {one: "<p>Old</p>\n", two: "<p>New</p>\n"},
    )
    assert found.text == "<h1>All</h1>\n<p>Old</p>\n<p>New</p>\n<p>Foot</p>"


def test_marks_that_do_not_come_back_as_they_went_in_mean_nothing() -> None:
    source = Source(read_parts(TEXT), "")
    (first, one), (second, _) = source.keys.items()
    known = {one: "<p>Old</p>\n"}
    for extra in (f"<p>me{second}x</p>\n", f"<p>mh{first}x</p>\n", "m", "mbx"):
        assert source.cut(rendered(first, second, extra), known, Marks("m")) is None
    torn = rendered(first, second).replace(f"me{second}x", "")
    assert source.cut(torn, known, Marks("m")) is None


def test_no_text_can_hold_a_mark() -> None:
    words = {Marks().word for _ in range(100)}
    assert len(words) == 100
    assert all(len(word) > 32 for word in words)


@pytest.mark.parametrize("word", ["kept-section", f"kept{'0' * 32}", "kept"])
def test_a_text_that_looks_like_marks_keeps_nothing_false(
    document: Document, fonts: Path, word: str
) -> None:
    heading = "{#sec-speed-background}\n"
    marks = "".join(
        f"\n{word}e{place}x\n\nFALSE\n\n{word}b{place}x\n" for place in range(1, 60, 2)
    )
    poisoned = document.text.replace(heading, f"{heading}{marks}")
    page = html_page(replace(document, parts=read_parts(poisoned)), fonts).decode()
    assert page.count("<p>FALSE</p>") == 30
    assert "FALSE" not in html_page(document, fonts).decode()
    assert b"FALSE" not in pdf_file(document, fonts)


def test_a_section_that_tears_its_marks_apart_is_rendered_with_the_whole(
    document: Document, fonts: Path
) -> None:
    heading = "{#sec-speed-background}\n"
    torn = document.text.replace(
        heading, f"{heading}\n::: {{.callout-note}}\n\nOpen.\n"
    )
    torn = torn.replace("The goal was", ":::\n\nThe goal was")
    page = html_page(replace(document, parts=read_parts(torn)), fonts)
    assert whole(replace(document, parts=read_parts(torn))) in without_blank_lines(page)


@pytest.mark.parametrize("damage", ["{", "[]", None])
def test_what_was_kept_may_be_lost(tmp_path: Path, damage: str | None) -> None:
    file = kept_file(tmp_path / "document", "--to=html5")
    assert read_kept(file) == {}
    write_kept(file, {"a": "b"})
    assert read_kept(file) == {"a": "b"}
    if damage is not None:
        file.write_text(damage, encoding="utf-8")
        assert read_kept(file) == {}


@pytest.mark.parametrize(
    "damaged",
    [
        lambda content: content.replace(b"true", b"false"),
        lambda content: content[:-1],
        lambda content: content.partition(b"\n")[2],
        lambda content: b'{"a": 5}',
        lambda content: b"[" * 100_000,
        lambda content: b"\xff\n\xff",
        lambda content: b"",
    ],
    ids=["edited", "cut", "no digest", "other", "deep", "no text", "empty"],
)
def test_sections_that_are_not_as_they_were_written_are_not_kept(
    tmp_path: Path, damaged: Callable[[bytes], bytes]
) -> None:
    file = tmp_path / "kept/html5"
    write_kept(file, {"a": "<p>true</p>"})
    assert read_kept(file) == {"a": "<p>true</p>"}
    file.write_bytes(damaged(file.read_bytes()))
    assert read_kept(file) == {}


def test_headings_take_no_anchor_that_the_page_needs(document: Document) -> None:
    words = "Search", "Trace a b", "Fact a", "Tbl speed", "Ref smith", "Facts"
    text = "".join(f"## {word}\n\nSee [{word}].\n\n" for word in words)
    page = pandoc_engine.run_pandoc(
        document, (*pandoc_engine.FILTERS, "--to=html5"), text
    ).decode()
    assert re.findall(r'<h3 id="([^"]+)"', page) == [
        "part-search", "part-trace-a-b", "part-fact-a", "part-tbl-speed",
        "part-ref-smith", "facts",
    ]  # fmt: skip
    assert '<a href="#part-search">Search</a>' in page
