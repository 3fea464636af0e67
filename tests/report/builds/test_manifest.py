from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

from analysis.report.builds.manifest import (
    make_manifest,
    manifest_text,
)
from analysis.report.checks.claims import check_texts
from analysis.report.document.assemble import assemble
from analysis.report.material import Sources, read_material
from analysis.report.review.state import reviews

ENGINE = {"name": "pandoc", "pandoc": "3.9", "typst": "0.15.0"}


def manifest_of(project: Sources, tmp_path: Path) -> dict:
    material = read_material("small", project)
    document, rendered = tmp_path / "document", tmp_path / "rendered"
    checked = check_texts(material)
    states = reviews(checked)
    documents = assemble(checked, states, project.templates, document)
    (rendered / "data").mkdir(parents=True)
    (rendered / "index.html").write_text("<!doctype html>")
    shutil.copyfile(document / "facts.json", rendered / "facts.json")
    (rendered / "data/a.csv").write_text("a\n")
    return make_manifest(material, states, documents, rendered, ENGINE)


def test_it_says_what_the_build_is(project: Sources, tmp_path: Path) -> None:
    made = manifest_of(project, tmp_path)
    assert made["edition"] == "small"
    assert made["date"] == "2026-03-05"
    assert made["status"] == "draft"
    assert made["engine"] == "pandoc"
    assert made["versions"]["typst"] == "0.15.0"
    assert made["origins"] == ["measured"]
    assert made["review"] == {"speed": "draft"}


def test_it_hashes_every_file(project: Sources, tmp_path: Path) -> None:
    made = manifest_of(project, tmp_path)
    facts = (tmp_path / "document/facts.json").read_bytes()
    assert made["files"] == {
        "data/a.csv": hashlib.sha256(b"a\n").hexdigest(),
        "facts.json": hashlib.sha256(facts).hexdigest(),
        "index.html": hashlib.sha256(b"<!doctype html>").hexdigest(),
    }
    assert made["facts_sha256"] == hashlib.sha256(facts).hexdigest()


def test_the_manifest_counts_what_the_edition_has(
    project: Sources, tmp_path: Path
) -> None:
    counts = manifest_of(project, tmp_path)["counts"]
    assert counts == {
        "studies": 1, "figures": 2, "tables": 4, "facts": 27,
        "runs_used": 58, "runs_excluded": 2,
    }  # fmt: skip


def test_its_text_is_json_and_ends_with_a_line(
    project: Sources, tmp_path: Path
) -> None:
    made = manifest_of(project, tmp_path)
    assert json.loads(manifest_text(made)) == made
    assert manifest_text(made).endswith("}\n")
