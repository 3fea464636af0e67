"""Schemas and reference pages are those of the models, and agree with what is read."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from analysis.cli import main
from analysis.declared.checks import CALLED, check_declared_edition, figure_kinds
from analysis.declared.schema import (
    SCHEMAS,
    entries_at,
    schema_file,
    schema_line,
    schema_of,
    texts_of,
)
from analysis.declared.study import Study
from analysis.errors import UserError
from analysis.reference.verb import (
    FILES,
    WrittenFile,
    example_of,
    tables_page,
    users_of,
    written,
)
from benchmarks.project import ROOT

BY_ID = pytest.mark.parametrize("file", FILES, ids=lambda file: file.id)


def test_what_is_written_is_what_the_models_say():
    """To mend: python -m analysis schema."""
    made = written()
    there = {path.name: path.read_text() for path in (ROOT / SCHEMAS).glob("*.*")}
    assert sorted(there) == sorted(made)
    stale = [name for name, text in made.items() if there[name] != text]
    assert stale == []


@BY_ID
def test_every_entry_is_described(file: WrittenFile):
    schema = schema_of(file.model)
    parts = {file.id: schema, **schema.get("$defs", {})}
    silent = [
        f"{name}.{entry}"
        for name, part in parts.items()
        for entry, what in part.get("properties", {}).items()
        if not what.get("description")
    ]
    assert silent == []


@BY_ID
def test_the_example_is_right_and_names_its_schema(file: WrittenFile):
    text = example_of(file)
    assert file.model.model_validate(yaml.safe_load(text))
    way = re.match(r"# yaml-language-server: \$schema=(\S+)\n", text)[1]
    assert Path(way).name == schema_file(file.id).name


def test_kinds_that_other_programs_have_lead_to_one_of_these():
    assert set(CALLED.values()) <= set(figure_kinds())
    assert not set(CALLED) & set(figure_kinds())


@BY_ID
def test_editors_know_the_files_of_the_project(file: WrittenFile):
    settings = json.loads((ROOT / ".vscode/settings.json").read_text())
    assert settings["yaml.schemas"][f"./{schema_file(file.id)}"] == file.place


def test_the_first_line_leads_to_the_schema():
    path = Path("report/lab/studies/a/study.yaml")
    line = schema_line("study", path)
    found = path.parent / line.strip().partition("$schema=")[2]
    assert (ROOT / found).resolve() == ROOT / SCHEMAS / "study.schema.json"


def test_names_of_entries_are_found_through_choices_and_lists():
    assert "adjust" in entries_at(Study, ("noise",))
    assert "kind" in entries_at(Study, ("figures", 3))
    assert "holds" in entries_at(Study, ("topology", "systems", "A"))
    assert "floor" in texts_of(Study.model_fields["noise"].annotation)


STUDY = """\
title: T
question: Q
campaigns: [linux-veth]
baseline: A
tests: [B]
workloads: ["RR*"]
noise: {floor: 5.0}
figures:
  - id: latency
    kind: delta
    metrics: [latency]
    question: How?
"""


@pytest.mark.parametrize(
    ("right", "wrong", "line", "meant"),
    [
        ("baseline: A", "basline: A", 4, "baseline"),
        ("noise: {floor", "noise: {flor", 7, "floor"),
        ("{floor: 5.0}", "{adjust: holms}", 7, "holm"),
        ("kind: delta", "kind: boxplot", 9, "distribution"),
        ("kind: delta", "kind: detla", 9, "delta"),
        ("metrics: [latency]", "metrics: [latncy]", 9, "latency"),
        ("metrics: [latency]", "metric: [latency]", 11, "metrics"),
        ("baseline: A", "baseline: A3", 4, "A"),
        ("campaigns: [linux-veth]", "campaigns: [linux-vet]", 3, "linux-veth"),
    ],
)
def test_a_slip_of_the_pen_is_told_before_a_build(
    tmp_path, capsys, right, wrong, line, meant
):
    folder = tmp_path / "report/lab"
    (folder / "studies/a").mkdir(parents=True)
    (tmp_path / "raw").symlink_to(ROOT / "raw")
    (folder / "edition.yaml").write_text(
        "title: T\nauthors: [A]\ndate: 2026-01-01\nfront: []\nstudies: [a]\n"
    )
    study = folder / "studies/a/study.yaml"
    study.write_text(STUDY)
    assert check_declared_edition(folder) == []
    assert right in STUDY
    study.write_text(STUDY.replace(right, wrong))
    assert main(["check", "--report", str(tmp_path / "report")]) == 2
    told = capsys.readouterr().err
    assert told.count("mend:") == 1
    assert f"study.yaml:{line}:" in told
    assert f"did you mean '{meant}'?" in told


def test_no_issue_is_an_edition_that_is_not_there(tmp_path):
    with pytest.raises(UserError, match="missing"):
        raise UserError(check_declared_edition(tmp_path / "report/nix"))


@pytest.mark.parametrize(
    ("table", "users"),
    [
        ("run_cpu", ["facts"]),
        ("cpu_interval", ["facts", "checks"]),
        ("interface_interval", ["checks"]),
        ("tcp_connection", ["facts", "checks"]),
        ("udp_socket", []),
    ],
)
def test_the_page_of_tables_says_who_uses_each(table: str, users: list[str]) -> None:
    assert list(users_of(table)) == users
    told = ", ".join(users) or "your questions"
    [line] = [
        one for one in tables_page().splitlines() if one.startswith(f"| `{table}`")
    ]
    assert line.endswith(f" {told} |")
