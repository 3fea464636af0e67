"""What looks like code or a comment to patterns, and is none to Pandoc."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.report.material import Sources, read_material
from analysis.report.prose import check_prose, hidden_issues
from analysis.report.prose_tree import check_tree
from analysis.report.texts import read_texts
from tests.report.conftest import project as project

PATH = Path("text.md")
LIVE = '[T]{onclick="go"} [99%]{.value key="a" origin="measured"}'
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


@pytest.mark.parametrize("text", NO_CODE.values(), ids=NO_CODE.keys())
def test_what_is_not_code_to_pandoc_is_refused(text: str) -> None:
    assert check_prose(text, PATH) == []
    found = hidden_issues(text, PATH)
    issues = check_tree(text.replace("{## ##}", ""), found[0])
    assert issues
    assert all(issue.where and issue.where.line and issue.mend for issue in issues)


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
    assert check_prose(text, PATH) == []
    found = hidden_issues(text, PATH)
    assert found
    assert check_tree(text.replace("{## a comment ##}", ""), found[0]) == []


def test_pandoc_is_not_asked_about_plain_texts() -> None:
    text = "Use `make`, {{ limit() }} and\n\n```sh\nmake report\n```\n"
    assert hidden_issues(text, PATH) == []


def test_texts_of_an_edition_are_read_as_pandoc_reads_them(project: Sources) -> None:
    path = project.report / "small/front/preface.md"
    path.write_text(f"Fine.\n\nx\n~~~\n\n{LIVE}\n\n~~~\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"preface\.md:6: .* the attribute onclick"):
        read_texts(read_material("small", project))
