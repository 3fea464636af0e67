"""Builds whose steps are jobs elsewhere, and builds here beside what that needs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.workflow.cluster import cluster, missing
from tests.workflow.projects import (
    MAKE_REPORT,
    Project,
)

PLUGIN = "snakemake_executor_plugin_slurm"
needs_slurm = pytest.mark.skipif(
    bool(missing()), reason=f"needs Slurm and munge: {', '.join(missing())}"
)
needs_plugin = pytest.mark.skipif(
    not find_spec(PLUGIN),
    reason="needs Snakemake's plugin for Slurm: make report PROFILE=slurm",
)


def test_a_build_here_bears_an_executor_that_needs_pandas(
    done: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the one for Slurm does, which Snakemake imports whether it is used or not."""
    plugin = tmp_path / "site" / "snakemake_executor_plugin_other"
    plugin.mkdir(parents=True)
    (plugin / "__init__.py").write_text(
        "import pandas\n"
        "from snakemake.executors.local import Executor, common_settings\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(plugin.parent))
    (done / "templates/index.qmd.j2").write_text("Other words.\n")
    code, said, ran = done.build()
    assert (code, ran) == (0, ["report", "place", "catalogue", "index"]), said


def test_a_profile_that_does_not_exist_is_told_with_those_that_do(
    done: Project,
) -> None:
    command = (*MAKE_REPORT[:-1], "UV=true", "PROFILE=slrum", "report")
    code, said, ran = done.build(*command)
    assert (code, ran) == (2, [])
    assert "there is no profile 'slrum'\n  mend: choose one of: default, slurm" in said


@pytest.fixture
def slurm(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cluster whose commands are on the path; where it writes what it does.

    Its folder has a short name, as names of sockets may not be long.
    """
    with (
        TemporaryDirectory(prefix="slurm-") as name,
        cluster(at := Path(name)) as commands,
    ):
        path = os.pathsep.join([str(commands), os.environ["PATH"]])
        monkeypatch.setenv("PATH", path)
        yield at


def jobs_done(at: Path) -> int:
    return (at / "slurmctld.out").read_text().count(" WEXITSTATUS 0")


@needs_slurm
@needs_plugin
def test_steps_are_jobs_of_slurm(stand_in: Project, slurm: Path) -> None:
    command = (*MAKE_REPORT[:-1], "UV=true", "PROFILE=slurm", "report")
    code, said, _ = stand_in.build(*command)
    assert code == 0, said
    assert "account" not in said
    # Figures and report of an edition are one; what only moves files runs here.
    assert jobs_done(slurm) == 5
    assert stand_in.planned() == []
