"""Two campaigns of one layout: their runs have the same ids, and stay apart."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis.cli import main
from analysis.facts.fact import Facts
from tests.derive.conftest import FAST, SLOW, World, derive, fact

RATES = {"lab": SLOW, "later": [rate * 1.1 for rate in SLOW]}
A, B = (f"rr10-100b.-.rate.{configuration}" for configuration in "AB")
LOST = ("later", "B-RR10-3")


def months(root: Path, *names: str) -> World:
    """Campaigns whose runs have the same ids, with a study of each and one of all; the
    later one does not list the third run of B."""
    world = World(root)
    for name in names:
        world.campaign(name)
        for configuration, rates in (("A", RATES[name]), ("B", FAST)):
            world.runs(configuration, rates, campaign=name)
        failed = {"status": "failed", "reason": "no answer"}
        world.run("B-RR10-11", "B", campaign=name, **failed)
        world.study(name, campaigns=[name])
    world.study("all", campaigns=list(names))
    runs = [r for r in world.rows["run"] if (r["campaign"], r["run"]) != LOST]
    world.rows["run"] = [
        row | {"repetition": int(row["run"].rpartition("-")[2])} for row in runs
    ]
    return world


@pytest.fixture
def both(tmp_path: Path) -> Facts:
    return derive(months(tmp_path, "lab", "later"))


def of_study(facts: Facts, name: str) -> tuple[list[object], list[object]]:
    """What is told of a study, without when its runs began, which is by chance here."""
    kept = {"warnings": (), "low": 0.0, "high": 0.0, "p_value": 0.0, "p_adjusted": 0.0}
    values = [replace(f, **kept) for f in facts.facts if f.study == name]
    return values, [run for run in facts.runs if run.study == name]


def test_each_has_the_facts_that_it_has_alone(both: Facts, tmp_path: Path) -> None:
    for name in RATES:
        alone = derive(months(tmp_path / name, name))
        assert of_study(both, name) == of_study(alone, name)
        assert fact(both, f"{name}.{A}").value == np.median(RATES[name])
        assert fact(both, f"{name}.{B}").lineage.runs[0] == "B-RR10-1"


def test_runs_of_both_make_one_sample_and_are_told_apart(both: Facts) -> None:
    found = fact(both, f"all.{A}")
    assert found.value == np.median([*SLOW, *RATES["later"]])
    assert found.n == len(set(found.lineage.runs)) == 20
    assert found.lineage.runs[::19] == ("lab/A-RR10-1", "later/A-RR10-10")
    assert len(found.lineage.files) == 20
    (counts,) = [r for r in both.runs if (r.study, r.configuration) == ("all", "B")]
    assert (counts.used, counts.excluded) == (19, 2)
    assert counts.missing == ("3 in later",)
    assert [run for run, _ in counts.reasons] == ["lab/B-RR10-11", "later/B-RR10-11"]


def test_what_was_read_of_a_run_is_of_its_own_campaign(tmp_path: Path) -> None:
    world = months(tmp_path, "lab", "later")
    for row in world.rows["benchmark"]:
        row["position"] = 7
    derive(world)
    told = json.loads((tmp_path / "evidence.json").read_text())["campaigns"]
    for name in RATES:
        files = {file for run, file, _ in told[name]["passages"] if "A-" in run}
        assert len(files) == 10
        assert files <= told[name]["files"].keys()


def test_one_id_of_two_unlike_configurations_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = months(tmp_path, "lab", "later")
    declared = tmp_path / "raw/later/campaign.yaml"
    declared.write_text(declared.read_text().replace("label: B", "label: IPv6"))
    world.write()
    assert main(world.arguments()) == 2
    said = capsys.readouterr().err
    assert said.count("error: ") == 1
    assert "study.yaml:3: lab and later declare 'B' unlike" in said
    assert "give it another id in campaign.yaml and runs.csv of later" in said
