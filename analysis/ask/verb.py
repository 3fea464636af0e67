"""Answer a question from the reports: values, sides, intervals and where they stand.

It is a search, without a model: words are looked for in what metrics, configurations,
workloads and studies are called. Where no report answers, it says so, shows the nearest
values and ends with 1.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from analysis.ask.answers import LIMIT, SHOWN, across, answer, as_markdown, as_text
from analysis.ask.library import as_json, read_asked
from analysis.report.builds.built import BUILDS
from analysis.usage import whole

_NONE = "No edition answers this alone: ask without --across for the nearest."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis ask``."""
    parser.add_argument("question", help="in plain words; at most 500 characters")
    help = "a release, a folder of them or a published site; else the builds here"
    parser.add_argument("--release", type=Path, default=BUILDS, help=help)
    help = f"rows to show, {SHOWN} by default"
    parser.add_argument(
        "--most", type=whole("--most", 1, LIMIT), default=SHOWN, help=help
    )
    help = "what each edition answers, one after another"
    parser.add_argument("--across", action="store_true", help=help)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="for programs")
    form.add_argument("--markdown", action="store_true", help="to be pasted")
    parser.add_argument("--templates", type=Path, default=Path("templates"))


def run(args: argparse.Namespace) -> int:
    """Print the answer; 1 where no report has it."""
    library = read_asked(args.release, args.templates)
    if args.across:
        told = across(library, args.question)
    else:
        told = [answer(library, args.question, args.most)]
    if args.json:
        print(as_json(told if args.across else told[0]))
    else:
        write = as_markdown if args.markdown else as_text
        print("\n".join(map(write, told)).rstrip() or _NONE)
    return 0 if any(one["answered"] for one in told) else 1
