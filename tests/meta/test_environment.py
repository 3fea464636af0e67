"""environment.yml, pyproject.toml and uv.lock name the same packages and versions."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
# conda's names of Python packages that are called otherwise on PyPI
RENAMED = {
    "python-duckdb": "duckdb",
    "python-tzdata": "tzdata",
    "snakemake-minimal": "snakemake",
}
# conda's programs, and what fonttools[woff] needs beside fonttools
NOT_ON_PYPI = {"python", "quarto", "pip", "brotli-python"}
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)(?:\[[\w,]*\])?\s*(.*)")


def requirement(text: str) -> tuple[str, str]:
    """Name and version range of a line such as ``polars >=2.0,<3``."""
    name, versions = _REQUIREMENT.fullmatch(text).groups()
    return name, versions.replace(" ", "")


@pytest.fixture(scope="module")
def pyproject():
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lines = [*data["project"]["dependencies"], *data["dependency-groups"]["dev"]]
    return dict(map(requirement, lines))


@pytest.fixture(scope="module")
def for_mutants():
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return dict(map(requirement, data["dependency-groups"]["mutants"]))


@pytest.fixture(scope="module")
def conda():
    data = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    lines = [line for line in data["dependencies"] if isinstance(line, str)]
    pip = next(line["pip"] for line in data["dependencies"] if isinstance(line, dict))
    pairs = [requirement(line) for line in (*lines, *pip)]
    return {RENAMED.get(name, name): versions for name, versions in pairs}


@pytest.fixture(scope="module")
def lock():
    return tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))


def test_conda_has_the_same_packages_and_versions(pyproject, conda):
    shared = {name: v for name, v in conda.items() if name not in NOT_ON_PYPI}
    assert shared == pyproject


def test_conda_has_quarto_and_the_same_python(conda):
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert conda["quarto"] == ">=1.9"
    assert conda["python"] == data["project"]["requires-python"]


def test_the_lock_was_made_from_pyproject(pyproject, for_mutants, lock):
    own = next(p for p in lock["package"] if p["source"] == {"virtual": "."})
    wanted = own["metadata"]
    entries = [*wanted["requires-dist"], *wanted["requires-dev"]["dev"]]
    assert {e["name"]: e.get("specifier", "") for e in entries} == pyproject
    optional = wanted["requires-dev"]["mutants"]
    assert {e["name"]: e["specifier"] for e in optional} == for_mutants


def test_the_lock_names_the_public_index_only(lock):
    sources = {str(package["source"]) for package in lock["package"]}
    assert sources == {
        "{'registry': 'https://pypi.org/simple'}",
        "{'virtual': '.'}",
    }
    files = [f for p in lock["package"] for f in (*p.get("wheels", []), p.get("sdist"))]
    hosts = {file["url"].split("/")[2] for file in files if file}
    assert hosts == {"files.pythonhosted.org"}


def test_every_direct_dependency_has_its_reason(pyproject, for_mutants):
    reasons = (ROOT / "docs/decisions/0001-dependencies.md").read_text(encoding="utf-8")
    assert [
        name for name in (*pyproject, *for_mutants) if f"`{name}`" not in reasons
    ] == []
