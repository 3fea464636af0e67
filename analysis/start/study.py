"""Start a study: study new ID writes report/EDITION/studies/ID/.

It comes last in its edition, builds at once and is then edited by hand.
"""

from __future__ import annotations

import argparse
from functools import partial

from analysis.declared.edition import find_editions
from analysis.errors import user_error
from analysis.start.outline import add_options, outline, print_written
from analysis.start.scaffold import new_study


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis study``."""
    parser.add_argument("action", choices=("new",))
    parser.add_argument("id", help="id of the study")
    parser.add_argument("--edition", help="folder name below report/")
    add_options(parser)


def run(args: argparse.Namespace) -> int:
    """Write the files, name the study in its edition, and say what comes next."""
    edition = _edition(args)
    read = partial(outline, args)
    print_written(
        new_study(args.report, edition, args.id, args.templates, read), edition
    )
    return 0


def _edition(args: argparse.Namespace) -> str:
    known = find_editions(args.report)
    chosen = args.edition or (known[0] if len(known) == 1 else "")
    if chosen not in known:
        raise user_error(
            f"which edition? There are: {', '.join(known) or 'none'}",
            args.report,
            mend="name it: --edition NAME",
        )
    return str(chosen)
