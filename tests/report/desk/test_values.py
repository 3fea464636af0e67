"""Values are found by plain words, the study's own first, as they would be printed."""

from __future__ import annotations

import json

import pytest

from analysis.report.desk.values import find_values
from analysis.report.language.functions import (
    evaluate,
    fact_functions,
)
from analysis.report.language.scope import scope_of
from analysis.report.language.syntax import Prose, parse_text
from analysis.report.material import Material, Sources, read_material
from tests.report.desk.conftest import Office


@pytest.fixture
def material(project: Sources) -> Material:
    return read_material("small", project)


@pytest.mark.parametrize(
    ("words", "shows"),
    [
        ("latency rr1(1kb) change", "−37%"),
        ("throughput str3 new against old", "+59%"),
        ("latency interval rr1(1kb) change", "−39 to −35%"),
        ("runs used", "58"),
        ("how much faster is RR1(1kB)?", "−37%"),
        ("latencies of rr1(1kb), change", "−37%"),
        ("throughput of streams", "+59%"),
    ],
)
def test_plain_words_find_a_value(material: Material, words: str, shows: str) -> None:
    assert find_values(material, "speed", words)[0].shows == shows


@pytest.mark.parametrize(
    ("words", "begins"),
    [
        ("mips of RR1(1kB)", "CPU cost per transaction, client, RR1(1kB)"),  # alike
        ("bytes", "Throughput, STR3"),  # by what a metric means
        ("SNT", "Latency, RR1(1kB)"),  # by the glossary
    ],
)
def test_other_words_find_it_as_well(
    material: Material, words: str, begins: str
) -> None:
    terms = 'SNT: {name: "Latency", means: "How long an answer takes."}\n'
    (material.folder / "glossary.yaml").write_text(terms)
    assert find_values(material, "speed", words)[0].about.startswith(begins)


def test_runs_of_all_studies_are_found_in_front_matter(material: Material) -> None:
    [found] = find_values(material, None, "number of runs excluded")
    assert (found.shows, found.expression) == ("2", 'count_runs("excluded")')


def test_what_nothing_tells_of_is_not_found(material: Material) -> None:
    assert find_values(material, "speed", "humidity") == []


@pytest.mark.parametrize("study", ["speed", None])
def test_each_found_expression_prints_what_is_shown(
    material: Material, study: str | None
) -> None:
    words = fact_functions(scope_of(material, study))
    found = find_values(material, study, "latency")
    assert len(found) == 12
    for value in found:
        pieces = parse_text(f"{{{{ {value.expression} }}}}", material.folder)
        own = [piece for piece in pieces if not isinstance(piece, Prose)]
        [printed] = evaluate(own, words, material.folder)
        assert printed.words == value.shows


def test_the_desk_answers_a_search(office: Office) -> None:
    status, text = office.client.get(
        "e/small/values?about=speed&words=latency+RR1(1kB)"
    )
    first = json.loads(text)["values"][0]
    assert status == 200 and first["expression"] == 'delta("latency", "RR1(1kB)")'
