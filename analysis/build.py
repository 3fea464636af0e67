"""Build reports, as 'make report' does: all editions, or one.

In a checkout it starts the build of its own code.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from analysis.usage import CALLED, program


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.add_argument("--edition", default="", help="one edition instead of all")
    engines = ("auto", "quarto", "pandoc")
    parser.add_argument("--engine", default="auto", choices=engines)


def run(args: argparse.Namespace) -> int:
    """The exit code of the build."""
    return start(args.edition, args.engine).wait()


def start(edition: str, engine: str, apart: bool = False) -> subprocess.Popen[bytes]:
    """A build that runs; ``apart`` from this process, whose Ctrl-C it does not hear."""
    words = ["--edition", edition, "--engine", engine]
    called = os.environ | {CALLED: program()}
    command = [sys.executable, "-m", "workflow.build", *words]
    return subprocess.Popen(command, env=called, start_new_session=apart)
