"""What readers come for, done in a real browser: few clicks, at both widths."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.report.browser import CHROMIUM
from tests.report.devtools import Browser, Page

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium"),
    pytest.mark.xdist_group("page-browser"),
]
WIDTHS = (390, 1440)
MOST_CLICKS = 3
MOST_STOPS = 10
MOST_SHIFT = 0.05
SMALL_TARGETS = """[...document.querySelectorAll("button, select, input, .bar a")]
  .filter(one => one.checkVisibility() && one.getClientRects().length)
  .filter(one => one.getBoundingClientRect().height < 24)
  .map(one => one.outerHTML)"""
RAW_LINKS = """[...document.querySelectorAll(".note-card li a")]
  .map(link => link.getAttribute("href"))"""
ROWS_WITHOUT_HEAD = """[...document.querySelectorAll("main tbody tr")]
  .filter(row => !row.querySelector("th") && row.closest("table").tHead
    && !row.parentElement.querySelector("th[rowspan]")).length"""


@pytest.fixture
def chromium(running: Browser) -> Iterator[Callable[[Path, int], Page]]:
    """Opens a page in a tab, which is closed when its test ends."""
    opened: list[Page] = []

    def open_page(path: Path, width: int) -> Page:
        opened.append(running.open(path.as_uri(), width))
        return opened[-1]

    yield open_page
    for page in opened:
        page.close()


def worse(page: Page, pages: Path) -> None:
    """Which workloads got worse?"""
    page.click(".bar a[href='explorer.html']")
    page.until(
        "document.readyState === 'complete'"
        " && location.pathname.endsWith('explorer.html')"
        " && document.querySelector('.explorer th button')"
    )
    page.ask("document.getElementById('by-verdict').focus()")
    page.ask(
        "(one => { one.value = 'regressed';"
        " one.dispatchEvent(new Event('input')); })"
        "(document.getElementById('by-verdict'))"
    )
    page.clicks += 1
    page.until("location.search.includes('verdict=regressed')")  # rows wait a moment
    shown = "[...document.querySelectorAll('tbody tr')].map(row => row.textContent)"
    page.until(f"{shown}.every(words => words.includes('regressed'))")
    assert page.ask(shown)


def raw_file(page: Page, pages: Path) -> None:
    """From which file is this number?"""
    page.click("main p a.value:not([data-keys*=' '])")  # an average has parts
    page.click(".note-card summary")
    said = page.ask("document.querySelector('.note-card').innerText")
    assert "lab/run/a.log" in said
    assert "median of runs" in said


def data(page: Page, pages: Path) -> None:
    """The numbers of a figure."""
    link = ".figure-card a[href$='.csv']"
    page.ask(f"document.querySelector({link!r}).scrollIntoView()")
    page.click(link)
    name = page.ask(f"document.querySelector({link!r}).getAttribute('href')")
    assert (pages / name).read_text("utf-8").startswith("workload,")


def cite(page: Page, pages: Path) -> None:
    """How is this section cited?"""
    page.click("main h2 + a.anchor")
    said = page.ask("document.querySelector('.cite-card').textContent")
    build = page.ask("document.querySelector('meta[name=build]').content")
    assert "@techreport{" in said
    assert build in said
    assert '"type": "report"' in said


def cost(page: Page, pages: Path) -> None:
    """What does it cost to move to the new one?"""
    page.click("#search")
    page.write("what does it cost to move to the new")
    page.until("document.querySelector('#found [role=option]')")
    page.press("Enter")
    page.clicks += 1
    there = page.ask("location.hash")
    assert there.startswith(("#sec-speed", "#fig-speed", "#tbl-speed"))


def test_a_card_leads_to_raw_files_where_the_release_carries_them(
    pages: Path, tmp_path: Path, chromium: Callable[[Path, int], Page]
) -> None:
    release = tmp_path / "releases/small/0123456789ab"
    shutil.copytree(pages, release)
    page = release / "index.html"
    text = page.read_text("utf-8")
    assert '"raw":false' in text
    for carried, links in ((False, []), (True, ["raw/lab/run/a.log"])):
        page.write_text(text.replace('"raw":false', f'"raw":{str(carried).lower()}'))
        shown = chromium(page, WIDTHS[1])
        raw_file(shown, release)
        assert shown.ask(RAW_LINKS) == links
    page.rename(pages / "index.html")
    at_home = chromium(pages / "index.html", WIDTHS[1])
    raw_file(at_home, pages)
    assert at_home.ask(RAW_LINKS) == []


def test_a_card_stays_within_the_window_and_open_while_it_is_scrolled(
    pages: Path, chromium: Callable[[Path, int], Page]
) -> None:
    box = "document.querySelector('.note-card').getBoundingClientRect()"
    for width in WIDTHS:
        for block in ("start", "end"):
            page = chromium(pages / "index.html", width)
            page.ask(
                "const style = document.createElement('style');"
                "style.textContent = '.note-card li { height: 900px }';"  # many files
                "document.head.append(style);"
                f"document.querySelector('main p a.value').scrollIntoView('{block}')"
            )
            page.click("main p a.value:not([data-keys*=' '])")
            page.click(".note-card summary")
            page.until(f"{box}.bottom <= innerHeight && {box}.top >= 0")
            assert page.ask(f"{box}.left >= 0 && {box}.right <= innerWidth")
            card = "document.querySelector('.note-card')"
            assert page.ask(f"{card}.scrollHeight > {card}.clientHeight")
            page.ask("scrollBy(0, -200); scrollBy(0, 300)")
            page.ask("new Promise(done => setTimeout(done, 200))")
            assert page.ask(f"{card}.matches(':popover-open')")


def test_a_card_shows_the_runs_of_both_sides_as_dots_and_in_words(
    pages: Path, chromium: Callable[[Path, int], Page]
) -> None:
    page = chromium(pages / "index.html", WIDTHS[0])
    page.click("main p a.value:not([data-keys*=' '])")
    dots = "[...document.querySelectorAll('.card-dots[aria-hidden=true]')]"
    counts = f"{dots}.map(one => one.querySelectorAll('circle').length)"
    assert page.ask(counts) == [2, 2]
    said = page.ask("document.querySelector('.card-runs').innerText")
    assert "The old one" in said
    assert "2 runs, 900 to 1,100 µs" in said


TASKS = [worse, raw_file, data, cite, cost]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: str(task.__name__))
def test_a_reader_needs_few_clicks(
    pages: Path,
    chromium: Callable[[Path, int], Page],
    task: Callable[[Page, Path], None],
) -> None:
    for width in WIDTHS:
        page = chromium(pages / "index.html", width)
        task(page, pages)
        assert 0 < page.clicks <= MOST_CLICKS


@pytest.mark.parametrize("name", ["index.html", "explorer.html", "facts.html"])
def test_pages_are_still_quick_to_enter_and_easy_to_hit(
    pages: Path, chromium: Callable[[Path, int], Page], name: str
) -> None:
    for width in WIDTHS:
        page = chromium(pages / name, width)
        assert page.ask("document.fonts.ready.then(() => moved)") < MOST_SHIFT
        assert stops(page) <= MOST_STOPS
        assert page.ask(SMALL_TARGETS) == []
        assert page.ask(ROWS_WITHOUT_HEAD) == 0
        assert page.ask("document.scrollingElement.scrollWidth") <= width


def stops(page: Page) -> int:
    """How many times Tab is pressed until the text has the focus."""
    for count in range(1, 2 * MOST_STOPS):
        page.press("Tab")
        if page.ask("Boolean(document.activeElement.closest('main'))"):
            return count
    return 2 * MOST_STOPS
