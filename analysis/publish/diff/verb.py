"""Compare two builds or releases of an edition: facts, claims, reviews, figures, texts,
raw files and code. Both are folders with manifest.json.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from analysis.files.atomic import write_text
from analysis.publish.build import read_build
from analysis.publish.diff.comparison import Comparison, compare
from analysis.publish.diff.data import as_json
from analysis.publish.diff.page import as_page
from analysis.publish.diff.words import markdown, plain_text
from analysis.report.pages.fonts import font_css


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis diff``."""
    parser.add_argument("before", type=Path, help="folder of a build or release")
    parser.add_argument("after", type=Path, help="folder of a build or release")
    parser.add_argument(
        "--format", choices=("text", "json", "markdown", "html"), default="text"
    )
    parser.add_argument("--out", type=Path, help="write to this file, not the terminal")
    parser.add_argument("--templates", type=Path, default=Path("templates"))
    parser.add_argument(
        "--exit-code", action="store_true", help="end with 1 where anything changed"
    )


def run(args: argparse.Namespace) -> int:
    """Print or write the comparison; 0, or 1 with --exit-code where builds differ."""
    found = compare(read_build(args.before), read_build(args.after))
    text = _text(found, args)
    if args.out:
        write_text(args.out, text + "\n")
        print(args.out)
    else:
        print(text)
    return int(args.exit_code and not found.empty)


def _text(found: Comparison, args: argparse.Namespace) -> str:
    if args.format == "html":
        return as_page(found, args.templates, font_css())
    write = {"text": plain_text, "json": as_json, "markdown": markdown}
    return write[args.format](found)
