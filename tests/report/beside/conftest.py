"""A small edition whose facts have runs and files, with its page and those beside."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.facts.evidence import FileState, Passage
from analysis.facts.fact import Facts, Lineage, read_facts, write_facts
from analysis.report.checks.claims import check_texts
from analysis.report.document.assemble import assemble
from analysis.report.document.document import read_document
from analysis.report.material import read_material
from analysis.report.outputs.html import html_page
from analysis.report.review.state import reviews
from tests.handed_over import change_evidence
from tests.report.conftest import make_project

LOG, OTHER, LOOSE = "a" * 64, "b" * 64, "c" * 64
TEXT = (
    '{{ average("latency", "RR*") }} and {{ delta("latency", "RR1(1kB)") }}, or '
    '{{ average("latency", "RR*") | size }}.\n'
)
# Two files of one run, one of them not used.
FILES = {"run/a.log": FileState(LOG, 9), "run/b.log": FileState(OTHER, 9)}
OPEN = "speed.rr10-4kb.server.cpu_cost.new.delta"
PASSAGES = (
    Passage("r(1)-01", "run/a.log", (3, 7)),
    Passage("r(1)-01", "run/b.log", (1,)),
)


@pytest.fixture(scope="module")
def made_pages(tmp_path_factory: pytest.TempPathFactory, fonts: Path) -> Path:
    """The folder of the document, with its page as ``index.html``; to be copied."""
    project = make_project(tmp_path_factory.mktemp("beside"))
    (project.report / "small/studies/speed/observations.md").write_text(TEXT, "utf-8")
    change_evidence(project.facts, "lab", files=FILES, passages=PASSAGES)
    facts = read_facts(project.facts)
    lineage = Lineage("median of runs", ("r(1)-01", "r(1)-02"), (LOG, LOOSE))
    more = {"lineage": lineage, "samples": (900.0, 1100.0)}
    own = [replace(f, value=f.value + 1e-7, **more) for f in facts.facts]
    open_one = {"verdict": "inconclusive", "detectable": 15.2}
    own = [replace(f, **open_one) if f.key == OPEN else f for f in own]
    write_facts(Facts(tuple(own), facts.runs), project.facts)
    checked = check_texts(read_material("small", project))
    document = project.facts.parent / "document"
    assemble(checked, reviews(checked), project.templates, document)
    page = html_page(read_document(document), fonts)
    (document / "index.html").write_bytes(page)
    return document


@pytest.fixture
def pages(made_pages: Path, tmp_path: Path) -> Path:
    """A folder of the same, which a test may change."""
    return Path(shutil.copytree(made_pages, tmp_path / "document"))
