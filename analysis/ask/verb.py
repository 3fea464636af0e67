"""Answer a question from the reports: values, sides, intervals and where they stand.

It is a search, without a model: words are looked for in what metrics, configurations,
workloads and studies are called. Where no report answers, it says so, shows the nearest
values and ends with 1.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from analysis.ask.answers import LIMIT, SHOWN, across, answer, as_markdown, as_text
from analysis.ask.library import AskedBuilds, add_address, as_json, read_asked
from analysis.ask.years import as_lines, shared_question
from analysis.facts.fact import FACTS
from analysis.report.builds.built import BUILDS
from analysis.report.table import escape
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
    add_address(parser)
    parser.add_argument("--templates", type=Path, default=Path("templates"))


def run(args: argparse.Namespace) -> int:
    """Print the answer; 1 where no report has it."""
    asked = read_asked(args.release, args.templates, args.address)
    if args.across:
        return _across(args, asked)
    told = answer(asked, args.question, args.most)
    print(as_json(told) if args.json else _written(args, told))
    return 0 if told["answered"] else 1


def _across(args: argparse.Namespace, asked: AskedBuilds) -> int:
    """First the question that editions share, where the project declares one."""
    told = across(asked, args.question)
    shared = None
    if args.release == BUILDS:
        first = told[0]["answers"][0] if told else {"edition": "", "study": ""}
        place = first["edition"], first["study"]
        shared = shared_question(BUILDS.parent, FACTS, args.question, place)
    if args.json:
        print(as_json({"editions": told, "shared": shared}))
    else:
        lines = as_lines(shared) if shared else []
        texts = [f"{escape(one)}\n" if args.markdown else one for one in lines]
        texts += [""] if shared else []
        texts += [_written(args, one) for one in told]
        print("\n".join(texts).rstrip() or _NONE)
    return 0 if told or shared else 1


def _written(args: argparse.Namespace, told: dict[str, Any]) -> str:
    return as_markdown(told) if args.markdown else as_text(told)
