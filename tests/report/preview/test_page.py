"""What a preview renders again after an edit is what a whole rendering gives."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.report.material import Sources
from analysis.report.preview.page import PageMaker, replace_sections

WriteText = Callable[[str, str], Path]
OBSERVATIONS = "studies/speed/observations.md"


@pytest.fixture
def maker(project: Sources, tmp_path: Path, fonts: Path) -> PageMaker:
    return PageMaker("small", project, tmp_path / "document", fonts)


def unstamped(html: str) -> str:
    return re.sub(r"\b[0-9a-f]{12}\b", "", html)


def test_a_new_sentence_is_rendered_alone_and_as_in_the_whole(
    maker: PageMaker, write_text: WriteText
) -> None:
    before = maker.whole()
    write_text(OBSERVATIONS, "A *new* `sentence` (@fig-speed-rr, @tbl-speed-glance).\n")
    first = maker.quick(before)
    assert first is None  # it refers to another table than before
    before = maker.whole()
    path = maker.sources.report / "small" / OBSERVATIONS
    path.write_text(f"{path.read_text('utf-8')}\nStill *another*.\n", "utf-8")
    quick = maker.quick(before)
    assert quick is not None
    assert "Still <em>another</em>" in quick.html
    assert unstamped(quick.html) == unstamped(maker.whole().html)


@pytest.mark.parametrize(
    "text", ["Seen before [@smith].\n", "A note.[^a]\n\n[^a]: Here.\n", "### More\n"]
)
def test_what_moves_numbers_elsewhere_is_rendered_whole(
    maker: PageMaker, write_text: WriteText, text: str
) -> None:
    before = maker.whole()
    write_text(OBSERVATIONS, text)
    assert maker.quick(before) is None


def test_a_mistake_names_file_and_line(maker: PageMaker, write_text: WriteText) -> None:
    before = maker.whole()
    write_text(OBSERVATIONS, '\n{{ delta("latenzy", "RR1(1kB)") }}\n')
    with pytest.raises(UserError, match=r"observations\.md:2: "):
        maker.quick(before)


def test_what_pandoc_reads_otherwise_is_a_mistake_until_it_is_mended(
    maker: PageMaker, write_text: WriteText
) -> None:
    before = maker.whole()
    write_text(OBSERVATIONS, "Fine.\n- no list\n")
    for _ in range(2):
        with pytest.raises(UserError, match=r"observations\.md:2: Pandoc reads"):
            maker.quick(before)
    write_text(OBSERVATIONS, "Fine.\n\n- a list\n")
    assert "<li>a list</li>" in maker.whole().html


def test_a_false_claim_is_a_mistake(maker: PageMaker, write_text: WriteText) -> None:
    before = maker.whole()
    text = "---\nclaims:\n  - latency rises for RR1(1kB)\n---\nLatency rises.\n"
    write_text(OBSERVATIONS, text)
    with pytest.raises(UserError, match=r"observations\.md:3: "):
        maker.quick(before)


def test_a_section_that_is_not_there_replaces_nothing() -> None:
    page = '<h2 id="sec-a">A</h2>old<h2 id="sec-b">B</h2>'
    assert replace_sections(page, {"sec-c": "new"}) == ""
    assert "new" in replace_sections(page, {"sec-a": "new"})
