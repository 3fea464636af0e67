"""A small release that can be asked, and the editions that are built here."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.ask.library import AskedBuilds, read_asked
from analysis.report.beside.answers import SEARCH
from analysis.report.builds.site_search import add_search
from analysis.report.checks.claims import check_texts
from analysis.report.material import read_material
from tests.conftest import ROOT
from tests.publish.made_build import make_build
from tests.report.conftest import make_project, project, running

__all__ = ["project", "running"]  # fixtures
TEMPLATES = ROOT / "templates"
BUILT = ROOT / "report/build"
FIRST = "speed.rr10-4kb.-.latency.new.delta"
PAGE = f"""<!doctype html><body><input id="search"><main>
<h2 id="sec-speed">1 New against old</h2>
<div class="answer"><p>It falls by <a data-keys="{FIRST}">12%</a>.</p></div>
<h3 id="sec-speed-results">1.1 Results</h3><p>A teleprinter was idle.</p>
<h2 id="sec-preface">2 Preface</h2><p>Measured with care.</p>
</main></body>"""


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """The folder of a build with the facts of one study."""
    sources = make_project(tmp_path / "project")
    made = tmp_path / "made"
    made.mkdir()
    (made / "index.html").write_text(PAGE, encoding="utf-8")
    material = read_material("small", sources)
    add_search(made, "small", check_texts(material))
    files = {name: (made / name).read_bytes() for name in ("index.html", SEARCH)}
    return make_build(tmp_path / "small", facts=material.facts.facts, files=files)


@pytest.fixture
def library(release: Path) -> AskedBuilds:
    """The same, read."""
    return read_asked(release, TEMPLATES)


@pytest.fixture(scope="session")
def built() -> AskedBuilds:
    """All editions of the project."""
    if len(list(BUILT.glob(f"*/{SEARCH}"))) < 7:
        pytest.skip("needs built editions: make report")
    return read_asked(BUILT, TEMPLATES)
