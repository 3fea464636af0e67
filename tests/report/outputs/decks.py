"""A document of slides that reach their limits, as the assemble step hands it over."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

from analysis.report.document.assemble import add_extension
from analysis.report.document.document import DECK, Document, read_document
from analysis.report.slides import limits
from analysis.report.slides.compose import CHARTS, REFERENCE, reference_deck
from tests.report.conftest import ROOT
from tests.report.slides.made_text import drawing


def lines(place: str, count: int) -> str:
    """Bullets that fill the lines that there are, as ``count`` items."""
    most, length = limits.LINES[place]
    words = ["W" * 8, "considerable", "m" * 6, "throughput"] * 9
    of_each = [most // count + (one < most % count) for one in range(count)]
    return "\n".join("- " + " ".join(_fill(n * length, words)) for n in of_each)


def _fill(room: int, words: list[str]) -> list[str]:
    """Words that are not wider than the room, and no more than fit into a bullet."""
    taken: list[str] = []
    for word in words[: limits.WORDS]:
        if limits.width(" ".join([*taken, word])) <= room:
            taken.append(word)
    return taken


SENTENCE = " ".join(["interactive"] * (limits.SENTENCES // limits.PARAGRAPHS))
CELL = "m" * ((limits.ROW // limits.COLUMNS - 2) // 2)
LINE = "| " + " | ".join([CELL] * limits.COLUMNS) + " |"
TABLE = "\n".join([LINE, "|---" * limits.COLUMNS + "|", *[LINE] * (limits.ROWS - 1)])
TITLE = "considerable improvement of throughput "
CODE = "\n".join(["m" * limits.CODE] * limits.CODE_LINES)
DISPLAY = "\n".join(["m" * limits.CODE_OF_TWO] * limits.CODE_LINES)
META = """---
title: A deck of wide words
subtitle: What fits
author: [Ann Author]
date: 2026-03-05
date-text: 5 March 2026
edition: deck
lang: en-GB
build: 0123456789ab
banner: "Draft: not reviewed yet."
origins: [measured]
formats: [revealjs, pptx]
---
"""


def points(words: str) -> str:
    return f":::: {{.points}}\n{words}\n\n::::\n"


def picture(id: str) -> str:
    image = f'![](figures/{id}.svg){{fig-alt="What {id} shows"}}'
    return f"::: {{.picture}}\n{image}\n:::\n"


def display() -> str:
    return f"::: {{.display}}\n```\n{DISPLAY}\n```\n:::\n"


BULLETS = limits.BULLETS
BELOW = lines("below", 2)
VALUE = '[−37%]{.value key="speed.a" origin="modelled"}'
SLIDES = [
    ("##", "agenda", points(lines("agenda", BULLETS))),
    ("#", "divider", points(SENTENCE)),
    ("##", "words", points(lines("alone", BULLETS))),
    ("##", "words", points("\n\n".join([SENTENCE] * limits.PARAGRAPHS))),
    ("##", "words", points(f"{TABLE}\n\n{BELOW}")),
    ("##", "words", points(f"```\n{CODE}\n```\n\n{BELOW}")),
    ("##", "alone", picture("tall")),
    ("##", "beside", picture("tall") + "\n" + points(lines("figure", BULLETS))),
    ("##", "beside", picture("flat") + "\n" + points(f"- It fell by {VALUE}.")
     + "\n:::: {.notes}\nSay it slowly.\n\n::::\n"),
    ("##", "above", picture("flat") + "\n" + points(BELOW)),
    ("##", "pair", picture("tall") + "\n" + picture("flat") + "\n" + points(BELOW)),
    ("##", "pair", display() + "\n" + display() + "\n" + points(BELOW)),
    ("##", "words", points("| a | b |\n|---|---|\n| 1 | a whole sentence of words |")),
    ("#", "backup", ""),
]  # fmt: skip


def sample_deck(folder: Path, charts: dict[str, Any] | None = None) -> Document:
    """The document, with the templates of slides and two figures."""
    add_extension(folder, ROOT / "templates", slides=True)
    deck, date = folder / DECK / REFERENCE, dt.date(2026, 3, 5)
    deck.write_bytes(reference_deck(deck, "A deck of wide words", date))
    drawing(folder / "figures/tall.svg", 363, 380)
    drawing(folder / "figures/flat.svg", 363, 150)
    charts = json.dumps(charts or {})
    (folder / "figures" / CHARTS).write_text(charts, encoding="utf-8")
    slides = [
        f"{level} {TITLE * len(level)} {{#slide-{number} .{kind}}}\n\n{body}"
        for number, (level, kind, body) in enumerate(SLIDES, 1)
    ]
    text = META + "\n" + "\n\n".join(slides) + "\n"
    (folder / "index.qmd").write_text(text, encoding="utf-8")
    return read_document(folder)
