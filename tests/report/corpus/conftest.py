"""The facts of all editions, derived once for all tests of the corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.report.corpus.harness import derived_facts


@pytest.fixture(scope="session")
def derived(
    raw: Path, ingested: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """``facts.json``; for tests of the group ``synthetic``."""
    return derived_facts(tmp_path_factory.mktemp("derived"), raw, ingested)
