"""The page of all kinds is what the code makes."""

from __future__ import annotations

import pytest

from analysis.figures.kind import KINDS
from tests.figures.gallery import ORDER, PAGE, page, picture


def test_the_page_shows_every_kind() -> None:
    assert set(ORDER) == set(KINDS)
    assert PAGE.read_text(encoding="utf-8") == page(), "run tests.figures.gallery"


@pytest.mark.parametrize("kind", ORDER)
def test_a_picture_is_what_its_kind_draws(kind: str) -> None:
    stored = PAGE.with_suffix("") / f"{kind}.svg"
    assert stored.read_bytes() == picture(kind), "run python -m tests.figures.gallery"
