"""What parts of a document are, what they define and refer to."""

from __future__ import annotations

import pytest

from analysis.report.document.parts import content, read_parts

META = "---\ntitle: T\n---\n"
SPEED = "## Speed {#sec-speed}\n"
BODY = "\nIt is fast [@a].\n\n: Values. {#tbl-speed}\n\n"
COST = "## Cost {#sec-cost}\n"
TEXT = f"{META}\n# All {{#sec-all}}\n\n{SPEED}{BODY}{COST}\nSee @tbl-speed.\n\n"


def kept(text: str) -> list[str]:
    """The bodies that may be kept."""
    return [
        part.body
        for part in read_parts(text)
        if part.stands_alone and not part.has_notes
    ]


def test_headings_start_parts_and_bodies_are_what_lies_between() -> None:
    found = read_parts(TEXT)
    assert found.text == TEXT
    assert found.metadata == "title: T\n"
    assert kept(TEXT) == [BODY, "\nSee @tbl-speed.\n\n"]
    assert [(part.id, part.level) for part in found] == [
        ("", 0), ("sec-all", 1), ("sec-speed", 2), ("sec-cost", 2),
    ]  # fmt: skip
    assert found.parts[2].heading == "Speed {#sec-speed}"


@pytest.mark.parametrize(
    "section",
    [
        "A claim.[^n]\n\n[^n]: A note.\n",
        "(@) An example.\n",
        "::: {#refs}\n:::\n",
        "![A photo](photo.png)\n",
        "A claim.^[A note.]\n",
        "> (@) An example.\n",
        "As in (@good).\n",
        "One.\n\n[name]: https://example.com\n\nTwo.\n",
        "> [name]: https://example.com\n",
        "- a\n\n    [a\n    name]:\n    https://example.com\n",
        "[name]: https://example.com\n  'its title'\n",
    ],
    ids=[
        "a note",
        "an example",
        "the references",
        "a picture",
        "a note in a line",
        "an example in a quote",
        "an example meant",
        "a link's target",
        "a target in a quote",
        "a target in a list",
        "its title",
    ],
)
def test_what_is_bound_to_the_rest_is_not_kept(section: str) -> None:
    assert kept(f"# One {{#sec-one}}\n\n{section}\n{SPEED}{BODY}") == [BODY]


@pytest.mark.parametrize(
    ("text", "sections"),
    [
        ("::: {.callout-note}\n\n## Not a section\n\n:::\n", 1),
        ("::::: {.html-only}\n\n# Facts {#sec-facts}\n\nText.\n\n:::::\n", 1),
        ("A line\n# with a hash.\n", 1),
        ("```\n\n# a comment\n\n```\n\nText.\n", 1),
    ],
    ids=["a box", "a part for the page", "no heading", "code"],
)
def test_only_headings_of_the_document_part_it(text: str, sections: int) -> None:
    found = kept(f"# One {{#sec-one}}\n\n{text}")
    assert len(found) == sections
    assert not any(":::::" in body for body in found)


def test_figures_and_tables_keep_their_numbers() -> None:
    more = "\n: More. {#tbl-zos-3.2-more}\n\n![x](a.svg){#fig-a}\n"
    assert read_parts(TEXT + more).labels == {
        "fig-a": "Figure\u00a01",
        "tbl-speed": "Table\u00a01",
        "tbl-zos-3.2-more": "Table\u00a02",
    }


@pytest.mark.parametrize(
    "text",
    [
        "`{#tbl-false}`",
        "```\n: x {#tbl-false}\n```",
        "  ~~~\n{#fig-a}\n  ~~~",
        "\\{#tbl-x}",
    ],
)
def test_an_anchor_in_code_numbers_nothing(text: str) -> None:
    labels = read_parts(f"# One {{#sec-one}}\n\n{text}\n{SPEED}{BODY}").labels
    assert labels == {"tbl-speed": "Table\u00a01"}


def test_a_part_tells_what_it_defines_and_refers_to() -> None:
    found = content(
        '![A [@x] word](b.svg){#fig-b fig-alt="Told."} as @sec-c and [@d; -@e].\n'
        "`@code` \\@no mail@host [file](data/f.csv) [web](https://x) "
        "not[^n]\n\n[^n]: See @g.\n"
    )
    assert [id.name for id in found.ids] == ["fig-b"]
    assert found.images == ("b.svg",)
    assert [one.name for one in found.references] == ["sec-c"]
    assert [one.name for one in found.citations] == ["x", "d", "e", "g"]
    assert found.cites == ("x", "d", "e", "^n")
    assert found.notes == {"^n": ("g",)}


def test_what_is_for_the_page_alone_can_be_left_out() -> None:
    page = "::::: {.html-only}\n\n# Facts {#sec-facts}\n\n::: {.a}\n:::\n\n:::::\n"
    found = read_parts(f"# One\n\n{page}\n# Two\n")
    assert found.without_html_only().text == "# One\n\n\n# Two\n"


def test_places_are_those_of_the_whole_text() -> None:
    for found in read_parts(TEXT).all(lambda own: own.citations):
        assert TEXT[found.at :].startswith(f"@{found.name}")
    assert [TEXT[one.at :][:6] for one in read_parts(TEXT).numbered] == ["{#tbl-"]
