"""The command line."""

import errno
import importlib
import io
import os
import shlex
import subprocess
import sys
from types import ModuleType

import pytest

from analysis import cli
from analysis.errors import user_error
from tests.conftest import ROOT


@pytest.fixture
def verb(monkeypatch):
    """A verb ``try`` that takes ``--times`` and ends as its function says."""
    module = ModuleType("analysis.trial", "Try it.")
    module.add_arguments = lambda parser: parser.add_argument("--times", type=int)
    module.run = lambda args: args.times
    monkeypatch.setitem(sys.modules, "analysis.trial", module)
    monkeypatch.setitem(cli.VERBS, "try", ("analysis.trial", "try something"))
    return module


def fail(args):
    raise user_error("unknown run", "runs.csv", 3, mend="name it")


def test_a_verb_s_result_is_the_exit_code(verb):
    assert cli.main(["try", "--times", "1"]) == 1


def test_a_user_s_mistake_is_one_message_and_exit_code_2(verb, capsys):
    verb.run = fail
    assert cli.main(["try"]) == 2
    out, err = capsys.readouterr()
    assert err == "error: runs.csv:3: unknown run\n  mend: name it\n"
    assert out == ""


def test_a_file_out_of_reach_is_one_message_and_exit_code_2(verb, capsys):
    def write(args):
        (ROOT / "nowhere" / "facts.json").write_text("")

    verb.run = write
    assert cli.main(["try"]) == 2
    said = capsys.readouterr().err
    assert said.endswith(
        "facts.json: no such file or directory\n"
        "  mend: see that it is there, is yours, and has room\n"
    )


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_line_is_written_at_once_also_where_python_buffers_nothing(
    verb, monkeypatch, stream
):
    class Pipe(io.RawIOBase):
        def writable(self):
            return True

        def write(self, part):
            parts.append(bytes(part))
            return len(part)

    parts = []
    unbuffered = io.TextIOWrapper(Pipe(), write_through=True)
    monkeypatch.setattr(sys, stream, unbuffered)
    verb.run = lambda args: print("one", 2, file=unbuffered) or 0
    assert cli.main(["try"]) == 0
    assert parts == [b"one 2\n"]


def test_debug_shows_where_it_came_from(verb):
    verb.run = fail
    with pytest.raises(cli.UserError):
        cli.main(["try", "--debug"])


def test_an_unknown_verb_is_told_with_the_list(capsys):
    assert cli.main(["trie"]) == 2
    out, err = capsys.readouterr()
    assert "there is no verb 'trie'" in err
    assert all(verb in out for verb in cli.VERBS)


@pytest.mark.parametrize("argv", [[], ["--help"], ["-h"]])
def test_help_lists_the_verbs(argv, capsys):
    assert cli.main(argv) == 0
    out = capsys.readouterr().out
    assert all(verb in out for verb in cli.VERBS)


@pytest.mark.parametrize("name", sorted(cli.VERBS))
def test_every_verb_has_help(name, capsys):
    module = importlib.import_module(cli.VERBS[name][0])
    with pytest.raises(SystemExit) as ended:
        cli.main([name, "--help"])
    assert ended.value.code == 0
    first = module.__doc__.strip().split()[0]
    assert first in capsys.readouterr().out


def test_a_reader_of_a_pipe_may_leave():
    """As in ``facts STUDY | head -1``."""
    python = shlex.quote(sys.executable)
    command = f"{python} -m analysis fingerprint derive --modules | head -n 0"
    run = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert run.stderr == ""


def test_an_interrupt_is_one_line(monkeypatch, capsys):
    def interrupted(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("analysis.programs.fingerprint.run", interrupted)
    assert cli.main(["fingerprint", "derive"]) == 130
    assert capsys.readouterr().err == "interrupted\n"


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.ELOOP])
def test_a_full_or_closed_folder_is_told(monkeypatch, capsys, code):
    def failing(_: object) -> int:
        raise OSError(code, os.strerror(code), "report/build/x")

    monkeypatch.setattr("analysis.programs.fingerprint.run", failing)
    assert cli.main(["fingerprint", "derive"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"error: report/build/x: {os.strerror(code).lower()}")
    assert "Traceback" not in said
