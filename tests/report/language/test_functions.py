from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.facts.fact import Estimate
from analysis.facts.sentences import number_word
from analysis.report.language.functions import FILTERS, FactFunctions, fact_functions
from analysis.report.language.printed import Selected
from analysis.report.language.scope import UnknownError, scope_of
from analysis.report.material import Material, Sources, read_material
from tests.report.conftest import fact
from tests.report.evaluated import evaluate_text
from tests.report.grouped import pair
from tests.report.language.small import change

TEXT = Path("observations.md")


@pytest.fixture
def material(project: Sources) -> Material:
    return read_material("small", project)


def render(material: Material, text: str, study: str | None = "speed") -> str:
    known = fact_functions(scope_of(material, study))
    return evaluate_text(text, known, TEXT)[0]


def mistake(material: Material, text: str, study: str | None = "speed") -> str:
    with pytest.raises(UserError) as caught:
        render(material, text, study)
    return str(caught.value)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('delta("latency", "RR1(1kB)")', "−37%"),
        ('delta("latency", "RR1(1kB)") | size', "37%"),
        ('delta("latency", "RR1(1kB)") | factor', "1.59"),  # 1 / 0.63
        ('delta("latency", "RR1(1kB)") | interval', "−39 to −35%"),
        ('value("latency", "RR1(1kB)", configuration="old")', "1,000 µs"),
        (
            'value("latency", "RR1(1kB)", configuration="new") | interval',
            "1,329 to 1,397 µs",
        ),
        ('delta("cpu_cost", "RR1(1kB)", role="client")', "−37%"),
        ('lowest("latency", "RR*")', "−37%"),
        ('highest("latency", "RR*")', "−12%"),
        ('verdict("latency", "RR1(1kB)")', "improved"),
    ],
)
def test_an_expression_prints_one_bound_number(
    material: Material, expression: str, expected: str
) -> None:
    printed = render(material, f"{{{{ {expression} }}}}")
    assert printed.startswith(f"[{expected}]{{.value key=")
    assert printed.endswith('origin="measured"}')


def test_a_bound_number_names_its_fact(material: Material) -> None:
    printed = render(
        material, '{{ delta("cpu_cost", "STR3(1B/20MB)", role="server") }}'
    )
    assert 'key="speed.str3-1b-20mb.server.cpu_cost.new.delta"' in printed


def test_a_span_runs_from_the_smaller_size_to_the_larger(material: Material) -> None:
    printed = render(material, '{{ delta("latency", "RR*") | span }}')
    small, _, large = printed.partition(" to ")
    assert small.startswith('[12]{.value key="speed.rr10-4kb.-.latency.new.delta"')
    assert large.startswith('[37%]{.value key="speed.rr1-1kb.-.latency.new.delta"')


def test_the_smallest_change_that_runs_show_is_printed_of_a_tested_change() -> None:
    fact = change("RR1(1kB)", -3, detectable=15.2)
    assert FILTERS["detectable"](Selected((fact,))).words == "15%"
    with pytest.raises(UnknownError, match="no smallest change"):
        FILTERS["detectable"](Selected((replace(fact, detectable=None),)))


def test_a_span_keeps_signs_that_differ(material: Material) -> None:
    low, high = (
        fact(kind="delta", value=v, printed=p, key=p)
        for v, p in ((-3.0, "−3.0%"), (4.0, "+4.0%"))
    )
    printed = str(FILTERS["span"](Selected((high, low))))
    assert "[−3.0]" in printed
    assert "[+4.0%]" in printed


def test_moves_says_what_the_verdict_allows(material: Material) -> None:
    falls = render(material, '{{ moves("latency", "RR1(1kB)") }}')
    rises = render(material, '{{ moves("throughput", "STR3(1B/20MB)") }}')
    assert falls.startswith("falls by [37%]{.value")
    assert rises.startswith("rises by [59%]{.value")


def test_moves_gives_no_number_where_nothing_moved(material: Material) -> None:
    scope = scope_of(material, "speed")
    still = [
        replace(f, verdict="comparable" if f.kind == "delta" else None)
        for f in scope.facts.facts
    ]
    scope = replace(scope, facts=replace(scope.facts, facts=tuple(still)))
    moves = str(FactFunctions(scope).moves("latency", "RR1(1kB)"))
    assert moves.startswith("is [comparable]{")


@pytest.mark.parametrize(
    ("high", "words"),
    [
        (-1.0, "is predicted to fall by [37%]{.value"),
        (2.0, "is predicted to change by [−39 to +2.0%]{.value"),
    ],
)
def test_an_estimate_moves_as_far_as_its_range_is_sure(
    material: Material, high: float, words: str
) -> None:
    scope = scope_of(material, "speed")
    estimate = Estimate("generation", "generation transfer", "1", "so", "published")
    facts = tuple(
        replace(f, estimate=estimate, verdict=None, low=-39.0, high=high)
        for f in scope.facts.facts
    )
    scope = replace(scope, facts=replace(scope.facts, facts=facts))
    moves = str(FactFunctions(scope).moves("latency", "RR1(1kB)"))
    assert moves.startswith(words)


def test_an_average_of_changes_is_the_geometric_mean_of_ratios(
    material: Material,
) -> None:
    printed = str(
        FactFunctions(scope_of(material, "speed")).average("latency", "RR*").bound
    )
    assert printed.startswith("[−26%]{.average keys=")  # √(0.628 × 0.876) = 0.7417


def test_counts_come_from_the_facts(material: Material) -> None:
    text = (
        '{{ verdicts("improved") }} {{ verdicts("regressed") }} {{ comparisons() }} '
        '{{ count_runs("used") }} {{ count_runs("excluded") | words }} '
        "{{ count_runs() }}"
    )
    assert render(material, text) == "7 2 9 58 two 60"


def test_a_metric_without_a_better_direction_is_no_comparison(
    material: Material,
) -> None:
    scope = scope_of(material, "speed")
    facts = tuple(replace(f, better="none") for f in scope.facts.facts)
    scope = replace(scope, facts=replace(scope.facts, facts=facts))
    assert FactFunctions(scope).comparisons() == 0


@pytest.mark.parametrize(("number", "word"), [(0, "none"), (2, "two"), (10, "10")])
def test_small_counts_are_words(number: int, word: str) -> None:
    assert number_word(number) == word


@pytest.mark.parametrize(
    ("expression", "complaint", "hint"),
    [
        ('delta("latencie", "RR1(1kB)")', "no metric 'latencie'", "latency"),
        ('delta("latency", "RR1(1KB)")', "'RR1(1KB)'", "mean RR1(1kB)"),
        ('delta("latency", "STR3(1B/20MB)")', "no delta of latency", "RR1(1kB)"),
        ('delta("cpu_cost", "RR1(1kB)")', "none is named", "client, server"),
        ('delta("cpu_cost", "RR1(1kB)", role="klient")', "'klient'", "client"),
        ('delta("latency", "RR1(1kB)", role="client")', "no roles", "leave out"),
        ('delta("latency", "RR1(1kB)", test="newer")', "no test 'newer'", "new"),
        ('value("latency", "RR1(1kB)")', "several configurations", "old, new"),
        ('delta("latency", "RR1(1kB)", study="sped")', "no study", "speed"),
        ('delta("latency", "RR*")', "2 facts fit", "| span"),
        ('"x" | span', 'prints "x", which is no fact', "delta(…)"),
        ("limit() | span", "not one", "delta(…)"),
        ("limit() | words", "'| words' does not fit", "leave it out"),
        ("limit() | size(2)", "'| size' takes no arguments", "leave out"),
        ('verdicts("better")', "no verdict 'better'", "improved"),
        ('count_runs("lost")', "no state of runs", "excluded"),
        ('count_runs("used", configuration="odd")', "no runs", "configuration"),
        ('average("latency", "RR*", configuration="old")', "unlike", "leave out"),
        ("delat('latency')", "no function 'delat'", "mean delta?"),
        ('delta("latency")', "missing a required argument", "workload=…"),
        ('delta("latency", "RR*", rôle="client")', "no argument 'rôle'", "role"),
        ('delta("latency", 3)', "delta takes no 3", "quotes"),
        ("comparisons(true)", "comparisons takes no true", "quotes"),
        ('lowest("latency", configuration="old", test="new")', "exclude", "one of"),
        ('delta("latency", "RR1(1kB)") | size | spam', "no filter 'spam'", "span"),
        ("delta(", "a bracket is never closed: {{ delta(", "add )"),
        ("delta(“latency”)", "“ has no meaning", "straight quotes"),
        ('delta("latency)', 'the quote " is never closed', 'add another "'),
        ('delta("latency" 3)', "a comma is missing", "commas"),
        ('delta("latency"))', ") closes what was never opened", "take ) away"),
        ('delta("latency") |', "ends before it is complete", "brackets"),
        ("{{ x }}", "another one begins in it", "end the first one with }}"),
        ("", "there is nothing in it", "are written {{"),
        ("5 €", "€ has no meaning", "are written {{"),
        ("''.__class__.__mro__", "an attribute (__class__) is not allowed", "function"),
        ("< meta title >", "Quarto's shortcodes do not run", "delta("),
    ],
)
def test_a_mistake_is_named_with_its_line(
    material: Material, expression: str, complaint: str, hint: str
) -> None:
    message = mistake(material, f"One.\n\nThree: {{{{ {expression} }}}}.\n")
    assert message.startswith("observations.md:3: ")
    assert complaint in message
    assert hint in message


def test_outside_a_study_an_expression_names_its_study(material: Material) -> None:
    text = '{{ delta("latency", "RR1(1kB)"%s) }}'
    assert "add study=… with one of: speed" in mistake(material, text % "", None)
    assert render(material, text % ', study="speed"', None).startswith("[−37%]")


def test_a_fact_without_an_interval_says_so(material: Material) -> None:
    scope = scope_of(material, "speed")
    facts = tuple(replace(f, low=None, high=None) for f in scope.facts.facts)
    bare = replace(scope, facts=replace(scope.facts, facts=facts))
    known = fact_functions(bare)
    text = '{{ delta("latency", "RR1(1kB)") | interval }}'
    with pytest.raises(UserError, match="has no interval"):
        evaluate_text(text, known, TEXT)


def test_anchors_are_not_comments(material: Material) -> None:
    assert render(material, "## Title {#sec-title}\n") == "## Title {#sec-title}\n"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('delta("latency", "RR1(1kB)") | reduction', "37%"),
        ('delta("throughput", "STR3(1B/20MB)") | increase', "59%"),
        ('average("latency", "RR*") | reduction', "26%"),
        ('average("latency", "RR*") | size', "26%"),
    ],
)
def test_a_reduction_and_an_increase_have_no_sign(
    material: Material, expression: str, expected: str
) -> None:
    assert render(material, f"{{{{ {expression} }}}}").startswith(f"[{expected}]")


def test_a_reduction_that_is_none_stops_the_build(material: Material) -> None:
    message = mistake(material, '{{ delta("latency", "RR1(1kB)") | increase }}')
    assert "−37% is no increase" in message
    assert "| reduction" in message
    assert "no reduction" in mistake(
        material, '{{ delta("throughput", "STR3(1B/20MB)") | reduction }}'
    )


def test_a_test_that_is_alone_with_such_facts_needs_no_name(project: Sources) -> None:
    pair(project)
    found = read_material("small", project)
    facts = tuple(
        f
        for f in found.facts.facts
        if f.configuration != "late" or f.workload != "RR1(1kB)"
    )
    found = replace(found, facts=replace(found.facts, facts=facts))
    assert render(found, '{{ delta("latency", "RR1(1kB)") }}').startswith("[−37%]")
    message = mistake(found, '{{ delta("latency", "RR10(4kB)") }}')
    assert "several tests" in message
    assert "one of: new (against old), late (against early)" in message
