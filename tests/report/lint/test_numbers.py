from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.errors import Issue
from analysis.report.claims.checked import check_texts
from analysis.report.lint.names import blank_names
from analysis.report.lint.numbers import check_allowed, check_numbers
from analysis.report.material import Sources, read_material

WriteText = Callable[[str, str], Path]
OBSERVATIONS = "studies/speed/observations.md"


def issues(project: Sources, name: str = OBSERVATIONS) -> list[Issue]:
    checked = check_texts(read_material("small", project))
    return check_numbers(checked.texts[name], checked.material)


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
        "RR40(100B), CRR10(64B/8kB) and STR3(1B/20MB)",
        "A2 on z17 with IPv4, x86_64 and OSA-Express7S",
        "a message of 100 bytes, 8 kB, 20MB or 1,500 bytes; a 64-bit CPU; 25 GbE",
        "z/OS 3.2, Linux 6.8, version 1.0.8, v2, kernel 6.1.0-9, RFC 2544, Python 3.12",
        "on 2026-01-12, 5 March 2026, in March 2026, since 2015, at 14:30",
        "as shown [@smith, p. 12] in @fig-speed-rr",
        "`code 37%`",
        "### Results of 37 runs",
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
    front = "---\nallow:\n  - {text: 95%, reason: the level of all intervals}\n---\n"
    write_text(OBSERVATIONS, f"{front}At 95% confidence.\n")
    assert issues(project) == []
    write_text(OBSERVATIONS, f"{front}Nothing here.\n")
    checked = check_texts(read_material("small", project))
    (issue,) = check_allowed(checked.texts[OBSERVATIONS])
    assert "'95%' is not in the text" in issue.what


def test_front_matter_is_linted_where_it_prints_results(
    project: Sources, write_text: WriteText
) -> None:
    example = "A system is 25% busy.\n\n"
    write_text("front/preface.md", example + "As said [@smith].\n")
    assert issues(project, "front/preface.md") == []
    bound = '{{ delta("latency", "RR1(1kB)", study="speed") }}'
    write_text("front/preface.md", f"{example}{bound}, nearly 40% [@smith].\n")
    (issue,) = issues(project, "front/preface.md")
    assert "'40%'" in issue.what
