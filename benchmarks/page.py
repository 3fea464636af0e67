"""How heavy the pages of the built editions are, and how soon a reader can use them.

Of each page: bytes, elements, how far it moves while it loads (a sum, as browsers
report it), how often Tab is pressed until the text, and when it answers on a phone
whose processor is four times slower: the median of three visits after a first one that
is not counted, since a browser that has just started takes seconds for its own work. Of
each edition: words, pages of its PDF, and how often its page prints the same fact.
"""

from __future__ import annotations

import statistics
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from lxml import html

from benchmarks.project import ROOT
from tests.report.beside.test_reader_tasks import stops
from tests.report.browser import CHROMIUM
from tests.report.devtools import Browser, Page, browser
from tests.report.paper import Paper

BUILDS = ROOT / "report/build"
NAMES = ("index.html", "explorer.html", "facts.html")
PHONE, DESK, SLOW = 390, 1440, 4
VISITS = 3  # after one that is not counted
# Data, drawings, and what a draft folds away are no text that is read.
_UNREAD = (
    ".//script | .//style | .//*[local-name()='svg'] | .//details[@class='workshop']"
)
OFTEN = 3  # times: the summary, the answer and the observations of a study
_ASKED = """document.fonts.ready.then(() => ({
  moved, elements: document.querySelectorAll("*").length,
  ready: performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd }))"""


def measure(page: Path, running: Browser) -> str:
    """One line of a page's numbers."""
    url = page.as_uri()
    phone = running.open(url, PHONE, slow=SLOW)
    visits = [_visit(phone, url) for _ in range(VISITS)]
    on_phone = stops(phone)
    phone.close()
    ready = statistics.median(visit["ready"] for visit in visits)
    desk = running.open(url, DESK)
    quick = desk.ask(_ASKED)
    on_desk = stops(desk)
    desk.close()
    moved = max(visit["moved"] for visit in (*visits, quick))
    return (
        f"{page.relative_to(BUILDS)}: {page.stat().st_size / 1e6:.2f} MB, "
        f"{quick['elements']:,} elements, moves {moved:.3f}, "
        f"{on_phone} and {on_desk} stops to the text, "
        f"ready after {ready / 1000:.2f} s on a slow phone"
    )


def _visit(tab: Page, url: str) -> dict[str, Any]:
    tab.go(url)
    return dict(tab.ask(_ASKED))


def amount(page: Path) -> str:
    """One line: how much there is to read in an edition, and what is said again."""
    text = html.document_fromstring(page.read_bytes()).find(".//*[@id='text']")
    if text is None:
        return f"{page.parent.name}: no page to read, slides alone"
    keys = [key for link in text.find_class("value") for key in _keys(link)]
    often = [count for _, count in Counter(keys).most_common() if count > OFTEN]
    most = max(Counter(keys).values(), default=0)
    for unread in text.xpath(_UNREAD):
        unread.drop_tree()
    words = len(text.text_content().split())
    papers = [Paper(path) for path in sorted(page.parent.glob("*.pdf"))]
    faults = [fault for paper in papers for fault in paper.faults()]
    pages = sum(len(paper.words) for paper in papers)
    return (
        f"{page.parent.name}: {words:,} words, {pages} pages of PDF, "
        f"{len(faults)} of them broken at a bad place, "
        f"{len(often)} of {len(set(keys)):,} facts printed more than {OFTEN} times, "
        f"one {most} times"
    )


def _keys(link: html.HtmlElement) -> list[str]:
    return str(link.get("data-keys") or "").split()


def main() -> None:
    """Print a line for each built edition and for each of its pages."""
    for page in sorted(BUILDS.glob("*/index.html")):
        print(amount(page))
    if not CHROMIUM:
        print("pages: not measured, Chromium is not installed")
        return
    with tempfile.TemporaryDirectory() as folder, browser(Path(folder)) as running:
        for page in sorted(p for n in NAMES for p in BUILDS.glob(f"*/{n}")):
            print(measure(page, running))


if __name__ == "__main__":
    main()
