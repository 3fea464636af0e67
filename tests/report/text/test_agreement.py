"""Pandoc reads in what is written of a text what the checks saw in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from analysis.report.text.reviewed import mark
from analysis.report.text.write import write
from tests.report.text.agreement import difference, pandoc_trees
from tests.report.text.read import PATH, check, differs

LIVE = '[T]{onclick="go"} [99%]{.value key="a" origin="measured"}'
PLACES = ("https://", "http://", "mailto:", "#")
NO_CODE = {
    "tildes that go on with a paragraph": f"x\n~~~\n\n{LIVE}\n\n~~~\n",
    "tildes after a quote": f"> x\n~~~\n\n{LIVE}\n\n~~~\n",
    "a fence in a note": f"a[^1]\n\n[^1]: x\n```\n\n{LIVE}\n\n```\n",
    "a fence that begins a note": f"a[^1]\n\n[^1]:\n```\n\n{LIVE}\n\n```\n",
    "an indented end": f"```\na\n ```\n{LIVE}\n```\n",
    "a longer end": f"```\na\n````\n{LIVE}\n```\n",
    "an address": f"[x](https://a.b/`) {LIVE} `",
    "an address by itself": f"<https://a.b/`> {LIVE} `",
    "the title of a link": f'[x](https://a.b "`") {LIVE} `',
    "a citation": f"@{{a`}} {LIVE} `",
    "the name of a note": f"x[^`] {LIVE} `\n\n[^`]: y\n",
    "a fence in a table": f"a   b\n=== ===\n~~~\n\n{LIVE}\n\n~~~\n",
    "a comment in a fence": "::{## ##}: facts\nx\n:::\n",
    "an anchor": "x\n~~~\n\n## y {#fact-a}\n\n[y]{#fact-b}\n\n~~~\n",
    "a picture": "x\n~~~\n\n![y](figures/a.svg)\n\n~~~\n",
    "a link": "x\n~~~\n\n[y](data/a.csv)\n\n~~~\n",
    "a title": "x\n~~~\n\n# y\n\n~~~\n",
}


OTHERWISE = {
    "a lazy line of a quote in a list": "> - a\nlazy\n\nb\n- c\n",
    "a list without a blank line": "text\n- list\n- more\n",
    "a quote without a blank line": "text\n> quote\n",
    "a heading without a blank line": "text\n## Title\n",
    "a fence without an end": "```sh\nx\n",
    "a pipe in code in a table": "| `a|b` | c |\n|---|---|\n| d | e |\n",
    "letters as numbers": "a. x\nb. y\n",
    "numbers in brackets": "(1) x\n",
    "a list of examples": "(@good) x\n",
    "a reference alone in a line of a list": "- See\n  @fig-one.\n",
    "lines kept apart": "| a\n| b\n",
    "words of a heading as a link": "[Title]\n\n## Title\n",
    "a key in braces": "@{a}\n",
    "dashes over a table": "> a b\n> - -\n",
}


@pytest.mark.parametrize("text", NO_CODE.values(), ids=NO_CODE.keys())
def test_what_could_be_code_to_pandoc_is_refused_or_written_as_what_it_is(
    text: str,
) -> None:
    """Live attributes that one parser takes for code pass no check."""
    issues = check(text)
    assert issues or differs(text) == ""
    assert all(issue.where and issue.where.line and issue.mend for issue in issues)


@pytest.mark.parametrize("text", OTHERWISE.values(), ids=OTHERWISE.keys())
def test_what_pandoc_would_read_otherwise_is_written_as_what_it_is(text: str) -> None:
    assert check(text) == []
    marked = mark(text, PATH)
    assert difference(marked.tree, pandoc_trees([text])[0]) != ""
    assert differs(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        f"x\n\n~~~\n{LIVE}\n~~~\n",
        f"x\n```py\n# y\n{LIVE}\n```\n",
        f"- x `{LIVE}`\n\n[x](https://a.b) and ``{LIVE} ` ``\n",
        "| `a{b=1}` | `<b>` |\n|---|---|\n| `\\n` | `# x` |\n",
        "## A {#sec-a .unnumbered}\n\n::: {.callout-tip}\n`<b>` <https://a.b>\n:::\n",
        "[Better]{.verdict .improved}[^1] `$x$` {## a comment ##}\n\n[^1]: `{x=1}`\n",
    ],
)
def test_code_is_code(text: str) -> None:
    assert check(text) == []
    assert differs(text) == ""


PIECES = (
    "x", "y ", " ", "\n", "\n\n", "    ", "\t", "- ", "1. ", "> ", "#", "## ", "`",
    "``", "```", "~~~", "*", "_", "[", "]", "(", ")", "{", "}", "!", "<", ">", "&",
    "|", "---", "===", ":", ": ", ":::", "::: {.callout-note}", "@a", "@fig-a", "[^a]",
    "[^a]: ", "^[", "$", "$$", "\\x", "https://a.b", "javascript:x", "(https://a.b)",
    "{.verdict}", "{#sec-a}", "{#fact-a}", "{onclick=x}", "{=html}", "<b>", "</b>",
    "<!--", "-->", "<script>", "&lt;", "&#60;", "![x](a.svg)", "[x]: a.csv", "(@)",
    "| a | b |\n|---|---|\n", "+---+", "\\", "'", '"', "...", "---\na: b\n---", "%",
)  # fmt: skip
NEVER = {"RawBlock", "RawInline", "Math", "Image", "Figure"}
KNOWN = {"callout-note", "verdict", "uri", "email"}
WITH_ATTRIBUTES = {"Span": 0, "Div": 0, "Link": 0, "Code": 0, "Table": 0}


@settings(suppress_health_check=list(HealthCheck))
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@example("x\n~~~\n\n![y](figures/a.svg)\n\n~~~\n")
@example("[a]: data/a.csv\n\n[a]\n")
def test_a_text_that_passes_is_harmless_as_pandoc_reads_it(text: str) -> None:
    if check(text):
        return
    (pandoc,) = pandoc_trees([write(mark(text, PATH).text)])
    assert not pandoc["meta"]
    assert list(unfit(pandoc["blocks"])) == []


def unfit(part: Any) -> Iterator[str]:
    """What no reviewed text may make of the page, in Pandoc's tree."""
    if isinstance(part, list):
        for child in part:
            yield from unfit(child)
    elif isinstance(part, dict):
        kind, content = str(part.get("t")), part.get("c", [])
        if kind in NEVER or (kind == "Header" and content[0] == 1):
            yield kind
        if kind == "Link" and not content[2][0].startswith(PLACES):
            yield content[2][0]
        if kind in WITH_ATTRIBUTES:
            id, classes, named = content[WITH_ATTRIBUTES[kind]]
            yield from (name for name, _ in named)
            yield from set(classes) - KNOWN if kind != "Code" else classes
            yield from [id] if id and not id.startswith(("sec-", "tbl-")) else []
        yield from unfit(list(part.values()))
