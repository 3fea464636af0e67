"""The table of words in docs/wording.md is that of the code."""

from __future__ import annotations

import re

import pytest

from analysis.report.lint.words.senses import SENSES, words_that_assert
from analysis.report.lint.words.terms_apart import blank_terms
from tests.report.conftest import ROOT

PAGE = (ROOT / "docs/wording.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (\w+) \| ([^|]+) \| [^|]+ \|$", PAGE, re.MULTILINE)
FAMILIES = {name: words.split(", ") for name, words in ROWS if name in SENSES}


def test_the_page_has_every_family() -> None:
    assert set(FAMILIES) == set(SENSES)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_examples_of_the_page_are_of_their_family(family: str) -> None:
    for words in FAMILIES[family]:
        sentence = f"It {words}."
        assert {w.family for w in words_that_assert(sentence)} >= {family}, words


@pytest.mark.parametrize(
    "words",
    ["half duplex", "best practice", "higher layers", "the rising edge of a tick"],
)
def test_terms_of_the_field_assert_nothing(words: str) -> None:
    assert list(words_that_assert(blank_terms(f"It is {words}."))) == []


def test_names_assert_nothing() -> None:
    assert list(words_that_assert("It uses Enhanced QDIO.")) == []
    assert [w.text for w in words_that_assert("Enhanced by it.")] == ["Enhanced"]
