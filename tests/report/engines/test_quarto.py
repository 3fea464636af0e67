"""How Quarto is found and called; a small program plays its part."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.report.engines.pandoc import PandocEngine
from analysis.report.engines.quarto import QuartoEngine, find_quarto
from analysis.report.engines.render import choose
from tests.report.conftest import ROOT
from tests.report.sample_document import sample_document

PROGRAM = """\
#!{python}
import json, os, pathlib, sys
if sys.argv[1:] == ["--version"]:
    print("{version}")
    raise SystemExit
here = pathlib.Path.cwd()
call = {{
    "arguments": sys.argv[1:],
    "cwd": str(here),
    "epoch": os.environ["SOURCE_DATE_EPOCH"],
    "files": sorted(p.name for p in here.iterdir()),
}}
pathlib.Path({log!r}).write_text(json.dumps(call))
if {fails}:
    sys.exit("ERROR: the house burns")
(here / "index.html").write_text("<!doctype html>")
if not {half}:
    (here / "index.pdf").write_text("%PDF-1.7")
"""


class FakeQuarto:
    """A program named quarto on the path that notes how it was called."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.log = folder / "bin", folder / "call.json"
        self.folder.mkdir()
        monkeypatch.setenv("PATH", f"{self.folder}{os.pathsep}/usr/bin{os.pathsep}/bin")

    def install(
        self, version: str = "1.10.18", fails: bool = False, half: bool = False
    ) -> None:
        program = self.folder / "quarto"
        program.write_text(
            PROGRAM.format(
                python=sys.executable,
                version=version,
                log=str(self.log),
                fails=fails,
                half=half,
            )
        )
        program.chmod(0o755)

    def call(self) -> dict:
        return json.loads(self.log.read_text())


@pytest.fixture
def quarto(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeQuarto:
    return FakeQuarto(tmp_path, monkeypatch)


@pytest.fixture
def document(tmp_path: Path) -> Path:
    return sample_document(tmp_path / "document")


def engine(fonts: Path) -> QuartoEngine:
    found = find_quarto()
    assert found is not None
    return QuartoEngine(found.program, found.version, fonts)


def test_auto_takes_quarto_where_it_is(quarto: FakeQuarto) -> None:
    quarto.install()
    assert isinstance(choose("auto"), QuartoEngine)
    assert choose("auto").about() == {"name": "quarto", "quarto": "1.10.18"}
    assert isinstance(choose("pandoc"), PandocEngine)


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


def test_quarto_renders_a_private_copy(
    quarto: FakeQuarto, document: Path, tmp_path: Path, fonts: Path
) -> None:
    quarto.install()
    before = sorted(document.rglob("*"))
    engine(fonts).render(document, tmp_path / "out")
    call = quarto.call()
    assert call["arguments"] == [
        "render", "index.qmd", "--to", "html,typst", "--quiet",
    ]  # fmt: skip
    assert call["epoch"] == "1795219200"
    assert Path(call["cwd"]) != document
    assert not Path(call["cwd"]).exists()
    assert {"index.qmd", "_quarto.yml", "fonts.css", "fonts"} <= set(call["files"])
    assert sorted(document.rglob("*")) == before
    assert (tmp_path / "out/sample.pdf").read_text() == "%PDF-1.7"
    assert (tmp_path / "out/index.html").read_text() == "<!doctype html>"


@pytest.mark.parametrize(
    ("how", "what"),
    [({"fails": True}, "the house burns"), ({"half": True}, "made no index.pdf")],
)
def test_a_failure_is_told_and_writes_nothing(
    quarto: FakeQuarto,
    document: Path,
    tmp_path: Path,
    fonts: Path,
    how: dict,
    what: str,
) -> None:
    quarto.install(**how)
    with pytest.raises(UserError, match=what):
        engine(fonts).render(document, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_project_file_names_files_that_exist(document: Path, fonts: Path) -> None:
    import yaml

    project = yaml.safe_load((ROOT / "templates/_quarto.yml").read_text())
    formats = project["format"]
    named = [
        project["csl"],
        project["bibliography"],
        *project["filters"],
        *formats["typst"]["template-partials"],
        *(name for name in formats["html"]["css"] if name != "fonts.css"),
        *(name for name in formats["html"]["theme"] if name != "default"),
    ]
    assert [name for name in named if not (document / name).is_file()] == []
