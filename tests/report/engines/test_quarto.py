"""How Quarto is found and called; a small program plays its part."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from analysis.errors import UserError
from analysis.programs.quarto_program import Engine
from analysis.report.document.document import DECK, REPORT, read_document
from analysis.report.document.parts import read_parts
from analysis.report.engines.pandoc import PandocEngine, run_pandoc
from analysis.report.engines.quarto import (
    QuartoEngine,
    choose,
    complete,
    section_labels,
)
from analysis.report.output import OUTPUTS
from tests.report.conftest import ROOT
from tests.report.engines.fake_quarto import FakeQuarto
from tests.report.outputs.decks import sample_deck
from tests.report.sample_document import edit, read_documents, sample_document

BROKEN_FILTER = """\
pandoc
  to: html
\x1b[1mmetadata\x1b[22m
  title: A

Error running filter /opt/quarto/share/filters/main.lua:
house.lua:84: attempt to index a nil value (local 'y')
stack traceback:
\t[C]: in method 'walk'
WARN: Error encountered when rendering files
"""
BROKEN_TYPST = """\
[typst]: Compiling index.typ to index.pdf...error: unknown variable: lost
   at index.typ:165:4
\x1b[91mERROR: error: unknown variable: lost
   at index.typ:165:4
\x1b[39m
\x1b[91mERROR: Typst compilation failed\x1b[39m

Stack trace:
    at typstCompile (file:///opt/quarto/bin/quarto.js:51257:11)
"""
BROKEN_TEMPLATE = """\
Error compiling template "/tmp/quarto-7/template.patched" (line 101, column 1):
unexpected end of input
WARN: Error encountered when rendering files
"""
WENT_ON = "ERROR (house.lua:84) the house burns\nOutput created: index.html\n"
UNRESOLVED = "WARN (refs.lua:95) Unable to resolve crossref @fig-lost\n"


@pytest.fixture
def quarto(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeQuarto:
    return FakeQuarto(tmp_path, monkeypatch)


@pytest.fixture
def document(tmp_path: Path) -> Path:
    return sample_document(tmp_path / "document")


def engine(fonts: Path) -> QuartoEngine:
    found = choose("quarto")
    assert isinstance(found, QuartoEngine)
    return QuartoEngine(found.program, found.version, fonts)


def refusal(document: Path, fonts: Path) -> str:
    out = document.parent / "out"
    with pytest.raises(UserError) as caught:
        engine(fonts).render(read_documents(document), out)
    assert not out.exists()
    return str(caught.value)


def test_auto_takes_quarto_where_it_is(quarto: FakeQuarto) -> None:
    quarto.install()
    assert isinstance(choose("auto"), QuartoEngine)
    assert choose("auto").about() == {"name": "quarto", "quarto": "1.10.18"}
    assert isinstance(choose("pandoc"), PandocEngine)


def test_a_quarto_that_the_environment_names_is_taken(
    quarto: FakeQuarto, monkeypatch: pytest.MonkeyPatch
) -> None:
    quarto.install()
    monkeypatch.setenv("PATH", "/usr/bin")
    assert isinstance(choose("auto"), PandocEngine)
    monkeypatch.setenv("QUARTO", str(quarto.folder / "quarto"))
    assert choose("auto").about() == {"name": "quarto", "quarto": "1.10.18"}


@pytest.mark.parametrize("version", ["1.8.27", "0.9"])
def test_an_old_quarto_is_passed_over_or_refused(
    quarto: FakeQuarto, version: str
) -> None:
    quarto.install(version)
    assert isinstance(choose("auto"), PandocEngine)
    with pytest.raises(UserError, match=f"Quarto {version} is too old"):
        choose("quarto")


def test_an_absent_quarto_is_passed_over_or_refused(quarto: FakeQuarto) -> None:
    assert isinstance(choose("auto"), PandocEngine)
    with pytest.raises(UserError, match="Quarto is absent"):
        choose("quarto")


@pytest.mark.parametrize("engine", ["auto", "quarto"])
def test_a_quarto_that_is_named_must_be_there(
    quarto: FakeQuarto, monkeypatch: pytest.MonkeyPatch, engine: Engine
) -> None:
    quarto.install()
    monkeypatch.setenv("QUARTO", "/opt/none/quarto")
    with pytest.raises(UserError) as caught:
        choose(engine)
    assert "QUARTO names no program: /opt/none/quarto" in str(caught.value)
    assert isinstance(choose("pandoc"), PandocEngine)


def test_a_quarto_that_does_not_run_is_passed_over_or_refused(
    quarto: FakeQuarto, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = quarto.folder / "quarto"
    program.write_text("#!/bin/sh\necho deno: not there >&2\nexit 127\n")
    program.chmod(0o755)
    assert isinstance(choose("auto"), PandocEngine)
    told = "Quarto does not tell its version: deno: not there"
    with pytest.raises(UserError, match=told) as caught:
        choose("quarto")
    assert "ENGINE=pandoc" in str(caught.value)
    monkeypatch.setenv("QUARTO", str(program))
    with pytest.raises(UserError, match=told):
        choose("auto")


@pytest.mark.parametrize(
    "said",
    [
        "ERROR: Error executing '/opt/q/typst': Failed to spawn '/opt/q/typst'\n",
        'ERROR: TypeError: Module not found "file:///opt/q/share/editor/x.json".\n',
        "/opt/q/bin/quarto: line 3: /opt/q/bin/tools/deno: No such file or directory\n",
    ],
)
def test_a_damaged_installation_is_no_fault_of_the_text(
    quarto: FakeQuarto, document: Path, fonts: Path, said: str
) -> None:
    quarto.install(said=said, code=1)
    told = refusal(document, fonts)
    assert "Quarto is damaged:" in told
    assert said.strip() in told
    assert "index.qmd" not in told


def test_quarto_renders_each_format_in_a_private_copy(
    quarto: FakeQuarto, document: Path, tmp_path: Path, fonts: Path
) -> None:
    quarto.install(said="WARN: PDF standard validation requested")
    before = sorted(document.rglob("*"))
    engine(fonts).render(read_documents(document), tmp_path / "out")
    page, pdf = quarto.call("html"), quarto.call("typst")
    assert page["arguments"] == ["render", "--to", "netperf-html"]
    assert page["epoch"] == "1795219200"
    assert not {page["cwd"], pdf["cwd"]} & {str(document)}
    assert page["cwd"] != pdf["cwd"]
    assert not Path(page["cwd"]).exists()
    house = "_extensions/netperf"
    wanted = {"index.qmd", "_quarto.yml", f"{house}/head.html", f"{house}/fonts"}
    assert wanted <= set(page["files"])
    assert sorted(document.rglob("*")) == before
    assert (tmp_path / "out/sample.pdf").read_bytes().startswith(b"%PDF-")
    assert (tmp_path / "out/index.html").read_text().startswith("<!doctype html>")


def test_parts_that_did_not_change_are_kept(
    quarto: FakeQuarto, document: Path, tmp_path: Path, fonts: Path
) -> None:
    quarto.install()
    engine(fonts).render(read_documents(document), tmp_path / "out")
    whole, first = quarto.call("html")["source"], (tmp_path / "out/index.html")
    before = first.read_text()
    edit(document, "\n# Noise", "\nA new sentence.\n\n# Noise")
    engine(fonts).render(read_documents(document), tmp_path / "again")
    edited = quarto.call("html")["source"]
    assert "A new sentence." in edited
    assert len(edited) < len(whole) / 2
    assert (tmp_path / "again/index.html").read_text() == before


def test_numbers_of_what_is_kept_are_handed_over(
    quarto: FakeQuarto, document: Path, tmp_path: Path, fonts: Path
) -> None:
    quarto.install()
    engine(fonts).render(read_documents(document), tmp_path / "out")
    assert "labels.json" in quarto.call("html")["files"]
    complete(found := read_document(document), fonts, found.parts.labels)
    labels = json.loads((document / "labels.json").read_text())
    assert labels["fig-noise-runs"] == "Figure\u00a02"


def test_the_project_has_the_formats_of_the_edition_alone(
    quarto: FakeQuarto, document: Path, tmp_path: Path, fonts: Path
) -> None:
    edit(document, "edition: sample\n", "edition: sample\nformats: [html]\n")
    quarto.install()
    engine(fonts).render(read_documents(document), tmp_path / "out")
    assert list(quarto.call("html")["settings"]) == ["netperf-html"]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["index.html"]


@pytest.mark.parametrize(
    ("how", "what"),
    [
        ({"said": BROKEN_FILTER, "code": 1}, "house.lua:84: attempt to index"),
        ({"said": BROKEN_TYPST, "code": 1}, "error: unknown variable: lost"),
        (
            {"said": BROKEN_TEMPLATE, "code": 1},
            "Error compiling template page.html (line 101",
        ),
        ({"said": WENT_ON}, "ERROR (house.lua:84) the house burns"),
        ({"said": UNRESOLVED}, "Unable to resolve crossref @fig-lost"),
        ({"said": "[WARNING] Duplicate link reference"}, "Duplicate link"),
        ({"code": 3}, "exit 3"),
        ({"code": 137}, "Quarto was ended by SIGKILL while it worked"),
        ({"half": "typst"}, "made no index.typ"),
    ],
)
def test_a_failure_is_told_and_writes_nothing(
    quarto: FakeQuarto, document: Path, fonts: Path, how: dict, what: str
) -> None:
    quarto.install(**how)
    assert what in refusal(document, fonts)


def test_a_message_ends_before_the_stack_trace(
    quarto: FakeQuarto, document: Path, fonts: Path
) -> None:
    quarto.install(said=BROKEN_FILTER, code=1)
    told = refusal(document, fonts)
    assert "[C]" not in told
    assert "metadata" not in told
    assert "WARN" not in told


def test_a_page_without_its_figures_is_refused(
    quarto: FakeQuarto, document: Path, fonts: Path
) -> None:
    edit(document, "\n# Noise", "\nIt is [late]{#fig-late}.\n\n# Noise")
    quarto.install()
    assert "#fig-late is the anchor of no figure or table" in refusal(document, fonts)


def test_a_format_that_quarto_does_not_know_is_made_by_pandoc(
    quarto: FakeQuarto, document: Path, tmp_path: Path, fonts: Path
) -> None:
    quarto.install()
    found = read_document(document)
    made = engine(fonts).made(found, replace(OUTPUTS["html"], quarto=""))
    assert b"Sample" in made
    assert not Path(f"{quarto.log}html").exists()


def test_the_project_is_a_few_lines_that_name_files_that_exist(
    document: Path, fonts: Path
) -> None:
    complete(read_document(document), fonts)
    text = (document / "_quarto.yml").read_text()
    assert len(text.splitlines()) < 21
    project = yaml.safe_load(text)
    named = [project["bibliography"], *project["project"]["post-render"]]
    assert [name for name in named if not (document / name).exists()] == []
    assert list(project["format"]) == ["netperf-html", "netperf-typst"]


PATHS = ("csl", "template", "include-in-header", "template-partials", "font-paths",
         "reference-doc")  # fmt: skip


def test_extensions_name_files_that_they_have(tmp_path: Path, fonts: Path) -> None:
    """Quarto looks for each beside ``_extension.yml``."""
    report = sample_document(tmp_path / "document")
    complete(read_document(report), fonts)
    deck = sample_deck(tmp_path / "slides").folder
    for place, count in ((report / REPORT, 15), (deck / DECK, 6)):
        about = yaml.safe_load((place / "_extension.yml").read_text())
        formats = about["contributes"]["formats"]
        named = [f["path"] for one in formats.values() for f in one.get("filters", ())]
        for one in formats.values():
            for name in PATHS:
                found = one.get(name, ())
                named += [found] if isinstance(found, str) else found
        assert [name for name in named if not (place / name).exists()] == []
        assert len(named) >= count


def test_each_format_of_the_registry_is_one_that_an_extension_contributes() -> None:
    for output in OUTPUTS.values():
        extension, _, base = output.quarto.rpartition("-")
        path = ROOT / "templates/_extensions" / extension / "_extension.yml"
        assert base in yaml.safe_load(path.read_text())["contributes"]["formats"]


def test_sections_have_the_numbers_that_their_headings_show() -> None:
    text = "# A {#sec-a}\n\n## B {#sec-b}\n\n# C {.unnumbered #sec-c}\n\n# D {#sec-d}\n"
    assert section_labels(read_parts(text)) == {
        "sec-a": "Section\u00a01",
        "sec-b": "Section\u00a01.1",
        "sec-d": "Section\u00a02",
    }


def test_a_page_to_work_on_has_no_policy(document: Path, fonts: Path) -> None:
    complete(read_document(document), fonts)
    assert not (document / "labels.json").exists()
    project = yaml.safe_load((document / "_quarto.yml").read_text())
    assert "policy" not in project["format"]["netperf-html"]["variables"]
    assert project["format"]["netperf-html"]["variables"]["others"] == [
        {"file": "sample.pdf", "link": "PDF"}
    ]


def test_numbers_that_the_engine_knows_stand_in_references(document: Path) -> None:
    (document / "labels.json").write_text('{"fig-x": "Figure\\u00a07"}')
    found = read_document(document)
    options = "--to=plain", f"--lua-filter={REPORT}/quarto-labels.lua"
    said = run_pandoc(found, options, "See @fig-x and [-@fig-x].").decode()
    assert said == "See Figure\u00a07 and 7.\n"
