"""Published numbers in prose: printed by id, with sign and unit; unknown ids told."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.report.language.scope import UnknownError
from analysis.report.tables.blocks import PublishedText

DATA = Path(__file__).parents[3] / "data"
TEXT = PublishedText(DATA / "published.csv", DATA / "published_issues.csv")


@pytest.mark.parametrize(
    ("id", "printed"),
    [
        ("P007", "−78%"),
        ("P009", "+1,953%"),
        ("P022", "0%"),
        ("P070", "3,067 trans/s"),
        ("P077", "20 ×"),
    ],
)
def test_a_published_number_keeps_its_digits_and_gets_sign_and_unit(
    id: str, printed: str
) -> None:
    assert TEXT.published(id) == printed


def test_an_issue_is_told_in_the_words_of_the_file() -> None:
    assert "78.97%" in TEXT.published_issue("I01")


def test_an_unknown_id_is_an_error_that_names_the_nearest() -> None:
    with pytest.raises(UnknownError) as told:
        TEXT.published("P0070")
    assert "P007" in told.value.mend
    with pytest.raises(UnknownError):
        TEXT.published_issue("P007")
