"""A few damaged inputs of every target, and all that were found before."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.guard import scratch
from tests.fuzz.target import Target
from tests.fuzz.targets import targets

TARGETS = targets()
CORPUS = Path(__file__).with_name("corpus")
FEW = {"smf": 150, "rmf": 100, "logs": 300, "texts": 60}
few = settings(
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def folders() -> Iterator[Path]:
    folder = scratch()
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def folder(folders: Path, target: Target) -> Path:
    own = folders / target.name
    if not own.exists():
        own.mkdir()
        target.prepare(own)
    return own


@pytest.mark.parametrize("target", TARGETS.values(), ids=list(TARGETS))
def test_damaged_inputs_are_read_or_refused(target: Target, folder: Path) -> None:
    @settings(few, max_examples=FEW.get(target.name, 30))
    @given(st.data())
    def read(draw: st.DataObject) -> None:
        target.try_input(folder, *draw.draw(target.inputs()))

    read()


@pytest.mark.parametrize("target", TARGETS.values(), ids=list(TARGETS))
def test_whole_inputs_are_read(target: Target, folder: Path) -> None:
    for seed in target.seeds:
        target.try_input(folder, seed, seed.data)
