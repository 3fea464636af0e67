"""The back-tests that reports print: on measured loads, and on published numbers."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from analysis.cli import main
from analysis.declared.metrics import read_metrics
from analysis.derive.fallback.backtest import left_out_tests, references_of
from analysis.derive.runs import open_database, read_campaigns
from analysis.derive.samples import gather_samples
from analysis.derive.verb import load_evidence
from benchmarks.project import ROOT
from models.loads import read_references
from tests.derive.fallback.conftest import interactive, modelled, stream

pytestmark = pytest.mark.xdist_group("backtest")
LOADS = "linux-loads"


@pytest.fixture(scope="module")
def tables(tmp_path_factory, veth_tables):
    """The tables of the measured campaigns that the models are tested on."""
    loads = str(tmp_path_factory.mktemp("tables") / LOADS)
    assert (
        main(["ingest", "--campaign", str(ROOT / "raw" / LOADS), "--out", loads]) == 0
    )
    return [loads, str(veth_tables)]


@pytest.fixture(scope="module")
def made(tmp_path_factory, tables):
    """What the verb writes here."""
    out = tmp_path_factory.mktemp("here") / "backtest.json"
    assert main(["backtest", "--tables", *tables, "--out", str(out)]) == 0
    return out.read_bytes()


@pytest.fixture(scope="module")
def tests(made):
    data = json.loads(made)
    assert data["schema"] == 2
    return {test["id"]: test for test in data["backtests"]}


def held(tests):
    """In range, and predicted."""
    points = [point for test in tests for point in test["points"]]
    return sum(p["low"] <= p["actual"] <= p["high"] for p in points), len(points)


def test_ranges_of_90_percent_hold_on_measured_loads(tests):
    measured = [test for test in tests.values() if test["data"] == "measured"]
    given = [test for test in measured if test["n"]]
    assert len(given) == 3
    for test in given:
        assert test["n"] >= 36
        assert 0.80 <= test["coverage"] <= 0.97, test["id"]
    inside, n = held(measured)
    assert 0.80 <= inside / n <= 0.97


def test_without_three_loads_near_enough_nothing_is_predicted(tests):
    """Loads of linux-veth: RR1, RR10 and RR40 of one payload, CRR10 and STR3 alone."""
    veth = [test for id, test in tests.items() if id.startswith("linux-veth")]
    assert sum(test["refused"] for test in veth) == 75
    assert not any(test["n"] for test in veth)
    assert all(test["mean_error"] is test["coverage"] is None for test in veth)


def test_each_load_is_predicted_from_few_others_around_it(tests):
    points = tests["linux-loads, rate or throughput"]["points"]
    labels = [point["label"] for point in points]
    assert "pinned, RR10(4kB) from 4, 20 clients, rate" in labels
    assert not any("RR10(4kB) from 1, 4" in label and "20" not in label
                   and "40" not in label for label in labels)  # fmt: skip
    for point in points:
        assert point["error"] == pytest.approx(
            point["predicted"] / point["actual"] - 1, abs=1e-4
        )


def test_declared_errors_are_those_of_the_measured_loads(tmp_path, tables):
    database = tmp_path / "perf.duckdb"
    assert main(["load", "--tables", tables[0], "--out", str(database)]) == 0
    campaigns = read_campaigns({"linux-loads"}, ROOT / "raw")
    with open_database(database) as con:
        evidence = load_evidence(con, database, campaigns, read_metrics())
    seen = references_of(gather_samples(evidence, ["linux-loads"]))
    declared = read_references()
    for metric in ("rate", "cpu_cost", "utilisation"):
        here, there = seen.of(metric), declared.of(metric)
        assert here.n == there.n
        assert here.spread == pytest.approx(there.spread, abs=5e-4)
        assert here.mean_error == pytest.approx(there.mean_error, abs=0.05)


def test_a_hidden_payload_does_not_bear_on_its_own_range():
    """What two loads refer to are the errors of the other payloads."""
    loads = [
        modelled("A", f"RR{n}({size})") for n in (1, 4, 10) for size in ("1kB", "4kB")
    ]
    off = interactive("A", "RR4(4kB)", 80_000.0, 7.5, 7.5)
    samples = {cell: s for load in [*loads, off] for cell, s in load.items()}
    (rates,) = [t for t in left_out_tests("lab", samples) if "rate" in t.id]
    ranges = {
        p.label: p.high / p.low for p in rates.points if "from 1, 10 clients" in p.label
    }
    straight, bent = (
        ranges["A, RR4(4kB) from 1, 10 clients, rate"],
        ranges["A, RR4(1kB) from 1, 10 clients, rate"],
    )
    assert straight < bent


def test_loads_of_other_shapes_are_refused_each_once():
    alone = stream("A", "STR3(1B/20MB)", 900.0, 5000.0, 9000.0)
    tests = {t.id: t for t in left_out_tests("lab", alone)}
    assert {id: (len(t.points), t.refused) for id, t in tests.items()} == {
        "lab, rate or throughput": (0, 1),
        "lab, CPU cost": (0, 2),
        "lab, utilisation": (0, 2),
    }


def test_the_verb_says_how_often_ranges_held(tmp_path, capsys, made, tables):
    out = tmp_path / "new" / "backtest.json"
    command = ["backtest", "--tables", *tables, "--out", str(out), "--list"]
    assert main(command) == 0
    assert out.read_bytes() == made
    first, *lines = capsys.readouterr().out.splitlines()
    tests = json.loads(made)["backtests"]
    inside, n = held([test for test in tests if test["data"] == "measured"])
    assert first.startswith(
        f"90% ranges of predictions held: {inside} of {n} on measured numbers, "
    )
    assert [test["id"] for test in tests] == [line[:32].strip() for line in lines]
    assert sum("in range" in line for line in lines) == 6


def test_without_tables_published_numbers_are_left(tmp_path, capsys):
    assert main(["backtest", "--out", str(tmp_path / "backtest.json")]) == 0
    assert "measured" not in capsys.readouterr().out


def test_a_spoilt_table_is_a_mistake_of_the_user(tmp_path, capsys):
    spoilt = tmp_path / "published.csv"
    spoilt.write_text("id,value\nP001,3\n", encoding="utf-8")
    assert main(["backtest", "--published", str(spoilt), "--out", str(tmp_path)]) == 2
    assert f"{spoilt}:1: other columns" in capsys.readouterr().err


def test_another_processor_gives_the_same_bytes(tmp_path, made, tables):
    """With the kernels of one that is far older than any that runs this."""
    there = tmp_path / "there.json"
    verb = [sys.executable, "-m", "analysis", "backtest", "--tables", *tables]
    command = [*verb, "--out", str(there)]
    older = {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3"}
    environment = os.environ | older
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True)
    if done.returncode < 0 or b"not supported" in done.stderr:
        pytest.skip("this processor has no kernel Prescott")
    assert done.returncode == 0, done.stderr
    assert there.read_bytes() == made
