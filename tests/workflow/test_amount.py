"""What a reader has before them: told with every run, and held below its bars.

The edition that the tests build is always looked at, others where they are built.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.project import ROOT
from tests.report.amount import Amount, amount
from tests.workflow.projects import EDITION, Project

pytestmark = pytest.mark.xdist_group("real")
# Words, pages of PDF, and how often one fact may be printed.
BARS = {
    "linux-veth": (5_000, 15, 8),
    "zos-cs-3.2": (23_000, 56, 10),
    "zos-cs-3.1": (15_000, 42, 10),
    "zos-cs-v1r2": (13_500, 32, 14),
    "ctg-ssl": (12_500, 30, 8),
}
Telling = Callable[[Amount], None]


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Telling:
    """Print what there is to read, whether or not output is captured."""

    def told(found: Amount) -> None:
        with capsys.disabled():
            print(f"\n{found.said}")

    return told


def test_the_edition_that_tests_build_is_short(built: Project, tell: Telling) -> None:
    found = amount(built / f"report/build/{EDITION}/index.html")
    tell(found)
    assert_short(found)
    assert found.words > 1_000
    assert found.printed


@pytest.mark.parametrize("edition", [id for id in BARS if id != EDITION])
def test_a_built_edition_is_short(edition: str, tell: Telling) -> None:
    page: Path = ROOT / "report/build" / edition / "index.html"
    if not page.is_file():
        pytest.skip("needs built editions: make report")
    found = amount(page)
    tell(found)
    assert_short(found)


def assert_short(found: Amount) -> None:
    """All bars of an edition at once."""
    words, pages, often = BARS[found.edition]
    assert found.words <= words
    assert found.pages <= pages
    assert max(found.printed.values()) <= often
    assert found.faults == ()
