from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis import cli
from analysis.files.csv_text import read_csv
from analysis.report.language.functions import (
    fact_functions,
)
from analysis.report.language.listing import (
    counts,
    expression_of,
    forms,
    list_facts,
)
from analysis.report.language.scope import scope_of
from analysis.report.language.verb import COLUMNS
from analysis.report.material import Sources, read_material
from tests.report.evaluated import evaluate_text


def test_every_expression_prints_its_fact(project: Sources) -> None:
    material = read_material("small", project)
    known = fact_functions(scope_of(material, "speed"))

    def printed(expression: str) -> str:
        text = f"{{{{ {expression} }}}}"
        return evaluate_text(text, known, Path("text.md"))[1][0].words

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


def test_the_list_is_text_csv_or_json(
    project: Sources, capsys: pytest.CaptureFixture[str]
) -> None:
    project.figures.rename(project.figures.with_name("small"))
    options = ["--facts", str(project.facts), "--report", str(project.report)]
    options += ["--figures", str(project.figures.parent)]
    assert cli.main(["facts", "speed", *options]) == 0
    text = capsys.readouterr().out
    [line] = [s for s in text.splitlines() if 'delta("latency", "RR1(1kB)") }}' in s]
    printed, ends, _, verdict, _ = line.split(maxsplit=4)
    assert [printed, ends, verdict] == ["−37%", "−39", "−35%"]
    assert "improved" in line
    assert cli.main(["facts", "speed", "--format", "json", *options]) == 0
    rows = json.loads(capsys.readouterr().out)
    [row] = [r for r in rows if r["key"] == "speed.rr1-1kb.-.latency.new.delta"]
    assert row["printed"] == "−37%"
    assert row["expression"] == 'delta("latency", "RR1(1kB)")'
    assert row["verdict"] == "improved"
    assert row["low"] < row["value"] < row["high"] < 0
    assert cli.main(["facts", "speed", "--format", "csv", *options]) == 0
    told = [dict(row) for row in read_csv(capsys.readouterr().out)]
    assert told == [
        {name: "" if row[name] is None else str(row[name]) for name in COLUMNS}
        for row in rows
    ]
    assert cli.main(["facts", "sped", *options]) == 2
    assert "did you mean speed" in capsys.readouterr().err
