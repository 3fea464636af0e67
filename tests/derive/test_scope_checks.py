import io
import re
from contextlib import redirect_stderr
from functools import partial

import pytest

from analysis.cli import main
from tests.derive.conftest import Scenes

KNOWN = "use one of: A, A2, B\n"
ANOTHER = "compare it with another configuration\n"
EARLY = [
    ({"campaigns": ["lap"]}, "there is no campaign 'lap'", 4, "none is declared"),
    ({"asks": [{"metrics": ["rate"], "workloads": ["RR5"]}]},
         "asks → entry 1 → workloads → entry 1: 'RR5' is not a workload", 20, "write"),
]  # fmt: skip
MISTAKES = [
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
         "there is no metric 'capacities'", 18, "use one of: "),
    ({"noise": {"control": "Z"}}, "there is no configuration 'Z'", 17, KNOWN),
    ({"baselines": {"B": "Z"}}, "there is no configuration 'Z'", 17, KNOWN),
    ({"baselines": {"A2": "A"}}, "there is no test 'A2'", 17, "use one of: B\n"),
    ({"baselines": {"B": "B"}}, "'B' would be its own baseline", 17, ANOTHER),
]  # fmt: skip
NAMES, RUNS = Scenes(), Scenes()  # of runs nothing is told before all names exist


def mistaken(lab, origins=("measured", "measured"), **changes):
    for id, origin in zip("AB", origins, strict=True):
        lab.runs(id, [100.0] * 4, origin=origin)
    lab.study(**changes)


for nth, (changes, *_) in enumerate(MISTAKES):
    of_names = "RR99(1B)" not in changes.get("workloads", ())
    scenes = NAMES if of_names else RUNS
    scenes[f"mistake-{nth}"] = partial(mistaken, **changes)
NAMES["several"] = partial(mistaken, baseline="Y", tests=["Z"], metrics=["speed"])
RUNS["mixed"] = partial(mistaken, origins=("measured", "synthetic"))


@RUNS
def noise(lab):
    lab.runs("A2", [100.0] * 4, origin="synthetic")
    mistaken(lab, noise={"control": "A2"})


@NAMES
def labels(lab):
    alike = {id: {"label": "OSH", "details": {}} for id in ("A", "A2", "B")}
    lab.campaign(configurations=alike)
    mistaken(lab)


def refused(world) -> str:
    """What is said of a project that will not do."""
    world.write()
    said = io.StringIO()
    with redirect_stderr(said):
        assert main(world.arguments()) == 2
    assert not (world.root / "facts.json").exists()
    return said.getvalue()


@pytest.fixture(scope="module")
def mistakes(tmp_path_factory) -> str:
    """What is said of all scenes, none of which will do: all of it at once."""
    folders = (tmp_path_factory.mktemp("names"), tmp_path_factory.mktemp("runs"))
    made = zip((NAMES, RUNS), folders, strict=True)
    return "".join(refused(scenes.fill(folder)) for scenes, folder in made)


def of_scene(said: str, name: str) -> str:
    """The mistakes of one scene, with what mends them."""
    found = re.findall(rf"[^\n]*/{name}/[^\n]*\n  mend: [^\n]*\n", said)
    return "".join(found)


@pytest.mark.parametrize("nth", range(len(MISTAKES)))
def test_a_name_that_nothing_declares(mistakes, nth):
    _, message, line, mend = MISTAKES[nth]
    said = of_scene(mistakes, f"mistake-{nth}")
    assert f"study.yaml:{line}: {message}" in said
    assert f"  mend: {mend}" in said


@pytest.mark.parametrize(("changes", "message", "line", "mend"), EARLY)
def test_what_is_told_before_the_runs_are_read(world, changes, message, line, mend):
    mistaken(world, **changes)
    said = refused(world)
    assert f"study.yaml:{line}: {message}" in said
    assert f"  mend: {mend}" in said


def test_all_mistakes_are_named_at_once(mistakes):
    assert of_scene(mistakes, "several").count("mend:") == 3


def test_measured_is_never_compared_with_synthetic(mistakes):
    said = of_scene(mistakes, "mixed")
    assert "study.yaml:3: RR10(100B) would compare measured runs with synthetic" in said


def test_nor_does_synthetic_noise_judge_measured_runs(mistakes):
    assert "synthetic" in of_scene(mistakes, "noise")


def test_configurations_that_are_compared_have_labels_of_their_own(mistakes):
    said = of_scene(mistakes, "labels")
    assert "study.yaml:6: 'A' and 'B' have one label: 'OSH'" in said
    assert "'A2'" not in said


DETAILS = {"Segmentation offload": "on", "Receive offload": "on", "MTU": 1500}
DIFFERENT = [
    ({"Segmentation offload": "off", "MTU": 9000}, "What is offload worth?", "MTU"),
    ({"Segmentation offload": "off", "MTU": 9000}, "Are jumbo frames quicker?",
     "Segmentation offload"),
    ({"Segmentation offload": "off", "MTU": 9000}, "Offload, MTU?", ""),
    ({"Segmentation offload": "off", "Receive offload": "off"}, "Offload?", ""),
    ({"MTU": 9000}, "What does it bring?", ""),  # it alone is what is compared
    ({}, "What does it bring?", ""),
]  # fmt: skip


@pytest.fixture(scope="module")
def accepted(tmp_path_factory) -> str:
    """What is warned of where settings differ; and of synthetic runs, nothing."""
    scenes = Scenes(synthetic=partial(mistaken, origins=("synthetic", "synthetic")))
    for nth, (changes, question, _) in enumerate(DIFFERENT):
        details = {"A": DETAILS, "A2": DETAILS, "B": DETAILS | changes}
        scenes[f"differs-{nth}"] = partial(differing, details, question)
    world = scenes.fill(tmp_path_factory.mktemp("accepted"))
    world.write()
    with redirect_stderr(io.StringIO()) as said:
        assert main(world.arguments()) == 0
    return said.getvalue()


def differing(details, question, lab):
    lab.campaign(
        configurations={id: {"label": id, "details": of} for id, of in details.items()}
    )
    mistaken(lab, question=question)


def test_synthetic_runs_may_be_compared_with_each_other(accepted):
    assert "synthetic" not in accepted


@pytest.mark.parametrize("nth", range(len(DIFFERENT)))
def test_a_setting_that_differs_unnamed_is_warned_of(accepted, nth):
    changes, _, warned = DIFFERENT[nth]
    lines = [line for line in accepted.splitlines() if f"/differs-{nth}/" in line]
    said = "\n".join(lines)
    if warned:
        before, after = DETAILS[warned], changes[warned]
        where = rf"differs-{nth}/campaign.yaml:\d+\)"
        words = (
            rf"{warned} is {before} in A \([^)]*{where} and {after} in B \([^)]*{where}"
        )
        assert re.search(f"warning: .*study.yaml: {words}; no question", said)
    assert said.count("says that it differs") == bool(warned)
