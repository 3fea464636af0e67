"""What a large figure gives to take away: its picture, and how to cite it."""

from __future__ import annotations

import struct
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from analysis.report.engines.pandoc import PandocEngine
from tests.report.browser import CHROMIUM, ask
from tests.report.sample_document import sample_document

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="Chromium is not installed"),
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
def taken(tmp_path_factory: pytest.TempPathFactory, fonts: Path) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("dialog")
    page = folder / "out/index.html"
    PandocEngine(fonts).render(sample_document(folder / "document"), page.parent)
    found: dict[str, Any] = ask({"taken": (page, 1440, TAKEN)}, folder)["taken"]
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
