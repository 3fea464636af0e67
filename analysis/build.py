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
    words = ["--edition", args.edition, "--engine", args.engine]
    called = os.environ | {CALLED: program()}
    return subprocess.run(
        [sys.executable, "-m", "workflow.build", *words], check=False, env=called
    ).returncode
