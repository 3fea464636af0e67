from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis import cli
from analysis.report.expressions.bound import plain
from analysis.report.expressions.evaluate import Vocabulary
from analysis.report.expressions.expression import (
    counts,
    expression_of,
    forms,
    list_facts,
)
from analysis.report.expressions.filters import filters
from analysis.report.expressions.values import Values, functions
from analysis.report.material import Sources, read_material
from tests.report.evaluated import evaluate_text


def test_every_expression_prints_its_fact(project: Sources) -> None:
    material = read_material("small", project)
    known = Vocabulary(functions(Values(material.scope("speed"))), filters())

    def printed(expression: str) -> str:
        text = f"{{{{ {expression} }}}}"
        return plain(evaluate_text(text, known, Path("text.md"))[0])

    listed = list_facts(material, "speed")
    assert len(listed) == len(material.facts.facts)
    for one in listed:
        for text, filter_ in forms(one.fact):
            assert printed(one.expression + filter_) == text
    for call, text in counts(material, "speed"):
        assert printed(call) == text


def test_outside_its_study_an_expression_names_it(project: Sources) -> None:
    material = read_material("small", project)
    fact = material.facts.facts[0]
    text = expression_of(fact, material.studies, inside=False)
    assert text.endswith(', study="speed")')


def test_the_list_is_text_or_json(
    project: Sources, capsys: pytest.CaptureFixture[str]
) -> None:
    project.figures.rename(project.figures.with_name("small"))
    options = ["--facts", str(project.facts), "--report", str(project.report)]
    options += ["--figures", str(project.figures.parent)]
    assert cli.main(["facts", "speed", *options]) == 0
    text = capsys.readouterr().out
    assert '−37%  {{ delta("latency", "RR1(1kB)") }}\n' in text
    assert cli.main(["facts", "speed", "--format", "json", *options]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {
        "printed": "−37%",
        "expression": 'delta("latency", "RR1(1kB)")',
        "key": "speed.rr1-1kb.-.latency.new.delta",
    } in rows
    assert cli.main(["facts", "sped", *options]) == 2
    assert "did you mean speed" in capsys.readouterr().err
