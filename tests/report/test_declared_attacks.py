"""Declared texts that try to become code: refused at their place, or shown as text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
import yaml
from lxml import html

from analysis.declared.edition import read_edition
from analysis.errors import UserError
from analysis.report.document.document import read_document
from analysis.report.material import Sources
from analysis.report.outputs.html import html_page
from analysis.report.pages.safe_page import check_active, check_policy
from tests.handed_over import hand_over
from tests.report.attacked import change, document, skeleton, strange, titles
from tests.report.attacks import (
    ADDRESSES,
    DATES,
    INERT,
    LANGUAGES,
)
from tests.report.browser import CHROMIUM, ask
from tests.report.conftest import make_project

pytestmark = pytest.mark.xdist_group("declared-attacks")
ROUNDS = 5
ROUND = [INERT[start::ROUNDS] for start in range(ROUNDS)]
# Every event of a handler, every link that is a script; then what was called.
PROVOKE = """
  const elements = [...document.querySelectorAll("*")];
  for (const element of elements)
    for (const { name } of element.attributes)
      if (name.startsWith("on")) element.dispatchEvent(new Event(name.slice(2)));
  for (const link of document.querySelectorAll("a[href^='javascript' i]")) link.click();
  await new Promise(done => setTimeout(done, 50));
  return { called: globalThis.called, found: elements.length };
"""
Page = Callable[[int], Path]
CALLED = (
    "<script>globalThis.called = [];"
    "globalThis.alert = what => called.push(String(what));</script>"
)


def plant(project: Sources, texts: Sequence[str]) -> None:
    """Put the texts into every declared field that a report shows."""
    one, title = cycle(texts), cycle(titles(texts))
    folder = project.report / "small"
    (folder / "front/empty.md").write_text("Nothing.\n", encoding="utf-8")

    def edition(data: Any) -> None:
        data["title"] = next(title)
        for name in ("subtitle", "number", "description"):
            data[name] = next(one)
        data["authors"] = data["keywords"] = list(texts)
        data["front"] += [
            {"id": f"s{n}", "title": text, "file": "front/empty.md"}
            for n, text in enumerate(titles(texts))
        ]

    def study(data: Any) -> None:
        data["title"], data["question"] = next(title), next(one)
        for figure in data["figures"]:
            figure["question"], figure["alt"] = next(one), next(one)
        data["figures"][0]["caption"] = next(one)

    def campaign(data: Any) -> None:
        data["title"], data["licence"] = next(one), next(one)
        data["measured"] |= {"by": next(one), "how": next(one)}
        for configuration in data["configurations"].values():
            configuration["label"] = next(one)
            configuration["details"] = {text: next(one) for text in texts}

    change(folder / "edition.yaml", edition)
    change(folder / "studies/speed/study.yaml", study)
    change(project.raw / "lab/campaign.yaml", campaign)
    hand_over(project.raw, project.facts)
    terms = {f"T{n}": {"name": t, "means": t} for n, t in enumerate(texts)}
    (folder / "glossary.yaml").write_text(yaml.safe_dump(terms), encoding="utf-8")
    for about in project.figures.glob("*/figure.json"):
        words = json.loads(about.read_text("utf-8")) | {"alt": next(one)}
        about.write_text(json.dumps(words), encoding="utf-8")


@pytest.fixture(scope="module")
def page_of(tmp_path_factory: pytest.TempPathFactory, fonts: Path) -> Page:
    """The page of a round, made once."""

    @cache
    def page(number: int) -> Path:
        folder = tmp_path_factory.mktemp(f"round-{number}")
        project = make_project(folder)
        plant(project, ROUND[number])
        source = read_document(document(project, folder / "document"))
        (folder / "page.html").write_bytes(html_page(source, fonts))
        return folder / "page.html"

    return page


@pytest.mark.parametrize("number", range(ROUNDS))
def test_every_field_shows_what_it_was_given(number: int, page_of: Page) -> None:
    root = html.fromstring(page_of(number).read_bytes())
    assert [*check_active(root), *check_policy(root)] == []
    assert list(strange(root)) == []
    words = skeleton(root.text_content())
    missing = [text for text in ROUND[number] if skeleton(text) not in words]
    assert missing == []


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt install chromium")
def test_a_browser_runs_none_of_it(page_of: Page, tmp_path: Path) -> None:
    probes = {}
    for number in range(ROUNDS):
        text = page_of(number).read_text("utf-8")
        # without the policy, which would stop it as well
        text = re.sub(r"<meta http-equiv=[^>]*>", CALLED, text, count=1)
        copy = tmp_path / f"{number}.html"
        copy.write_text(text, encoding="utf-8")
        probes[str(number)] = copy, 1000, PROVOKE
    caught = tmp_path / "caught.html"
    caught.write_text(
        f"<html><head>{CALLED}</head><body><p onclick='alert(1)'>x</p></body></html>"
    )
    said = ask(probes | {"caught": (caught, 1000, PROVOKE)}, tmp_path)
    assert said.pop("caught")["called"] == ["1"]  # the probe finds what runs
    assert {name: answer["called"] for name, answer in said.items()} == {
        name: [] for name in said
    }
    assert all(answer["found"] > 500 for answer in said.values())


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt install chromium")
def test_the_policy_stops_what_would_run(page_of: Page, tmp_path: Path) -> None:
    text = page_of(0).read_text("utf-8")
    hostile = (
        "<p onclick='document.title = 1' id=own>x</p>"
        "<script>document.title = 2</script>"
        "<img src=x onerror='document.title = 3'>"
    )
    page = tmp_path / "hostile.html"
    page.write_text(text.replace("<main", f"{hostile}<main"), encoding="utf-8")
    probe = """
      document.body.insertAdjacentHTML("beforeend", "<p id=then onclick='x()'>x</p>");
      document.getElementById("own").click();
      await new Promise(done => setTimeout(done, 50));
      const refused = [...errors];
      errors.length = 0;
      return { title: document.title, refused: refused.length };
    """
    said = ask({"hostile": (page, 1000, probe)}, tmp_path)["hostile"]
    assert said["title"] not in ("1", "2", "3")
    assert said["refused"] >= 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("repo-url", value) for value in ADDRESSES),
        *(("language", value) for value in LANGUAGES),
        *(("date", value) for value in DATES),
        ("status", "<script>alert(1)</script>"),
    ],
)
def test_what_is_no_such_value_is_refused(
    project: Sources, field: str, value: str
) -> None:
    path = project.report / "small/edition.yaml"
    change(path, lambda data: data.update({field: value}))
    line = path.read_text("utf-8").split(f"\n{field}:")[0].count("\n") + 2
    with pytest.raises(UserError, match=re.escape(f"{path}:{line}: ")):
        read_edition(path.parent)
