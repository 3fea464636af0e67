"""Output formats: chosen by an edition, and added by one declaration."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import html

from analysis.cli import main
from analysis.declared.edition import Edition
from analysis.errors import Issue, Place, UserError
from analysis.publish.build import read_build
from analysis.publish.gates import reasons
from analysis.report import verb
from analysis.report.checks.claims import check_texts
from analysis.report.document.assemble import composed
from analysis.report.engines.pandoc import PandocEngine, whole
from analysis.report.material import Sources, read_material
from analysis.report.output import OUTPUTS, Output
from analysis.report.outputs.pdf import check_pdf
from analysis.report.review.state import reviews

WriteText = Callable[[str, str], Path]
TOO_LONG = "a line that a terminal would wrap"


def check_plain(path: Path, files: object) -> list[Issue]:
    """The gate of the format below."""
    bad = "wrap" in path.read_text("utf-8")
    return [Issue(TOO_LONG, Place(str(path)), "")] if bad else []


PLAIN = Output(
    id="plain",
    name="{edition}.txt",
    media_type="text/plain; charset=utf-8",
    link="Plain text",
    whole="one text",
    pandoc=lambda document, fonts: whole(
        document, document.parts, ("--to=plain",)
    ).text.encode(),
    quarto="plain",
    gate=check_plain,
)


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> Output:
    """A format that is registered while the test lasts."""
    monkeypatch.setitem(OUTPUTS.entries, PLAIN.id, PLAIN)
    return PLAIN


def choose(project: Sources, formats: str) -> Path:
    path = project.report / "small/edition.yaml"
    path.write_text(f"formats: {formats}\n{path.read_text('utf-8')}", "utf-8")
    return path


def make(project: Sources, monkeypatch: pytest.MonkeyPatch, fonts: Path) -> Path:
    """The finished report, by Pandoc, with the page that lists it."""
    base = project.facts.parent
    monkeypatch.setattr(verb, "choose", lambda engine: PandocEngine(fonts))
    out = base / "built/small"
    verb.make_report("small", project, "pandoc", base / "scratch", out)
    arguments = ("--builds", out.parent, "--report", project.report)
    where = ("--out", out.parent / "index.html", "--templates", project.templates)
    assert main(["index", *map(str, (*arguments, *where)), f"--fonts={fonts}"]) == 0
    return out


def links(page: Path) -> list[tuple[str, str]]:
    """Words and addresses of the files of the editions that a page lists."""
    found = html.document_fromstring(page.read_bytes())
    listed = found.xpath("//p[@class='formats']/a")
    return [(link.text_content(), link.get("href")) for link in listed]


def publish(project: Sources, out: Path, to: Path, *more: str) -> int:
    folders = (f"--builds={out.parent}", f"--report={project.report}")
    raw = f"--raw={project.raw}"
    settings = f"--settings={to.parent / 'publish.yaml'}"
    arguments = (*folders, raw, settings, f"--templates={project.templates}", *more)
    return main(["publish", f"--to={to}", "--draft", *arguments])


def test_a_format_is_one_declaration(
    project: Sources, plain: Output, monkeypatch: pytest.MonkeyPatch, fonts: Path
) -> None:
    choose(project, "[html, plain]")
    # The page of the small project leads to runs of which it has no table.
    lenient = replace(OUTPUTS["html"], gate=lambda path, files: [])
    monkeypatch.setitem(OUTPUTS.entries, "html", lenient)
    out = make(project, monkeypatch, fonts)
    assert "Latency" in (out / "small.txt").read_text("utf-8")
    assert not (out / "small.pdf").exists()
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["formats"] == {"html": "index.html", "plain": "small.txt"}
    assert set(manifest["formats"].values()) <= set(manifest["files"])
    listed = out.parent / "index.html"
    assert links(listed) == [
        ("Read online", "small/index.html"), ("Plain text", "small/small.txt"),
    ]  # fmt: skip
    lead = html.document_fromstring(listed.read_bytes()).find_class("lead")[0]
    assert "Each is one self-contained page and one text." in lead.text_content()
    page = html.document_fromstring((out / "index.html").read_bytes())
    assert page.xpath("//header//a[@href='small.txt']/text()") == ["Plain text"]

    www = project.facts.parent / "www"
    assert publish(project, out, www) == 0
    release = f"releases/small/{manifest['build']}"
    assert (www / release / "small.txt").is_file()
    words = links(www / "index.html")[1]
    assert words == ("Plain text", f"{release}/small.txt")
    assert "index.html and small.txt are" in (www / release / "README.txt").read_text()


def test_a_report_need_not_be_a_page(
    project: Sources, plain: Output, monkeypatch: pytest.MonkeyPatch, fonts: Path
) -> None:
    choose(project, "[plain]")
    out = make(project, monkeypatch, fonts)
    assert b"Latency" not in (out / "index.html").read_bytes()
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["formats"] == {"plain": "small.txt"}
    www = project.facts.parent / "www"
    assert publish(project, out, www) == 0
    first = json.loads((out / "manifest.json").read_text())["build"]
    (project.report / "small/front/notices.md").write_text("Another word.\n")
    make(project, monkeypatch, fonts)
    assert publish(project, out, www, "--current") == 0
    assert publish(project, out, www, f"--rollback={first}") == 0
    [(_, address)] = links(www / "index.html")
    assert address == f"releases/small/{first}/small.txt"
    assert (www / address).is_file()


def test_an_edition_without_a_page_has_one_that_leads_to_its_files(
    project: Sources,
    plain: Output,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fonts: Path,
) -> None:
    choose(project, "[plain, pdf]")
    out, www = make(project, monkeypatch, fonts), tmp_path / "www"
    www.mkdir()
    assert publish(project, out, www) == 0
    page = html.parse(www / "releases/small/current/index.html").getroot()
    assert [(a.text_content(), a.get("href")) for a in page.xpath("//h2/a")] == [
        ("Plain text", "small.txt"), ("PDF", "small.pdf"),
    ]  # fmt: skip
    assert page.find(".//h1").text_content() == 'A "small" report'
    assert "Draft" in page.find_class("banner")[0].text_content()
    assert "index.html" in read_build(out).files


def test_the_gate_of_a_format_stops_what_it_finds(
    project: Sources, plain: Output, monkeypatch: pytest.MonkeyPatch, fonts: Path
) -> None:
    choose(project, "[plain]")
    broken = replace(PLAIN, pandoc=lambda document, fonts: b"this would wrap")
    monkeypatch.setitem(OUTPUTS.entries, "plain", broken)
    build = read_build(make(project, monkeypatch, fonts))
    assert TOO_LONG in [issue.what for issue in reasons(build, draft=True)]
    monkeypatch.delitem(OUTPUTS.entries, "plain")
    [issue] = reasons(build, draft=True)
    assert issue.what == "there is no output format 'plain' any more"


@pytest.mark.parametrize(
    ("formats", "what", "mend"),
    [
        ("[html, pfd]", "there is no output format 'pfd'", "did you mean pdf?"),
        (
            "[xxxx]",
            "there is no output format 'xxxx'",
            f"use one of: {', '.join(OUTPUTS)}",
        ),
        ("[pdf, pdf]", "the format pdf is named twice", "name it once"),
    ],
)
def test_a_format_that_will_not_do_is_told(
    project: Sources, formats: str, what: str, mend: str
) -> None:
    path = choose(project, formats)
    checked = check_texts(read_material("small", project))
    with pytest.raises(UserError) as caught:
        composed(checked, reviews(checked), project.templates)
    [issue] = caught.value.issues
    assert (issue.what, issue.mend) == (what, mend)
    assert issue.where == Place(str(path), 1)


def test_an_edition_without_formats_is_refused(project: Sources) -> None:
    choose(project, "[]")
    with pytest.raises(UserError, match=r"edition.yaml:1: formats: "):
        read_material("small", project)


def test_formats_of_an_edition_that_names_none() -> None:
    assert Edition.model_fields["formats"].default == ("html", "pdf")
    assert set(OUTPUTS) >= {"html", "pdf"}


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"%PDF-1.7 /JavaScript (x)", "a PDF with /JavaScript"),
        (b"%PDF-1.7 << /S /Launch >>", "a PDF with /Launch"),
        (
            b"%PDF-1.7 <</Type/EmbeddedFile/Subtype/text#2Fhtml>>",
            "a PDF with /EmbeddedFile",
        ),
        (b"<html>", "not a PDF"),
    ],
)
def test_a_pdf_that_may_run_is_not_published(
    tmp_path: Path, data: bytes, what: str
) -> None:
    file = tmp_path / "small.pdf"
    file.write_bytes(data)
    assert [issue.what for issue in check_pdf(file, ())] == [what]
    for fine in (b"/JavaScripts", b"<</Type/EmbeddedFile/Subtype/text#2Fcsv>>"):
        file.write_bytes(b"%PDF-1.7 " + fine)
        assert check_pdf(file, ()) == []
