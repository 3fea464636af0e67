from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from analysis import cli
from analysis.errors import Issue, Place, UserError
from analysis.facts.evidence import FileState
from analysis.facts.fact import read_facts, write_facts
from analysis.files.atomic import deliver, put_folder
from analysis.files.hashes import hash_file
from analysis.report import verb
from analysis.report.document.assemble import files_below
from analysis.report.document.document import Document
from analysis.report.finding import Finding
from analysis.report.material import Sources
from tests.handed_over import change_evidence
from tests.report.conftest import ROOT

WriteText = Callable[[str, str], Path]


class Printer:
    """A renderer that writes the text itself, so that no engine is needed."""

    def __init__(self, fonts: Path) -> None:
        self.fonts = fonts

    def render(self, documents: Mapping[str, Document], out: Path) -> None:
        (out / "index.html").write_text(documents[""].text, encoding="utf-8")
        (out / "small.pdf").write_bytes(b"%PDF")

    def about(self) -> dict[str, str]:
        return {"name": "printer", "printer": "1"}


@pytest.fixture(autouse=True)
def printer(monkeypatch: pytest.MonkeyPatch, fonts: Path) -> None:
    monkeypatch.setattr(verb, "choose", lambda engine: Printer(fonts))


def make(project: Sources) -> Path:
    base = project.facts.parent
    out = base / "built"
    verb.make_report("small", project, "auto", base / "scratch", out)
    return out


def contents(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in files_below(folder)
    }


def test_a_report_has_all_its_files(project: Sources) -> None:
    assert set(contents(make(project))) == {
        "index.html", "small.pdf", "facts.json", "manifest.json", "provenance.json",
        "data/speed-rr.csv", "data/speed-str.csv",
        "figures/speed-rr.svg", "figures/speed-str.svg", "third-party.html",
        "explorer.html", "facts.html", "facts.xlsx", "search.json",
    }  # fmt: skip


def test_the_manifest_vouches_for_every_other_file(project: Sources) -> None:
    out = make(project)
    files = json.loads((out / "manifest.json").read_text())["files"]
    assert set(files) == set(contents(out)) - {"manifest.json"}
    assert all(hash_file(out / name) == digest for name, digest in files.items())


def test_a_report_has_tables_but_no_hidden_file_of_the_pipeline(
    project: Sources,
) -> None:
    tables = project.facts.parent / "ingest" / "lab"
    tables.mkdir(parents=True)
    (tables / "run.parquet").write_bytes(b"PAR1")
    (tables / ".snakemake_timestamp").touch()
    told = FileState(hash_file(tables / "run.parquet"), 4)
    gone = FileState("0" * 64, 4)
    states = {"run.parquet": told, "source.parquet": gone}
    change_evidence(project.facts, "lab", tables=states)
    out = make(replace(project, ingest=tables.parent))
    found = {name for name in contents(out) if name.startswith("tables")}
    assert found == {"tables/lab/run.parquet"}
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["files"]["tables/lab/run.parquet"] == told.sha256


def test_a_table_that_is_not_the_one_of_the_facts_is_refused(project: Sources) -> None:
    tables = project.facts.parent / "ingest" / "lab"
    tables.mkdir(parents=True)
    (tables / "run.parquet").write_bytes(b"PAR1 and more")
    told = {"run.parquet": FileState("0" * 64, 4)}
    change_evidence(project.facts, "lab", tables=told)
    with pytest.raises(UserError, match="not the table that the facts were derived"):
        make(replace(project, ingest=tables.parent))


def test_evidence_of_other_files_than_the_facts_is_refused(project: Sources) -> None:
    change_evidence(project.facts, "lab", digest="0" * 16)
    with pytest.raises(UserError, match="is of other files of 'lab' than the facts"):
        make(project)


def test_equal_inputs_give_equal_reports(project: Sources) -> None:
    first = contents(make(project))
    assert contents(make(project)) == first


def test_files_of_an_earlier_report_go(project: Sources, write_text: WriteText) -> None:
    out = make(project)
    line = "  - {id: str, kind: value, metrics: [throughput], workloads: STR*"
    study = (project.report / "small/studies/speed/study.yaml").read_text()
    write_text("studies/speed/study.yaml", study[: study.index(line)])
    make(project)
    assert "data/speed-str.csv" not in contents(out)
    assert "figures/speed-str.svg" not in contents(out)


def test_what_is_not_the_reports_own_stays(project: Sources) -> None:
    out = make(project)
    (out / "notes.txt").write_text("mine")
    make(project)
    assert (out / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("text", ["{", "[]", '{"files": null}', '{"files": ["../a"]}'])
def test_a_broken_manifest_does_no_harm(project: Sources, text: str) -> None:
    out = make(project)
    (out / "manifest.json").write_text(text)
    (out.parent / "a").write_text("mine")
    make(project)
    assert json.loads((out / "manifest.json").read_text())["edition"] == "small"
    assert (out.parent / "a").exists()


def test_a_mistake_leaves_the_finished_report(
    project: Sources, write_text: WriteText
) -> None:
    out = make(project)
    before = contents(out)
    write_text("studies/speed/observations.md", '{{ delta("latency", "RR9(1kB)") }}\n')
    with pytest.raises(UserError, match=r"observations\.md:1: "):
        make(project)
    assert contents(out) == before


def test_what_stops_a_final_edition_is_a_warning_of_a_draft_that_is_built(
    project: Sources, write_text: WriteText, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_text("studies/speed/observations.md", "It costs 73% more.\n")
    assert (make(project) / "index.html").is_file()
    said = capsys.readouterr().err
    assert f"warning (an error to 'make check'): {path}:1: a number typed by" in said
    assert not re.search(r"^error", said, re.MULTILINE)


def test_a_finished_final_report_has_no_notes_of_the_checks(
    project: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    edition = project.report / "small/edition.yaml"
    text = project.report / "small/studies/speed/observations.md"
    issue = Issue("a doubt", Place(str(text), 1))
    found = [Finding("warning", "text", issue)]
    monkeypatch.setattr(verb, "findings", lambda checked: found)
    assert "Look at this: a doubt" in (make(project) / "index.html").read_text()
    edition.write_text(f"{edition.read_text()}status: final\n", "utf-8")
    assert "a doubt" not in (make(project) / "index.html").read_text()


def test_a_failing_engine_leaves_the_finished_report(
    project: Sources,
    write_text: WriteText,
    monkeypatch: pytest.MonkeyPatch,
    fonts: Path,
) -> None:
    class Broken(Printer):
        def render(self, documents: Mapping[str, Document], out: Path) -> None:
            super().render(documents, out)
            raise OSError("no space left")

    out = make(project)
    before = contents(out)
    write_text("studies/speed/background.md", "Another sentence.\n")
    monkeypatch.setattr(verb, "choose", lambda engine: Broken(fonts))
    with pytest.raises(OSError, match="no space"):
        make(project)
    assert contents(out) == before


def test_a_report_takes_the_place_of_the_old_one_and_of_nothing_else(
    tmp_path: Path,
) -> None:
    source, out = tmp_path / "source", tmp_path / "out"
    for number in ("1", "2"):
        names = {"index.html", f"only-{number}.pdf"}
        source.mkdir()
        for name in names:
            (source / name).write_text(number)
        (source / "manifest.json").write_text(
            json.dumps({"files": dict.fromkeys(names, "")})
        )
        deliver(source, out)
        (out / "mine.txt").write_text("mine")
        shutil.rmtree(source)
    assert (out / "index.html").read_text() == "2"
    assert {p.name for p in out.iterdir()} == {*names, "manifest.json", "mine.txt"}
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_what_came_while_the_report_was_put_in_place_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, out = tmp_path / "source", tmp_path / "out"
    source.mkdir()
    out.mkdir()
    (source / "manifest.json").write_text('{"files": {}}')

    def late(draft: Path, folder: Path) -> Path:
        (folder / "late.txt").write_text("late")
        return put_folder(draft, folder)

    monkeypatch.setattr("analysis.files.atomic.put_folder", late)
    deliver(source, out)
    assert (out / "late.txt").read_text() == "late"


def test_the_command_line_tells_a_mistake_and_ends_with_2(
    project: Sources, write_text: WriteText, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(ROOT)
    base = project.facts.parent
    path = write_text("studies/speed/observations.md", "{{ delta('latency') }}\n")
    arguments = {
        "--edition": "small", "--facts": project.facts, "--figures": project.figures,
        "--report": project.report, "--raw": project.raw, "--scratch": base / "scratch",
    }  # fmt: skip
    code = cli.main(["report", *(str(x) for pair in arguments.items() for x in pair)])
    assert code == 2
    error = capsys.readouterr().err
    assert error.startswith(f"error: {path}:1: ")
    assert "Traceback" not in error
    assert not (project.report / "build").exists()


def test_facts_that_do_not_say_of_which_files_they_are_are_refused(
    project: Sources,
) -> None:
    facts = read_facts(project.facts)
    write_facts(replace(facts, digests=()), project.facts)
    with pytest.raises(UserError, match="does not say from which files of 'lab'"):
        make(project)


def test_changed_raw_files_are_refused_where_no_build_looked_at_them(
    project: Sources,
) -> None:
    assert project.raw
    (project.raw / "lab" / "late.txt").write_text("late")
    with pytest.raises(UserError, match="not made from the files of"):
        make(project)
    make(replace(project, raw=None))
