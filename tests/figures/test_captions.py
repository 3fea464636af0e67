"""The caption of a figure, and what sums up the comparisons of a study."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.declared.metrics import read_metrics
from analysis.declared.study import Figure, Study
from analysis.errors import Place
from analysis.facts.fact import Fact, Verdict
from analysis.facts.sentences import comparisons_sentence
from analysis.figures.kind import KINDS
from analysis.figures.setting import Setting
from analysis.figures.words import Caption, better, caption_of, pairs
from tests.conftest import ROOT
from tests.figures.made import PREDICTED, make_facts

METRICS = read_metrics(ROOT / "data/metrics.yaml")
STUDY = Study.model_validate(
    {
        "title": "t", "question": "q", "campaigns": ["lab"], "baseline": "a",
        "tests": ["b", "c", "d"], "baselines": {"d": "e"}, "workloads": ["RR*"],
        "figures": [],
    }
)  # fmt: skip
CHANGE = next(f for f in make_facts().facts if f.kind == "delta" and f.verdict)


def figure(**given: object) -> Figure:
    words = {"id": "f", "kind": "delta", "question": "q", "metrics": ("latency",)}
    return Figure.model_validate(words | given)


def setting_of(**given: object) -> Setting:
    return Setting("s", STUDY, figure(**given), METRICS, {}, Place("study.yaml"))


def caption(*facts: Fact, **given: object) -> Caption:
    setting = setting_of(**given)
    return caption_of(KINDS[setting.figure.kind], setting, facts)


def change(
    workload: str, verdict: Verdict | None = "improved", configuration: str = "b"
) -> Fact:
    made = replace(
        CHANGE, workload=workload, configuration=configuration, metric="latency"
    )
    made = replace(made, role=None, verdict=verdict)
    return made if verdict else replace(made, **PREDICTED)


@pytest.mark.parametrize(
    ("tests", "words"),
    [
        (("b", "c"), "b and C, plain; relative to Base"),
        (("d",), "d relative to e"),
        (("b",), "b relative to Base"),
        ((), "each test relative to its baseline"),
    ],
)
def test_a_figure_names_the_pair_that_it_draws(
    tests: tuple[str, ...], words: str
) -> None:
    labels = {"a": "Base", "b": "b", "c": "C, plain"}
    words = words.replace("b and C", "b; C")
    setting = replace(setting_of(tests=tests), labels=labels)
    assert pairs(setting) == words
    made = caption_of(KINDS["delta"], setting, [change("RR1(1kB)")])
    assert str(made) == f"Latency: {words}. Lower is better."


def test_a_set_up_has_no_metrics() -> None:
    drawn = {"kind": "topology", "metrics": (), "tests": ("d",)}
    assert caption(**drawn) == Caption("Set-up: e and d.")


def test_a_declared_caption_is_kept() -> None:
    assert str(caption(change("RR1(1kB)"), caption="So it is.")) == "So it is."


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_has_its_words(kind: str) -> None:
    file = "own.py" if kind == "python" else ""
    subject = caption(change("RR1(1kB)"), kind=kind, file=file).subject
    assert subject.endswith(".")
    assert "{" not in subject


@pytest.mark.parametrize(
    ("verdicts", "words"),
    [
        ([None, None, None], "All 3 comparisons are predicted."),
        (["improved", "improved"], "Both comparisons improved."),
        (["comparable", "comparable"], "Both comparisons stay within 5%."),
        (["inconclusive", "inconclusive"], "Both comparisons are inconclusive."),
        (["improved", None], "2 comparisons: 1 improved and 1 predicted."),
        (["comparable"], "1 comparison: comparable."),
        ([], ""),
    ],
)
def test_comparisons_are_summed_up_in_a_sentence(
    verdicts: list[Verdict | None], words: str
) -> None:
    facts = [replace(change("RR1(1kB)", v), threshold=5.0) for v in verdicts]
    assert comparisons_sentence(facts) == words


def test_a_caption_says_which_way_is_better_of_what_is_drawn() -> None:
    assert str(caption(change("RR1(1kB)"))).endswith(" Lower is better.")
    saving = str(caption(change("RR1(1kB)"), kind="trend"))
    assert ": saving by number of " in saving or ": saving by payload" in saving
    assert saving.endswith(". Higher is better.")
    several = caption(change("RR1(1kB)"), metrics=("rate", "latency", "cpu_cost"))
    mixed = better(("latency", "utilisation"), METRICS)
    assert mixed == "Lower is better for latency.", "utilisation has no better side"
    assert several.better == (
        "Higher is better for transaction rate, lower for latency and CPU cost per "
        "transaction."
    )


@pytest.mark.parametrize("kind", ["scaling", "trend"])
@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("RR1(1kB)", "RR40(1kB)"), "by number of clients"),
        (("RR1(1kB)", "RR1(4kB)"), "by payload"),
    ],
)
def test_a_caption_names_the_number_on_the_axis(
    kind: str, names: tuple[str, str], told: str
) -> None:
    said = str(caption(*map(change, names), kind=kind))

    assert f" {told}" in said
