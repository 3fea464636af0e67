"""What a large figure gives to take away: its picture, and how to cite it."""

from __future__ import annotations

import struct
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from tests.report.browser import CHROMIUM, ask

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium"),
    pytest.mark.xdist_group("page-browser"),
]

TAKEN = """
  const figure = document.querySelector("#fig-offload-latency");
  figure.closest(".figure-card").querySelector("button.enlarge").click();
  const tool = name => document.querySelector(`dialog [data-does=${name}]`);
  const saved = new Promise(done => {
    HTMLAnchorElement.prototype.click = function () {
      done([this.download, this.href]);
    };
  });
  const copied = new Promise(done => {
    const clipboard = { writeText: async text => done(text) };
    Object.defineProperty(navigator, "clipboard", { value: clipboard });
  });
  tool("png").click();
  tool("cite").click();
  const { width, height } = figure.querySelector("svg").viewBox.baseVal;
  const [name, picture] = await saved;
  const told = await copied;
  await Promise.resolve();
  return { name, picture, width, height, told,
    said: tool("cite").textContent, title: document.title, place: location.href };
"""


@pytest.fixture(scope="module")
def taken(
    tmp_path_factory: pytest.TempPathFactory, rendered_sample: Path
) -> dict[str, Any]:
    asked = {"taken": (rendered_sample / "index.html", 1440, TAKEN)}
    found: dict[str, Any] = ask(asked, tmp_path_factory.mktemp("dialog"))["taken"]
    return found


def test_the_picture_has_two_dots_for_each_pixel(taken: dict[str, Any]) -> None:
    kind, _, data = taken["picture"].partition(",")
    png = b64decode(data)
    size = struct.unpack(">II", png[16:24])
    pixels = [round(2 * side * 96 / 72) for side in (taken["width"], taken["height"])]

    assert (taken["name"], kind) == ("offload-latency.png", "data:image/png;base64")
    assert list(size) == pixels
    assert len(png) > 10_000, "the drawing is in it"


def test_the_citation_names_figure_report_and_place(taken: dict[str, Any]) -> None:
    assert " Figure\u00a01 Latency" in taken["told"]
    assert taken["title"] in taken["told"]
    assert taken["told"].endswith("/index.html#fig-offload-latency")
    assert taken["said"] == "Copied"


LAID_OUT = """
  const figure = document.querySelector("#fig-offload-latency");
  figure.querySelector("figcaption").append(" and more of the same".repeat(12));
  figure.closest(".figure-card").querySelector("button.enlarge").click();
  const dialog = document.querySelector("dialog.enlarged");
  const box = selector => dialog.querySelector(selector).getBoundingClientRect();
  const scroll = dialog.querySelector(".enlarged-scroll");
  const drawing = box(".enlarged-scroll > *");
  const tools = [...dialog.querySelectorAll(".enlarged-tools > *")]
    .filter(tool => tool.getClientRects().length)
    .map(tool => tool.getBoundingClientRect());
  return {
    rows: new Set(tools.map(tool => Math.round(tool.top))).size,
    right: Math.max(...tools.map(tool => tool.right), box("header p").right),
    name: box("header p").height,
    window: innerWidth,
    across: scroll.scrollWidth - scroll.clientWidth,
    left: drawing.left - scroll.getBoundingClientRect().left,
    after: scroll.getBoundingClientRect().left + scroll.clientWidth - drawing.right,
    width: drawing.width,
  };
"""


@pytest.fixture(scope="module")
def laid_out(
    tmp_path_factory: pytest.TempPathFactory, rendered_sample: Path
) -> dict[int, Any]:
    page, folder = rendered_sample / "index.html", tmp_path_factory.mktemp("laid-out")
    asked = {str(width): (page, width, LAID_OUT) for width in (390, 1440)}
    return {int(width): found for width, found in ask(asked, folder).items()}


@pytest.mark.parametrize(("width", "rows"), [(390, 2), (1440, 1)])
def test_a_long_caption_leaves_its_tools_their_room(
    laid_out: dict[int, Any], width: int, rows: int
) -> None:
    found = laid_out[width]

    assert found["rows"] <= rows
    assert found["right"] <= found["window"]
    assert found["name"] < 60, "two lines of it, the rest is left out"


@pytest.mark.parametrize("width", [390, 1440])
def test_a_large_figure_has_as_much_room_on_its_left_as_on_its_right(
    laid_out: dict[int, Any], width: int
) -> None:
    found = laid_out[width]

    assert found["across"] == 0
    assert abs(found["left"] - found["after"]) < 1
    assert found["width"] > 0.85 * found["window"]
