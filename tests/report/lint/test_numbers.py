from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.errors import Issue
from analysis.report.claims.checked import check_texts
from analysis.report.lint.exceptions import check_allowed
from analysis.report.lint.finding import Finding
from analysis.report.lint.known import known_in
from analysis.report.lint.mends import Mender
from analysis.report.lint.names import blank_names
from analysis.report.lint.numbers import check_numbers
from analysis.report.lint.page_texts import texts_of
from analysis.report.material import Sources, read_material

WriteText = Callable[[str, str], Path]
OBSERVATIONS = "studies/speed/observations.md"


def issues(project: Sources, name: str = OBSERVATIONS) -> list[Issue]:
    checked = check_texts(read_material("small", project))
    said = texts_of(checked.texts[name])
    known, mender = known_in(checked.material), Mender(checked.material)
    return [found.issue for found in check_numbers(said, known, mender)]


def exceptions(project: Sources) -> list[Finding]:
    checked = check_texts(read_material("small", project))
    return list(check_allowed(checked.texts[OBSERVATIONS], ["smith"]))


@pytest.mark.parametrize(
    ("typed", "expression"),
    [
        ("falls by 37%", '{{ delta("latency", "RR1(1kB)") | size }} (37%)'),
        ("by 37 percent", '{{ delta("latency", "RR1(1kB)") | size }} (37%)'),
        ("changes by −37%", '{{ delta("latency", "RR1(1kB)") }} (−37%)'),
        ("it is 1,370 µs", '{{ value("latency", "RR1(1kB)", configuration="new") }}'),
        ("of 9 comparisons", "{{ comparisons() }}"),
        ("58 runs were used", '{{ count_runs("used") }}'),
        ("falls by 36%", "no fact prints it; the nearest is 37"),
        ("ten percent", "print it with delta(…)"),
        ("three times", "print it with delta(…)"),
        ("a twofold gain", "print it with delta(…)"),
    ],
)
def test_a_typed_number_is_an_error_that_names_its_expression(
    project: Sources, write_text: WriteText, typed: str, expression: str
) -> None:
    path = write_text(OBSERVATIONS, f"One.\n\nLatency {typed}.\n")
    (issue,) = issues(project)
    assert str(issue.where) == f"{path}:3"
    assert "typed by hand" in issue.what
    assert expression in issue.mend


@pytest.mark.parametrize(
    "text",
    [
        "RR1(1kB), RR10(4kB), RR* and STR3(1B/20MB)",
        "A2 on z17 with IPv4, x86_64 and OSA-Express7S",
        "a message of 100 bytes, 8 kB, 20MB or 1,500 bytes; a 64-bit CPU; 25 GbE",
        "z/OS 3.2, Linux 6.8, version 1.0.8, v2, kernel 6.1.0-9, RFC 2544, Python 3.12",
        "on 2026-01-12, 5 March 2026, in March 2026, since 2015, at 14:30",
        "as shown [@smith, p. 12] in @fig-speed-rr",
        "`sysctl -w net.core.rmem_max=212992` and `C030`",
        "[a page](https://example.org/37/38) and <https://example.org/9>",
        "1. first\n2. second",
        "[^37] and the 2nd of them",
        '{{ delta("latency", "RR1(1kB)") }}',
    ],
)
def test_names_sizes_versions_dates_citations_and_code_are_no_numbers(
    project: Sources, write_text: WriteText, text: str
) -> None:
    notes = "\n\n[^37]: A note.\n" if "[^37]" in text else "\n"
    write_text(OBSERVATIONS, text + notes)
    assert issues(project) == []


@pytest.mark.parametrize("text", ["3 GB/s", "37 MB per second", "2015%", "port 80%"])
def test_a_rate_is_no_size_and_a_share_no_year(text: str) -> None:
    assert any(character.isdigit() for character in blank_names(text))


def test_an_exception_needs_a_reason_and_a_use(
    project: Sources, write_text: WriteText
) -> None:
    front = "---\nallow:\n  - {text: act 12, reason: the name of a play}\n---\n"
    write_text(OBSERVATIONS, f"{front}As in act 12.\n")
    assert (issues(project), exceptions(project)) == ([], [])
    write_text(OBSERVATIONS, f"{front}Nothing here.\n")
    (found,) = exceptions(project)
    assert found.severity == "warning"
    assert "'act 12' is not in the text" in found.issue.what


@pytest.mark.parametrize(
    ("allowed", "what"),
    [
        ("{text: 73%, reason: a name of ours}", "looks like a result"),
        ("{text: three times, reason: a name of ours}", "looks like a result"),
        ("{text: 12 MB/s, reason: a name of ours}", "looks like a result"),
        ("{text: halves, reason: a name of ours}", "covers words and no number"),
        ("{text: It falls., reason: a name of ours}", "covers a sentence"),
        ("{text: act 12, reason: name}", "no reason that a reader could judge"),
        ("{text: 73%, reason: a name of ours, see: none}", "which is no reference"),
    ],
)
def test_an_exception_covers_no_result(
    project: Sources, write_text: WriteText, allowed: str, what: str
) -> None:
    text = "73% or three times 12 MB/s halves. It falls. As in act 12."
    write_text(OBSERVATIONS, f"---\nallow: [{allowed}]\n---\n{text}\n")
    (found, *_) = exceptions(project)
    assert found.severity in ("held", "error")
    assert what in found.issue.what


def test_a_result_of_others_names_its_reference(
    project: Sources, write_text: WriteText
) -> None:
    allowed = "{text: 73%, reason: as Smith has it, see: smith}"
    write_text(OBSERVATIONS, f"---\nallow: [{allowed}]\n---\nThere, 73% [@smith].\n")
    assert (issues(project), exceptions(project)) == ([], [])


def test_front_matter_may_reckon_with_numbers_of_its_own(
    project: Sources, write_text: WriteText
) -> None:
    example = "> A system of 4 CPs is 25% busy: 25% × 4 = 100% of one CP.\n\n"
    suppose = "Suppose that one takes 100 µs. Then the other takes 90 µs.\n\n"
    write_text("front/preface.md", example + suppose + "As said [@smith].\n")
    assert issues(project, "front/preface.md") == []
    write_text("front/preface.md", f"{example}It takes 90 µs, 40% of that [@smith].\n")
    assert [i.what.split("'")[1] for i in issues(project, "front/preface.md")] == [
        "90",
        "40%",
    ]
