"""Text that would run, load, include or hide something, if a program let it.

``CANARY`` in a payload becomes the path of a file whose words no page may show.
"""

from __future__ import annotations

_TAGS = (
    "script", "img", "iframe", "object", "embed", "svg", "math", "style", "link",
    "meta", "base", "form", "input", "button", "video", "audio", "source", "template",
    "frame", "frameset", "applet", "marquee", "details", "dialog", "select", "textarea",
    "noscript", "plaintext", "xmp", "body", "html", "head", "title", "portal", "b", "a",
)  # fmt: skip
_EVENTS = (
    "onclick", "onload", "onerror", "onmouseover", "onfocus", "onblur", "ontoggle",
    "onpointerenter", "onanimationstart", "onbeforematch", "onscroll", "ONCLICK",
)  # fmt: skip
_ADDRESSES = (
    "javascript:alert(1)", "JavaScript:alert(1)", "java\tscript:alert(1)",
    "java\nscript:alert(1)", "javascript&#58;alert(1)", "javascript&colon;alert(1)",
    "&#106;avascript:alert(1)", "&#x6A;avascript:alert(1)", "\\javascript:alert(1)",
    "%6Aavascript:alert(1)", "\u00a0javascript:alert(1)", "vbscript:go",
    "data:text/html,<script>alert(1)</script>", "data:text/html;base64,PHNjcmlwdD4=",
    "data:image/svg+xml,<svg onload=alert(1)>", "file:///etc/passwd", "file:CANARY",
    "CANARY", "../../../../../../etc/passwd", "//example.org/x", "\\\\host\\share",
    "ftp://example.org", "blob:x", "about:blank", "view-source:x", "embed:data/a.csv",
    "embed:facts.json", "jar:x", "filesystem:x", "tel:1", "ws://x", "<javascript:x>",
)  # fmt: skip
HTML = (
    *(f"<{tag}>alert(1)</{tag}>" for tag in _TAGS),
    *(f"<{tag} src=CANARY href=CANARY data=CANARY onload=alert(1)>" for tag in _TAGS),
    *(f"<p {event}=alert(1)>" for event in _EVENTS), "<img\nsrc=x\nonerror=alert(1)>",
    "<svg/onload=alert(1)>", "<!-- hidden -->", "<!DOCTYPE x>", "<?php x ?>",
    "<![CDATA[<b>]]>", "<script", "</script>", "<b", "</b",
    "<scr<script>ipt>alert(1)</scr</script>ipt>", "<a href=javascript:alert(1)>x</a>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>", "<\x20script>alert(1)",
    "<svg data-drawing=\"CANARY\" aria-label=\"x\"></svg>", "<p>kept-section-3-end</p>",
    "<div data-insert=\"facts.html\"></div>", "<div data-insert=\"cards.json\"></div>",
    "<script type=\"application/json\" id=\"cards\">{}</script>",
    "<template class=\"layout\"><svg class=\"narrow\"></svg></template>",
    "<h2 id=\"sec-speed-results\">x</h2>",
)  # fmt: skip
ENTITIES = (
    "&lt;script&gt;alert(1)&lt;/script&gt;", "&#60;script&#62;alert(1)",
    "&#x3c;b&#x3e;", "&LT;script>", "&lt;img src=x onerror=alert(1)&gt;",
    "&amp;lt;b&amp;gt;", "&#0;", "&quot; onclick=&quot;go", "&apos;&apos;",
    "&lt;!-- x --&gt;", "&#xD800;", "&#1;", "&NewLine;# x",
    "&lbrack;x&rbrack;(javascript:x)", "&lcub;onclick=x&rcub;", "&#8203;",
)  # fmt: skip
LINKS = (
    *(f"[x]({address})" for address in _ADDRESSES),
    *(f"[x](<{address}>)" for address in _ADDRESSES[:6]),
    *(f"<{address}>" for address in _ADDRESSES[:12]),
    *(f"[x][y]\n\n[y]: {address}" for address in _ADDRESSES[:20]),
    *(f"![x]({address})" for address in _ADDRESSES[:20]),
    "- [a]: data:text/html,x\n\n[a]", "> [a]: file:x\n\n[a]", "1. [a]: /x\n\n[a]",
    "[^1]\n\n[^1]: [a]: file:x\n\n[a]", "[y\nz]: file:x\n\n[y z]",
    "[x]:javascript:alert(1)\n\n[x]", "[x](https://a.b \"t\" onclick=go)",
    "[x](https://a.b){onclick=go}", "[x](https://a.b){target=_blank}", "[[x]](CANARY)",
    "![](figures/speed-rr/figure.svg)", "![x](facts.html)", "[x](../index.html)",
)  # fmt: skip
ATTRIBUTES = (
    *(f"[x]{{{event}=alert(1)}}" for event in _EVENTS),
    *(f"::: {{{event}='alert(1)'}}\nx\n:::" for event in _EVENTS),
    "## x {#sec-x onclick=go}", "`x`{onclick=go}", "```{.py onclick=go}\nx\n```",
    "[x]{style=color:red}", "[x]{srcdoc='<b>'}", "[x]{.value key='a' origin='b'}",
    "[9%]{.average keys='a b' origin='b'}", "[x]{.html-only}",
    "::: {.html-only}\nx\n:::", "::: html-only\nx\n:::", ":::\u00a0html-only\nx\n:::",
    "::: {.facts}\n:::", "::: {#refs}\n:::", "[x]{#fact-a}", "[x]{#search}",
    "[x]{.chip}", "[x]{.figure-lead}", "::: {.figure-links}\nx\n:::",
    "::: {.edit-link}\nx\n:::", "::: {.summary}\nx\n:::", "::: {.callout-x}\nx\n:::",
    "[x]{ .verdict\n.facts}", "[x]{style=\"{a}\"}", "## x {.group}", "## x {.study}",
    "::: {.callout-note}\n::: {.facts}\n:::\n:::", "[x]{#tbl-a}{.value}", "# x",
    "[x]{.smallcaps data-x=1}", "[x]{lang=en}", "x\n:   ::: {.facts}\n    :::",
    "{=html}",
)  # fmt: skip
RAW = (
    *(f"`<b>x</b>`{{={form}}}" for form in ("html", "html5", "typst", "latex", "tex")),
    *(f"```{{={form}}}\nx\n```" for form in ("html", "typst", "latex", "openxml")),
    *(f"~~~ {{={form}}}\nx\n~~~" for form in ("html", "typst")),
    *(f"```{{{name}}}\nprint(1)\n```" for name in ("python", "r", "julia", "bash")),
    "`{python} 1 + 1`", "`r 1 + 1`{r}",
    "```{python}\n#| output: asis\nprint('<b>')\n```", "```python\nprint(1)\n```",
    "``` {.html}\n<b>\n```", "``` x {=html}\n<b>\n```",
    "````\n```{=html}\n<b>\n```\n````", "   ```{=html}\n   <b>\n   ```",
    "``<b>`{=html}", "> ```{=html}\n> <b>\n> ```", "- ```{=html}\n  <b>\n  ```",
    "\\`<b>`{=html}",
)  # fmt: skip
TYPST = (
    '#import "x.typ": *', "#sys.version", '#read("CANARY")', "#eval(\"1 + 1\")",
    '#include "CANARY"', "#let x = 1", "#set page(fill: red)", "#show: x => []",
    '#image("CANARY")', "#link(\"javascript:x\")[y]", "#{1 + 1}", "#[x]", "#(1 + 1)",
    "#context here()", "#plugin(\"x\")", "#json(\"CANARY\")", "#csv(\"CANARY\")",
    "#yaml(\"CANARY\")", "#raw(read(\"CANARY\"))", "#pagebreak()",
    "#metadata(none) <x>", "<sec-x>", "@sec-nothing-here", "= x", "== x", "/ a: b",
    "+ a", "$ x $", "$x$", "$#read(\"CANARY\")$", "$ #sys $", "x] #read(\"CANARY\") [",
    "]) #sys.version ([", "// comment", "/* comment", "*/", "\\#sys.version",
    "\\u{23}sys", "`#sys`", "~", "---", "\\", "\"#sys", "'#sys'", "_#sys_", "*#sys*",
    "-#sys", "#sys\n#sys", "##sys", "#",
    "| #sys | b |\n|---|---|\n| #read(\"CANARY\") | d |\n", "#\\", "\\\\#sys.version",
)  # fmt: skip
LATEX = (
    "\\input{CANARY}", "\\include{CANARY}", "\\write18{id}", "\\newcommand{\\x}{y}",
    "\\href{javascript:x}{y}", "$$x$$", "$x^2$", "$\\input{CANARY}$", "\\(x\\)",
    "\\[x\\]", "\\begin{align}x\\end{align}", "\\def\\x{\\x\\x}\\x",
    "\\verbatiminput{CANARY}", "\\includegraphics{CANARY}", "\\csname x\\endcsname",
    "\\\\(x\\\\)", "\\\\[x\\\\]", "\\immediate\\openin5=CANARY", "\\catcode`\\@=11",
    "\\ref{x}",
)  # fmt: skip
INCLUDES = (
    "{{< include CANARY >}}", "{{< include /etc/passwd >}}", "{{< embed x.ipynb >}}",
    "{{< video x >}}", "{{< meta title >}}", "{{< env HOME >}}", "{{< var x >}}",
    "{{< pagebreak >}}", "{{{< include CANARY >}}}", "`{{< include CANARY >}}`",
    "!include CANARY", "#include CANARY", "@include CANARY", ".. include:: CANARY",
    "{!CANARY!}", "<<[CANARY]", "{% include 'CANARY' %}", "{{ include('CANARY') }}",
    "```{include} CANARY\n```", ":[x](CANARY)", "[](CANARY)", "/CANARY",
    "%include CANARY",
)  # fmt: skip
BLOCKS = (
    "---\ntitle: x\nheader-includes: <script>alert(1)</script>\n---",
    "x\n\n---\nbibliography: CANARY\n---\n\nx", "---\ncsl: CANARY\n...", "% title\n% x",
    "title\n=====", "title\n-----", "...", "***", "* * *", "---", "--- {.x}",
    "-----\nx\n", "[^1]\n\n[^1]: <script>alert(1)</script>", "^[<b>x</b>]",
    "[^1]\n\n[^1]: `x`{=html}", "x[^a]\n\n[^a]: ```{=html}\n    <b>\n    ```", "(@x) y",
    "| a\n| <b>", "[@nothing]", "@nothing", "[-@nothing]", "@fig-nothing",
    "[x]: CANARY", "*[HTML]: x", ": x {#tbl-x}", "Table: x {#tbl-y}", "\\{#tbl-z}",
    "`{#tbl-x}`", "    {#tbl-w}", "kept-section-1-end",
    "kept-section-3-begin\n\nx\n\nkept-section-3-end", "kept-citations-end",
    "kept-citations-begin", "::::: {.html-only}\nx\n:::::",
    "```\n::::: {.html-only}\n```", "`[99%]{.average keys=\"a b\"}`",
    "```\n## x {#sec-speed-results}\n```", "\ue000x\ue001", "\uf8ff", "\U000f0000",
    "a\u202eb", "a\u2066b", "\u2028# x", "\u2029---\u2029", "\u0085x", "a\x0cb",
    "a\x0bb", "\x1b[31mx", "a\x00b", "\x7f", "\u200bx", "\ufeffx", "x\ufffe",
)  # fmt: skip
MARKUP = (
    *HTML, *ENTITIES, *LINKS, *ATTRIBUTES, *RAW, *TYPST, *LATEX, *INCLUDES, *BLOCKS,
)  # fmt: skip
