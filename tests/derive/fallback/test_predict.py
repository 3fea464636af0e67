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
    assert "generation transfer 2 6.8%, n = 11, published [2]" in row(
        said, "A", "latency"
    )
    assert "[2] from runs of B on z17; CPU time scaled to z16, 100% of the time" in said
    assert "too small a gain" in said
    assert "\nB " not in said


def test_nothing_to_predict(predict, world):
    world.runs("A", RATES, workload=NAME)
    assert "every arm has runs" in predict()


def test_another_number_of_cps(predict, world):
    world.campaign(configurations=declared(A=None, B=OSH, A2=None))
    said = predict("--cps", "2", "--configuration", "B")
    assert "interpolation" in row(said, "B", "rate")
    assert "from runs of B with RR10(1kB)" in said
    assert "\nA " not in said


def test_another_cpc(predict):
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
    assert "it would extrapolate: clients 20 is outside 10 to 10" in said


def test_synthetic_runs_are_never_called_measured(predict, world):
    world.campaign(configurations=declared(A=None, B=OSH, A2=None), origin="synthetic")
    world.rows["run"] = [row | {"origin": "synthetic"} for row in world.rows["run"]]
    said = predict("--cps", "2", "--configuration", "B")
    assert " synthetic interpolation" in row(said, "B", "rate")
    same = predict("--workload", NAME, "--configuration", "B")
    assert "synthetic – – –" in row(same, "B", "rate")
    assert "measured" not in said + same


def test_an_input_outside_a_model_s_range_is_marked(predict, world):
    models = {
        id: HS | {"cpc": cpc, "cps": 8} for id, cpc in (("A", "z16"), ("B", "z17"))
    }
    systems = {
        id: {"role": role, "cps": 8}
        for id, role in (("cli", "client"), ("srv", "server"))
    }
    world.campaign(configurations=declared(**models, A2=None), systems=systems)
    assert "; extrapolated: cps 8 is outside 1 to 4 CPs" in predict()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--edition", "novel"), "there is no edition 'novel'"),
        (("--study", "answer"), "there is no study 'answer'"),
        (("--configuration", "Z"), "the study has no configuration 'Z'"),
        (("--workload", "RR(4kB)"), "is not a workload name"),
        (("--cpc", "z9"), "no capacity of a CPC 'z9' is known"),
    ],
)
def test_a_mistake_is_told_and_how_to_mend_it(predict, options, words):
    said = predict(*options, code=2)
    assert words in said
    assert "mend: " in said


def test_an_arm_without_a_model_cannot_be_another_one(predict, world):
    world.campaign(configurations=declared(A=None, B=OSH, A2=None))
    said = predict("--cps", "2", code=2)
    assert "A declares no model, so its setup cannot be another one" in said


@pytest.mark.parametrize("cps", ["0", "17", "two", "²"])
def test_a_number_of_cps_that_no_model_knows(cps, capsys):
    with pytest.raises(SystemExit) as caught:
        main(["predict", "--edition", "paper", "--study", "question", "--cps", cps])
    assert caught.value.code == 2
    assert "give a whole number from 1 to 16" in capsys.readouterr().err


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
