from __future__ import annotations

import pytest

from analysis.report.material import Sources
from tests.report.lint.words.wording import (
    OBSERVATIONS,
    WriteText,
    checked_of,
    told,
    written,
)

BOUND = '{{ delta("latency", "RR1(1kB)") }}'


def modelled(project: Sources, origin: str = "modelled") -> None:
    text = project.facts.read_text(encoding="utf-8")
    project.facts.write_text(
        text.replace('"measured"', f'"{origin}"'), encoding="utf-8"
    )


@pytest.mark.parametrize(
    "sentence",
    [
        f"It changes by {BOUND}.",
        f"As the manual predicted, it changes by {BOUND}.",
        f"We measured {BOUND}, as was predicted to happen.",
    ],
)
def test_predicted_values_must_be_called_so(
    project: Sources, write_text: WriteText, sentence: str
) -> None:
    modelled(project)
    written(write_text, sentence)
    assert any(sure and "a predicted value" in what for sure, what in told(project))


@pytest.mark.parametrize(
    "sentence",
    [
        f"The model predicts {BOUND}.",
        f"The modelled change is {BOUND}.",
        f"It is predicted to change by {BOUND}.",
    ],
)
def test_predicted_values_that_are_called_so_pass(
    project: Sources, write_text: WriteText, sentence: str
) -> None:
    modelled(project)
    written(write_text, sentence)
    assert told(project) == []


def test_moves_says_itself_that_it_predicts(
    project: Sources, write_text: WriteText
) -> None:
    modelled(project)
    written(write_text, 'Latency {{ moves("latency", "RR1(1kB)") }}.')
    text = checked_of(project).texts[OBSERVATIONS].markdown()
    assert "is predicted to fall by [37%]" in text
    assert told(project) == []


def test_a_prediction_is_never_significant(
    project: Sources, write_text: WriteText
) -> None:
    modelled(project)
    claim = "latency is predicted to fall for RR1(1kB)"
    written(write_text, "Latency of RR1(1kB) is predicted to fall.", claim)
    assert told(project) == []
    written(
        write_text, "The fall of latency of RR1(1kB) is predicted and proven.", claim
    )
    assert told(project) != []


def test_synthetic_runs_are_told_of_in_ordinary_words(
    project: Sources, write_text: WriteText
) -> None:
    modelled(project, "synthetic")
    written(write_text, f"It changes by {BOUND}.")
    assert told(project) == []
    written(write_text, 'Latency {{ moves("latency", "RR1(1kB)") }}.')
    assert told(project) == []
