"""The caption of a figure, and the sentence that leads to it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.declared.figure import Figure
from analysis.declared.metrics import read_metrics
from analysis.declared.study import Study
from analysis.errors import Place
from analysis.facts.fact import Fact, Verdict
from analysis.facts.sentences import tally
from analysis.figures.captions import Around, lead, pairs, words_around
from analysis.figures.kind import KINDS
from analysis.figures.setting import Setting
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


def around(*facts: Fact, **given: object) -> Around:
    drawn = figure(**given)
    setting = Setting("s", STUDY, drawn, METRICS, {}, Place("study.yaml"))
    return words_around(KINDS[drawn.kind], setting, facts)


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
        ((), "b and c against a and d against e"),
        (("d",), "d against e"),
        (("b",), "b against a"),
    ],
)
def test_a_figure_names_the_pairs_that_it_draws(
    tests: tuple[str, ...], words: str
) -> None:
    assert pairs(figure(tests=tests), STUDY) == words
    said = around(change("RR1(1kB)"), tests=tests)
    assert said.caption == (
        f"Latency: change of {words}, all workloads. Lower is better."
    )
    assert said.shows == f"the changes of {words}"


def test_of_many_baselines_none_is_named() -> None:
    baselines = {"b": "a", "c": "x", "d": "y"}
    study = STUDY.model_copy(update={"baselines": baselines})
    assert pairs(figure(), study) == "each test against its own baseline"


def test_a_set_up_has_no_metrics_and_no_verdicts() -> None:
    drawn = {"kind": "topology", "metrics": (), "tests": ("d",)}
    assert around(**drawn) == Around("Set-up of e and d.", "", "the set-up")


def test_a_declared_caption_is_kept() -> None:
    assert around(change("RR1(1kB)"), caption="So it is.").caption == "So it is."


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_has_its_words(kind: str) -> None:
    said = around(change("RR1(1kB)"), kind=kind)
    assert said.caption.endswith(".")
    assert said.shows
    assert "{" not in said.caption + said.shows


@pytest.mark.parametrize(
    ("verdicts", "words"),
    [
        ([None], "Predicted"),
        ([None, None, None], "All three predicted"),
        (["improved", "improved"], "Both improved"),
        (["improved", None], "1 improved and 1 predicted"),
        ([], "Not compared"),
    ],
)
def test_a_lead_says_what_is_predicted(
    verdicts: list[Verdict | None], words: str
) -> None:
    facts = [change(f"RR{n}(1kB)", verdict) for n, verdict in enumerate(verdicts, 1)]
    assert lead(figure(tests=("b",)), STUDY, facts) == words


def test_a_lead_counts_the_tests_of_its_figure_alone() -> None:
    facts = [change("RR1(1kB)", configuration=id) for id in ("b", "d")]
    assert lead(figure(tests=("d",)), STUDY, facts) == "Improved"
    assert tally(fact.verdict for fact in facts) == "2 improved"


def test_a_change_of_which_neither_way_is_better_counts_for_nothing() -> None:
    neither = replace(change("RR40(1kB)"), better="none")
    gone = replace(change("RR40(1kB)"), configuration="z")
    said = around(change("RR1(1kB)"), neither, gone)
    assert said.lead == "Improved"


def test_a_caption_says_which_way_is_better_of_what_is_drawn() -> None:
    assert around(change("RR1(1kB)")).caption.endswith(" Lower is better.")
    saving = around(change("RR1(1kB)"), kind="trend").caption
    assert "saving of" in saving
    assert saving.endswith(", all workloads. Higher is better.")
    several = around(change("RR1(1kB)"), metrics=("rate", "latency", "cpu_cost"))
    assert several.caption.endswith(
        " Higher is better for transaction rate, lower for latency and CPU cost per "
        "transaction."
    )


@pytest.mark.parametrize("kind", ["scaling", "trend"])
@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("RR1(1kB)", "RR40(1kB)"), "over the clients"),
        (("RR1(1kB)", "RR1(4kB)"), "over the payload of a transaction"),
    ],
)
def test_a_caption_names_the_number_on_the_axis(
    kind: str, names: tuple[str, str], told: str
) -> None:
    said = around(*map(change, names), kind=kind).caption

    assert f" {told}, all workloads." in said


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_verdicts_lead_where_the_kind_asks_for_them(kind: str) -> None:
    asked = kind in ("delta", "equivalence")
    assert around(change("RR1(1kB)"), kind=kind).lead == "Improved" * asked
