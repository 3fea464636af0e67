"""The range chart: ends in order, marks by verdict, studies by their titles."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.declared.metrics import read_metrics
from analysis.facts.fact import Fact, Facts
from analysis.facts.units import format_range
from analysis.figures.output import write_figures
from analysis.figures.page import GROUND, VERDICT_COLOURS
from analysis.figures.setting import Setting, of_edition
from analysis.figures.verb import prepare
from tests.figures.drawn import FORMATS, check_texts, draw, make_setting
from tests.figures.made import PREDICTED, make_facts

EDITION = make_facts().of("linux-veth")
METRICS = ("latency", "throughput", "cpu_cost")


def of_both(**titles: str) -> Setting:
    """The figure of an edition of two studies."""
    made = make_setting("delta", METRICS).study
    noise = made.model_copy(update={"tests": ("A2",)})
    studies = {"offload": made, "noise": noise}
    named = {
        id: study.model_copy(update={"title": titles.get(id, id)})
        for id, study in studies.items()
    }
    return of_edition(Path("report/e"), named, read_metrics())[0]


def ends(setting: Setting, metric: str, facts: Facts = EDITION) -> dict[str, list[str]]:
    """Which workloads are the best and the worst of each row."""
    frame = prepare([setting], facts)[0].frame
    found: dict[str, list[str]] = {}
    for row in frame.to_dicts():
        if row["metric"] == metric:
            found.setdefault(row["name"], []).append(row["printed"])
    return found


def changes(metric: str, study: str) -> list[Fact]:
    return [
        fact
        for fact in EDITION.of_studies((study,)).facts
        if (fact.kind, fact.metric) == ("delta", metric)
    ]


def test_a_row_goes_from_the_best_change_to_the_worst() -> None:
    lower = sorted(changes("latency", "offload"), key=lambda fact: fact.value)
    higher = sorted(changes("throughput", "offload"), key=lambda fact: -fact.value)
    shown = ends(of_both(), "latency")["offload"]
    assert shown == [lower[0].printed, lower[-1].printed]
    shown = ends(of_both(), "throughput")["offload"]
    assert shown == list(dict.fromkeys([higher[0].printed, higher[-1].printed]))


def verdicts_of(**verdicts: str) -> Facts:
    """The edition, all of whose changes have the verdict of their study."""
    return Facts(
        tuple(
            replace(fact, verdict=verdicts.get(fact.study, "comparable"))
            if fact.kind == "delta" and fact.verdict else fact
            for fact in EDITION.facts
        )
    )  # fmt: skip


@pytest.mark.parametrize(
    ("verdicts", "finding"),
    [
        ({}, r"No clear change"),
        ({"noise": "improved"}, r"Largest gain: .*% .* \(noise\); no loss"),
        ({"noise": "improved", "offload": "regressed"},
         r"Largest gain: .* \(noise\); largest loss: .* \(offload\)"),
    ],
)  # fmt: skip
def test_its_finding_is_the_largest_gain_and_the_largest_loss(
    verdicts: dict[str, str], finding: str
) -> None:
    title = prepare([of_both()], verdicts_of(**verdicts))[0].words.title
    assert re.fullmatch(finding, title)


def test_the_largest_change_is_the_largest_ratio() -> None:
    halved, more = 100 * (1 / 3 - 1), 150.0
    sizes = {changes("latency", "offload")[0].key: halved,
             changes("throughput", "offload")[0].key: more}  # fmt: skip
    facts = [
        replace(fact, value=sizes.get(fact.key, 0.0), verdict="improved")
        if fact.kind == "delta" and fact.verdict else fact
        for fact in EDITION.facts
    ]  # fmt: skip
    title = prepare([of_both()], Facts(tuple(facts)))[0].words.title
    assert title.startswith("Largest gain: 67% lower latency (offload)")


@pytest.mark.parametrize("format", list(FORMATS))
def test_a_row_is_of_one_comparison_and_has_values_at_both_ends(format: str) -> None:
    made = of_both()
    several = made.studies["offload"].model_copy(update={"tests": ("B", "A2")})
    other = [
        replace(fact, study="offload")
        for fact in EDITION.of_studies(("noise",)).facts
        if fact.kind == "delta"
    ]
    setting = replace(
        made,
        studies={"offload": several},
        labels_of={"offload": {"A": "On", "B": "Off", "A2": "Again"}},
    )
    facts = Facts((*EDITION.of_studies(("offload",)).facts, *other))
    drawn = draw(facts, setting, FORMATS[format])
    words = " ".join(drawn.labels)
    assert "Off against On" in words
    assert "Again against On" in words
    printed = prepare([setting], facts)[0].frame["printed"]
    assert {*printed} <= {*drawn.labels}
    assert check_texts(drawn, format) == []


def judged(verdicts: dict[str, str]) -> Facts:
    """The edition, whose changes are comparable but for one in the middle of a study.

    ``verdicts`` is that of a change which is neither the best nor the worst, by study.
    """
    middle = {}
    for study in verdicts:
        of = sorted(changes("latency", study), key=lambda fact: fact.value)
        middle[of[len(of) // 2].key] = verdicts[study]
    return Facts(
        tuple(
            replace(fact, verdict=middle.get(fact.key, "comparable"))
            if fact.kind == "delta" and fact.verdict else fact
            for fact in EDITION.facts
        )
    )  # fmt: skip


def test_its_finding_knows_losses_that_are_not_drawn() -> None:
    drawing = prepare([of_both()], judged({"noise": "regressed"}))[0]
    assert set(drawing.frame["verdict"]) == {"comparable"}
    assert drawing.words.title == "Clear changes lie between the ends"


def test_a_study_without_a_verdict_is_told_as_predicted() -> None:
    facts = [
        replace(fact, **PREDICTED)
        if fact.kind == "delta" and fact.study == "noise" else fact
        for fact in judged({"offload": "improved"}).facts
    ]  # fmt: skip
    words = prepare([of_both()], Facts(tuple(facts)))[0].words
    assert words.title == "Clear changes lie between the ends"
    assert "predicted by generation transfer" in words.foot
    assert "90% range" not in words.foot
    parts = words.foot.split(" · ")
    assert len(set(parts)) == len(parts)


def test_a_study_shows_a_metric_that_its_own_figures_do_not_draw() -> None:
    setting = of_both()
    offload = setting.studies["offload"]
    one = offload.figures[0].model_copy(update={"metrics": ("latency",)})
    studies = {
        **setting.studies, "offload": offload.model_copy(update={"figures": (one,)})
    }  # fmt: skip
    assert "offload" in ends(replace(setting, studies=studies), "throughput")


@pytest.mark.parametrize("format", list(FORMATS))
def test_studies_are_called_by_their_titles(format: str) -> None:
    long = "Segmentation offload, on against off, with streams and short requests"
    drawn = draw(EDITION, of_both(offload=long), FORMATS[format])
    assert check_texts(drawn, format) == []
    words = " ".join(drawn.labels)
    assert long.split()[0] in words
    assert "lower is better" in words
    assert long in drawn.words.alt


def test_no_mark_is_an_arrow_and_the_foot_names_those_that_are_drawn() -> None:
    drawn = draw(EDITION, of_both())
    marks = drawn.layer("geom_point")
    assert {mark["shape"] for mark in marks} <= {"o", "s"}
    foot = drawn.words.foot
    worse = [mark for mark in marks if mark["colour"] == VERDICT_COLOURS["regressed"]]
    assert {mark["shape"] for mark in worse} == {"s"}
    assert "square: worse" in foot
    assert "circle: better" not in foot, "nothing improved"
    hollow = [mark for mark in marks if mark["ground"] == GROUND]
    assert bool(hollow) == ("open " in foot)


def test_the_foot_tells_the_origins_of_all_ends() -> None:
    made = [
        replace(fact, origin="synthetic") if fact.study == "offload" else fact
        for fact in EDITION.facts
    ]
    assert (
        "origin: measured and synthetic"
        in draw(Facts(tuple(made)), of_both()).words.foot
    )


def test_an_edition_of_one_study_has_no_such_figure() -> None:
    one = {"offload": make_setting("delta", METRICS).study}
    assert of_edition(Path("report/e"), one, read_metrics()) == []


@pytest.mark.parametrize("format", list(FORMATS))
def test_a_study_of_values_has_a_row_of_words(format: str) -> None:
    made = of_both()
    noise = made.studies["noise"].model_copy(update={"tests": ()})
    setting = of_edition(
        Path("report/e"), {**made.studies, "noise": noise}, read_metrics()
    )[0]
    values = sorted(
        fact.value
        for fact in EDITION.of_studies(("noise",)).facts
        if (fact.metric, fact.kind) == ("latency", "value")
    )
    drawn = draw(EDITION, setting, FORMATS[format])
    assert check_texts(drawn, format) == []
    told = format_range(values[0], values[-1], "µs")
    assert told in " ".join(drawn.labels)
    assert {mark["colour"] for mark in drawn.layer("geom_point")} <= {
        *VERDICT_COLOURS.values()
    }


def test_an_edition_of_values_alone_has_no_such_figure() -> None:
    made = make_setting("value", METRICS, tests=()).study
    assert of_edition(Path("report/e"), {"a": made, "b": made}, read_metrics()) == []


def test_its_data_name_study_metric_and_key(tmp_path: Path) -> None:
    write_figures(prepare([of_both()], EDITION), tmp_path / "out", tmp_path / "cache")
    folder = tmp_path / "out/summary-changes"
    head = folder.joinpath("figure.csv").read_text("utf-8").splitlines()[0]
    assert {"study", "name", "metric", "end", "value", "verdict", "key"} <= set(
        head.split(",")
    )
    about = json.loads(folder.joinpath("figure.json").read_text("utf-8"))
    assert about["facts"]
    assert about["alt"].startswith("Range chart. ")


def test_labels_of_an_axis_stand_below_it_however_tall_the_figure_is() -> None:
    made = make_setting("delta", METRICS).study
    names = [f"study{n}" for n in range(20)]
    own = EDITION.of_studies(("offload",)).facts
    facts = Facts(tuple(replace(f, study=name) for name in names for f in own))
    studies = {name: made.model_copy(update={"title": name}) for name in names}
    setting = of_edition(Path("report/e"), studies, read_metrics())[0]

    drawn = draw(facts, setting, FORMATS["narrow"])

    assert drawn.size[1] > 300, "in mm"
    assert check_texts(drawn, "narrow") == []


def test_each_axis_has_zero_and_the_changes_of_its_side() -> None:
    drawn = draw(EDITION, of_both(), FORMATS["wide"])
    lowest = next(text.y for text in drawn.texts if text.label == "0")
    axes = sorted((text.x, text.label) for text in drawn.texts if text.y == lowest)
    assert [label for _, label in axes] == ["0", "+10%", "−20%", "0", "0", "+50%"], (
        "a lone label is no scale"
    )
