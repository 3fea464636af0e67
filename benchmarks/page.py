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
from pathlib import Path
from typing import Any

from benchmarks.project import ROOT
from tests.report.amount import amount
from tests.report.beside.test_reader_tasks import stops
from tests.report.browser import CHROMIUM
from tests.report.devtools import Browser, Page, browser

BUILDS = ROOT / "report/build"
NAMES = ("index.html", "explorer.html", "facts.html")
PHONE, DESK, SLOW = 390, 1440, 4
VISITS = 3  # after one that is not counted
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


def main() -> None:
    """Print a line for each built edition and for each of its pages."""
    for page in sorted(BUILDS.glob("*/index.html")):
        print(amount(page).said)
    if not CHROMIUM:
        print("pages: not measured, Chromium is not installed")
        return
    with tempfile.TemporaryDirectory() as folder, browser(Path(folder)) as running:
        for page in sorted(p for n in NAMES for p in BUILDS.glob(f"*/{n}")):
            print(measure(page, running))


if __name__ == "__main__":
    main()
