"""Check the words of the reports: lint, claims and review.

What is declared comes first, and needs no build: a mistake in it ends with 2. Then it
prints every finding and ends with 1 where one is an error, or where one stops a final
edition and the edition is final. It reads facts and figures
as they were last built, and renders nothing.
"""

from __future__ import annotations

import argparse
import sys

from analysis.declared.checks import check_declared_edition
from analysis.errors import NotBuiltError, raise_if
from analysis.report.builds.check_edition import Checks, check_edition
from analysis.report.builds.check_lists import FORMATS
from analysis.report.source_options import add_sources, each_edition, editions_of
from analysis.usage import build_command

_UNBUILT = (
    "note: no mistake in what is declared; words are checked against numbers, which a "
    "build makes: {}"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis check``."""
    parser.add_argument("--edition", help="one edition instead of all")
    parser.add_argument("--format", choices=sorted(FORMATS), default="text")
    add_sources(parser)


def run(args: argparse.Namespace) -> int:
    """Print the findings; 1 where there are errors."""
    folders = [args.report / edition for edition in editions_of(args)]
    raise_if([issue for one in folders for issue in check_declared_edition(one)])
    try:
        found: list[Checks] = each_edition(args, check_edition)
    except NotBuiltError:
        print(_UNBUILT.format(build_command(args.edition)), file=sys.stderr)
        if args.format == "text":
            return 0
        found = []
    print(FORMATS[args.format](found))
    return 1 if any(checks.errors for checks in found) else 0
