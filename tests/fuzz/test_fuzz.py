"""A few damaged inputs of every target, and all that were found before."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis.programs.child import run_child
from tests.fuzz.__main__ import replay
from tests.fuzz.guard import FoundError, guarded, scratch
from tests.fuzz.target import Seed, Target
from tests.fuzz.targets import targets

TARGETS = targets()
CORPUS = Path(__file__).with_name("corpus")
FEW = {"smf": 60, "rmf": 40, "logs": 120, "texts": 24}
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
    tried: list[Seed] = []

    @settings(few, max_examples=FEW.get(target.name, 12))
    @given(st.data())
    def read(draw: st.DataObject) -> None:
        seed, data = draw.draw(target.inputs())
        tried.append(seed)
        target.try_input(folder, seed, data)

    read()
    assert len(tried) >= FEW.get(target.name, 12)


@pytest.mark.parametrize("target", TARGETS.values(), ids=list(TARGETS))
def test_whole_inputs_are_read(target: Target, folder: Path) -> None:
    tried = [target.try_input(folder, seed, seed.data) for seed in target.seeds]
    assert len(tried) > 0


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.bin")), ids=lambda p: p.stem)
def test_what_was_found_is_mended(path: Path, tmp_path: Path) -> None:
    assert replay(path, tmp_path) == (0, {})


def ends(look) -> None:
    """Try one input with a reader made for the purpose."""
    folder = scratch()
    try:
        seed = Seed("x", b"x", "x")
        Target("x", (seed,), look).try_input(folder, seed, b"y")
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import os; os.system('true')", "something was run: os.system"),
        ("import subprocess; subprocess.run(['true'])", "something was run"),
        ("open('elsewhere.txt', 'w')", "something was written"),
        ("import pickle; pickle.loads(pickle.dumps(int))", "pickle.find_class"),
    ],
)
def test_harm_is_found(code: str, words: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)

    def look(folder: Path, seed: Seed) -> None:
        with guarded(folder):
            exec(code)  # noqa: S102 - that is the test

    with pytest.raises(FoundError, match=words):
        ends(look)
    assert list(tmp_path.iterdir()) == []


def test_what_may_be_run_is_one_whole_command_alone(tmp_path: Path) -> None:
    with guarded(tmp_path, ["true"]):
        run_child(["true"], Path.cwd())
    for command, folder in ((["true", "x"], Path.cwd()), (["true"], tmp_path)):
        found = pytest.raises(FoundError, match="something was run")
        with found, guarded(tmp_path, ["true"]):
            run_child(command, folder)


def test_a_hang_is_found(monkeypatch) -> None:
    monkeypatch.setattr("tests.fuzz.guard.SECONDS", 0.05)

    def look(folder: Path, seed: Seed) -> None:
        with guarded(folder):
            while True:
                pass

    with pytest.raises(FoundError, match="not read within"):
        ends(look)


def test_what_stays_in_the_folder_is_no_harm() -> None:
    def look(folder: Path, seed: Seed) -> None:
        with guarded(folder):
            (folder / "beside").write_text("x")
            assert (folder / "x").read_bytes() == b"y"

    ends(look)


def test_a_finding_that_a_reader_takes_for_a_mistake_is_told(tmp_path: Path) -> None:
    def look(folder: Path, seed: Seed) -> None:
        with guarded(folder), contextlib.suppress(Exception):
            (tmp_path / "elsewhere").write_text("x")

    with pytest.raises(FoundError, match="something was written"):
        ends(look)
