"""What a benchmark measures is all that a command takes, and both sides by turns."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.cases import CASES, Side
from benchmarks.cost import CPU, MEMORY, WALL
from benchmarks.project import ROOT

BURN = "sum(i for i in range(10_000_000)); block = b'1' * (200 << 20)"
ORPHAN = f"""import subprocess, sys
subprocess.Popen([sys.executable, '-c', {BURN!r}], start_new_session=True)"""


def cost_of(program: str) -> subprocess.CompletedProcess[str]:
    """What a program costs, asked in a process that has no other children."""
    ask = (
        "import json, pathlib, sys; from benchmarks.cost import run; "
        "print(json.dumps(run([sys.executable, '-c', sys.argv[1]], pathlib.Path())))"
    )
    command = [sys.executable, "-c", ask, program]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.skipif(
    sys.platform != "linux", reason="needs Linux: orphans are handed over"
)
def test_a_process_that_outlives_its_parent_counts():
    numbers = json.loads(cost_of(ORPHAN).stdout)
    assert numbers[CPU] > 0.2
    assert numbers[MEMORY] > 200
    assert numbers[WALL] > 0


def test_a_command_that_fails_ends_the_benchmark_with_what_it_printed():
    done = cost_of("import sys; sys.exit('out of paper')")
    assert done.returncode == 1
    assert "out of paper" in done.stderr
    assert "Traceback" not in done.stderr


def test_help_has_a_line_for_each_case(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    lines = capsys.readouterr().out.splitlines()
    for name, case in CASES.items():
        assert f"  {name:9} {case.__doc__}" in lines


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["colt"], "there is no case 'colt'"),
        (["cold", "--edition", "none"], "report/none/edition.yaml"),
        (["cold", "--rounds", "0"], "--rounds: '0' will not do"),
    ],
)
def test_what_cannot_be_measured_is_named(
    words: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(words)
    except SystemExit as error:
        code = error.code
    assert code == 2
    assert named in capsys.readouterr().err


def test_an_old_checkout_without_an_environment_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["cold", "--edition", "all", "--beside", str(tmp_path)])
    assert f"{tmp_path} has no .venv/bin/python" in capsys.readouterr().err


def test_two_checkouts_are_measured_by_turns(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.touch()
    asked: list[str] = []

    def half(side: Side) -> Iterator[dict[str, float]]:
        old = side.checkout == tmp_path
        for nth in (1, 3, 2):
            asked.append(side.folder.name)
            yield {"s": nth * (4.0 if old else 2.0), "faults": 0.0}

    monkeypatch.setitem(CASES, "half", half)
    assert main(["half", "--edition", "all", "--beside", str(tmp_path)]) == 0
    assert asked == ["old", "new"] * 3
    seconds, faults = capsys.readouterr().out.splitlines()[-2:]
    assert seconds.split() == ["half", "s", "8", "4", "0.5"]
    assert faults.split() == ["half", "faults", "0", "0"]  # and no ratio
