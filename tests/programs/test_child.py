"""Child programs end: in time, or with their parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.programs.child import run_child

FOREVER = "import time; time.sleep(600)"
PATIENCE = 30.0


def python(code: str) -> list[str]:
    return [sys.executable, "-IS", "-c", code]


def ended(process: int) -> bool:
    """Whether a process is gone, or only waits to be counted."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return True
    return state == "Z"


def ends(process: int) -> bool:
    """Whether a process ends while there is patience."""
    deadline = time.monotonic() + PATIENCE
    while not ended(process) and time.monotonic() < deadline:
        time.sleep(0.02)
    return ended(process)


def test_a_program_gets_its_input_and_gives_its_output(tmp_path: Path) -> None:
    code = "import os, sys; print(os.getcwd(), input()); sys.exit('no')"
    done = run_child(python(code), tmp_path, b"given")
    assert done.output.decode().strip() == f"{tmp_path} given"
    assert (done.code, done.errors) == (1, b"no\n")


def test_a_program_has_the_environment_that_it_is_given(tmp_path: Path) -> None:
    code = "import os; print(os.environ['A'], os.nice(0))"
    done = run_child(python(code), tmp_path, environment={"A": "b"}, nice=3)
    assert done.output == b"b %d\n" % (os.nice(0) + 3)


def test_a_signal_is_told_as_shells_do(tmp_path: Path) -> None:
    done = run_child(python("import os; os.kill(os.getpid(), 9)"), tmp_path)
    assert done.code == 128 + signal.SIGKILL


def test_a_program_that_takes_too_long_is_ended_with_what_it_started(
    tmp_path: Path,
) -> None:
    code = (
        "import subprocess, sys; "
        f"child = subprocess.Popen([sys.executable, '-c', {FOREVER!r}]); "
        "print(child.pid, file=open('pid', 'w'), flush=True); child.wait()"
    )
    with pytest.raises(
        UserError, match=r"python.* more than 3 seconds \(CHILD_SECONDS"
    ):
        run_child(python(code), tmp_path, seconds=3)
    assert ends(int((tmp_path / "pid").read_text()))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_program_ends_with_its_parent(tmp_path: Path, how: signal.Signals) -> None:
    code = f"import os; print(os.getpid(), file=open('pid', 'w')); {FOREVER}"
    program = f"""
from pathlib import Path
from analysis.programs.child import run_child
run_child({python(code)!r}, Path({str(tmp_path)!r}))
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], stderr=subprocess.DEVNULL
    ) as parent:
        pid, deadline = tmp_path / "pid", time.monotonic() + PATIENCE
        while not (pid.is_file() and pid.read_text()) and time.monotonic() < deadline:
            time.sleep(0.02)
        parent.send_signal(how)
    assert ends(int(pid.read_text()))
