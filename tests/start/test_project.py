"""A project of one's own, by a program that is installed and has no checkout."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from analysis.cli import main
from analysis.declared.metrics import METRICS_FILE, read_metrics
from analysis.errors import UserError
from analysis.files.templates import (
    TEMPLATES,
    template_file,
    template_files,
    template_folders,
)
from analysis.program import PROGRAM, version
from analysis.report.builds.third_party import PARTS
from analysis.start import project
from tests.conftest import ROOT

UV = ROOT / ".bootstrap/bin/uv"
# What a lab without z/OS has no use for, in pages, data and messages.
FOREIGN = re.compile(
    r"\b(?:LPARs?|z/?OS|CPs|SMC\w*|z[IA]+Ps?|OSA|SMF|RMF|CPC|Parallel Sysplex)\b"
)
OTHERS = {".csl"}  # of files that others made
CARRIED = ("LICENSE", "NOTICE", "CITATION.cff", "CONTRIBUTING.md", "SECURITY.md")
METRIC = """\
bit_rate:
  label: Bit rate
  unit: Gbit/s
  better: higher
  roles: false
  shapes: [STR]
  means: Payload bits moved per second.
  evidence: benchmark
  rule: payload bits ÷ seconds
  expression: bytes_per_second * 8 / 1e9
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The commands of an environment that has the wheel, built from the sdist, and the
    libraries of the environment that runs the tests."""
    if not UV.exists():
        pytest.skip("needs the environment that make makes")
    folder = tmp_path_factory.mktemp("installed")
    offline = [UV, "--no-cache", "--offline", "--quiet"]
    subprocess.run([*offline, "build", "--out-dir", folder, ROOT], check=True)
    environment = folder / "environment"
    subprocess.run(
        [*offline, "venv", "--python", sys.executable, environment], check=True
    )
    [site] = environment.glob("lib/python*/site-packages")
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    [wheel] = folder.glob("*.whl")
    python = environment / "bin/python"
    install = ["pip", "install", "--no-deps", "--python", python, wheel]
    subprocess.run([*offline, *install], check=True)
    yield environment / "bin"


def call(installed: Path, folder: Path, *words: object) -> str:
    """What the installed command says in a folder, at a good end."""
    done = subprocess.run(
        [installed / "netperf-report", *words],
        cwd=folder, capture_output=True, text=True, env=_environment(installed),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def _environment(installed: Path) -> dict[str, str]:
    path = os.pathsep.join([str(installed), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "HOME": str(installed), "PYTHONPATH": ""}


def words_of(folder: Path) -> Iterator[str]:
    """The texts of all files that a build leaves for readers, without what a script
    or a picture holds."""
    for path in folder.rglob("*"):
        if path.suffix in {".html", ".csv", ".json", ".svg", ".yaml", ".md"}:
            text = path.read_text("utf-8")
            text = re.sub(r"<script.*?</script>|base64,[\w+/=]+", "", text, flags=re.S)
            yield f"{path}: {text}"


def test_a_lab_goes_from_an_installed_program_to_a_report_of_its_own(
    installed: Path, tmp_path: Path
) -> None:
    """Its metric, its template, and no word of machines that it does not have."""
    said = call(installed, tmp_path, "new", "lab")
    lab = tmp_path / "lab"
    for setting in ("A", "B"):
        for run in ("rep01", "rep02", "rep03", "rep04"):
            name = f"{setting}/STR3(1B_20MB)/{run}"
            shutil.copytree(ROOT / "raw/linux-veth" / name, lab / "raw/veth" / name)
    (lab / METRICS_FILE).write_text(METRIC)
    style = (TEMPLATES / "narrow.css").read_text("utf-8")
    (lab / "templates/narrow.css").write_text(f"{style}/* of the lab */\n")
    said += call(installed, lab, "campaign", "init", "raw/veth")
    said += call(installed, lab, "edition", "new", "offload", "--campaign", "veth")
    assert "next: netperf-report build --edition offload" in said
    with (lab / "report/offload/edition.yaml").open("a") as file:
        file.write("units: {throughput: Gbit/s}\n")
    made = subprocess.run(
        ["make", "-o", ".venv/requirements.txt", f"VENV={installed}", "report"],
        cwd=lab, capture_output=True, text=True, env=_environment(installed),
    )  # fmt: skip
    said += made.stdout + made.stderr
    assert made.returncode == 0, said
    build = lab / "report/build"
    page = (build / "offload/index.html").read_text("utf-8")
    assert (build / "offload/offload.pdf").stat().st_size > 10_000
    assert "Bit rate" in page
    assert "of the lab" in page
    facts = json.loads((build / "offload/facts.json").read_text("utf-8"))
    units = {fact["unit"] for fact in facts["facts"] if fact["kind"] == "value"}
    assert "Gbit/s" in units
    assert "MB/s" not in units
    assert "MB/s" not in re.sub(r"<script.*?</script>", "", page, flags=re.S)
    texts = [said, *words_of(build), *words_of(lab / "raw"), *words_of(lab / "report")]
    assert {match[0] for text in texts for match in FOREIGN.finditer(text)} == set()
    assert "docs/reference/study.schema.json" in call(installed, lab, "schema")
    again = call(installed, lab, "build")
    assert "Nothing to be done" in again
    names = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard"],
        cwd=lab, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    assert {name.split("/")[0] for name in names} == {
        "docs",
        "raw",
        "report",
        "templates",
    }


def test_an_installed_command_needs_no_project_for_one_run(
    installed: Path, tmp_path: Path
) -> None:
    said = call(
        installed, tmp_path, "summary", ROOT / "raw/linux-veth/A/RR10(100B)/rep01"
    )
    assert "CPU cost" in said
    assert list(tmp_path.iterdir()) == []


def test_an_installed_command_tells_that_the_checkout_here_went_on(
    installed: Path, tmp_path: Path
) -> None:
    shutil.copytree(ROOT / "analysis", tmp_path / "analysis")
    (tmp_path / "empty").mkdir()

    def said() -> str:
        done = subprocess.run(
            [installed / "netperf-report", "checksums", "empty"],
            cwd=tmp_path, capture_output=True, text=True,
        )  # fmt: skip
        return done.stderr

    assert "note:" not in said()
    (tmp_path / "analysis/errors.py").write_text("")
    assert said().startswith(
        "note: modules of the checkout here that are not those that run: 1"
    )
    assert "uv tool install --force --editable ." in said()


def test_the_wheel_has_the_pages_that_a_project_needs_and_no_tests(
    installed: Path,
) -> None:
    [wheel] = installed.parents[1].glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"docs/campaigns.md", "docs/authors.md", "docs/how-to/linux-lab.md"} <= names
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == {
        "analysis", "data", "docs", "models", "synthetic", "templates", "workflow",
    }  # fmt: skip
    assert [n for n in names if n.startswith("data/") and n != "data/"] == [
        "data/metrics.yaml"
    ]


def test_the_archive_of_sources_has_what_a_release_carries(installed: Path) -> None:
    [archive] = installed.parents[1].glob("*.tar.gz")
    with tarfile.open(archive) as sources:
        names = {name.partition("/")[2] for name in sources.getnames()}
    assert {*CARRIED, "workflow/Snakefile"} <= names


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", *words], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_a_project_is_in_git_and_names_the_version_of_all_that_it_needs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lab = tmp_path / "lab"
    assert main(["new", str(lab)]) == 0
    assert "note:" not in capsys.readouterr().out
    assert git(lab, "status", "--porcelain") == ""
    assert git(lab, "log", "--format=%an").split() == ["netperf-report"]
    lock = (lab / project.LOCK).read_text()
    assert f"\nnetperf-report @ {PROGRAM.as_uri()}\n" in lock
    pins = dict(re.findall(r"^([\w.-]+)==(\S+)$", lock, re.M))
    assert {"polars", "snakemake", "brotli"} <= set(pins)  # the last by an extra
    assert "pytest" not in pins


@pytest.mark.parametrize("host", project.CI)
def test_the_file_of_a_host_calls_what_the_project_has(
    tmp_path: Path, host: str
) -> None:
    assert main(["new", str(tmp_path / "lab"), "--ci", host]) == 0
    text = "".join((tmp_path / "lab" / n).read_text() for n in project.CI[host])
    called = set(re.findall(r"sh (templates/\S+)", text))
    assert all((tmp_path / "lab" / name).is_file() for name in called)
    assert bool(called) == (host != "none")


def test_nothing_of_a_folder_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("mine\n")
    with pytest.raises(UserError, match="Makefile: this file exists already"):
        project.start(tmp_path, "none")
    assert [path.name for path in tmp_path.iterdir()] == ["Makefile"]


def test_in_a_repository_the_files_are_left_to_who_has_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    git(tmp_path, "init", "--quiet")
    assert main(["new", str(tmp_path / "lab")]) == 0
    assert "note: not committed: " in capsys.readouterr().out
    assert not (tmp_path / "lab/.git").exists()


def test_an_upgrade_takes_what_nobody_changed_and_says_what_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab = tmp_path / "lab"
    assert main(["new", str(lab)]) == 0
    (lab / "Makefile").write_text("mine\n")
    texts = project._texts
    monkeypatch.setattr(project, "_texts", lambda *of: {
        name: f"{text}# newer\n" for name, text in texts(*of).items()
    })  # fmt: skip
    said = list(project.upgrade(lab))
    assert f"{lab / 'Makefile'}: somebody changed it, so it stays as it is" in said
    assert f"{lab / 'requirements.txt'}: written" in said
    assert (lab / "Makefile").read_text() == "mine\n"
    assert (lab / "Snakefile").read_text().endswith("# newer\n")
    assert "newer" not in (lab / METRICS_FILE).read_text()


def test_an_upgrade_of_no_project_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"there is no requirements\.txt"):
        list(project.upgrade(tmp_path))


def test_templates_of_a_project_stand_over_those_of_the_program(
    tmp_path: Path,
) -> None:
    (tmp_path / "desk").mkdir()
    (tmp_path / "desk/desk.css").write_text("own")
    assert template_file(tmp_path, "desk/desk.css") == tmp_path / "desk/desk.css"
    assert template_file(tmp_path, "page.css") == TEMPLATES / "page.css"
    files = template_files(tmp_path, "desk")
    assert files["desk.css"] == tmp_path / "desk/desk.css"
    assert files["desk.js"] == TEMPLATES / "desk/desk.js"
    assert template_folders(TEMPLATES, "new") == [TEMPLATES / "new"]


def test_metrics_of_a_project_add_to_those_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = read_metrics(PROGRAM / METRICS_FILE)
    monkeypatch.chdir(tmp_path)
    assert read_metrics() == known
    METRICS_FILE.parent.mkdir()
    METRICS_FILE.write_text("# none yet\n")
    assert read_metrics() == known
    METRICS_FILE.write_text(METRIC + METRIC.replace("bit_rate", "rate"))
    both = read_metrics()
    assert [*both] == [*known, "bit_rate"]
    assert both["rate"].label == "Bit rate"
    METRICS_FILE.write_text(METRIC + "  follows: [nothing]\n")
    with pytest.raises(UserError, match=r"data/metrics\.yaml.*cannot follow"):
        read_metrics()


def test_a_verb_works_in_the_project_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", str(tmp_path / "lab")]) == 0
    monkeypatch.chdir(tmp_path)
    assert main(["catalogue", "--project", "lab"]) == 0
    assert "no campaign yet" in capsys.readouterr().out
    assert Path.cwd() == tmp_path / "lab"
    assert main(["catalogue", f"--project={tmp_path / 'nowhere'}"]) == 2
    assert "no such file" in capsys.readouterr().err


def test_a_citation_names_the_version() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert (cited["version"], cited["license"]) == (version(), "Apache-2.0")


@pytest.mark.parametrize(
    "name", ["netperf/reference.docx", "netperf-slides/reference.pptx"]
)
def test_the_look_of_an_office_file_is_no_work_of_others(name: str) -> None:
    with zipfile.ZipFile(ROOT / "templates/_extensions" / name) as parts:
        texts = b"".join(map(parts.read, parts.namelist()))
    assert b"andoc" not in texts and b"MacFarlane" not in texts
    assert b"creationId" not in texts and b"w:rsid" not in texts  # of an office program


def test_the_notice_names_each_file_with_a_licence_of_its_own() -> None:
    notice = (ROOT / "NOTICE").read_text("utf-8")
    templates = ROOT / "templates"
    named = [path for path in templates.rglob("*") if path.suffix in OTHERS]
    assert len(named) == 1
    assert all(path.relative_to(ROOT).as_posix() in notice for path in named)
    assert all(part.name.partition(",")[0] in notice for part in PARTS)
    editor = (templates / "desk/codemirror.js").read_bytes()
    assert hashlib.sha256(editor).hexdigest() in notice and b"MIT License" in editor
