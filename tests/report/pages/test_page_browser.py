"""The page in a browser: its widths, search, contents, cards and large figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analysis.report.document.document import read_document
from analysis.report.outputs.html import html_page
from analysis.report.text.glossary import glossary_json, read_glossary
from tests.report.browser import CHROMIUM, ask, ask_alone
from tests.report.sample_document import edit, sample_document

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium"),
    pytest.mark.xdist_group("page-browser"),
]

WIDTHS = (390, 768, 1440)
OVERFLOW = """
  const page = document.scrollingElement;
  return { room: innerWidth, taken: page.scrollWidth };
"""
# What each probe may use: keys, the element of a selector, and a wait until something
# is so, at most for a while: the time in a headless browser runs by itself.
TOOLS = """
  const one = selector => document.querySelector(selector);
  const until = async so => {
    for (let left = 400; left && !so(); left--)
      await new Promise(done => setTimeout(done, 50));
  };
  const press = (key, on = document.activeElement) => on.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
"""
SEARCH = """
  press("/", document.body);
  const field = one("#search");
  const focused = document.activeElement === field;
  field.value = "segmentation offload";
  field.dispatchEvent(new Event("input"));
  const options = [...document.querySelectorAll("#found [role=option]")];
  const open = field.getAttribute("aria-expanded");
  press("ArrowDown");
  const second = field.getAttribute("aria-activedescendant");
  press("ArrowUp");
  press("Enter");
  const top = () => one(location.hash || "header").getBoundingClientRect().top;
  await until(() => location.hash === "#sec-offload" && top() < innerHeight);
  const hash = location.hash;
  const bar = one("header").getBoundingClientRect().bottom;
  const below = one(hash).getBoundingClientRect().top >= bar;
  const closed = field.getAttribute("aria-expanded");
  field.value = "no such words";
  field.dispatchEvent(new Event("input"));
  const said = one("#found-count");
  const nothing = said.textContent;
  const seen = said.getBoundingClientRect().height > 15;
  field.focus();
  field.value = "noise";
  field.dispatchEvent(new Event("input"));
  press("Escape");
  return {
    focused, open, second, hash, below, closed, nothing, seen,
    escaped: one("#found").hidden,
    texts: options.map(option => option.innerText),
    marks: [...options[0].querySelectorAll("mark")].map(mark => mark.textContent),
  };
"""
FIGURE = """
  const figure = one("#fig-offload-latency");
  const button = figure.closest(".figure-card").querySelector("button.enlarge");
  button.focus();
  button.click();
  const dialog = one("dialog");
  const drawing = dialog.querySelector("svg");
  const ids = [...document.querySelectorAll("[id]")].map(element => element.id);
  const shown = {
    open: dialog.open, name: dialog.querySelector("p").textContent,
    wide: drawing.getBoundingClientRect().width, room: innerWidth,
    twice: ids.filter((id, at) => ids.indexOf(id) !== at),
    drawings: figure.querySelectorAll("svg").length,
    tools: [...dialog.querySelectorAll(".enlarged-tools > :not([hidden])")]
      .map(tool => tool.textContent),
    cropped: drawing.getBoundingClientRect().left < 0,
  };
  const next = dialog.querySelector("[data-does=next]");
  if (!next.disabled) next.click();
  shown.moved = dialog.querySelector("p").textContent !== shown.name || next.disabled;
  one("dialog [data-does=previous]").click();
  dialog.close();
  await until(() => document.activeElement === button && !one("dialog svg"));
  return { ...shown, closed: !dialog.open, back: document.activeElement === button,
    taken: document.scrollingElement.scrollWidth };
"""
READING = """
  const current = () => one(".contents [aria-current]")?.hash;
  await until(current);
  const first = current();
  one("#sec-offload-results").scrollIntoView();
  await until(() => current() === "#sec-offload-results");
  const item = one(".contents [aria-current]").closest("li");
  const folded = [...document.querySelectorAll(".contents li > ul")]
    .filter(list => list.getBoundingClientRect().height === 0).length;
  const other = [...document.querySelectorAll(".contents .twist")]
    .find(twist => twist.getAttribute("aria-expanded") === "false");
  other.click();
  return { first, then: current(), folded, label: other.getAttribute("aria-label"),
    unfolded: other.getAttribute("aria-expanded"),
    chapter: item.parentElement.closest("li").classList.contains("open") };
"""
CARDS = """
  const card = one(".note-card");
  const term = one("a.term");
  term.click();
  const open = card.matches(":popover-open");
  const text = card.innerText;
  const inside = card.contains(document.activeElement);
  card.hidePopover();
  await until(() => document.activeElement === term);
  return { open, text, inside, back: document.activeElement === term };
"""
ANCHORS = """
  const named = "main :is(h2, h3, h4)[id], main figure[id]";
  const missing = [...document.querySelectorAll(named)]
    .filter(target => {
      const leads = `.anchor[href="#${target.id}"]`;
      const heading = !target.matches("figure"); // its words are read without the link
      if (heading && target.querySelector(".anchor")) return true;
      const after = target.nextElementSibling;
      return !(heading ? after?.matches(leads) : target.querySelector(leads));
    });
  return { missing: missing.map(target => target.id),
    tables: document.querySelectorAll(".table-scroll + .anchor").length };
"""
STACKED = """
  const boxes = [...document.querySelectorAll(".table-scroll")];
  const table = one("#tbl-noise-changes");
  const head = cell => getComputedStyle(cell, "::before").content;
  const { left, right } = table.getBoundingClientRect();
  return { hidden: boxes.filter(box => box.scrollWidth > box.clientWidth).length,
    boxes: boxes.length, room: innerWidth, left, right,
    names: [...table.tHead.rows[0].cells].map(cell => cell.textContent).slice(2),
    heads: [...table.tBodies[0].rows[0].cells].map(head).slice(2) };
"""
THEME = """
  const button = one("#theme");
  const state = () => [document.documentElement.dataset.theme, button.textContent];
  const pressed = () => { button.click(); return state(); };
  return [state(), pressed(), pressed()];
"""
PROBES = {
    "theme": (1440, THEME),
    "search": (1440, SEARCH),
    "search-phone": (390, SEARCH),
    "figure-phone": (390, FIGURE),
    "reading": (1440, READING),
    "anchors": (1440, ANCHORS),
    "tables-phone": (390, STACKED),
    "tables": (1440, STACKED),
}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory, fonts: Path) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("browser")
    page = folder / "index.html"
    document = read_document(with_terms(folder / "document"))
    page.write_bytes(html_page(document, fonts))
    broken = folder / "broken.html"
    text = page.read_text(encoding="utf-8")
    wide = '<div style="width: 2000px">wide</div></main>'
    broken.write_text(text.replace("</main>", wide), encoding="utf-8")
    asked = {f"wide-{width}": (page, width, OVERFLOW) for width in WIDTHS}
    asked["broken"] = (broken, 390, OVERFLOW)
    asked |= {n: (page, w, TOOLS + probe) for n, (w, probe) in PROBES.items()}
    alone = {"figure": FIGURE, "cards": CARDS}
    return ask(asked, folder) | {
        name: ask_alone(page, 1440, TOOLS + probe, folder)
        for name, probe in alone.items()
    }


def with_terms(folder: Path) -> Path:
    """The sample document with a glossary of one term."""
    document = sample_document(folder)
    (folder / "glossary.yaml").write_text("RR: {name: Request, means: One by one.}\n")
    terms = read_glossary(folder)
    (folder / "glossary.json").write_text(glossary_json(terms), encoding="utf-8")
    entry = "# Glossary {#sec-glossary}\n\n[RR]{#term-rr}\n\n:   One by one.\n\n"
    edit(document, "# References", f"{entry}# References")
    edit(document, "Interactive work does", "Interactive work (RR) does")
    return document


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_page(answers: dict[str, Any], width: int) -> None:
    found = answers[f"wide-{width}"]
    assert found["room"] == width
    assert found["taken"] <= width


def test_what_is_too_wide_is_seen(answers: dict[str, Any]) -> None:
    assert answers["broken"]["taken"] > answers["broken"]["room"]


@pytest.mark.parametrize("name", ["search", "search-phone"])
def test_search_finds_and_goes_by_keyboard(answers: dict[str, Any], name: str) -> None:
    found = answers[name]
    assert found["focused"]
    assert (found["open"], found["second"], found["closed"]) == (
        "true", "found-1", "false",
    )  # fmt: skip
    assert found["texts"][0].startswith("6 Segmentation offload: on versus off")
    assert any("6.1 Background" in text and "kernel" in text for text in found["texts"])
    assert {mark.lower() for mark in found["marks"]} == {"segmentation", "offload"}
    assert found["hash"] == "#sec-offload"
    assert found["below"]
    assert found["nothing"] == "Nothing found"
    assert found["seen"]
    assert found["escaped"]


@pytest.mark.parametrize("name", ["figure", "figure-phone"])
def test_a_figure_enlarges(answers: dict[str, Any], name: str) -> None:
    found = answers[name]
    assert found["open"]
    assert found["closed"]
    assert found["name"].startswith("Figure\u00a01 Latency")
    assert found["wide"] > found["room"] * 0.85
    assert not found["cropped"]
    assert found["drawings"] == 1
    assert found["tools"][:2] == ["Previous", "Next"]
    assert {"SVG", "PNG", "CSV", "Copy citation", "Close"} >= set(found["tools"][2:])
    assert found["moved"]
    assert found["twice"] == []
    assert found["taken"] <= found["room"]


def test_a_figure_gives_the_focus_back(answers: dict[str, Any]) -> None:
    assert answers["figure"]["back"]


def test_the_contents_follow_the_reading(answers: dict[str, Any]) -> None:
    found = answers["reading"]
    assert found["first"] == "#sec-notices"
    assert found["then"] == "#sec-offload-results"
    assert found["chapter"]
    assert found["folded"] >= 2
    assert found["label"].startswith("Sections of ")
    assert found["unfolded"] == "true"


def test_numbers_and_terms_open_a_card(answers: dict[str, Any]) -> None:
    found = answers["cards"]
    assert found["open"]
    assert found["inside"]
    assert found["back"]
    assert "One by one." in found["text"]


def test_on_a_phone_tables_show_all_columns_with_their_heads(
    answers: dict[str, Any],
) -> None:
    found = answers["tables-phone"]
    assert (found["hidden"], found["boxes"] > 5) == (0, True)
    assert 0 <= found["left"] < found["right"] <= found["room"]
    assert found["heads"] == [f'"{name}"' for name in found["names"]]
    assert {*answers["tables"]["heads"]} == {"none"}


def test_headings_figures_and_tables_have_links_to_copy(
    answers: dict[str, Any],
) -> None:
    assert answers["anchors"]["missing"] == []
    assert answers["anchors"]["tables"] >= 5


def test_a_button_switches_the_theme_and_says_to_which(
    answers: dict[str, Any],
) -> None:
    begun, dark, light = answers["theme"]
    assert begun[1] == "Dark"
    assert (dark, light) == (["dark", "Light"], ["light", "Dark"])
