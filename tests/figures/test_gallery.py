"""The page of all kinds is what the code makes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.facts.fact import Facts
from analysis.figures.kind import KINDS
from tests.figures.drawn import draw
from tests.figures.gallery import ORDER, PAGE, example, page, picture


def test_the_page_shows_every_kind() -> None:
    assert set(ORDER) == set(KINDS)
    assert PAGE.read_text(encoding="utf-8") == page(), "run tests.figures.gallery"


@pytest.mark.parametrize("kind", ORDER)
def test_a_picture_is_what_its_kind_draws(kind: str) -> None:
    stored = PAGE.with_suffix("") / f"{kind}.svg"
    assert stored.read_bytes() == picture(kind), "run python -m tests.figures.gallery"


# Of set-ups and sequences nothing is measured, and a range shows verdicts alone.
@pytest.mark.parametrize("kind", sorted({*ORDER} - {"topology", "sequence", "range"}))
def test_one_run_each_is_drawn_without_intervals(kind: str) -> None:
    facts, setting = example(kind)
    unknown = dict.fromkeys(("low", "high", "verdict", "threshold", "p_value"))
    single = [replace(f, n=1, samples=f.samples[:1], **unknown) for f in facts.facts]

    words = draw(Facts(tuple(single)), setting).words

    assert words.title
