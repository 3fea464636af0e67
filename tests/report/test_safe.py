"""Attempts to bring code or foreign files into a report through reviewed text."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from pathlib import Path

import pytest
from lxml import html

from analysis.errors import UserError
from analysis.report.checks.claims import check_texts
from analysis.report.document.assemble import assemble
from analysis.report.engines.pandoc import PandocEngine
from analysis.report.material import Sources, read_material
from analysis.report.review.state import reviews
from analysis.report.text.refusals import check_output
from tests.report.sample_document import read_documents

WriteText = Callable[[str, str], Path]
OBSERVATIONS = "studies/speed/observations.md"

ATTACKS = [
    # HTML and scripts
    "<script>alert(1)</script>",
    "<img\nsrc=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<!-- hidden -->",
    "\\`<b>shown\\`",
    "``<b>`",
    "``` a b\n\n<script>alert(1)</script>\n\n```",
    "<javascript:alert(1)>",
    "\\\\<b>",
    "<iframe src=//example.org>",
    # raw blocks and code that would run
    "```{=html}\n<hr>\n```",
    "``` { =html }\n<hr>\n```",
    "~~~{=typst}\n#read(\"x\")\n~~~",
    "`<b>`{=html}",
    "`<b>`{ =html }",
    "`#read(\"x\")`{=typst}",
    "```{python}\nprint(1)\n```",
    "`{python} 1 + 1`",
    "{{< include /etc/passwd >}}",
    # LaTeX and metadata
    "\\input{/etc/passwd}",
    "$x^2$",
    "$$\nx\n$$",
    "Text.\n\n---\nheader-includes: <script>alert(1)</script>\n---\n",
    "Title\n=====\n",
    # links, references, pictures and files
    "[x](javascript:alert(1))",
    "[x]( JavaScript:alert(1))",
    "[x](javascript&#58;alert(1))",
    "[x](<javascript:alert(1)>)",
    "[x](\njavascript:alert(1))",
    "[x](vbscript:go)",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](file:///etc/passwd)",
    "[x](../../../raw/lab/campaign.yaml)",
    "[x](//example.org/x)",
    "[x]\n\n[x]: javascript:alert(1)",
    "[x]\n\n[x]:\n  javascript:alert(1)",
    "![x](/etc/passwd)",
    "![x](../../edition.yaml)",
    "![x](https://example.org/pixel.gif)",
    # attributes
    "[x]{onclick=alert(1)}",
    "[x]{\nonclick=alert(1)}",
    "[x]{style='background:url(x)'}",
    "::: {onmouseover=alert(1)}\nx\n:::",
    "::: {.figure-links figure=x}\n[x](/etc/passwd.csv)\n:::",
    "[99%]{.value key=\"speed.x\" origin=\"measured\"}",
    "## Title {#a onclick=alert(1)}",
    # expressions that reach out, or print words of their own
    "{{ ''.__class__.__mro__ }}",
    "{{ delta.__globals__ }}",
    "{{ delta.__func__.__globals__ }}",
    "{{ campaign(\"lab\").__class__.__base__ }}",
    "{{ self._TemplateReference__context }}",
    "{% include \"/etc/passwd\" %}",
    "{% import \"os\" as os %}",
    "{% for i in range(9) %}x{% endfor %}",
    "{{ '<script>' }}",
    "{{ '<' ~ 'script>' }}",
    "{{ '[x](javascript' ~ ':alert(1))' }}",
    "{{ '[99%]{.value key=\"a\" origin=\"measured\"}' }}",
    "{{ 37 }}",
    "{{ '37%' }}",
    "{{ '37%' if true else delta('latency', 'RR*') }}",
    "{{ ['37%'][0] }}",
    "\ue00037%\ue001",
]  # fmt: skip
HARMLESS = [
    "`<script>alert(1)</script>`",
    "```\n<script>alert(1)</script>\n```",
    "```html\n<b onclick=go>\n```",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "1 < 2 and 3 > 2",
    "[x](https://example.org/?javascript)",
    "\\<script\\>alert(1)\\</script\\>",
]


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_is_refused_with_its_line(
    project: Sources, write_text: WriteText, attack: str
) -> None:
    path = write_text(OBSERVATIONS, f"Fine.\n\n{attack}\n")
    with pytest.raises(UserError) as caught:
        check_texts(read_material("small", project))
    places = [issue.where for issue in caught.value.issues]
    assert all(place and place.file == str(path) for place in places)
    assert all(place and place.line and place.line >= 3 for place in places)


def test_what_looks_dangerous_and_is_not_stays_text(
    project: Sources, write_text: WriteText, tmp_path: Path, fonts: Path
) -> None:
    write_text(OBSERVATIONS, "\n\n".join(HARMLESS) + "\n")
    page = rendered(project, tmp_path, fonts)
    section = observations(page)
    assert sum(e.text_content().count("alert(1)") for e in section) == 4
    assert live(section) == []


def test_an_engine_makes_nothing_of_html_that_slips_through(
    project: Sources, tmp_path: Path, fonts: Path
) -> None:
    """The second line of defence: the document itself, past the checks on texts."""
    checked = check_texts(read_material("small", project))
    document = tmp_path / "document"
    assemble(checked, reviews(checked), project.templates, document)
    index = document / "index.qmd"
    bad = "<b onclick=go>x</b>\n\n<script>alert(1)</script>\n\n`<i>`{=html}\n"
    bad += "\n[a](javascript:go) [b](data:text/html,x) <vbscript:x> [c](facts.json)\n"
    head = "## Observations {#sec-speed-observations}"
    text = index.read_text(encoding="utf-8").replace(head, f"{head}\n\n{bad}")
    index.write_text(text, encoding="utf-8")
    (tmp_path / "out").mkdir()
    PandocEngine(fonts).render(read_documents(document), tmp_path / "out")
    page = html.parse(str(tmp_path / "out/index.html")).getroot()
    section = observations(page)
    assert sum(e.text_content().count("alert(1)") for e in section) == 1
    assert live(section) == []


def test_what_an_expression_prints_has_no_attributes_that_people_wrote() -> None:
    path = Path("text.md")
    assert check_output("falls by −37%", path, 1) == []
    for forged in ('.value key="a.b"', 'onclick="go"'):
        assert check_output(f"falls by [−37%]{{{forged}}}", path, 1)


def rendered(project: Sources, tmp_path: Path, fonts: Path) -> html.HtmlElement:
    checked = check_texts(read_material("small", project))
    document, out = tmp_path / "document", tmp_path / "out"
    assemble(checked, reviews(checked), project.templates, document)
    out.mkdir()
    PandocEngine(fonts).render(read_documents(document), out)
    return html.parse(str(out / "index.html")).getroot()


def observations(page: html.HtmlElement) -> list[html.HtmlElement]:
    """The elements between the heading of the observations and the next one."""
    heading = page.get_element_by_id("sec-speed-observations")
    return list(takewhile(lambda e: e.tag != heading.tag, heading.itersiblings()))


OWN = ("#", "https:", "facts.html#")  # what links may lead to


def live(section: list[html.HtmlElement]) -> list[str]:
    """What a browser would run: scripts, handlers, links to code."""
    elements = [element for part in section for element in part.iter()]
    tags = {"script", "iframe", "object", "b", "i"}
    found = [str(e.tag) for e in elements if e.tag in tags]
    for element in elements:
        attributes = dict(element.attrib)
        found += [name for name in attributes if name.startswith("on")]
        if not attributes.get("href", "#").startswith(OWN):
            found.append(attributes["href"])
    return found
