"""Answer a question from the reports: values, sides, intervals and where they stand.

It is a search, without a model: words are looked for in what metrics, configurations,
workloads and studies are called. Where no report answers, it says so, shows the nearest
values and ends with 1.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from analysis.ask.answers import LIMIT, SHOWN, across, answer, as_text
from analysis.ask.library import add_address, read_asked
from analysis.ask.years import as_lines, shared_question
from analysis.facts.fact import FACTS
from analysis.report.builds.built import BUILDS
from analysis.report.table import escape
from analysis.usage import whole

_NONE = "No edition answers this alone: ask without --across for the nearest."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis ask``."""
    parser.add_argument("question", help="in plain words; at most 500 characters")
    help = "folder of a release, of several or of a site; else the builds here"
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
    shared = None
    if args.across:
        told = across(asked, args.question)
        first = told[0]["answers"][0] if told else {"edition": "", "study": ""}
        place = first["edition"], first["study"]
        if args.release == BUILDS:
            shared = shared_question(BUILDS.parent, FACTS, args.question, place)
    else:
        told = [answer(asked, args.question, args.most)]
    if args.json:
        content = {"editions": told, "shared": shared} if args.across else told[0]
        print(json.dumps(content, ensure_ascii=False, indent=1))
    else:
        gap = "\n\n" if args.markdown else "\n"
        lines = as_lines(shared) if shared else []
        texts = [gap.join(escape(one) if args.markdown else one for one in lines)]
        texts += [as_text(one, args.markdown) for one in told]
        print("\n\n".join(filter(None, texts)) or _NONE)
    return 0 if shared or any(one["answered"] for one in told) else 1
