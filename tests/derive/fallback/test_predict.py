"""The verb ``predict``: what the ladder says of a study, and of what-if setups."""

from __future__ import annotations

import pytest

from analysis.cli import main

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
    said = predict("--set", "cps=2", "--configuration", "B")
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


def test_other_clients_of_all_loads(predict):
    said = predict("--set", "clients=20", "--configuration", "B")
    assert "no estimate" in row(said, "B", "rate", "RR20(1kB)")
    assert "it would extrapolate: clients 20 is outside 10 to 10" in said


@pytest.mark.parametrize(
    ("payload", "workload"),
    [("4kB", "RR10(4kB)"), ("64B/8kB", "RR10(64B/8kB)")],
)
def test_another_payload_of_all_loads(predict, payload, workload):
    said = predict("--set", f"payload={payload}", "--configuration", "B")
    assert "it would extrapolate: payload" in said
    assert "no estimate" in row(said, "B", "rate", workload)


def test_a_payload_goes_with_the_loads_and_clients_asked_for(predict):
    changed = ("--set", "payload=20MB/1B", "--set", "clients=2")
    said = predict("--workload", "STR1(4kB)", *changed, "--configuration", "B")
    assert "no estimate" in row(said, "B", "throughput", "STR2(20MB/1B)")


def test_one_size_both_ways_leaves_the_study_s_streams_out(predict, world):
    world.runs("B", RATES, workload="STR1(1B/20MB)")
    said = predict("--set", "payload=1kB", "--configuration", "B")
    assert "STR" not in said
    assert "RR10(1kB)" in said


def test_synthetic_runs_are_never_called_measured(predict, world):
    world.campaign(configurations=declared(A=None, B=OSH, A2=None), origin="synthetic")
    world.rows["run"] = [row | {"origin": "synthetic"} for row in world.rows["run"]]
    said = predict("--set", "cps=2", "--configuration", "B")
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
        (("--set", "cps"), "'cps' sets nothing that is known"),
        (("--set", "speed=9"), "'speed=9' sets nothing that is known"),
        (("--set", "cps=two"), "cps=two is out of range"),
        (("--set", "cps=0"), "cps=0 is out of range"),
        (("--set", "mtu=9000"), "'mtu=9000' sets nothing that is known"),
        (("--set", "clients=0"), "clients=0 is out of range"),
        (("--set", "payload=4"), "payload=4: '4' is not a size"),
        (("--set", "payload=4kB/"), "payload=4kB/: '' is not a size"),
        (("--set", "payload=0B/1B"), "payload=0B/1B moves nothing one way"),
        (("--set", "cpc=z17", "--cpc", "z16"), "cpc is set twice"),
        (("--cpc", "z9"), "no capacity of a CPC 'z9' is known"),
    ],
)
def test_a_mistake_is_told_and_how_to_mend_it(predict, options, words):
    said = predict(*options, code=2)
    assert words in said
    assert "mend: " in said


def test_an_arm_without_a_model_cannot_be_another_one(predict, world):
    world.campaign(configurations=declared(A=None, B=OSH, A2=None))
    said = predict("--set", "cps=2", code=2)
    assert "A declares no model, so its setup cannot be another one" in said


@pytest.mark.parametrize("absent", ["--edition", "--study"])
def test_a_prediction_is_of_a_study_of_an_edition(absent, capsys):
    given = {"--edition": "paper", "--study": "question"}
    given.pop(absent)
    with pytest.raises(SystemExit) as caught:
        main(["predict", *next(iter(given.items()))])
    assert caught.value.code == 2
    assert absent in capsys.readouterr().err
