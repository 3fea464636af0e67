"""Marks of figures in a browser: what one is passed by, clicked and led to shows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.report.browser import CHROMIUM
from tests.report.devtools import Browser, Page

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium"),
    pytest.mark.xdist_group("page-browser"),
]
CARD = ".figure-card:has(#fig-offload-latency)"
MARKS = f"{CARD} rect[data-keys]"
SHOWN = "document.querySelector('.note-card:popover-open')"
TOOL = f"[...document.querySelectorAll('{CARD} .marks-tools button')]"


WORKLOADS = ("RR1(100B)", "RR10(100B)")


def with_marks(page: str) -> str:
    """A page whose figure has two marks, each in both drawings, and their facts."""
    marks = "".join(
        f'<rect x="0" y="{10 * n}" width="200" height="9" fill="none"'
        f' pointer-events="all" data-keys="k{n}" data-of="{name}"/>'
        for n, name in enumerate(WORKLOADS)
    )
    figure = page.index('id="fig-offload-latency"')
    body = page[figure:].replace("</svg>", f"{marks}</svg>", 2)
    facts = {
        f"k{n}": {
            "at": "trace", "name": f"Latency, {name}", "sides": "5 → 4 µs",
            "printed": "−20%", "exact": "−20 %", "interval": "−22 to −18% at 95%",
            "n": "10", "rule": 0, "files": 0, "rows": [],
        }
        for n, name in enumerate(WORKLOADS)
    }  # fmt: skip
    texts = ["ratio of medians"]
    known = {"files": [[]], "claims": {}, "facts": facts, "texts": texts}
    data = json.dumps({"about": {}} | known)
    cards = f'<script type="application/json" id="cards">{data}</script></body>'
    return (page[:figure] + body).replace("</body>", cards)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, rendered_sample: Path) -> str:
    page = tmp_path_factory.mktemp("marks") / "index.html"
    text = (rendered_sample / "index.html").read_text(encoding="utf-8")
    page.write_text(with_marks(text), encoding="utf-8")
    return page.as_uri()


@pytest.fixture
def page(running: Browser, address: str) -> Iterator[Page]:
    found = running.open(address)
    yield found
    found.close()


def test_arrow_keys_lead_to_marks_and_enter_opens_a_card(page: Page) -> None:
    page.ask(f"document.querySelector('{CARD} .drawing').focus()")
    page.press("ArrowDown")
    page.until(SHOWN)
    brief = page.ask(f"{SHOWN}.innerText")
    assert "→" in brief, "both sides"
    assert " at 95%" in brief, "the interval"
    assert "n = " in brief
    assert "Formula" not in brief
    page.press("Enter")
    page.until(f"{SHOWN}?.innerText.includes('Formula')")


def test_a_click_on_a_mark_opens_its_card_and_enlarges_nothing(page: Page) -> None:
    page.click(MARKS)
    page.until(f"{SHOWN}?.innerText.includes('Formula')")
    assert not page.ask("document.querySelector('dialog[open]')")


def test_a_figure_is_a_table_of_its_marks_and_a_chart_again(page: Page) -> None:
    page.ask(f"{TOOL}[0].click()")
    rows = page.ask(f"document.querySelectorAll('{CARD} .marks-table tbody tr').length")
    assert rows == page.ask(f"document.querySelectorAll('{MARKS}').length") > 1
    assert page.ask(f"document.querySelector('{CARD} .drawing').hidden")
    page.ask(f"{TOOL}[0].click()")
    assert not page.ask(f"document.querySelector('{CARD} .drawing').hidden")
    assert not page.ask(f"document.querySelector('{CARD} .marks-table')")


def test_one_workload_is_shown_and_the_others_are_pale(page: Page) -> None:
    wanted = page.ask(f"document.querySelector('{MARKS}').dataset.of")
    page.ask(
        f"(select => {{ select.value = '{wanted}';"
        " select.dispatchEvent(new Event('change')) })"
        f"(document.querySelector('{CARD} select'))"
    )
    pale = f"[...document.querySelectorAll('{MARKS}.off')].map(m => m.dataset.of)"
    assert page.ask(pale)
    assert wanted not in page.ask(pale)


def test_a_figure_stands_alone_in_another_page(page: Page, address: str) -> None:
    page.go(f"{address}?figure=fig-offload-latency")
    page.until("document.documentElement.dataset.alone === ''")
    assert page.ask("document.querySelectorAll('figure').length") == 1
    assert not page.ask("document.querySelector('nav')")
    page.click(MARKS)
    page.until(f"{SHOWN}?.innerText.includes('Formula')")
