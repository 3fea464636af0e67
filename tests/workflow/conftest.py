"""Projects to build, edit and kill: one with the real stages, one with stand-ins."""

from __future__ import annotations

import compileall
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.project import copy_project
from tests.workers import made_once, shared
from tests.workflow.engines import BUILD, ENGINES, Builds
from tests.workflow.projects import (
    OTHERS,
    PATIENCE_SECONDS,
    RULES,
    Project,
    copy_built,
    end,
    make_stand_in,
)


@pytest.fixture(scope="session")
def made_stand_in(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project whose stages take no time, compiled; to be copied, not changed."""

    def make(folder: Path) -> None:
        make_stand_in(folder)
        for room in ("analysis", "workflow"):
            compileall.compile_dir(folder / room, quiet=1)

    return Project(made_once(shared(tmp_path_factory) / "stand-in", make))


@pytest.fixture
def stand_in(made_stand_in: Project, tmp_path: Path) -> Iterator[Project]:
    """A project whose stages take no time; nothing is built."""
    project = copy_built(made_stand_in, tmp_path / "project")
    yield project
    end(project)


@pytest.fixture
def here(
    made_stand_in: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Project:
    """What people declare and write of it, as the current folder; none of its code."""
    folder, code = tmp_path / "project", shutil.ignore_patterns("analysis", "workflow")
    shutil.copytree(made_stand_in.folder, folder, ignore=code)
    monkeypatch.chdir(folder)
    return Project(folder)


@pytest.fixture(scope="session")
def built_stand_in(
    made_stand_in: Project, tmp_path_factory: pytest.TempPathFactory
) -> Project:
    """As ``stand_in``, built once, with what was said; to be copied, not changed."""

    def make(folder: Path) -> None:
        said = _build(copy_built(made_stand_in, folder))
        (folder / "said.txt").write_text(said, "utf-8")

    return Project(made_once(shared(tmp_path_factory) / "built-stand-in", make))


@pytest.fixture
def done(built_stand_in: Project, tmp_path: Path) -> Iterator[Project]:
    """A copy of the built project whose stages take no time."""
    project = copy_built(built_stand_in, tmp_path / "project")
    yield project
    end(project)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The real project with one edition, built once, as only a build tells whether the
    stages fit together; to be copied, not changed."""
    folder = tmp_path_factory.mktemp("built") / "project"
    _build(project := Project(copy_project(folder, OTHERS)))
    return project


@pytest.fixture
def project(built: Project, tmp_path: Path) -> Iterator[Project]:
    """A copy of the real project as it is after a build."""
    project = copy_built(built, tmp_path / "project")
    yield project
    end(project)


@pytest.fixture(scope="session")
def builds(tmp_path_factory: pytest.TempPathFactory) -> Builds:
    """All editions by both engines; the project keeps those of Quarto."""
    base = tmp_path_factory.mktemp("engines")
    project = Project(copy_project(base / "project"), patience=60 * PATIENCE_SECONDS)
    for engine in ENGINES:
        code, said, ran = project.build(*BUILD, "--engine", engine)
        assert code == 0, said
        assert "report" in ran
        shutil.copytree(project / "report/build", base / engine)
    return Builds(base)


def _build(project: Project) -> str:
    """What is said as all of it is built."""
    code, said, ran = project.build()
    assert (code, ran) == (0, list(RULES)), said
    return said
