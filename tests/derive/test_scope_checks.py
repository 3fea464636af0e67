import re

import pytest

from analysis.cli import main

KNOWN = "use one of: A, A2, B\n"
ANOTHER = "compare it with another configuration\n"


@pytest.fixture
def failing(world, capsys):
    """Runs the verb, which must end with 2, and returns what it printed."""
    world.runs("A", [100.0] * 4)
    world.runs("B", [100.0] * 4)

    def derive() -> str:
        world.write()
        assert main(world.arguments()) == 2
        assert not (world.root / "facts.json").exists()
        return capsys.readouterr().err

    return derive


@pytest.mark.parametrize(
    ("changes", "message", "line", "mend"),
    [
        ({"campaigns": ["lap"]}, "there is no campaign 'lap'", 4, "none is declared"),
        ({"baseline": "Z"}, "there is no configuration 'Z'", 5, KNOWN),
        ({"tests": ["Z"]}, "there is no configuration 'Z'", 7, KNOWN),
        ({"tests": ["A"]}, "the baseline 'A' is also a test", 6, ANOTHER),
        ({"workloads": ["RR99(1B)"]}, "there is no workload 'RR99(1B)'", 9,
         "did you mean 'RR10(100B)'? use one of: RR10(100B)\n"),
        ({"metrics": ["speed"]}, "there is no metric 'speed'", 17, "use one of: "),
        ({"roles": {"offlaod": ["server"]}}, "there is no metric 'offlaod'", 17,
         "did you mean 'offload'?"),
        ({"roles": {"rate": ["server"]}}, "'rate' is of a whole run", 17,
         "take rate out of roles"),
        ({"asks": [{"metrics": ["capacities"], "workloads": ["RR5(1B)"]}]},
         "there is no metric 'capacities'", 18, "did you mean 'capacity'?"),
        ({"asks": [{"metrics": ["rate"], "workloads": ["RR5"]}]},
         "asks → entry 1 → workloads → entry 1: 'RR5' is not a workload", 20, "write"),
        ({"noise": {"control": "Z"}}, "there is no configuration 'Z'", 17, KNOWN),
        ({"baselines": {"B": "Z"}}, "there is no configuration 'Z'", 17, KNOWN),
        ({"baselines": {"A2": "A"}}, "there is no test 'A2'", 17, "use one of: B\n"),
        ({"baselines": {"B": "B"}}, "'B' would be its own baseline", 17, ANOTHER),
    ],
)  # fmt: skip
def test_a_name_that_nothing_declares(world, failing, changes, message, line, mend):
    path = world.study(**changes)
    said = failing()
    assert f"{path}:{line}: {message}" in said
    assert f"  mend: {mend}" in said


def test_all_mistakes_are_named_at_once(world, failing):
    world.study(baseline="Y", tests=["Z"], metrics=["speed"])
    said = failing()
    assert said.count("mend:") == 3


def test_measured_is_never_compared_with_synthetic(world, failing):
    for row in world.rows["run"]:
        if row["configuration"] == "B":
            row["origin"] = "synthetic"
    path = world.study()
    said = failing()
    assert f"{path}:3: RR10(100B) would compare measured runs with synthetic" in said


def test_synthetic_runs_may_be_compared_with_each_other(world):
    world.runs("A", [100.0] * 4, origin="synthetic")
    world.runs("B", [100.0] * 4, origin="synthetic")
    world.study()
    world.write()
    assert main(world.arguments()) == 0


def test_nor_does_synthetic_noise_judge_measured_runs(world, failing):
    world.runs("A2", [100.0] * 4, origin="synthetic")
    world.study(noise={"control": "A2"})
    assert "synthetic" in failing()


def test_configurations_that_are_compared_have_labels_of_their_own(world, failing):
    alike = {id: {"label": "OSH", "details": {}} for id in ("A", "A2", "B")}
    world.campaign(configurations=alike)
    path = world.study()
    said = failing()
    assert f"{path}:6: 'A' and 'B' have one label: 'OSH'" in said
    assert "'A2'" not in said


DETAILS = {"Segmentation offload": "on", "Receive offload": "on", "MTU": 1500}


@pytest.mark.parametrize(
    ("changes", "question", "warned"),
    [
        ({"Segmentation offload": "off", "MTU": 9000}, "What is offload worth?", "MTU"),
        ({"Segmentation offload": "off", "MTU": 9000}, "Are jumbo frames quicker?",
         "Segmentation offload"),
        ({"Segmentation offload": "off", "MTU": 9000}, "Offload, MTU?", ""),
        ({"Segmentation offload": "off", "Receive offload": "off"}, "Offload?", ""),
        ({"MTU": 9000}, "What does it bring?", ""),  # it alone is what is compared
        ({}, "What does it bring?", ""),
    ],
)  # fmt: skip
def test_a_setting_that_differs_unnamed_is_warned_of(
    world, capsys, changes, question, warned
):
    details = {"A": DETAILS, "A2": DETAILS, "B": DETAILS | changes}
    world.campaign(
        configurations={id: {"label": id, "details": of} for id, of in details.items()}
    )
    world.study(question=question)
    for id in ("A", "B"):
        world.runs(id, [100.0] * 4)
    world.write()
    assert main(world.arguments()) == 0
    err = capsys.readouterr().err
    if warned:
        before, after = DETAILS[warned], changes[warned]
        where = r"lab/campaign.yaml:\d+\)"
        said = (
            rf"{warned} is {before} in A \([^)]*{where} and {after} in B \([^)]*{where}"
        )
        assert re.search(f"warning: .*study.yaml: {said}; no question", err)
    assert err.count("says that it differs") == bool(warned)
