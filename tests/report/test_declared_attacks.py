"""Declared texts that try to become code: refused at their place, or shown as text."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

import pypandoc
import pytest
import yaml
from lxml import etree, html

from analysis.campaign import read_campaign
from analysis.edition import read_edition
from analysis.errors import UserError
from analysis.fact import RunCount, read_facts, write_facts
from analysis.figures.svg import tidy_svg
from analysis.publish.active import check_active, check_drawing, check_policy
from analysis.report.assemble import assemble
from analysis.report.bibliography import check_bibliography
from analysis.report.campaign_tables import hardware_table, systems_table
from analysis.report.checked import check_texts
from analysis.report.document import read_document
from analysis.report.index import Entry, index_page
from analysis.report.material import Sources, read_material
from analysis.report.pandoc_engine import PandocEngine
from analysis.report.review.state import reviews
from analysis.report.run_tables import excluded_table
from analysis.report.tables import Notes, attribute, escape
from tests.report.attacks import (
    ADDRESSES,
    DATES,
    INERT,
    LANGUAGES,
    LINKS_OF_REFERENCES,
    UNSEEN,
)
from tests.report.browser import CHROMIUM, ask
from tests.report.conftest import ROOT

ROUNDS = 5
ROUND = [INERT[start::ROUNDS] for start in range(ROUNDS)]
READER = "markdown-raw_html-raw_tex-raw_attribute-native_divs-native_spans"
TEXT = {"Str", "Space", "SoftBreak", "Quoted", "SingleQuote", "DoubleQuote"}
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
CALLED = (
    "<script>globalThis.called = [];"
    "globalThis.alert = what => called.push(String(what));</script>"
)

Change = Callable[[Any], None]


def change(path: Path, how: Change) -> None:
    """Load a declaration, change it, and write it again."""
    data = yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
    how(data)
    path.write_text(yaml.safe_dump(data, allow_unicode=True, sort_keys=False), "utf-8")


def plant(project: Sources, texts: Sequence[str]) -> None:
    """Put the texts into every declared field that a report shows."""
    one = cycle(texts)
    folder = project.report / "small"
    (folder / "front/empty.md").write_text("Nothing.\n", encoding="utf-8")

    def edition(data: Any) -> None:
        for name in ("title", "subtitle", "number", "description"):
            data[name] = next(one)
        data["authors"] = data["keywords"] = list(texts)
        data["front"] += [
            {"id": f"s{n}", "title": text, "file": "front/empty.md"}
            for n, text in enumerate(texts)
        ]

    def study(data: Any) -> None:
        data["title"], data["question"] = next(one), next(one)
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
    terms = {f"T{n}": {"name": t, "means": t} for n, t in enumerate(texts)}
    (folder / "glossary.yaml").write_text(yaml.safe_dump(terms), encoding="utf-8")
    facts = read_facts(project.facts)
    warned = tuple(replace(fact, warnings=(next(one),)) for fact in facts.facts)
    write_facts(replace(facts, facts=warned), project.facts)
    for about in project.figures.glob("*/figure.json"):
        words = json.loads(about.read_text("utf-8")) | {"alt": next(one)}
        about.write_text(json.dumps(words), encoding="utf-8")


def document(project: Sources, out: Path) -> Path:
    """The document of the edition, assembled."""
    checked = check_texts(read_material("small", project))
    assemble(checked, reviews(checked), project.templates, out)
    return out


def skeleton(text: str) -> str:
    """What no typographic sign changes."""
    return re.sub(r"[^A-Za-z0-9<>(){}\[\]=/]", "", text)


@pytest.fixture(scope="module")
def pages() -> dict[int, Path]:
    """The pages of earlier tests, for the browser."""
    return {}


@pytest.mark.parametrize("number", range(ROUNDS))
def test_every_field_shows_what_it_was_given(
    number: int,
    project: Sources,
    fonts: Path,
    pages: dict[int, Path],
    tmp_path: Path,
) -> None:
    plant(project, ROUND[number])
    source = read_document(document(project, tmp_path / "document"))
    page = PandocEngine(fonts).page(source)
    (tmp_path / "page.html").write_bytes(page)
    pages[number] = tmp_path / "page.html"
    root = html.fromstring(page)
    assert [*check_active(root), *check_policy(root)] == []
    assert list(strange(root)) == []
    words = skeleton(root.text_content())
    missing = [text for text in ROUND[number] if skeleton(text) not in words]
    assert missing == []


def strange(root: Any) -> Iterator[tuple[str, str, str]]:
    """Attributes and elements that a report never has; found without the gate."""
    for element in root.iter("script", "iframe", "object", "embed", "base", "form"):
        if element.tag != "script" or element.getparent().tag != "head":
            yield element.tag, "", ""
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        for name, value in element.attrib.items():
            leads = name in ("href", "src") or name.endswith(":href")
            fine = re.match(r"#|https?://|data:(?:text/csv|image/svg)|[\w./-]+$", value)
            if name.startswith("on") or name == "srcdoc" or (leads and not fine):
                yield element.tag, name, value


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
def test_a_browser_runs_none_of_it(pages: dict[int, Path], tmp_path: Path) -> None:
    if len(pages) < ROUNDS:
        pytest.skip("the pages are made by the tests before")
    probes = {}
    for number, page in pages.items():
        text = page.read_text("utf-8")
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
    assert all(answer["found"] > 1000 for answer in said.values())


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
def test_the_policy_stops_what_would_run(
    pages: dict[int, Path], tmp_path: Path
) -> None:
    if not pages:
        pytest.skip("the pages are made by the tests before")
    text = pages[0].read_text("utf-8")
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


def test_metadata_are_text_alone() -> None:
    about = {f"m{number}": escape(text) for number, text in enumerate(INERT)}
    done = subprocess.run(
        [pypandoc.get_pandoc_path(), f"--from={READER}", "--to=json"],
        input=f"---\n{yaml.safe_dump(about, allow_unicode=True, width=10_000)}---\n",
        capture_output=True,
        check=True,
        text=True,
    )
    found = json.loads(done.stdout)["meta"]
    assert set(found) == set(about)
    for number, text in enumerate(INERT):
        value = found[f"m{number}"]
        assert value["t"] == "MetaInlines"
        kinds = set(re.findall(r'"t": ?"(\w+)"', json.dumps(value["c"])))
        assert kinds <= TEXT, text


def test_tables_show_them_as_text(project: Sources) -> None:
    campaign = read_campaign(project.raw / "lab")
    system = campaign.systems["SYSA"]
    made = campaign.model_copy(
        update={
            "hardware": {text: text for text in INERT},
            "systems": {
                f"S{n}": system.model_copy(update={"description": text})
                for n, text in enumerate(INERT)
            },
        }
    )
    reasons = tuple(f"run-{n}: {text}" for n, text in enumerate(INERT))
    runs = [RunCount("small", "speed", "new", "RR1(1kB)", 0, 9, reasons)]
    notes = Notes(texts=list(INERT))
    parts = [
        hardware_table("lab", made), systems_table("lab", made), excluded_table(runs),
        notes.markdown(),
    ]  # fmt: skip
    for part in parts:
        page = pypandoc.convert_text(part, "html", format=READER)
        root = html.fromstring(f"<body>{page}</body>")
        assert [*check_active(root), *strange(root)] == []
        words = skeleton(root.text_content())
        assert [text for text in INERT if skeleton(text) not in words] == []


def test_an_attribute_keeps_its_text() -> None:
    spans = "\n\n".join(f'[x]{{alt="{attribute(text)}"}}' for text in INERT)
    page = pypandoc.convert_text(spans, "html", format=READER)
    found = [span.get("data-alt", span.get("alt")) for span in
             html.fromstring(page).iter("span")]  # fmt: skip
    assert list(map(skeleton, found)) == list(map(skeleton, INERT))


def test_the_pdf_shows_them_as_text(
    project: Sources, fonts: Path, tmp_path: Path
) -> None:
    unprintable = re.compile("[\uff1c\uff1e]")  # no typeface of the PDF has these

    def edition(data: Any) -> None:
        texts = [unprintable.sub("", text) for text in INERT]
        data |= {"title": " ".join(texts), "subtitle": texts[0], "number": texts[-1]}
        data["authors"] = data["keywords"] = texts

    change(project.report / "small/edition.yaml", edition)
    source = read_document(document(project, tmp_path / "document"))
    pdf = PandocEngine(fonts).pdf(source)
    assert pdf.startswith(b"%PDF")
    assert not re.search(rb"/(?:JavaScript|JS|Launch|SubmitForm|EmbeddedFile)\b", pdf)


def test_a_drawing_shows_them_as_text() -> None:
    svg = etree.Element("{http://www.w3.org/2000/svg}svg", {"viewBox": "0 0 9 9"})
    for text in INERT:
        words = etree.SubElement(svg, "{http://www.w3.org/2000/svg}text", x="1")
        words.text = text
        words.addprevious(etree.Comment(re.sub("-", "", text)))
    made = tidy_svg(etree.tostring(svg), "a")
    assert list(check_drawing(made)) == []
    assert b"<!--" not in made


def test_the_page_of_editions_shows_them_as_text() -> None:
    entries = [
        Entry(
            id="small", title=text, subtitle=text, date="2026-01-01", date_text=text,
            number=text, status=text, build=text, engine=text, about=(text, text),
            page="small/index.html", pdf="small/small.pdf",
        )
        for text in INERT
    ]  # fmt: skip
    root = html.fromstring(index_page(entries, ROOT / "templates", ""))
    assert [*check_active(root), *check_policy(root), *strange(root)] == []
    words = skeleton(root.text_content())
    assert [text for text in INERT if skeleton(text) not in words] == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("repo-url", value) for value in ADDRESSES),
        *(("language", value) for value in LANGUAGES),
        *(("date", value) for value in DATES),
        ("status", "<script>alert(1)</script>"),
        *(("title", f"a{mark}b") for mark in UNSEEN if mark not in "\0\x01\x08\x7f"),
    ],
)
def test_what_is_no_such_value_is_refused(
    project: Sources, field: str, value: str
) -> None:
    path = project.report / "small/edition.yaml"
    change(path, lambda data: data.update({field: value}))
    line = path.read_text("utf-8").split(f"\n{field}:")[0].count("\n") + 2
    if field == "title":
        line = 1
    with pytest.raises(UserError, match=re.escape(f"{path}:{line}: ")):
        read_edition(path.parent)


@pytest.mark.parametrize("mark", UNSEEN)
def test_a_character_that_nobody_sees_is_refused(project: Sources, mark: str) -> None:
    path = project.report / "small/edition.yaml"
    text = path.read_text("utf-8").replace("[Ann Author]", json.dumps([f"A{mark}"]))
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"edition.yaml:2: the character U\+\w{4} "):
        read_edition(path.parent)


@pytest.mark.parametrize("entry", LINKS_OF_REFERENCES)
def test_a_reference_leads_to_web_pages_alone(
    project: Sources, tmp_path: Path, entry: str
) -> None:
    path = project.report / "small/references.bib"
    own = f"@misc{{own,\n  title = {{A}},\n  {entry}\n}}\n"
    path.write_text(path.read_text("utf-8") + own, encoding="utf-8")
    (issue,) = check_bibliography(path)
    assert "a link to something that is no web page" in str(issue)
    assert issue.where is not None and issue.where.line == 4
    with pytest.raises(UserError, match=r"references.bib:4: "):
        document(project, tmp_path / "document")
