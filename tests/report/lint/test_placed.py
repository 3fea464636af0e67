"""Words beside an expression leave what it prints what it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.facts.fact import Facts
from analysis.report.claims.checked import check_texts
from analysis.report.lint.finding import Finding
from analysis.report.lint.origins import check_origins
from analysis.report.lint.placed import check_placed
from analysis.report.material import Sources, read_material
from tests.report.lint.page_texts import page_texts

WriteText = Callable[[str, str], Path]
OBSERVATIONS = "studies/speed/observations.md"
DELTA = '{{ delta("latency", "RR1(1kB)") | size }}'
VALUE = '{{ value("latency", "RR1(1kB)", configuration="new") }}'
GATE = '{{ gate("lab", "little") | percent }}'


def findings(project: Sources) -> list[Finding]:
    checked = check_texts(read_material("small", project))
    return list(check_placed(page_texts(checked), checked.material))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (f"It falls by 1{DELTA}.", "'1' before what delta(…) prints"),
        (f"It falls by \u2212{DELTA}.", "before what delta(…) prints"),
        (f"It falls by 0.{DELTA}.", "before what delta(…) prints"),
        (f"It falls by {DELTA}0.", "'0' after what delta(…) prints"),
        (f"It takes {VALUE} per byte.", "'per byte' gives"),
        (f"It takes {VALUE} thousand.", "'thousand' after"),
        (f"It falls by a factor of {DELTA}.", "is no factor"),
        ("It falls by {{ comparisons() }}{{ comparisons() }}.", "side by side"),
        ("It falls by {{ comparisons() }}%.", "'%' after what comparisons(…) prints"),
        ("It falls by {{ verdicts('improved') }} \u00b5s.", "'\u00b5s' after"),
        ("It falls by {{ comparisons() | words }}.", "is a count and no result"),
        ("It is {{ comparisons() | words }} times slower.", "'times' after"),
        ("It is {{ limit() }} faster.", "limit(…) prints is no result"),
        (f"It falls by {GATE}.", "does not say that this is a tolerance"),
        ("It is {{ workload_name('RR9(1kB)') }}.", "a workload that no study has"),
    ],
)
def test_what_makes_another_number_of_it_is_an_error(
    project: Sources, write_text: WriteText, text: str, what: str
) -> None:
    path = write_text(OBSERVATIONS, f"Words.\n\n{text}\n")
    found = findings(project)[0]
    assert (found.severity, str(found.issue.where)) == ("error", f"{path}:3")
    assert what in found.issue.what


@pytest.mark.parametrize(
    "text",
    [
        f"It falls by {DELTA}, to {VALUE} (of {VALUE}).",
        f"In RR1(1kB), {DELTA} and then {VALUE}.",
        f"From {VALUE} \u2013 {DELTA} less.",
        "Of {{ comparisons() }} comparisons {{ verdicts('improved') }} improved.",
        "A change below the limit of {{ limit() }} does not count.",
        f"Little's law is checked to within {GATE}.",
        "It is {{ workload_name('RR1(1kB)') }}.",
        "| a | b |\n|---|---|\n| {{ comparisons() }} | {{ comparisons() }} |",
    ],
)
def test_values_in_their_places_are_fine(
    project: Sources, write_text: WriteText, text: str
) -> None:
    write_text(OBSERVATIONS, f"{text}\n")
    assert findings(project) == []


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("All numbers were measured on a z17.", 1),
        ("Links on z17, as measured by us.", 1),
        ("We thank those who measured these numbers.", 1),
        ("No system was measured.", 0),
        ("The published report measured these numbers.", 0),
        ("A clock measures time.", 0),
    ],
)
def test_nobody_measured_what_is_synthetic(
    project: Sources, write_text: WriteText, text: str, held: int
) -> None:
    write_text("front/preface.md", f"{text} [@smith]\n")
    checked = check_texts(read_material("small", project))
    facts = checked.material.facts
    assert list(check_origins(page_texts(checked), checked.material)) == []
    made = tuple(replace(fact, origin="synthetic") for fact in facts.facts)
    material = replace(checked.material, facts=Facts(made, facts.runs, facts.gaps))
    found = list(check_origins(page_texts(checked), material))
    assert [f.severity for f in found] == ["held"] * held
