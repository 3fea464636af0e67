from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from analysis.cli import main

pytestmark = pytest.mark.xdist_group("backtest")


def backtest(out, *options):
    return main(["backtest", "--out", str(out), *options])


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """What the verb writes here."""
    out = tmp_path_factory.mktemp("here") / "backtest.json"
    assert backtest(out) == 0
    return out.read_bytes()


def test_the_verb_writes_every_back_test_with_its_points(tmp_path, capsys, made):
    assert backtest(tmp_path / "new" / "backtest.json", "--list") == 0
    assert (tmp_path / "new" / "backtest.json").read_bytes() == made
    data = json.loads(made)
    assert data["schema"] == 1
    tests = {test["id"]: test for test in data["backtests"]}
    first, *lines = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{len(tests)} tests of the models")
    assert list(tests) == [line.split()[0] for line in lines]
    for test in tests.values():
        assert test["n"] == len(test["points"])
        errors = [abs(p["predicted"] / p["published"] - 1) for p in test["points"]]
        assert abs(sum(errors) / len(errors) - test["mean_error"]) < 1e-4
    assert tests["generation"]["coverage"] is not None


def test_a_spoilt_table_is_a_mistake_of_the_user(tmp_path, capsys):
    spoilt = tmp_path / "published.csv"
    spoilt.write_text("id,value\nP001,3\n", encoding="utf-8")
    assert main(["backtest", "--published", str(spoilt), "--out", str(tmp_path)]) == 2
    assert f"{spoilt}:1: other columns" in capsys.readouterr().err


@pytest.mark.parametrize("kernel", ["Prescott", "Haswell", "SkylakeX"])
def test_another_processor_gives_the_same_bytes(tmp_path, kernel, root, made):
    """With the kernels of other processors, as far as this one can run them."""
    there = tmp_path / "there.json"
    command = [sys.executable, "-m", "analysis", "backtest", "--out", str(there)]
    features = {"NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3"} if kernel == "Prescott" else {}
    environment = os.environ | {"OPENBLAS_CORETYPE": kernel} | features
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True)
    if done.returncode < 0 or b"not supported" in done.stderr:
        pytest.skip(f"this processor has no kernel {kernel}")
    assert done.returncode == 0, done.stderr
    assert there.read_bytes() == made
