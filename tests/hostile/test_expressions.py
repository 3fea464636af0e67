"""Expressions in reviewed text call what is declared, and nothing else."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.errors import UserError
from analysis.files import limits
from analysis.report.bound import Bound
from analysis.report.language.functions import (
    Functions,
    fact_functions,
    parameters,
)
from analysis.report.language.printed import Average, FactCount, Selected, Verb
from analysis.report.language.scope import scope_of
from analysis.report.language.syntax import Expression, parse_text
from analysis.report.material import Sources, read_material
from analysis.report.tables.blocks import blocks
from tests.hostile.expressions import HOSTILE, STATEMENTS
from tests.report.conftest import project as project
from tests.report.evaluated import evaluate_text

PATH = Path("text.md")
CALLS = {
    "value": 'value("latency", "RR1(1kB)", configuration="old")',
    "verdicts": 'verdicts("improved")',
    "gate": 'gate("lab", "little")',
    "hardware": 'hardware("lab", "CPC")',
    "software": 'software("lab", "z/OS")',
    "campaign_title": 'campaign_title("lab")',
    "family": "family()",
    "hardware_table": 'hardware_table("lab")',
    "software_table": 'software_table("lab")',
    "systems_table": 'systems_table("lab")',
    "statistic": 'statistic("median", "smallest")',
    "workload_name": 'workload_name("RR1(1kB)")',
    "published": 'published("P003")',
    "summary_table": 'summary_table("sums")',
    "published_issue": 'published_issue("I01")',
}
VALUES = (str, int, float, Bound, Selected, Average, FactCount, Verb)


TABLES = """\
tables:
  - id: sums
    caption: Sums
    columns: [{head: Latency, metrics: [latency]}]
    rows: [{words: All, studies: [speed]}]
"""


@pytest.fixture
def functions(project: Sources) -> Functions:
    with (project.report / "small/edition.yaml").open("a", encoding="utf-8") as edition:
        edition.write(TABLES)
    material = read_material("small", project)
    return fact_functions(scope_of(material, "speed")) | blocks(material)


def refusal(text: str, functions: Functions) -> str:
    """The message, which must name the third line."""
    with pytest.raises(UserError) as caught:
        evaluate_text(f"One.\n\n{text}\n", functions, PATH)
    for issue in caught.value.issues:
        assert issue.where, text
        assert issue.where.line is not None, text
        assert issue.where.line >= 3, text
        assert len(issue.what) < 500, text
    return str(caught.value)


def test_there_are_enough_hostile_expressions() -> None:
    assert len(set(HOSTILE)) > 250


def test_hostile_expressions_are_refused_and_run_nothing(
    functions: Functions,
) -> None:
    for expression in HOSTILE:
        refusal(f"{{{{ {expression} }}}}", functions)
    assert not Path("marker").exists()


@pytest.mark.parametrize("text", STATEMENTS)
def test_statements_are_refused(functions: Functions, text: str) -> None:
    assert refusal(text, functions)


def test_of_what_a_function_gives_nothing_can_be_reached(
    functions: Functions,
) -> None:
    for name, function in functions.items():
        of_fact = parameters(function)[:2] == ["metric", "workload"]
        usual = f'{name}("latency", "RR1(1kB)")' if of_fact else f"{name}()"
        call = CALLS.get(name, usual)
        assert evaluate_text(f"{{{{ {call} }}}}", functions, PATH)[0]
        found = found_by(call, function)
        assert type(found) in VALUES, name
        for attribute in dir(found):
            for end in ("", "()", "('x')", " | words"):
                text = f"{{{{ {call}.{attribute}{end} }}}}"
                assert "attribute" in refusal(text, functions)
        for key in ("0", "'key'", "0:2"):
            assert "subscript" in refusal(f"{{{{ {call}[{key}] }}}}", functions)


def found_by(call: str, function: Callable[..., Any]) -> object:
    (expression,) = parse_text(f"{{{{ {call} }}}}", PATH)
    assert isinstance(expression, Expression)
    return function(*expression.call.arguments, **expression.call.named)


def test_every_function_declares_what_it_takes(
    functions: Functions,
) -> None:
    for function in functions.values():
        for parameter in inspect.signature(function).parameters.values():
            assert parameter.kind is not parameter.VAR_POSITIONAL
            assert parameter.annotation is not parameter.empty


def test_a_refused_expression_calls_nothing() -> None:
    def fail() -> str:
        raise AssertionError

    known = {"limit": fail}
    for expression in ("limit().x", "limit()[0]", "limit() * 9", "limit() if 1"):
        assert refusal(f"{{{{ {expression} }}}}", known)


def test_all_mistakes_of_a_text_are_told_at_once(functions: Functions) -> None:
    with pytest.raises(UserError) as caught:
        evaluate_text("{{ a }}\n{{ limit().b }}\n", functions, PATH)
    assert [str(issue.where) for issue in caught.value.issues] == [
        "text.md:1",
        "text.md:2",
    ]


def test_a_mistake_in_a_long_expression_has_the_line_of_the_expression(
    functions: Functions,
) -> None:
    assert refusal('{{\n  delta("latency",\n  1 +) }}', functions).startswith("text.md")


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("{{ limit() }}\n" * 2_001, "TEXT_EXPRESSIONS"),
        ("{{ limit(" + " " * 1_000 + ") }}", "EXPRESSION_CHARACTERS"),
        ("{{ limit('" + "x" * 201 + "') }}", "LITERAL_CHARACTERS"),
    ],
)
def test_limits_are_named(functions: Functions, text: str, limit: str) -> None:
    message = refusal(text, functions)
    assert limit in message
    assert f"{getattr(limits, limit):,}" in message


def test_what_one_expression_prints_is_limited() -> None:
    def much() -> str:
        return "x" * (limits.PRINTED_CHARACTERS + 1)

    assert "PRINTED_CHARACTERS" in refusal("{{ much() }}", {"much": much})
