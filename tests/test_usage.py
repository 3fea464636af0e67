"""The command line tells its version, its tasks and near names, and completes words."""

from __future__ import annotations

import subprocess
import sys
import tomllib

import pytest

from analysis import cli, usage
from analysis.completion import words_of
from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_command_is_the_one_that_is_installed():
    assert PROJECT["project"]["scripts"] == {usage.COMMAND: "analysis.cli:main"}
    packages = PROJECT["tool"]["uv"]["build-backend"]["module-name"]
    code = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert set(packages) == code - {"tests", "benchmarks"} | {
        "data",
        "docs",
        "templates",
    }


def test_the_version_is_that_of_the_project(capsys):
    assert cli.main(["--version"]) == 0
    wanted = f"{PROJECT['project']['name']} {PROJECT['project']['version']}\n"
    assert capsys.readouterr().out == wanted


def test_help_has_each_verb_once_under_its_task(capsys):
    assert cli.main(["--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    verbs = [line.split()[0] for line in lines if line[:2] == "  " != line[1:3]]
    assert sorted(verbs) == sorted(cli.VERBS)
    assert "bring a campaign in:" in lines


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["campain", "init"], "'campaign'"),
        (["repotr"], "'report'"),
        (["campaign", "int", "raw/lab"], "'init'"),
        (["inspect", "README.md", "--jsn"], "'--json'"),
        (["edition", "new", "lab", "--bsaeline", "A"], "'--baseline'"),
    ],
)
def test_what_was_meant_is_named(capsys, typed, meant):
    try:
        code = cli.main(typed)
    except SystemExit as ended:
        code = ended.code
    assert code == 2
    assert f"did you mean {meant}?" in capsys.readouterr().err


def test_bash_completes_verbs_options_and_editions(tmp_path, capsys):
    assert cli.main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    ask = """
    COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
    _{command}; echo "${{COMPREPLY[@]}}"
    """
    lines = (
        "x camp",
        "x campaign in",
        "x inspect --js",
        "x check --edition linux-veth-",
    )
    asked = "".join(ask.format(words=line, command="netperf_report") for line in lines)
    said = subprocess.run(
        ["bash", "-c", script + asked], capture_output=True, text=True, cwd=ROOT
    )
    assert said.stdout.splitlines() == ["campaign", "init", "--json", "linux-veth-talk"]
    assert said.stderr == ""


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_have_all_verbs_too(capsys, shell):
    assert cli.main(["completion", shell]) == 0
    said = capsys.readouterr().out
    assert all(verb in said for verb in cli.VERBS)
    assert "init" in words_of("campaign")


@pytest.mark.parametrize("verb", ["build", "index", "desk", "facts", "check"])
def test_outside_the_project_a_verb_that_needs_it_is_refused_and_writes_nothing(
    tmp_path, monkeypatch, capsys, verb
):
    (tmp_path / "raw").mkdir()
    monkeypatch.chdir(tmp_path)
    assert cli.main([verb]) == 2
    said = f"error: {tmp_path}: {verb!r} needs the folder of the project\n  mend: "
    assert capsys.readouterr().err.startswith(said + "go to it, or start one: ")
    assert [path.name for path in tmp_path.iterdir()] == ["raw"]
    (tmp_path / "templates").mkdir()
    monkeypatch.chdir(tmp_path / "raw")
    assert cli.main([verb]) == 2
    assert capsys.readouterr().err.endswith(f"  mend: cd {tmp_path}\n")


def test_a_build_is_that_of_the_checkout(monkeypatch):
    started = []

    class Started:
        def __init__(self, words, env, start_new_session):
            started.append(words)
            assert env[usage.CALLED] == usage.COMMAND
            assert not start_new_session  # Ctrl-C ends it

        def wait(self):
            return 3

    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(subprocess, "Popen", Started)
    monkeypatch.setattr(sys, "argv", [f"/opt/bin/{usage.COMMAND}"])
    assert cli.main(["build", "--edition", "linux-veth"]) == 3
    assert started[0][:3] == [sys.executable, "-m", "workflow.build"]
    assert started[0][3:5] == ["--edition", "linux-veth"]


def test_pages_are_told_where_they_are(tmp_path, monkeypatch):
    text = "see docs/claims.md and docs/how-to/plan.md; /srv/docs/a.md is no page"
    assert usage.as_called(text) == text
    monkeypatch.chdir(tmp_path)
    assert usage.as_called(text) == (
        f"see {ROOT}/docs/claims.md and {ROOT}/docs/how-to/plan.md; "
        "/srv/docs/a.md is no page"
    )
