"""The command line: ``netperf-report VERB …``, or ``python -m analysis VERB …``.

Each verb is a module with ``add_arguments(parser)`` and ``run(args) -> exit code``.
Only the module of the verb asked for is imported, which keeps every start short.
"""

from __future__ import annotations

import gc
import importlib
import io
import os
import sys
from collections.abc import Sequence

from analysis.errors import UserError, as_user_error
from analysis.program import NAME, version
from analysis.usage import (
    Parser,
    as_called,
    check_folder,
    other_code,
    program,
    taken,
    usage,
)

_OTHER = (
    "note: modules of the checkout here that are not those that run: {count}; a build "
    "runs its own\n  mend: uv tool install --force --editable ."
)

# The verbs by task, in the order in which one needs them: module, what it does.
TASKS: dict[str, dict[str, tuple[str, str]]] = {
    "look at one run": {
        "inspect": ("analysis.ingest.inspect_file", "say what one raw file is"),
        "summary": ("analysis.summary.verb", "tell one run at once, or two"),
    },
    "bring a campaign in": {
        "plan": ("analysis.plan.verb", "say how many runs and hours a change needs"),
        "collect": ("analysis.collect.verb", "fetch a campaign's files from servers"),
        "campaign": (
            "analysis.ingest.campaign_init",
            "start a campaign's two files from its logs",
        ),
        "checksums": (
            "analysis.ingest.campaign.checksums",
            "record a campaign's files by hash",
        ),
        "ingest": ("analysis.ingest.verb", "read one campaign's raw files into tables"),
    },
    "start a report, and build it": {
        "new": ("analysis.start.project", "start a project of your own, or upgrade it"),
        "edition": ("analysis.start.edition", "start an edition"),
        "study": ("analysis.start.study", "start a study of an edition"),
        "build": ("analysis.build", "build reports, as 'make report' does"),
        "facts": (
            "analysis.report.language.verb",
            "list a study's facts and expressions",
        ),
    },
    "check and review": {
        "check": (
            "analysis.report.builds.check",
            "check words: lint, claims and review",
        ),
        "review": ("analysis.report.review.verb", "say or record who approved what"),
        "desk": (
            "analysis.report.desk.verb",
            "serve all drafts: read, edit and approve",
        ),
        "returned": (
            "analysis.report.desk.returned",
            "list comments and changes of a returned DOCX",
        ),
    },
    "compare and publish": {
        "regress": ("analysis.regress.verb", "test a release: JUnit XML, exit code"),
        "compare": ("analysis.report.across.verb", "compare what editions say"),
        "diff": ("analysis.publish.diff", "compare two builds or releases"),
        "reproduce": (
            "analysis.publish.reproduce",
            "make a release again, and say what differs",
        ),
        "publish": ("analysis.publish.verb", "publish finished editions, or roll back"),
    },
    "ask": {
        "ask": ("analysis.ask.verb", "answer a question from the reports"),
        "mcp": ("analysis.ask.mcp", "serve a release to an assistant (MCP, stdio)"),
    },
    "keep house": {
        "catalogue": ("analysis.catalogue.verb", "list all campaigns, gaps and trends"),
        "prune": ("analysis.catalogue.prune", "remove files that no build needs"),
    },
    "set up": {
        "completion": ("analysis.completion", "print the completion of a shell"),
        "schema": (
            "analysis.reference.verb",
            "write schemas for editors, and reference pages",
        ),
    },
    "steps of a build": {
        "load": (
            "analysis.ingest.tables.load",
            "join all campaigns' tables in one database",
        ),
        "derive": ("analysis.derive.verb", "derive the facts of all editions"),
        "predict": (
            "analysis.derive.fallback.predict",
            "show what models say of arms and of what-if setups",
        ),
        "backtest": (
            "analysis.derive.fallback.backtest",
            "test the models on published numbers",
        ),
        "figures": ("analysis.figures.verb", "draw the figures of one edition"),
        "report": ("analysis.report.verb", "render one edition as HTML and PDF"),
        "index": (
            "analysis.report.builds.index",
            "write the index page of all editions",
        ),
        "fingerprint": (
            "analysis.programs.fingerprint",
            "print the code hash of a verb",
        ),
    },
}
VERBS = {verb: about for verbs in TASKS.values() for verb, about in verbs.items()}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; 0 is success, 1 a failed check, 2 a mistake in the input.

    130 is Ctrl-C.
    """
    args = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in args
    args = [a for a in args if a != "--debug"]
    project = taken(args, "--project")
    if args == ["--version"]:
        print(f"{NAME} {version()}")
        return 0
    if not args or args[0] not in VERBS:
        return usage(args, TASKS)
    # What a verb imports and reads it needs to its end: searching that for cycles takes
    # a tenth of the time and frees nothing.
    gc.set_threshold(100_000)
    _write_whole_lines()
    if count := other_code():
        print(_OTHER.format(count=count), file=sys.stderr)
    try:
        if project is not None:
            os.chdir(project)
        check_folder(args[0], args)
        done = _run(args[0], args[1:])
        sys.stdout.flush()
        return done
    except BrokenPipeError:  # as with "| head": who reads has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        if debug:
            raise
        print("interrupted", file=sys.stderr)
        return 130  # as a shell says of a program that SIGINT ended
    except (UserError, OSError, MemoryError) as error:
        if debug:
            raise
        # At once, with its last line end: other jobs may write at the same time.
        sys.stderr.write(as_called(f"error: {as_user_error(error)}") + "\n")
        return 2


def _write_whole_lines() -> None:
    """Jobs write side by side, also where Python is to buffer nothing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(line_buffering=True, write_through=False)


def _run(verb: str, args: Sequence[str]) -> int:
    module = importlib.import_module(VERBS[verb][0])
    parser = Parser(prog=f"{program()} {verb}", description=module.__doc__)
    module.add_arguments(parser)
    return int(module.run(parser.parse_args(args)))
