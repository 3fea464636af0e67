"""How heavy built pages are, and how soon a reader can use them."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.cost import Numbers
from tests.report.amount import amount
from tests.report.browser import CHROMIUM
from tests.report.devtools import browser

PAGES = ("index.html", "explorer.html", "facts.html")
PHONE, SLOW = 390, 4  # CSS pixels; how many times slower its processor is
_MEASURED = """document.fonts.ready.then(() => ({
  elements: document.querySelectorAll("*").length,
  ready: performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd }))"""


def measure(build: Path) -> Numbers:
    """Words and pages of an edition, and of each of its pages MB, elements and, where
    Chromium is installed, seconds until it answers on a slow phone.

    A first visit is not counted, as a browser that has just started takes seconds for
    its own work.
    """
    reading = amount(build / "index.html")
    numbers: Numbers = {
        "words": reading.words,
        "pages of PDF": reading.pages,
        "bad page breaks": len(reading.faults),
    }
    pages = [page for name in PAGES if (page := build / name).exists()]
    for page in pages:
        numbers[f"{page.name}, MB"] = page.stat().st_size / 1e6
    if not CHROMIUM:
        return numbers
    with (
        # Parts of the browser write for a moment after it was asked to end.
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        browser(Path(folder)) as running,
    ):
        for page in pages:
            tab = running.open(page.as_uri(), PHONE, slow=SLOW)
            tab.go(page.as_uri())
            answer = tab.ask(_MEASURED)
            tab.close()
            numbers[f"{page.name}, elements"] = answer["elements"]
            numbers[f"{page.name}, s until ready"] = answer["ready"] / 1000
    return numbers
