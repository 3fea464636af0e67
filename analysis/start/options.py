"""What ``edition new`` and ``study new`` have in common."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from analysis.start.outline import Outline, outline_of
from analysis.usage import build_command


def add_options(parser: argparse.ArgumentParser) -> None:
    """What to compare, and where the folders are."""
    parser.add_argument("--campaign", help="folder name below raw/")
    parser.add_argument("--baseline", help="id of a configuration")
    parser.add_argument("--tests", nargs="*", default=[], help="ids of others")
    parser.add_argument("--report", type=Path, default=Path("report"))
    parser.add_argument("--raw", type=Path, default=Path("raw"))
    parser.add_argument("--templates", type=Path, default=Path("templates"))


def outline(args: argparse.Namespace) -> Outline:
    """What to compare: as named, else the first configurations that have runs."""
    return outline_of(args.raw, args.campaign, args.baseline, args.tests)


def tell(written: Sequence[Path], edition: str) -> None:
    """Print what was written, and the command that builds it."""
    print(*written, f"next: {build_command(edition)}", sep="\n")
