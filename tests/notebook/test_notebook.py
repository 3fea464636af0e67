"""The door for notebooks: frames of facts and tables, and the page that shows them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from analysis.cli import main
from analysis.errors import UserError
from analysis.notebook import frames, load_facts, load_tables
from tests.conftest import ROOT
from tests.meta.test_how_to import blocks

VETH = "linux-veth"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Facts and tables of one edition, as a build has them."""
    out = tmp_path_factory.mktemp("built")
    tables, facts, database = out / "ingest" / VETH, out / "facts.json", out / "db"
    raw = ROOT / "raw"
    for words in (
        ["ingest", "--campaign", raw / VETH, "--out", tables],
        ["load", "--tables", tables, "--out", database],
        [
            *("derive", "--edition", VETH, "--database", database, "--raw", raw),
            *("--report", ROOT / "report", "--tables", out / "ingest", "--out", facts),
        ],
    ):
        assert main([str(word) for word in words]) == 0
    return out


@pytest.fixture
def door(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The functions with these files as their defaults."""
    facts, tables = built / "facts.json", built / "ingest"
    monkeypatch.setattr(frames.load_facts, "__defaults__", (None, None, facts))
    monkeypatch.setattr(frames.load_tables, "__kwdefaults__", {"folder": tables})


def test_the_examples_of_the_page_run(door, capsys):
    known: dict[str, object] = {}
    for example in blocks("notebook.md", "python"):
        exec(example, known)  # noqa: S102 - the page's own text
    changes, spread = known["changes"], known["spread"]
    assert changes["verdict"].null_count() == 0
    assert (changes["low"] < changes["high"]).all()
    assert spread.height == known["samples"].n_unique(["workload", "configuration"])
    assert "RR10(100B)" in capsys.readouterr().out


def test_facts_are_told_whole(door):
    facts = load_facts(VETH)
    assert facts.height > 100
    assert set(facts["study"]) == {"noise", "offload"}
    values = facts.filter(pl.col("kind") == "value")
    assert (values["samples"].list.len() == values["n"]).all()
    assert (values["runs"].list.len() == values["n"]).all()
    assert load_facts("no-such").schema == facts.schema


def test_tables_tell_their_campaign(door):
    runs = load_tables("run")["run"]
    assert set(runs["campaign"]) == {VETH}
    assert {"benchmark", "run", "source"} <= load_tables().keys()


def test_what_is_not_there_is_told(door, tmp_path):
    with pytest.raises(UserError, match="there is no table 'rum'"):
        load_tables("rum")
    with pytest.raises(UserError, match="there are no tables yet"):
        load_tables(folder=tmp_path)
    with pytest.raises(UserError, match="there are no facts yet"):
        load_facts(path=tmp_path / "facts.json")


def test_a_notebook_finds_the_project_above_it_or_the_checkout(tmp_path, monkeypatch):
    below = tmp_path / "lab/notebooks/deep"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert frames._project() == ROOT
    (tmp_path / "lab/data").mkdir()
    (tmp_path / "lab/data/metrics.yaml").write_text("{}\n")
    assert frames._project() == tmp_path / "lab"
