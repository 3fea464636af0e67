"""Commands of Python that find libraries imported, Snakemake or those of the stages:
that is most of their time, and the tests start dozens.

A process imports libraries once, and is forked for each command. It has none of a
project's own code, which each command imports from its folder, as ever.
"""

from __future__ import annotations

import functools
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SNAKEMAKE = (
    *("snakemake.cli", "snakemake.workflow", "snakemake.report.html_reporter"),
    *("pandas", "sqlmodel", "pydantic", "yaml", "yte", "smart_open"),
    *("difflib", "filecmp", "tomllib"),
)
STAGES = (
    *("duckdb", "jinja2", "lxml.html", "markdown_it", "plotnine", "polars", "pyarrow"),
    *("pydantic", "pypandoc", "scipy.stats", "starlette.applications", "typst", "yaml"),
)
_MOST = 1 << 20  # bytes of what is asked for


@dataclass
class Warm:
    """The process that is forked; it ends when nobody holds this end of its socket."""

    ours: socket.socket

    def run(
        self,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        patience: float,
    ) -> tuple[int, str]:
        """The exit code and all output of ``python -m …`` or ``python -c …``, run in a
        folder, an environment and a session of its own."""
        asked = {"argv": command[1:], "folder": str(folder), "of": {**environment}}
        said, output = os.pipe()
        answer, answers = os.pipe()
        with open(said, "rb", buffering=0) as said_to_us, open(answer) as answered:
            socket.send_fds(self.ours, [json.dumps(asked).encode()], [output, answers])
            os.close(output)
            os.close(answers)
            pid = int(answered.readline())
            try:
                text = _read(said_to_us.fileno(), time.monotonic() + patience)
            except TimeoutError:
                os.killpg(pid, signal.SIGKILL)
                raise
            return int(answered.readline()), text


def is_python(command: Sequence[str]) -> bool:
    """Whether a command can be run so."""
    return command[0] == sys.executable and command[1] in ("-c", "-m")


@functools.cache
def warm(libraries: tuple[str, ...] = SNAKEMAKE) -> Warm:
    """The one of this worker with some libraries."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        subprocess.Popen(
            [sys.executable, __file__, str(its.fileno()), *libraries],
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": ""},
            pass_fds=[its.fileno()],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
    return Warm(ours)


def _read(said: int, deadline: float) -> str:
    """All that is said until nobody is left to say more."""
    found = b""
    while True:
        left = max(0, deadline - time.monotonic())
        if not select.select([said], [], [], left)[0]:
            raise TimeoutError(found.decode())
        more = os.read(said, 1 << 16)
        if not more:
            return found.decode()
        found += more


def _serve(listener: socket.socket, libraries: Sequence[str]) -> None:
    for name in libraries:
        importlib.import_module(name)
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # who keeps a command goes by itself
    while True:
        asked, files, _, _ = socket.recv_fds(listener, _MOST, 2)
        if not asked:
            return
        if not os.fork():
            listener.close()
            _keep(json.loads(asked), *files)
            return
        for file in files:
            os.close(file)


def _keep(asked: dict, output: int, answers: int) -> None:
    """Run a command in a process of its own, and tell its number and how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if pid := os.fork():
        os.close(output)
        os.write(answers, f"{pid}\n".encode())
        _, status = os.waitpid(pid, 0)
        os.write(answers, f"{os.waitstatus_to_exitcode(status)}\n".encode())
        os._exit(0)
    os.close(answers)
    os.setsid()
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["of"])
    _run(*asked["argv"])


def _run(how: str, what: str, *arguments: str) -> None:
    """Do as Python does with a module or a text."""
    sys.argv[:] = [how, *arguments]
    if how == "-m":
        sys.path[0] = os.getcwd()
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        exec(what, {"__name__": "__main__"})  # noqa: S102 - it is a test's


if __name__ == "__main__":
    sys.path[0] = ""  # of the folder that is to come; not of the tests
    _serve(socket.socket(fileno=int(sys.argv[1])), sys.argv[2:])
