"""environment.yml, pyproject.toml and uv.lock name the same packages and versions."""

from __future__ import annotations

import json
import os
import re
import subprocess
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
def for_coverage():
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return dict(map(requirement, data["dependency-groups"]["coverage"]))


@pytest.fixture(scope="module")
def extras():
    """What is installed by the name of an extra alone."""
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lines = data["project"]["optional-dependencies"].values()
    return dict(requirement(line) for some in lines for line in some)


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


def test_the_lock_was_made_from_pyproject(pyproject, for_coverage, extras, lock):
    own = next(p for p in lock["package"] if p["source"] == {"virtual": "."})
    wanted = own["metadata"]
    entries = [*wanted["requires-dist"], *wanted["requires-dev"]["dev"]]
    known = {e["name"]: e.get("specifier", "") for e in entries}
    assert known == {**pyproject, **extras}
    optional = wanted["requires-dev"]["coverage"]
    assert {e["name"]: e["specifier"] for e in optional} == for_coverage


def test_the_lock_names_the_public_index_only(lock):
    sources = {str(package["source"]) for package in lock["package"]}
    assert sources == {
        "{'registry': 'https://pypi.org/simple'}",
        "{'virtual': '.'}",
    }
    files = [f for p in lock["package"] for f in (*p.get("wheels", []), p.get("sdist"))]
    hosts = {file["url"].split("/")[2] for file in files if file}
    assert hosts == {"files.pythonhosted.org"}


def test_every_direct_dependency_has_its_reason(pyproject, for_coverage, extras):
    reasons = (ROOT / "docs/decisions/0001-dependencies.md").read_text(encoding="utf-8")
    assert [
        name
        for name in (*pyproject, *for_coverage, *extras)
        if f"`{name}`" not in reasons
    ] == []


def test_uv_is_pinned_by_the_hashes_of_all_platforms():
    text = (ROOT / "uv-bootstrap.txt").read_text(encoding="utf-8")
    assert re.match(r"uv==\d+\.\d+\.\d+ \\\n", text)
    assert text.count("==") == 1
    assert len(set(re.findall(r"--hash=sha256:[0-9a-f]{64}", text))) >= 15
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "--require-hashes" in makefile
    assert "--requirement uv-bootstrap.txt" in makefile


@pytest.fixture(scope="module")
def sbom(tmp_path_factory):
    """What 'make sbom' writes, made by its own command."""
    if not (ROOT / ".bootstrap/bin/uv").exists():
        pytest.skip("needs the environment that make makes")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    [command] = re.findall(r"\$\(UV\) (export (?:.|\\\n)*?cdx\.json)", makefile)
    out = tmp_path_factory.mktemp("sbom") / "sbom.cdx.json"
    words = command.replace("\\\n", " ").split()
    words[-1] = str(out)
    uv = ROOT / ".bootstrap/bin/uv"
    export = [uv, "--no-cache", *words]
    subprocess.run(export, cwd=ROOT, check=True, capture_output=True)
    return json.loads(out.read_text(encoding="utf-8"))


def test_the_sbom_is_of_cyclonedx(sbom):
    """The members that the schema of CycloneDX 1.5 requires, and their forms."""
    assert (sbom["bomFormat"], sbom["specVersion"], sbom["version"]) == (
        "CycloneDX",
        "1.5",
        1,
    )
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", sbom["serialNumber"])
    parts = [sbom["metadata"]["component"], *sbom["components"]]
    assert all(part["name"] and part["type"] == "library" for part in parts)
    refs = [part["bom-ref"] for part in parts]
    assert len(set(refs)) == len(refs)
    linked = {
        ref for entry in sbom["dependencies"] for ref in entry.get("dependsOn", ())
    }
    assert linked | {entry["ref"] for entry in sbom["dependencies"]} <= set(refs)


def test_the_sbom_has_what_runs_and_not_what_tests(sbom, lock):
    parts = {part["name"]: part for part in sbom["components"]}
    assert {"duckdb", "polars", "numpy", "typst", "snakemake"} <= parts.keys()
    assert not {"pytest", "ruff", "mypy"} & parts.keys()
    locked = {p["name"]: p.get("version") for p in lock["package"]}
    assert all(part["version"] == locked[name] for name, part in parts.items())
    assert all(p["purl"].startswith(f"pkg:pypi/{n}@") for n, p in parts.items())


@pytest.mark.skipif(
    "PYTEST_XDIST_WORKER" not in os.environ, reason="needs several workers: -n 2"
)
@pytest.mark.xdist_group("alone")
def test_tests_of_a_group_run_in_one_process(request):
    """pytest 9.2 ignores groups in silence: what they share is then made twice."""
    assert request.node.nodeid.endswith("@alone")
