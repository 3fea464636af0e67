"""What does not fit on a slide is told with its line, and what fits is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.report.slides import limits
from analysis.report.slides.limits import layout
from tests.report.slides.made_text import drawing, slides_of, told

BULLET = "- " + " ".join(["word"] * limits.WORDS)
ROWS = "| a | b |\n|---|--:|\n" + "| 1 | 2 |\n" * (limits.ROWS - 1)
FULL = [
    "## T\n\n" + "\n".join([BULLET] * limits.BULLETS),
    f"## T\n\n{ROWS}\n- below\n- it",
    "## T\n\n```\n" + "\n".join(["x" * limits.CODE] * limits.CODE_LINES) + "\n```",
    "## " + "t" * limits.TITLE + "\n\na",
    "## T\n\n" + ("```\n" + "x" * limits.CODE_OF_TWO + "\n```\n\n") * 2 + "- a\n- b\n",
]


@pytest.mark.parametrize("text", FULL)
def test_a_full_slide_fits(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## T {.divider}\n\n- a\n",
         "1: more than a sentence on a slide of the kind .divider"),
        ("## T {.backup}\n\n{{ figure('a-b') }}\n",
         "1: more than a sentence on a slide of the kind .backup"),
        ("## T\n\n```\n" + "\u6f22" * 39 + "\n```\n",
         "4: a line of code of 78 characters; 76 fit"),
        ("## T\n\n```\n" + "\t" * 10 + "\n```\n",
         "4: a line of code of 80 characters; 76 fit"),
        ("## " + "\u6f22\u5b57 " * 17 + "\n\na",
         "1: a title of more than 80 characters"),
        ("words\n", "1: words before the first slide"),
        ("::: {.notes}\nSay it.\n:::\n", "1: notes without a slide"),
        ("## T\n\n::: {.notes}\nSay.\n:::\n", "1: a slide with nothing but a title"),
        ("## T\n\na\n\n::: {.notes}\nSay.\n\n## U\n\nb\n",
         "1: a heading within the notes of this slide: are they never closed?"),
        ("## T {.appendix}\n\na\n", "1: a slide of an unknown kind: .appendix"),
        ("## " + "t" * 81 + "\n\na", "1: a title of more than 80 characters"),
        ("## T\n\n" + "- one\n" * 6, "8: 6 bullets on a slide; 5 fit"),
        (f"## T\n\n- a\n{BULLET} more\n", "4: a bullet of 13 words; 12 fit"),
        ("## T\n\n- a\n    - b\n", "3: a list within a list"),
        (f"## T\n\n{ROWS}| 1 | 2 |\n", "3: a table of 9 rows; 8 fit"),
        (f"## T\n\n{ROWS}\n- a\n- b\n- c\n",
         "13: words of 3 lines of 66 characters; 2 lines fit here"),
        ("## T\n\n| " + "a | " * 7 + "\n" + "|---" * 7 + "|\n",
         "3: a table of 7 columns; 6 fit"),
        ("## T\n\n| " + "word " * 18 + "|\n|---|\n",
         "3: a table of 109 characters a line; 84 fit"),
        ("## T\n\n```\n" + "x\n" * 13 + "```\n", "3: code of 13 lines; 12 fit"),
        ("## T\n\n```\na\n" + "x" * 77 + "\n```\n",
         "5: a line of code of 77 characters; 76 fit"),
        ("## T\n\n" + "word " * 41, "3: 41 words in sentences on a slide; 40 fit"),
        ("## T\n\na\n\nb\n\nc\n\nd\n", "3: 4 paragraphs on a slide; 3 fit"),
        ("## T\n\n### Below\n", "3: a heading on a slide"),
        ("## T\n\nSee @sec-noise.\n", "3: @sec-noise on a slide"),
        ("## T\n\n" + "a" * 25, "3: a word that no line holds: " + "a" * 24 + "…"),
        ("## T {.divider}\n\n## " + "W" * 41 + "\n\na",
         "3: a title of more than 80 characters"),
        ("## T\n\n" + "```\na\n```\n\n" * 3,
         "1: more than one figure, table or code on a slide"),
        (f"## T\n\n```\na\n```\n\n{ROWS}",
         "1: more than one figure, table or code on a slide"),
        ("## T\n\n{{ figure('a-b') }}\n\n```\na\n```\n",
         "1: more than one figure, table or code on a slide"),
        ("## T\n\n```\na\n```\n\n```\n" + "x" * 41 + "\n```\n",
         "8: a line of code of 41 characters; 40 fit"),
    ],
)  # fmt: skip
def test_what_overflows_is_told(text: str, expected: str) -> None:
    assert told(text) == [expected]


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((363, 255), []),
        ((363, 460), ["3: the figure a-b is too tall for a slide: its text would have "
                      "10 of 720 pixels, and 13 can be read"]),
        ((900, 300), ["3: the figure a-b is too wide for a slide: its text would have "
                      "11 of 720 pixels, and 13 can be read"]),
    ],
)  # fmt: skip
def test_a_figure_whose_text_nobody_could_read_is_told(
    size: tuple[float, float], expected: list[str], tmp_path: Path
) -> None:
    text = "## T\n\n{{ figure('a-b') }}\n"
    assert told(text, drawing(tmp_path / "a-b.svg", *size)) == expected


@pytest.mark.parametrize(
    ("size", "words", "expected"),
    [
        ((482, 215), "- one\n- two\n", "above"),
        ((482, 215), "- one\n- two\n- three\n", "beside"),
        ((363, 255), "- one\n", "beside"),
        ((363, 255), "", "alone"),
    ],
)
def test_a_figure_stands_where_its_text_is_largest(
    size: tuple[float, float], words: str, expected: str, tmp_path: Path
) -> None:
    [slide] = slides_of("## T\n\n{{ figure('a-b') }}\n\n" + words)
    drawn = drawing(tmp_path / "a-b.svg", *size)
    assert layout(slide, lambda _: drawn) == expected


def test_two_figures_are_told_apart(tmp_path: Path) -> None:
    text = "## T\n\n{{ figure('a-b') }}\n\n{{ figure('a-c') }}\n"
    drawing(tmp_path / "a-b.svg", 363, 200)
    drawing(tmp_path / "a-c.svg", 700, 200)
    [slide] = slides_of(text)
    issues = limits.check_slide(slide, lambda id: tmp_path / f"{id}.svg")
    assert [(i.where.line, i.what[:24]) for i in issues if i.where] == [
        (5, "the figure a-c is too wi"),
    ]  # fmt: skip


def test_a_title_that_another_slide_has_is_told() -> None:
    slides = slides_of("## One\n\n## *Two*\n\n## One\n\n## Two\n")
    issues = limits.check_titles(slides)
    assert [(i.where.line, i.what) for i in issues if i.where] == [
        (5, "a title that the slide at slides.md:1 has"),
        (7, "a title that the slide at slides.md:3 has"),
    ]
