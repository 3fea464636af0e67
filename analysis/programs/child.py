"""Child programs: each has a time limit and ends with its parent, also a killed one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from analysis.errors import user_error
from analysis.files.limits import CHILD_SECONDS
from analysis.programs import guard


@dataclass(frozen=True)
class Done:
    """How a child program ended, and what it wrote."""

    code: int
    output: bytes
    errors: bytes


def run_child(
    command: Sequence[str],
    folder: Path,
    given: bytes = b"",
    environment: Mapping[str, str] | None = None,
    nice: int = 0,
    seconds: float = CHILD_SECONDS,
) -> Done:
    """Run a program in a folder with ``given`` as its input, to its end.

    ``nice`` is by how much it yields to others. After ``seconds`` it is ended with all
    that it started, which is a :class:`analysis.errors.UserError`.
    """
    reader, writer = os.pipe()
    with open(reader, "rb"):
        process = subprocess.Popen(
            [sys.executable, "-ISE", guard.__file__, f"{reader}", f"{nice}", *command],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[reader],
        )
    with process, open(writer, "wb"):  # the end of the pipe ends the program
        try:
            output, errors = process.communicate(given, timeout=seconds)
        except subprocess.TimeoutExpired:
            name = Path(command[0]).name
            raise user_error(
                f"{name} took more than {seconds:g} seconds (CHILD_SECONDS)",
                folder,
                mend="look for a text or a table that is very long or deeply nested",
            ) from None
    return Done(process.returncode, output, errors)


@cache
def pandoc_program() -> str:
    """Where Pandoc lies; to look for it takes a start of the program."""
    import pypandoc  # most texts are checked without it

    path: str = pypandoc.get_pandoc_path()
    return path
