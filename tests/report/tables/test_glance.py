"""Predicted values with range, model and error, and figures that are tables."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from analysis.declared.study import Estimates
from analysis.report.material import Sources, read_material
from analysis.report.study_facts import StudyFacts
from analysis.report.tables.cells import backtest_text, estimate_note
from analysis.report.tables.glance import predicted_values
from tests.report.document.test_assemble import text_of
from tests.report.tables.test_tables import ESTIMATE, tables


def predicted(made: StudyFacts, configuration: str) -> StudyFacts:
    facts = tuple(
        replace(f, estimate=ESTIMATE, verdict=None, n=0)
        if f.metric == "latency" and f.configuration == configuration
        else f
        for f in made.facts.facts
    )
    return replace(made, facts=replace(made.facts, facts=facts))


def test_each_predicted_value_that_a_figure_draws_has_a_row(project: Sources) -> None:
    made = predicted(tables(project), "new")
    text = str(predicted_values(made))
    rows = [line for line in text.splitlines() if " RR" in line and "◊" in line]
    values = [f for f in made.values() if f.estimate]
    assert rows and len(rows) == len(values)
    assert all("| Latency | RR" in row for row in rows)
    told = (
        f"{ESTIMATE.model}, from the z17; mean error on published numbers 6.2% (n = 9)"
    )
    assert f"^a^ {told[0].upper()}{told[1:]}." in text


def test_a_note_names_configurations_as_readers_know_them(project: Sources) -> None:
    material = read_material("small", project)
    told = replace(ESTIMATE, reason="from runs of old and new, by capacity")
    every = (replace(fact, estimate=told) for fact in material.facts.facts)
    facts = replace(material.facts, facts=tuple(every))
    read = replace(material, facts=facts).of_study("speed").facts.facts[0]
    assert estimate_note(read.estimate).startswith(
        "Predicted, from runs of The old one and The new one, by capacity; model"
    )


def test_of_loads_that_no_figure_has_each_asked_value_has_a_row(
    project: Sources,
) -> None:
    made = predicted(tables(project), "new")
    drawn = made.study.figures[0].model_copy(update={"workloads": "RR1(1kB)"})
    asked = Estimates(workloads=("RR10(4kB)",))
    without = made.study.model_copy(update={"figures": (drawn,)})
    asking = without.model_copy(update={"estimate": asked})
    assert "RR10(4kB)" not in str(predicted_values(replace(made, study=without)))
    assert "RR10(4kB)" in str(predicted_values(replace(made, study=asking)))


def test_what_was_measured_has_no_such_table(project: Sources) -> None:
    assert not predicted_values(tables(project))


def test_an_error_that_is_nearly_none_is_not_printed_as_a_power() -> None:
    near = backtest_text(replace(ESTIMATE, backtest_error=1e-6))
    assert near.endswith("under 0.1% (n = 9)")


TEXTS = ("1,370", "1,371")
KEYS = [f"speed.{slug}.-.latency.new" for slug in ("rr1-1kb", "rr10-4kb")]


@pytest.fixture
def text(project: Sources) -> str:
    """The document, with the first figure of its study as a table."""
    about = project.figures / "speed-rr/figure.json"
    told = json.loads(about.read_text(encoding="utf-8"))
    values = [{"text": text, "key": key} for text, key in zip(TEXTS, KEYS, strict=True)]
    sums = [{"text": "2,741", "key": ""}, {"text": "–", "key": ""}]
    told["table"] = {
        "corner": "Configuration", "heads": ["RR1(1kB)", "RR10(4kB)"], "unit": "µs",
        "rows": [("The new one", values), ("Sum", sums)],
    }  # fmt: skip
    told |= {"title": "It is slow", "subtitle": "In µs."}
    about.write_text(json.dumps(told), encoding="utf-8")
    observations = project.report / "small/studies/speed/observations.md"
    observations.write_text(
        observations.read_text("utf-8").replace("@fig-speed-rr", "@tbl-speed-rr"),
        encoding="utf-8",
    )
    return text_of(project)


def test_it_is_a_numbered_table_with_the_words_of_its_figure(text: str) -> None:
    (caption,) = [line for line in text.splitlines() if "{#tbl-speed-rr}" in line]
    assert caption.startswith(": Latency: change of new")
    assert "In µs." in caption
    assert "(@tbl-speed-rr)." in text
    assert "figures/speed-rr/figure.svg" not in text
    assert "[Data (CSV)](data/speed-rr.csv)" in text


def test_its_numbers_are_bound_and_its_sums_are_bold(text: str) -> None:
    lines = text.splitlines()
    row = next(line for line in lines if line.startswith("| The new one | ["))
    sums = next(line for line in lines if line.startswith("| Sum"))
    assert f'[1,370]{{.value key="{KEYS[0]}"' in row
    assert sums == "| Sum | **2,741** | – |"
