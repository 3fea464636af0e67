"""What would run in a page or a drawing is found, and what would not is left."""

from __future__ import annotations

import base64
from collections.abc import Callable
from urllib.parse import quote

import pytest
from lxml import html

from analysis.report.pages.html_page import page_policy, script_hash
from analysis.report.pages.safe_page import check_active, check_drawing, check_policy

ACTIVE = [
    '<p onclick="x()">x</p>', '<p ONMOUSEOVER="x()">x</p>', "<body onload=x()>",
    '<a href="javascript:x()">x</a>', '<a href="JavaScript:x()">x</a>',
    '<a href=" javascript:x()">x</a>', '<a href="java&#10;script:x()">x</a>',
    '<a href="&#x1;javascript:x()">x</a>', '<a href="java&Tab;script:x()">x</a>',
    '<a href="vbscript:x()">x</a>', '<a href="livescript:x()">x</a>',
    '<a href="data:text/html,x">x</a>', '<a href="data:text/html;base64,eA==">x</a>',
    '<a href="data:application/xhtml+xml,x">x</a>', '<a href="data:text/xml,x">x</a>',
    '<img alt="" src="javascript:x()">', '<p style="background:url(javascript:x())">',
    '<p style="width: expression(x())">x</p>', '<p style="behavior: url(#x)">x</p>',
    '<iframe srcdoc="x"></iframe>', '<p srcdoc="x">x</p>', "<iframe></iframe>",
    "<object></object>", '<embed src="#x">', "<form></form>", "<applet></applet>",
    '<button formaction="#x">x</button>', "<frameset></frameset>",
    '<meta http-equiv="refresh" content="0">',
    '<meta http-equiv=" REFRESH " content=0>',
    '<base href="https://example.org/">', '<body background="#x">x</body>',
    "<svg><foreignObject><p>x</p></foreignObject></svg>",
    '<svg><animate attributeName="href" values="javascript:x()"/></svg>',
    '<svg><set attributeName="onclick" to="x()"/></svg>',
    '<svg><a xlink:href="javascript:x()"><text>x</text></a></svg>',
    '<svg onload="x()"></svg>',
    '<svg><use href="data:image/svg+xml,%3Csvg/%3E"/></svg>',
    '<a href="data:image/svg+xml,%3Csvg onload=%22x()%22/%3E">x</a>',
    '<math><maction xlink:href="javascript:x()">x</maction></math>',
]  # fmt: skip
LEFT = [
    "<p>onclick=&quot;x()&quot; javascript:x()</p>",
    '<p title="javascript:x()" aria-label="data:text/html,x">x</p>',
    '<meta name="description" content="javascript: the language">',
    '<a href="https://example.org/?x=javascript:x()">x</a>',
    '<a href="#javascript:x()">x</a>', '<a href="mailto:a@example.org">x</a>',
    '<a download="a.csv" href="data:text/csv;base64,eA==">x</a>',
    '<p style="color: red; scroll-behavior: auto">x</p>', '<svg><use href="#a"/></svg>',
    '<img alt="" src="data:image/png;base64,eA==">',
    '<input type="search" placeholder="Search">', "<details open></details>",
]  # fmt: skip
SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink"'
DRAWINGS = [
    f"{SVG}><script>x()</script></svg>", f'{SVG} onload="x()"/>',
    f'{SVG}><h:script xmlns:h="http://www.w3.org/1999/xhtml">x()</h:script></svg>',
    f'{SVG}><a x:href="javascript:x()"/></svg>', f"{SVG}><foreignObject/></svg>",
    f'{SVG}><animate attributeName="x:href"/></svg>', f"{SVG}><SET/></svg>",
    f'{SVG}><use x:href="data:image/svg+xml,x"/></svg>', "", "<svg", "<svg><p></svg>",
    f'<?xml-stylesheet href="x.xsl"?>{SVG}/>', f'<!DOCTYPE a [<!ENTITY b "c">]>{SVG}/>',
    f"{SVG}><?php x() ?></svg>", f'{SVG}><g ev:onclick="x" xmlns:ev="e"/></svg>',
]  # fmt: skip
SCRIPT = "document.title"
OWN = page_policy([SCRIPT])
POLICIES = {
    "a page without a policy": "",
    "more than default-src": "script-src 'none'; base-uri 'none'; form-action 'none'",
    "more than base-uri": "default-src 'none'; form-action 'none'",
    "more than form-action": "default-src 'none'; base-uri 'none'",
    "scripts by 'unsafe-inline'": OWN.replace("-src 'sha", "-src 'unsafe-inline' 'sha"),
    "scripts by 'unsafe-eval'": OWN.replace("-src 'sha", "-src 'unsafe-eval' 'sha"),
    "scripts by https:": OWN.replace("-src 'sha", "-src https: 'sha"),
    "scripts by *": OWN.replace("-src 'sha", "-src * 'sha"),
    "a script that the page's policy does not list": page_policy([]),
    "lists a script that is not there": page_policy([SCRIPT, "x()"]),
}  # fmt: skip


def page(policy: str, script: str = SCRIPT) -> str:
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return (
        f"<html><head>{meta if policy else ''}<script>{script}</script></head>"
        "<body><p>x</p></body></html>"
    )


@pytest.mark.parametrize("text", ACTIVE)
def test_what_would_run_is_found(text: str) -> None:
    assert list(check_active(html.document_fromstring(f"<!DOCTYPE html>{text}")))


@pytest.mark.parametrize("text", LEFT)
def test_what_would_not_run_is_left(text: str) -> None:
    assert list(check_active(html.document_fromstring(f"<!DOCTYPE html>{text}"))) == []


@pytest.mark.parametrize("text", DRAWINGS)
def test_a_drawing_that_would_run_is_found(text: str) -> None:
    assert list(check_drawing(text.encode()))


def as_base64(text: str) -> str:
    return ";base64," + base64.b64encode(text.encode()).decode()


def as_percent(text: str) -> str:
    return "," + quote(text)


@pytest.mark.parametrize("encoded", [as_base64, as_percent])
@pytest.mark.parametrize("text", [*DRAWINGS, f"{SVG}/>"])
def test_a_drawing_within_a_page_is_looked_into(
    text: str, encoded: Callable[[str], str]
) -> None:
    link = f'<a download="a.svg" href="data:image/svg+xml{encoded(text)}">x</a>'
    found = list(check_active(html.document_fromstring(link)))
    assert found == list(check_drawing(text.encode()))


def test_a_drawing_of_ours_is_left() -> None:
    drawing = f'{SVG} viewBox="0 0 1 1"><g id="a"/><use x:href="#a"/></svg>'
    assert list(check_drawing(drawing.encode())) == []


@pytest.mark.parametrize("what", POLICIES)
def test_a_policy_that_allows_too_much_is_found(what: str) -> None:
    found = list(check_policy(html.document_fromstring(page(POLICIES[what]))))
    assert [told for told, _ in found if what in told]


def test_a_policy_after_a_script_is_none() -> None:
    text = page("").replace(
        "</head>",
        f'<meta http-equiv="Content-Security-Policy" content="{OWN}"></head>',
    )
    found = list(check_policy(html.document_fromstring(text)))
    assert [told for told, _ in found] == [
        "a page without a policy of what may run in it"
    ]


def test_the_policy_of_its_own_scripts_is_enough() -> None:
    assert list(check_policy(html.document_fromstring(page(OWN)))) == []
    assert script_hash(SCRIPT) in OWN


def test_a_script_that_was_changed_is_found() -> None:
    changed = page(OWN, SCRIPT + " ")
    found = [told for told, _ in check_policy(html.document_fromstring(changed))]
    assert "a script that the page's policy does not list" in found
