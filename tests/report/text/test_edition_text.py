"""The editions that ship: their text must hold for any facts of the right shape."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analysis.cli import main
from analysis.declared.edition import find_editions, read_edition, read_studies
from analysis.report.checks.claims import Checked, check_texts
from analysis.report.document.compose import compose
from analysis.report.material import Sources, read_material
from analysis.report.review.state import reviews
from analysis.report.text.bibliography import bibliography_keys
from analysis.report.text.passages import passages
from analysis.report.text.reviewed import mark, read_reviewed
from tests.report.conftest import ROOT, make_pictures

KNOWN = {
    id: read_edition(ROOT / "report" / id) for id in find_editions(ROOT / "report")
}
EDITIONS = [
    id for id, edition in KNOWN.items() if edition.own_studies and not edition.borrowed
]
pytestmark = pytest.mark.xdist_group("synthetic")


@pytest.fixture(scope="module", params=EDITIONS)
def edition(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def backtest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the models err, which is the same for all editions."""
    out = tmp_path_factory.mktemp("models") / "backtest.json"
    assert main(["backtest", "--out", str(out)]) == 0
    return out


@pytest.fixture(scope="module")
def checked(
    edition: str,
    raw: Path,
    derived: Path,
    backtest: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Checked:
    figures = tmp_path_factory.mktemp(edition)
    folder = ROOT / "report" / edition
    declared = read_edition(folder)
    studies = read_studies(folder, declared)
    make_pictures(figures, studies, declared.sequences)
    sources = Sources(
        facts=derived,
        figures=figures,
        report=ROOT / "report",
        raw=raw,
        templates=ROOT / "templates",
        metrics=ROOT / "data/metrics.yaml",
        backtest=backtest,
    )
    return check_texts(read_material(edition, sources))


def test_the_text_composes_with_all_its_references(
    edition: str, checked: Checked
) -> None:
    text = compose(checked, reviews(checked), ROOT / "templates").text
    assert "{{" not in text
    folder = ROOT / "report" / edition
    keys = bibliography_keys(folder / checked.material.edition.references)
    uncited = [key for key in keys if f"@{key}" not in text]
    assert uncited == []


def test_observations_take_every_result_from_facts(edition: str) -> None:
    typed = re.compile(r"[−+-]?\d[\d.,]*\s?(%|µs|MB/s|trans/s)")
    for path in (ROOT / "report" / edition).glob("studies/*/observations.md"):
        tree = mark(read_reviewed(path).body, path).tree
        words = "\n".join(passage.words for passage in passages(tree))
        found = typed.search(words)
        assert found is None, f"{path}: {found}"
