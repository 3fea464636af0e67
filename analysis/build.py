"""Build reports, as 'make report' does: all editions, or one.

It starts the build of the checkout in which it is called.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from analysis.errors import user_error
from analysis.usage import CALLED, program

_BUILD = Path("workflow/build.py")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.add_argument("--edition", default="", help="one edition instead of all")
    engines = ("auto", "quarto", "pandoc")
    parser.add_argument("--engine", default="auto", choices=engines)


def run(args: argparse.Namespace) -> int:
    """The exit code of the build."""
    if not _BUILD.is_file():
        mend = "go to the folder of the project, where the Makefile is"
        raise user_error("this folder has no reports to build", Path.cwd(), mend=mend)
    words = ["--edition", args.edition, "--engine", args.engine]
    called = os.environ | {CALLED: program()}
    return subprocess.run(
        [sys.executable, "-m", "workflow.build", *words], check=False, env=called
    ).returncode
