"""What verbs have in common: help by task, where they run, and what options take.

Verbs that look at files alone work anywhere; all others read the folders of the
project. The command may be installed once and called in several checkouts, or in one
that went on since: that is told, as a build runs the code of the checkout.
"""

from __future__ import annotations

import argparse
import datetime as dt
import difflib
import filecmp
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from analysis.errors import user_error
from analysis.program import NAME, PROGRAM, documentation

COMMAND = NAME
ELSEWISE = "python -m analysis"  # the same, in the environment that make keeps
CALLED = "NETPERF_REPORT_CALLED"  # tells what a build starts who called it
ANYWHERE = {
    "inspect", "summary", "collect", "campaign", "checksums", "ingest",
    "load", "diff", "reproduce", "completion", "fingerprint", "new",
    "mcp",
}  # fmt: skip
_CODE, _RUNNING = Path("analysis"), PROGRAM / "analysis"
_PROJECT = ("data/metrics.yaml", "templates", "report")
_CHOICE = re.compile(r"invalid choice: '([^']*)' \(choose from (.*)\)")
_PAGES = re.compile(r"(?<![\w./-])docs/((?:[\w-]+/)?[\w-]+\.md)")
_OPTIONS = re.compile(r"unrecognized arguments: (--[\w-]+)")

Tasks = Mapping[str, Mapping[str, tuple[str, str]]]


def program() -> str:
    """The words by which the program was started, by a build of it as well."""
    if Path(sys.argv[0]).stem == COMMAND or os.environ.get(CALLED) == COMMAND:
        return COMMAND
    python = Path(sys.executable)
    here = python.is_relative_to(Path.cwd())  # as that of make's environment is
    return f"{python.relative_to(Path.cwd())} -m analysis" if here else ELSEWISE


def as_called(text: str) -> str:
    """A text for who called the program: its commands by the words of that call, its
    pages where they are.

    Texts call it as if its environment were active.
    """
    text = text.replace(ELSEWISE, program())
    return _PAGES.sub(lambda page: f"{documentation()}/{page[1]}", text)


def taken(args: list[str], option: str) -> str | None:
    """The value of an option of all verbs, which is taken out of ``args``; None where
    it is not there."""
    for n, word in enumerate(args):
        name, equals, value = word.partition("=")
        if name == option and (equals or n + 1 < len(args)):
            given = value if equals else args[n + 1]
            del args[n : n + (1 if equals else 2)]
            return given
    return None


def build_command(edition: str | None) -> str:
    """The command that builds an edition, or all."""
    if program() == COMMAND:
        return f"{COMMAND} build" + (f" --edition {edition}" if edition else "")
    return "make report" + (f" EDITION={edition}" if edition else "")


def usage(args: Sequence[str], tasks: Tasks) -> int:
    """Print the verbs by task; 2 where an unknown one was asked for, else 0."""
    print(f"usage: {program()} VERB [options] [--project FOLDER] [--debug]")
    print(f"       {program()} VERB --help | --version")
    for task, verbs in tasks.items():
        print(f"\n{task}:")
        for verb, (_, meaning) in verbs.items():
            print(f"  {verb:12} {meaning}")
    print(f"\nA first report, step by step: {documentation()}/how-to/linux-lab.md")
    if not args or args[0] in ("-h", "--help", "help"):
        return 0
    meant = near(args[0], (verb for verbs in tasks.values() for verb in verbs))
    print(f"\nerror: there is no verb {args[0]!r}{meant}", file=sys.stderr)
    return 2


def check_folder(verb: str, args: Sequence[str]) -> None:
    """A :class:`UserError` where a verb needs the project and is called elsewhere."""
    asks = {"-h", "--help"}.intersection(args)
    if verb in ANYWHERE or asks or is_project(Path()):
        return
    here = Path.cwd()
    above = next((folder for folder in here.parents if is_project(folder)), None)
    start = f"go to it, or start one: {program()} new NAME"
    mend = f"cd {above}" if above else start
    raise user_error(f"{verb!r} needs the folder of the project", here, mend=mend)


def is_project(folder: Path) -> bool:
    """Whether a folder has any of what only a project has."""
    return any((folder / name).exists() for name in _PROJECT)


def other_code() -> int:
    """How many modules of the checkout in this folder are not those that run."""
    here = _CODE.resolve()
    if here == _RUNNING or not (here / "cli.py").is_file():
        return 0
    names = {path.relative_to(root).as_posix() for root in (here, _RUNNING)
             for path in root.rglob("*.py")}  # fmt: skip
    _, *others = filecmp.cmpfiles(here, _RUNNING, names, shallow=False)
    return sum(map(len, others))


def near(name: str, known: Iterable[str]) -> str:
    """``; did you mean …?`` where a known name is near, else nothing."""
    meant = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {meant[0]!r}?" if meant else ""


class Parser(argparse.ArgumentParser):
    """A parser that names the action or option that may be meant."""

    def error(self, message: str) -> NoReturn:
        """Print usage and message, with the nearest name; exit code 2."""
        if choice := _CHOICE.search(message):
            message += near(choice[1], re.findall(r"[\w-]+", choice[2]))
        elif option := _OPTIONS.search(message):
            known = [name for a in self._actions for name in a.option_strings]
            message += near(option[1], known)
        super().error(message)


def day(option: str) -> Callable[[str], dt.date]:
    """Reads a day, as 2026-01-31."""

    def read(text: str) -> dt.date:
        try:
            return dt.datetime.strptime(text, "%Y-%m-%d").date()
        except ValueError:
            mend = "write it as 2026-01-31"
            raise user_error(f"{option}: {text!r} is no day", mend=mend) from None

    return read


def whole(option: str, least: int, most: int | None = None) -> Callable[[str], int]:
    """Reads a whole number from ``least`` to ``most``."""

    def read(text: str) -> int:
        known = text.isascii() and text.isdigit()
        if known and int(text) >= least and (most is None or int(text) <= most):
            return int(text)
        room = f"of {least} or more" if most is None else f"from {least} to {most}"
        mend = f"write a whole number {room}"
        raise user_error(f"{option}: {text!r} will not do", mend=mend)

    return read


def seconds(option: str) -> Callable[[str], float]:
    """Reads a time in seconds, 0 or more."""

    def read(text: str) -> float:
        try:
            time = float(text)
        except ValueError:
            time = -1.0
        if 0 <= time < float("inf"):
            return time
        mend = "write seconds, 0 or more"
        raise user_error(f"{option}: {text!r} will not do", mend=mend)

    return read
