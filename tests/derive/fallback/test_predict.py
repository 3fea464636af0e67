"""The verb ``predict``: what the ladder says of a study, and of what-if setups."""

from __future__ import annotations

import pytest

from analysis.cli import main
from analysis.declared.workload import parse_workload
from analysis.derive.fallback.point import Point
from analysis.derive.fallback.predict import quantities
from analysis.derive.samples import Cell
from tests.derive.fallback.conftest import interactive, knowledge, sample, study

HS = {"interface": "hipersockets", "cps": 4, "mtu": 8192}
OSH = {"cpc": "z17", "interface": "osh", "cps": 4, "mtu": 1500}
NAME = "RR10(1kB)"
RATES = [100_000.0 + 500 * i for i in range(-3, 4)]


def declared(**models):
    return {
        id: {"label": id, "details": {}} | ({"model": model} if model else {})
        for id, model in models.items()
    }


@pytest.fixture
def predict(world, capsys):
    """Runs the verb on a world with A (not measured, z16) and B (measured, z17)."""

    def run(*options: str, code: int = 0) -> str:
        world.write()
        paths = [
            "--database", world.database, "--report", world.report, "--raw", world.raw
        ]  # fmt: skip
        chosen = ["--edition", "paper", "--study", "question", *options]
        assert main(["predict", *chosen, *map(str, paths)]) == code
        said = capsys.readouterr()
        return said.err if code else said.out

    models = {"A": HS | {"cpc": "z16"}, "B": HS | {"cpc": "z17"}}
    world.campaign(configurations=declared(**models, A2=None))
    world.runs("B", RATES, workload=NAME)
    world.study()
    return run


def row(said: str, arm: str, quantity: str, workload: str = NAME) -> str:
    start = f"{arm} {workload} {quantity} "
    (found,) = [
        line for line in said.splitlines() if " ".join(line.split()).startswith(start)
    ]
    return " ".join(found.split())


def test_what_derive_would_predict(predict):
    said = predict()
    assert "A RR10(1kB) latency 111 µs 96.0 to 128 µs modelled generation" in row(
        said, "A", "latency"
    )
    assert "generation transfer 3 6.8%, n = 11, published [2]" in row(
        said, "A", "latency"
    )
    assert (
        "[2] from runs of B on z17; CPU time scaled to z16; no machine was measured"
        in said
    )
    assert "\nB " not in said


def test_nothing_to_predict(predict, world):
    world.runs("A", RATES, workload=NAME)
    assert "every arm has runs" in predict()


def test_another_cpc_scales_cpu_time_and_says_so(predict):
    said = predict("--cpc", "z15", "--configuration", "B")
    assert "generation" in row(said, "B", "cpu_cost server")
    assert "[1] from runs of B on z17; CPU time scaled to z15" in said


def test_another_load_shows_what_was_measured_beside_it(predict):
    said = predict("--workload", NAME)
    assert "measured – – –" in row(said, "B", "rate")
    assert "] taken from runs\n" in f"{said}\n"
    assert "generation" in row(said, "A", "rate")


def test_more_clients_than_were_measured_have_no_estimate(predict):
    said = predict("--workload", "RR20(1kB)", "--configuration", "B")
    assert "no estimate" in row(said, "B", "rate", "RR20(1kB)")
    assert "20 clients are outside of the measured 10 to 10; measure 20 clients" in said


def test_synthetic_runs_are_never_called_measured(predict, world):
    world.campaign(configurations=declared(A=None, B=OSH, A2=None), origin="synthetic")
    world.rows["run"] = [row | {"origin": "synthetic"} for row in world.rows["run"]]
    other = predict("--cpc", "z16", "--configuration", "B")
    same = predict("--workload", NAME, "--configuration", "B")
    assert "synthetic – – –" in row(same, "B", "rate")
    assert " measured " not in row(other, "B", "rate") + row(same, "B", "rate")


def test_what_no_model_knows_is_told_with_what_to_measure(predict):
    said = predict("--cpc", "xeon", "--configuration", "B")
    assert "no estimate" in row(said, "B", "cpu_cost server")
    assert "no capacity of a 'xeon' is known; use one of z15, z16, z17" in said


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--edition", "novel"), "there is no edition 'novel'"),
        (("--study", "answer"), "there is no study 'answer'"),
        (("--configuration", "Z"), "the study has no configuration 'Z'"),
        (("--workload", "RR(4kB)"), "is not a workload name"),
    ],
)
def test_a_mistake_is_told_and_how_to_mend_it(predict, options, words):
    said = predict(*options, code=2)
    assert words in said
    assert "mend: " in said


def test_an_arm_without_a_model_cannot_be_another_one(predict, world):
    world.campaign(configurations=declared(A=None, B=OSH, A2=None))
    said = predict("--cpc", "z16", code=2)
    assert "A declares no model, so its setup cannot be another one" in said


@pytest.mark.parametrize("absent", ["--edition", "--study"])
def test_a_prediction_is_of_a_study_of_an_edition(absent, capsys):
    given = {"--edition": "paper", "--study": "question"}
    given.pop(absent)
    with pytest.raises(SystemExit) as caught:
        main(["predict", *next(iter(given.items()))])
    assert caught.value.code == 2
    assert absent in capsys.readouterr().err


def test_roles_are_asked_of_that_the_arm_or_its_partner_has_in_such_work():
    samples = {
        **interactive("B", "RR10(1kB)", 100.0, 6.0, 7.0),
        Cell("A", "RR1(1kB)", "cpu_cost", "receiver"): sample(1.0),
        Cell("C", "RR1(1kB)", "cpu_cost", "sender"): sample(1.0),
        Cell("B", "STR1(1B/1MB)", "cpu_cost", "distributor"): sample(1.0),
        Cell("B", "RR1(1kB)", "utilisation", "target"): sample(1.0),
    }
    point = Point("A", parse_workload("RR2(1kB)"), None)
    found = quantities(point, knowledge(study(), samples))
    assert found[:2] == [("latency", None), ("rate", None)]
    assert list(dict.fromkeys(role for _, role in found[2:])) == [
        "client", "server", "receiver",
    ]  # fmt: skip
