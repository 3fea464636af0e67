"""What a preview renders again after an edit is what a whole rendering gives."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.facts.fact import read_facts, write_facts
from analysis.report.engines.pandoc import PandocEngine
from analysis.report.material import Sources
from analysis.report.preview.page import PageMaker

WriteText = Callable[[str, str], Path]
OBSERVATIONS = "studies/speed/observations.md"


@pytest.fixture
def maker(project: Sources, tmp_path: Path, fonts: Path) -> PageMaker:
    return PageMaker("small", project, tmp_path / "document", PandocEngine(fonts))


def unstamped(html: str) -> str:
    return re.sub(r"\b[0-9a-f]{12}\b", "", html)


def test_a_new_sentence_is_rendered_alone_and_as_in_the_whole(
    maker: PageMaker, write_text: WriteText
) -> None:
    facts = read_facts(maker.sources.facts)  # of one origin, which no number tells
    made = tuple(replace(fact, origin="synthetic") for fact in facts.facts)
    write_facts(replace(facts, facts=made), maker.sources.facts)
    before = maker.whole()
    value = '{{ delta("latency", "RR1(1kB)") }}'
    new = f"A *new* `sentence`: {value} (@fig-speed-rr, @tbl-speed-glance).\n"
    write_text(OBSERVATIONS, new)
    quick = maker.quick(before)
    assert quick is not None
    assert quick.changed is not None
    assert set(quick.changed) == {"sec-speed-observations"}
    assert "A <em>new</em>" in quick.changed["sec-speed-observations"]
    assert unstamped(quick.html) == unstamped(maker.whole().html)


def test_a_part_with_notes_is_rendered_alone_while_its_notes_stay(
    maker: PageMaker, write_text: WriteText
) -> None:
    write_text("front/preface.md", "First.[^a]\n\n[^a]: A note [@smith].\n")
    noted = "Second.[^b] Third.[^c]\n\n[^c]: Of `code`.\n\n[^b]: Another\n\n    one.\n"
    write_text(OBSERVATIONS, noted)
    write_text("back/runs.md", "Last.[^d]\n\n[^d]: A last one.\n")
    before = maker.whole()
    write_text(OBSERVATIONS, noted.replace("Second.", "A *new* sentence."))
    quick = maker.quick(before)
    assert quick is not None
    told = quick.changed["sec-speed-observations"]
    assert re.findall(r'id="(fnref\d)"', told) == ["fnref2", "fnref3"]
    assert "Another" not in told and "kept" not in told
    assert unstamped(quick.html) == unstamped(maker.whole().html)
    for other in ("Second.[^b]", "Second."), ("[^c]\n", "\n"):
        write_text(OBSERVATIONS, noted.replace(*other))
        assert maker.quick(before) is None


def test_what_notes_say_is_rendered_with_their_part(
    maker: PageMaker, write_text: WriteText
) -> None:
    write_text("front/preface.md", "First.[^a]\n\n[^a]: A note.\n")
    noted = "Second.[^b] Third.[^c]\n\n[^c]: Of `code`.\n\n[^b]: Another\n\n    one.\n"
    write_text(OBSERVATIONS, noted)
    write_text("back/runs.md", "Last.[^d]\n\n[^d]: A last one.\n")
    page = maker.whole()
    for other in ("`code`", "`node`"), ("    one", "    - 1\n    - two"):
        noted = noted.replace(*other)
        write_text(OBSERVATIONS, noted)
        found = maker.quick(page)
        assert found is not None and found.changed is None
        page = found
        assert unstamped(page.html) == unstamped(maker.whole().html)
    write_text("front/preface.md", "First.[^a]\n\n[^a]: A *new* note.\n")
    found = maker.quick(page)
    assert found is not None and "A <em>new</em> note." in found.html
    assert unstamped(found.html) == unstamped(maker.whole().html)


def test_a_note_that_is_meant_twice_is_rendered_whole(
    maker: PageMaker, write_text: WriteText
) -> None:
    noted = "Second.[^b] Third.[^b]\n\n[^b]: Of `code`.\n"
    write_text(OBSERVATIONS, noted)
    before = maker.whole()
    write_text(OBSERVATIONS, noted.replace("code", "node"))
    assert maker.quick(before) is None


WORDS = (
    "A *new* `sentence`.", "See @fig-speed-rr and @tbl-speed-glance.", "> Said.",
    "As @sec-speed says.", "Seen before [@smith].", "- one\n- two", "x < y & \"z\"",
    "::: {.callout-note}\nA box.\n:::", "```\n# no heading\n```",
    '{{ delta("latency", "RR1(1kB)") }} less.', "Net --- work, 'quoted'.",
)  # fmt: skip
MOVES = (
    "A note.[^a]\n\n[^a]: Here.", "### More {#sec-more}", "### Most\n\nOf it.",
    "| a | b |\n|---|---|\n| 1 | 2 |\n\n: Two. {#tbl-own}",
)  # fmt: skip


def test_after_any_edits_the_page_is_what_a_whole_rendering_gives(
    maker: PageMaker, write_text: WriteText, tmp_path: Path
) -> None:
    drawn = random.Random(14)  # noqa: S311 - the same edits each time
    other = replace(maker, document=tmp_path / "other/document")
    page, quick = maker.whole(), 0
    for _ in range(5):
        name = drawn.choice(("background", "observations"))
        snippets = drawn.sample(WORDS, drawn.randint(1, 4))
        if drawn.random() < 0.2:
            snippets.insert(drawn.randrange(2), drawn.choice(MOVES))
        write_text(f"studies/speed/{name}.md", "\n\n".join(snippets) + "\n")
        found = maker.quick(page)
        quick += found is not None
        page = found or maker.whole()
        shutil.rmtree(tmp_path / "other", ignore_errors=True)
        assert unstamped(page.html) == unstamped(other.whole().html)
    assert 1 < quick < 5


@pytest.mark.parametrize(
    "text",
    [
        "A table.\n\n| a |\n|---|\n| 1 |\n\n: T. {#tbl-own}\n",
        "A note.[^a]\n\n[^a]: Here.\n",
        "### More\n",
    ],
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


def test_a_list_needs_no_blank_line_before_it(
    maker: PageMaker, write_text: WriteText
) -> None:
    write_text(OBSERVATIONS, "Fine.\n- a list\n")
    assert '<li><span class="own-words">a list' in maker.whole().html


def test_a_false_claim_is_a_mistake(maker: PageMaker, write_text: WriteText) -> None:
    before = maker.whole()
    text = "---\nclaims:\n  - latency rises for RR1(1kB)\n---\nLatency rises.\n"
    write_text(OBSERVATIONS, text)
    with pytest.raises(UserError, match=r"observations\.md:3: "):
        maker.quick(before)


TYPED = "Latency falls by 12.3%.\n"


def found_in(html: str) -> list[str]:
    found = re.findall(r'<span class="found \w+">([^<]*)</span>', html)
    return [words for words in found if "a number typed by hand" in words]


@pytest.mark.parametrize("status", ["draft", "final"])
def test_what_the_checks_find_stands_beside_its_paragraph_until_it_is_mended(
    maker: PageMaker, write_text: WriteText, status: str
) -> None:
    edition = maker.sources.report / "small/edition.yaml"
    edition.write_text(f"{edition.read_text()}status: {status}\n", "utf-8")
    page = maker.whole()
    assert found_in(page.html) == []
    write_text("studies/speed/background.md", TYPED)
    typed = maker.quick(page)
    assert typed is not None and typed.changed is not None
    assert "sec-speed-background" in typed.changed
    assert len(found_in(typed.html)) == 1
    assert found_in(maker.whole().html) == found_in(typed.html)
    write_text(OBSERVATIONS, "Another text is edited.\n")
    other = maker.quick(typed)
    assert other is not None and found_in(other.html) == found_in(typed.html)
    write_text("studies/speed/background.md", "Nothing is typed.\n")
    mended = maker.quick(other)
    assert mended is not None and found_in(mended.html) == []


TERMS = """\
latency: {name: Time, means: How long it takes.}
fall: {name: Less, means: It is less than before.}
"""


def test_terms_are_marked_in_a_part_rendered_alone_as_in_the_whole(
    maker: PageMaker, write_text: WriteText, tmp_path: Path
) -> None:
    home = maker.sources.report / "small"
    declared = (home / "edition.yaml").read_text()
    (home / "edition.yaml").write_text(f"{declared}summary: front/summary.md\n")
    (home / "glossary.yaml").write_text(TERMS)
    value = '{{ delta("latency", "RR1(1kB)", study="speed") }}'
    finding = f"- **Less.** A fall of latency: {value}.\n"
    write_text("front/summary.md", f"{finding}\n- More.\n")
    page, other = maker.whole(), replace(maker, document=tmp_path / "other/document")
    for id, text in (
        ("summary", f"{finding}\n- *Much* more.\n"),
        ("preface", "Another latency [@smith].\n"),
    ):
        write_text(f"front/{id}.md", text)
        quick = maker.quick(page)
        assert quick is not None and f"sec-{id}" in (quick.changed or {})
        page = quick
        shutil.rmtree(tmp_path / "other", ignore_errors=True)
        assert unstamped(page.html) == unstamped(other.whole().html)
    shown = page.html.partition('id="sec-summary"')[2].partition('id="sec-preface"')[0]
    assert shown.count('class="term"') == 2
