"""What all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from tests.golden.update_facts import generate_all, ingest_all

# How long an example takes says more about what else runs than about the code.
settings.register_profile("suite", deadline=None)
settings.load_profile("suite")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def root() -> Path:
    """The project's folder."""
    return ROOT


@pytest.fixture(scope="session")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's ``raw/``, with generated campaigns where a build puts them."""
    return generate_all(tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="session")
def ingested(raw: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The tables of each campaign; for tests of the group ``synthetic``."""
    return ingest_all(tmp_path_factory.mktemp("ingested"), raw)
