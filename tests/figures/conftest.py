"""A project to draw figures in: the shipped declarations and made facts."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from analysis.facts.fact import write_facts
from analysis.facts.series import SERIES_FILE, write_series
from analysis.files.checksums import seal
from tests.figures.made import STUDIES, make_facts, make_series
from tests.handed_over import hand_over

ROOT = Path(__file__).parents[2]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with the shipped declarations and made facts, as current folder."""
    for name in ("report/linux-veth/edition.yaml", "raw/linux-veth/campaign.yaml"):
        _copy(name, tmp_path)
    for study in STUDIES:
        _copy(f"report/linux-veth/studies/{study}/study.yaml", tmp_path)
    _copy("data/metrics.yaml", tmp_path)
    facts = tmp_path / "data/build/facts/linux-veth/facts.json"
    write_facts(make_facts(), facts)
    write_series(make_series(make_facts()), facts.with_name(SERIES_FILE))
    hand_over(tmp_path / "raw", facts)
    seal(facts.parent)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _copy(name: str, root: Path) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / name, root / name)
