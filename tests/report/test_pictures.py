from __future__ import annotations

import re
from pathlib import Path

import pytest

from analysis.edition import Figure, Study
from analysis.errors import UserError
from analysis.fact import Verdict
from analysis.metrics import Metric, read_metrics
from analysis.report.pictures import caption, lead, pairs, read_pictures, tally
from tests.report.conftest import ROOT
from tests.report.test_reproduction import change

METRICS = read_metrics(ROOT / "data/metrics.yaml")
STUDY = Study.model_validate(
    {
        "title": "t", "question": "q", "campaigns": ["lab"], "baseline": "a",
        "tests": ["b", "c", "d"], "baselines": {"d": "e"}, "workloads": ["RR*"],
        "figures": [],
    }
)  # fmt: skip


def figure(**given: object) -> Figure:
    words = {"id": "f", "kind": "delta", "question": "q", "metrics": ("latency",)}
    return Figure.model_validate(words | given)


def captioned(**given: object) -> str:
    metrics: dict[str, Metric] = METRICS
    return caption(figure(**given), STUDY, metrics, ["RR1(1kB)"])


@pytest.mark.parametrize(
    ("tests", "words"),
    [
        ((), "b and c against a and d against e"),
        (("d",), "d against e"),
        (("b",), "b against a"),
    ],
)
def test_a_figure_names_the_pairs_that_it_draws(
    tests: tuple[str, ...], words: str
) -> None:
    assert pairs(figure(tests=tests), STUDY) == words
    assert f"change of {words}, all workloads." in captioned(tests=tests)


def test_of_many_baselines_none_is_named() -> None:
    baselines = {"b": "a", "c": "x", "d": "y"}
    study = STUDY.model_copy(update={"baselines": baselines})
    assert pairs(figure(), study) == "each test against its own baseline"


def test_a_set_up_has_no_metrics_and_no_verdicts() -> None:
    drawn = {"kind": "topology", "metrics": (), "tests": ("d",)}
    assert captioned(**drawn) == "Set-up of e and d."
    words = lead(figure(**drawn), "s-f", STUDY, [])
    assert words == "@fig-s-f shows the set-up."


@pytest.mark.parametrize(
    ("verdicts", "words"),
    [
        ([None], "Predicted"),
        ([None, None, None], "All three predicted"),
        (["improved", None], "1 improved and 1 predicted"),
    ],
)
def test_a_lead_says_what_is_predicted(
    verdicts: list[Verdict | None], words: str
) -> None:
    facts = [
        change(f"RR{n}(1kB)", 1.0, configuration="b", verdict=verdict)
        for n, verdict in enumerate(verdicts, start=1)
    ]
    text = lead(figure(tests=("b",)), "s-f", STUDY, facts)
    assert text.startswith(f"[{words}.]{{.figure-lead}} @fig-s-f shows the changes of")
    assert "b against a" in text


def test_a_metric_that_nobody_declared_is_a_mistake_of_the_figure(
    tmp_path: Path,
) -> None:
    declared = tmp_path / "studies/s/study.yaml"
    declared.parent.mkdir(parents=True)
    declared.write_text("title: t\nfigures:\n  - {id: a}\n  - {id: f}\n")
    figures = (figure(id="a"), figure(metrics=("speed",)))
    study = STUDY.model_copy(update={"figures": figures})
    what = f"{declared}:4: figure f: there is no metric 'speed'"
    with pytest.raises(UserError, match=re.escape(what)):
        read_pictures(tmp_path, {"s": study}, METRICS, {"s": []}, tmp_path)


def test_a_lead_counts_the_tests_of_its_figure_alone() -> None:
    facts = [change("RR1(1kB)", 1.0, configuration=id) for id in ("b", "d")]
    text = lead(figure(tests=("d",)), "s-f", STUDY, facts)
    assert text.startswith("[Improved.]")
    assert tally(fact.verdict for fact in facts) == "2 improved"
