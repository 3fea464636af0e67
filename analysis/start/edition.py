"""Start an edition: edition new NAME writes report/NAME/ with one study.

It builds at once and is then edited by hand. Nothing that exists is overwritten.
"""

from __future__ import annotations

import argparse
import datetime as dt
from functools import partial

from analysis.start.outline import add_options, outline, print_written
from analysis.start.scaffold import new_edition


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis edition``."""
    parser.add_argument("action", choices=("new",))
    parser.add_argument("name", help="folder name below report/")
    add_options(parser)


def run(args: argparse.Namespace) -> int:
    """Write the files and say what comes next."""
    today = dt.date.today()
    read = partial(outline, args)
    print_written(
        new_edition(args.report, args.name, args.templates, read, today), args.name
    )
    return 0
