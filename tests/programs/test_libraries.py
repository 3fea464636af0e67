"""Versions of Python, libraries and programs, and what they decide."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from analysis.programs.fingerprint import (
    code_of,
    fingerprint,
    installed,
    programs,
    versions,
    with_required,
)


def install(folder: Path, name: str, version: str, tops: str, *requires: str) -> Path:
    """Write what pip leaves of a distribution."""
    for old in folder.glob(f"{name}-*.dist-info"):
        (old / "METADATA").unlink()
    place = folder / f"{name}-{version}.dist-info"
    place.mkdir(parents=True, exist_ok=True)
    lines = [f"Name: {name}", f"Version: {version}"]
    lines += [f"Requires-Dist: {entry}" for entry in requires]
    (place / "METADATA").write_text("\n".join(lines) + "\n\nName: not this\n")
    (place / "RECORD").write_text(f"{tops}/__init__.py,sha256=x,1\n")
    return place


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "site-packages"
    install(folder, "Sci.Py", "1.0", "scipy", "num_py (>=1)")
    install(folder, "num-py", "2.0", "numpy", 'gone; extra == "x"')
    install(folder, "ruff", "3.0", "ruff")
    monkeypatch.setattr("sys.path", [str(folder)])
    return folder


def test_an_import_leads_to_its_distribution(site: Path, tmp_path: Path) -> None:
    known = installed(tmp_path / "cache")
    assert versions(["scipy.stats", "json", "analysis"], known) == {
        "python": platform.python_version(),
        "sci-py": "1.0",
    }
    assert with_required(["sci-py"], known) == {"num-py": "2.0", "sci-py": "1.0"}


@pytest.fixture
def project(tmp_path: Path, site: Path) -> Path:
    code = tmp_path / "analysis" / "derive"
    code.mkdir(parents=True)
    (code / "verb.py").write_text("def run(args):\n    from scipy import stats\n")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "tops", "counts"),
    [("Sci.Py", "scipy", True), ("num-py", "numpy", True), ("ruff", "ruff", False)],
)
def test_an_upgrade_of_what_a_verb_needs_changes_its_fingerprint(
    project: Path, site: Path, name: str, tops: str, counts: bool
) -> None:
    before = fingerprint("derive", project)
    requires = ("num_py",) if name == "Sci.Py" else ()
    install(site, name, "9.9", tops, *requires)
    assert (fingerprint("derive", project) != before) is counts


def test_another_python_changes_a_fingerprint(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = fingerprint("derive", project)
    monkeypatch.setattr(platform, "python_version", lambda: "3.99.0")
    assert fingerprint("derive", project) != before


def test_another_program_changes_the_fingerprint_of_who_starts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "pandoc"
    program.parent.mkdir()
    monkeypatch.setenv("PATH", str(program.parent))
    assert programs("report", tmp_path / "none") == {}
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    found = programs("report", tmp_path / "cache")
    assert list(found) == ["pandoc"]
    program.write_text("#!/bin/sh\nexit\n")
    assert programs("report", tmp_path / "cache") != found
    assert programs("derive", tmp_path / "cache") == {}


def test_the_libraries_of_the_stages_are_known(root: Path) -> None:
    code = code_of(["ingest", "derive", "figures", "report"], root)
    found = {name: of for one in code.values() for name, of in one.libraries.items()}
    assert {"numpy", "scipy", "polars", "duckdb", "plotnine", "typst"} <= found.keys()
    assert not {"ruff", "pytest", "snakemake"} & found.keys()
