"""What the command line says of itself: help by task, its version, near names."""

from __future__ import annotations

import argparse
import difflib
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

COMMAND = "netperf-report"  # what pyproject.toml calls the command
ELSEWISE = "python -m analysis"  # the same, in the environment that make keeps
CALLED = "NETPERF_REPORT_CALLED"  # tells what a build starts who called it
PROJECT = "netperf-report"
# The verbs in the order in which one needs them; the others keep a build going.
TASKS = {
    "look at one run": ("inspect", "summary"),
    "bring a campaign in": ("collect", "campaign", "checksums", "ingest"),
    "start a report, and build it": ("edition", "study", "build", "facts"),
    "check and review": ("check", "review", "desk", "returned"),
    "compare and publish": ("regress", "compare", "diff", "publish"),
    "keep house": ("catalogue", "prune"),
    "set up": ("completion", "schema"),
}
_CHOICE = re.compile(r"invalid choice: '([^']*)' \(choose from (.*)\)")
_OPTIONS = re.compile(r"unrecognized arguments: (--[\w-]+)")
_VERSION = re.compile(r'^version = "([^"]+)"', re.MULTILINE)

Verbs = Mapping[str, tuple[str, str]]


def program() -> str:
    """The words by which the program was started, by a build of it as well."""
    if Path(sys.argv[0]).stem == COMMAND or os.environ.get(CALLED) == COMMAND:
        return COMMAND
    python = Path(sys.executable)
    here = python.is_relative_to(Path.cwd())  # as that of make's environment is
    return f"{python.relative_to(Path.cwd())} -m analysis" if here else ELSEWISE


def said(text: str) -> str:
    """A text for who called the program, with its commands by the words of that call.

    Texts call it as if its environment were active.
    """
    return text.replace(ELSEWISE, program())


def build_command(edition: str | None) -> str:
    """The command that builds an edition, or all."""
    if program() == COMMAND:
        return f"{COMMAND} build" + (f" --edition {edition}" if edition else "")
    return "make report" + (f" EDITION={edition}" if edition else "")


def version() -> str:
    """The name of the project and its version, of the checkout or as installed."""
    try:
        declared = Path(__file__).parents[1] / "pyproject.toml"
        [found] = _VERSION.findall(declared.read_text(encoding="utf-8"))
    except OSError:
        from importlib import metadata  # a third of what every start imports

        try:
            found = metadata.version(PROJECT)
        except metadata.PackageNotFoundError:
            found = "unknown"
    return f"{PROJECT} {found}"


def usage(args: Sequence[str], verbs: Verbs) -> int:
    """Print the verbs by task; 2 where an unknown one was asked for, else 0."""
    print(f"usage: {program()} VERB [options] [--debug]")
    print(f"       {program()} VERB --help | --version")
    listed = {verb for task in TASKS.values() for verb in task}
    rest = tuple(verb for verb in verbs if verb not in listed)
    for task, names in {**TASKS, "steps of a build": rest}.items():
        print(f"\n{task}:")
        for verb in (name for name in names if name in verbs):
            print(f"  {verb:12} {verbs[verb][1]}")
    print("\nA first report, step by step: docs/how-to/campaign.md")
    wanted = not args or args[0] in ("-h", "--help", "help")
    if not wanted:
        meant = near(args[0], verbs)
        print(f"\nerror: there is no verb {args[0]!r}{meant}", file=sys.stderr)
    return 0 if wanted else 2


def near(name: str, known: Iterable[str]) -> str:
    """``; did you mean …?`` where a known name is near, else nothing."""
    found = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {found[0]!r}?" if found else ""


class Parser(argparse.ArgumentParser):
    """A parser that names the action or option that may be meant."""

    def error(self, message: str) -> NoReturn:
        """Print usage and message, with the nearest name; exit code 2."""
        if found := _CHOICE.search(message):
            message += near(found[1], re.findall(r"[\w-]+", found[2]))
        elif found := _OPTIONS.search(message):
            known = [name for a in self._actions for name in a.option_strings]
            message += near(found[1], known)
        super().error(message)
