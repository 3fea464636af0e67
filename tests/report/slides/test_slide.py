"""Slides from a text: where they begin, what they are for, what is said."""

from __future__ import annotations

from analysis.report.slides.limits import few
from tests.report.slides.made_text import slides_of

TEXT = """
## Agenda {.agenda}

## Streams {.divider}

## They need it

{{ figure('offload-stream') }}

- one
- two

::: {.notes}
Say *more*.
:::

```sh
make report
```

## Backup {.backup}
"""


def test_a_heading_begins_a_slide_and_says_what_it_is_for():
    assert [(s.title, s.kind, s.line) for s in slides_of(TEXT)] == [
        ("Agenda", "agenda", 2),
        ("Streams", "divider", 4),
        ("They need it", "", 6),
        ("Backup", "backup", 21),
    ]


def test_a_title_may_be_underlined():
    assert [s.title for s in slides_of("One\n---\n\n- a\n")] == ["One"]


def test_notes_that_the_text_ends_in_are_kept():
    assert [s.notes for s in slides_of("## T\n\n::: {.notes}\nSay it.\n")] == [
        "Say it."
    ]


def test_figures_notes_and_words_are_told_apart():
    slide = slides_of(TEXT)[2]
    assert (slide.figures, slide.lines, slide.notes) == (
        ("offload-stream",), (8,), "Say *more*.",
    )  # fmt: skip
    assert [block.kind for block in slide.blocks] == ["bullet list", "code block"]
    assert slide.blocks[0].lines == (10, 11)


def test_a_title_keeps_marked_words_at_its_end():
    [slide] = slides_of("## Keep [it on]{.unchecked}\n")
    assert (slide.title, slide.kind) == ("Keep [it on]{.unchecked}", "")


def test_a_slide_of_few_words_is_larger_and_none_with_a_figure() -> None:
    figure = '\n\n{{ figure("offload-stream") }}'
    assert [few(slide) for slide in slides_of("## T\n\n- one\n- two\n")] == [True]
    assert [few(slide) for slide in slides_of(f"## T{figure}\n")] == [False]
    many = "\n".join("- one more line of words" for _ in range(12))
    assert [few(slide) for slide in slides_of(f"## T\n\n{many}\n")] == [False]
