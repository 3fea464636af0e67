"""What became of claims, reviews, figures and raw files, in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.publish.build import read_build
from analysis.publish.diff.comparison import ClaimMove, FigureMove, Move, compare
from analysis.publish.diff.words import (
    MOST,
    claim_words,
    figure_words,
    review_words,
    sections,
)
from tests.publish.made_build import make_build

DRAWING = Path("speed.svg")


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (None, "holds", "‘a’ is new and holds"),
        ("holds", None, "‘a’ is gone"),
        ("fails", "holds", "‘a’ failed, now holds: 5%"),
    ],
)
def test_a_claim(before: str | None, after: str | None, words: str) -> None:
    assert claim_words(ClaimMove("s", "a", before, after, "5%")) == f"s: {words}"


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("approved", "stale", "the approval is void"),
        ("stale", "approved", "stale → approved"),
        ("approved", "draft", "approved → draft"),
        (None, "draft", "absent → draft"),
        ("draft", None, "draft → absent"),
    ],
)
def test_a_review(before: str | None, after: str | None, words: str) -> None:
    assert review_words(Move("s", before, after)) == f"s: {words}"


@pytest.mark.parametrize(
    ("before", "after", "rows", "words"),
    [
        (None, DRAWING, 3, " is new"),
        (DRAWING, None, 3, " is gone"),
        (DRAWING, DRAWING, 3, ": 3 rows of data differ"),
        (DRAWING, DRAWING, 0, ": drawn anew, its data are the same"),
    ],
)
def test_a_figure(
    before: Path | None, after: Path | None, rows: int, words: str
) -> None:
    assert figure_words(FigureMove("f", before, after, rows)) == f"f{words}"


@pytest.mark.parametrize(
    ("count", "last"),
    [(20, "19: new"), (MOST + 2, "and 2 more; --format json has all")],
)
def test_of_many_raw_files_the_first_are_named(
    count: int, last: str, tmp_path: Path
) -> None:
    raw = {f"{n:02}": "0" * 64 for n in range(count)}
    before = read_build(make_build(tmp_path / "before"))
    after = read_build(make_build(tmp_path / "after", raw=raw))
    rows = dict(sections(compare(before, after)))["Raw files"]
    assert len(rows) == min(count, MOST + 1)
    assert rows[-1].endswith(last)
