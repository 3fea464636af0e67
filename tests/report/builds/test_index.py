from __future__ import annotations

import json
from pathlib import Path

import pytest
from lxml import html

from analysis.cli import main
from analysis.declared.edition import read_edition
from analysis.report.builds.index import read_entries
from tests.report.conftest import ROOT

MANIFEST = {
    "edition": "small",
    "title": "A <small> report",
    "subtitle": "On little",
    "date": "2026-03-05",
    "number": "1",
    "status": "draft",
    "build": "0123456789ab",
    "origins": ["measured", "synthetic"],
    "engine": "pandoc",
    "counts": {"studies": 1, "figures": 2, "facts": 1200, "runs_excluded": 0},
}


@pytest.fixture
def builds(tmp_path: Path) -> Path:
    return tmp_path / "build"


def add(builds: Path, pdf: bool = True, **changes: object) -> None:
    manifest = MANIFEST | changes
    folder = builds / str(manifest["edition"])
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    edition = builds.with_name("report") / folder.name / "edition.yaml"
    edition.parent.mkdir(parents=True, exist_ok=True)
    edition.touch()
    (folder / "index.html").write_text("<!doctype html>")
    if pdf:
        (folder / f"{manifest['edition']}.pdf").write_text("%PDF")


def index(builds: Path, fonts: Path) -> int:
    paths = {
        "--builds": builds,
        "--report": builds.with_name("report"),
        "--out": builds / "index.html",
        "--templates": ROOT / "templates",
        "--fonts": fonts,
    }
    return main(["index", *(str(x) for pair in paths.items() for x in pair)])


def page_of(builds: Path, fonts: Path) -> html.HtmlElement:
    assert index(builds, fonts) == 0
    text = (builds / "index.html").read_text(encoding="utf-8")
    return html.document_fromstring(text)


def test_an_edition_is_listed_with_its_links(builds: Path, fonts: Path) -> None:
    add(builds)
    page = page_of(builds, fonts)
    (item,) = page.xpath("//li")
    assert item.xpath(".//h2")[0].text_content() == "A <small> report"
    assert item.xpath(".//a/@href") == [
        "small/index.html", "small/index.html", "small/small.pdf",
    ]  # fmt: skip
    assert item.xpath(".//time")[0].text == "5 March 2026"
    assert item.xpath(".//span[@class='banner']")[0].text == "draft"
    about = item.xpath(".//p[@class='about']")[0].text
    assert about == "1 study · 2 figures · 1,200 facts · measured, synthetic"


def test_the_newest_edition_is_first(builds: Path, fonts: Path) -> None:
    add(builds)
    add(builds, edition="later", title="Later", date="2026-11-21", status="final")
    add(builds, edition="also", title="Also", date="2026-11-21")
    titles = [h.text_content() for h in page_of(builds, fonts).xpath("//h2")]
    assert titles == ["Also", "Later", "A <small> report"]


def test_the_year_of_the_results_goes_before_the_date_of_the_edition(
    builds: Path, fonts: Path
) -> None:
    add(builds)
    add(builds, edition="old", title="Old", date="2026-11-21", year=2001)
    old, new = reversed(page_of(builds, fonts).xpath("//ol/li"))
    assert old.xpath("string(.//h2)") == "Old"
    assert "First published 2001" in old.xpath("string(.//div[@class='date'])")
    assert "First published" not in new.text_content()


def test_there_is_no_link_to_an_absent_pdf(builds: Path, fonts: Path) -> None:
    add(builds, pdf=False)
    links = page_of(builds, fonts).xpath("//li//a/@href")
    assert {Path(link).suffix for link in links} == {".html"}


def test_an_unfinished_build_is_left_out(builds: Path, fonts: Path) -> None:
    add(builds)
    (builds / "half").mkdir()
    (builds / "half/index.html").write_text("<!doctype html>")
    assert len(page_of(builds, fonts).xpath("//li")) == 1


def test_a_build_whose_edition_is_gone_is_left_out(
    builds: Path, fonts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add(builds)
    add(builds, edition="gone")
    (builds.with_name("report") / "gone/edition.yaml").unlink()
    page = page_of(builds, fonts)
    assert f"note: {builds}/gone is left out" in capsys.readouterr().out
    assert page.xpath("//li//h2/a/@href") == ["small/index.html"]


def test_builds_that_are_nowhere_are_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out/index.html"
    assert main(["index", "--builds", str(tmp_path / "no"), "--out", str(out)]) == 2
    said = capsys.readouterr().err
    assert f"error: {tmp_path}/no: there is no such folder" in said
    assert "mend: name the folder of the builds" in said
    assert not out.exists()


def test_without_editions_it_says_what_to_do(builds: Path, fonts: Path) -> None:
    page = page_of(builds, fonts)
    assert not page.xpath("//li")
    assert "No report has been built yet." in page.text_content()
    assert page.xpath("//code")[0].text == "make report"


def test_a_first_build_begins_the_list_and_calls_nothing_missing(
    builds: Path, fonts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    builds.mkdir()
    assert index(builds, fonts) == 0
    said = capsys.readouterr()
    page = builds / "index.html"
    assert said.out == f"{page}: begun; each edition is added when it is built\n"
    assert said.err == ""


def test_it_asks_the_network_for_nothing(builds: Path, fonts: Path) -> None:
    add(builds)
    page = page_of(builds, fonts)
    assert not page.xpath("//link | //script | //img | //iframe")
    assert "http" not in html.tostring(page).decode().replace("http-equiv", "")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{", "not JSON"),
        ('{"edition": "x"}', "the manifest lacks title, date, status, build"),
        (json.dumps(MANIFEST | {"formats": ["html"]}), "formats is no mapping"),
        (json.dumps(MANIFEST | {"date": "yesterday"}), "not a date: 'yesterday'"),
    ],
)
def test_a_spoilt_manifest_is_named_and_the_page_stays(
    builds: Path,
    fonts: Path,
    capsys: pytest.CaptureFixture[str],
    text: str,
    what: str,
) -> None:
    add(builds)
    (builds / "index.html").write_text("old")
    (builds / "small/manifest.json").write_text(text)
    assert index(builds, fonts) == 2
    said = capsys.readouterr().err
    assert what in said
    assert "small/manifest.json" in said
    assert (builds / "index.html").read_text() == "old"


def test_products_have_reports_before_talks_and_the_newest_first(
    builds: Path, fonts: Path
) -> None:
    add(builds, title="Old", product="Stack")
    add(builds, edition="new", title="New", product="Stack", date="2026-06-01")
    slides = {"formats": {"revealjs": "talk-slides.html"}, "date": "2026-12-01"}
    add(builds, edition="talk", title="Talk", product="Stack", **slides)
    (builds / "talk/talk-slides.html").write_text("<!doctype html>")
    add(builds, edition="other", title="Gateway", product="Gate", date="2026-07-01")
    add(builds, edition="none", title="Nameless", date="2026-12-31")
    page = page_of(builds, fonts)
    assert [h.text_content() for h in page.xpath("//h2 | //h3")] == [
        "Stack", "New", "Old", "Talk", "Gate", "Gateway", "Other reports", "Nameless",
    ]  # fmt: skip


def test_reports_on_zos_have_years_so_that_the_newest_release_stands_first(
    builds: Path,
) -> None:
    wanted = ["zos-cs-3.2", "zos-cs-3.1", "zos-cs-v1r2"]
    for id in reversed(wanted):
        own = read_edition(ROOT / "report" / id)
        add(builds, edition=id, title=own.title, date="2026-11-23", year=own.year)
    entries = read_entries(sorted(builds.iterdir()), builds)
    assert [entry.id for entry in entries] == wanted
