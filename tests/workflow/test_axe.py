"""Whole pages as axe judges them: WCAG 2.2 AA and best practices, nothing left.

The environment variable ``AXE`` names axe-core's script, ``axe.min.js``.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.report.browser import CHROMIUM
from tests.report.devtools import Browser, Page, browser
from tests.workflow.projects import EDITION, Project

AXE = os.environ.get("AXE", "")
pytestmark = [
    pytest.mark.skipif(not AXE, reason="needs axe-core: AXE names its script"),
    pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium"),
    pytest.mark.xdist_group("real"),
]
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# These look at what stands beside an element, and ever longer on a longer page.
PLACED = ["color-contrast", "target-size"]
RUN = """(async (tags, placed) => {
  const most = 2000, parts = [[]];
  let size = 0;
  const split = element => {
    const own = element.querySelectorAll("*").length;
    if (own > most) return [...element.children].forEach(split);
    if (size + own > most) size = parts.push([]) && 0;
    parts.at(-1).push(element);
    size += own + 1;
  };
  split(document.body);
  const ask = (where, runOnly, rules) =>
    axe.run(where, { resultTypes: ["violations"], runOnly, rules });
  const off = Object.fromEntries(placed.map(rule => [rule, { enabled: false }]));
  const found = [await ask(document, tags, off)];
  for (const include of parts.filter(part => part.length))
    found.push(await ask({ include }, { type: "rule", values: placed }, {}));
  return found.flatMap(one => one.violations).map(one =>
    one.id + ": " + one.nodes.map(node => node.html.slice(0, 200)).join(" | "));
})"""
RUN += f"({json.dumps(TAGS)}, {json.dumps(PLACED)})"
LAID_OUT = """document.styleSheets[0].insertRule(
  "* { content-visibility: visible !important }", 0)"""
BUILT = f"report/build/{EDITION}"
PAGES = (
    f"{BUILT}/index.html", f"{BUILT}/explorer.html", f"{BUILT}/facts.html",
    f"{BUILT}/excerpts.html",
    f"{BUILT}/third-party.html", "report/build/index.html",
)  # fmt: skip
LIKE = [(width, dark) for width in (390, 1440) for dark in (False, True)]
SENTENCE = "\nThis sentence is new.\n"


@pytest.fixture
def chromium(tmp_path: Path) -> Iterator[Browser]:
    with browser(tmp_path) as running:
        yield running


def violations(page: Page) -> list[str]:
    """What axe finds, each with the elements that it is about.

    All is laid out first, as each part is where a reader has got to it.
    """
    page.ask(LAID_OUT)
    page.ask(f"{Path(AXE).read_text('utf-8')};0")
    found = page.ask(RUN)
    assert isinstance(found, list)
    return found


def see(chromium: Browser, path: Path, width: int, dark: bool) -> Page:
    return chromium.open(path.resolve().as_uri(), width, dark=dark)


@pytest.mark.parametrize(("width", "dark"), LIKE)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_violation(
    built: Project, chromium: Browser, name: str, width: int, dark: bool
) -> None:
    page = see(chromium, built / name, width, dark)
    assert page.ask("document.querySelectorAll('h1').length") == 1
    assert violations(page) == []


@pytest.mark.parametrize(("width", "dark"), LIKE)
def test_what_opens_on_a_page_has_no_violation(
    built: Project, chromium: Browser, width: int, dark: bool
) -> None:
    page = see(chromium, built / PAGES[0], width, dark)
    page.ask("document.querySelector('main p a.value').click()")
    page.until("document.querySelector('.note-card:popover-open')")
    assert violations(page) == []
    page.press("Escape")
    page.click("#search")
    page.write("segmentation offload")
    page.until("document.querySelector('#found [role=option]')")
    assert violations(page) == []
    page.press("Escape")
    page.click("button.enlarge")
    page.until("document.querySelector('dialog[open]')")
    assert violations(page) == []


def test_a_comparison_and_a_list_of_releases_have_no_violation(
    project: Project, tmp_path: Path, chromium: Browser
) -> None:
    shelf, publish = tmp_path / "www", ("-m", "analysis", "publish", "--draft")
    to = ("--edition", EDITION, "--to", str(shelf))
    assert project.build(sys.executable, *publish, *to)[0] == 0
    words = project / f"report/{EDITION}/studies/offload/background.md"
    words.write_text(words.read_text("utf-8") + SENTENCE, "utf-8")
    assert project.build()[0] == 0
    assert project.build(sys.executable, *publish, *to)[0] == 0
    pages = [shelf / "index.html", *shelf.glob("changes/*/*.html")]
    assert len(pages) > 1
    for path in pages:
        for width, dark in LIKE:
            assert violations(see(chromium, path, width, dark)) == []


def test_what_is_wrong_is_found(tmp_path: Path, chromium: Browser) -> None:
    path = tmp_path / "page.html"
    path.write_text(
        "<!DOCTYPE html><style></style><title>x</title><img src='x.png'><h3>y</h3>"
        "<p style='color: #eee; background: #fff'>pale</p>"
        "<div><button style='all: unset; font-size: 9px'>a</button>"
        "<button style='all: unset; font-size: 9px'>b</button></div>"
    )
    found = {
        one.partition(":")[0] for one in violations(see(chromium, path, 390, True))
    }
    assert {"html-has-lang", "image-alt", "region", *PLACED} <= found
