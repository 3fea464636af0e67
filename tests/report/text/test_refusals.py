from __future__ import annotations

from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.report.text.refusals import check_output, check_references
from analysis.report.text.reviewed import read_reviewed
from tests.report.text.read import PATH, check, differs, tree


def test_a_bar_in_code_in_a_table_is_told_with_another_way_to_write_it() -> None:
    head = "| a | b |\n|---|---|\n"
    [issue] = check(f"{head}| `x\\|y` | 1 |\n")
    assert issue.what == "a | in code in a table in reviewed text: 'x|y'"
    assert issue.mend.startswith("write \\| among words")
    assert not check(f"{head}| x\\|y | 1 |\n")
    assert not differs(f"{head}| x\\|y | 1 |\n")


def test_a_backslash_is_told_as_it_was_written() -> None:
    [issue] = check("so \\alpha grows")
    assert issue.what == "LaTeX or an equation in reviewed text: '\\alpha'"


def test_an_expression_in_an_address_is_told_once_and_without_marks() -> None:
    [issue] = check('[word]({{ value("latency") }})\n')
    assert issue.what.endswith("in reviewed text: '{{ … }}'")
    [issue] = check('[word]({{ value("latency") }}.html)\n')
    assert issue.what == (
        "an expression in an address or a label in reviewed text: '{{ … }}.html'"
    )


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a <b>bold</b> claim", "raw HTML"),
        ("<!-- hidden -->", "raw HTML"),
        ("<script>alert(1)", "raw HTML"),
        ("```{=html}\n<hr>\n```", "raw or executable"),
        ("`#pagebreak()`{=typst}", "raw or executable"),
        ("```{python}\n1 + 1\n```", "raw or executable"),
        ("\\newpage", "LaTeX"),
        ("so $x^2$ grows", "LaTeX"),
        ("[x](javascript:alert)", "script"),
        ("[x]{onclick='go'}", "script"),
        ("# Title", "first level"),
        (f"## {'Words ' * 17}", "a heading that is too long"),
        (f"## {'W' * 41}", "a heading with a word that no line holds"),
        (": Caption. {#tbl-own}", "without a table"),
        ("[x]{#tbl-own}", "without a table"),
        ("::: {.html-only}\nx\n:::", "within a paragraph"),
        ("::: html-only\nx\n:::", "within a paragraph"),
        ("::: {.callout-note .facts}\nx\n:::", "within a paragraph"),
        ("[x]{ .value}", "an attribute"),
        ('[x]{style="{a}"}', "an attribute"),
        ("- ::: html-only\n  x\n  :::", "class or an anchor"),
        ("[x]{.callout-notes}", "class or an anchor"),
        ("`x`{.chip}", "raw or executable"),
        ("::: {#refs}\n:::", "within a paragraph"),
        ("## Title {#fact-a}", "class or an anchor"),
        ("## Title {.unnumbered #trace-a}", "class or an anchor"),
        ("> ---\n> title: x\n> ---", "begin metadata"),
        ("1. ---\n   title: x\n   ...", "begin metadata"),
        ("> ## x", "in a list or a quote"),
        ("- # x", "in a list or a quote"),
        ("[x]{#sec-a#fact-b}", "class or an anchor"),
        ("+---+---+\n| { | } |\n| onclick=x | y |\n+---+---+", "with lines"),
        ("a \u202etxet", "direction of writing"),
        ("a \U000f0001", "without a meaning"),
    ],
)
def test_what_is_not_markdown_is_refused_with_its_line(text: str, what: str) -> None:
    issues = check(f"Fine.\n{text}\n")
    assert issues
    assert str(issues[0]).startswith("text.md:2: ")
    assert what in issues[0].what
    assert issues[0].mend


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a[^1]\n\n[^1]: ---\n    title: x\n    ...", "begin metadata"),
        ("> a\n> ---", "begin metadata"),
        ("a   b\n--- ---\n{   }\n", "with lines"),
        ("x\n\n::: {.html-only}\nx\n:::", "class or an anchor"),
        ("x\n\n::: html-only\nx\n:::", "class or an anchor"),
        ("x\n\n:::: {.callout-note .facts}\nx\n::::", "class or an anchor"),
        ("x\n\n::: {#refs}\n:::", "class or an anchor"),
        ("[x]: javascript:go", "a script"),
        ("[x]: data:text/html,x", "neither a web page"),
        ("[x](https://a.b/{{f()}})", "an expression in an address"),
        ("[x](https://a.b '{{ f() }}')", "an expression in an address"),
        ("x[^{{f()}}]\n\n[^{{f()}}]: y", "an expression in an address or a label"),
        ("## T {#sec-{{f()}}}", "class or an anchor"),
        ("a&#1;b", "a control character"),
        ("x\n\n    {#tbl-w}\n", "code without a fence"),
    ],
)
def test_what_needs_a_second_line_is_refused(text: str, what: str) -> None:
    assert any(what in issue.what for issue in check(text))


@pytest.mark.parametrize(
    "text",
    [
        "5 < 6 and 7 > 6",
        "`<b>` and `# not a title`",
        "```\n<b> \\newpage $x$\n```",
        "<https://example.org/a>",
        "it costs $5 or $6",
        "{{ value('1') }} and `{{ value('2') }}`",
        "a < b and c",
        "## Title {#sec-title .unnumbered}",
        "::: {.callout-note}\nx\n:::",
        "[Better]{.verdict .improved}",
        "| a |\n|---|\n| b |\n\n: Caption. {#tbl-own}",
        ": Caption. {#tbl-own}\n\n| a |\n|---|\n| b |",
        "a set {a, b.c}",
        '`{"a": 1}` and `{b}`-like code, ``{`x`}``',
        "| a | b |\n|:--|--:|\n| c | d |",
        "a | b\n--- | ---\nc | d",
        "***\n\n* * *",
        "-- and --- in words, 3 - 4 - 5, +1 and C++",
        "## 1.5 MB/s: no. #3\n\n- C# and #4",
    ],
)
def test_plain_markdown_is_not_refused(text: str) -> None:
    assert check(text) == []


@pytest.mark.parametrize(
    ("attributes", "mend"),
    [
        (".panel-tabset", "below each other"),
        ("layout-ncol=2", "below each other"),
        (".column-margin", "below each other"),
        ('.callout-tip title="Words"', "as a heading: ## Title"),
        ('.callout-tip icon="false"', "leave it out"),
        (".columnar", 'write {claim="…"}'),
    ],
)
def test_who_knows_quarto_is_told_what_to_write(attributes: str, mend: str) -> None:
    [issue] = check(f"x\n\n::: {{{attributes}}}\nx\n:::\n")
    assert mend in issue.mend


def test_references_must_lead_somewhere() -> None:
    text = "See @fig-one.\n[@smith; @jones2001] and `@fig-two`, me@example.org, \\@x.\n"
    issues = check_references(tree(text), PATH, {"fig-one", "smith", "jones2011"})
    assert [str(issue) for issue in issues] == [
        "text.md:2: @jones2001 refers to nothing\n  mend: did you mean jones2011?"
    ]


def test_a_text_must_exist_and_be_utf_8(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="missing"):
        read_reviewed(tmp_path / "none.md")
    with pytest.raises(UserError, match="this is a folder, not a text"):
        read_reviewed(tmp_path)
    (tmp_path / "latin.md").write_bytes(b"gr\xfc\xdfe")
    with pytest.raises(UserError, match="byte offset 2"):
        read_reviewed(tmp_path / "latin.md")


def test_citations_before_a_colon_are_no_definition_of_a_link() -> None:
    text = "It is used in two ways\n[@one; @two]:\n\n- **a** way\n- another\n"
    assert check(text) == []


@pytest.mark.parametrize(
    ("output", "what"),
    [
        ("<b>x</b>", "raw HTML"),
        ("![x](figures/a.svg)", "a picture"),
        ("[x](javascript:go)", "a script"),
        ('[9%]{.value key="a" onclick="go"}', "a script"),
        ('[9%]{.value style="a"}', "an attribute"),
        ("`x`{=html}", "raw or executable"),
    ],
)
def test_what_an_expression_prints_is_checked_as_well(output: str, what: str) -> None:
    issue = check_output(output, PATH, 7)[0]
    assert str(issue).startswith("text.md:7: ")
    assert what in issue.what


def test_what_expressions_print_may_have_tables() -> None:
    table = "| a |\n|---|\n| b |\n\n: Caption. {#tbl-own}\n\n::: {.table-notes}\nx\n:::"
    assert check_output(f"9% or \\<b\\>\n\n{table}", PATH, 1) == []
